"""`manage.py simulate`: bot games without a server, and their statistics."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command


def simulated(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("simulate", *arguments, "--json", stdout=out)
    figures: dict[str, Any] = json.loads(out.getvalue())
    return figures


def course(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures without the times."""
    return {
        name: value
        for name, value in figures.items()
        if "_ms_" not in name and name != "games_per_second"
    }


def test_the_same_seed_gives_the_same_games_and_another_gives_others() -> None:
    first = simulated("set_dice", "--games", "3", "--seed", "4")
    assert first["games"] == 3
    assert sum(first["wins_by_seat"]) >= 3
    assert first["score_least"] <= first["score_mean"] <= first["score_most"]
    assert 0 < first["bot_ms_p50"] <= first["bot_ms_p99"] <= first["bot_ms_max"]
    assert course(simulated("set_dice", "--games", "3", "--seed", "4")) == course(first)
    assert course(simulated("set_dice", "--games", "3", "--seed", "5")) != course(first)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no_such_game",), "unknown_game"),
        (("set_dice", "--seats", "100"), "wrong_number_of_seats"),
        (("set_dice", "--options", "{"), "--options: "),
        (("set_dice", "--games", "0"), "--games: "),
    ],
)
def test_an_unplayable_game_is_reported_in_one_line(arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError) as refused:
        simulated(*arguments)
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)
