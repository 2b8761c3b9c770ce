"""Bots have hands: in every game they act some time after what they react to."""

from typing import get_args

import msgspec
import pytest

from railbird_engine import AnyRules, BotLevel, Cue, Seat
from railbird_engine.kernel import opponents
from railbird_engine.kernel.playout import Playout
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
    for name, player in opponents.people_of(rules).items():
        match = opponents.measure(rules, seats, name, player, "casual", games=1)
        assert 0 <= match.share <= seats
    bot = opponents.bot_of("expert")
    assert opponents.measure(rules, seats, "expert", bot, "regular", games=1).games == 1


def test_the_same_seeds_give_the_same_shares() -> None:
    rules = next(iter(RULES.values()))
    (name, player), *_ = opponents.people_of(rules).items()
    first, again = (opponents.measure(rules, 4, name, player, "casual", 2) for _ in range(2))
    assert first == again
