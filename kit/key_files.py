"""Files of keys. A crash leaves them whole: with the old content or the new one."""

import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

PRIVATE_MODE: Final = 0o600
PUBLIC_MODE: Final = 0o644

T = TypeVar("T")


class UnusableKeyError(Exception):
    """The file has no keys that can be used; the message is one line that says what to do."""


def read(path: Path, parse: Callable[[str], T], remedy: str) -> T:
    """Return the parsed content of a file, which is read again when it has changed.

    `parse` raises ValueError. `remedy` says what to do about a missing file. Raises
    UnusableKeyError.
    """
    try:
        status = path.stat()
        found: T = _parsed(path, parse, status.st_ino, status.st_mtime_ns, status.st_size)
    except FileNotFoundError as error:
        raise UnusableKeyError(f"{path} is missing: {remedy}") from error
    except OSError as error:
        raise UnusableKeyError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UnusableKeyError(f"{path}: {error}") from error
    return found


@lru_cache(maxsize=8)
def _parsed(path: Path, parse: Callable[[str], Any], *_identity: int) -> Any:
    return parse(path.read_text())


def write(path: Path, lines: Iterable[str], mode: int = PRIVATE_MODE) -> None:
    """Replace the lines of a file of keys. Raises UnusableKeyError."""
    try:
        replace(path, "".join(f"{line}\n" for line in lines), mode)
    except OSError as error:
        raise UnusableKeyError(f"{path} cannot be written: {error.strerror}") from error


def replace(path: Path, content: str, mode: int) -> None:
    """Write a file durably, with these permissions from its creation. One that is replaced keeps
    its own and its owner, and links to it stay links. Raises OSError.

    Of several processes that replace a file at the same time, one may fail: lock if that matters.
    """
    path = path.resolve()
    path.parent.mkdir(mode=0o711, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.draft")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w") as file:  # noqa: PTH123 -- mode at creation
        if path.exists():
            _keep_rights(file.fileno(), path.stat())
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _keep_rights(file: int, before: os.stat_result) -> None:
    """Give a file the owner and permissions of the one that it replaces, if this user may."""
    with suppress(PermissionError):
        os.fchown(file, before.st_uid, before.st_gid)
        os.fchmod(file, stat.S_IMODE(before.st_mode))
