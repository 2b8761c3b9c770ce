"""A game for load tests: players bet on free spots, and a full board is cleared.

It is not in the catalogue.
"""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from railbird_engine import (
    BANK,
    BetPlaced,
    BetSettled,
    Chance,
    CoinFault,
    Command,
    Options,
    Result,
    Rules,
    RuleViolation,
    Seat,
    State,
    Turn,
    View,
    VoidedBet,
    opening_purses,
    seat_purse,
)

SPOTS = 68
STAKE = 1


class FreeSpotsOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`boards`: the number of full boards that end the game; 0 means never. `spots`: those of a
    board."""

    boards: int = 0
    spots: Annotated[int, Meta(ge=1, le=SPOTS)] = SPOTS


class FreeSpotsState(State, kw_only=True):
    """`taken` maps a spot to its seat and bet."""

    seats: int
    boards: int
    spots: int
    filled: int = 0
    bets: int = 0
    taken: dict[int, tuple[Seat, int]] = {}


class FreeSpotsView(View, frozen=True, kw_only=True):
    """The whole state: nothing is secret."""

    purses: dict[str, int]
    taken: dict[int, Seat]


class TakeSpot(Command, frozen=True):
    """Bet on a spot, 0 to 67."""

    spot: Annotated[int, Meta(ge=0, lt=256)]


class FreeSpots(Rules[FreeSpotsOptions, FreeSpotsState, TakeSpot, BetPlaced | BetSettled]):
    """Spots go to the first player who takes them; without `boards` the game never ends."""

    slug = "free_spots"
    title = {"en": "Free spots", "fr": "Places libres"}
    seats = range(1, 69)
    unit = "chip"
    version = 1
    sole_commands = {TakeSpot: "the last spot must be taken"}
    refusals = frozenset({"not_now", "spot_taken", "unknown_spot"})

    def setup(self, seats: int, options: FreeSpotsOptions) -> FreeSpotsState:
        return FreeSpotsState(
            purses=opening_purses(seats),
            seats=seats,
            boards=options.boards,
            spots=options.spots,
        )

    def deal(self, turn: Turn[FreeSpotsState, BetPlaced | BetSettled]) -> None:
        for seat in range(turn.state.seats):
            turn.pay(BANK, seat_purse(seat), 1_000_000_000, "grant")

    def play(
        self, turn: Turn[FreeSpotsState, BetPlaced | BetSettled], seat: Seat, command: TakeSpot
    ) -> None:
        state = turn.state
        if self.result(state) is not None:
            raise RuleViolation("not_now")
        if command.spot >= state.spots:
            raise RuleViolation("unknown_spot", spot=command.spot)
        if command.spot in state.taken:
            raise RuleViolation("spot_taken", spot=command.spot)
        turn.pay(seat_purse(seat), BANK, STAKE, "stake")
        state.bets += 1
        state.taken[command.spot] = (seat, state.bets)
        turn.emit(
            BetPlaced(bet=state.bets, seat=seat, spot=str(command.spot), stake=STAKE, odds="1x")
        )
        if len(state.taken) == state.spots:
            for spot, (winner, bet) in state.taken.items():
                turn.pay(BANK, seat_purse(winner), STAKE, "board")
                turn.emit(
                    BetSettled(bet=bet, seat=winner, spot=str(spot), outcome="won", payout=STAKE)
                )
            state.taken.clear()
            state.filled += 1

    def void_bet(self, turn: Turn[FreeSpotsState, BetPlaced | BetSettled], bet: VoidedBet) -> int:
        if bet.payout is None:
            taken = turn.state.taken
            del taken[next(spot for spot, (_, number) in taken.items() if number == bet.bet)]
        return turn.give_back(seat_purse(bet.seat), bet.stake - (bet.payout or 0))

    def legal(self, state: FreeSpotsState, seat: Seat) -> Iterable[TakeSpot]:
        if self.result(state) is None:
            yield from (TakeSpot(spot) for spot in range(state.spots) if spot not in state.taken)

    def awaited(self, state: FreeSpotsState) -> frozenset[Seat]:
        over = self.result(state) is not None
        return frozenset() if over else frozenset(Seat(seat) for seat in range(state.seats))

    def view(self, state: FreeSpotsState, viewer: Seat | None) -> FreeSpotsView:
        taken = {spot: seat for spot, (seat, _) in state.taken.items()}
        return FreeSpotsView(
            purses={str(purse): held for purse, held in state.purses.items()}, taken=taken
        )

    def bot(
        self, view: FreeSpotsView, legal: Iterable[TakeSpot], chance: Chance
    ) -> TakeSpot | None:
        return chance.pick(list(legal))

    def unfit_for_coins(self, options: FreeSpotsOptions) -> CoinFault | None:
        return None  # It waits for no seat in particular.

    def result(self, state: FreeSpotsState) -> Result | None:
        if not state.boards or state.filled < state.boards:
            return None
        scores = tuple(state.purses[seat_purse(seat)] for seat in range(state.seats))
        best = sorted(set(scores), reverse=True)
        return Result(
            tuple(
                tuple(Seat(s) for s in range(state.seats) if scores[s] == score) for score in best
            ),
            scores,
        )
