"""Locate the server programs inside their wheels.

The wheels' Python code is not used: it adds system users and opens parent folders to everyone.
"""

from importlib.util import find_spec
from pathlib import Path

from gameserver.processes.children import StartError

REMEDY = "run `uv sync`, or set DATABASE_URL and REDIS_URL to servers of your own"


class EmbeddedError(StartError):
    """The embedded servers cannot run here."""


def program(package: str, *parts: str) -> Path:
    """The path of a program inside an installed wheel."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise EmbeddedError(f"The package {package!r} is not installed: {REMEDY}.")
    path = Path(found.submodule_search_locations[0], *parts).resolve()
    if not path.is_file():
        raise EmbeddedError(
            f"The package {package!r} has no {path.name} for this platform: {REMEDY}."
        )
    return path
