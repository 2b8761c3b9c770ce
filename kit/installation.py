"""How this program was installed: as a clone of the repository, or from packages."""

from pathlib import Path
from typing import Final

_PACKAGES: Final = Path(__file__).resolve().parent.parent
IS_CLONE: Final = (_PACKAGES / "manage.py").is_file()

NAME: Final = "manage.py" if IS_CLONE else "railbird"
"""The word that a user types before a command."""

FOLDER: Final = _PACKAGES if IS_CLONE else Path.cwd()
"""The folder of the server's own files: the clone, or the folder in which a user started it."""
