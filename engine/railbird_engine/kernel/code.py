"""The hash of a game's code: of the files of its rules and of this engine.

Anyone who has the files can compute it with `find`, `sort` and `sha256sum`; see docs/formats.md.
"""

import hashlib
import marshal
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from typing import Final

from railbird_engine.kernel.contract import AnyRules

ENGINE: Final = "railbird_engine.kernel"
HEADER_LENGTH: Final = 16
"""Bytes of a compiled file before its code."""


class OtherCodeError(Exception):
    """A compiled file holds other code than its source; the message is one line."""


@cache
def code_hash(rules: AnyRules) -> str:
    """Return the SHA-256, in hex, of what `sha256sum` prints for all files in order of path.

    Raises OtherCodeError if this process imported something else.
    """
    check_compiled(ENGINE, package_of(rules))
    files = dict([*_files(ENGINE), *_files(package_of(rules))])
    lines = (
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {path}\n"
        for path, file in sorted(files.items(), key=lambda item: item[0].encode())
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def check_compiled(*packages: str) -> None:
    """Check that the compiled files of these packages or modules, which Python imports in place of
    the sources, are what the sources give: also of modules that nobody imported yet.

    Raises OtherCodeError.
    """
    for package in packages:
        for _, file in _files(package):
            if file.suffix == ".py":  # the hash covers all other files
                _check_file(file, Path(cache_from_source(file)))


@cache
def _check_file(source: Path, cached: Path) -> None:
    """Check the compiled file of a module, once in a process. Raises OtherCodeError."""
    if not cached.exists():
        return
    compiled, content = cached.read_bytes(), source.read_bytes()
    if not _is_imported(compiled, source, content):
        return
    if _code_in(compiled) != compile(content, str(source), "exec", dont_inherit=True):
        raise OtherCodeError(f"{cached} is not the compiled {source}: remove it")


def _is_imported(compiled: bytes, source: Path, content: bytes) -> bool:
    """Whether Python imports a compiled file, by its header (PEP 552)."""
    magic, flags, stamp = compiled[:4], compiled[4:8], compiled[8:HEADER_LENGTH]
    if magic != MAGIC_NUMBER:
        return False
    if flags[:1] == b"\0":
        found = source.stat()
        times = (int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF)
        return stamp == b"".join(each.to_bytes(4, "little") for each in times)
    return flags[:1] == b"\1" or stamp == source_hash(content)


def _code_in(compiled: bytes) -> object:
    try:
        found: object = marshal.loads(compiled[HEADER_LENGTH:])  # noqa: S302 -- as imports do
    except (EOFError, ValueError, TypeError):
        return None
    return found


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
