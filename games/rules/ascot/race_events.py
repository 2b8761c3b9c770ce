"""The facts from the Favourites to the prizes. The facts before them, and the union of all, are in
`events.py`."""

from typing import Literal

from games.engine import Event, Seat
from games.rules.ascot.commands import ColourChoice
from games.rules.ascot.data.printed import Hazard


class FavouriteNamed(Event, frozen=True, kw_only=True):
    """A seat named its Favourite, or none."""

    seat: Seat
    horse: int | None


class RunnerCalled(Event, frozen=True, kw_only=True):
    """The Bookmaker calls a runner and waits for the bets on it."""

    horse: int
    favourite_of: Seat | None


class BetRefrained(Event, frozen=True, kw_only=True):
    """A seat does not bet on the runner that is called."""

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
    """The Bookmaker agreed to a place bet, or did not."""

    contract: int
    is_agreed: bool


class ContractSettled(Event, frozen=True, kw_only=True):
    """A place bet was decided; `paid` went to the winner of the two."""

    contract: int
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
    """A throw of the race."""

    seat: Seat
    die: int


class ThrowAssigned(Event, frozen=True, kw_only=True):
    """The horse that uses the throw."""

    horse: int
    die: int


class ThrowWasted(Event, frozen=True, kw_only=True):
    """The throw could not be used: too high at the post, or the horse is down."""

    horse: int
    why: Literal["too_high", "down", "freed"]


class HorseMoved(Event, frozen=True, kw_only=True):
    """A horse ran along a path of rows and lanes; jostled: it was stopped short."""

    horse: int
    path: tuple[tuple[int, int], ...]
    why: Literal["throw", "colour", "inscription", "jostled", "back"]


class ColourUsed(Event, frozen=True, kw_only=True):
    """What an owner made of the square his horse reached."""

    horse: int
    choice: ColourChoice


class InscriptionObeyed(Event, frozen=True, kw_only=True):
    """A horse met an inscription; `has_effect` is false when it could not be followed."""

    horse: int
    code: str
    has_effect: bool


class HazardMet(Event, frozen=True, kw_only=True):
    """A horse is in danger; the named report averts it."""

    horse: int
    report: Hazard


class ReportUsed(Event, frozen=True, kw_only=True):
    """A report averted a danger."""

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
    """A horse passed the post; `disadvantages` its owner still held."""

    horse: int
    disadvantages: int


class HorseDisqualified(Event, frozen=True, kw_only=True):
    """A horse that passed the post does not count."""

    horse: int


class ObjectionsAwaited(Event, frozen=True, kw_only=True):
    """Before the arrival is confirmed, players may object."""

    horses: tuple[int, ...]


class RaceEnded(Event, frozen=True, kw_only=True):
    """The order of arrival stands: the first three, best first."""

    placed: tuple[int, ...]


class PrizePaid(Event, frozen=True, kw_only=True):
    """A prize went to the owner of a placed horse."""

    seat: Seat
    place: int
    amount: int


class TotalisatorPaid(Event, frozen=True, kw_only=True):
    """The totalisator was shared out: so many times the stake for each ticket on the winner; None:
    nobody backed it."""

    total: int
    backed: int
    factor: int | None


class FortunesPublished(Event, frozen=True, kw_only=True):
    """What each seat owns at the end."""

    fortunes: tuple[int, ...]
