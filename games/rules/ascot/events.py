"""The facts of a game of L'Ascot. Horses go by their number, goods by their code (`horse:7`, `report:bridle`)."""

from typing import Literal

from games.engine import BetPlaced, BetSettled, Event, Seat
from games.rules.ascot.commands import ColourChoice
from games.rules.ascot.printed import Hazard, Office, Pack

OfferEnd = Literal["withdrawn", "declined", "goods_gone", "too_late"]


class TableOpened(Event, frozen=True, kw_only=True):
    """The game began with these tables of printed content."""

    edition: str
    banker: Seat
    dealer: Seat


class HandDealt(Event, frozen=True, kw_only=True):
    """A seat was dealt these lease cards."""

    seat: Seat
    cards: tuple[str, ...]


class Nominated(Event, frozen=True, kw_only=True):
    """A seat voted for an Auctioneer."""

    seat: Seat
    candidate: Seat


class AuctioneerNamed(Event, frozen=True, kw_only=True):
    """A seat is the Auctioneer, because it was dealt the card or because the players agreed."""

    seat: Seat
    was_dealt: bool


class CardExchanged(Event, frozen=True, kw_only=True):
    """A seat threw a card under the dead pile and took its top card."""

    seat: Seat


class CardTaken(Event, frozen=True, kw_only=True):
    """The card a seat took in the exchange."""

    seat: Seat
    card: str


class DiscardsMade(Event, frozen=True, kw_only=True):
    """All have discarded; so many cards go to auction."""

    cards: int


class LotOpened(Event, frozen=True, kw_only=True):
    """A card or an asset is on sale; `seller` None: from the dead pile."""

    asset: str
    seller: Seat | None


class BidMade(Event, frozen=True, kw_only=True):
    """A seat bid."""

    seat: Seat
    asset: str
    amount: int


class BidderLeft(Event, frozen=True, kw_only=True):
    """A seat left the bidding."""

    seat: Seat
    asset: str


class LotSold(Event, frozen=True, kw_only=True):
    """A card or an asset went to the highest bidder."""

    asset: str
    seller: Seat | None
    buyer: Seat
    price: int
    commission: int


class LotUnsold(Event, frozen=True, kw_only=True):
    """Nobody bought a card or an asset."""

    asset: str


class HandShown(Event, frozen=True, kw_only=True):
    """A seat turned up the cards it kept, which cost it so much."""

    seat: Seat
    cards: tuple[str, ...]
    price: int


class DebtOpened(Event, frozen=True, kw_only=True):
    """A seat cannot pay and has to sell."""

    seat: Seat
    amount: int
    reason: str


class DebtClosed(Event, frozen=True, kw_only=True):
    """The creditor got `paid`; the rest was cancelled."""

    seat: Seat
    paid: int
    cancelled: int


class TrainingThrown(Event, frozen=True, kw_only=True):
    """The dice of a turn in training."""

    seat: Seat
    dice: tuple[int, int]


class HorseTrained(Event, frozen=True, kw_only=True):
    """A horse advanced to a square of the loop; None: home into its box."""

    horse: int
    square: int | None


class HorseHeld(Event, frozen=True, kw_only=True):
    """A horse missed its move because of frost."""

    horse: int


class FrostMet(Event, frozen=True, kw_only=True):
    """A horse stands in the frost and will miss its next move, unless its owner is a member."""

    horse: int
    is_held: bool


class ReportTaken(Event, frozen=True, kw_only=True):
    """A report was read out."""

    seat: Seat
    pack: Pack
    card: str


class ReportKept(Event, frozen=True, kw_only=True):
    """A seat keeps a report for the race."""

    seat: Seat
    report: Hazard


class AdvantagesGained(Event, frozen=True, kw_only=True):
    """Advantages were laid on the card of a horse."""

    horse: int
    cards: int


class DisadvantagesGained(Event, frozen=True, kw_only=True):
    """Disadvantages were laid on the card of a horse."""

    horse: int
    cards: int


class DisadvantagesCleared(Event, frozen=True, kw_only=True):
    """Disadvantages were taken off the card of a horse."""

    horse: int
    cards: int


class Strangled(Event, frozen=True, kw_only=True):
    """Strangles: the seat stops at once and misses its next throw."""

    seat: Seat


class TurnSkipped(Event, frozen=True, kw_only=True):
    """A seat missed its throw because of strangles."""

    seat: Seat


class HorseEliminated(Event, frozen=True, kw_only=True):
    """A horse left the game in training, with its small cards."""

    horse: int


class ClubOffered(Event, frozen=True, kw_only=True):
    """A seat may join the Club for this fee."""

    seat: Seat
    fee: int


class ClubJoined(Event, frozen=True, kw_only=True):
    """A seat took a member card."""

    seat: Seat


class FeeCharged(Event, frozen=True, kw_only=True):
    """A fee fell due to the holder of an office; None: the office has none, and the Bank gets it."""

    seat: Seat
    office: Office
    holder: Seat | None
    amount: int


class PreliminariesOpened(Event, frozen=True, kw_only=True):
    """Offices and member cards are withdrawn; each player is to run so many horses."""

    runners_each: int


class OfferMade(Event, frozen=True, kw_only=True):
    """A private deal was proposed."""

    offer: int
    seat: Seat
    to: Seat | None
    gives: tuple[str, ...]
    takes: tuple[str, ...]
    pays: int
    asks: int


class OfferAccepted(Event, frozen=True, kw_only=True):
    """A deal was struck; what it said has changed hands."""

    offer: int
    seat: Seat


class OfferDeclined(Event, frozen=True, kw_only=True):
    """A seat turned a deal down."""

    offer: int
    seat: Seat


class OfferClosed(Event, frozen=True, kw_only=True):
    """An offer can no longer be accepted."""

    offer: int
    why: OfferEnd


class EntryChosen(Event, frozen=True, kw_only=True):
    """A seat said which of its horses run."""

    seat: Seat
    horses: tuple[int, ...]


class HorseAssigned(Event, frozen=True, kw_only=True):
    """A player short of horses had to take one at half its printed price."""

    horse: int
    seller: Seat
    buyer: Seat
    price: int


class HorseEntered(Event, frozen=True, kw_only=True):
    """A horse will run; its entry is paid."""

    horse: int
    seat: Seat


class HorseScratched(Event, frozen=True, kw_only=True):
    """A horse will not run; its small cards leave the game with it."""

    horse: int


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
    """The totalisator was shared out: so many times the stake for each ticket on the winner; None: nobody backed it."""

    total: int
    backed: int
    factor: int | None


class FortunesPublished(Event, frozen=True, kw_only=True):
    """What each seat owns at the end."""

    fortunes: tuple[int, ...]


AscotEvent = (
    BetPlaced
    | BetSettled
    | TableOpened
    | HandDealt
    | Nominated
    | AuctioneerNamed
    | CardExchanged
    | CardTaken
    | DiscardsMade
    | LotOpened
    | BidMade
    | BidderLeft
    | LotSold
    | LotUnsold
    | HandShown
    | DebtOpened
    | DebtClosed
    | TrainingThrown
    | HorseTrained
    | HorseHeld
    | FrostMet
    | ReportTaken
    | ReportKept
    | AdvantagesGained
    | DisadvantagesGained
    | DisadvantagesCleared
    | Strangled
    | TurnSkipped
    | HorseEliminated
    | ClubOffered
    | ClubJoined
    | FeeCharged
    | PreliminariesOpened
    | OfferMade
    | OfferAccepted
    | OfferDeclined
    | OfferClosed
    | EntryChosen
    | HorseAssigned
    | HorseEntered
    | HorseScratched
    | FavouriteNamed
    | RunnerCalled
    | BetRefrained
    | ContractProposed
    | ContractAnswered
    | ContractSettled
    | StartThrown
    | StarterFound
    | RaceThrown
    | ThrowAssigned
    | ThrowWasted
    | HorseMoved
    | ColourUsed
    | InscriptionObeyed
    | HazardMet
    | ReportUsed
    | HorseFell
    | HorseLost
    | HorseWaits
    | HorsePassed
    | HorseDisqualified
    | ObjectionsAwaited
    | RaceEnded
    | PrizePaid
    | TotalisatorPaid
    | FortunesPublished
)
