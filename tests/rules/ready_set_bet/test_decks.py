"""The cards of the box, and decks that a host may give instead."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from railbird_engine import ScriptedChance, Seat
from railbird_engine.rules.ready_set_bet.commands import PlaceBet
from railbird_engine.rules.ready_set_bet.data import HORSES
from railbird_engine.rules.ready_set_bet.data.decks import BOX, read_box
from railbird_engine.rules.ready_set_bet.rules import ReadySetBet
from tests.rules.ready_set_bet.scene import DECKS, plain


def deck(name: str) -> Any:  # plain JSON values
    return json.loads((DECKS / f"{name}.json").read_bytes())


def test_the_box_holds_28_props_5_exotics_and_32_vip_cards() -> None:
    """Rulebook, "Matériel"."""
    assert (len(BOX.props), len(BOX.exotics), len(BOX.vip)) == (28, 5, 32)


def test_props_pair_every_colour_with_every_other() -> None:
    """Each blue with each pink, each blue with each orange, each orange with each pink, each orange
    with 7."""
    colour = {horse.horse: horse.colour for horse in HORSES}
    pairs = [
        (colour[prop.front], colour[prop.behind[0]])
        for prop in BOX.props.values()
        if len(prop.behind) == 1
    ]
    assert Counter(pairs) == {
        ("blue", "pink"): 8,
        ("blue", "orange"): 8,
        ("orange", "pink"): 4,
        ("orange", "black"): 2,
    }
    groups = [prop.behind for prop in BOX.props.values() if len(prop.behind) > 1]
    assert Counter(groups) == {("5", "9"): 3, ("2/3", "4", "10", "11/12"): 3}


@pytest.mark.parametrize(("front", "behind"), [("2/3", ("8",)), ("7", ("2/3", "4", "10", "11/12"))])
def test_the_rulebooks_two_props_are_in_the_box(front: str, behind: tuple[str, ...]) -> None:
    """Rulebook, "Paris spécifiques"."""
    assert (front, behind) in [(prop.front, prop.behind) for prop in BOX.props.values()]


def test_the_three_spots_of_an_exotic_are_equal_but_not_the_same() -> None:
    """Ruling 4.12."""
    for card in BOX.exotics:
        spots = BOX.spots_of_card[card]
        assert len({spot.spot for spot in spots}) == 3
        assert len({spot.odds for spot in spots}) == 1


# Other decks


def test_a_host_may_play_with_other_decks(tmp_path: Path) -> None:
    """Dearer props, and the table offers them."""
    for name in ("props", "exotics", "vip"):
        cards = [card | ({"gain": 50} if name == "props" else {}) for card in deck(name)]
        (tmp_path / f"{name}.json").write_text(json.dumps(cards, indent=4))
    rules = ReadySetBet(read_box(tmp_path))
    state = rules.advance(
        rules.start(3, plain(props=True), ScriptedChance([0] * 5)).state, ScriptedChance([])
    ).state
    assert [prop.gain for prop in rules.view(state, None).props] == [50] * 5
    assert PlaceBet("prop:P01", 5) in list(rules.legal(state, Seat(0)))
    assert rules.edition(plain()) != BOX.edition


def test_another_layout_of_a_file_is_no_other_edition(tmp_path: Path) -> None:
    for name in ("props", "exotics", "vip"):
        (tmp_path / f"{name}.json").write_text(json.dumps(deck(name), indent=4, sort_keys=True))
    assert ReadySetBet(read_box(tmp_path)).edition(plain()) == BOX.edition
