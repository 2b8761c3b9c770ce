"""What a seat may ask for, in the order of the game. Goods are named by codes: `horse:7`,
`office:farrier`, `report:bridle`."""

from typing import Annotated, Literal

import msgspec

from games.engine import Command, Seat
from games.rules.ascot.data.printed import Pack

Asset = Annotated[str, msgspec.Meta(max_length=40)]
HorseNumber = Annotated[int, msgspec.Meta(ge=1, le=12)]
Money = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
ColourChoice = Literal[
    "extra_rows", "drop_disadvantage", "advantage_for_rows", "advantage_to_drop", "nothing"
]


class Nominate(Command, frozen=True):
    """Vote for the Auctioneer, when nobody was dealt his card."""

    candidate: Seat


class Exchange(Command, frozen=True):
    """Throw one card under the dead pile and take its top card."""

    card: Asset


class Discard(Command, frozen=True):
    """Throw cards into the dead pile, or none, and keep the rest for good."""

    cards: Annotated[tuple[Asset, ...], msgspec.Meta(max_length=20)]


class Reveal(Command, frozen=True):
    """The Auctioneer shows the next card of the pile."""


class Bid(Command, frozen=True):
    """Bid for the card or asset on sale."""

    asset: Asset
    amount: Money


class Pass(Command, frozen=True):
    """Leave the bidding for this card or asset."""

    asset: Asset


class Hammer(Command, frozen=True):
    """The Auctioneer knocks the card down, once nobody else is bidding."""


class PutUp(Command, frozen=True):
    """In a forced sale: offer this asset to the other players."""

    asset: Asset


class TakeReport(Command, frozen=True):
    """As a member of the Club: take a report before the throw."""

    pack: Pack


class ApplyReport(Command, frozen=True):
    """Choose the horse to which the report just taken applies."""

    horse: HorseNumber


class Throw(Command, frozen=True):
    """Throw the dice of the training, or the die of the race."""


class JoinClub(Command, frozen=True):
    """Pay the fee and take a member card."""


class DeclineClub(Command, frozen=True):
    """Stay out of the Club this time."""


class Offer(Command, frozen=True):
    """Propose a private deal to one seat, or to everyone (None): what I give and pay for what I
    take and ask."""

    to: Seat | None
    gives: Annotated[tuple[Asset, ...], msgspec.Meta(max_length=12)] = ()
    takes: Annotated[tuple[Asset, ...], msgspec.Meta(max_length=12)] = ()
    pays: Money = 0
    asks: Money = 0


class Accept(Command, frozen=True):
    """Take an offer."""

    offer: int


class Decline(Command, frozen=True):
    """Turn an offer down."""

    offer: int


class Withdraw(Command, frozen=True):
    """Take back my own offer."""

    offer: int


class Enter(Command, frozen=True):
    """Say which of my horses run, should I own too many."""

    horses: Annotated[tuple[HorseNumber, ...], msgspec.Meta(max_length=12)]


class Ready(Command, frozen=True):
    """I have no more deals to make."""


class NameFavourite(Command, frozen=True):
    """Name one of my runners my Favourite, or none."""

    horse: HorseNumber | None


class PlaceBet(Command, frozen=True):
    """Stake on the runner that is being called."""

    horse: HorseNumber
    stake: Money


class NoBet(Command, frozen=True):
    """No bet on the runner that is being called."""

    horse: HorseNumber


class ProposePlaceBet(Command, frozen=True):
    """Propose to the Bookmaker: my stake against his payout that this horse comes in among the
    first three."""

    horse: HorseNumber
    stake: Money
    payout: Money


class AcceptPlaceBet(Command, frozen=True):
    """As the Bookmaker: agree to a place bet; both sides are put in escrow."""

    contract: int


class DeclinePlaceBet(Command, frozen=True):
    """As the Bookmaker: turn a place bet down."""

    contract: int


class Assign(Command, frozen=True):
    """Say which horse uses the throw: the Favourite, or the next in order."""

    horse: HorseNumber


class Move(Command, frozen=True):
    """Run to the end square in this lane."""

    lane: Annotated[int, msgspec.Meta(ge=1, le=6)]


class ChooseColour(Command, frozen=True):
    """Say what to do with the square that was reached."""

    choice: ColourChoice


class UseReport(Command, frozen=True):
    """Avert the danger with a report."""


class DeclineReport(Command, frozen=True):
    """Let the danger take its course."""


class Object(Command, frozen=True):
    """Object to a finisher whose owner kept Disadvantages (option `manual_objection`)."""

    horse: HorseNumber


class Confirm(Command, frozen=True):
    """No objection to the order of arrival."""


AscotCommand = (
    Nominate
    | Exchange
    | Discard
    | Reveal
    | Bid
    | Pass
    | Hammer
    | PutUp
    | TakeReport
    | ApplyReport
    | Throw
    | JoinClub
    | DeclineClub
    | Offer
    | Accept
    | Decline
    | Withdraw
    | Enter
    | Ready
    | NameFavourite
    | PlaceBet
    | NoBet
    | ProposePlaceBet
    | AcceptPlaceBet
    | DeclinePlaceBet
    | Assign
    | Move
    | ChooseColour
    | UseReport
    | DeclineReport
    | Object
    | Confirm
)
