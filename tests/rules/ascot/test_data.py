"""The printed content: the counts of the box, and what belongs together."""

import shutil
from collections import Counter
from pathlib import Path

from railbird_engine.rules.ascot.data import DATA, load
from railbird_engine.rules.ascot.data.printed import HAZARDS, PACKS


def test_the_content_has_the_counts_of_the_box() -> None:
    printed = load()
    assert sum(printed.leases.values()) == 400_000
    assert sum(len(printed.pack_codes(pack)) for pack in ("walroy", "stevens", "veterinary")) == 50
    assert printed.tariff.start_cash == 281_000


def test_the_squares_have_the_required_counts() -> None:
    kinds = Counter((square.header, square.effect) for square in load().squares)
    assert kinds["stable", "report"] == 9
    assert kinds["stable", "pay"] == 8
    assert kinds["veterinary", "report"] == 7
    assert kinds["veterinary", "pay"] == 4
    assert kinds["forage", "pay"] == 7
    assert kinds["farrier", "pay"] == 6
    assert (kinds["club", "join"], kinds["club", "dues"], kinds[None, "frost"]) == (3, 2, 2)
    assert (kinds[None, "advantage"], kinds[None, "disadvantage"], kinds[None, "free"]) == (4, 3, 5)


def test_the_race_field_has_the_required_counts() -> None:
    printed = load()
    cells = Counter(code for row in printed.field for code in row)
    assert [cells[letter] for letter in "NRJB"] == [51, 50, 50, 50]
    assert [cells[hazard] for hazard in ("BRI", "TOM", "VAI")] == [5, 5, 5]
    assert all(printed.field[row - 1][0] != "VAI" for row in range(29, 36)), (
        "the inner lane is safe in the last bend"
    )
    assert (printed.course.bend_first, printed.course.bend_last) == (29, 35)


def test_each_starting_square_bears_the_number_of_its_horse() -> None:
    printed = load()
    assert [printed.start_lane(horse) for horse in (1, 6, 7, 12)] == [1, 6, 1, 6]


def test_the_cards_have_the_counts_of_the_box() -> None:
    printed = load()
    assert printed.offices["auctioneer"].price == 0
    packs = sum(len(printed.pack_codes(pack)) for pack in PACKS)
    assert len(printed.leases) + packs + printed.tariff.member_cards == 78
    advantages = sum(colour.advantages for colour in printed.colours.values())
    assert advantages + printed.tariff.disadvantages == 100


def test_each_report_says_what_it_keeps_or_how_much_it_moves() -> None:
    reports = load().reports
    assert {report.keeps for report in reports} == {None, *HAZARDS}
    for report in reports:
        assert (report.effect in {"keep", "strangles", "withdraw"}) == (report.amount == 0), report


def test_each_square_of_the_race_has_a_colour_or_a_whole_inscription() -> None:
    printed = load()
    for effect, row in (("bend", 28), ("whip", 35)):
        found = {code for code, each in printed.inscriptions.items() if each.effect == effect}
        assert not found & {code for cells in printed.field[: row - 1] for code in cells}
    for inscription in printed.inscriptions.values():
        lanes = (inscription.lane_from, inscription.lane_to)
        assert (inscription.effect in {"advance", "back", "whip"}) == (inscription.rows > 0)
        assert inscription.effect == "advance" or lanes == (None, None)
        assert (lanes[0] is None) == (lanes[1] is None)


def test_other_tables_are_another_edition(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    assert load(folder).edition == load().edition
    text = (folder / "horses.csv").read_text(encoding="utf-8")
    (folder / "horses.csv").write_text(text.replace("36000", "37000"), encoding="utf-8")
    assert load(folder).edition != load().edition
