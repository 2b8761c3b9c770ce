"""The bets of a game, from its public events, to check the server's commands about bets."""

from collections.abc import Iterable, Iterator

import msgspec

from railbird_engine import BetPlaced, BetSettled, BetVoided, Event, VoidedBet
from railbird_engine.kernel.bets import void_events
from railbird_engine.kernel.server_commands import Voided


class PublicBet(msgspec.Struct):
    """A bet. `payout` is what its settlement moved; None while it is open."""

    seat: int
    stake: int
    payout: int | None = None
    is_void: bool = False


class PublicBets:
    """All bets of a game, by number."""

    def __init__(self) -> None:
        self._bets: dict[int, PublicBet] = {}

    def enter(self, events: Iterable[Event]) -> None:
        """Record public events. A bet whose event is private does not count yet."""
        for event in events:
            match event:
                case BetPlaced(only=None):
                    self._bets[event.bet] = PublicBet(event.seat, event.stake)
                case BetSettled(only=None):
                    self._bets[event.bet].payout = event.payout
                case BetVoided(only=None):
                    self._bets[event.bet].is_void = True
                case _:
                    pass

    def matches(self, void: VoidedBet) -> bool:
        """Whether a command to void a bet matches a bet that is not void yet."""
        bet = self._bets.get(void.bet)
        return bet is not None and bet == PublicBet(void.seat, void.stake, void.payout)

    def void_events(self, command: Voided) -> tuple[Event, ...]:
        """Return the events that follow when the whole game is voided."""
        return void_events(command, sorted(self._open()))

    def _open(self) -> Iterator[int]:
        return (
            number for number, bet in self._bets.items() if bet.payout is None and not bet.is_void
        )
