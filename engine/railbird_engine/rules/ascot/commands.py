"""The commands, in the order of the game. Assets have codes: `horse:7`, `report:bridle`."""

from typing import Annotated, Literal

import msgspec

from railbird_engine import Command, Seat
from railbird_engine.rules.ascot.data.printed import Pack

Asset = Annotated[str, msgspec.Meta(max_length=40)]
HorseNumber = Annotated[int, msgspec.Meta(ge=1, le=12)]
Money = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
ColourChoice = Literal[
    "extra_rows", "drop_disadvantage", "advantage_for_rows", "advantage_to_drop", "nothing"
]


class Nominate(Command, frozen=True):
    """Vote for an Auctioneer, if nobody was dealt the card."""

    candidate: Seat


class Exchange(Command, frozen=True):
    """Throw one card under the dead pile and take its top card."""

    card: Asset


class Discard(Command, frozen=True):
    """Throw any number of cards into the dead pile; you keep and pay for the rest."""

    cards: Annotated[tuple[Asset, ...], msgspec.Meta(max_length=20)]


class Bid(Command, frozen=True):
    """Bid for the asset on sale."""

    asset: Asset
    amount: Money


class Pass(Command, frozen=True):
    """Leave the bidding for this asset."""

    asset: Asset


class PutUp(Command, frozen=True):
    """Offer an asset to the other players in a forced sale."""

    asset: Asset


class TakeReport(Command, frozen=True):
    """Take a report before the throw (members of the Club only)."""

    pack: Pack


class ApplyReport(Command, frozen=True):
    """Choose the horse to which the report applies."""

    horse: HorseNumber


class Throw(Command, frozen=True):
    """Throw the dice of the training without taking a report (members of the Club only).

    The server throws for seats that have no choice.
    """


class JoinClub(Command, frozen=True):
    """Pay the fee and take a member card."""


class DeclineClub(Command, frozen=True):
    """Do not join the Club now."""


class Offer(Command, frozen=True):
    """Offer a private deal to one seat, or to every seat (`to` null).

    You give `gives` and pay `pays`; you get `takes` and `asks`.
    """

    to: Seat | None
    gives: Annotated[tuple[Asset, ...], msgspec.Meta(max_length=12)] = ()
    takes: Annotated[tuple[Asset, ...], msgspec.Meta(max_length=12)] = ()
    pays: Money = 0
    asks: Money = 0


class Accept(Command, frozen=True):
    """Accept an offer."""

    offer: int


class Decline(Command, frozen=True):
    """Turn an offer down."""

    offer: int


class Withdraw(Command, frozen=True):
    """Withdraw your own offer."""

    offer: int


class Enter(Command, frozen=True):
    """Choose the horses that run if you own too many: as many as you may run."""

    horses: Annotated[tuple[HorseNumber, ...], msgspec.Meta(max_length=12)]


class Ready(Command, frozen=True):
    """End your trading; the race is prepared when every seat is ready."""


class NotReady(Command, frozen=True):
    """Trade again, as long as not every seat is ready."""


class NameFavourite(Command, frozen=True):
    """Name one of your runners your Favourite, or none."""

    horse: HorseNumber | None


class PlaceBet(Command, frozen=True):
    """Buy a ticket on the runner that is called."""

    horse: HorseNumber
    stake: Money


class NoBet(Command, frozen=True):
    """Do not bet on the runner that is called."""

    horse: HorseNumber


class ProposePlaceBet(Command, frozen=True):
    """Propose a place bet to the Bookmaker: the horse comes in among the first three.

    You stake `stake`; `payout` is what you get if you win, your stake included.
    """

    horse: HorseNumber
    stake: Money
    payout: Money


class AcceptPlaceBet(Command, frozen=True):
    """Accept a place bet (Bookmaker only); both stakes go to escrow."""

    contract: int


class DeclinePlaceBet(Command, frozen=True):
    """Turn a place bet down (Bookmaker only)."""

    contract: int


class Assign(Command, frozen=True):
    """Choose the horse that uses the throw: the Favourite or the next in order."""

    horse: HorseNumber


class Move(Command, frozen=True):
    """Run to the end square in this lane."""

    lane: Annotated[int, msgspec.Meta(ge=1, le=6)]


class ChooseColour(Command, frozen=True):
    """Choose how to use the colour of the square."""

    choice: ColourChoice


class UseReport(Command, frozen=True):
    """Avert the hazard with a report."""


class DeclineReport(Command, frozen=True):
    """Let the hazard happen."""


class Object(Command, frozen=True):
    """Object to a horse whose owner kept Disadvantages (option `manual_objection`)."""

    horse: HorseNumber


class Confirm(Command, frozen=True):
    """Raise no objection to the order of arrival."""


AscotCommand = (
    Nominate
    | Exchange
    | Discard
    | Bid
    | Pass
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
    | NotReady
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
