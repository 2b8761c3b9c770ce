"""The types of the printed content: cards, boards and fixed numbers. Files are read elsewhere."""

from functools import cached_property
from typing import Annotated, Final, Literal, get_args

import msgspec

from railbird_engine import edition_of
from railbird_engine.kernel.host_data import require
from railbird_engine.rules.ascot.path import Course

Colour = Literal["black", "red", "yellow", "blue"]
Stable = Literal["walroy", "stevens"]
Office = Literal[
    "auctioneer",
    "bookmaker",
    "club",
    "farrier",
    "stevens",
    "walroy",
    "veterinary",
    "forage",
]
Pack = Literal["walroy", "stevens", "veterinary"]
"""A pack of reports has the name of the office that keeps it."""
Hazard = Literal["bridle", "vessel", "surefoot"]
"""A hazard of the race has the name of the report that averts it."""

COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
OFFICES: Final[tuple[Office, ...]] = get_args(Office)
PACKS: Final[tuple[Pack, ...]] = get_args(Pack)
HAZARDS: Final[tuple[Hazard, ...]] = get_args(Hazard)
STABLES: Final[tuple[Stable, ...]] = get_args(Stable)

Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Amount = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Text = Annotated[str, msgspec.Meta(min_length=1)]

_HEADERS: Final = {
    "pay": {"forage", "stable", "farrier", "veterinary", "club"},
    "report": {"stable", "veterinary"},
    "join": {"club"},
    "dues": {"club"},
}


class HorseColour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A colour of horses: its letter on the race field and the stable that trains it.

    `advantages` counts its cards in the box, `extra_rows` what a horse gains on its own colour.
    """

    colour: Colour
    letter: Text
    stable: Stable
    advantages: Count
    extra_rows: Count


class HorseLease(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lease card of a horse."""

    number: Count
    colour: Colour
    price: Amount
    en: Text
    fr: Text


class OfficeLease(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lease card of an office."""

    office: Office
    price: Amount
    en: Text
    fr: Text


class Square(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A square of the training loop. `header` names the office to deal with.

    `stable` in the header is the stable of the horse that stands there. `amount` is in francs for
    payments and in cards for Advantages and Disadvantages.
    """

    number: Count
    effect: Literal["free", "pay", "report", "advantage", "disadvantage", "join", "dues", "frost"]
    en: Text
    fr: Text
    header: Literal["forage", "stable", "farrier", "veterinary", "club"] | None = None
    amount: Amount = 0

    def __post_init__(self) -> None:
        headers = _HEADERS.get(self.effect, {None})
        require(self.header in headers, f"{self.effect!r} under {self.header!r}")
        has_amount = self.effect not in {"free", "report", "frost"}
        require(has_amount == (self.amount > 0), f"{self.effect!r} with amount {self.amount}")


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A report card; `copies` of it are in the pack. Both stables have the same trainer's pack."""

    pack: Literal["trainer", "veterinary"]
    code: Text
    copies: Count
    effect: Literal[
        "advantage",
        "disadvantage",
        "clear",
        "keep",
        "pay",
        "pay_each",
        "receive",
        "forward",
        "strangles",
        "withdraw",
    ]
    en: Text
    fr: Text
    amount: Amount = 0
    keeps: Hazard | None = None

    def __post_init__(self) -> None:
        require((self.effect == "keep") == bool(self.keeps), f"{self.effect!r}: {self.keeps}")


class Inscription(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The inscription of a white square of the race field.

    An advance must end in a lane from `lane_from` to `lane_to`, if any. `report` averts the hazard.
    """

    code: Text
    effect: Literal["advance", "back", "overtake", "ruin", "fall", "wait", "bend", "whip"]
    en: Text
    fr: Text
    rows: Count = 0
    lane_from: int | None = None
    lane_to: int | None = None
    report: Hazard | None = None

    def __post_init__(self) -> None:
        averted = self.effect in {"ruin", "fall"}
        require(averted == bool(self.report), f"{self.effect!r} with report {self.report}")

    def ends_in(self, lane: int) -> bool:
        """Whether the inscription lets its advance end in this lane."""
        return (self.lane_from or lane) <= lane <= (self.lane_to or lane)


class Tariff(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fixed numbers. `notes` are the bank notes that each player starts with: count and value.

    Money is in francs. `disadvantages` and `member_cards` count cards in the box.
    """

    notes: tuple[tuple[Count, Amount], ...]
    smallest_note: Annotated[int, msgspec.Meta(ge=1)]
    commission_percent: Annotated[int, msgspec.Meta(ge=0, le=100)]
    entry_fee: Amount
    member_cards: Count
    disadvantages: Count
    tickets_per_horse: Annotated[int, msgspec.Meta(ge=1)]
    runners_max: Annotated[int, msgspec.Meta(ge=1)]
    runners_max_of_two: Annotated[int, msgspec.Meta(ge=1)]

    @property
    def start_cash(self) -> int:
        """The money of each player at the start."""
        return sum(count * value for count, value in self.notes)


class Printed(msgspec.Struct, frozen=True, dict=True):
    """All printed content of a game.

    `field[row - 1][lane - 1]` is the letter of a colour or the code of an inscription.
    """

    colours: dict[Colour, HorseColour]
    horses: dict[int, HorseLease]
    offices: dict[Office, OfficeLease]
    squares: tuple[Square, ...]
    reports: tuple[Report, ...]
    inscriptions: dict[str, Inscription]
    field: tuple[tuple[str, ...], ...]
    tariff: Tariff
    course: Course

    @cached_property
    def edition(self) -> str:
        """The hash of this content; a game continues only with the content with which it began."""
        return edition_of(self)

    @cached_property
    def leases(self) -> dict[str, int]:
        """The printed price of every lease card, by its code (`horse:7`, `office:farrier`)."""
        return {horse_asset(number): horse.price for number, horse in self.horses.items()} | {
            office_asset(office): row.price for office, row in self.offices.items()
        }

    @cached_property
    def _colour_of_letter(self) -> dict[str, Colour]:
        return {row.letter: colour for colour, row in self.colours.items()}

    @cached_property
    def _report_of_code(self) -> dict[tuple[str, str], Report]:
        return {(report.pack, report.code): report for report in self.reports}

    def report(self, pack: Pack, code: str) -> Report:
        """The card of this code in this pack."""
        return self._report_of_code["veterinary" if pack == "veterinary" else "trainer", code]

    def pack_codes(self, pack: Pack) -> list[str]:
        """The codes of a whole pack of reports, one per card."""
        kind = "veterinary" if pack == "veterinary" else "trainer"
        return [
            report.code
            for report in self.reports
            if report.pack == kind
            for _ in range(report.copies)
        ]

    def colour(self, horse: int) -> Colour:
        """The colour of a horse."""
        return self.horses[horse].colour

    def stable(self, horse: int) -> Stable:
        """The stable that trains a horse."""
        return self.colours[self.colour(horse)].stable

    def extra_rows(self, horse: int) -> int:
        """How many rows a horse may add on a square of its colour."""
        return self.colours[self.colour(horse)].extra_rows

    @cached_property
    def gates(self) -> dict[Stable, int]:
        """How many squares of the loop lie before the boxes of each stable open."""
        return {"stevens": 0, "walroy": len(self.squares) // 2}

    def square_of(self, horse: int, progress: int) -> int | None:
        """The square of the loop that a horse reaches; None when it is home."""
        lap = len(self.squares)
        if progress > lap:
            return None
        return (self.gates[self.stable(horse)] + progress - 1) % lap + 1

    def start_lane(self, horse: int) -> int:
        """The lane of the starting square with the number of the horse."""
        return (horse - 1) % self.course.lanes + 1

    def colour_at(self, row: int, lane: int) -> Colour | None:
        """The colour of a square of the race field; None for white squares and the start line."""
        return self._colour_of_letter.get(self.field[row - 1][lane - 1]) if row else None

    def inscription_at(self, row: int, lane: int) -> Inscription | None:
        """The inscription of a square; None for coloured squares and the start line."""
        return self.inscriptions.get(self.field[row - 1][lane - 1]) if row else None


def horse_asset(number: int) -> str:
    """The code of a horse as a thing to buy and sell."""
    return f"horse:{number}"


def office_asset(office: Office) -> str:
    """The code of an office as a thing to buy and sell."""
    return f"office:{office}"
