"""Bots have hands: in every game they act some time after what they react to."""

from typing import get_args

import msgspec
import pytest

from bench import matches
from bench.free_spots import FreeSpots, FreeSpotsOptions
from railbird_engine import AnyRules, BotLevel, Cue, Seat
from railbird_engine.kernel.playout import Playout, ask_random
from tests.rules.golden import RULES


def played(rules: AnyRules, **options: object) -> Playout:
    chosen = msgspec.convert(options, type=rules.options_type)
    return Playout(rules, max(4, rules.seats[0]), chosen, b"hands")


@pytest.mark.parametrize("level", get_args(BotLevel))
@pytest.mark.parametrize("slug", RULES)
def test_no_command_of_a_bot_comes_within_the_least_delay_of_its_cue(
    slug: str, level: BotLevel
) -> None:
    rules = RULES[slug]
    playout = played(rules, bots=level)
    since: dict[Seat, tuple[Cue | None, float]] = {}
    acted = 0

    def notice() -> None:
        for seat in map(Seat, range(playout.seats)):
            cue = rules.bot_cue(playout.state, seat)
            if seat not in since or since[seat][0] != cue:
                since[seat] = cue, playout.now_ms

    notice()
    for commit in playout.run():
        if commit.seat is not None:
            cue, from_ms = since[commit.seat]
            assert cue is not None
            assert playout.now_ms - from_ms >= cue.least_ms >= 1_500
            acted += 1
        notice()
    assert acted > 20


@pytest.mark.parametrize("slug", RULES)
def test_people_play_whole_games_against_bots_with_hands_of_their_own(slug: str) -> None:
    rules = RULES[slug]
    seats = max(4, rules.seats[0])
    for name, player in matches.people_of(rules).items():
        match = matches.measure(rules, seats, name, player, "casual", games=1)
        assert 0 <= match.share <= seats
    bot = matches.bot_of("expert")
    assert matches.measure(rules, seats, "expert", bot, "regular", games=1).games == 1


class TieOptions(FreeSpotsOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    boards: int = 1
    spots: int = 6
    bots: BotLevel = "regular"


class Tie(FreeSpots):
    """Every game is a tie: a spot costs what it wins."""


Tie.options_type = TieOptions


@pytest.mark.parametrize("seats", [1, 3])
def test_a_tie_is_a_fair_share_and_only_commands_of_rivals_come_too_late(seats: int) -> None:
    person = matches.person(ask_random)
    found = matches.measure(Tie(), seats, "random", person, "casual", games=3)
    assert found[:-1] == ("free_spots", seats, "random", "casual", 3, 1.0, 0.0)
    assert (found.refused > 0) == (seats > 1)


def test_matches_begin_with_the_first_person_at_the_smallest_table() -> None:
    *_, rules = RULES.values()
    first = next(matches.matches(rules, games=1))
    assert first[:5] == (rules.slug, rules.seats[0], "random", "casual", 1)


def test_the_same_seeds_give_the_same_shares() -> None:
    rules = next(iter(RULES.values()))
    (name, player), *_ = matches.people_of(rules).items()
    first, again = (matches.measure(rules, 4, name, player, "casual", 2) for _ in range(2))
    assert first == again
