"""Appends: which runs share a statement, and what a run gets that is not stored."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
import pytest

from games.models import Game
from games.play import commit
from games.store import appending
from games.store.commits import store
from games.store.loaded_games import LoadedGame
from games.store.rows import NewCommit, StoredCommit
from kit import event_loop
from kit.database import Rows
from kit.problems import Problem
from railbird_engine import Seat
from tests.builders import NewGame
from tests.store.runs import Append, Decided, Statements, appended


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Statements:
    return Statements(monkeypatch)


def first_of(loaded: LoadedGame) -> NewCommit:
    """The commit of a player who takes the first spot."""
    return loaded.decide(Seat(0), loaded.decode_command(b'{"type":"take_spot","spot":0}'))


async def first_commits(games: Sequence[Game]) -> list[NewCommit]:
    commits = [first_of(await commit.load(game.id)) for game in games]
    if store().connections.appending is None:
        await store().connections.open_appending()
    return commits


class Told(Decided):
    """A run that tells when it is decided."""

    def __init__(
        self,
        commits: Sequence[NewCommit],
        told: Callable[[], None],
        take: Callable[[Any], object],
    ) -> None:
        super().__init__(commits, take)
        self._told = told

    def decide(self, most: int) -> Sequence[NewCommit]:
        self._told()
        return super().decide(most)


def test_runs_that_arrive_while_a_statement_runs_are_decided_meanwhile_and_share_the_next(
    new_game: NewGame, statements: Statements
) -> None:
    games = [new_game(2) for _ in range(4)]

    async def append() -> None:
        commits, happened = await first_commits(games), list[str]()
        sent_by_then: list[int] = []
        statements.sent.clear()
        answered = asyncio.Event()

        def take(outcome: Any) -> None:
            assert all(isinstance(each, StoredCommit) for each in outcome)
            happened.append("answered")
            sent_by_then.append(len(statements.sizes))
            if happened.count("answered") == len(games):
                answered.set()

        def put(new: NewCommit) -> None:
            store().append.put(Told([new], lambda: happened.append("decided"), take))

        async def others_arrive(append: Append) -> Rows:
            for new in commits[1:]:
                put(new)
            await asyncio.sleep(0)
            assert store().append.is_busy
            return await append()

        statements.instead = others_arrive
        put(commits[0])
        await answered.wait()
        assert happened == ["decided"] * 4 + ["answered"] * 4
        assert statements.sizes == [1, 3]
        assert sent_by_then == [1, 2, 2, 2], "an answer is taken before the next statement"
        assert not store().append.is_busy

    event_loop.call(append())


def test_what_is_started_does_not_wait_for_others_of_its_turn(
    new_game: NewGame, statements: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appending, "IDLE_S", 0.0)
    games = [new_game(2) for _ in range(3)]

    async def append() -> None:
        first, *others = await first_commits(games)
        statements.sent.clear()
        released = asyncio.Event()

        async def held(append: Append) -> Rows:
            await released.wait()
            return await append()

        statements.instead = held
        storing = [asyncio.ensure_future(appended([first]))]
        await asyncio.sleep(0)
        store().append.start()
        assert statements.sizes == [1]
        storing += [asyncio.ensure_future(appended([each])) for each in others]
        await asyncio.sleep(0)
        store().append.start()
        assert statements.sizes == [1], "a statement runs"
        released.set()
        await asyncio.gather(*storing)
        assert statements.sizes == [1, 2]

    event_loop.call(append())


def test_what_follows_a_statement_at_once_waits_for_others_of_its_turn(
    new_game: NewGame, statements: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appending, "IDLE_S", 3600.0)
    games = [new_game(2) for _ in range(3)]

    async def append() -> None:
        first, *others = await first_commits(games)
        await appended([first])
        statements.sent.clear()
        storing = [asyncio.ensure_future(appended([each])) for each in others]
        await asyncio.sleep(0)
        store().append.start()
        assert statements.sizes == []
        await asyncio.gather(*storing)
        assert statements.sizes == [2]

    event_loop.call(append())


def test_a_run_that_cannot_be_decided_fails_alone(new_game: NewGame) -> None:
    game = new_game(2)

    def fail() -> None:
        raise ZeroDivisionError

    async def append() -> None:
        (sound,) = await first_commits([game])
        taken: list[object] = []
        store().append.put(Told([], fail, taken.append))
        store().append.put(Decided([], taken.append))
        (stored,) = await appended([sound])
        assert isinstance(stored, StoredCommit)
        assert [type(each) for each in taken] == [ZeroDivisionError, tuple]

    event_loop.call(append())


def test_a_run_whose_end_fails_keeps_no_other_from_its_end(new_game: NewGame) -> None:
    games = [new_game(2) for _ in range(3)]

    def fail(_outcome: object) -> None:
        raise ZeroDivisionError

    async def append() -> None:
        first, second, third = await first_commits(games)
        store().append.put(Decided([], fail))
        store().append.put(Decided([first], fail))
        for each in (second, third):
            (stored,) = await appended([each])
            assert isinstance(stored, StoredCommit)

    event_loop.call(append())


@pytest.mark.parametrize(
    "fault", [{"drawn": 1.5}, {"command_id": "without hex"}, {"ended": "\ud800"}]
)
def test_a_value_without_a_text_fails_its_own_commit_alone(
    new_game: NewGame, statements: Statements, fault: dict[str, Any]
) -> None:
    games = [new_game(2) for _ in range(2)]

    async def append() -> None:
        sound, other = await first_commits(games)
        faulty = other._replace(**fault)
        statements.sent.clear()
        (stored,), (failed,) = await asyncio.gather(appended([sound]), appended([faulty]))
        assert isinstance(stored, StoredCommit)
        assert isinstance(failed, psycopg.DataError)
        assert statements.sizes == [2, 1, 1]

    event_loop.call(append())


def test_a_full_queue_answers_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(appending, "WAITING_MAX", 1)

    async def append() -> None:
        taken: list[object] = []
        for _ in range(2):
            store().append.put(Decided([], taken.append))
        assert [str(each) for each in taken] == ["busy"]
        assert isinstance(taken[0], Problem)
        await asyncio.sleep(0)
        assert taken[1:] == [()]

    event_loop.call(append())
