"""The cards of the box, and decks that a host may give instead."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from railbird_engine import ScriptedChance, Seat
from railbird_engine.rules.ready_set_bet.commands import PlaceBet
from railbird_engine.rules.ready_set_bet.data import HORSES
from railbird_engine.rules.ready_set_bet.data.decks import (
    BOX,
    BadDeckError,
    Box,
    read_box,
    read_exotics,
    read_props,
    read_vip,
)
from railbird_engine.rules.ready_set_bet.rules import ReadySetBet
from tests.rules.ready_set_bet.scene import DECKS, plain


def deck(name: str) -> Any:  # plain JSON values
    return json.loads((DECKS / f"{name}.json").read_bytes())


def changed(name: str, change: Callable[[Any], object]) -> bytes:
    cards = deck(name)
    change(cards)
    return json.dumps(cards).encode()


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


def test_a_deck_is_read_from_bytes_or_from_a_path() -> None:
    assert read_props((DECKS / "props.json").read_bytes()) == read_props(DECKS / "props.json")
    assert read_box(DECKS).spots == BOX.spots


def test_a_host_may_play_with_other_decks() -> None:
    """Dearer props, and the table offers them."""

    def dearer(cards: Any) -> None:  # plain JSON values
        for card in cards:
            card["gain"] = 50

    rules = ReadySetBet(
        Box(
            read_props(changed("props", dearer)),
            tuple(BOX.exotics.values()),
            tuple(BOX.vip.values()),
        )
    )
    state = rules.advance(
        rules.start(3, plain(props=True), ScriptedChance([0] * 5)).state, ScriptedChance([])
    ).state
    assert [prop.gain for prop in rules.view(state, None).props] == [50] * 5
    assert PlaceBet("prop:P01", 5) in list(rules.legal(state, Seat(0)))


@pytest.mark.parametrize(
    ("change", "card", "field"),
    [
        (lambda cards: cards[4].update(gain=0), "P05", "gain"),
        (lambda cards: cards[4].update(gain="much"), "P05", "gain"),
        (lambda cards: cards[4].update(front="1"), "P05", "front"),
        (lambda cards: cards[4].update(behind=[]), "P05", "behind"),
        (lambda cards: cards[4].update(behind=["6", "12"]), "P05", "behind[1]"),
        (lambda cards: cards[4].update(behind=["10"]), "P05", "behind"),
        (lambda cards: cards[4].update(behind=["6", "6"]), "P05", "behind"),
        (lambda cards: cards[4]["title"].update(fr=1), "P05", "title.fr"),
        (lambda cards: cards[4].update(card="P01"), "P01", "card"),
        (lambda cards: cards[4].update(card="P 5"), "P 5", "card"),
        (lambda cards: cards[4].pop("loss"), "P05", "*"),
        (lambda cards: cards[4].pop("card"), "number 5", "*"),
        (lambda cards: cards.__delitem__(slice(19, None)), "*", "*"),
    ],
)
def test_a_bad_prop_deck_is_refused_by_card_and_field(
    change: Callable[[Any], object], card: str, field: str
) -> None:
    with pytest.raises(BadDeckError) as caught:
        read_props(changed("props", change))
    assert (caught.value.deck, caught.value.card, caught.value.field) == ("props", card, field)
    assert caught.value.reason in str(caught.value)


@pytest.mark.parametrize(
    ("change", "card", "field"),
    [
        (lambda cards: cards[2]["condition"].update(spaces=16), "E3", "condition.spaces"),
        (lambda cards: cards[2]["condition"].update(type="by_moonlight"), "E3", "condition.type"),
        (lambda cards: cards[2]["spots"].pop(), "E3", "spots"),
        (lambda cards: cards[2]["spots"][1].update(loss=-1), "E3", "spots[1].loss"),
        (lambda cards: cards.__delitem__(slice(3, None)), "*", "*"),
    ],
)
def test_a_bad_exotic_deck_is_refused_by_card_and_field(
    change: Callable[[Any], object], card: str, field: str
) -> None:
    with pytest.raises(BadDeckError) as caught:
        read_exotics(changed("exotics", change))
    assert (caught.value.deck, caught.value.card, caught.value.field) == ("exotics", card, field)


@pytest.mark.parametrize(
    ("change", "card", "field"),
    [
        (lambda cards: cards[8]["effect"].update(value=0), "V09", "effect.value"),
        (lambda cards: cards[8]["effect"].update(colour="pink"), "V09", "effect.colour"),
        (lambda cards: cards[8]["effect"].update(value=7), "V11", "effect"),
        (lambda cards: cards[16]["effect"].update(on=["double_3"]), "V17", "effect.on[0]"),
        (lambda cards: cards[27]["effect"].update(tokens=[2]), "V28", "effect.tokens"),
        (lambda cards: cards[0]["text"].pop("fr"), "V01", "text"),
        (lambda cards: cards.pop(), "*", "*"),
    ],
)
def test_a_bad_vip_deck_is_refused_by_card_and_field(
    change: Callable[[Any], object], card: str, field: str
) -> None:
    """Ruling 4.31 too: one card for each bonus token."""
    with pytest.raises(BadDeckError) as caught:
        read_vip(changed("vip", change))
    assert (caught.value.deck, caught.value.card, caught.value.field) == ("vip", card, field)


@pytest.mark.parametrize("source", [b"", b"{}", b"[1]", b"[[]]"])
def test_a_deck_must_be_a_list_of_cards(source: bytes) -> None:
    with pytest.raises(BadDeckError, match="props, card \\*, field \\*"):
        read_props(source)


def test_another_card_is_another_edition_but_another_layout_is_not() -> None:
    spaced = json.dumps(deck("vip"), indent=4, sort_keys=True).encode()
    same = Box(
        read_props(DECKS / "props.json"), read_exotics(DECKS / "exotics.json"), read_vip(spaced)
    )
    assert same.edition == BOX.edition == ReadySetBet(same).edition(plain())
    dearer = read_vip(changed("vip", lambda cards: cards[12]["effect"].update(amount=100)))
    assert (
        Box(tuple(BOX.props.values()), tuple(BOX.exotics.values()), dearer).edition != BOX.edition
    )


def test_a_card_name_is_used_once_in_a_box() -> None:
    exotics = read_exotics(changed("exotics", lambda cards: cards[0].update(card="P01")))
    with pytest.raises(BadDeckError, match="exotics, card P01"):
        Box(tuple(BOX.props.values()), exotics, ())
