"""What there is to call out: rulebook, "Le speaker"."""

import string

import pytest

from games.engine import Event, Seat
from games.rules.ready_set_bet.announcements import TEMPLATES, announcements
from games.rules.ready_set_bet.messages import MoneySettled
from tests.rules.ready_set_bet.scene import SEVEN_WINS, THREE_CROSS, Scene, plain


def keys(events: list[Event] | tuple[Event, ...]) -> list[str]:
    return [announcement.key for event in events for announcement in announcements(event)]


def test_a_race_is_called_from_start_to_finish() -> None:
    scene = Scene(3, plain(races=1))
    assert keys(scene.tick()) == ["race_started"]
    assert keys(scene.roll(2)) == ["double_1", "moves", "takes_lead"]
    assert keys(scene.roll(3)) == ["moves", "bonus"]
    assert keys(scene.roll(12)) == ["double_6", "moves"]
    scene.roll(*SEVEN_WINS)
    assert keys(scene.events) == ["moves", "race_finished", "game_ended"]


def test_each_crossing_and_the_closing_are_called() -> None:
    """Digest 1.6."""
    scene = Scene(3)
    scene.tick()
    called = keys(scene.roll(*THREE_CROSS))
    assert called.count("crosses_red_line") == 3
    assert called[-2:] == ["crosses_red_line", "betting_closed"]


def test_calls_have_words_in_both_languages() -> None:
    scene = Scene(3)
    scene.tick()
    events = scene.roll(9, 9)
    words = [[each.words(language) for event in events for each in announcements(event)] for language in ("en", "fr")]
    assert words == [
        [
            "9! Neully Runner moves up.",
            "Neully Runner takes the lead!",
            "9! Neully Runner moves up.",
            "Neully Runner again: 2 more!",
        ],
        [
            "9 ! Neully Runner avance.",
            "Neully Runner prend la tête !",
            "9 ! Neully Runner avance.",
            "Encore Neully Runner : 2 de plus !",
        ],
    ]


@pytest.mark.parametrize("key", TEMPLATES)
def test_both_languages_use_the_same_values(key: str) -> None:
    template = TEMPLATES[key]
    english, french = (
        {name for _, name, _, _ in string.Formatter().parse(text) if name} for text in (template.en, template.fr)
    )
    assert english == french


def test_most_events_are_not_called() -> None:
    assert keys((MoneySettled(race=1, seat=Seat(0), gained=0, paid=0, money=0),)) == []
