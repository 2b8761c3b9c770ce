"""Loaded games are the same from snapshots and from commits."""

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from games.live.hubs import TOGETHER_BYTES_MAX, Outbox
from games.models import Game, Snapshot
from games.play import corrections, service
from games.store.commits import Store, store
from games.store.heads import Claim
from games.store.loaded_games import SNAPSHOT_EVERY, LoadedGame, LoadedGames, loaded_games
from games.store.registry import rules_for
from games.store.rows import StoredCommit
from kit import event_loop
from kit.batching import Grouped
from kit.parameters import Parameters
from kit.problems import Problem
from railbird_engine import Seat
from railbird_engine.kernel import chain
from tests.builders import NewGame
from tests.waiting import until


def play_spots(game: Game, boards: int) -> None:
    async def play_all() -> None:
        for _ in range(boards):
            for spot in range(68):
                await service.play(
                    game.id, Seat(spot % 2), b'{"type":"take_spot","spot":%d}' % spot, uuid4()
                )

    event_loop.call(play_all())


def rebuilt(game: Game) -> LoadedGame:
    """Load the game as a process that has not seen it."""

    async def build() -> LoadedGame:
        loaded_games().forget(game.id)
        return await service.at_head(game.id)

    return event_loop.call(build())


def test_few_ended_games_stay_loaded(new_game: NewGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.store.loaded_games.ENDED_MAX", 1)
    running, *others, last = (new_game(2).id for _ in range(5))

    async def load_all() -> None:
        games = LoadedGames()
        kept = await games.get(running)
        for game in others:
            await corrections.void(game, "over")
            await games.get(game)
        await games.get(last)
        assert games.loaded(running) is kept
        assert [games.loaded(game) is not None for game in others] == [False, False, True]

    event_loop.call(load_all())


def test_a_game_that_is_being_written_stays_loaded(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.store.loaded_games.LOADED_MAX", 1)
    first, second, third = (new_game(2).id for _ in range(3))

    async def load_all() -> None:
        games = LoadedGames()
        written = await games.get(first)
        async with written.lock:
            await games.get(second)
            assert await games.get(first) is written
        await games.get(third)
        assert await games.get(first) is not written

    event_loop.call(load_all())


def test_a_game_is_the_same_from_its_snapshot_and_from_its_start(new_game: NewGame) -> None:
    game = new_game(2)
    play_spots(game, boards=4)
    until(
        Snapshot.objects.filter(game=game).exists, "the snapshot that is stored in the background"
    )
    snapshot = Snapshot.objects.get(game=game)
    assert SNAPSHOT_EVERY <= snapshot.version <= 4 * 68 + 1
    quick = rebuilt(game)
    snapshot.delete()
    slow = rebuilt(game)
    assert (
        (quick.version, quick.hash, quick.drawn)
        == (slow.version, slow.hash, slow.drawn)
        == (4 * 68 + 1, slow.hash, 0)
    )
    assert msgspec.json.encode(quick.state) == msgspec.json.encode(slow.state)


def test_a_game_of_another_edition_cannot_continue(new_game: NewGame) -> None:
    """After the deck of a running game was replaced, commands fail and the history stays."""
    opening = chain.decode_genesis(bytes(new_game(2).genesis))
    rules_for(opening)
    with pytest.raises(Problem, match="rules_missing") as refused:
        rules_for(msgspec.structs.replace(opening, edition="5eed"))
    assert refused.value.data == {"slug": "free_spots", "version": 1, "edition": "5eed"}


def test_two_callers_load_a_game_once(new_game: NewGame) -> None:
    game = new_game(2)

    async def both() -> tuple[LoadedGame, LoadedGame]:
        loaded_games().forget(game.id)
        return await asyncio.gather(service.at_head(game.id), service.at_head(game.id))

    first, second = event_loop.call(both())
    assert first is second


def test_a_crowd_that_asks_for_the_same_commits_reads_them_once(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(2, "ready_set_bet")
    read: list[int] = []

    async def crowd() -> Sequence[Sequence[StoredCommit]]:
        shared = store()

        async def counted(query: str, parameters: Parameters) -> list[Any]:
            rows = await Store.read(shared, query, parameters)
            read.append(len(rows))
            return rows

        monkeypatch.setattr(shared, "read", counted)
        asked = [shared.commits(game.id, after) for after in (0, 0, 1, 0) * 50]
        return await asyncio.gather(*asked)

    first, same, later, _ = event_loop.call(crowd())[-4:]
    assert [commit.version for commit in first] == [1]
    assert (same, later) == (first, [])
    assert sum(read) < 10


def test_a_log_with_draws_that_do_not_match_the_seed_is_not_replayed(new_game: NewGame) -> None:
    game = new_game(2, "ready_set_bet")

    async def replay_from_elsewhere() -> None:
        loaded = await service.at_head(game.id)
        await service.advance([Claim(game.id, 1, 0, 0.0)])
        await service.advance([Claim(game.id, 2, 1, 0.0)])
        (rolled,) = await store().commits(game.id, 2)
        loaded.version, loaded.hash, loaded.drawn = 2, rolled.previous, 7
        with pytest.raises(AssertionError, match="other draws at version 3"):
            loaded.replay([rolled])

    event_loop.call(replay_from_elsewhere())


async def test_concurrent_calls_share_one_batch() -> None:
    groups: list[list[int]] = []

    async def double(items: object) -> list[int | BaseException]:
        assert isinstance(items, list)
        groups.append(items)
        await asyncio.sleep(0)
        return [item * 2 if item != 13 else ValueError("thirteen") for item in items]

    grouped: Grouped[int, int] = Grouped(double, most=5, lanes=1, waiting_max=8)
    answers = await asyncio.gather(
        *(grouped(item) for item in (1, 2, 13, 4, 5, 6)), return_exceptions=True
    )
    assert [str(answer) for answer in answers] == ["2", "4", "thirteen", "8", "10", "12"]
    assert max(map(len, groups)) == 5


async def test_a_call_that_was_cancelled_leaves_its_lane_free() -> None:
    calls = 0

    async def cancelled_at_first(items: object) -> list[int | BaseException]:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise asyncio.CancelledError
        return [7]

    grouped: Grouped[int, int] = Grouped(cancelled_at_first, most=5, lanes=1, waiting_max=8)
    with pytest.raises(asyncio.CancelledError):
        await grouped(1)
    assert await grouped(2) == 7


async def test_a_full_queue_raises_busy() -> None:
    async def never(items: object) -> list[int | BaseException]:
        await asyncio.Event().wait()
        return []

    grouped: Grouped[int, int] = Grouped(never, most=1, lanes=1, waiting_max=2)
    waiting = [grouped(1)]
    await asyncio.sleep(0)  # it runs, and waits no more
    waiting += [grouped(2), grouped(3)]
    with pytest.raises(Problem, match="busy"):
        await grouped(4)
    for answer in waiting:
        answer.cancel()


async def test_an_outbox_overflows_instead_of_growing() -> None:
    outbox = Outbox()
    for _ in range(300):
        outbox.put(b"x" * 100)
    with pytest.raises(Problem, match="too_slow"):
        await outbox.take()


async def test_an_outbox_gives_what_waits_in_parts_of_bounded_length() -> None:
    outbox = Outbox()
    frames = [b"x" * 1000, b"y", b"z" * TOGETHER_BYTES_MAX, b"end"]
    for frame in frames:
        outbox.put(frame)
    taken = [outbox.take_together() for _ in range(3)]
    assert taken == [frames[:2], frames[2:3], frames[3:]]
    assert outbox.waiting == (0, 0)


async def test_an_outbox_without_reader_ignores_frames() -> None:
    outbox = Outbox()
    taker = asyncio.ensure_future(outbox.take())
    await asyncio.sleep(0)
    taker.cancel()
    await asyncio.gather(taker, return_exceptions=True)
    outbox.put(b"x")
    assert await outbox.take() == b"x"
