"""The settlement of a race: which spots win, and how much money each bet moves."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from railbird_engine import Seat
from railbird_engine.rules.ready_set_bet.card_results import exotic_wins, prop_wins
from railbird_engine.rules.ready_set_bet.data import BLACK_LANE, HORSES, LANE_OF_HORSE, TokenColour
from railbird_engine.rules.ready_set_bet.data.board import Spot
from railbird_engine.rules.ready_set_bet.data.decks import Box
from railbird_engine.rules.ready_set_bet.race import Podium, podium, rank
from railbird_engine.rules.ready_set_bet.vip_effects import VipEffects

BLACK_RANK = 5
"""Rulebook, "Paris de couleur": the black horse must come in fifth or worse."""


class Bet(msgspec.Struct, frozen=True, cache_hash=True, omit_defaults=True):
    """A token on a spot. `bet` numbers the bets of the game from 1; `bonus` is the colour of a
    bonus token. `outcome` and `payout` are set when the race is settled; a payout above zero
    goes to the seat, below zero to the bank."""

    bet: int
    seat: Seat
    spot: str
    token: int
    bonus: TokenColour | None = None
    outcome: Literal["won", "lost"] | None = None
    payout: int | None = None


class Rewarded(msgspec.Struct, frozen=True):
    """Money that a VIP card adds to a player's gains."""

    card: str
    amount: int


class Finish(msgspec.Struct, frozen=True):
    """The end of a race: the positions, and the horses that won, placed and showed."""

    positions: tuple[int, ...]
    podium: Podium


def finish_of(positions: Sequence[int]) -> Finish:
    """Return the finish of a race with these positions."""
    return Finish(tuple(positions), podium(positions))


def spot_wins(spot: Spot, finish: Finish, box: Box) -> bool:
    """Whether a token on this spot wins."""
    match spot.kind:
        case "win":
            return spot.horse in finish.podium.win
        case "place":
            return spot.horse in finish.podium.place
        case "show":
            return spot.horse in finish.podium.show
        case "colour":
            (winner,) = finish.podium.win
            return HORSES[LANE_OF_HORSE[winner]].colour == spot.colour
        case "black":
            # Ruling 4.9: horses that tie are all as far ahead as they look, so two that share
            # fourth are both fourth.
            return rank(finish.positions, BLACK_LANE) >= BLACK_RANK
        case "prop":
            return prop_wins(box.props[str(spot.card)], finish.positions)
        case "exotic":
            return exotic_wins(box.exotics[str(spot.card)].condition, finish.positions)
        case _:
            assert_never(spot.kind)


def settle(
    bets: Iterable[Bet], money: int, finish: Finish, effects: VipEffects, box: Box
) -> Iterator[Bet | Rewarded]:
    """Decide the bets of one player, who holds `money`: gains first, then losses as far as the
    money goes. Returns each bet with its outcome and payout.

    Rulebook, "Résoudre les paris"; rulings 4.34 and 4.35. A gain is token times multiplier. A loss
    is the printed loss of the spot, whatever the token; a bonus token may add to it or cancel it.
    Twin bets are gains."""
    won: list[int] = []
    lost: list[tuple[Bet, int]] = []
    for bet in bets:
        spot = box.spots[bet.spot]
        if spot_wins(spot, finish, box):
            gain = bet.token * (spot.gain + effects.prop_gain if spot.kind == "prop" else spot.gain)
            money += gain
            won.append(bet.token)
            yield replace(bet, outcome="won", payout=gain)
        else:
            lost.append((bet, 0 if effects.insured else _loss(bet, spot, box)))
    for card, twin in effects.twins:
        if _both_won(twin.tokens, won):
            money += twin.reward
            yield Rewarded(card, twin.reward)
    for bet, loss in lost:
        paid = min(loss, money)
        money -= paid
        yield replace(bet, outcome="lost", payout=-paid)


def _loss(bet: Bet, spot: Spot, box: Box) -> int:
    """Rulebook, "Jetons Pari Bonus": a bonus token adds its own loss. Ruling 4.32: a token that
    cancels the spot's loss costs nothing at all."""
    if bet.bonus is None:
        return spot.loss
    token = box.bonus_tokens[bet.bonus, bet.token]
    return 0 if token.cancels_spot_loss else spot.loss + token.loss


def _both_won(tokens: tuple[int, int], won: list[int]) -> bool:
    """Whether two of the bets that won had these tokens."""
    first, second = tokens
    return first in won and second in won and (first != second or won.count(first) > 1)
