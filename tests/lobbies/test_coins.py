"""The check of coins against results: honest lobbies pass at every moment, forgeries are found.

Only the owner of the database can forge: the application's role cannot change a row, and the rows
that it adds are checked, too.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from uuid import uuid4

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts import ledger
from accounts.models import User
from games import lobbies
from games.lobbies.money import NotSettledError, owed_by
from games.models import Bet, Game, Head, Lobby
from games.operators import actions
from games.proofs.coins import stray_findings
from games.proofs.everything import lobby_and_game_findings
from games.proofs.findings import Finding
from games.proofs.verification import ledger_findings, verify_game
from railbird_engine.rules import WALLET_UNIT
from tests.builders import NewUser, start_game
from tests.moves import forget, take_in_turn

pytestmark = pytest.mark.usefixtures("the_first_seat_wins")

BUY_IN = 100
SPOTS = 6
LAST = SPOTS + 1
"""The version of a finished game, before it is voided."""
RECOUNT = """
WITH side AS (
    SELECT debit_id AS account, amount AS debit, 0 AS credit FROM accounts_transfer
    UNION ALL SELECT credit_id, 0, amount FROM accounts_transfer
), counted AS (
    SELECT id, coalesce(sum(debit), 0) AS debits, coalesce(sum(credit), 0) AS credits
    FROM accounts_account LEFT JOIN side ON account = id WHERE unit = 'coin' GROUP BY id
)
UPDATE accounts_account a SET debits = c.debits, credits = c.credits FROM counted c
WHERE a.id = c.id AND (a.debits, a.credits) <> (c.debits, c.credits)
"""
INSERT = (
    "INSERT INTO accounts_transfer (cause, number, position, debit_id, credit_id, amount, "
    "reason) VALUES "
)


def opened(new_user: NewUser, host: User | None = None) -> tuple[Lobby, User, User]:
    host, guest = host or new_user(), new_user()
    lobby = lobbies.create(
        host,
        lobbies.LobbyChoices(
            slug="free_spots", options={"boards": 1, "spots": SPOTS}, buy_in=BUY_IN, prizes=(1,)
        ),
    )
    lobbies.join(guest, lobby.id)
    lobbies.set_ready(guest, lobby.id, ready=True)
    return lobby, host, guest


def finished(host: User, lobby: Lobby) -> Game:
    game = start_game(host, lobby.id)
    for spot in range(SPOTS):
        take_in_turn(game, spot)
    return game


_of_others: list[Finding] = []


@pytest.fixture(autouse=True)
def _strays() -> None:
    """Coins that other tests moved without a cause."""
    _of_others[:] = stray_findings()


def found(lobby: Lobby) -> list[Finding]:
    return [
        *lobby_and_game_findings(lobby.id),
        *(stray for stray in stray_findings() if stray not in _of_others),
    ]


def test_an_honest_lobby_is_consistent_at_every_moment(new_user: NewUser) -> None:
    lobby, host, guest = opened(new_user)
    assert found(lobby) == []
    lobbies.leave(guest, lobby.id)
    assert found(lobby) == []
    lobbies.join(guest, lobby.id)
    lobbies.set_ready(guest, lobby.id, ready=True)
    game = finished(host, lobby)
    assert found(lobby) == []
    lobbies.settle_ended(most=10_000)
    assert found(lobby) == []
    actions.annotate(host, game.id, "nothing changes by this")
    assert found(lobby) == []
    lobbies.settle_ended(most=10_000)
    assert found(lobby) == []
    actions.void_game(host, game.id, "two tables were mixed up")
    assert found(lobby) == []
    lobbies.settle_ended(most=10_000)
    assert [ledger.wallet_of(person).balance for person in (host, guest)] == [1000, 1000]
    assert found(lobby) == []


def test_no_head_ends_without_a_time(new_user: NewUser) -> None:
    lobby, host, _ = opened(new_user)
    head = Head.objects.filter(game=finished(host, lobby))
    with pytest.raises(IntegrityError, match="head_ended_at_a_time"), transaction.atomic():
        head.update(ended_at=None)


def test_a_game_that_cannot_be_settled_keeps_no_other_from_its_payout(new_user: NewUser) -> None:
    lobbies.settle_ended(most=10_000)
    broken, *of_broken = opened(new_user)
    finished_first = finished(of_broken[0], broken)
    box = bytes(Lobby.objects.get(id=broken.id).seed_box)
    other, host, guest = opened(new_user)
    finished(host, other)

    forget(finished_first)
    Lobby.objects.filter(id=broken.id).update(seed_box=bytes(len(box)))
    ended = Head.objects.filter(game__lobby__in=[broken, other])
    ended.update(ended_at=ended.earliest("ended_at").ended_at)
    try:
        with pytest.raises(
            NotSettledError, match=f"^1 games, such as {finished_first.id}: .*seed_key_missing"
        ):
            lobbies.settle_ended(most=1)
    finally:
        Lobby.objects.filter(id=broken.id).update(seed_box=box)
    assert [ledger.wallet_of(person).balance for person in (host, guest)] == [1100, 900]
    assert [ledger.wallet_of(person).balance for person in of_broken] == [900, 900]
    lobbies.settle_ended(most=10_000)
    assert [ledger.wallet_of(person).balance for person in of_broken] == [1100, 900]
    assert found(broken) == []


def test_an_error_of_the_database_ends_the_round_of_payouts(new_user: NewUser) -> None:
    lobby, host, guest = opened(new_user)
    finished(host, lobby)
    with transaction.atomic():
        connection.cursor().execute("SET TRANSACTION READ ONLY")
        with pytest.raises(DatabaseError, match="read-only transaction"):
            lobbies.settle_ended(most=10_000)
        transaction.set_rollback(True)
    lobbies.settle_ended(most=10_000)
    assert [ledger.wallet_of(person).balance for person in (host, guest)] == [1100, 900]


def test_a_changed_seed_is_found(new_user: NewUser) -> None:
    lobby, host, _ = opened(new_user)
    game = finished(host, lobby)
    assert lobby.seed is None
    Lobby.objects.filter(id=lobby.id).update(seed=bytes(32))
    try:
        assert f"game {game.id}, version 0: seed" in {finding.what for finding in found(lobby)}
    finally:
        Lobby.objects.filter(id=lobby.id).update(seed=None)


@pytest.mark.parametrize("left", [0, 30])
def test_a_winner_who_spent_the_prize_pays_back_the_rest(new_user: NewUser, left: int) -> None:
    lobby, host, guest = opened(new_user)
    game = finished(host, lobby)
    lobbies.settle_ended(most=10_000)
    lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", buy_in=1100 - left))
    actions.void_game(host, game.id, "two tables were mixed up")
    lobbies.settle_ended(most=10_000)
    assert [ledger.wallet_of(person).balance for person in (host, guest)] == [0, 1000]
    assert owed_by(host).balance == left - 100
    assert found(lobby) == []


def test_what_a_winner_owes_is_collected_from_the_next_coins(new_user: NewUser) -> None:
    """Once a winner sheltered the prize from a correction in the escrow of another lobby."""
    lobby, host, _ = opened(new_user)
    game = finished(host, lobby)
    lobbies.settle_ended(most=10_000)
    other, *_ = opened(new_user, host)
    shelter = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", buy_in=1000))
    actions.void_game(host, game.id, "two tables were mixed up")
    lobbies.settle_ended(most=10_000)
    assert (ledger.wallet_of(host).balance, owed_by(host).balance) == (0, -100)
    finished(host, other)
    lobbies.settle_ended(most=10_000)
    assert (ledger.wallet_of(host).balance, owed_by(host).balance) == (100, 0)
    lobbies.leave(host, shelter.id)
    assert (ledger.wallet_of(host).balance, owed_by(host).balance) == (1100, 0)
    assert found(lobby) == found(other) == found(shelter) == []


def test_a_returned_buy_in_pays_a_debt_first(new_user: NewUser) -> None:
    lobby, host, _ = opened(new_user)
    game = finished(host, lobby)
    lobbies.settle_ended(most=10_000)
    shelter = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", buy_in=1050))
    actions.void_game(host, game.id, "two tables were mixed up")
    lobbies.settle_ended(most=10_000)
    assert (ledger.wallet_of(host).balance, owed_by(host).balance) == (0, -50)
    lobbies.leave(host, shelter.id)
    assert (ledger.wallet_of(host).balance, owed_by(host).balance) == (1000, 0)
    assert found(lobby) == found(shelter) == []


def test_a_correction_locks_wallets_in_the_order_of_their_ids(new_user: NewUser) -> None:
    made = paid_out(new_user)
    actions.void_game(made.host, made.game.id, "two tables were mixed up")
    with CaptureQueriesContext(connection) as queries:
        lobbies.settle_ended(most=10_000)
    locking = [
        query["sql"]
        for query in queries
        if "accounts_account" in query["sql"] and "FOR NO KEY UPDATE" in query["sql"]
    ]
    assert len(locking) == 2, "the wallets, and all accounts of the postings"
    assert all('ORDER BY "accounts_account"."id" ASC' in statement for statement in locking)


def test_a_lobby_voided_before_its_payout_is_consistent(new_user: NewUser) -> None:
    lobby, host, _ = opened(new_user)
    game = start_game(host, lobby.id)
    actions.void_game(host, game.id, "two tables were mixed up")
    lobbies.settle_ended(most=10_000)
    assert found(lobby) == []


@contextmanager
def forged(lobby: Lobby, statement: str, **values: object) -> Iterator[None]:
    """A lobby with forged transfers, and totals made to fit."""
    game = Game.objects.filter(lobby=lobby).values_list("id", flat=True).first()
    stray = uuid4()
    causes = [lobby.id, game, stray, *lobby.seats.values_list("user_id", flat=True)]
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute(
            "CREATE TEMP TABLE kept AS SELECT * FROM accounts_transfer WHERE cause = ANY(%s)",
            (causes,),
        )
        owner.execute("ALTER TABLE accounts_transfer DISABLE TRIGGER append_only_rows")
        try:
            owner.execute(statement, {"lobby": lobby.id, "game": game, "stray": stray, **values})
            owner.execute(RECOUNT)
            yield
        finally:
            owner.execute("DELETE FROM accounts_transfer WHERE cause = ANY(%s)", (causes,))
            owner.execute("INSERT INTO accounts_transfer SELECT * FROM kept")
            owner.execute(RECOUNT)
            owner.execute("ALTER TABLE accounts_transfer ENABLE ALWAYS TRIGGER append_only_rows")


FORGERIES = {
    "a payout of another amount": "UPDATE accounts_transfer SET amount = amount - 1 "
    "WHERE cause = %(game)s AND number = 0",
    "a payout to somebody else": "UPDATE accounts_transfer SET credit_id = %(stranger)s "
    "WHERE cause = %(game)s AND "
    "number = 0",
    "a payout to the loser": "UPDATE accounts_transfer SET credit_id = %(guest)s "
    "WHERE cause = %(game)s AND number = 0",
    "a payout under another name": "UPDATE accounts_transfer SET reason = 'gift' "
    "WHERE cause = %(game)s AND number = 0",
    "a payout that is gone": "DELETE FROM accounts_transfer WHERE cause = %(game)s AND number = 0",
    "a payout on top": INSERT + "(%(game)s, 0, 7, %(house)s, %(host)s, 5, 'payout')",
    "a buy-in that is gone, and its part of the "
    "pot": "WITH gone AS (DELETE FROM accounts_transfer WHERE cause = %(lobby)s"
    " AND number = 2) UPDATE accounts_transfer SET amount = amount - 100 WHERE cause "
    "= %(game)s AND number = 0",
    "a buy-in of another amount": "UPDATE accounts_transfer SET amount = amount + 1 "
    "WHERE cause = %(lobby)s AND number = 2",
    "a buy-in too many": INSERT + "(%(lobby)s, 99, 0, %(guest)s, %(escrow)s, 100, 'buy_in')",
    "a buy-in by somebody else": "UPDATE accounts_transfer SET debit_id = %(stranger)s "
    "WHERE cause = %(lobby)s AND "
    "number = 2",
    "a buy-in under another name": "UPDATE accounts_transfer SET reason = 'gift' "
    "WHERE cause = %(lobby)s AND number = 2",
    "a correction of nothing": INSERT
    + f"(%(game)s, {-LAST}, 0, %(house)s, %(guest)s, 5, 'correction')",
    "corrections that cancel each other": INSERT
    + f"(%(game)s, {-LAST - 1}, 0, %(house)s, %(guest)s, 5, 'correction'), "
    f"(%(game)s, {-LAST - 2}, 0, "
    "%(guest)s, %(house)s, 5, 'correction')",
    "coins for no reason": INSERT + "(%(stray)s, 0, 0, %(mint)s, %(guest)s, 5, 'gift')",
    "a second opening grant": INSERT
    + "(%(guest_id)s, 1, 0, %(mint)s, %(guest)s, 5, 'opening_grant')",
    "an opening grant to somebody else": INSERT
    + "(%(stray)s, 0, 0, %(mint)s, %(guest)s, 5, 'opening_grant')",
}
OF_CORRECTIONS = {
    "a correction of another amount": "UPDATE accounts_transfer SET amount = 99 "
    f"WHERE cause = %(game)s AND number = {-LAST - 1}",
    "half a correction": "DELETE FROM accounts_transfer "
    f"WHERE cause = %(game)s AND number = {-LAST - 1} AND position = 1",
    "a correction that is "
    "gone": f"DELETE FROM accounts_transfer WHERE cause = %(game)s AND number = {-LAST - 1}",
    "a correction after another version": f"UPDATE accounts_transfer SET number = {-LAST} "
    f"WHERE cause = %(game)s AND number = {-LAST - 1}",
    "a correction under another name": "UPDATE accounts_transfer SET reason = 'x' "
    f"WHERE cause = %(game)s AND number = {-LAST - 1}",
    "a correction twice": INSERT
    + f"(%(game)s, {-LAST - 2}, 0, %(house)s, %(guest)s, 5, 'correction'), "
    f"(%(game)s, {-LAST - 3}, 0, "
    "%(guest)s, %(house)s, 5, 'correction')",
}


class Ended(NamedTuple):
    """A lobby whose game ended and was paid out. Forgeries of it are undone."""

    lobby: Lobby
    game: Game
    host: User
    guest: User


def paid_out(new_user: NewUser) -> Ended:
    lobby, host, guest = opened(new_user)
    game = finished(host, lobby)
    lobbies.settle_ended(most=10_000)
    return Ended(lobby, game, host, guest)


@pytest.fixture(scope="module")
def ended(new_user: NewUser) -> Ended:
    return paid_out(new_user)


@pytest.fixture(scope="module")
def corrected(new_user: NewUser) -> Ended:
    """Voided after the payout, which was corrected."""
    made = paid_out(new_user)
    actions.void_game(made.host, made.game.id, "two tables were mixed up")
    lobbies.settle_ended(most=10_000)
    return made


@pytest.mark.parametrize("name", [*FORGERIES, *OF_CORRECTIONS])
def test_a_forged_transfer_is_found(
    new_user: NewUser, request: pytest.FixtureRequest, name: str
) -> None:
    lobby, _, host, guest = request.getfixturevalue(
        "corrected" if name in OF_CORRECTIONS else "ended"
    )
    assert found(lobby) == []
    accounts = {"host": host, "guest": guest, "stranger": new_user()}
    values = {
        **{who: ledger.wallet_of(person).id for who, person in accounts.items()},
        "guest_id": guest.id,
        "house": ledger.house().id,
        "mint": ledger.open_account(ledger.MINT_BOOK, "mint", ledger.COIN).id,
        "escrow": ledger.open_account(lobby.id, "escrow", ledger.COIN).id,
    }
    with forged(lobby, (FORGERIES | OF_CORRECTIONS)[name], **values):
        assert list(ledger_findings()) == [], "all totals fit"
        assert found(lobby) != []
    assert found(lobby) == []


def test_a_payout_before_the_end_is_found(new_user: NewUser) -> None:
    lobby, host, _ = opened(new_user)
    start_game(host, lobby.id)
    escrow = ledger.open_account(lobby.id, "escrow", ledger.COIN)
    early = INSERT + "(%(game)s, 0, 0, %(escrow)s, %(host)s, 200, 'payout')"
    with forged(lobby, early, escrow=escrow.id, host=ledger.wallet_of(host).id):
        assert list(ledger_findings()) == []
        assert found(lobby) != []


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO games_bet SELECT * FROM jsonb_populate_record("
        """(SELECT b FROM games_bet b WHERE game_id = %(game)s LIMIT 1),
        '{"number": 900, "version": 900}')""",
        "UPDATE games_bet SET user_id = %(other)s WHERE game_id = %(game)s AND number = 3",
        "UPDATE games_bet SET stake = stake + 1 WHERE game_id = %(game)s AND number = 3",
        "INSERT INTO games_correction (game_id, number, version, payout, placed_at) VALUES "
        "(%(game)s, 3, 900, 5, now())",
        "INSERT INTO games_correction (game_id, number, version, payout, placed_at) VALUES "
        "(%(game)s, 3, 4, 5, now())",
        "DELETE FROM games_settlement WHERE game_id = %(game)s AND number = 3",
        "UPDATE games_settlement SET payout = payout + 1 WHERE game_id = %(game)s AND number = 3",
        "UPDATE games_settlement SET version = 900 WHERE game_id = %(game)s AND number = 3",
    ],
)
def test_a_forged_bet_settlement_or_correction_is_found(
    new_user: NewUser, ended: Ended, statement: str
) -> None:
    game = ended.game
    assert verify_game(game.id).findings == []
    with forged_rows(game, statement, other=new_user().id):
        assert verify_game(game.id).findings != []
        assert Bet.objects.filter(game=game).exists()
        assert Head.objects.get(game=game).version == LAST
    assert verify_game(game.id).findings == []


@contextmanager
def forged_rows(game: Game, statement: str, **values: object) -> Iterator[None]:
    """A game with forged bets, settlements or corrections."""
    tables = ("games_bet", "games_settlement", "games_correction")
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        for table in tables:
            owner.execute(
                f"CREATE TEMP TABLE kept_{table} AS SELECT * FROM {table} WHERE game_id = %s",
                (game.id,),
            )
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only_rows")
        try:
            owner.execute(statement, {"game": game.id, **values})
            yield
        finally:
            for table in reversed(tables):
                owner.execute(f"DELETE FROM {table} WHERE game_id = %s", (game.id,))
            for table in tables:
                owner.execute(f"INSERT INTO {table} SELECT * FROM kept_{table}")
                owner.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only_rows")


def test_games_cannot_count_in_the_unit_of_wallets() -> None:
    assert WALLET_UNIT == ledger.COIN
