"""Bet histories as files: CSV, JSON Lines or Parquet, written while they are read, in memory that does not grow with them."""

import csv
import io
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime
from typing import Any, Final
from weakref import finalize

import msgspec
from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection
from django.db.models import QuerySet
from django.utils import timezone

from accounts.problems import Problem
from games import selectors
from games.api import answers
from games.filters import Format
from games.models import Bet
from games.paging import batches

BATCH: Final = 5_000
EXPORTS_MAX: Final = 4
"""How many exports one process streams at a time."""

COLUMNS: Final = answers.Bet.__struct_fields__


class Writer(ABC):
    """Turns bets into the bytes of a file, part by part."""

    media_type: str

    @abstractmethod
    def write(self, bets: Sequence[answers.Bet]) -> bytes:
        """The bytes that these bets add."""

    def end(self) -> bytes:
        """The bytes that end the file."""
        return b""


class JsonLines(Writer):
    """One JSON object a line, as the API answers it."""

    media_type = "application/jsonl"

    def write(self, bets: Sequence[answers.Bet]) -> bytes:
        """The bytes that these bets add."""
        return msgspec.json.Encoder().encode_lines(bets)


class Csv(Writer):
    """Comma-separated, in UTF-8, with a line of names; what is not there is empty."""

    media_type = "text/csv; charset=utf-8"

    def __init__(self) -> None:
        self._text = io.StringIO()
        self._writer = csv.writer(self._text)
        self._writer.writerow(COLUMNS)

    def write(self, bets: Sequence[answers.Bet]) -> bytes:
        """The bytes that these bets add."""
        self._writer.writerows([_plain(value) for value in msgspec.structs.astuple(bet)] for bet in bets)
        return self.end()

    def end(self) -> bytes:
        """What was written and not taken yet: of an empty file, its first line."""
        written = self._text.getvalue().encode()
        self._text.seek(0)
        self._text.truncate()
        return written


def _plain(value: object) -> object:
    """A cell. A spreadsheet takes a text that begins like this for a formula, and texts of a game are somebody's."""
    if isinstance(value, datetime):
        return value.isoformat()
    return f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t", "\r"} else value


class Parquet(Writer):
    """Columns, compressed; one row group a batch."""

    media_type = "application/vnd.apache.parquet"

    def __init__(self) -> None:
        # Of some size, and needed here alone.
        import pyarrow as pa  # noqa: PLC0415
        from pyarrow import parquet  # noqa: PLC0415

        kinds = {"number": pa.int32(), "version": pa.int32(), "settled_version": pa.int32(), "seat": pa.int16()}
        kinds |= dict.fromkeys(("stake", "payout", "drawn_before", "drawn_until"), pa.int64())
        kinds |= {"is_bot": pa.bool_()}
        kinds |= dict.fromkeys(("placed_at", "settled_at"), pa.timestamp("us", tz="UTC"))
        self._schema = pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])
        self._batch = pa.RecordBatch
        self._written = _Written()
        self._file = parquet.ParquetWriter(self._written, self._schema, compression="zstd")

    def write(self, bets: Sequence[answers.Bet]) -> bytes:
        """The bytes that these bets add."""
        rows = [{**msgspec.structs.asdict(bet), "game": str(bet.game), "user": bet.user and str(bet.user)} for bet in bets]
        self._file.write_batch(self._batch.from_pylist(rows, schema=self._schema))
        return self._written.take()

    def end(self) -> bytes:
        """The footer, which says where everything is."""
        self._file.close()
        return self._written.take()


class _Written(io.RawIOBase):
    """A file that forgets what was taken from it, and counts on."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        part = bytes(data)
        self._parts.append(part)
        self._length += len(part)
        return len(part)

    def tell(self) -> int:
        return self._length

    def take(self) -> bytes:
        part = b"".join(self._parts)
        self._parts.clear()
        return part


WRITERS: Final[dict[Format, type[Writer]]] = {"csv": Csv, "jsonl": JsonLines, "parquet": Parquet}


def in_order(bets: QuerySet[Bet]) -> QuerySet[Bet]:
    """What of these bets an export holds: those placed before it began, oldest first."""
    return bets.filter(at__lt=timezone.now()).order_by("at", "game_id", "number")


def parts(bets: QuerySet[Bet], writer: Writer) -> Iterator[tuple[int, bytes]]:
    """The file that tells of these bets, part by part, each with the number of bets in it."""
    for rows in batches(selectors.with_fates(in_order(bets)), BATCH):
        yield len(rows), writer.write([answers.Bet.of(row) for row in rows])
    yield 0, writer.end()


_streams = threading.BoundedSemaphore(EXPORTS_MAX)


class Stream:
    """A file for a client that reads as fast as it likes: the next part is made when the one before is on its way.

    Raises Problem `busy` when too many are under way. Its end, or `close`, makes room for another.
    """

    def __init__(self, parts: Iterator[bytes]) -> None:
        if not _streams.acquire(blocking=False):
            raise Problem("busy")
        self.close = finalize(self, _streams.release)
        self._parts = parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            while (part := await sync_to_async(self._next, thread_sensitive=False)()) is not None:
                yield part
        finally:
            self.close()

    def _next(self) -> bytes | None:
        """In a thread, which keeps no connection to the database while the client reads."""
        close_old_connections()
        try:
            return next(self._parts, None)
        finally:
            connection.close()
