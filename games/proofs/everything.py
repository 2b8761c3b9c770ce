"""Verify everything that the database says: the log, the ledger, and every lobby with its game.

It goes step by step, so that an interrupted run can continue after the last step that it noted.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef, QuerySet

from accounts.models import Account
from games.models import Game, Lobby
from games.proofs import books
from games.proofs.coins import buy_in_findings, payout_findings, stray_findings, wallets_of
from games.proofs.findings import Finding
from games.proofs.sealed_log import log_findings
from games.proofs.tables import lobby_findings
from games.proofs.verification import ledger_findings, verify_game
from kit import table_protection
from kit.problems import Problem
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.kernel.chain import MALFORMED

ACCOUNTS_PER_STEP: Final = 10_000
NO_ID: Final = UUID(int=0)
UNDECODABLE: Final = (*MALFORMED, ValueError, LookupError)
"""Exceptions that changed bytes raise where something decodes them."""


class Noted(msgspec.Struct):
    """How far a run came: the steps about everything, the last account and lobby, the findings.

    Games that ended before `since` are left out.
    """

    since: datetime | None = None
    whole: int = 0
    account: int = 0
    lobby: UUID = NO_ID
    findings: list[tuple[str, str, str]] = []


class Step(NamedTuple):
    """A check, and the field of `Noted` that gets a value once it is done."""

    what: str
    findings: Callable[[], Iterator[Finding]]
    field: str
    value: object


def count_steps(noted: Noted) -> int:
    """Return how many steps are left, roughly: accounts and lobbies may be added meanwhile."""
    accounts = max(0, _newest_account() - noted.account)
    lobbies = _lobbies(noted).count()
    return len(WHOLE) - noted.whole + -(-accounts // ACCOUNTS_PER_STEP) + lobbies


def steps(noted: Noted) -> Iterator[Step]:
    """Yield the steps that are left."""
    for number, (what, findings) in enumerate(WHOLE[noted.whole :], noted.whole + 1):
        yield Step(what, findings, "whole", number)
    for first in range(noted.account + 1, _newest_account() + 1, ACCOUNTS_PER_STEP):
        last = first + ACCOUNTS_PER_STEP - 1
        found = partial(books.account_findings, first, last)
        yield Step(f"accounts {first} to {last}", found, "account", last)
    for lobby in _lobbies(noted).values_list("id", flat=True).iterator(2000):
        yield Step(f"lobby {lobby}", partial(lobby_and_game_findings, lobby), "lobby", lobby)


def skipped(since: datetime | None) -> QuerySet[Game]:
    """Return the games that a run leaves out: those that ended before this time."""
    if since is None:
        return Game.objects.none()
    return Game.objects.filter(head__ended_at__lt=since).exclude(head__ended="")


def _newest_account() -> int:
    return Account.objects.aggregate(id=Max("id"))["id"] or 0


def _lobbies(noted: Noted) -> QuerySet[Lobby]:
    left = Lobby.objects.filter(id__gt=noted.lobby).order_by("id")
    if noted.since is None:
        return left
    return left.exclude(Exists(skipped(noted.since).filter(lobby=OuterRef("id"))))


def _protection_findings() -> Iterator[Finding]:
    for gap in table_protection.gaps(connection):
        yield Finding("database", "protection of histories", gap)


def _sums() -> Iterator[Finding]:
    yield from ledger_findings()
    yield from stray_findings()


WHOLE: Final[tuple[tuple[str, Callable[[], Iterator[Finding]]], ...]] = (
    ("protection of histories", _protection_findings),
    ("entries of the log", log_findings),
    ("actions of operators", books.action_findings),
    ("sums of the ledger", _sums),
    ("archived months", books.month_findings),
)
"""The checks of everything at once."""


def lobby_and_game_findings(lobby_id: UUID) -> Iterator[Finding]:
    """Report what differs of a lobby, its coins and its game.

    Reads a snapshot, so that running games do not disturb it.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        lobby = Lobby.objects.get(id=lobby_id)
        game = Game.objects.filter(lobby=lobby).values_list("id", flat=True).first()
        what = f"lobby {lobby_id}" if game is None else f"game {game}"
        try:
            yield from lobby_findings(lobby)
            is_for_coins = lobby.buy_in or lobby.postings
            wallets = wallets_of(lobby) if is_for_coins else {}
            if is_for_coins:
                yield from buy_in_findings(lobby, wallets)
            if game is not None:
                verified = verify_game(game)
                for finding in verified.findings:
                    yield finding._replace(what=f"{what}, {finding.what}")
                if is_for_coins and len(verified.replayed) == verified.game.head.version:
                    yield from payout_findings(verified, wallets)
        except Problem as problem:
            yield Finding(what, "rows that can be read", problem.code)
        except (DivergenceError, *UNDECODABLE) as error:
            yield Finding(what, "rows that can be read", f"{type(error).__name__}: {error}")
