"""Commands of one game that wait at the same moment are stored in one statement, each decided on
the state that the one before is about to leave."""

import asyncio
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest
from django.db.models import F

from bench.free_spots import SPOTS
from games.live import hubs
from games.models import Commit, Game, Head, Settlement
from games.play import commit, service
from games.play.commit import RefusedError
from games.proofs.verification import verify_game
from games.store import appending
from games.store.appending import RUN_MAX
from games.store.heads import Claim
from games.store.loaded_games import LoadedGame, loaded_games
from games.store.rows import NewCommit, StoredCommit
from kit import event_loop
from kit.database import BoundedAsyncConnection, Rows
from kit.parameters import Parameters
from kit.problems import Problem
from railbird_engine import Seat
from railbird_engine.kernel.bets import BetRow
from tests.builders import NewGame
from tests.store.runs import Append, Statements
from tests.store.scene import Contender, assert_sound
from tests.waiting import until
from tests.workers.scene import legal, make_due, race, step, ticks

Outcome = int | str

pytestmark = pytest.mark.xdist_group("clock")

TAKE = b'{"type":"take_spot","spot":%d}'
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


class Take:
    """A command to take a spot."""

    def __init__(
        self,
        seat: int,
        spot: int,
        command_id: UUID | None = None,
        not_after: datetime | None = None,
    ) -> None:
        self._seat = Seat(seat)
        self._command = TAKE % spot
        self._command_id = command_id or uuid4()
        self._not_after = not_after

    async def play(self, game: Game) -> StoredCommit:
        return await service.play(
            game.id, self._seat, self._command, self._command_id, not_after=self._not_after
        )


def outcome(found: StoredCommit | BaseException) -> Outcome:
    """The version of a commit, or the code of a problem."""
    if isinstance(found, Problem):
        return found.code
    assert isinstance(found, StoredCommit), found
    return found.version


def together(game: Game, *takes: Take) -> list[Outcome]:
    """Play at the same moment, in this order."""

    async def play() -> Sequence[StoredCommit | BaseException]:
        await commit.load(game.id)
        plays = (take.play(game) for take in takes)
        return await asyncio.gather(*plays, return_exceptions=True)

    return [outcome(found) for found in event_loop.call(play())]


async def elsewhere(contender: Contender, game: Game, seat: int, spot: int) -> None:
    """Take a spot in another process."""
    play = (seat, spot, str(uuid4()))
    answers = await asyncio.to_thread(contender.play, game, [play])
    assert answers is not None
    assert [code for _, code, _ in answers] == ["accepted"]


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Statements:
    """The statements of commands, each of which waits for others of its turn of the loop."""
    monkeypatch.setattr(appending, "IDLE_S", 3600.0)
    return Statements(monkeypatch)


@pytest.fixture
def game(new_game: NewGame, statements: Statements) -> Game:
    made = new_game(4)
    event_loop.call(commit.load(made.id))
    statements.sent.clear()
    return made


def test_settlements_repeat_the_times_of_bets_placed_before_them_or_with_them(
    game: Game, statements: Statements
) -> None:
    together(game, *(Take(spot % 4, spot) for spot in range(SPOTS // 2)))
    together(game, *(Take(spot % 4, spot) for spot in range(SPOTS // 2, SPOTS)))
    settled = Settlement.objects.filter(game=game)
    assert settled.count() == settled.filter(placed_at=F("bet__at")).count() == SPOTS
    assert len(set(settled.values_list("placed_at", flat=True))) == len(statements.sizes) > 1


def test_commands_that_wait_are_stored_in_one_statement(game: Game, statements: Statements) -> None:
    found = together(game, *(Take(spot % 4, spot) for spot in range(10)))
    assert found == list(range(2, 12))
    assert statements.sizes == [10]
    assert_sound(game)


def test_a_command_is_sent_before_anybody_waits_for_it(
    game: Game, contender: Contender, statements: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others may be refused, or lose the head to another process and be decided again."""
    monkeypatch.setattr(appending, "IDLE_S", 0.0)

    async def begin_and_wait(*spots: int) -> Sequence[StoredCommit | BaseException]:
        statements.sent.clear()
        plays = [service.begin(game.id, Seat(0), TAKE % spot, uuid4()) for spot in spots]
        assert statements.sizes == [1]
        return await asyncio.gather(*plays, return_exceptions=True)

    found = event_loop.call(begin_and_wait(1, 2, 1))
    assert [outcome(each) for each in found] == [2, 3, "spot_taken"]
    event_loop.call(elsewhere(contender, game, 1, 3))
    found = event_loop.call(begin_and_wait(4, 3))
    assert [outcome(each) for each in found] == [5, "spot_taken"]
    assert_sound(game)


def test_a_command_ends_when_its_time_is_up_and_is_never_made_if_unwanted(
    game: Game, statements: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = asyncio.Event()

    async def after_the_answer(append: Append) -> Rows:
        await answered.wait()
        return await append()

    async def late() -> StoredCommit:
        first = asyncio.create_task(service.play(game.id, Seat(0), TAKE % 1, uuid4()))
        unwanted = asyncio.create_task(service.play(game.id, Seat(0), TAKE % 2, uuid4()))
        await asyncio.sleep(0)
        unwanted.cancel()  # while it waits for the first
        try:
            return await first
        finally:
            answered.set()

    statements.instead = after_the_answer
    with monkeypatch.context() as brief:
        brief.setattr(service, "ANSWER_WITHIN_S", 0.01)
        with pytest.raises(Problem) as problem:
            event_loop.call(late())
    assert problem.value.code == "outcome_unknown"
    assert event_loop.call(Take(1, 3).play(game)).version == 3, "the late one was stored as 2"
    assert_sound(game)


def test_what_cannot_begin_at_once_waits_or_is_refused(game: Game) -> None:
    async def played(game_id: UUID, command: bytes) -> StoredCommit:
        return await service.begin(game_id, Seat(0), command, uuid4())

    async def played_when_loaded() -> int:
        loaded_games().forget(game.id)
        return (await played(game.id, TAKE % 1)).version

    with pytest.raises(Problem) as unknown:
        event_loop.call(played(uuid4(), TAKE % 1))
    with pytest.raises(Problem) as malformed:
        event_loop.call(played(game.id, b'{"type":"unheard_of"}'))
    assert (unknown.value.code, malformed.value.code) == ("not_found", "malformed")
    assert event_loop.call(played_when_loaded()) == 2


def test_a_game_that_cannot_move_to_a_stored_state_is_loaded_again(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(LoadedGame, "install", lambda *_: 1 / 0)
        assert together(game, Take(0, 1), Take(1, 1)) == [2, "spot_taken"]
    assert event_loop.call(Take(0, 2).play(game)).version == 3
    assert_sound(game)


def failing_once(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    """Let a function raise the next time that it is called."""
    real, calls = getattr(owner, name), count()

    def fails(*arguments: Any, **named: Any) -> Any:
        if next(calls) == 0:
            raise ZeroDivisionError
        return real(*arguments, **named)

    monkeypatch.setattr(owner, name, fails)


def test_an_outcome_that_is_not_taken_is_unknown_to_its_caller_alone(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_once(monkeypatch, commit, "resolve")
    assert together(game, Take(0, 0), Take(1, 1), Take(2, 1)) == [
        "outcome_unknown",
        3,
        "spot_taken",
    ]
    assert together(game, Take(0, 2)) == [4]
    assert_sound(game)


def test_an_error_that_is_not_taken_is_unknown_to_its_caller_alone(
    game: Game, statements: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(_append: Append) -> Rows:
        raise Problem("unavailable")

    failing_once(monkeypatch, commit, "resolve")
    statements.instead = unavailable
    assert together(game, Take(0, 0), Take(1, 1)) == ["outcome_unknown", "unavailable"]
    assert together(game, Take(0, 0)) == [2]
    assert_sound(game)


def test_a_run_that_does_not_begin_after_another_is_unknown_to_its_callers_alone(
    game: Game, statements: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[asyncio.Task[StoredCommit]] = []

    async def another_arrives(append: Append) -> Rows:
        waiting.append(asyncio.create_task(Take(1, 1).play(game)))
        await asyncio.sleep(0)
        failing_once(monkeypatch, hubs.Switchboard, "known_head")
        return await append()

    async def play() -> list[Outcome]:
        first = await Take(0, 0).play(game)
        return [
            outcome(first),
            *map(outcome, await asyncio.gather(*waiting, return_exceptions=True)),
        ]

    statements.instead = another_arrives
    assert event_loop.call(play()) == [2, "outcome_unknown"]
    assert together(game, Take(0, 2)) == [3]
    assert_sound(game)


@pytest.mark.parametrize(
    ("owner", "name"), [(hubs.Switchboard, "committed"), (LoadedGame, "snapshot")]
)
def test_commits_that_are_not_announced_are_answered(
    game: Game, monkeypatch: pytest.MonkeyPatch, owner: type, name: str
) -> None:
    failing_once(monkeypatch, owner, name)
    assert together(game, Take(0, 0), Take(1, 1)) == [2, 3]
    assert together(game, Take(0, 2)) == [4]
    assert_sound(game)


def test_a_run_is_bounded(game: Game, statements: Statements) -> None:
    found = together(game, *(Take(spot % 4, spot) for spot in range(67)))
    assert found == list(range(2, 69))
    assert statements.sizes == [RUN_MAX, 67 - RUN_MAX]
    assert_sound(game)


def test_a_refusal_names_the_version_at_which_it_was_one(
    game: Game, statements: Statements
) -> None:
    """Another commit follows in the same statement, so the refusal is not at the newest version."""
    refused: list[RefusedError] = []

    async def play() -> None:
        takes = (Take(0, 1), Take(1, 1), Take(2, 2))
        plays = (take.play(game) for take in takes)
        _, refusal, _ = await asyncio.gather(*plays, return_exceptions=True)
        assert isinstance(refusal, RefusedError)
        refused.append(refusal)

    event_loop.call(play())
    assert [(each.code, each.version) for each in refused] == [("spot_taken", 2)]
    assert statements.sizes == [2]


def test_a_head_that_another_process_moved_fails_the_whole_run_which_is_decided_again(
    game: Game, statements: Statements, contender: Contender
) -> None:
    async def overtaken(append: Append) -> Rows:
        await elsewhere(contender, game, 3, 2)
        lost = await append()
        assert lost == []
        return lost

    statements.instead = overtaken
    found = together(game, Take(0, 1), Take(1, 2), Take(2, 3))
    assert (found[1], sorted(map(str, (found[0], found[2])))) == ("spot_taken", ["3", "4"])
    assert_sound(game)


def test_a_run_never_follows_a_head_that_only_has_the_number_it_expects(
    game: Game, statements: Statements, contender: Contender
) -> None:
    """The head moves to the version that the second commit of the run expects."""
    for _ in range(2):

        async def overtaken(append: Append) -> Rows:
            await elsewhere(contender, game, 3, 20 + len(statements.sent))
            return await append()

        statements.instead = overtaken
        base = Head.objects.get(game=game).version
        found = together(game, *(Take(seat, base + seat) for seat in range(3)))
        assert sorted(map(int, found)) == [base + 2, base + 3, base + 4]
    assert_sound(game)


def test_nobody_is_refused_by_a_state_that_was_never_stored(
    game: Game, statements: Statements
) -> None:
    """The first comes too late, so the spot is free for the second."""
    found = together(game, Take(0, 1, not_after=LONG_AGO), Take(1, 1), Take(2, 1))
    assert found[0] == "too_late"
    assert sorted(map(str, found[1:])) == ["2", "spot_taken"]
    assert statements.sizes[0] == 1
    assert_sound(game)


def test_a_command_that_comes_too_late_takes_only_those_behind_it_back(
    game: Game, statements: Statements
) -> None:
    found = together(
        game, Take(0, 1), Take(1, 2, not_after=LONG_AGO), Take(2, 3), Take(3, 1), Take(3, 2)
    )
    assert (found[0], found[1], found[3]) == (2, "too_late", "spot_taken")
    assert {found[2], found[4]} == {3, 4}
    assert statements.sizes[0] == 3, "the last was refused a spot that the second was to have"
    assert_sound(game)


def test_late_commands_that_wait_together_wait_for_writers_in_one_statement(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They read the head in two lanes, so they are found late at two moments."""
    locks: list[str] = []
    send = BoundedAsyncConnection.send

    def recorded(self: BoundedAsyncConnection, query: str, parameters: Parameters) -> Any:
        if "FOR NO KEY UPDATE" in query and "INSERT" not in query:
            locks.append(query)
        return send(self, query, parameters)

    monkeypatch.setattr(BoundedAsyncConnection, "send", recorded)
    late = [Take(spot % 4, spot, not_after=LONG_AGO) for spot in range(16)]
    assert together(game, *late) == ["too_late"] * 16
    assert 1 <= len(locks) <= 2
    assert together(game, Take(0, 1)) == [2]


def test_a_commit_that_the_database_refuses_fails_alone(
    game: Game, statements: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third of five has a bet with the number of the first. Its game stalls."""
    decide = LoadedGame.decide

    def decide_badly(self: LoadedGame, seat: Seat | None, *more: Any, **after: Any) -> NewCommit:
        new = decide(self, seat, *more, **after)
        return new._replace(bets=[BetRow(1, 2, "2", 1, "1x")]) if seat == 2 else new

    monkeypatch.setattr(LoadedGame, "decide", decide_badly)
    found = together(game, Take(0, 0), Take(1, 1), Take(2, 2), Take(3, 3), Take(0, 4))
    assert found[:3] == [2, 3, "game_stalled"]
    assert set(found[3:]) <= {4, 5, "game_stalled"}
    assert statements.sizes[:4] == [5, 1, 1, 1]
    until(lambda: Head.objects.get(game=game).stalled != "", "the stalled mark")
    accepted = sorted(each for each in found if isinstance(each, int))
    versions = Commit.objects.filter(game=game).order_by("version").values_list("version")
    assert [version for (version,) in versions] == [1, *accepted]


def test_rules_that_fail_in_the_middle_stall_the_game_and_nothing_before(
    game: Game, statements: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_rules(game, monkeypatch, lambda _, seat: seat == 1)
    found = together(game, Take(0, 0), Take(1, 1))
    assert found == [2, "game_stalled"]
    assert statements.sizes == [1]
    until(lambda: Head.objects.get(game=game).stalled != "", "the stalled mark")
    assert Commit.objects.filter(game=game).count() == 2


def test_rules_that_fail_in_a_state_that_was_never_stored_stall_nothing(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_rules(game, monkeypatch, lambda state, seat: seat == 1 and 0 in state.taken)
    assert together(game, Take(0, 0, not_after=LONG_AGO), Take(1, 1)) == ["too_late", 2]
    assert together(game, Take(2, 2)) == [3]
    assert Head.objects.get(game=game).stalled == ""
    assert_sound(game)


def break_rules(
    game: Game, monkeypatch: pytest.MonkeyPatch, fails: Callable[[Any, Seat], bool]
) -> None:
    loaded = event_loop.call(commit.load(game.id))
    sound = type(loaded.rules)

    def play(self: Any, turn: Any, seat: Seat, command: Any) -> None:
        assert not fails(turn.state, seat)
        sound.play(self, turn, seat, command)

    monkeypatch.setattr(loaded, "rules", type("Broken", (sound,), {"play": play})())


@pytest.mark.parametrize("is_stored", [False, True])
def test_without_an_answer_the_outcome_of_the_whole_run_is_unknown(
    game: Game, statements: Statements, *, is_stored: bool
) -> None:
    async def lose_answer(append: Append) -> Rows:
        if is_stored:
            await append()
        raise psycopg.OperationalError("the connection was closed")

    ids = [uuid4() for _ in range(3)]
    takes = [Take(seat, seat, ids[seat]) for seat in range(3)]
    statements.instead = lose_answer
    assert together(game, *takes) == ["outcome_unknown"] * 3
    assert sorted(map(int, together(game, *takes))) == [2, 3, 4]
    assert Commit.objects.filter(game=game, command_id__in=ids).count() == 3
    assert_sound(game)


def test_a_connection_that_dies_leaves_the_outcome_of_the_run_unknown(
    game: Game, statements: Statements
) -> None:
    """A refusal in a state whose outcome is unknown is no answer: it is decided again."""

    async def kill(append: Append) -> Rows:
        url = os.environ["DATABASE_URL"]
        with psycopg.connect(url) as holder, psycopg.connect(url, autocommit=True) as admin:
            holder.execute("LOCK TABLE games_head IN SHARE MODE")
            rows = asyncio.ensure_future(append())
            killed: object = None
            while not (killed or rows.done()):
                killed = admin.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                    "WHERE %s = ANY(pg_blocking_pids(pid))",
                    [holder.info.backend_pid],
                ).fetchall()
                await asyncio.sleep(0)
            return await rows

    first = uuid4()
    statements.instead = kill
    found = together(game, Take(0, 1, first), Take(1, 1), Take(2, 2))
    assert (found[0], found[2]) == ("outcome_unknown", "outcome_unknown")
    assert found[1] == 2, "the first was not stored, so the spot is free"
    assert together(game, Take(0, 1, first)) == ["spot_taken"]
    assert_sound(game)


def test_a_command_that_is_sent_twice_at_once_is_one_commit(
    game: Game, statements: Statements
) -> None:
    command_id = uuid4()
    copies = [Take(0, 1, command_id) for _ in range(3)]
    assert together(game, *copies, Take(1, 2)) == [2, 2, 2, 3]
    assert statements.sizes == [2]
    assert_sound(game)


def test_another_command_with_the_same_id_at_once_is_refused(
    game: Game, statements: Statements
) -> None:
    command_id = uuid4()
    found = together(game, Take(0, 1, command_id), Take(0, 2, command_id), Take(1, 3))
    assert found == [2, "command_id_reused", 3]
    assert statements.sizes == [2]
    assert Commit.objects.filter(game=game).count() == 3


def test_a_copy_of_an_older_command_takes_nothing_with_it(game: Game) -> None:
    command_id = uuid4()
    assert together(game, Take(0, 1, command_id)) == [2]
    await_free = Take(0, 5, command_id)
    found = together(game, Take(1, 2), await_free, Take(2, 3), Take(3, 5))
    assert found[:2] == [3, "command_id_reused"]
    assert sorted(map(int, found[2:])) == [4, 5]
    assert_sound(game)


def test_what_follows_the_end_of_a_game_is_refused_at_its_end(new_game: NewGame) -> None:
    game = new_game(2, boards=1)
    together(game, *(Take(spot % 2, spot) for spot in range(67)))
    assert together(game, Take(0, 67), Take(1, 5), Take(0, 6)) == [69, "not_now", "not_now"]
    assert Head.objects.get(game=game).ended == "finished"
    assert_sound(game)


def test_a_caller_who_has_gone_holds_up_nobody(game: Game, statements: Statements) -> None:
    async def play() -> list[int]:
        gone, *others = [asyncio.create_task(Take(seat, seat).play(game)) for seat in range(3)]
        await asyncio.sleep(0)  # all of them wait
        gone.cancel()
        return [(await each).version for each in others]

    assert event_loop.call(play()) == [2, 3]
    assert statements.sizes == [2]


def test_a_writer_that_holds_the_head_comes_between_runs(game: Game) -> None:
    async def play() -> list[Outcome]:
        loaded = await commit.load(game.id)

        def make(after: NewCommit | None) -> NewCommit | None:
            assert after is None
            return commit.decide(
                loaded, Seat(3), loaded.decode_command(b'{"type":"take_spot","spot":9}')
            )

        held = commit.write(loaded, make, hold=True)
        plays = (Take(seat, seat).play(game) for seat in range(3))
        found = await asyncio.gather(held, *plays, return_exceptions=True)
        return [outcome(each) for each in found if each is not None]

    assert sorted(map(int, event_loop.call(play()))) == [2, 3, 4, 5]
    assert_sound(game)


@pytest.mark.parametrize("tick_first", [False, True])
def test_a_roll_stored_together_with_bets_keeps_its_time(
    new_game: NewGame, statements: Statements, *, tick_first: bool
) -> None:
    game = race(new_game, roll_ms=60_000)
    while not ticks(game) or len(legal(game, 0)) < 4:
        make_due(game)
        step()
    make_due(game, late=timedelta(milliseconds=200))
    head, bets = Head.objects.get(game=game), [legal(game, 0)[0], legal(game, 1)[-1]]
    assert head.alarm is not None
    assert head.due_at is not None
    alarm, period = head.alarm, timedelta(seconds=60)
    statements.sent.clear()

    async def play() -> None:
        tick = service.advance([Claim(game.id, head.version, alarm, 200.0)])
        plays = [
            service.play(game.id, Seat(seat), msgspec.json.encode(bet), uuid4())
            for seat, bet in enumerate(bets)
        ]
        order = [tick, *plays] if tick_first else [*plays, tick]
        await asyncio.gather(*order, return_exceptions=True)

    event_loop.call(play())
    after = Head.objects.get(game=game)
    assert statements.sizes[0] == 3
    assert after.due_at is not None
    assert (after.due_at - head.due_at) % timedelta(milliseconds=1) == timedelta(0)
    assert timedelta(0) < after.due_at - head.due_at <= period
    newest = Commit.objects.filter(game=game).latest("version")
    assert newest.next_at == after.due_at
    assert verify_game(game.id).findings == []


def test_a_bet_and_the_answer_to_an_old_alarm_go_together(
    new_game: NewGame, statements: Statements
) -> None:
    game = race(new_game, roll_ms=60_000)
    make_due(game)
    head = Head.objects.get(game=game)
    assert head.alarm is not None
    alarm = head.alarm

    claims = [Claim(game.id, head.version, alarm, 0.0)] * 3
    assert event_loop.call(service.advance(claims)) == [True, False, False]
    assert ticks(game) == [alarm]


def test_a_forgotten_game_is_loaded_again_while_old_commands_still_wait(game: Game) -> None:
    async def play() -> list[Outcome]:
        old = [asyncio.create_task(Take(seat, seat).play(game)) for seat in range(2)]
        await asyncio.sleep(0)
        loaded_games().forget(game.id)
        new = [asyncio.create_task(Take(seat, seat).play(game)) for seat in range(2, 4)]
        return [outcome(each) for each in await asyncio.gather(*old, *new, return_exceptions=True)]

    assert sorted(map(int, event_loop.call(play()))) == [2, 3, 4, 5]
    assert_sound(game)
