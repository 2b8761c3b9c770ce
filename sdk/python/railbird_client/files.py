"""Files of one JSON value per line, which survive a crash while a line is written."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from railbird_client.problems import Misused

T = TypeVar("T")


def append_line(path: Path, line: bytes) -> None:
    """Append a line durably, after cutting off a line that a crash left incomplete."""
    # Others may not read it: it has secrets.
    with open(path, "ab+", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        if sys.platform != "win32":
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
