"""Checks of the printed content against the counts of the box. A complaint names file and place."""

from collections import Counter
from itertools import groupby
from typing import Final

from railbird_engine.rules.ascot.data.printed import COLOURS, HAZARDS, OFFICES, Printed

LEASES: Final = 20
HORSES: Final = 12
CARDS: Final = 78
SMALL_CARDS: Final = 100
SQUARES: Final = 60

HEADERS: Final[dict[str, tuple[str | None, ...]]] = {
    "pay": ("forage", "stable", "farrier", "veterinary", "club"),
    "report": ("stable", "veterinary"),
    "join": ("club",),
    "dues": ("club",),
}
"""The headers that a square with this effect may have; other squares have none."""


class DataError(ValueError):
    """The files do not make a game; the message names the file and the place."""


def require(condition: bool, place: str, complaint: str) -> None:
    """Raise DataError unless the condition holds."""
    if not condition:
        raise DataError(f"{place}: {complaint}")


def check(printed: Printed) -> None:
    """Check everything that the types of single rows cannot say. Raises DataError."""
    _check_horses(printed)
    _check_leases(printed)
    _check_squares(printed)
    _check_reports(printed)
    _check_counts(printed)
    _check_inscriptions(printed)


def _check_horses(printed: Printed) -> None:
    for colour in COLOURS:
        require(colour in printed.colours, "colours.csv", f"{colour} is missing")
        found = sum(horse.colour == colour for horse in printed.horses.values())
        complaint = f"expected 3 {colour} horses, found {found}"
        require(found == HORSES // len(COLOURS), "horses.csv", complaint)
    numbers = list(printed.horses)
    complaint = f"expected the numbers 1 to {HORSES} in order"
    require(numbers == list(range(1, HORSES + 1)), "horses.csv", complaint)
    letters = [row.letter for row in printed.colours.values()]
    require(len(set(letters)) == len(letters), "colours.csv", "two colours share a letter")
    is_clear = not set(letters) & printed.inscriptions.keys()
    require(is_clear, "inscriptions.csv", "a code is the letter of a colour")


def _check_leases(printed: Printed) -> None:
    for office in OFFICES:
        require(office in printed.offices, "offices.csv", f"{office} is missing")
    is_free = printed.offices["auctioneer"].price == 0
    require(is_free, "offices.csv", "the Auctioneer's card is free")
    found = len(printed.leases)
    require(found == LEASES, "horses.csv", f"expected {LEASES} leases, found {found}")


def _check_squares(printed: Printed) -> None:
    numbers = [square.number for square in printed.squares]
    complaint = f"expected the squares 1 to {SQUARES} in order"
    require(numbers == list(range(1, SQUARES + 1)), "training.csv", complaint)
    for square in printed.squares:
        place = f"training.csv line {square.number + 1}"
        complaint = f"{square.effect} cannot stand under the header {square.header or 'none'}"
        require(square.header in HEADERS.get(square.effect, (None,)), place, complaint)
        needs_amount = square.effect in {"pay", "join", "dues", "advantage", "disadvantage"}
        complaint = f"wrong amount for {square.effect}: {square.amount}"
        require(needs_amount == (square.amount > 0), place, complaint)


def _check_reports(printed: Printed) -> None:
    for line, report in enumerate(printed.reports, start=2):
        place = f"reports.csv line {line}"
        names_hazard = report.keeps is not None
        complaint = "cards to keep, and no others, say what they keep"
        require((report.effect == "keep") == names_hazard, place, complaint)
        has_no_amount = report.effect in {"keep", "strangles", "withdraw"}
        complaint = f"wrong amount for {report.effect}: {report.amount}"
        require(has_no_amount == (report.amount == 0), place, complaint)
    ordered = sorted((report.pack, report.code) for report in printed.reports)
    for (pack, code), same in groupby(ordered):
        complaint = f"{code} appears twice in the {pack} pack"
        require(len(list(same)) == 1, "reports.csv", complaint)


def _check_counts(printed: Printed) -> None:
    copies = Counter[str]()
    for report in printed.reports:
        copies[report.pack] += report.copies
    reports = 2 * copies["trainer"] + copies["veterinary"]
    cards = LEASES + reports + printed.tariff.member_cards
    complaint = f"expected {CARDS} leases, reports and member cards in all, found {cards}"
    require(cards == CARDS, "reports.csv", complaint)
    advantages = sum(row.advantages for row in printed.colours.values())
    small = advantages + printed.tariff.disadvantages
    complaint = f"expected {SMALL_CARDS} Advantages and Disadvantages, found {small}"
    require(small == SMALL_CARDS, "colours.csv", complaint)
    kept = {report.keeps for report in printed.reports}
    for hazard in HAZARDS:
        require(hazard in kept, "reports.csv", f"no card keeps {hazard}")


def _check_inscriptions(printed: Printed) -> None:
    for line, inscription in enumerate(printed.inscriptions.values(), start=2):
        place = f"inscriptions.csv line {line}"
        needs_rows = inscription.effect in {"advance", "back", "whip"}
        complaint = f"wrong rows for {inscription.effect}: {inscription.rows}"
        require(needs_rows == (inscription.rows > 0), place, complaint)
        is_hazard = inscription.effect in {"ruin", "fall"}
        complaint = "hazards, and no others, name the report that averts them"
        require(is_hazard == (inscription.report is not None), place, complaint)
        is_free = inscription.lane_from is None or inscription.effect == "advance"
        require(is_free, place, "only an advance is bound to lanes")
        is_whole = (inscription.lane_from is None) == (inscription.lane_to is None)
        require(is_whole, place, "lane_from and lane_to go together")
