"""Coin toss: every player bets on a side, then the coin is tossed."""

from collections.abc import Iterable
from datetime import timedelta

from railbird_engine import (
    BANK,
    Alarm,
    BetPlaced,
    BetSettled,
    Book,
    Chance,
    Result,
    Rules,
    RuleViolation,
    Seat,
    Turn,
    VoidedBet,
    opening_purses,
    seat_purse,
)
from railbird_engine.skeleton.coin_toss import bot
from railbird_engine.skeleton.coin_toss.book import BOOK
from railbird_engine.skeleton.coin_toss.commands import CoinTossCommand, PassRound, PlaceBet
from railbird_engine.skeleton.coin_toss.data import CHIPS, SIDES
from railbird_engine.skeleton.coin_toss.events import CoinTossed, CoinTossEvent, RoundPassed
from railbird_engine.skeleton.coin_toss.legal import legal_commands
from railbird_engine.skeleton.coin_toss.options import CoinTossOptions
from railbird_engine.skeleton.coin_toss.refusals import REFUSALS
from railbird_engine.skeleton.coin_toss.state import Choice, CoinTossState
from railbird_engine.skeleton.coin_toss.view import CoinTossView, view_of

CoinTossTurn = Turn[CoinTossState, CoinTossEvent]


class CoinToss(Rules[CoinTossOptions, CoinTossState, CoinTossCommand, CoinTossEvent]):
    """Coin toss for two to six players."""

    slug = "coin_toss"
    title = {"en": "Coin toss", "fr": "Pile ou face"}
    seats = range(2, 7)
    unit = "chip"
    version = 1
    refusals = REFUSALS

    def setup(self, seats: int, options: CoinTossOptions) -> CoinTossState:
        return CoinTossState(purses=opening_purses(seats), seats=seats, options=options)

    def deal(self, turn: CoinTossTurn) -> None:
        """Give every player the chips to begin with."""
        for seat in range(turn.state.seats):
            turn.pay(BANK, seat_purse(seat), CHIPS, "grant")

    def play(self, turn: CoinTossTurn, seat: Seat, command: CoinTossCommand) -> None:
        """Note a choice. The last one tosses the coin."""
        state = turn.state
        if self.result(state) is not None:
            raise RuleViolation("game_over")
        if seat in state.choices:
            raise RuleViolation("already_chosen")
        match command:
            case PassRound():
                state.choices[seat] = Choice(0, SIDES[0], 0)
                turn.emit(RoundPassed(seat=seat))
            case PlaceBet(side, stake):
                # The stake stays in the bank until the coin is tossed.
                turn.pay(seat_purse(seat), BANK, stake, "stake")
                state.bets += 1
                state.choices[seat] = Choice(state.bets, side, stake)
                turn.emit(BetPlaced(bet=state.bets, seat=seat, spot=side, stake=stake, odds="1:1"))
        if len(state.choices) == state.seats:
            self._toss(turn)

    def alarm(self, state: CoinTossState) -> Alarm | None:
        if not state.options.round_s or self.result(state) is not None:
            return None
        return Alarm(state.round, timedelta(seconds=state.options.round_s))

    def tick(self, turn: CoinTossTurn) -> None:
        """Toss the coin: time is up."""
        self._toss(turn)

    def _toss(self, turn: CoinTossTurn) -> None:
        state = turn.state
        side = turn.chance.pick(SIDES)
        turn.emit(CoinTossed(round=state.round, side=side))
        for seat, choice in state.choices.items():
            if choice.bet:
                won = choice.side == side
                if won:
                    turn.pay(BANK, seat_purse(seat), 2 * choice.stake, "win")
                turn.emit(
                    BetSettled(
                        bet=choice.bet,
                        seat=seat,
                        spot=choice.side,
                        outcome="won" if won else "lost",
                        payout=2 * choice.stake if won else 0,
                    )
                )
        state.choices.clear()
        state.round += 1

    def void_bet(self, turn: CoinTossTurn, bet: VoidedBet) -> int:
        """Give the stake back, or undo what the settlement paid. An open bet becomes a pass."""
        if bet.payout is None:
            turn.state.choices[bet.seat] = Choice(0, SIDES[0], 0)
        return turn.give_back(seat_purse(bet.seat), bet.stake - (bet.payout or 0))

    def legal(self, state: CoinTossState, seat: Seat) -> Iterable[CoinTossCommand]:
        return legal_commands(state, seat) if self.result(state) is None else ()

    def awaited(self, state: CoinTossState) -> frozenset[Seat]:
        """The coin is tossed when every seat has chosen."""
        if self.result(state) is not None:
            return frozenset()
        return frozenset(Seat(seat) for seat in range(state.seats)) - state.choices.keys()

    def view(self, state: CoinTossState, viewer: Seat | None) -> CoinTossView:
        return view_of(state)

    def bot(
        self, view: CoinTossView, legal: Iterable[CoinTossCommand], chance: Chance
    ) -> CoinTossCommand | None:
        return bot.choose(legal, chance)

    def book(self) -> Book:
        return BOOK

    def result(self, state: CoinTossState) -> Result | None:
        """Return the ranking by chips after the last round. Equal players share a rank."""
        if state.round <= state.options.rounds:
            return None
        scores = tuple(state.purses[seat_purse(seat)] for seat in range(state.seats))
        return Result(
            tuple(
                tuple(Seat(seat) for seat in range(state.seats) if scores[seat] == score)
                for score in sorted(set(scores), reverse=True)
            ),
            scores,
        )
