"""All that a game of L'Ascot knows, and what can be read off it. Inner structs travel as arrays to keep a step small."""

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from games.engine import Purse, Seat, State, seat_purse
from games.engine.contract import opening_purses
from games.rules.ascot.data.printed import (
    COLOURS,
    HAZARDS,
    OFFICES,
    Colour,
    Hazard,
    Office,
    Pack,
    Printed,
)
from games.rules.ascot.options import AscotOptions

PRIZE_FUND: Final = Purse("prize_fund")
"""The Bank of the rulebook, which starts empty and becomes the prizes. The engine's bank is the box the notes come from."""
TOTALISATOR: Final = Purse("totalisator")
ESCROW: Final = Purse("escrow")
"""What is at stake in private place bets."""

WHITE: Final = "white"
"""The Disadvantages in the stock of small cards, beside the four colours."""

Phase = Literal[
    "nomination",
    "exchange",
    "discard",
    "auction",
    "settlement",
    "training",
    "preliminaries",
    "surplus",
    "entry",
    "favourites",
    "betting",
    "race",
    "finished",
]
Fate = Literal[
    "training",
    "home",
    "eliminated",
    "surplus",
    "scratched",
    "running",
    "lost",
    "passed",
    "disqualified",
]


def office_purse(office: Office) -> Purse:
    """What an office takes in passes through its purse, so that its income can be read off the ledger."""
    return Purse(f"office:{office}")


def all_purses(seats: int) -> dict[Purse, int]:
    """Every purse of a desk."""
    offices = [office_purse(office) for office in OFFICES]
    return opening_purses(seats, PRIZE_FUND, TOTALISATOR, ESCROW, *offices)


class Clock(msgspec.Struct, array_like=True):
    """What is awaited from the clock: a number that names it and a delay; 0 means nothing is."""

    number: int = 0
    seconds: int = 0


class Horse(msgspec.Struct, array_like=True):
    """A horse that somebody owns. `progress` counts points since its box; row and lane are its place in the race."""

    owner: Seat
    fate: Fate = "training"
    progress: int = 0
    advantages: int = 0
    disadvantages: int = 0
    is_frozen: bool = False
    row: int = 0
    lane: int = 0
    is_down: bool = False
    is_waiting: bool = False


class PackState(msgspec.Struct, array_like=True):
    """A pack of reports: those nobody has drawn, in no order, and those put back under it, in theirs."""

    fresh: list[str]
    under: list[str] = []


class Lot(msgspec.Struct, array_like=True):
    """What is being sold to the highest bidder. `seller` None: the dead pile. `open_to` are the seats still bidding."""

    asset: str
    seller: Seat | None
    open_to: list[Seat]
    bidder: Seat | None = None
    price: int = 0

    @property
    def rivals(self) -> list[Seat]:
        """Who may still top the highest bid."""
        return [seat for seat in self.open_to if seat != self.bidder]


class Debt(msgspec.Struct, array_like=True):
    """A sum that a seat could not pay, which forces it to sell. `entry` is a horse to enter; `unsold` found no buyer."""

    seat: Seat
    target: Purse
    office: Office | None
    amount: int
    reason: str
    entry: int | None
    unsold: list[str] = []


class OpenOffer(msgspec.Struct, frozen=True):
    """A private deal that can be accepted. `seat` gives `gives` and `pays` for `takes` and `asks`.

    `to` None: the first seat that accepts gets it. `declined` are the seats that turned it down.
    """

    number: int
    seat: Seat
    to: Seat | None
    gives: tuple[str, ...]
    takes: tuple[str, ...]
    pays: int
    asks: int
    declined: tuple[Seat, ...] = ()


class Training(msgspec.Struct, array_like=True):
    """A turn in training. `queue` are the horses that still use this throw; `card` is a report that awaits its horse."""

    seat: Seat
    step: Literal["before_throw", "target", "moving", "club"] = "before_throw"
    dice: tuple[int, int] | None = None
    queue: list[int] = []
    has_drawn: bool = False
    pack: Pack | None = None
    card: str | None = None
    fee: int = 0


class Bet(msgspec.Struct, array_like=True):
    """A ticket of the totalisator."""

    number: int
    seat: Seat
    horse: int
    stake: int


class Contract(msgspec.Struct, array_like=True):
    """A place bet between a seat and the Bookmaker, agreed or only proposed."""

    number: int
    seat: Seat
    horse: int
    stake: int
    payout: int
    is_agreed: bool = False


class Arrival(msgspec.Struct, array_like=True):
    """A horse that passed the post, and how many Disadvantages its owner still held."""

    horse: int
    disadvantages: int


class SmallCards(msgspec.Struct, array_like=True):
    """The common hand of a player in the race: Advantages by colour, in the order of COLOURS, and Disadvantages."""

    advantages: list[int]
    disadvantages: int

    def count(self, colour: Colour) -> int:
        """How many Advantages of a colour are left."""
        return self.advantages[COLOURS.index(colour)]


class Race(msgspec.Struct, array_like=True):
    """The race and the turn in it. `left` are the horses still to be served; the flags are those of the horse being served."""

    seat: Seat
    hands: list[SmallCards]
    step: Literal["served", "throw", "assign", "move", "colour", "hazard", "objections"] = "served"
    """What is awaited; "served": the horse is done, the next one comes."""
    left: list[int] = []
    die: int = 0
    horse: int = 0
    points: int = 0
    cause: Literal["throw", "colour", "inscription"] = "throw"
    bound_by: str | None = None
    has_used_colour: bool = False
    has_used_inscription: bool = False
    hazard: Hazard | None = None
    arrivals: list[Arrival] = []


class AscotState(State, kw_only=True):
    """The desk. Hands, `dead` and `under` are secret; the rest is public, apart from what `view.py` says."""

    options: AscotOptions
    seats: int
    phase: Phase = "exchange"
    clock: Clock = msgspec.field(default_factory=Clock)
    hands: list[list[str]] = []
    """Lease cards held from the deal, hidden until they are paid for."""
    dead: list[str] = []
    """Cards of the dead pile that nobody has seen, in no order."""
    under: list[str] = []
    """Cards thrown under it in the exchange, in their order."""
    turn: Seat | None = None
    """Whose exchange it is."""
    votes: list[Seat | None] = []
    discards: list[list[str] | None] = []
    bills: list[int] = []
    """What each seat still has to pay for its kept cards."""
    horses: dict[int, Horse] = {}
    offices: dict[Office, Seat] = {}
    members: list[Seat] = []
    kept: list[list[Hazard]] = []
    """Reports that players keep."""
    packs: dict[Pack, PackState] = {}
    stock: dict[str, int] = {}
    """Small cards nobody holds, by colour; Disadvantages are white."""
    lot: Lot | None = None
    debt: Debt | None = None
    training: Training | None = None
    strangled: list[Seat] = []
    offers: list[OpenOffer] = []
    offer_count: int = 0
    answered: list[Seat] = []
    """Who has spoken in a step in which all speak at once."""
    runners_each: int = 0
    entries: dict[int, list[int]] = {}
    """Which horses a seat wants to run."""
    queue: list[int] = []
    """Horses to come: those for sale to short players, those whose entry is due, those to be called for bets."""
    favourites: list[int | None] = []
    bets: list[Bet] = []
    contracts: list[Contract] = []
    contract_count: int = 0
    race: Race | None = None
    placed: list[int] = []
    """The first three, best first, once the race is over."""


def cash(state: AscotState, seat: Seat) -> int:
    """The money a player holds."""
    return state.purses[seat_purse(seat)]


def reserved(printed: Printed, state: AscotState, seat: Seat) -> int:
    """What a player must be able to pay for the cards he keeps."""
    return sum(printed.leases[card] for card in state.hands[seat]) + (
        state.bills[seat] if state.bills else 0
    )


def holds_office(state: AscotState, seat: Seat, office: Office) -> bool:
    """Whether a seat holds this office openly."""
    return state.offices.get(office) == seat


def is_member(state: AscotState, seat: Seat) -> bool:
    """Whether a seat is in the Club; its Commissioner always is (Rulebook, "Membres du Club")."""
    return seat in state.members or holds_office(state, seat, "club")


def horses_of(state: AscotState, seat: Seat, *fates: Fate) -> list[int]:
    """The horses of a seat with one of these fates, in number order."""
    return sorted(
        number
        for number, horse in state.horses.items()
        if horse.owner == seat and horse.fate in fates
    )


def clockwise(state: AscotState, first: int) -> Iterator[Seat]:
    """All seats once, from this one on."""
    for step in range(state.seats):
        yield Seat((first + step) % state.seats)


def may_hold(state: AscotState, seat: Seat, asset: str) -> bool:
    """Whether owning this asset would leave the seat with one stable at most (Ruling A6), its hidden cards included."""
    stables = {"office:walroy": "office:stevens", "office:stevens": "office:walroy"}
    other = stables.get(asset)
    return other is None or (other not in assets_of(state, seat) and other not in state.hands[seat])


def assets_of(state: AscotState, seat: Seat) -> list[str]:
    """What a seat openly owns and could sell: horses still in the game, offices of use, kept reports."""
    horses = [f"horse:{number}" for number in horses_of(state, seat, "training", "home", "running")]
    offices = [
        f"office:{office}"
        for office in OFFICES
        if office != "auctioneer" and holds_office(state, seat, office)
    ]
    reports = [f"report:{hazard}" for hazard in HAZARDS if hazard in state.kept[seat]]
    return horses + offices + reports


def kind_and_name(asset: str) -> tuple[str, str]:
    """`horse:7` is a horse named 7."""
    kind, _, name = asset.partition(":")
    return kind, name
