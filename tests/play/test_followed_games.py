"""Commands in games whose commits by other processes reach sockets of this process."""

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest

from games.live import hubs
from games.models import Game
from games.play import commit, service
from games.store.appending import Appends
from games.store.commits import History, Store
from kit import event_loop
from railbird_engine import Seat
from tests.builders import NewGame
from tests.store.scene import Contender, assert_sound

pytestmark = pytest.mark.xdist_group("clock")


class Statements:
    """The statements that the store sends: appends and reads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[str] = []
        for kind, name in ((Appends, "send"), (Store, "read")):
            self._count(monkeypatch, kind, name)

    def _count(self, monkeypatch: pytest.MonkeyPatch, kind: type, name: str) -> None:
        method = getattr(kind, name)

        def counted(*arguments: Any) -> Any:
            self.sent.append(name)
            return method(*arguments)

        monkeypatch.setattr(kind, name, counted)


async def take(game: Game, seat: int, spot: int) -> int:
    command = b'{"type":"take_spot","spot":%d}' % spot
    return (await service.play(game.id, Seat(seat), command, uuid4())).version


def followed(
    game: Game, contender: Contender, others: int, monkeypatch: pytest.MonkeyPatch
) -> Sequence[str]:
    """Play after `others` commits of another process whose hints have arrived. Return the
    statements that this took."""
    plays = [(spot % 4, spot, str(uuid4())) for spot in range(others)]

    async def play() -> Sequence[str]:
        loaded = await commit.load(game.id)
        outbox = hubs.Outbox()
        subscription = hubs.switchboard().subscribe(loaded, None, outbox)
        assert subscription is not None
        await asyncio.to_thread(contender.play, game, plays)
        subscription.hub.hint(1 + others)
        while subscription.version < 1 + others:
            await outbox.take()
        statements = Statements(monkeypatch)
        assert await take(game, 0, 60) == 2 + others
        hubs.switchboard().unsubscribe(subscription)
        return statements.sent

    return event_loop.call(play())


def test_a_command_after_commits_of_another_process_takes_one_statement(
    new_game: NewGame, contender: Contender, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(4)
    assert followed(game, contender, 5, monkeypatch) == ["send"]
    assert_sound(game)


def test_a_game_that_is_far_behind_reads_what_its_sockets_no_longer_hold(
    new_game: NewGame, contender: Contender, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(4)
    others = hubs.READ_KEPT_MAX + 4
    assert followed(game, contender, others, monkeypatch) == ["read", "send"]
    assert_sound(game)


def test_a_statement_reads_a_bounded_part_of_each_game_for_sockets(
    new_game: NewGame, contender: Contender, monkeypatch: pytest.MonkeyPatch
) -> None:
    histories, parts = Store.histories, list[int]()

    async def noting(store: Store, asked: Sequence[tuple[UUID, int, int]]) -> Sequence[History]:
        found = await histories(store, asked)
        parts.extend(len(history.commits) for history in found)
        return found

    async def hear_of_the_last_alone() -> None:
        monkeypatch.setattr(hubs.switchboard()._hints, "_receive", lambda *_: None)

    monkeypatch.setattr(Store, "histories", noting)
    monkeypatch.setattr(hubs, "READ_AT_ONCE_MAX", 2)
    event_loop.call(hear_of_the_last_alone())
    followed(new_game(4), contender, 5, monkeypatch)
    assert (sum(parts), max(parts)) == (5, 2)


def test_a_hint_that_is_lost_after_another_is_made_up_for(
    new_game: NewGame, contender: Contender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first hint comes before its commit, so that no hub has read it yet."""
    game = new_game(4)
    switchboard = hubs.switchboard
    monkeypatch.setattr(hubs, "TURNS_EVERY_S", 0.02)

    async def play() -> None:
        monkeypatch.setattr(switchboard()._looks, "_every_s", 0.1)
        monkeypatch.setattr(switchboard()._hints, "_receive", lambda *_: None)
        loaded, outbox = await commit.load(game.id), hubs.Outbox()
        subscription = switchboard().subscribe(loaded, None, outbox)
        assert subscription is not None
        switchboard()._receive_hint(game.id, 2)
        assert subscription.hub.was_told
        for version in (2, 3):
            plays = [(0, version, str(uuid4()))]
            await asyncio.to_thread(contender.play, game, plays)
            while subscription.version < version:
                await outbox.take()
        switchboard().unsubscribe(subscription)

    event_loop.call(play())
