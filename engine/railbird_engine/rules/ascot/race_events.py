"""The events from the Favourites to the prizes; `events.py` has the others and the union."""

from typing import Literal

from railbird_engine import Event, Seat
from railbird_engine.rules.ascot.commands import ColourChoice
from railbird_engine.rules.ascot.data.printed import Hazard


class FavouriteNamed(Event, frozen=True, kw_only=True):
    """A seat named its Favourite, or none."""

    seat: Seat
    horse: int | None


class RunnerCalled(Event, frozen=True, kw_only=True):
    """A runner is called, and bets on it are awaited."""

    horse: int
    favourite_of: Seat | None


class BetRefrained(Event, frozen=True, kw_only=True):
    """A seat does not bet on the called runner."""

    seat: Seat
    horse: int


class ContractProposed(Event, frozen=True, kw_only=True):
    """A seat proposed a place bet to the Bookmaker."""

    contract: int
    seat: Seat
    horse: int
    stake: int
    payout: int


class ContractAnswered(Event, frozen=True, kw_only=True):
    """The Bookmaker agreed to a place bet of a seat or turned it down.

    If agreed, the seat's stake and the rest of the payout, from the Bookmaker, are in escrow.
    """

    contract: int
    seat: Seat
    bookmaker: Seat
    is_agreed: bool
    stake: int
    payout: int


class ContractSettled(Event, frozen=True, kw_only=True):
    """A place bet was won or lost; `paid` went from escrow to `seat`."""

    contract: int
    seat: Seat
    is_won: bool
    paid: int


class StartThrown(Event, frozen=True, kw_only=True):
    """A seat threw for the start."""

    seat: Seat
    die: int


class StarterFound(Event, frozen=True, kw_only=True):
    """The seat with the highest throw starts the race."""

    seat: Seat


class RaceThrown(Event, frozen=True, kw_only=True):
    """A seat threw the die of the race."""

    seat: Seat
    die: int


class ThrowAssigned(Event, frozen=True, kw_only=True):
    """A horse uses the throw."""

    horse: int
    die: int


class ThrowWasted(Event, frozen=True, kw_only=True):
    """A throw moved nothing: too high for the post, or the horse is down or just freed."""

    horse: int
    why: Literal["too_high", "down", "freed"]


class HorseMoved(Event, frozen=True, kw_only=True):
    """A horse ran along a path of (row, lane); `jostled`: it was stopped short."""

    horse: int
    path: tuple[tuple[int, int], ...]
    why: Literal["throw", "colour", "inscription", "jostled", "back"]


class ColourUsed(Event, frozen=True, kw_only=True):
    """An owner chose how to use the square that the horse reached."""

    horse: int
    choice: ColourChoice


class InscriptionObeyed(Event, frozen=True, kw_only=True):
    """A horse met an inscription; `has_effect` is false when it could not be followed."""

    horse: int
    code: str
    has_effect: bool


class HazardMet(Event, frozen=True, kw_only=True):
    """A horse met a hazard; this report averts it."""

    horse: int
    report: Hazard


class ReportUsed(Event, frozen=True, kw_only=True):
    """A report averted a hazard."""

    seat: Seat
    horse: int
    report: Hazard


class HorseFell(Event, frozen=True, kw_only=True):
    """A horse fell; it waits for a 6."""

    horse: int


class HorseLost(Event, frozen=True, kw_only=True):
    """A horse is out of the race."""

    horse: int


class HorseWaits(Event, frozen=True, kw_only=True):
    """A horse has no throw next turn."""

    horse: int


class HorsePassed(Event, frozen=True, kw_only=True):
    """A horse passed the post; its owner still held `disadvantages`."""

    horse: int
    disadvantages: int


class HorseDisqualified(Event, frozen=True, kw_only=True):
    """A horse that passed the post does not count."""

    horse: int


class ObjectionsAwaited(Event, frozen=True, kw_only=True):
    """Before the arrival is confirmed, players may object."""

    horses: tuple[int, ...]


class RaceEnded(Event, frozen=True, kw_only=True):
    """The order of arrival is final: the first three, best first."""

    placed: tuple[int, ...]


class PrizePaid(Event, frozen=True, kw_only=True):
    """A prize went to the owner of a placed horse."""

    seat: Seat
    place: int
    amount: int


class TotalisatorPaid(Event, frozen=True, kw_only=True):
    """The totalisator was paid out: `factor` times the stake for each ticket on the winner.

    `factor` is `total` less the `commission`, divided by `backed`, the stakes on the winner, and
    rounded down. `how`: tickets are paid, get their `stakes_back` or `nothing` because the factor
    would be 0, or nobody backed the winner (`unbacked`: `factor` is 0). `rest` is what the tickets
    leave, the commission included; it went to the `bookmaker` (null: out of the game).
    """

    total: int
    commission: int
    backed: int
    factor: int
    how: Literal["paid", "stakes_back", "nothing", "unbacked"]
    bookmaker: Seat | None
    rest: int


class FortunesPublished(Event, frozen=True, kw_only=True):
    """The money of each seat at the end."""

    fortunes: tuple[int, ...]
