"""The hash of a game's code: of the files of its rules and of this engine.

Anyone who has the files can compute it with `find`, `sort` and `sha256sum`; see docs/formats.md.
"""

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from railbird_engine.kernel.contract import AnyRules

ENGINE: Final = "railbird_engine.kernel"


@cache
def code_hash(rules: AnyRules) -> str:
    """Return the SHA-256, in hex, of what `sha256sum` prints for all files in order of path."""
    files = dict([*_files(ENGINE), *_files(package_of(rules))])
    lines = (
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {path}\n"
        for path, file in sorted(files.items(), key=lambda item: item[0].encode())
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def package_of(rules: AnyRules) -> str:
    """Return the package of a game's rules, or their module if it is in none."""
    module = type(rules).__module__
    return module.rpartition(".")[0] or module


def _files(name: str) -> Iterator[tuple[str, Path]]:
    """Yield the files of a package or module, with their paths below the folder of the outermost
    package. Leaves out hidden files and compiled code."""
    found = sys.modules[name].__file__
    assert found is not None, "code in files"
    if not hasattr(sys.modules[name], "__path__"):
        yield Path(found).name, Path(found)
        return
    folder = Path(found).parent
    root = folder.parents[name.count(".")]
    for file in folder.rglob("*"):
        parts = file.relative_to(folder).parts
        is_code = not any(part.startswith(".") or part == "__pycache__" for part in parts)
        if is_code and file.is_file():
            yield file.relative_to(root).as_posix(), file
