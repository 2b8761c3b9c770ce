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


def woken() -> list[Woken]:
    seated = seat_tables([1] * GAMES, "ascot", bots=1)
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
