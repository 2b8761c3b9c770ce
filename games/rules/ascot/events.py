"""The facts of a game of L'Ascot up to the entries, and the union of all facts.

Horses go by their number, goods by their code (`horse:7`, `report:bridle`).
"""

from typing import Literal

from games.engine import BetPlaced, BetSettled, Event, Seat
from games.rules.ascot.data.printed import Hazard, Office, Pack
from games.rules.ascot.race_events import (
    BetRefrained,
    ColourUsed,
    ContractAnswered,
    ContractProposed,
    ContractSettled,
    FavouriteNamed,
    FortunesPublished,
    HazardMet,
    HorseDisqualified,
    HorseFell,
    HorseLost,
    HorseMoved,
    HorsePassed,
    HorseWaits,
    InscriptionObeyed,
    ObjectionsAwaited,
    PrizePaid,
    RaceEnded,
    RaceThrown,
    ReportUsed,
    RunnerCalled,
    StarterFound,
    StartThrown,
    ThrowAssigned,
    ThrowWasted,
    TotalisatorPaid,
)
from games.rules.ascot.state import OpenOffer

OfferEnd = Literal["withdrawn", "declined", "goods_gone", "too_late"]


class GameOpened(Event, frozen=True, kw_only=True):
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
    """A fee fell due to the holder of an office; None: the office has none, and the Bank gets
    it."""

    seat: Seat
    office: Office
    holder: Seat | None
    amount: int


class PreliminariesOpened(Event, frozen=True, kw_only=True):
    """Offices and member cards are withdrawn; each player is to run so many horses."""

    runners_each: int


class OfferMade(Event, frozen=True, kw_only=True):
    """A private deal was proposed."""

    details: OpenOffer


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


AscotEvent = (
    BetPlaced
    | BetSettled
    | GameOpened
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
