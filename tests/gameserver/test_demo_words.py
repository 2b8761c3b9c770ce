"""The texts of a race, built as any client can: rulebook of Ready Set Bet, "Le speaker"."""

import io
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from rich.console import Console

from demo.race import RacePicture
from demo.words import Words
from railbird_engine import Event
from tests.rules.ready_set_bet.scene import RULES, SEVEN_WINS, THREE_CROSS, Scene, plain


def called(events: Iterable[Event], language: str = "en") -> list[tuple[str, str]]:
    book = msgspec.to_builtins(RULES.book(), str_keys=True)
    words = Words(book, ["Ann", "Bob", "Cid"], language)
    return [said for event in events for said in words.of(as_json(event))]


def as_json(value: msgspec.Struct) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def keys(events: Iterable[Event]) -> list[str]:
    return [key for key, _ in called(events)]


def test_a_race_has_texts_from_start_to_finish() -> None:
    scene = Scene(3, plain(races=1))
    assert keys(scene.tick()) == ["race_started"]
    assert keys(scene.roll(2)) == ["double_1", "moves", "takes_lead"]
    assert keys(scene.roll(3)) == ["bonus"]
    assert keys(scene.roll(12)) == ["double_6", "moves"]
    scene.roll(*SEVEN_WINS)
    said = keys(scene.events)
    assert said == ["moves", "race_finished", "race_places", *["money_settled"] * 3, "game_ended"]


def test_each_crossing_and_the_closing_have_texts() -> None:
    scene = Scene(3)
    scene.tick()
    said = keys(scene.roll(*THREE_CROSS))
    assert said.count("crosses_red_line") == 3
    assert said[-2:] == ["crosses_red_line", "betting_closed"]


def test_a_race_has_texts_in_both_languages() -> None:
    scene = Scene(3)
    started = scene.tick()
    events = [*started, *scene.roll(9, 9)]
    assert [sentence for _, sentence in called(events)] == [
        "And they’re off!",
        "9! Cloud Nine moves up to 1.",
        "Cloud Nine takes the lead!",
        "9! Cloud Nine again, and 2 more: up to 4!",
    ]
    assert [sentence for _, sentence in called(events, "fr")] == [
        "Ils sont partis !",
        "9 ! Neully Runner avance à la case 1.",
        "Neully Runner prend la tête !",
        "9 ! Encore Neully Runner, et 2 de plus : case 4 !",
    ]


def test_texts_name_players_spots_and_cards() -> None:
    scene = Scene(3, plain(props=True, exotics=True))
    scene.tick()
    bets = [
        scene.bet(1, spot, token)
        for spot, token in (("place:2/3:r", 5), ("prop:P01", 2), ("colour:blue", 3))
    ]
    assert [sentence for _, sentence in called(event for events in bets for event in events)] == [
        "Bob puts a 5 on 2/3 to place (5x -3).",
        "Bob puts a 2 on 2/3 ahead of 6 (3x -2).",
        "Bob puts a 3 on a blue winner (5x -1).",
    ]
    assert (
        called(scene.bet(0, "exotic:E1:l", 4), "fr")[0][1]
        == "Ann mise un jeton 4 sur D’un souffle (5x -3)."
    )


@pytest.mark.parametrize(
    ("language", "phase", "horse"),
    [("en", "race 1, bets are open", "Cloud Nine"), ("fr", "paris ouverts", "Neully Runner")],
)
def test_the_terminal_draws_a_race_in_both_languages(language: str, phase: str, horse: str) -> None:
    book = msgspec.to_builtins(RULES.book(), str_keys=True)
    players = ["Ann", "Bob", "Cid"]
    picture = RacePicture("Ready Set Bet", players, Words(book, players, language))
    scene = Scene(3)
    picture.look(as_json(RULES.view(scene.state, None)))
    for event in (*scene.tick(), *scene.bet(1, "win:9:r", 5), *scene.roll(9)):
        picture.add(as_json(event))
    screen = io.StringIO()
    Console(file=screen, width=110).print(picture)
    assert phase in screen.getvalue()
    lane = next(line for line in screen.getvalue().splitlines() if f"9 {horse}" in line)
    assert "──▶ " in lane, "one space from the start"
    assert "win:9:r" in screen.getvalue()


def test_a_list_is_named_item_by_item() -> None:
    call = {"key": "k", "event": "e", "where": {}, "en": "{seat}: {colour}.", "fr": ""}
    names = {"colour": {"blue": {"en": "sky blue", "fr": "bleu"}}}
    words = Words({"calls": [call], "names": names, "seat_fields": ["seat"]}, ["Ann", "Bob"], "en")
    event = {"type": "e", "seat": [0, 1], "colour": ["blue", "red"]}
    assert list(words.of(event)) == [("k", "Ann, Bob: sky blue, red.")]


def test_a_list_by_seat_names_the_players() -> None:
    call = {"key": "k", "event": "e", "where": {}, "en": "{sums}.", "fr": ""}
    book = {"calls": [call], "names": {}, "seat_fields": [], "by_seat": ["sums"]}
    words = Words(book, ["Ann", "Bob"], "en")
    assert list(words.of({"type": "e", "sums": [7, 5]})) == [("k", "Ann: 7; Bob: 5.")]
