"""A race from roll to roll: the moves, the finish and the settlement."""

from typing import Literal

from railbird_engine import BANK, BetSettled, Seat, seat_purse
from railbird_engine.rules.ready_set_bet.data import CROSSINGS_TO_CLOSE, FINISH, HORSES, LANE_OF_SUM
from railbird_engine.rules.ready_set_bet.data.decks import Box
from railbird_engine.rules.ready_set_bet.events import (
    BettingClosed,
    MoneySettled,
    RaceFinished,
    RedLineCrossed,
    Rolled,
)
from railbird_engine.rules.ready_set_bet.race import move, takes_lead
from railbird_engine.rules.ready_set_bet.settlement import Bet, Finish, Rewarded, finish_of, settle
from railbird_engine.rules.ready_set_bet.state import RaceTurn, players
from railbird_engine.rules.ready_set_bet.vip import effects_in_race, pay_dice_income, pay_vip


def roll_dice(turn: RaceTurn, box: Box) -> None:
    """Roll two dice, move one horse, and apply the consequences. Rulebook, "Lancer une course"."""
    state = turn.state
    course = state.course
    dice = (turn.chance.die(), turn.chance.die())
    lane = LANE_OF_SUM[sum(dice)]
    before = course.positions[lane]
    crossed = course.crossed
    bonus = move(course, lane)
    state.dice = dice
    double = _called_double(dice)
    turn.emit(
        Rolled(
            race=state.race,
            roll=course.rolls,
            dice=dice,
            total=sum(dice),
            horse=HORSES[lane].horse,
            bonus=bonus,
            position=course.positions[lane],
            double=double,
            takes_lead=takes_lead(course.positions, lane, before),
        )
    )
    if double and state.vip:
        pay_dice_income(turn, box, double)
    if course.crossed > crossed:
        turn.emit(RedLineCrossed(race=state.race, horse=HORSES[lane].horse, crossed=course.crossed))
    if course.positions[lane] == FINISH:
        _finish_race(turn, box)
    elif course.crossed == CROSSINGS_TO_CLOSE and state.phase == "open":
        state.phase = "closed"
        turn.emit(BettingClosed(race=state.race, roll=course.rolls))


def _called_double(dice: tuple[int, int]) -> Literal[1, 6] | None:
    """Rulebook, "Le speaker": a double 1 and a double 6 are called, no other."""
    return 1 if dice == (1, 1) else 6 if dice == (6, 6) else None


def _finish_race(turn: RaceTurn, box: Box) -> None:
    """Rulebook, "Fin de la course": the race ends at once, and bets close if they were open.
    Ruling 4.3: the finish implies the closing, which gets no event of its own."""
    state = turn.state
    finish = finish_of(state.course.positions)
    state.podium = finish.podium
    (winner,) = finish.podium.win
    turn.emit(
        RaceFinished(
            race=state.race,
            roll=state.course.rolls,
            horse=winner,
            positions=finish.positions,
            podium=finish.podium,
        )
    )
    settled = [bet for seat in players(state) for bet in _settle_seat(turn, box, seat, finish)]
    state.bets = tuple(sorted(settled, key=lambda bet: bet.bet))
    state.phase = "finished"


def _settle_seat(turn: RaceTurn, box: Box, seat: Seat, finish: Finish) -> list[Bet]:
    """Pay a seat's gains, then collect its losses as far as its money goes. Returns its bets with
    their outcomes."""
    state = turn.state
    purse = seat_purse(seat)
    effects = effects_in_race(state, box, seat)
    mine = [bet for bet in state.bets if bet.seat == seat]
    settled: list[Bet] = []
    gained = paid = 0
    for each in settle(mine, state.purses[purse], finish, effects, box):
        if isinstance(each, Rewarded):
            pay_vip(turn, seat, each.card, each.amount)
            gained += each.amount
            continue
        assert each.outcome is not None and each.payout is not None
        if each.payout > 0:
            turn.pay(BANK, purse, each.payout, "bet_won")
            gained += each.payout
        elif each.payout < 0:
            turn.pay(purse, BANK, -each.payout, "bet_lost")
            paid -= each.payout
        turn.emit(
            BetSettled(
                bet=each.bet,
                seat=seat,
                spot=each.spot,
                outcome=each.outcome,
                payout=each.payout,
            )
        )
        settled.append(each)
    money = state.purses[purse]
    turn.emit(MoneySettled(race=state.race, seat=seat, gained=gained, paid=paid, money=money))
    return settled
