"""A month of games leaves the database, and the ledger stays proven."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from uuid import UUID

import psycopg
import pytest
from uuid_utils.compat import uuid7

from accounts import ledger
from accounts.models import Account, OpeningBalance, Transfer, User
from games import lobbies
from games.archive.months import (
    Bundle,
    NotDetachableError,
    detach,
    divergences,
    games_of,
)
from games.models import ArchivedGame, Bet, Commit, DetachedMonth, Game, Head, Lobby, OperatorAction
from games.proofs.verification import ledger_findings
from kit import partitions
from kit.partitions import first_id
from tests.archive.conftest import SPOTS
from tests.archive.past import as_owner, make_months
from tests.builders import start_game
from tests.moves import take

MONTH, NEXT, EMPTY = date(2026, 3, 1), date(2026, 4, 1), date(2026, 5, 1)
REASON = "Older than half a year."


@pytest.fixture(scope="module")
def owner() -> Iterator[psycopg.Connection]:
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def months() -> None:
    """Partitions of three months long ago, of which the last has no games."""
    make_months(MONTH, NEXT, EMPTY)


@pytest.fixture(scope="module")
def operator(new_user: Callable[[], User]) -> User:
    return new_user()


def opened(month: date, host: User, monkeypatch: pytest.MonkeyPatch) -> Lobby:
    """Open a lobby whose game is of this month."""
    of_month = UUID(int=first_id(month).int + (uuid7().int & (1 << 76) - 1))
    with monkeypatch.context() as past:
        past.setattr(partitions, "new_id", lambda: of_month)
        choices = lobbies.LobbyChoices(slug="free_spots", options={"boards": 1, "spots": SPOTS})
        return lobbies.create(host, choices)


@pytest.fixture(scope="module")
def played(months: None, new_user: Callable[[], User]) -> dict[date, Game]:
    """An ended, settled and sealed game in each of both months."""
    games = {}
    with pytest.MonkeyPatch.context() as monkeypatch:
        for month in (MONTH, NEXT):
            host = new_user()
            game = start_game(host, opened(month, host, monkeypatch).id)
            for spot in range(SPOTS):
                take(game, spot)
            Head.objects.filter(game=game).update(settled=True, sealed=True)
            games[month] = game
    return games


def bundle_of(game: UUID) -> Bundle:
    head = bytes(Head.objects.get(game=game).hash)
    return Bundle(f"games/{game}", 0, 100, game.bytes * 2, head)


def refused(month: date, games: list[UUID], operator: User) -> str:
    bundles = {game: bundle_of(game) for game in games}
    with as_owner(), pytest.raises(NotDetachableError) as found:
        detach(month, bundles, by=operator, reason=REASON)
    return str(found.value)


def test_a_month_stays_until_everything_about_its_games_is_done(
    played: dict[date, Game],
    operator: User,
    new_user: Callable[[], User],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = played[MONTH].id
    now = datetime.now(UTC).date().replace(day=1)
    assert "is not over" in refused(now, games_of(now), operator)
    assert "has no partitions" in refused(date(2020, 1, 1), [], operator)
    assert "not the first day" in refused(date(2026, 3, 2), [], operator)
    assert "1 games of 2026-03 have no bundle" in refused(MONTH, [], operator)
    assert "bundles are of no game" in refused(MONTH, [game, played[NEXT].id], operator)
    for undone, done in (
        ({"sealed": False}, {"sealed": True}),
        ({"settled": False}, {"settled": True}),
        ({"ended": ""}, {"ended": "finished"}),
    ):
        Head.objects.filter(game=game).update(**undone)
        assert f"such as {game}" in refused(MONTH, [game], operator)
        Head.objects.filter(game=game).update(**done)
    host = new_user()
    lobby = opened(MONTH, host, monkeypatch)
    refusal = refused(MONTH, [game], operator)
    assert f"opened in 2026-03 and may still start, such as {lobby.id}" in refusal
    lobbies.leave(host, lobby.id)
    assert not DetachedMonth.objects.filter(month=MONTH).exists()
    actions = OperatorAction.objects.filter(action="archive_month", subject="2026-03")
    assert not actions.exists()
    assert Commit.objects.filter(game=game).exists()


@pytest.fixture(scope="module")
def detached(played: dict[date, Game], operator: User) -> Game:
    """A game of a month that was detached."""
    game = played[MONTH]
    with as_owner():
        detach(MONTH, {game.id: bundle_of(game.id)}, by=operator, reason=REASON)
    return game


def test_a_detached_month_leaves_opening_balances_and_digests(
    detached: Game, played: dict[date, Game], owner: psycopg.Connection
) -> None:
    assert not Commit.objects.filter(game=detached).exists()
    assert not Bet.objects.filter(game=detached).exists()
    assert not Transfer.objects.filter(cause=detached.id).exists()
    assert Commit.objects.filter(game=played[NEXT]).exists()
    month = DetachedMonth.objects.get(month=MONTH)
    assert {table: counted["rows"] for table, counted in month.tables.items()} == {
        "games_commit": SPOTS + 1,
        "games_bet": SPOTS,
        "games_settlement": SPOTS,
        "games_correction": 0,
        "accounts_transfer": owner.execute(
            "SELECT count(*) FROM detached.accounts_transfer_2026_03"
        ).fetchone()[0],  # type: ignore[index]  # it counts
        "accounts_openingbalance": OpeningBalance.objects.filter(account__book=detached.id).count(),
        "games_archivedgame": 1,
    }
    archived = ArchivedGame.objects.get(game=detached)
    place = (archived.object, archived.start, archived.length, bytes(archived.digest))
    assert place == bundle_of(detached.id)[:4]
    for account in Account.objects.filter(book=detached.id):
        opening = OpeningBalance.objects.get(account=account)
        assert (opening.debits, opening.credits) == (account.debits, account.credits)
        assert ledger.balance_at(account, opening.until) == account.balance
    action = OperatorAction.objects.get(action="archive_month", subject="2026-03")
    assert (action.subject, action.reason, month.action_id) == ("2026-03", REASON, action.id)


def test_the_application_does_not_reach_what_was_detached(detached: Game) -> None:
    with (
        psycopg.connect(os.environ["DATABASE_URL"]) as application,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        application.execute("SELECT 1 FROM detached.games_commit_2026_03")


def test_a_month_is_detached_once(detached: Game, operator: User) -> None:
    assert "has no partitions" in refused(MONTH, [detached.id], operator)


def found_in(books: set[UUID]) -> list[str]:
    """Return what the checks of the ledger report about these games and about months."""
    names = {*map(str, books), "2026-0"}
    accounts = Account.objects.filter(book__in=books).values_list("id", flat=True)
    names |= {f"account {account}" for account in accounts}
    found = [finding.what for finding in ledger_findings()]
    return [what for what in found if any(name in what for name in names)]


@contextmanager
def tampered(owner: psycopg.Connection, table: str, statement: str) -> Iterator[None]:
    """Execute a statement without the triggers of the table, and undo it."""
    copy = f"copy_of_{table}"
    owner.execute(f"CREATE TEMP TABLE {copy} AS SELECT * FROM {table}")
    owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only_rows")
    owner.execute(statement)
    try:
        yield
    finally:
        owner.execute(f"DELETE FROM {table}")
        owner.execute(f"INSERT INTO {table} SELECT * FROM {copy}")
        owner.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only_rows")
        owner.execute(f"DROP TABLE {copy}")


def test_the_ledger_holds_over_opening_balances_and_finds_changes(
    detached: Game, played: dict[date, Game], owner: psycopg.Connection
) -> None:
    books = {detached.id, played[NEXT].id}
    assert found_in(books) == []
    account = Account.objects.get(book=detached.id, key="bank").id
    other = Account.objects.get(book=played[NEXT].id, key="bank").id
    openings, archived = "accounts_openingbalance", "games_archivedgame"
    of_month = f"recorded rows of {openings} of 2026-03"
    with tampered(owner, openings, f"UPDATE {openings} SET credits = credits + 1, debits = debits"):
        assert of_month in found_in(books)
        assert f"credits of account {account} ({detached.id} bank)" in found_in(books)
    with tampered(owner, openings, f"UPDATE {openings} SET until = until + interval '1 s'"):
        assert found_in(books) == [of_month]
    forged = f"INSERT INTO {openings} SELECT {other}, 0, 0, now(), now()"
    with tampered(owner, openings, forged):
        assert found_in(books) == [f"opening balances of account {other}"]
    with tampered(owner, archived, f"DELETE FROM {archived}"):
        assert found_in(books) == [f"recorded rows of {archived} of 2026-03"]
    gone = "DELETE FROM accounts_transfer_2026_04 WHERE number = 5"
    with tampered(owner, "accounts_transfer_2026_04", gone):
        assert f"credits of account {other} ({played[NEXT].id} bank)" in found_in(books)
    assert found_in(books) == []
    assert list(divergences()) == []


def test_appends_continue_between_the_tries_to_detach_a_month(
    months: None,
    operator: User,
    new_game: Callable[..., Game],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running = new_game(1)
    with psycopg.connect(os.environ["DATABASE_URL"]) as reader:
        reader.execute("SELECT 1 FROM accounts_transfer LIMIT 1")

        def append(_: float) -> None:
            take(running, 1)
            reader.rollback()

        monkeypatch.setattr("games.archive.months.sleep", append)
        with as_owner():
            detach(EMPTY, {}, by=operator, reason=REASON)
    assert Commit.objects.filter(game=running, seat=0).count() == 1
    assert DetachedMonth.objects.filter(month=EMPTY).exists()
