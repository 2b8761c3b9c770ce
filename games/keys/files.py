"""Files that a crash leaves whole: with the old content or the new one."""

import os
from pathlib import Path


def replace(path: Path, content: str, mode: int) -> None:
    """Write a file durably, with these permissions from its creation. Raises OSError.

    Of several processes that replace a file at the same time, one may fail: lock if that matters.
    """
    path.parent.mkdir(mode=0o711, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.draft")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w") as file:  # noqa: PTH123 -- mode at creation
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
