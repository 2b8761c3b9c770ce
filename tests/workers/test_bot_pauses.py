"""Bots act as late as people would, in the worker that looks after them."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import transaction
from django.utils import timezone

from games.models import Game, Head, Schedule
from games.play import absence
from games.store import heads
from games.store.heads import Woken
from games.workers.bots import Bots
from kit import event_loop
from railbird_engine import Cue, Seat, State
from railbird_engine.rules.ready_set_bet.rules import ReadySetBet
from tests.builders import NewGame
from tests.looks import woken
from tests.waiting import until
from tests.workers.scene import make_due, race, step


@pytest.fixture
def game(new_game: NewGame) -> Game:
    """A game of SET Dice in which a bot sits in for a user."""
    game = new_game(slug="set_dice")
    assert event_loop.call(absence.replace(game.id, Seat(1), forfeits=False))
    return game


def version_after_a_look(game: Game, bots: Bots) -> int:
    event_loop.call(bots.look([woken(game.id)]))
    return Head.objects.get(game=game).version


def test_a_bot_waits_so_that_a_user_can_act_first(game: Game) -> None:
    before, bots = Head.objects.get(game=game).version, Bots(100)
    assert {version_after_a_look(game, bots) for _ in range(10)} == {before}


def test_a_bot_acts_when_its_delay_has_passed(game: Game) -> None:
    before = Head.objects.get(game=game).version
    bots = Bots(delay_percent=1)
    assert version_after_a_look(game, bots) == before
    until(lambda: version_after_a_look(game, bots) > before, "the bot to act")


def test_a_worker_that_starts_lets_its_bots_look_anew(game: Game) -> None:
    """Otherwise a new worker's bots would react at once."""
    before = Head.objects.get(game=game).version
    assert {version_after_a_look(game, Bots(100)) for _ in range(10)} == {before}


def test_one_worker_looks_after_the_bots_of_a_game_until_it_is_late(game: Game) -> None:
    def is_claimed(bots: Bots, late_s: float) -> bool:
        due_at = timezone.now() - timedelta(seconds=late_s)
        Schedule.objects.filter(game=game).update(bots_due_at=due_at)
        return game.id in {each.game for each in event_loop.call(bots.claim())}

    Schedule.objects.exclude(game=game).update(bots_due_at=None)
    first, second = Bots(100), Bots(100)
    assert is_claimed(first, 0)
    assert not is_claimed(second, 0.5)
    assert is_claimed(first, 0.5)
    assert is_claimed(second, 3)
    assert not is_claimed(first, 0.5)


def test_a_bot_acts_although_its_game_was_held_when_it_was_due(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[UUID] = []

    async def noting(worker: int, acting: Sequence[UUID], most: int) -> list[Woken]:
        tries.extend(acting)
        return await claim_bots(worker, acting, most)

    def is_claimed() -> bool:
        return game.id in {each.game for each in event_loop.call(bots.claim())}

    schedule, bots = Schedule.objects.filter(game=game), Bots(delay_percent=1)
    schedule.update(bots_due_at=timezone.now())
    assert is_claimed()
    version_after_a_look(game, bots)
    schedule.update(bots_due_at=timezone.now() + timedelta(hours=1))
    claim_bots = heads.claim_bots
    monkeypatch.setattr(heads, "claim_bots", noting)
    with transaction.atomic():
        schedule.select_for_update().get()
        until(lambda: is_claimed() or bool(tries), "the bot to be due")
        assert tries == [game.id]
    until(is_claimed, "the bot to try again")


def wakes_bots(game: Game) -> bool:
    """Roll the dice, and return whether the bots of the game look earlier for it."""
    later = timezone.now() + timedelta(hours=1)
    Schedule.objects.filter(game=game).update(bots_due_at=later)
    before = Head.objects.get(game=game).version
    make_due(game)
    step()
    assert Head.objects.get(game=game).version == before + 1
    due_at = Schedule.objects.get(game=game).bots_due_at
    assert due_at is not None
    return due_at < later


def test_a_roll_wakes_bots_only_if_it_changes_what_they_react_to(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def every_third_roll(_rules: ReadySetBet, state: State, _seat: Seat) -> Cue:
        return Cue(state.course.rolls // 3, 0, 0)  # type: ignore[attr-defined]  # of this game

    def failing(_rules: ReadySetBet, _state: State, _seat: Seat) -> Cue:
        raise ZeroDivisionError

    game = race(new_game)
    make_due(game)
    step()  # the race begins
    assert event_loop.call(absence.replace(game.id, Seat(1), forfeits=False))
    monkeypatch.setattr(ReadySetBet, "bot_cue", every_third_roll)
    looks = [wakes_bots(game) for _ in range(7)]
    assert sum(looks) == 2
    assert looks[:3] != looks[1:4]
    monkeypatch.setattr(ReadySetBet, "bot_cue", failing)
    assert wakes_bots(game), "they may have to look"
