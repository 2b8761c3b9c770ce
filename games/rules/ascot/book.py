"""The book: everything that is printed, so that a client can draw boards and cards."""

from games.engine import Text
from games.engine.book import Book
from games.rules.ascot.data.printed import (
    PACKS,
    HorseColour,
    HorseLease,
    Inscription,
    OfficeLease,
    Printed,
    Report,
    Square,
    Stable,
    Tariff,
    horse_asset,
    office_asset,
)

REPORTS = {
    "bridle": Text(en="Unbreakable bridle", fr="Bride incassable"),
    "vessel": Text(en="Sound vessels", fr="Vaisseaux solides"),
    "surefoot": Text(en="Sure-footed", fr="Pied sûr"),
}
"""The reports that players keep, by the hazard that they avert."""

COLOURS = {
    "black": Text(en="black", fr="noir"),
    "red": Text(en="red", fr="rouge"),
    "yellow": Text(en="yellow", fr="jaune"),
    "blue": Text(en="blue", fr="bleu"),
}


class AscotBook(Book, frozen=True, kw_only=True):
    """The cards and boards of L'Ascot. Prices are in francs.

    `squares` are the training loop. A horse that trained `progress` points stands on square
    `(gates[stable] + progress - 1) % 60 + 1`, and is home after a whole lap.

    `field[row - 1][lane - 1]` is a square of the race field: the `letter` of a colour or the `code`
    of an inscription. Lane 1 is the inner one. `start_lanes` are the starting lanes of the horses,
    in number order. A step onto a row from `bend_first` to `bend_last` may not change lanes.
    """

    colours: tuple[HorseColour, ...]
    horses: tuple[HorseLease, ...]
    offices: tuple[OfficeLease, ...]
    squares: tuple[Square, ...]
    gates: dict[Stable, int]
    reports: tuple[Report, ...]
    field: tuple[tuple[str, ...], ...]
    inscriptions: tuple[Inscription, ...]
    start_lanes: tuple[int, ...]
    bend_first: int
    bend_last: int
    tariff: Tariff


def book_of(printed: Printed) -> AscotBook:
    """The book of a game with this content."""
    return AscotBook(
        names=_names(printed),
        colours=tuple(printed.colours.values()),
        horses=tuple(printed.horses.values()),
        offices=tuple(printed.offices.values()),
        squares=printed.squares,
        gates=printed.gates,
        reports=printed.reports,
        field=printed.field,
        inscriptions=tuple(printed.inscriptions.values()),
        start_lanes=tuple(printed.start_lane(number) for number in printed.horses),
        bend_first=printed.course.bend_first,
        bend_last=printed.course.bend_last,
        tariff=printed.tariff,
    )


def _names(printed: Printed) -> dict[str, dict[str, Text]]:
    """The names of values, by the field of commands, events and views that holds them."""
    horses = {number: Text(row.en, row.fr) for number, row in printed.horses.items()}
    offices = {office: Text(row.en, row.fr) for office, row in printed.offices.items()}
    leases = {horse_asset(number): text for number, text in horses.items()}
    leases |= {office_asset(office): offices[office] for office in printed.offices}
    inscriptions = printed.inscriptions.values()
    return {
        "horse": {str(number): text for number, text in horses.items()},
        "spot": {horse_asset(number): text for number, text in horses.items()},
        "asset": leases | {f"report:{report}": text for report, text in REPORTS.items()},
        "card": leases,
        "office": {str(office): text for office, text in offices.items()},
        "pack": {pack: offices[pack] for pack in PACKS},
        "report": REPORTS,
        "code": {row.code: Text(row.en, row.fr) for row in inscriptions},
        "colour": COLOURS,
    }
