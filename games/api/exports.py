"""Bets and transfers as files: CSV, JSON Lines, Parquet or xlsx, in constant memory."""

import csv
import io
import threading
from abc import ABC, abstractmethod
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import nullcontext
from datetime import UTC, datetime, timezone
from tempfile import TemporaryFile
from typing import Annotated, Any, Final, NamedTuple, Protocol, get_args, get_origin
from uuid import UUID
from weakref import finalize
from zoneinfo import ZoneInfo

import msgspec
from asgiref.sync import sync_to_async
from django.db import close_old_connections, connections
from django.db.models import QuerySet
from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from games.api import types
from games.archive.reading import archived_among, opened
from games.reads.filters import Format, Separator
from games.reads.histories import names_of, with_results, with_sides
from kit.paging import batches
from kit.problems import Problem
from kit.replicas import reading

BATCH: Final = 5_000
EXPORTS_MAX: Final = 4
"""How many exports one process streams at a time."""

SEPARATORS: Final[Mapping[Separator, str]] = {"comma": ",", "semicolon": ";", "tab": "\t"}
FORMULAS: Final = frozenset({"=", "+", "-", "@", "\t", "\r"})
"""A spreadsheet takes a text that begins with one of these for a formula."""
OPTIONS: Final = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
ROWS_MAX: Final = 1_048_576
"""Of a sheet in a spreadsheet."""
TEXT_MAX: Final = 32_767
"""The characters of a cell."""
CUT: Final = "... (cut)"

Line = msgspec.Struct
"""A row of a file; its fields are the columns."""


class Layout(Protocol):
    """How a file looks: the fields of the filters of exports."""

    @property
    def format(self) -> Format: ...
    @property
    def separator(self) -> Separator: ...
    @property
    def byte_order_mark(self) -> bool: ...
    @property
    def names(self) -> bool: ...
    @property
    def time_zone(self) -> str | None: ...


class Writer(ABC):
    """Encodes lines as the parts of a file of this name. Raises Problem `malformed` for an unknown
    time zone."""

    media_type: str

    def __init__(self, kind: type[Line], layout: Layout, name: str) -> None:
        self._kind = kind
        self._zone = zone_of(layout.time_zone)

    @abstractmethod
    def write(self, lines: Sequence[Line]) -> bytes:
        """Return the bytes of these lines."""

    def end(self) -> bytes:
        """Return the end of the file."""
        return b""


class JsonLines(Writer):
    """One JSON object per line."""

    media_type = "application/jsonl"

    def write(self, lines: Sequence[Line]) -> bytes:
        """Return the bytes of these lines."""
        return msgspec.json.Encoder().encode_lines(lines)


class Csv(Writer):
    """Separated values in UTF-8 with a header line; null is empty."""

    media_type = "text/csv; charset=utf-8"

    def __init__(self, kind: type[Line], layout: Layout, name: str) -> None:
        super().__init__(kind, layout, name)
        self._text = io.StringIO("\ufeff" if layout.byte_order_mark else "", newline="")
        self._text.seek(0, io.SEEK_END)
        self._writer = csv.writer(self._text, delimiter=SEPARATORS[layout.separator])
        self._writer.writerow(kind.__struct_fields__)

    def write(self, lines: Sequence[Line]) -> bytes:
        """Return the bytes of these lines."""
        self._writer.writerows(
            [self._plain(value) for value in msgspec.structs.astuple(line)] for line in lines
        )
        return self.end()

    def _plain(self, value: object) -> object:
        """Return the text of a cell, quoted if a spreadsheet would take it for a formula."""
        match value:
            case bool():
                return "true" if value else "false"
            case datetime() if self._zone is not None:
                return f"{value.astimezone(self._zone):%Y-%m-%d %H:%M:%S}"
            case datetime():
                return value.isoformat()
            case str() if value[:1] in FORMULAS:
                return f"'{value}"
        return value

    def end(self) -> bytes:
        """Return what is buffered, such as the header of an empty file."""
        written = self._text.getvalue().encode()
        self._text.seek(0)
        self._text.truncate()
        return written


def zone_of(name: str | None) -> ZoneInfo | None:
    """Return a time zone by its name. Raises Problem `malformed`."""
    try:
        return None if name is None else ZoneInfo(name)
    except (KeyError, OSError, ValueError) as error:  # none, a folder of zones, a path out of it
        reason = "is no time zone of the IANA database, such as Europe/Paris"
        raise Problem("malformed", path="$.time_zone", reason=reason) from error


class Xlsx(Writer):
    """A workbook; a sheet that is full continues on the next one."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    def __init__(self, kind: type[Line], layout: Layout, name: str) -> None:
        super().__init__(kind, layout, name)
        self._book = Book(self._zone)
        self._sheets = LineSheets(self._book, self._kind.__struct_fields__, name)

    def write(self, lines: Sequence[Line]) -> bytes:
        """Keep these lines: the file is whole at its end only."""
        for line in lines:
            self._sheets.put(msgspec.structs.astuple(line))
        return b""

    def end(self) -> bytes:
        """Return the file."""
        return self._book.end()


class Book:
    """A workbook. Texts never are formulas, and times are those of a time zone."""

    def __init__(self, zone: ZoneInfo | None) -> None:
        self._zone = zone or UTC
        self._file = TemporaryFile()  # noqa: SIM115 -- until `end`
        self._book = Workbook(self._file, OPTIONS)
        self._moment = self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})

    def start(self, columns: Iterable[str], name: str | None = None) -> Worksheet:
        """Return a new sheet with a header."""
        sheet = self._book.add_worksheet(name)
        sheet.write_row(0, 0, columns)
        return sheet

    def put(self, sheet: Worksheet, row: int, values: Iterable[object]) -> None:
        """Write a row, after the row before it."""
        for column, value in enumerate(values):
            self._put(sheet, row, column, value)

    def _put(self, sheet: Worksheet, row: int, column: int, value: object) -> None:
        match value:
            case None:
                return
            case datetime():
                local = value.astimezone(self._zone).replace(tzinfo=None)
                sheet.write_datetime(row, column, local, self._moment)
            case bool():
                sheet.write_boolean(row, column, value)
            case int():
                sheet.write_number(row, column, value)
            case list() | dict() | msgspec.Raw():
                sheet.write_string(row, column, _fitting(msgspec.json.encode(value).decode()))
            case _:
                sheet.write_string(row, column, _fitting(str(value)))

    def end(self) -> bytes:
        """Return the file."""
        with self._file as file:
            self._book.close()
            file.seek(0)
            return file.read()


def _fitting(text: str) -> str:
    """Return a text that fits into a cell. One that was cut says so."""
    return text if len(text) <= TEXT_MAX else f"{text[: TEXT_MAX - len(CUT)]}{CUT}"


class LineSheets:
    """The sheets of one type of line. One that is full continues on the next: `bet`, `bet (2)`."""

    def __init__(self, book: Book, columns: Iterable[str], name: str | None = None) -> None:
        self._book = book
        self._columns = tuple(columns)
        self._name = name
        self._number = 0
        self._start()

    def _start(self) -> None:
        self._number += 1
        name = self._name
        if name is not None and self._number > 1:
            name = f"{name} ({self._number})"
        self._sheet = self._book.start(self._columns, name)
        self._row = 1

    def put(self, values: Iterable[object]) -> None:
        """Write a row, below those before it."""
        if self._row == ROWS_MAX:
            self._start()
        self._book.put(self._sheet, self._row, values)
        self._row += 1


def book_of(
    parts: Iterator[Sequence[tuple[str, Mapping[str, object]]]], zone: ZoneInfo | None
) -> Iterator[bytes]:
    """Return the parts of a workbook with sheets for each type of line."""
    book = Book(zone)
    sheets: dict[str, LineSheets] = {}
    for part in parts:
        for kind, values in part:
            if kind not in sheets:
                sheets[kind] = LineSheets(book, values, kind)
            sheets[kind].put(values.values())
        yield b""
    yield book.end()


class Parquet(Writer):
    """Compressed columns, with one row group per batch.

    Raises Problem `format_not_installed` without the extra `railbird[parquet]`.
    """

    media_type = "application/vnd.apache.parquet"

    def __init__(self, kind: type[Line], layout: Layout, name: str) -> None:
        super().__init__(kind, layout, name)
        try:
            # A large dependency, used only here.
            import pyarrow as pa  # noqa: PLC0415
            from pyarrow import parquet  # noqa: PLC0415
        except ModuleNotFoundError as missing:
            raise Problem("format_not_installed", format="parquet") from missing

        kinds = {bool: pa.bool_(), int: pa.int64(), datetime: pa.timestamp("us", tz="UTC")}
        columns = [(field.name, _plain_type(field.type)) for field in msgspec.structs.fields(kind)]
        self._schema = pa.schema([(name, kinds.get(plain, pa.string())) for name, plain in columns])
        self._texts = [name for name, plain in columns if plain is UUID]
        self._batch = pa.RecordBatch
        self._written = _Written()
        self._file = parquet.ParquetWriter(self._written, self._schema, compression="zstd")

    def write(self, lines: Sequence[Line]) -> bytes:
        """Return the bytes of these lines."""
        rows = [msgspec.structs.asdict(line) for line in lines]
        for row in rows:
            row.update({name: row[name] and str(row[name]) for name in self._texts})
        self._file.write_batch(self._batch.from_pylist(rows, schema=self._schema))
        return self._written.take()

    def end(self) -> bytes:
        """Return the footer, the index of the file."""
        self._file.close()
        return self._written.take()


def _plain_type(declared: Any) -> Any:  # a type expression has no useful static type
    """Return the type of a field without None and constraints."""
    while get_origin(declared) is Annotated or type(None) in get_args(declared):
        declared = next(part for part in get_args(declared) if part is not type(None))
    return declared


class _Written(io.RawIOBase):
    """A file that forgets what was taken from it, but keeps its position."""

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


WRITERS: Final[dict[Format, type[Writer]]] = {
    "csv": Csv,
    "jsonl": JsonLines,
    "parquet": Parquet,
    "xlsx": Xlsx,
}


class Sheet(NamedTuple):
    """A kind of file: its lines, their order, and the query for their columns."""

    name: str
    kind: type[Line]
    order: tuple[str, ...]
    rows: Callable[[QuerySet[Any]], QuerySet[Any, Any]]  # of the model that the sheet is about


BETS: Final = Sheet("bets", types.Bet, ("at", "game_id", "number"), with_results)
TRANSFERS: Final = Sheet("transfers", types.MovedLine, ("id",), with_sides)


class Form:
    """The lines of a file: with `names`, also the names of the people, games and lobbies of their
    ids; with local times, also the offset of each from UTC, as an hour is repeated each autumn."""

    def __init__(self, kind: type[Line], layout: Layout) -> None:
        is_local = layout.time_zone is not None and layout.format in {"csv", "xlsx"}
        self._zone = zone_of(layout.time_zone)
        self._columns = kind.__struct_fields__
        self._ids = _columns_of(kind, UUID) if layout.names else []
        self._times = _columns_of(kind, datetime) if is_local else []
        names = [f"{column}_name" for column in self._ids]
        added = [(name, str | None) for name in (*names, *map(_offset_column, self._times))]
        fields = [(field.name, field.type) for field in msgspec.structs.fields(kind)]
        self.kind = msgspec.defstruct(kind.__name__, [*fields, *added], frozen=True, kw_only=True)

    def lines(self, rows: Sequence[Sequence[Any]]) -> list[Line]:
        """Return the lines of rows."""
        lines = [dict(zip(self._columns, row, strict=True)) for row in rows]
        names = names_of({line[column] for line in lines for column in self._ids if line[column]})
        for line in lines:
            line.update({f"{column}_name": names.get(line[column]) for column in self._ids})
            for column in self._times:
                moment = line[column] and line[column].astimezone(self._zone)
                line[_offset_column(column)] = moment and str(timezone(moment.utcoffset()))
        return [self.kind(**line) for line in lines]


def _columns_of(kind: type[Line], wanted: type) -> list[str]:
    fields = msgspec.structs.fields(kind)
    return [field.name for field in fields if _plain_type(field.type) is wanted]


def _offset_column(column: str) -> str:
    return f"{column}_offset"


def in_order(sheet: Sheet, chosen: QuerySet[Any], until: datetime) -> QuerySet[Any]:
    """Return the rows that existed at a time, oldest first."""
    return chosen.filter(at__lt=until).order_by(*sheet.order)


def parts(
    sheet: Sheet,
    chosen: QuerySet[Any],
    layout: Layout,
    only_game: Collection[UUID],
    until: datetime,
    among: QuerySet[Any] | None = None,
) -> Iterator[tuple[int, bytes]]:
    """Return the parts of the file of the rows that existed at a time, each with its number of
    lines.

    `among` has the chosen rows and others, which an index finds in the order of the file.
    `only_game` is the game that the filter names, if any: an archived one is read as a whole. Other
    archived games are left out. Raises Problem `archive_damaged`, `format_not_installed`,
    `malformed`.
    """
    form = Form(sheet.kind, layout)
    writer = WRITERS[layout.format](form.kind, layout, sheet.name)
    along = None if among is None else in_order(sheet, among, until)
    read = batches(sheet.rows(in_order(sheet, chosen, until)), BATCH, along)
    if not archived_among(only_game):
        return _parts(read, form, writer)
    with opened(only_game):
        return iter(list(_parts(read, form, writer)))


def _parts(
    read: Iterator[Sequence[Any]], form: Form, writer: Writer
) -> Iterator[tuple[int, bytes]]:
    for rows in read:
        yield len(rows), writer.write(form.lines(rows))
    yield 0, writer.end()


_streams = threading.BoundedSemaphore(EXPORTS_MAX)


class Stream:
    """A file whose next part is made when the client has read the one before. With `as_of`, parts
    are read from a replica that has everything up to then, as long as there is one.

    Raises Problem `busy` if too many are streaming. The end of the file, or `close`, frees a place.
    """

    def __init__(self, parts: Iterator[bytes], as_of: datetime | None = None) -> None:
        if not _streams.acquire(blocking=False):
            raise Problem("busy")
        self.close = finalize(self, _streams.release)
        self._parts = parts
        self._as_of = as_of

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            while (part := await sync_to_async(self._next, thread_sensitive=False)()) is not None:
                yield part
        finally:
            self.close()

    def _next(self) -> bytes | None:
        """Make a part in a thread, which holds no database connection while the client reads."""
        close_old_connections()
        try:
            with nullcontext() if self._as_of is None else reading(self._as_of):
                return next(self._parts, None)
        finally:
            connections.close_all()
