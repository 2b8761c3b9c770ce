"""The book has everything that a client needs to draw the game."""

from collections import defaultdict

from railbird_engine import Seat
from tests.rules.ascot.scene import RULES, change, dealt, dice, go_on, training

BOOK = RULES.book()


def test_the_loop_is_laid_out_as_a_ring_of_neighbouring_squares() -> None:
    places = [(place.column, place.row) for place in BOOK.loop.squares]
    assert len(set(places)) == len(places) == len(BOOK.squares)
    for (x, y), (next_x, next_y) in zip(places, [*places[1:], places[0]], strict=True):
        assert abs(x - next_x) + abs(y - next_y) == 1
    assert BOOK.loop.boxes.keys() == BOOK.gates.keys()
    for box in BOOK.loop.boxes.values():
        assert 0 < box.column < BOOK.loop.columns - 4 and 0 < box.row < BOOK.loop.rows - 2


def test_every_seat_colour_and_square_has_a_screen_colour() -> None:
    assert len({colour.hex for colour in BOOK.seat_colours}) == RULES.seats[-1]
    headers = {square.header or "free" for square in BOOK.squares}
    assert BOOK.screen_colours.keys() == {*headers, *BOOK.names["colour"], "white"}


def test_everything_for_sale_has_a_name() -> None:
    state = go_on(dealt([[], []], ["horse:1", "horse:2"], "auction"), 0).state
    assert state.lot is not None and state.lot.asset in BOOK.names["asset"]
    assert {"report:bridle", "report:vessel", "report:surefoot"} <= BOOK.names["asset"].keys()


def test_the_view_has_the_square_of_a_training_horse() -> None:
    state = training({1: 0, 4: 0, 8: 1})
    change(state, 4, progress=59, square=59)
    state = go_on(state, *dice(1, 2)).state
    horses = RULES.view(state, Seat(0)).horses
    assert {number: horse.square for number, horse in horses.items()} == {1: 33, 4: None, 8: None}


def test_the_guide_has_what_each_office_earns_in_training() -> None:
    paid: dict[str, list[int]] = defaultdict(list)
    for square in BOOK.squares:
        if square.effect == "pay":
            paid[square.header or ""].append(square.amount)
    paid["walroy"] = paid["stevens"] = paid.pop("stable")
    assert BOOK.guide
    for office, amounts in paid.items():
        text = BOOK.guide.terms[office].text
        for told in (text.en.replace(",000", "000"), text.fr.replace(" 000", "000")):
            assert f" {len(amounts)} " in told
            assert f" {min(amounts)} " in told and f" {max(amounts)} " in told
    [fee] = {square.amount for square in BOOK.squares if square.effect == "join"}
    [dues] = {square.amount for square in BOOK.squares if square.effect == "dues"}
    told = BOOK.guide.terms["commissioner"].text.en
    assert f"{fee:,} F" in told and f"{dues:,} F" in told
    assert {lease.office for lease in BOOK.offices} - {"club"} <= BOOK.guide.terms.keys()
