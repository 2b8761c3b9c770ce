"""Detach a month of games: their histories leave the database once their bundles are stored.

The month of a game is that of its id, and begins in UTC. `detach` runs as the owner of the
database. The partitions move to the schema `detached`, where nothing reads them; the operator
drops them.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from time import sleep
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import structlog
from django.db import OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Q

from accounts.ledger import Divergence
from accounts.models import OpeningBalance, User
from games.models import (
    OPEN_STATUSES,
    ArchivedGame,
    DetachedMonth,
    Game,
    Lobby,
)
from games.store.operator_log import BOUNDED, record_action
from kit.partitions import first_id
from railbird_engine.kernel.chain import MALFORMED, decode_terms

log = structlog.get_logger(__name__)

ATTEMPTS: Final = 20
"""How often `detach` tries to lock the tables that appends to all months share. A try ends at the
first table that is still in use after a second."""
PAUSE_S: Final = 1.0
"""The time between two tries, in which appends continue."""


class Monthly(NamedTuple):
    """A partitioned table: its column with the game, and the columns that order its rows."""

    table: str
    key: str
    order: str


MONTHLY: Final = (
    Monthly("games_settlement", "game_id", "number"),
    Monthly("games_correction", "game_id", "number"),
    Monthly("games_bet", "game_id", "number"),
    Monthly("games_commit", "game_id", "version"),
    Monthly("accounts_transfer", "book", "number, position"),
)

# Rows as text, in one way whatever the session's settings.
AS_TEXT: Final = """
SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL bytea_output = 'hex'
"""

# The rows of each game are hashed for themselves, because no value holds a whole month.
LEFT: Final = """
SELECT coalesce(sum(rows), 0)::bigint,
    encode(sha256(coalesce(string_agg(digest, ''::bytea ORDER BY game), '')), 'hex')
FROM (
    SELECT {key} AS game, count(*) AS rows,
        sha256(convert_to(string_agg(t::text, E'\\n' ORDER BY {order}), 'UTF8')) AS digest
    FROM {partition} t GROUP BY {key}
) of_game
"""

OPEN: Final = """
INSERT INTO accounts_openingbalance (account_id, debits, credits, since, until)
SELECT account, sum(debit), sum(credit), min(at), max(at) FROM (
    SELECT debit_id AS account, amount AS debit, 0 AS credit, at FROM {partition}
    UNION ALL SELECT credit_id, 0, amount, at FROM {partition}
) side GROUP BY account
"""

# The rows that stay of a month, hashed like those that left.
STAYS: Final = {
    "accounts_openingbalance": """
SELECT count(*), encode(sha256(coalesce(string_agg(sha256(convert_to(
    concat_ws(' ', o.account_id, o.debits, o.credits, o.since, o.until), 'UTF8')), ''::bytea
    ORDER BY o.account_id), '')), 'hex')
FROM accounts_openingbalance o JOIN accounts_account a ON a.id = o.account_id
WHERE a.book >= %(first)s AND a.book < %(end)s
""",
    "games_archivedgame": """
SELECT count(*), encode(sha256(coalesce(string_agg(sha256(convert_to(
    concat_ws(' ', game_id, object, start, length, digest), 'UTF8')), ''::bytea
    ORDER BY game_id), '')), 'hex')
FROM games_archivedgame WHERE game_id >= %(first)s AND game_id < %(end)s
""",
}


# The rows of one game, hashed as in LEFT: of an archived game whose rows are opened.
DEPARTED: Final = """
SELECT count(*), sha256(convert_to(string_agg(t::text, E'\\n' ORDER BY {order}), 'UTF8'))
FROM {table} t WHERE {key} = %s
"""


class Bundle(NamedTuple):
    """Where the bundle of a game is stored and was verified: see `ArchivedGame`. `head`: the hash
    that it ends at."""

    object: str
    start: int
    length: int
    digest: bytes
    head: bytes


def digest_of(detached: DetachedMonth) -> bytes:
    """Return the digest of the row of a month, which the public log names."""
    said = {
        "month": f"{detached.month:%Y-%m}",
        "tables": detached.tables,
        "action": detached.action.number,
        "at": detached.at.isoformat(timespec="microseconds"),
    }
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).digest()


class NotDetachableError(Exception):
    """A month cannot be detached. The message is one sentence that says why."""


def games_of(month: date) -> list[UUID]:
    """Return the games of a month, in the order of their ids."""
    games = Game.objects.filter(id__gte=first_id(month), id__lt=first_id(_end(month)))
    return list(games.order_by("id").values_list("id", flat=True))


def heads_of(games: Sequence[UUID]) -> Mapping[UUID, bytes]:
    """Return the hashes that these games end at now."""
    rows = Game.objects.filter(id__in=games).values_list("id", "head__hash")
    return {game: bytes(hash_) for game, hash_ in rows}


def detach(month: date, bundles: Mapping[UUID, Bundle], *, by: User, reason: str) -> DetachedMonth:
    """Detach the histories of a month of games, in one transaction.

    `month` is its first day; `bundles` has the verified bundle of every game of the month. Writes
    the action of the operator `by`, an `ArchivedGame` row for each game, an `OpeningBalance` for
    each account of these games, and the digests of what left.

    Raises NotDetachableError.
    """
    if month.day != 1:
        raise NotDetachableError(f"{month} is not the first day of a month.")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(AS_TEXT)
        partitions = {monthly: f"{monthly.table}_{month:%Y_%m}" for monthly in MONTHLY}
        _lock(cursor, month, list(partitions.values()))
        _check(month, bundles)
        left = {
            monthly.table: _counted(
                cursor, LEFT.format(partition=name, key=monthly.key, order=monthly.order), {}
            )
            for monthly, name in partitions.items()
        }
        detached = DetachedMonth(month=month, tables={})
        transfers = next(
            name for monthly, name in partitions.items() if monthly.table == "accounts_transfer"
        )
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        cursor.execute(OPEN.format(partition=transfers))
        ArchivedGame.objects.bulk_create(
            (
                ArchivedGame(
                    game_id=game,
                    month=detached,
                    object=bundle.object,
                    start=bundle.start,
                    length=bundle.length,
                    digest=bundle.digest,
                )
                for game, bundle in sorted(bundles.items())
            ),
            batch_size=5000,
        )
        detached.tables = left | _what_stays(cursor, month)
        # Late, because other operators' actions wait until this transaction ends.
        detached.action = record_action(by, "archive_month", f"{month:%Y-%m}", reason)
        detached.save(force_insert=True)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("CREATE SCHEMA IF NOT EXISTS detached")
        _detach(cursor, partitions)
    log.info("month_detached", month=f"{month:%Y-%m}", games=len(bundles), by=str(by.id))
    return detached


def departed(game: UUID) -> list[tuple[str, int, bytes]]:
    """Return, for each table that has rows of this game, their number and digest."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(AS_TEXT)
        for monthly in MONTHLY:
            cursor.execute(DEPARTED.format(**monthly._asdict()), [game])
            rows, digest = cursor.fetchone()
            if rows:
                found.append((monthly.table, rows, bytes(digest)))
    return found


def divergences() -> Iterator[Divergence]:
    """Find what changed of that which stays of detached months: opening balances, and where the
    bundles of games are."""
    months = list(DetachedMonth.objects.order_by("month"))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(AS_TEXT)
        for detached in months:
            for table, found in _what_stays(cursor, detached.month).items():
                expected = detached.tables[table]
                if found != expected:
                    what = f"recorded rows of {table} of {detached.month:%Y-%m}"
                    yield Divergence(what, expected["rows"], 0)
    of_months = Q()
    for detached in months:
        first, end = first_id(detached.month), first_id(_end(detached.month))
        of_months |= Q(account__book__gte=first, account__book__lt=end)
    others = OpeningBalance.objects.exclude(of_months) if months else OpeningBalance.objects.all()
    for opening in others.order_by("account_id"):
        yield Divergence(f"opening balances of account {opening.account_id}", 0, 1)


def _end(month: date) -> date:
    """Return the first day of the next month."""
    return (month + timedelta(days=31)).replace(day=1)


def _lock(cursor: CursorWrapper, month: date, partitions: list[str]) -> None:
    """Stop appends to the games of the month, until the transaction ends. Readers continue."""
    attached = (
        "SELECT count(*) FROM pg_class WHERE relispartition AND relname = ANY(%s)"
        " AND relnamespace = 'public'::regnamespace"
    )
    cursor.execute(attached, [partitions])
    if cursor.fetchone() != (len(partitions),):
        raise NotDetachableError(f"{month:%Y-%m} has no partitions.")
    cursor.execute(BOUNDED)
    try:
        cursor.execute(f"LOCK TABLE {', '.join(partitions)} IN EXCLUSIVE MODE")
    except OperationalError as error:
        raise NotDetachableError(
            f"{month:%Y-%m} is in use by a transaction that does not end; try again later."
        ) from error


def _check(month: date, bundles: Mapping[UUID, Bundle]) -> None:
    """Raise NotDetachableError unless the month is over and everything about its games is done."""
    name, end = f"{month:%Y-%m}", _end(month)
    # Hosts whose clocks are slow may still draw ids of yesterday.
    if datetime.now(UTC).date() <= end + timedelta(days=1):
        raise NotDetachableError(f"{name} is not over.")
    games = games_of(month)
    undone = Q(head__ended="") | Q(head__settled=False) | Q(head__sealed=False)
    busy = Game.objects.filter(undone, id__in=games).order_by("id")
    if waiting := busy.first():
        raise NotDetachableError(
            f"{busy.count()} games of {name} have not ended, or are not paid out or sealed, "
            f"such as {waiting.id}."
        )
    if open_ := _lobbies_of(month, end):
        raise NotDetachableError(
            f"{len(open_)} lobbies opened in {name} and may still start, such as {open_[0]}."
        )
    if missing := [game for game in games if game not in bundles]:
        raise NotDetachableError(f"{len(missing)} games of {name} have no bundle: {missing[0]}.")
    if extra := sorted(bundles.keys() - set(games)):
        raise NotDetachableError(f"{len(extra)} bundles are of no game of {name}: {extra[0]}.")
    # Nothing is appended to these games any more: `_lock` stopped it.
    for game, head in heads_of(games).items():
        if head != bundles[game].head:
            raise NotDetachableError(f"The game {game} was corrected meanwhile: try again.")


def _lobbies_of(month: date, end: date) -> list[UUID]:
    """Return the open lobbies whose game would be of this month. Raises NotDetachableError."""
    opened = Lobby.objects.filter(status__in=OPEN_STATUSES).exclude(terms=b"").order_by("id")
    first, last = first_id(month), first_id(end)
    found = []
    for lobby, terms in opened.values_list("id", "terms").iterator():
        try:
            is_of_month = first <= decode_terms(bytes(terms)).game < last
        except MALFORMED as error:
            reason = f"The terms of lobby {lobby} cannot be read: close it first."
            raise NotDetachableError(reason) from error
        if is_of_month:
            found.append(lobby)
    return found


def _counted(cursor: CursorWrapper, query: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    cursor.execute(query, parameters)
    rows, digest = cursor.fetchone()
    return {"rows": rows, "digest": digest}


def _what_stays(cursor: CursorWrapper, month: date) -> dict[str, dict[str, Any]]:
    bounds = {"first": first_id(month), "end": first_id(_end(month))}
    return {table: _counted(cursor, query, bounds) for table, query in STAYS.items()}


def _detach(cursor: CursorWrapper, partitions: Mapping[Monthly, str]) -> None:
    """Detach the partitions. A try that fails frees the locks of all tables, so that no append
    waits for the next one."""
    cursor.execute("SET LOCAL lock_timeout = '1s'")
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with transaction.atomic():
                for monthly, name in partitions.items():
                    cursor.execute(f"ALTER TABLE {monthly.table} DETACH PARTITION {name}")
            break
        except OperationalError as error:
            if attempt == ATTEMPTS:
                raise NotDetachableError(
                    f"{monthly.table} is in use by long statements; try again later."
                ) from error
            sleep(PAUSE_S)
    for name in partitions.values():
        cursor.execute(f"ALTER TABLE {name} SET SCHEMA detached")
