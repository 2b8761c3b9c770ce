"""The printed content: the counts of the box, and errors that name the place."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from railbird_engine.rules.ascot.data import DATA, load
from railbird_engine.rules.ascot.data.checks import DataError


def test_the_content_has_the_counts_of_the_box() -> None:
    printed = load()
    assert len(printed.leases) == 20
    assert sum(printed.leases.values()) == 400_000
    assert len(printed.squares) == 60
    assert (len(printed.field), len(printed.field[0])) == (44, 6)
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


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        (
            "horses.csv",
            "36000",
            "dear",
            "horses.csv line 2: Expected `int`, got `str` - at `$.price`",
        ),
        ("horses.csv", "36000", "36000,0,0,0", "horses.csv line 2: more cells than columns"),
        (
            "horses.csv",
            "36000",
            "1000000001",
            "horses.csv line 2: Expected `int` <= 1000000000 - at `$.price`",
        ),
        ("horses.csv", "2,red", "2,black", "horses.csv: expected 3 black horses, found 4"),
        (
            "horses.csv",
            "12,blue,10000,Cornflower,Bleuet\n",
            "",
            "horses.csv: expected 3 blue horses, found 2",
        ),
        ("offices.csv", "club,16000", "farrier,16000", "offices.csv line 5: farrier appears twice"),
        (
            "offices.csv",
            "auctioneer,0",
            "auctioneer,500",
            "offices.csv: the Auctioneer's card is free",
        ),
        (
            "training.csv",
            "3,,free",
            "3,,fly",
            "training.csv line 4: Invalid enum value 'fly' - at `$.effect`",
        ),
        (
            "training.csv",
            "8,club,join",
            "8,farrier,join",
            "training.csv line 9: join cannot stand under the header farrier",
        ),
        (
            "training.csv",
            "1,forage,pay,2000",
            "1,forage,pay,",
            "training.csv line 2: wrong amount for pay: 0",
        ),
        (
            "reports.csv",
            "gain_1,4",
            "gain_1,5",
            "reports.csv: expected 78 leases, reports and member cards in all, found 80",
        ),
        (
            "reports.csv",
            "keep,,bridle",
            "keep,,",
            "reports.csv line 6: cards to keep, and no others, say what they keep",
        ),
        (
            "colours.csv",
            "walroy,15,4",
            "walroy,16,4",
            "colours.csv: expected 100 Advantages and Disadvantages, found 101",
        ),
        (
            "inscriptions.csv",
            "BRI,ruin,,,,bridle",
            "BRI,ruin,,,,",
            "inscriptions.csv line 11: hazards, and no others, name",
        ),
        ("field.txt", "IN3 J   B", "IN9 J   B", "field.txt row 3 lane 4: unknown code 'IN9'"),
        ("field.txt", "44  J   R", "44  J", "field.txt row 44: expected 6 lanes, found 5"),
        ("field.txt", "28  TOU", "28  N", "field.txt row 28: expected bend squares only"),
        (
            "field.txt",
            "44  J   R   N   B   B   R\n",
            "",
            "field.txt: expected 44 rows, found 43",
        ),
        (
            "tariff.json",
            '"entry_fee": 10000',
            '"entry_fee": -1',
            "tariff.json: Expected `int` >= 0 - at `$.entry_fee`",
        ),
    ],
)
def test_an_error_names_the_place(
    tmp_path: Path, name: str, old: str, new: str, complaint: str
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError) as refusal:
        load(folder)
    assert complaint in str(refusal.value)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"colours\.csv"):
        load(tmp_path)


def test_other_tables_are_another_edition(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    assert load(folder).edition == load().edition
    text = (folder / "horses.csv").read_text(encoding="utf-8")
    (folder / "horses.csv").write_text(text.replace("36000", "37000"), encoding="utf-8")
    assert load(folder).edition != load().edition
