"""The book: everything that is printed, so that a client can draw boards and cards."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from railbird_engine import Book, Call, SeatColour, Text
from railbird_engine.rules.ascot.data.printed import (
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
from railbird_engine.rules.ascot.data.training_loop import LOOP, Loop
from railbird_engine.rules.ascot.refusals import REFUSALS

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


PHASES: Final = {
    "nomination": Text(en="vote for an Auctioneer", fr="élection du commissaire-priseur"),
    "exchange": Text(en="exchange a card", fr="échange d'une carte"),
    "discard": Text(en="discards", fr="défausses"),
    "auction": Text(en="auction", fr="enchères"),
    "settlement": Text(en="settlement", fr="règlement"),
    "training": Text(en="training", fr="entraînement"),
    "preliminaries": Text(en="deals before the race", fr="marchés avant la course"),
    "surplus": Text(en="sale of surplus horses", fr="vente des chevaux en surnombre"),
    "entry": Text(en="entries", fr="engagements"),
    "favourites": Text(en="Favourites", fr="favoris"),
    "betting": Text(en="bets", fr="paris"),
    "race": Text(en="the race", fr="la course"),
    "finished": Text(en="the game is over", fr="la partie est finie"),
}
FATES: Final = {
    "training": Text(en="in training", fr="à l'entraînement"),
    "home": Text(en="trained", fr="entraîné"),
    "eliminated": Text(en="eliminated", fr="éliminé"),
    "surplus": Text(en="for sale", fr="à vendre"),
    "scratched": Text(en="scratched", fr="non partant"),
    "running": Text(en="running", fr="partant"),
    "lost": Text(en="out of the race", fr="hors course"),
    "passed": Text(en="past the post", fr="arrivé"),
    "disqualified": Text(en="disqualified", fr="disqualifié"),
}
CHOICES: Final = {
    "extra_rows": Text(en="Run the extra rows", fr="Avancer des cases supplémentaires"),
    "drop_disadvantage": Text(en="Drop a Disadvantage", fr="Jeter un Désavantage"),
    "advantage_for_rows": Text(
        en="Use an Advantage and run the extra rows", fr="Utiliser un Avantage pour avancer"
    ),
    "advantage_to_drop": Text(
        en="Use an Advantage to drop a Disadvantage",
        fr="Utiliser un Avantage pour jeter un Désavantage",
    ),
    "nothing": Text(en="Do nothing", fr="Ne rien faire"),
}
SEAT_COLOURS: Final = (
    SeatColour(Text(en="green", fr="vert"), "#1e8449"),
    SeatColour(Text(en="purple", fr="violet"), "#7d3c98"),
    SeatColour(Text(en="orange", fr="orange"), "#d35400"),
    SeatColour(Text(en="turquoise", fr="turquoise"), "#1596a5"),
    SeatColour(Text(en="pink", fr="rose"), "#d6478b"),
    SeatColour(Text(en="brown", fr="brun"), "#7b4a21"),
)
SCREEN_COLOURS: Final = {
    "black": "#2a2a2e",
    "red": "#c8323c",
    "yellow": "#f0c419",
    "blue": "#2f6fc4",
    "white": "#fbf7ea",
    "forage": "#d9c67a",
    "stable": "#c99a6b",
    "farrier": "#a7b0b8",
    "veterinary": "#9ed2c6",
    "club": "#d7a6c9",
    "free": "#f3efe0",
}
CALLS: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "calls.json").read_bytes(), type=tuple[Call, ...]
)
SEAT_FIELDS: Final = ("seat", "candidate", "banker", "dealer", "seller", "buyer")


class AscotBook(Book, frozen=True, kw_only=True):
    """The cards and boards of L'Ascot. Prices are in francs.

    `squares` are the training loop. A horse that trained `progress` points stands on square
    `(gates[stable] + progress - 1) % 60 + 1`, and is home after a whole lap.

    `field[row - 1][lane - 1]` is a square of the race field: the `letter` of a colour or the `code`
    of an inscription. Lane 1 is the inner one. `start_lanes` are the starting lanes of the horses,
    in number order. A step onto a row from `bend_first` to `bend_last` may not change lanes.

    `loop` is the layout of the training loop. `screen_colours` has a screen colour for each colour
    of a horse, for the `header` of each square of the loop (`free`: none), and for `white` squares.
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
    loop: Loop
    screen_colours: dict[str, str]


def book_of(printed: Printed) -> AscotBook:
    """The book of a game with this content."""
    return AscotBook(
        names=_names(printed),
        calls=(*CALLS, *_report_calls(printed)),
        seat_fields=SEAT_FIELDS,
        refusals=REFUSALS,
        seat_colours=SEAT_COLOURS,
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
        loop=LOOP,
        screen_colours=SCREEN_COLOURS,
    )


def _report_calls(printed: Printed) -> Iterator[Call]:
    """One sentence for each report of each pack, because the same code has several texts."""
    for pack in PACKS:
        kind = "veterinary" if pack == "veterinary" else "trainer"
        for report in printed.reports:
            if report.pack == kind:
                yield Call(
                    key=f"report_{pack}_{report.code}",
                    event="report_taken",
                    where={"pack": (pack,), "card": (report.code,)},
                    en=f"{{seat}} takes a report. {report.en}.",
                    fr=f"{{seat}} tire un rapport. {report.fr}.",
                )


def _names(printed: Printed) -> dict[str, dict[str, Text]]:
    """The names of values, by the field of commands, events and views that holds them."""
    horses = {number: Text(row.en, row.fr) for number, row in printed.horses.items()}
    offices = {office: Text(row.en, row.fr) for office, row in printed.offices.items()}
    leases = {horse_asset(number): text for number, text in horses.items()}
    leases |= {office_asset(office): offices[office] for office in printed.offices}
    inscriptions = printed.inscriptions.values()
    by_number = {str(number): text for number, text in horses.items()}
    return {
        "horse": by_number,
        "horses": by_number,
        "placed": by_number,
        "spot": {horse_asset(number): text for number, text in horses.items()},
        "asset": leases | {f"report:{report}": text for report, text in REPORTS.items()},
        "card": leases,
        "cards": leases,
        "office": {str(office): text for office, text in offices.items()},
        "pack": {pack: offices[pack] for pack in PACKS},
        "report": REPORTS,
        "code": {row.code: Text(row.en, row.fr) for row in inscriptions},
        "colour": COLOURS,
        "square": {str(square.number): Text(square.en, square.fr) for square in printed.squares},
        "phase": PHASES,
        "fate": FATES,
        "choice": CHOICES,
    }
