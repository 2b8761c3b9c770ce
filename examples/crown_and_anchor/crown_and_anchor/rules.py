"""Crown and Anchor: bet on symbols, then three dice are thrown. The README has the rules."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from railbird_engine import (
    BANK,
    Alarm,
    BetPlaced,
    BetSettled,
    Book,
    Call,
    Chance,
    Command,
    Event,
    Options,
    Result,
    Rules,
    RuleViolation,
    Seat,
    State,
    Text,
    Turn,
    View,
    VoidedBet,
    opening_purses,
    seat_purse,
)

# Printed facts

Symbol = Literal["crown", "anchor", "heart", "diamond", "club", "spade"]
SYMBOLS: Final[tuple[Symbol, ...]] = ("crown", "anchor", "heart", "diamond", "club", "spade")
FRENCH: Final = ("couronne", "ancre", "cœur", "carreau", "trèfle", "pique")
DICE: Final = 3
PENCE: Final = 30
STAKE_MAX: Final = 5

# The four types of the game


class CrownAndAnchorOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`rounds` to play, and `round_s`, the seconds to bet in; 0 waits for everybody."""

    rounds: Annotated[int, Meta(ge=1, le=100)] = 6
    round_s: Annotated[int, Meta(ge=0, le=600)] = 15


class PlaceBet(Command, frozen=True):
    """Bet on a symbol on which you have no bet in this round."""

    symbol: Symbol
    stake: Annotated[int, Meta(ge=1, le=STAKE_MAX)]


class Done(Command, frozen=True):
    """Place no further bet in this round."""


class SeatDone(Event, frozen=True, kw_only=True):
    """A player is done with this round."""

    seat: Seat


class DiceThrown(Event, frozen=True, kw_only=True):
    """The three dice show these symbols, and the round is over."""

    round: int
    dice: tuple[Symbol, ...]


class Bet(Struct, frozen=True):
    """An open bet."""

    seat: Seat
    symbol: Symbol
    stake: int


class CrownAndAnchorState(State, kw_only=True):
    """`open` has the open bets by number; `done` the seats that are done with this round."""

    seats: int
    options: CrownAndAnchorOptions
    round: int = 1
    placed: int = 0
    open: dict[int, Bet] = {}
    done: list[Seat] = []


class CrownAndAnchorView(View, frozen=True, kw_only=True):
    """The whole state: nothing is secret."""

    options: CrownAndAnchorOptions
    round: int
    purses: dict[str, int]
    open: dict[int, Bet]
    done: tuple[Seat, ...]


CrownAndAnchorEvent = SeatDone | DiceThrown | BetPlaced | BetSettled
CrownAndAnchorTurn = Turn[CrownAndAnchorState, CrownAndAnchorEvent]

BOOK: Final = Book(
    names={"symbol": {en: Text(en=en, fr=fr) for en, fr in zip(SYMBOLS, FRENCH, strict=True)}},
    calls=(
        Call(key="bet", event="bet_placed", en="{seat} bets {stake}.", fr="{seat} mise {stake}."),
        Call(key="dice", event="dice_thrown", en="The dice show {dice}.", fr="Les dés : {dice}."),
    ),
)


class CrownAndAnchor(
    Rules[CrownAndAnchorOptions, CrownAndAnchorState, PlaceBet | Done, CrownAndAnchorEvent]
):
    """Crown and Anchor for two to eight players."""

    slug = "crown_and_anchor"
    title = {"en": "Crown and Anchor", "fr": "Ancre et couronne"}
    seats = range(2, 9)
    unit = "penny"
    version = 1
    refusals = frozenset({"already_bet", "already_done", "game_over"})

    def setup(self, seats: int, options: CrownAndAnchorOptions) -> CrownAndAnchorState:
        return CrownAndAnchorState(purses=opening_purses(seats), seats=seats, options=options)

    def deal(self, turn: CrownAndAnchorTurn) -> None:
        for seat in range(turn.state.seats):
            turn.pay(BANK, seat_purse(seat), PENCE, "grant")

    def play(self, turn: CrownAndAnchorTurn, seat: Seat, command: PlaceBet | Done) -> None:
        state = turn.state
        if self.result(state) is not None:
            raise RuleViolation("game_over")
        if seat in state.done:
            raise RuleViolation("already_done")
        if isinstance(command, PlaceBet):
            if any((bet.seat, bet.symbol) == (seat, command.symbol) for bet in state.open.values()):
                raise RuleViolation("already_bet", symbol=command.symbol)
            turn.pay(seat_purse(seat), BANK, command.stake, "stake")
            state.placed += 1
            state.open[state.placed] = Bet(seat, command.symbol, command.stake)
            turn.emit(
                BetPlaced(
                    bet=state.placed,
                    seat=seat,
                    spot=command.symbol,
                    stake=command.stake,
                    odds="1:1",
                )
            )
        else:
            state.done.append(seat)
            turn.emit(SeatDone(seat=seat))
            if len(state.done) == state.seats:
                self._throw(turn)

    def alarm(self, state: CrownAndAnchorState) -> Alarm | None:
        if not state.options.round_s or self.result(state) is not None:
            return None
        return Alarm(state.round, timedelta(seconds=state.options.round_s))

    def tick(self, turn: CrownAndAnchorTurn) -> None:
        self._throw(turn)

    def _throw(self, turn: CrownAndAnchorTurn) -> None:
        state = turn.state
        dice = tuple(turn.chance.pick(SYMBOLS) for _ in range(DICE))
        turn.emit(DiceThrown(round=state.round, dice=dice))
        for number, bet in state.open.items():
            shown = dice.count(bet.symbol)
            payout = bet.stake * (1 + shown) if shown else 0
            if payout:
                turn.pay(BANK, seat_purse(bet.seat), payout, "win")
            turn.emit(
                BetSettled(
                    bet=number,
                    seat=bet.seat,
                    spot=bet.symbol,
                    outcome="won" if shown else "lost",
                    payout=payout,
                )
            )
        state.open.clear()
        state.done.clear()
        state.round += 1

    def void_bet(self, turn: CrownAndAnchorTurn, bet: VoidedBet) -> int:
        turn.state.open.pop(bet.bet, None)
        return turn.give_back(seat_purse(bet.seat), bet.stake - (bet.payout or 0))

    def legal(self, state: CrownAndAnchorState, seat: Seat) -> Iterable[PlaceBet | Done]:
        if self.result(state) is not None or seat in state.done:
            return
        yield Done()
        taken = {bet.symbol for bet in state.open.values() if bet.seat == seat}
        for stake in range(1, min(STAKE_MAX, state.purses[seat_purse(seat)]) + 1):
            yield from (PlaceBet(symbol, stake) for symbol in SYMBOLS if symbol not in taken)

    def view(self, state: CrownAndAnchorState, viewer: Seat | None) -> CrownAndAnchorView:
        return CrownAndAnchorView(
            options=state.options,
            round=state.round,
            purses={str(purse): held for purse, held in state.purses.items()},
            open=dict(state.open),
            done=tuple(state.done),
        )

    def bot(
        self, view: CrownAndAnchorView, legal: Iterable[PlaceBet | Done], chance: Chance
    ) -> PlaceBet | Done | None:
        """Bet on about two symbols, then be done."""
        commands = list(legal)
        if not commands or chance.below(3) == 0:
            return commands[0] if commands else None
        return chance.pick(commands)

    def book(self) -> Book:
        return BOOK

    def result(self, state: CrownAndAnchorState) -> Result | None:
        if state.round <= state.options.rounds:
            return None
        scores = tuple(state.purses[seat_purse(seat)] for seat in range(state.seats))
        ranked = (
            tuple(Seat(seat) for seat, held in enumerate(scores) if held == score)
            for score in sorted(set(scores), reverse=True)
        )
        return Result(tuple(ranked), scores)
