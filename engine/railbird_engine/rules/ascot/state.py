"""The state of a game, and simple questions about it.

Frozen structs are shared with drafts, events and views. The others are encoded as arrays.
"""

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from railbird_engine import Purse, Seat, State, opening_purses, seat_purse
from railbird_engine.rules.ascot.commands import ColourChoice
from railbird_engine.rules.ascot.data.printed import (
    COLOURS,
    HAZARDS,
    OFFICES,
    Colour,
    Hazard,
    Office,
    Pack,
    Printed,
)
from railbird_engine.rules.ascot.options import AscotOptions
from railbird_engine.rules.ascot.path import Path, Place
from railbird_engine.rules.ascot.race_events import TotalisatorPaid

PRIZE_FUND: Final = Purse("prize_fund")
"""The Bank of the rulebook: it starts empty and becomes the prizes.

The engine's bank is the box of notes.
"""
TOTALISATOR: Final = Purse("totalisator")
ESCROW: Final = Purse("escrow")
"""The stakes of private place bets."""

CHANGES_MAX: Final = 40
"""The offers, proposals and changes of mind that a seat has in one phase (Ruling B16)."""

WHITE: Final = "white"
"""The key of the Disadvantages in the stock of small cards; Advantages go by colour."""

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
DueReason = Literal["kept_cards", "training", "report", "membership", "dues", "entry"]
"""The reasons for which a player owes money."""
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
    """The purse through which the income of an office passes, so that the ledger shows it."""
    return Purse(f"office:{office}")


def all_purses(seats: int) -> dict[Purse, int]:
    """Every purse of a game, empty."""
    offices = [office_purse(office) for office in OFFICES]
    return opening_purses(seats, PRIZE_FUND, TOTALISATOR, ESCROW, *offices)


class Clock(msgspec.Struct, array_like=True):
    """The alarm: its number and its delay in seconds. Without a delay no alarm is set."""

    number: int = 0
    seconds: int = 0


class Horse(msgspec.Struct, frozen=True):
    """A horse with an owner; row 0 is the start line of the race.

    `progress` counts its points in the training, `square` is its square on the loop, or null in its
    box and after the training.
    """

    owner: Seat
    fate: Fate = "training"
    progress: int = 0
    square: int | None = None
    advantages: int = 0
    disadvantages: int = 0
    is_frozen: bool = False
    row: int = 0
    lane: int = 0
    is_down: bool = False
    is_waiting: bool = False

    @property
    def place(self) -> Place:
        """The place of the horse in the race."""
        return self.row, self.lane


class PackState(msgspec.Struct, array_like=True):
    """A pack of reports: those never drawn, in no order, then those put back, in their order."""

    fresh: list[str]
    under: list[str] = []


class Lot(msgspec.Struct, array_like=True):
    """An asset on sale to the highest bidder.

    `seller` is None if it comes from the dead pile. `open_to` are the seats that may still bid.
    """

    asset: str
    seller: Seat | None
    open_to: list[Seat]
    bidder: Seat | None = None
    price: int = 0

    @property
    def rivals(self) -> list[Seat]:
        """The seats that may still top the highest bid."""
        return [seat for seat in self.open_to if seat != self.bidder]


class Debt(msgspec.Struct, array_like=True):
    """A sum that a seat cannot pay, which forces it to sell.

    `payee` is a seat, or null for the Bank. `entry` is the horse whose entry is due. Assets in
    `unsold` found no buyer.
    """

    seat: Seat
    payee: Seat | None
    office: Office | None
    amount: int
    reason: DueReason
    entry: int | None
    unsold: list[str] = []


class OpenOffer(msgspec.Struct, frozen=True):
    """A private deal that can be accepted. `seat` gives `gives` and `pays` for `takes` and `asks`.

    `to` null: the first seat that accepts gets it. `declined` are the seats that turned it down.
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
    """A turn of the training.

    `queue` are the horses that have still to move by this throw. `card` is a report whose horse
    must be chosen.
    """

    seat: Seat
    step: Literal["before_throw", "target", "moving", "club"] = "before_throw"
    dice: tuple[int, int] | None = None
    queue: list[int] = []
    has_drawn: bool = False
    pack: Pack | None = None
    card: str | None = None
    fee: int = 0


class Ticket(msgspec.Struct, frozen=True):
    """A ticket of the totalisator; a voided one has no stake."""

    bet: int
    seat: Seat
    horse: int
    stake: int


class Contract(msgspec.Struct, frozen=True):
    """A place bet between a seat and the Bookmaker, proposed or agreed."""

    contract: int
    seat: Seat
    horse: int
    stake: int
    payout: int
    is_agreed: bool = False


class Arrival(msgspec.Struct, frozen=True):
    """A horse that passed the post, and the Disadvantages that its owner held then."""

    horse: int
    disadvantages: int


RaceStep = Literal["served", "assign", "move", "colour", "hazard", "objections"]


class SmallCards(msgspec.Struct, array_like=True):
    """The small cards of a player in the race; Advantages in the order of COLOURS."""

    advantages: list[int]
    disadvantages: int

    def count(self, colour: Colour) -> int:
        """The number of Advantages of a colour."""
        return self.advantages[COLOURS.index(colour)]


class Race(msgspec.Struct, array_like=True):
    """The race and the turn in it.

    `left` are the horses that have still to use a throw in this turn; `horse` uses the present one,
    and the flags are its.
    """

    seat: Seat
    hands: list[SmallCards]
    step: RaceStep = "served"
    """The decision that is awaited; "served": none, the next horse throws."""
    left: list[int] = []
    die: int = 0
    horse: int = 0
    cause: Literal["throw", "colour", "inscription"] = "throw"
    ways: dict[int, Path] = {}
    """The paths to choose from in the step `move`, by the lane of the end square."""
    choices: list[ColourChoice] = []
    """The uses of the square to choose from in the step `colour`."""
    has_used_colour: bool = False
    has_used_inscription: bool = False
    hazard: Hazard | None = None
    arrivals: list[Arrival] = []


class AscotState(State, kw_only=True):
    """The state of a game. `view.py` filters it for a seat."""

    options: AscotOptions
    seats: int
    phase: Phase = "exchange"
    clock: Clock = msgspec.field(default_factory=Clock)
    hands: list[list[str]] = []
    """Lease cards kept from the deal, hidden until they are paid for."""
    dead: list[str] = []
    """The cards of the dead pile that nobody has seen, in no order."""
    under: list[str] = []
    """The cards thrown under the pile in the exchange, in their order."""
    turn: Seat | None = None
    """The seat that must exchange a card."""
    votes: list[Seat | None] = []
    discards: list[list[str] | None] = []
    bills: list[int] = []
    """The price that each seat still owes for its kept cards."""
    horses: dict[int, Horse] = {}
    offices: dict[Office, Seat] = {}
    members: list[Seat] = []
    kept: list[list[Hazard]] = []
    """The reports that each seat keeps."""
    packs: dict[Pack, PackState] = {}
    stock: dict[str, int] = {}
    """The small cards that no horse has, by colour; Disadvantages are white."""
    lot: Lot | None = None
    debt: Debt | None = None
    training: Training | None = None
    strangled: list[Seat] = []
    offers: list[OpenOffer] = []
    offer_count: int = 0
    answered: list[Seat] = []
    """The seats that have answered where all are asked at once."""
    changes: dict[int, int] = {}
    """By seat, the changes of this phase that count towards CHANGES_MAX."""
    runners_each: int = 0
    entries: dict[int, list[int]] = {}
    """The horses that a seat wants to run."""
    queue: list[int] = []
    """The horses still to be sold as surplus, to be entered, or to be called for bets."""
    favourites: list[int | None] = []
    tickets: list[Ticket] = []
    contracts: list[Contract] = []
    contract_count: int = 0
    race: Race | None = None
    placed: list[int] = []
    """The first three horses, best first, once the race is over."""
    prizes: list[int] = []
    """The prizes of these horses."""
    banker_fee: int = 0
    """The Banker's tenth."""
    tote: TotalisatorPaid | None = None
    """How the totalisator was paid out."""


def cash(state: AscotState, seat: Seat) -> int:
    """The money of a player."""
    return state.purses[seat_purse(seat)]


def may_have(state: AscotState, seat: Seat, amount: int) -> bool:
    """Whether a seat has this amount as far as everybody knows: hidden cash may be any."""
    return state.options.private_cash or cash(state, seat) >= amount


def changes_left(state: AscotState, seat: Seat) -> int:
    """The offers and changes of mind that a seat has left in this phase."""
    return CHANGES_MAX - state.changes.get(seat, 0)


def purse_of(payee: Seat | None) -> Purse:
    """The purse of a seat, or that of the Bank."""
    return PRIZE_FUND if payee is None else seat_purse(payee)


def reserved(printed: Printed, state: AscotState, seat: Seat) -> int:
    """Return the price of the cards that a player keeps and must be able to pay."""
    return sum(printed.leases[card] for card in state.hands[seat]) + (
        state.bills[seat] if state.bills else 0
    )


def holds_office(state: AscotState, seat: Seat, office: Office) -> bool:
    """Whether a seat holds this office openly."""
    return state.offices.get(office) == seat


def is_member(state: AscotState, seat: Seat) -> bool:
    """Whether a seat is in the Club. Its Commissioner always is (Rulebook, "Membres du Club")."""
    return seat in state.members or holds_office(state, seat, "club")


def horses_of(state: AscotState, seat: Seat, *fates: Fate) -> list[int]:
    """The horses of a seat with one of these fates, in number order."""
    return sorted(
        number
        for number, horse in state.horses.items()
        if horse.owner == seat and horse.fate in fates
    )


def share(state: AscotState, seat: Seat) -> int:
    """The number of horses that a seat runs (Ruling A20).

    One lost in training counts while a player who lost none lacks a horse.
    """
    if not state.runners_each:
        return 0
    lost = len(horses_of(state, seat, "eliminated"))
    others = (other for other in map(Seat, range(state.seats)) if other != seat)
    is_unfair = lost and any(
        len(horses_of(state, other, "home", "running", "surplus")) < state.runners_each
        and not horses_of(state, other, "eliminated")
        for other in others
    )
    return state.runners_each - lost if is_unfair else state.runners_each


def room(state: AscotState, seat: Seat) -> int:
    """The number of further horses that a seat may run."""
    return share(state, seat) - len(horses_of(state, seat, "home", "running"))


def clockwise(state: AscotState, first: int) -> Iterator[Seat]:
    """All seats once, from this one on."""
    for step in range(state.seats):
        yield Seat((first + step) % state.seats)


def may_hold(state: AscotState, seat: Seat, asset: str) -> bool:
    """Whether the seat may get this asset without holding both stables (Ruling A6).

    Its hidden cards count.
    """
    stables = {"office:walroy": "office:stevens", "office:stevens": "office:walroy"}
    other = stables.get(asset)
    return other is None or (other not in assets_of(state, seat) and other not in state.hands[seat])


def assets_of(state: AscotState, seat: Seat) -> list[str]:
    """The assets that a seat can sell: horses in the game, offices of use, kept reports."""
    horses = [f"horse:{number}" for number in horses_of(state, seat, "training", "home", "running")]
    offices = [
        f"office:{office}"
        for office in OFFICES
        if office != "auctioneer" and holds_office(state, seat, office)
    ]
    reports = [f"report:{hazard}" for hazard in HAZARDS if hazard in state.kept[seat]]
    return horses + offices + reports


def kind_and_name(asset: str) -> tuple[str, str]:
    """Split the code of an asset: `horse:7` is a horse named 7."""
    kind, _, name = asset.partition(":")
    return kind, name
