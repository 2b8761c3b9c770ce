"""Tiles, zones and payments: the rulebook's examples as plain numbers."""

import pytest

from railbird_engine.rules.quitte_ou_double.decimals import canonical
from railbird_engine.rules.quitte_ou_double.payout import (
    Tile,
    closest_teams,
    exact_teams,
    line_up,
    paid_teams,
    paying_zones,
    zone_name,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("88", "88"),
        ("-273.15", "-273.15"),
        ("007.50", "7.5"),
        ("1609.3440", "1609.344"),
        ("-0", "0"),
        ("-0.000", "0"),
        ("100", "100"),
        ("999999999999999.9999999999", "999999999999999.9999999999"),
        ("", None),
        ("12,5", "12.5"),
        ("0,125", "0.125"),
        ("1234,567", "1234.567"),
        ("1,234", None),
        ("-999,000", None),
        ("1e3", None),
        (" 7 ", "7"),
        ("7\n", "7"),
        ("7 8", None),
        ("٧", None),
        (".5", None),
        ("5.", None),
        ("+5", None),
        ("1 000", None),
        ("NaN", None),
        ("1234567890123456", None),
    ],
)
def test_a_number_has_one_spelling(text: str, number: str | None) -> None:
    """Ruling Q1: decimals and negatives, a point or a comma, no units, no separators."""
    assert canonical(text) == number


def test_tiles_are_sorted_by_value_and_equal_answers_stacked() -> None:
    """Rulebook 2."""
    tiles = line_up({0: "187", 1: "-3", 2: "9.5", 3: "187", 4: "10"})
    assert tiles == [Tile("-3", [1]), Tile("9.5", [2]), Tile("10", [4]), Tile("187", [0, 3])]


TILES = line_up({0: "125", 1: "187"})


@pytest.mark.parametrize(
    ("answer", "zones", "paid"),
    [
        ("175", [1], [0, 1]),
        ("50", [0], [0]),
        ("124.9999999999", [0], [0]),
        ("125", [0, 1], [0]),
        ("125.0000000001", [1], [0, 1]),
        ("187", [1, 2], [1]),
        ("188", [2], [1]),
    ],
)
def test_the_zone_of_the_answer_pays_and_so_do_the_tiles_beside_it(
    answer: str, zones: list[int], paid: list[int]
) -> None:
    """Rulebook 3 and 4, worked examples 1 and 7: compared exactly, at the edges too."""
    assert (paying_zones(TILES, answer), paid_teams(TILES, answer)) == (zones, paid)


def test_whole_stacks_are_paid() -> None:
    """Rulings Q6 and Q7."""
    tiles = line_up({0: "10", 1: "10", 2: "20", 3: "20", 4: "30"})
    assert paid_teams(tiles, "15") == [0, 1, 2, 3]
    assert paid_teams(tiles, "20") == exact_teams(tiles, "20") == [2, 3]


def test_a_single_answer_leaves_two_zones() -> None:
    """Ruling Q4."""
    tiles = line_up({0: "10", 1: "10"})
    assert (paying_zones(tiles, "9"), paying_zones(tiles, "11"), paying_zones(tiles, "10")) == (
        [0],
        [1],
        [0, 1],
    )
    assert paid_teams(tiles, "11") == [0, 1]


def test_zones_have_names_for_the_records() -> None:
    assert [zone_name(TILES, zone) for zone in range(3)] == ["<125", "125..187", ">187"]


def test_the_closest_answer_may_lie_on_either_side() -> None:
    """Ruling Q16."""
    tiles = line_up({0: "10", 1: "20.5", 2: "29.5"})
    assert closest_teams(tiles, "25") == [1, 2]
    assert closest_teams(tiles, "25.0000000001") == [2]
