"""Bots of many games that look together."""

from collections.abc import Sequence
from typing import Any

import pytest

from bench.seating import seat_tables
from games.models import Commit
from games.store.heads import Woken
from games.workers import bots
from kit import event_loop
from railbird_engine.rules.ascot.rules import Ascot
from tests.store.runs import Statements

GAMES = 12


def woken(games: int = GAMES, slug: str = "ascot", bots: int = 1) -> list[Woken]:
    seated = seat_tables([1] * games, slug, bots=bots)
    return [Woken(each.game, 1) for each in seated]


def moves(games: Sequence[Woken]) -> int:
    found = Commit.objects.filter(game__in=[each.game for each in games], seat__isnull=False)
    return found.count()


def test_moves_of_games_that_look_together_share_statements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = woken()
    statements = Statements(monkeypatch)
    monkeypatch.setattr(bots, "THINK_S", 3600.0)
    event_loop.call(bots.Bots(delay_percent=0).look(games))
    assert moves(games) == sum(statements.sizes) == GAMES
    assert len(statements.sizes) <= 2, "one for the first move, one for all others"


def test_of_bots_that_are_due_together_one_acts_and_the_others_look_at_its_move() -> None:
    games = woken(1, "free_spots", bots=3)
    event_loop.call(bots.Bots(delay_percent=0).look(games))
    assert moves(games) == 1


def test_a_bot_that_fails_does_not_stop_those_of_other_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = woken()
    failed: list[object] = []
    bot = Ascot.bot

    def fail_once(self: Ascot, *arguments: Any) -> Any:
        if not failed:
            failed.append(arguments)
            raise ZeroDivisionError
        return bot(self, *arguments)

    monkeypatch.setattr(Ascot, "bot", fail_once)
    event_loop.call(bots.Bots(delay_percent=0).look(games))
    assert moves(games) == GAMES - 1
