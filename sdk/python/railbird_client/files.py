"""Files of one JSON value per line, which survive a crash while a line is written."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from railbird_client.problems import Misused

if sys.platform != "win32":
    import fcntl

T = TypeVar("T")

_writing: Final = threading.Lock()


def append_line(path: Path, line: bytes) -> None:
    """Append a line durably, after cutting off a line that a crash left incomplete.

    Others wait meanwhile, or they could cut off this line. On Windows, other processes do not."""
    # Others may not read it: it has secrets.
    opener = partial(os.open, mode=0o600)
    with _writing, open(path, "ab+", opener=opener) as file:
        if sys.platform != "win32":
            with suppress(OSError):  # some file systems have no locks
                fcntl.flock(file, fcntl.LOCK_EX)  # until the file is closed
            os.fchmod(file.fileno(), 0o600)  # the file may be older
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())


def values_in(path: Path, kind: type[T]) -> Iterator[T]:
    """Yield the values in the complete lines of a file, or none without a file. Raises Misused."""
    for line in (path.read_bytes().split(b"\n") if path.exists() else [b""])[:-1]:
        try:
            yield msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, ValueError) as error:
            raise Misused(f"{path} is not a file of this client: {error}") from error
