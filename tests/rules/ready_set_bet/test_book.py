"""The book has everything that a client needs to draw and name the game."""

from itertools import combinations
from typing import get_args

from railbird_engine import Text
from railbird_engine.rules.ready_set_bet.data import HORSES, Colour, Kind, TokenColour
from railbird_engine.rules.ready_set_bet.data.decks import BOX
from railbird_engine.rules.ready_set_bet.data.layout import Place
from railbird_engine.rules.ready_set_bet.options import Mode
from railbird_engine.rules.ready_set_bet.rules import ReadySetBet
from railbird_engine.rules.ready_set_bet.state import Phase

BOOK = ReadySetBet().book()
LAYOUT = BOOK.layout


def overlap(one: Place, other: Place) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def test_every_spot_of_the_board_has_a_place_of_its_own() -> None:
    assert LAYOUT.spots.keys() == {spot.spot for spot in BOOK.spots}
    places = [
        *LAYOUT.spots.values(),
        *LAYOUT.rows.values(),
        *LAYOUT.props,
        *LAYOUT.exotics,
        *LAYOUT.decks.values(),
    ]
    assert not [pair for pair in combinations(places, 2) if overlap(*pair)]
    for place in places:
        assert place.x >= 0 and place.x + place.width <= LAYOUT.width
        assert place.y >= 0 and place.y + place.height <= LAYOUT.height


def test_rows_are_horses_and_columns_go_from_show_to_win() -> None:
    """Rulebook, the figures of "Paris Gagnant, Couplé et Trio"."""
    assert [place.y for place in LAYOUT.rows.values()] == list(range(2, 11))
    assert list(LAYOUT.rows) == [horse.horse for horse in HORSES]
    columns = ["show:5:l", "show:5:r", "place:5:l", "place:5:r", "win:5:l", "win:5:m", "win:5:r"]
    assert [LAYOUT.spots[name].x for name in columns] == list(range(7))


def test_everything_that_a_client_shows_has_a_name() -> None:
    names = BOOK.names
    assert names["horse"].keys() == {horse.horse for horse in HORSES}
    assert names["card"].keys() == {*BOX.props, *BOX.exotics, *BOX.vip}
    assert names["spot"].keys() == BOX.spots.keys()
    assert names["colour"].keys() == {*get_args(Colour), *get_args(TokenColour)}
    assert names["kind"].keys() == set(get_args(Kind))
    assert names["phase"].keys() == set(get_args(Phase))
    assert names["mode"].keys() == set(get_args(Mode))
    assert names["column"].keys() == {spot.column for spot in BOOK.spots if spot.column}
    assert names["outcome"].keys() == {"won", "lost"}


def test_horses_have_a_name_in_each_language_and_their_spots_the_number_of_the_board() -> None:
    """Rulebook, "Noms des chevaux"."""
    assert BOOK.names["horse"]["7"] == Text(en="September", fr="Septembre")
    assert BOOK.names["horse"]["2/3"].fr == "As de Troie"
    for horse in HORSES:
        assert horse.name.en.isascii()
        assert BOOK.names["spot"][f"win:{horse.horse}:r"] == Text(
            en=f"{horse.horse} to win", fr=f"{horse.horse} gagnant"
        )


def test_the_french_card_that_pays_at_two_ones_is_called_as_the_announcer_calls_them() -> None:
    """Rulebook, "Le speaker": "Double 1"."""
    assert BOX.vip["V17"].title.fr == "Double 1"
