"""Every game ends with any players."""

from itertools import product

import msgspec
import pytest

from bench.free_spots import FreeSpots, FreeSpotsOptions
from railbird_engine import RuleViolation, Seat, SeededChance
from railbird_engine.kernel.adversaries import (
    adversaries,
    allied,
    check_ends,
    repeating,
    silent,
    spending,
)
from railbird_engine.kernel.playout import Ask, Playout
from tests.rules.golden import RULES


def check(slug: str, seats: int, ask: Ask, key: bytes) -> None:
    """Play one game with each of the game's examples of options, and one without any limit."""
    rules = RULES[slug]
    for chosen in (*rules.example_options, dict.fromkeys(rules.limits, 0)):
        options = msgspec.convert(chosen, type=rules.options_type)
        try:
            check_ends(rules, seats, options, key, ask)
        except RuleViolation as violation:
            if violation.code != "wrong_number_of_seats":  # not every example suits every table
                raise


@pytest.mark.parametrize("ask", [silent, spending, allied])
@pytest.mark.parametrize("slug", RULES)
def test_a_game_ends_although_its_players_want_no_end(slug: str, ask: Ask) -> None:
    check(slug, RULES[slug].seats[1], ask, b"k1")


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "key"), [*product(RULES, range(2))])
def test_all_games_end_with_any_players_in_any_number(slug: str, key: int) -> None:
    rules = RULES[slug]
    for seats, (name, ask) in product(rules.seats, adversaries(rules)):
        check(slug, seats, ask, b"%s %d" % (name.encode(), key))


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "key"), [*product(RULES, range(10))])
def test_games_of_allies_who_spend_all_their_money_end(slug: str, key: int) -> None:
    for seats in RULES[slug].seats:
        check(slug, seats, allied, b"k%d" % key)


def test_an_adversary_gives_no_form_that_it_should_fill_in() -> None:
    seat, asked = Seat(0), 0
    for rules in RULES.values():
        options = msgspec.convert({}, type=rules.options_type)
        state = Playout(rules, max(4, rules.seats[0]), options, b"forms").state
        for form in filter(rules.is_form, rules.legal(state, seat)):
            given = repeating(type(form))(rules, state, seat, SeededChance(b"key"))
            assert given is None or not rules.is_form(given)
            asked += 1
    assert asked


class Short(FreeSpots):
    steps_max = 50


def test_a_game_that_goes_on_for_too_long_is_found() -> None:
    with pytest.raises(AssertionError, match="free_spots: no end after 51 steps"):
        check_ends(Short(), 2, FreeSpotsOptions(boards=1), b"key", spending)
