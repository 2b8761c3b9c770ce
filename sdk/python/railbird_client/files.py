"""Files of one JSON value per line, which survive a crash while a line is written."""

import os
from collections.abc import Iterator
from pathlib import Path


def append_line(path: Path, line: bytes) -> None:
    """Append a line durably, after cutting off a line that a crash left incomplete."""
    with path.open("ab+") as file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())


def lines_in(path: Path) -> Iterator[str]:
    """Yield the complete lines of a file, or none without a file."""
    yield from (path.read_text().split("\n") if path.exists() else [""])[:-1]
