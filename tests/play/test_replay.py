"""Past views: each viewer sees again what the viewer saw when the version was the head."""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import msgspec
import pytest

from games.play import corrections, replay, service
from games.store.commits import store
from games.store.heads import Claim
from games.store.loaded_games import LoadedGame
from games.store.registry import catalogue
from games.store.rows import HeadQuery
from kit import event_loop
from kit.problems import Problem
from railbird_engine import Seat
from railbird_engine.kernel.playout import Whims, ask_bot
from tests.builders import NewGame

Viewer = Seat | None

COMMITS = 160
"""More than three kept states."""


class Sight(NamedTuple):
    """A view as JSON, with how the game had ended."""

    version: int
    view: bytes
    ended: str


def sight(seen: service.Seen) -> Sight:
    return Sight(seen.version, msgspec.json.encode(seen.view), seen.ended)


async def play_and_look(
    game: UUID, viewers: Sequence[Viewer], most: int, seed: bytes
) -> dict[Viewer, list[Sight]]:
    """Play up to so many commits as the bots do; return what each viewer saw after each."""
    whims = Whims(seed)
    seen: dict[Viewer, list[Sight]] = {viewer: [] for viewer in viewers}
    loaded = await service.at_head(game)
    for left in reversed(range(most + 1)):
        for viewer in viewers:
            seen[viewer].append(sight(await service.view(game, viewer)))
        if loaded.ended or left == 0:
            break
        await make_a_move(loaded, whims)
    return seen


async def make_a_move(loaded: LoadedGame, whims: Whims) -> None:
    """Let a random seat act, or the clock if no seat does."""
    rules, state = loaded.rules, loaded.state
    assert state is not None
    first = whims.below(loaded.seats)
    for turn in range(loaded.seats):
        seat = Seat((first + turn) % loaded.seats)
        command = None if whims.below(3) == 0 else ask_bot(rules, state, seat, whims)
        if command is not None:
            await service.play(loaded.game, seat, msgspec.json.encode(command), uuid4())
            return
    alarm = rules.alarm(state)
    if alarm is not None:
        await service.advance([Claim(loaded.game, loaded.version, alarm.number, 0.0)])


async def replayed(game: UUID, viewer: Viewer, first: int, last: int) -> list[Sight]:
    return [sight(seen) for seen in await replay.views(game, viewer, first, last)]


async def forget(game: UUID) -> None:
    """Forget what earlier replays of this game kept."""
    replay.folds()._folds.pop(game, None)


def problem(work: Any) -> Problem:
    with pytest.raises(Problem) as raised:
        event_loop.call(work)
    return raised.value


@pytest.mark.parametrize("slug", ["free_spots", "ready_set_bet"])
def test_a_replay_shows_what_each_viewer_saw(new_game: NewGame, slug: str) -> None:
    seats = catalogue()[slug].seats[0]
    game = new_game(seats, slug=slug).id
    viewers = [None, *map(Seat, range(seats))]
    seen = event_loop.call(play_and_look(game, viewers, COMMITS, slug.encode()))
    for viewer in reversed(viewers):
        lived = [each for each in seen[viewer] if each.version <= len(seen[viewer])]
        by_version = {each.version: each for each in lived}
        middle = len(by_version) // 2
        event_loop.call(forget(game))
        for first, last in ((middle, middle + 9), (1, 60), (middle + 3, middle + 40)):
            for each in event_loop.call(replayed(game, viewer, first, last)):
                assert each == by_version[each.version]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("slug", [*catalogue()])
def test_a_replay_of_a_whole_game_shows_what_each_viewer_saw(
    new_game: NewGame, slug: str, seed: int
) -> None:
    seats = catalogue()[slug].seats[0]
    game = new_game(seats, slug=slug).id
    viewers = [None, *map(Seat, range(seats))]
    seen = event_loop.call(play_and_look(game, viewers, 5000, b"%d" % seed), timeout_s=300)
    for viewer in viewers:
        found: list[Sight] = []
        while page := event_loop.call(
            replayed(game, viewer, len(found) + 1, len(found) + replay.VIEWS_MAX)
        ):
            found += page
        assert found == list(dict.fromkeys(seen[viewer]))


def test_a_replay_ends_at_the_head(new_game: NewGame) -> None:
    game = new_game(2).id
    event_loop.call(play_and_look(game, [None], 5, b"head"))
    head = event_loop.call(service.at_head(game)).version
    found = event_loop.call(replay.views(game, None, head, head + 50))
    assert [seen.version for seen in found] == [head]
    assert event_loop.call(replay.views(game, None, head + 1, head + 50)) == []
    assert problem(replay.view_at(game, None, head + 1)).code == "not_found"


@pytest.mark.parametrize(("first", "last"), [(1, 101), (5, 4)])
def test_a_range_has_one_to_a_hundred_versions(new_game: NewGame, first: int, last: int) -> None:
    assert problem(replay.views(new_game(2).id, None, first, last)).code == "malformed"


def test_a_voided_game_is_replayed_to_its_end(new_game: NewGame) -> None:
    game = new_game(2).id
    event_loop.call(corrections.void(game, "the lights went out"))
    before, after = event_loop.call(replay.views(game, None, 1, 100))
    assert (before.ended, after.ended) == ("", "voided")
    assert before.view == after.view


def test_neighbouring_versions_share_one_fold(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(2, boards=8).id
    event_loop.call(play_and_look(game, [], 200, b"share"))
    head = event_loop.call(service.at_head(game)).version
    assert head > 3 * replay.KEPT_EVERY
    folded: list[int] = []
    read = LoadedGame.replay

    def count(loaded: LoadedGame, commits: Sequence[Any]) -> None:
        folded.append(len(commits))
        read(loaded, commits)

    monkeypatch.setattr(LoadedGame, "replay", count)
    event_loop.call(replay.views(game, None, head, head))
    assert sum(folded) == head
    for version in (head - 1, head, head // 2):
        folded.clear()
        event_loop.call(replay.view_at(game, None, version))
        assert sum(folded) <= replay.KEPT_EVERY


def test_other_work_gets_its_turn_after_each_commit_of_a_fold(new_game: NewGame) -> None:
    game = new_game(2, boards=4).id
    event_loop.call(play_and_look(game, [], 60, b"turns"))

    async def turns_during_a_fold() -> tuple[int, int]:
        fold = asyncio.ensure_future(replay.views(game, None, 1, 50))
        turns = 0
        while not fold.done():
            turns += 1
            await asyncio.sleep(0)
        return turns, (await store().head(HeadQuery(game))).version

    turns, head = event_loop.call(turns_during_a_fold())
    assert turns >= min(head, 50)


def test_each_user_has_at_most_one_fold_in_the_queue_for_all() -> None:
    async def order_of_turns() -> tuple[list[str], int]:
        folds, turns = replay.Folds(), list[str]()
        one, other = uuid4(), uuid4()

        async def ask(who: UUID, name: str) -> None:
            async with folds.turn_of(who), folds.lock:
                turns.append(name)
                await asyncio.sleep(0)

        async with asyncio.TaskGroup() as asked:
            for _ in range(replay.ASKED_MAX):
                asked.create_task(ask(one, "one"))
            asked.create_task(ask(other, "other"))
            await asyncio.sleep(0)
            with pytest.raises(Problem) as refused:
                await ask(one, "too many")
            assert refused.value.code == "busy"
        return turns, len(folds._turns)

    turns, left = event_loop.call(order_of_turns())
    assert (turns.index("other"), len(turns), left) == (1, replay.ASKED_MAX + 1, 0)
