"""Views hide only the order of the bag."""

import msgspec

from railbird_engine import Seat
from tests.rules.set_dice.scene import RULES, table

HANDS = ("R1O", "G1D", "G2S", "G2S", "P3O"), ("R2O", "G1D", "G2S", "G2S", "P3O")


def test_every_viewer_sees_the_same() -> None:
    state = table(*HANDS)
    public = RULES.view(state, None)
    for seat in (Seat(0), Seat(1)):
        assert msgspec.structs.replace(RULES.view(state, seat), you=None) == public


def test_no_view_depends_on_what_is_in_the_bag() -> None:
    state, other = table(*HANDS), table(*HANDS)
    other.bag = [number + 20 for number in other.bag]
    assert other.bag != state.bag
    assert RULES.view(other, Seat(0)) == RULES.view(state, Seat(0))
    assert RULES.view(state, None).bag == len(state.bag)
