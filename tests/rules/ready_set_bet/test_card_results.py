"""Prop bets and exotic finishes: rulebook, "Paris spécifiques" and "Paris incroyables"."""

import msgspec
import pytest

from railbird_engine.rules.ready_set_bet.commands import PlaceBet
from railbird_engine.rules.ready_set_bet.data.decks import BOX
from railbird_engine.rules.ready_set_bet.events import ExoticRevealed, PropsRevealed, RacePrepared
from railbird_engine.rules.ready_set_bet.settlement import finish_of, spot_wins
from tests.rules.ready_set_bet.scene import RULES, SEVEN_WINS, Scene, plain, refusal, running

FIVE_WINS = [9, 14, 15, 12, 11, 10, 8, 7, 6]
"""5 wins, 4 is second, 6 third."""

TWO_SECONDS = [12, 3, 15, 12, 11, 4, 5, 6, 7]
"""5 wins, 2/3 and 6 share the second place."""

CARDS = plain(props=True, exotics=True)


def wins(card: str, positions: list[int]) -> bool:
    (result,) = {spot_wins(spot, finish_of(positions), BOX) for spot in BOX.spots_of_card[card]}
    return result


def next_race(scene: Scene) -> None:
    scene.roll(*SEVEN_WINS)
    scene.tick(*[0] * 6)
    scene.tick()


# What comes true


@pytest.mark.parametrize(
    ("card", "won"), [("E1", True), ("E2", False), ("E3", True), ("E4", False), ("E5", True)]
)
def test_exotics_of_a_close_race(card: str, won: bool) -> None:
    """The first ranking of `test_race.py`."""
    assert wins(card, FIVE_WINS) is won


@pytest.mark.parametrize(
    ("card", "won"), [("E1", False), ("E2", False), ("E3", False), ("E4", False), ("E5", True)]
)
def test_horses_that_tie_for_second_are_also_third(card: str, won: bool) -> None:
    """The second ranking of `test_race.py`; rulebook, "Photo-finish"; ruling 4.11."""
    assert wins(card, TWO_SECONDS) is won


@pytest.mark.parametrize(
    ("card", "positions", "won"),
    [
        ("E2", [15, 9, 0, 0, 0, 0, 0, 0, 0], True),
        ("E2", [15, 10, 0, 0, 0, 0, 0, 0, 0], False),
        ("E3", [15, 6, 6, 6, 6, 6, 6, 6, 6], True),
        ("E3", [15, 6, 6, 6, 6, 6, 6, 6, 5], False),
        ("E4", [15, 3, 3, 6, 6, 6, 6, 6, 6], True),
        ("E4", [15, 3, 4, 6, 6, 6, 6, 6, 6], False),
        ("E5", [15, 14, 12, 6, 6, 6, 6, 6, 6], True),
        ("E5", [15, 14, 11, 6, 6, 6, 6, 6, 6], False),
    ],
)
def test_exotics_have_the_limits_of_the_card(card: str, positions: list[int], won: bool) -> None:
    """README, "Decks"."""
    assert wins(card, positions) is won


def test_a_prop_is_lost_by_a_tie() -> None:
    """In the second ranking 2/3 and 6 tie."""
    assert not wins("P01", TWO_SECONDS)
    assert wins("P02", TWO_SECONDS)


def test_a_group_prop_beats_every_horse_of_the_group() -> None:
    """Ruling 4.10; the rulebook's second card: 7 ahead of ALL blue horses."""
    assert wins("P28", [10, 9, 15, 0, 11, 0, 0, 8, 10])
    assert not wins("P28", [11, 9, 15, 0, 11, 0, 0, 8, 10])
    assert not wins("P28", [10, 9, 15, 0, 11, 0, 0, 8, 12])


# On the table


def test_five_props_and_one_exotic_lie_face_up_before_the_first_race() -> None:
    """Rulebook, "Mise en place", steps 2 and 3."""
    scene = Scene(3, CARDS, [27, 0, 0, 0, 0, 4])
    prepared, props, exotic = scene.events
    assert isinstance(props, PropsRevealed) and isinstance(exotic, ExoticRevealed)
    assert [prop.card for prop in props.props] == ["P28", "P01", "P02", "P03", "P04"]
    assert (exotic.exotic.card, prepared) == ("E5", RacePrepared(race=1))
    view = RULES.view(scene.state, None)
    assert (view.props, view.exotics) == (props.props, (exotic.exotic,))


@pytest.mark.parametrize(
    ("options", "spots"),
    [
        (CARDS, [75, 78, 81, 84]),
        (plain(props=True), [72] * 4),
        (plain(exotics=True), [70, 73, 76, 79]),
    ],
)
def test_props_are_renewed_and_exotics_accumulate(options: object, spots: list[int]) -> None:
    """63 spaces, 4 colours, 5 props, 3 for each exotic; ruling 4.13; each kind of card may be left
    out."""
    chosen = msgspec.convert(options, type(CARDS))
    scene = running(5, chosen)
    seen: list[str] = []
    for race, count in enumerate(spots, start=1):
        view = RULES.view(scene.state, None)
        assert (len(view.spots), len(view.exotics)) == (count, race * chosen.exotics)
        seen += [prop.card for prop in view.props]
        if race < 4:
            scene.roll(*SEVEN_WINS)
            scene.tick(*[0] * (5 * chosen.props + chosen.exotics))
            scene.tick()
    assert len(set(seen)) == len(seen) == 20 * chosen.props


def test_a_card_that_is_not_face_up_takes_no_token() -> None:
    scene = running(5, CARDS)
    for spot in ("prop:P06", "exotic:E2:l"):
        code, data = refusal(scene, 0, PlaceBet(spot, 2))
        assert (code, data["card"]) == ("card_not_face_up", spot.split(":")[1])


def test_a_prop_holds_one_token() -> None:
    """Rulebook, "Paris spécifiques"."""
    scene = running(5, CARDS)
    scene.bet(0, "prop:P01", 5)
    assert refusal(scene, 1, PlaceBet("prop:P01", 2))[0] == "spot_taken"


def test_a_player_puts_one_token_on_an_exotic_and_three_players_fill_it() -> None:
    """Rulebook, "Paris incroyables"; ruling 4.12."""
    scene = running(5, CARDS)
    scene.bet(0, "exotic:E1:l", 5)
    assert refusal(scene, 0, PlaceBet("exotic:E1:m", 2)) == (
        "one_token_per_exotic",
        {"spot": "exotic:E1:m", "card": "E1"},
    )
    scene.bet(1, "exotic:E1:m", 2)
    scene.bet(2, "exotic:E1:r", 2)


def test_an_exotic_of_an_earlier_race_stays_in_play() -> None:
    """Ruling 4.13: and one token per player holds for each card alone."""
    scene = running(5, CARDS)
    next_race(scene)
    scene.bet(0, "exotic:E1:l", 5)
    scene.bet(0, "exotic:E2:l", 4)


def test_cards_pay_and_cost_like_other_spots() -> None:
    """E2 (4x -2) comes true, P01 (3x -2) does not, when 7 runs alone."""
    scene = running(2, plain(props=True, exotics=True, races=1), [0, 0, 0, 0, 0, 1])
    scene.bet(0, "exotic:E2:l", 5)
    scene.bet(0, "prop:P01", 4)
    scene.roll(*SEVEN_WINS)
    assert scene.money() == [20 - 2, 0]
