"""The record of an archived game: its audit bundle, and the columns that a bundle leaves out.

A record is compressed with zlib. It begins with a line of JSON (`Heading`). The bundle follows as
`railbird-audit verify` reads it, and then a line for each commit (`More`) with times,
command ids and internal ids.
"""

import hashlib
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import msgspec
import psycopg
from django.db import connection
from django.db.models import Model
from psycopg import sql

from accounts.models import Transfer
from games.models import Bet, Commit, Correction, Settlement
from railbird_engine.audit import bundle

LEVEL: Final = 1
"""Blinds and hashes are random, so more work makes a record hardly smaller."""

Row = tuple[Any, ...]


class Rows(NamedTuple):
    """The rows of a game that leave the database, in order of version."""

    commits: list[Row]
    bets: list[Row]
    settlements: list[Row]
    corrections: list[Row]
    transfers: list[Row]

    @property
    def digest(self) -> bytes:
        """The SHA-256 of all rows."""
        return hashlib.sha256(msgspec.json.encode(self)).digest()


class Table(NamedTuple):
    """A table of histories: its model, its columns, and the order of the rows of a game.

    The order begins with the version of the commit that wrote the row.
    """

    model: type[Model]
    columns: tuple[str, ...]
    order: tuple[str, ...]
    key: str = "game_id"
    """The column with the id of the game."""

    @property
    def name(self) -> str:
        """The name in the database."""
        return self.model._meta.db_table

    def rows_of(self, game: UUID, first: int, last: int) -> list[Row]:
        """Read the rows of a game that commits from `first` to `last` wrote.

        The binary format saves most of the time that Django takes for times and bytes.
        """
        query = sql.SQL(
            "SELECT {} FROM {} WHERE {} = %s AND {} BETWEEN %s AND %s ORDER BY {}"
        ).format(
            _listed(self.columns),
            sql.Identifier(self.name),
            sql.Identifier(self.key),
            sql.Identifier(self.order[0]),
            _listed(self.order),
        )
        with connection.cursor() as cursor, psycopg.Cursor(cursor.connection) as rows:
            return rows.execute(query, [game, first, last], binary=True).fetchall()


TRANSFERS: Final = Table(
    Transfer,
    (
        *("id", "book", "cause", "number", "position", "debit_id", "credit_id", "amount"),
        *("reason", "at"),
    ),
    ("number", "position"),
    "book",  # transfers between books stay
)
COMMITS: Final = Table(
    Commit,
    ("game_id", "version", "seat", "command_id", "body", "hash", "at", "next_at"),
    ("version",),
)
TABLES: Final = (
    COMMITS,
    Table(
        Bet,
        (
            *("game_id", "number", "version", "seat", "user_id", "spot", "stake", "odds"),
            *("drawn", "at"),
        ),
        ("version", "number"),
    ),
    Table(
        Settlement,
        ("game_id", "number", "version", "outcome", "payout", "drawn", "at", "placed_at"),
        ("version", "number"),
    ),
    Table(
        Correction,
        ("game_id", "number", "version", "payout", "at", "placed_at"),
        ("version", "number"),
    ),
    TRANSFERS,
)
"""The tables that histories leave, in the order of `Rows`."""


class Heading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a record: the length of its bundle in bytes."""

    game: UUID
    bundle: int
    format: Literal[1] = 1


class More(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The columns that a bundle leaves out of a commit and its rows, in the bundle's order.

    Of a bet: its user, the draws before it and its time. Of a settlement: whether it is a
    correction, the draws before it, its time and that of its bet. Of a transfer: its id, its
    debited and credited account, and its time.
    """

    command_id: UUID | None
    at: datetime
    next_at: datetime | None
    bets: list[tuple[UUID | None, int, datetime]]
    settlements: list[tuple[bool, int | None, datetime, datetime]]
    transfers: list[tuple[int, int, int, datetime]]


class Record(NamedTuple):
    """An archived game."""

    game: UUID
    bundle: bytes
    rows: Rows


class BrokenRecordError(Exception):
    """The bytes are no record."""


_encode: Final = msgspec.json.Encoder().encode
_heading: Final = msgspec.json.Decoder(Heading).decode
_more: Final = msgspec.json.Decoder(More).decode


def stored_rows(game: UUID, first: int = -(2**63), last: int = 2**63 - 1) -> Rows:
    """Read the rows of a game from the tables, or those of its commits from `first` to `last`."""
    return Rows(*(table.rows_of(game, first, last) for table in TABLES))


def _listed(columns: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def encode(game: UUID, content: bytes, rows: Rows) -> bytes:
    """Return the record of a game with this bundle."""
    heading = _encode(Heading(game, len(content)))
    lines = (_encode(more) for more in _more_of(rows))
    return zlib.compress(b"\n".join([heading, content + b"\n".join(lines)]), LEVEL)


def _more_of(rows: Rows) -> Iterator[More]:
    bets: dict[int, list[Any]] = {}
    settlements: dict[int, list[Any]] = {}
    transfers: dict[int, list[Any]] = {}
    for _, _, version, _, user, *_, drawn, at in rows.bets:
        bets.setdefault(version, []).append((user, drawn, at))
    results = [(row[2], row[1], (False, *row[5:])) for row in rows.settlements]
    results += [(row[2], row[1], (True, None, *row[4:])) for row in rows.corrections]
    for version, _, more in sorted(results, key=lambda result: result[:2]):
        settlements.setdefault(version, []).append(more)
    for number, _, _, version, _, debit, credit, _, _, at in rows.transfers:
        transfers.setdefault(version, []).append((number, debit, credit, at))
    for _, version, _, command_id, _, _, at, next_at in rows.commits:
        yield More(
            command_id,
            at,
            next_at,
            bets.get(version, []),
            settlements.get(version, []),
            transfers.get(version, []),
        )


def decode(record: bytes) -> Record:
    """Return the game in a record. Raises BrokenRecordError."""
    try:
        text = zlib.decompress(record)
        first, _, rest = text.partition(b"\n")
        heading = _heading(first)
        content = rest[: heading.bundle]
        more = map(_more, rest[heading.bundle :].splitlines())
        return Record(heading.game, content, _rows(heading.game, content, more))
    except (zlib.error, msgspec.MsgspecError, ValueError, StopIteration) as error:
        raise BrokenRecordError(str(error)) from error


def _rows(game: UUID, content: bytes, more: Iterator[More]) -> Rows:
    """Join the commits of a bundle with what it leaves out of them."""
    rows = Rows([], [], [], [], [])
    for line in content.splitlines():
        commit = bundle.decode_part(line)
        if not isinstance(commit, bundle.Commit):
            continue
        rest, version = next(more), commit.version
        rows.commits.append(
            (
                *(game, version, commit.seat, rest.command_id, commit.body, commit.hash),
                *(rest.at, rest.next_at),
            )
        )
        for bet, (user, drawn, at) in zip(commit.bets, rest.bets, strict=True):
            rows.bets.append(
                (
                    *(game, bet.bet, version, bet.seat, user, bet.spot, bet.stake, bet.odds),
                    *(drawn, at),
                )
            )
        results = zip(commit.settlements, rest.settlements, strict=True)
        for result, (corrects, *times) in results:
            if corrects:
                rows.corrections.append((game, result.bet, version, result.payout, *times[1:]))
            else:
                row = (game, result.bet, version, result.outcome, result.payout, *times)
                rows.settlements.append(row)
        moved = zip(commit.transfers, rest.transfers, strict=True)
        for position, (transfer, (number, debit, credit, at)) in enumerate(moved):
            rows.transfers.append(
                (
                    *(number, game, game, version, position, debit, credit, transfer.amount),
                    *(transfer.reason, at),
                )
            )
    return rows
