"""The events up to the entries, and the union of all events.

Horses are named by number, assets by code (`horse:7`, `report:bridle`).
"""

from typing import Literal

from railbird_engine import BetPlaced, BetSettled, Event, Seat
from railbird_engine.rules.ascot.data.printed import Hazard, Office, Pack
from railbird_engine.rules.ascot.race_events import (
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
from railbird_engine.rules.ascot.state import DueReason, OpenOffer

DealKind = Literal["sale", "purchase", "exchange"]
DebtEnd = Literal["paid", "cancelled", "horse_sold"]
OfferEnd = Literal["withdrawn", "declined", "goods_gone", "not_covered", "too_late"]


class GameOpened(Event, frozen=True, kw_only=True):
    """The game began; `edition` is the hash of its printed content."""

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
    """The card that a seat took in the exchange."""

    seat: Seat
    card: str


class DiscardsMade(Event, frozen=True, kw_only=True):
    """All seats have discarded; `cards` counts the cards that go to auction."""

    cards: int


class LotOpened(Event, frozen=True, kw_only=True):
    """An asset is on sale; `seller` is null if it comes from the dead pile."""

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
    """An asset went to the highest bidder. The commission goes to the Auctioneer."""

    asset: str
    seller: Seat | None
    buyer: Seat
    price: int
    commission: int


class LotUnsold(Event, frozen=True, kw_only=True):
    """Nobody bid for an asset."""

    asset: str


class HandShown(Event, frozen=True, kw_only=True):
    """A seat showed the cards that it kept; `price` is what it owes for them."""

    seat: Seat
    cards: tuple[str, ...]
    price: int


class DebtOpened(Event, frozen=True, kw_only=True):
    """A seat cannot pay a seat, or the Bank (null), and must sell until it can."""

    seat: Seat
    payee: Seat | None
    office: Office | None
    amount: int
    reason: DueReason


class DebtClosed(Event, frozen=True, kw_only=True):
    """A forced sale ended: the creditor gets `paid`, the rest is `cancelled`.

    An entry is collected like all others (`horse_entered`), or its horse is scratched. If the horse
    was sold (`horse_sold`), its entry is due from the buyer instead.
    """

    seat: Seat
    how: DebtEnd
    paid: int
    cancelled: int


class TrainingThrown(Event, frozen=True, kw_only=True):
    """The dice of a turn in training."""

    seat: Seat
    dice: tuple[int, int]


class HorseTrained(Event, frozen=True, kw_only=True):
    """A horse advanced to a square of the loop; `square` is null once it is home in its box."""

    horse: int
    square: int | None


class HorseHeld(Event, frozen=True, kw_only=True):
    """A horse missed its move because of frost."""

    horse: int


class FrostMet(Event, frozen=True, kw_only=True):
    """A horse reached the frost; `is_held`: it will miss its next move."""

    horse: int
    is_held: bool


class ReportTaken(Event, frozen=True, kw_only=True):
    """A seat took a report; everybody reads it."""

    seat: Seat
    pack: Pack
    card: str


class ReportKept(Event, frozen=True, kw_only=True):
    """A seat kept a report for the race."""

    seat: Seat
    report: Hazard


class AdvantagesGained(Event, frozen=True, kw_only=True):
    """A horse won Advantages."""

    horse: int
    cards: int


class DisadvantagesGained(Event, frozen=True, kw_only=True):
    """A horse got Disadvantages."""

    horse: int
    cards: int


class DisadvantagesCleared(Event, frozen=True, kw_only=True):
    """A horse got rid of Disadvantages."""

    horse: int
    cards: int


class Strangled(Event, frozen=True, kw_only=True):
    """A seat's horses have strangles: its turn ends and it misses its next throw."""

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


class MoneyPaid(Event, frozen=True, kw_only=True):
    """A seat or the Bank (null) paid what it owed to a seat or to the Bank.

    Fees and payments of an `office` go to its holder or come from it.
    """

    payer: Seat | None
    payee: Seat | None
    office: Office | None
    amount: int
    reason: DueReason | Literal["banker_fee"]


class PreliminariesOpened(Event, frozen=True, kw_only=True):
    """The training is over; `runners_each` is the number of horses that each player runs."""

    runners_each: int


class OfferMade(Event, frozen=True, kw_only=True):
    """A private deal was proposed: a sale, a purchase, or goods for goods."""

    kind: DealKind
    details: OpenOffer


class OfferAccepted(Event, frozen=True, kw_only=True):
    """A seat accepted an offer; goods and money have changed hands."""

    offer: int
    seat: Seat


class OfferDeclined(Event, frozen=True, kw_only=True):
    """A seat turned an offer down."""

    offer: int
    seat: Seat


class OfferClosed(Event, frozen=True, kw_only=True):
    """An offer can no longer be accepted."""

    offer: int
    why: OfferEnd


class EntryChosen(Event, frozen=True, kw_only=True):
    """A seat chose the horses that it runs."""

    seat: Seat
    horses: tuple[int, ...]


class ReadyChanged(Event, frozen=True, kw_only=True):
    """A seat ended its trading, or trades again."""

    seat: Seat
    is_ready: bool


class HorseAssigned(Event, frozen=True, kw_only=True):
    """A player who lacked horses was assigned one at half its printed price."""

    horse: int
    seller: Seat
    buyer: Seat
    price: int


class HorseEntered(Event, frozen=True, kw_only=True):
    """A horse will run; its owner paid the entry to the Bank."""

    horse: int
    seat: Seat
    fee: int


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
    | MoneyPaid
    | PreliminariesOpened
    | OfferMade
    | OfferAccepted
    | OfferDeclined
    | OfferClosed
    | EntryChosen
    | ReadyChanged
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
