"""The book has everything that a client needs to draw the game."""

from railbird_engine import Seat
from railbird_engine.rules.ascot.data.printed import PACKS
from tests.rules.ascot.scene import RULES, change, dealt, dice, go_on, training

BOOK = RULES.book()


def test_the_book_has_the_training_loop_with_its_texts() -> None:
    assert [square.number for square in BOOK.squares] == list(range(1, 61))
    shoes = BOOK.squares[3]
    assert (shoes.header, shoes.effect, shoes.amount) == ("farrier", "pay", 10_000)
    assert (shoes.en, shoes.fr) == ("Special racing shoes", "Fers spéciaux pour la course")
    assert BOOK.gates == {"stevens": 0, "walroy": 30}


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


def test_a_report_is_read_out_with_its_own_text() -> None:
    calls = {call.key: call for call in BOOK.calls}
    assert calls["report_veterinary_gain_1"].en == (
        "{seat} takes a report. In perfect health: one Advantage of the horse's colour."
    )
    assert len([key for key in calls if key.startswith("report_walroy")]) == 10


def test_the_book_has_the_race_field_and_explains_each_code() -> None:
    assert (len(BOOK.field), {len(row) for row in BOOK.field}) == (44, {6})
    letters = {colour.letter for colour in BOOK.colours}
    codes = {inscription.code for inscription in BOOK.inscriptions}
    assert {code for row in BOOK.field for code in row} == letters | codes
    assert BOOK.start_lanes == (1, 2, 3, 4, 5, 6) * 2
    assert (BOOK.bend_first, BOOK.bend_last) == (29, 35)


def test_the_book_has_the_price_and_the_name_of_each_lease() -> None:
    prices = {f"horse:{row.number}": row.price for row in BOOK.horses}
    prices |= {f"office:{row.office}": row.price for row in BOOK.offices}
    assert prices == RULES.printed.leases
    assert prices.keys() == BOOK.names["card"].keys()
    assert BOOK.names["asset"]["horse:1"].fr == "Minuit"
    assert {row.number: row.colour for row in BOOK.horses}[12] == "blue"


def test_the_book_has_the_text_of_each_report() -> None:
    texts: dict[tuple[str, str], str] = {}
    for report in BOOK.reports:
        texts[report.pack, report.code] = report.en
    for pack in PACKS:
        kind = "veterinary" if pack == "veterinary" else "trainer"
        assert all(texts[kind, code] for code in RULES.printed.pack_codes(pack))


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
