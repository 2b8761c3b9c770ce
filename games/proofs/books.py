"""Checks of the ledger, the operators' log and the archive as a whole."""

import hashlib
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts import ledger
from accounts.models import Account, OpeningBalance
from games.archive.months import departed, digest_of
from games.archive.reading import opened
from games.lobbies.money import DEBT_BOOK
from games.models import (
    ArchivedGame,
    DetachedMonth,
    Game,
    Lobby,
    LogEntry,
)
from games.proofs.findings import Finding, unequal
from games.store import operator_log
from kit.partitions import made_at
from kit.problems import Problem
from railbird_engine.audit.log import Entry
from railbird_engine.audit.records import NAMES
from railbird_engine.kernel.chain import Kind

SEALED_WITHIN: Final = timedelta(minutes=1)
"""How soon the log has what it is to have."""


def account_findings(first: int, last: int) -> Iterator[Finding]:
    """Report accounts, of these ids, that have another unit, overdraft or owner than their holder.

    The accounts of a game's purses are compared with the game.
    """
    of_game = Game.objects.filter(id=OuterRef("book"))
    rows = Account.objects.filter(~Exists(of_game), id__gte=first, id__lte=last).order_by("id")
    for account in rows.annotate(
        is_escrow=Exists(Lobby.objects.filter(id=OuterRef("book")))
    ).iterator(2000):
        book, key, owner = account.book, account.key, None
        overdraft = 0
        what = f"account {account.id}, {key} of {book}"
        if book == ledger.MINT_BOOK and key in {"mint", "house"}:
            overdraft = ledger.UNLIMITED
        elif book == DEBT_BOOK:
            overdraft, owner = ledger.UNLIMITED, key
        elif key == ledger.WALLET:
            owner = str(book)
        elif not (key == "escrow" and account.is_escrow):
            yield Finding(what, "a wallet, a debt, an escrow or the purse of a game", "neither")
        found = account.owner_id and str(account.owner_id)
        yield from unequal(f"unit of {what}", ledger.COIN, account.unit)
        yield from unequal(f"overdraft of {what}", overdraft, account.overdraft)
        yield from unequal(f"owner of {what}", owner, found)


def action_findings() -> Iterator[Finding]:
    """Report actions of operators that do not fit the hashes that cover them, and hashes that the
    public log has otherwise."""
    logged: dict[int, bytes] = {}
    for entry in _entries_of(Kind.ACTIONS):
        count = int.from_bytes(entry.payload, "big")
        # A restoration of the database lost what is later, and the log says so.
        while logged and next(reversed(logged)) >= count:
            logged.popitem()
        logged[count] = entry.hash
    number = 0
    for number, (row, expected) in enumerate(operator_log.hashes(), start=1):
        what = f"operators' action {number}"
        yield from unequal(f"{what}: number", number, row.number)
        yield from unequal(f"{what}: hash", expected.hex(), bytes(row.hash).hex())
        if (signed := logged.pop(number, None)) is not None:
            yield from unequal(f"{what}: hash in the log", signed.hex(), expected.hex())
    if lost := [count for count in logged if count]:
        yield Finding("operators' actions", f"{max(lost)}, as in the log", number)


def _lost_actions() -> bool:
    """Whether the log says that a restoration of the database lost actions of operators."""
    counts = [int.from_bytes(entry.payload, "big") for entry in _entries_of(Kind.ACTIONS)]
    return any(later <= earlier for earlier, later in pairwise(counts))


def month_findings() -> Iterator[Finding]:
    """Report archived months whose row, records or places are not those that the log names."""
    logged = {entry.payload.decode(): entry.hash for entry in _entries_of(Kind.ARCHIVED)}
    for detached in DetachedMonth.objects.select_related("action").order_by("month"):
        name = f"{detached.month:%Y-%m}"
        signed = logged.pop(name, None)
        if signed is not None or detached.at < timezone.now() - SEALED_WITHIN:
            found = digest_of(detached)
            yield from unequal(f"archived month {name}", signed and signed.hex(), found.hex())
        yield from unequal(f"action of the month {name}", name, detached.action.subject)
        yield from _departed_findings(detached)
        others = ArchivedGame.objects.filter(month=detached)
        for game in others.values_list("game_id", flat=True):
            opened_at = f"{made_at(game):%Y-%m}"
            yield from unequal(f"month of the archived game {game}", opened_at, name)
        times = OpeningBalance.objects.filter(account__book__in=others.values("game"))
        for account, at in times.exclude(at=detached.at).values_list("account_id", "at"):
            yield Finding(f"time of the opening balance of account {account}", detached.at, at)
    if not _lost_actions():
        for name in logged:
            yield Finding("archived months", f"{name}, as in the log", None)


def _departed_findings(detached: DetachedMonth) -> Iterator[Finding]:
    """Compare the digests of what left with what the archive gives back."""
    rows: dict[str, int] = dict.fromkeys(detached.tables, 0)
    hashes = {table: hashlib.sha256() for table in detached.tables}
    games = ArchivedGame.objects.filter(month=detached).order_by("game")
    for game in games.values_list("game_id", flat=True):
        try:
            with opened([game]):
                left = departed(game)
        except Problem as problem:
            yield Finding(f"archived game {game}", "a record", problem.code)
            continue
        for table, count, digest in left:
            rows[table] += count
            hashes[table].update(digest)
    for table, recorded in detached.tables.items():
        if table not in {"accounts_openingbalance", "games_archivedgame"}:
            found = {"rows": rows[table], "digest": hashes[table].hexdigest()}
            yield from unequal(
                f"archived rows of {table} of {detached.month:%Y-%m}", recorded, found
            )


def _entries_of(kind: Kind) -> Iterator[Entry]:
    rows = LogEntry.objects.filter(name=NAMES[kind]).order_by("index")
    for entry in rows.values_list("entry", flat=True).iterator(2000):
        yield Entry.decode(bytes(entry))
