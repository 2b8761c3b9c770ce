"""The rules against a second reading of the rulebook: the same rolls, every spot of the box, race
by race."""

import json
from collections import Counter
from random import Random

from railbird_engine import Seat
from railbird_engine.rules.ready_set_bet.data import CROSSINGS_TO_CLOSE, FINISH, LANE_OF_SUM
from railbird_engine.rules.ready_set_bet.data.decks import BOX
from railbird_engine.rules.ready_set_bet.race import move, starting_course
from railbird_engine.rules.ready_set_bet.settlement import Bet, finish_of, settle
from railbird_engine.rules.ready_set_bet.vip_effects import NO_EFFECTS
from tests.rules.ready_set_bet import oracle
from tests.rules.ready_set_bet.scene import DECKS

RACES = 100
PROPS = {
    card["card"]: (card["front"], card["behind"])
    for card in json.loads((DECKS / "props.json").read_bytes())
}


def race(totals: list[int]) -> tuple[tuple[int, ...], int | None, int]:
    """The same by the rules."""
    course = starting_course()
    closed_at = None
    for total in totals:
        lane = LANE_OF_SUM[total]
        move(course, lane)
        if course.positions[lane] == FINISH:
            break
        if closed_at is None and course.crossed == CROSSINGS_TO_CLOSE:
            closed_at = course.rolls
    return tuple(course.positions), closed_at, course.rolls


def test_every_spot_wins_pays_and_costs_as_in_the_second_implementation() -> None:
    dice = Random(1871)
    bets = [Bet(number, Seat(0), spot, 3) for number, spot in enumerate(BOX.spots)]
    assert len(bets) == 63 + 4 + 28 + 15
    true: Counter[str] = Counter()
    for _ in range(RACES):
        totals = [dice.randint(1, 6) + dice.randint(1, 6) for _ in range(130)]
        stand, closed_at, rolls = oracle.run(totals)
        assert (tuple(stand.values()), closed_at, rolls) == race(totals)
        settled = [
            each
            for each in settle(bets, 10_000, finish_of(list(stand.values())), NO_EFFECTS, BOX)
            if isinstance(each, Bet)
        ]
        assert len(settled) == len(bets)
        for each in settled:
            spot = BOX.spots[each.spot]
            right = oracle.wins(spot.spot, stand, PROPS)
            assert (each.outcome, each.payout) == (
                ("won", 3 * spot.gain) if right else ("lost", -spot.loss)
            ), (spot.spot, stand)
            true[spot.kind] += right
    assert all(
        true[kind] > RACES / 20
        for kind in ("win", "place", "show", "colour", "black", "prop", "exotic")
    ), true
