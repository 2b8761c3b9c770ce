"""What becomes of the bets when a race is over: which spots win, and what each bet moves."""

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

import msgspec

from games.engine import Seat
from games.rules.ready_set_bet.board import SPOT_NAMED, Spot
from games.rules.ready_set_bet.data import BLACK_LANE, HORSES, LANE_OF_HORSE
from games.rules.ready_set_bet.race import Podium, rank

BLACK_RANK = 5
"""Rulebook, "Paris de couleur": Septembre must come in fifth or worse."""


class Bet(msgspec.Struct, frozen=True):
    """A token on a spot; `bet` numbers the bets of the game from 1."""

    bet: int
    seat: Seat
    spot: str
    token: int


class Settled(msgspec.Struct, frozen=True):
    """A decided bet and the money it moves: above zero to the seat, below zero from it."""

    bet: Bet
    won: bool
    payout: int


def spot_wins(spot: Spot, positions: Sequence[int], podium: Podium) -> bool:
    """Whether a token on this spot wins when horses stand like this."""
    match spot.kind:
        case "win":
            return spot.horse in podium.win
        case "place":
            return spot.horse in podium.place
        case "show":
            return spot.horse in podium.show
        case "colour":
            (winner,) = podium.win
            return HORSES[LANE_OF_HORSE[winner]].colour == spot.colour
        case "black":
            # Ruling 4.9: horses that tie are all as far ahead as they look, so two that share fourth are both fourth.
            return rank(positions, BLACK_LANE) >= BLACK_RANK
        case _:
            assert_never(spot.kind)


def settle(bets: Iterable[Bet], money: int, positions: Sequence[int], podium: Podium) -> Iterator[Settled]:
    """Decide one player's bets, who holds `money`: gains first, then losses as far as the money goes.

    Rulebook, "Résoudre les paris"; rulings 4.34 and 4.35. A gain is token times multiplier. A loss is what the spot prints,
    whatever the token.
    """
    lost: list[tuple[Bet, int]] = []
    for bet in bets:
        spot = SPOT_NAMED[bet.spot]
        if spot_wins(spot, positions, podium):
            gain = bet.token * spot.gain
            money += gain
            yield Settled(bet, True, gain)
        else:
            lost.append((bet, spot.loss))
    for bet, loss in lost:
        paid = min(loss, money)
        money -= paid
        yield Settled(bet, False, -paid)
