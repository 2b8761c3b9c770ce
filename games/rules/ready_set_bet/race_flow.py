"""A race from roll to roll: moves, what an announcer would call out, the finish, and what it
pays."""

from typing import Literal

from games.engine import BANK, BetSettled, Seat, seat_purse
from games.rules.ready_set_bet.data import CROSSINGS_TO_CLOSE, FINISH, HORSES, LANE_OF_SUM
from games.rules.ready_set_bet.data.decks import Box
from games.rules.ready_set_bet.events import (
    BettingClosed,
    MoneySettled,
    RaceFinished,
    RedLineCrossed,
    Rolled,
)
from games.rules.ready_set_bet.race import move, sole_leader
from games.rules.ready_set_bet.settlement import Finish, Rewarded, finish_of, settle
from games.rules.ready_set_bet.state import RaceTurn, players
from games.rules.ready_set_bet.vip import effects_in_race, pay_dice_income, pay_vip


def roll_dice(turn: RaceTurn, box: Box) -> None:
    """Rulebook, "Lancer une course": two dice, one horse, and whatever its move brings about."""
    state = turn.state
    course = state.course
    dice = (turn.chance.die(), turn.chance.die())
    lane = LANE_OF_SUM[sum(dice)]
    leader = sole_leader(course.positions)
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
            takes_lead=leader != lane and sole_leader(course.positions) == lane,
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
    """Rulebook, "Fin de la course": at once, bets closed if they were not (ruling 4.3: without a
    closing of its own)."""
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
    for seat in players(state):
        _settle_seat(turn, box, seat, finish)
    state.phase = "finished"


def _settle_seat(turn: RaceTurn, box: Box, seat: Seat, finish: Finish) -> None:
    """Pay a seat's gains, then take its losses as far as its money goes."""
    state = turn.state
    purse = seat_purse(seat)
    gained = paid = 0
    bets = [bet for bet in state.bets if bet.seat == seat]
    for settled in settle(
        bets, state.purses[purse], finish, effects_in_race(state, box, seat), box
    ):
        if isinstance(settled, Rewarded):
            pay_vip(turn, seat, settled.card, settled.amount)
            gained += settled.amount
            continue
        if settled.payout > 0:
            turn.pay(BANK, purse, settled.payout, "bet_won")
            gained += settled.payout
        elif settled.payout < 0:
            turn.pay(purse, BANK, -settled.payout, "bet_lost")
            paid -= settled.payout
        turn.emit(
            BetSettled(
                bet=settled.bet.bet,
                seat=seat,
                spot=settled.bet.spot,
                outcome="won" if settled.won else "lost",
                payout=settled.payout,
            )
        )
    turn.emit(
        MoneySettled(
            race=state.race, seat=seat, gained=gained, paid=paid, money=state.purses[purse]
        )
    )
