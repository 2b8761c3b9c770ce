"""The book: everything that is printed, so that a client can draw boards and cards."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from railbird_engine import Book, Call, Guide, SeatColour, Text
from railbird_engine.rules.ascot.betting import ODDS
from railbird_engine.rules.ascot.bidding import COMMISSION_ROUND, commission
from railbird_engine.rules.ascot.data.printed import (
    PACKS,
    STABLES,
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
    "exchange": Text(en="exchange a card", fr="échange d’une carte"),
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
    "training": Text(en="in training", fr="à l’entraînement"),
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
OUTCOMES: Final = {"won": Text(en="won", fr="gagné"), "lost": Text(en="lost", fr="perdu")}
WHY: Final = {
    "throw": Text(en="by its throw", fr="par son lancer"),
    "colour": Text(en="by the colour of the square", fr="par la couleur de la case"),
    "inscription": Text(en="by an inscription", fr="par une inscription"),
    "jostled": Text(en="jostled", fr="bousculé"),
    "back": Text(en="back", fr="en arrière"),
    "too_high": Text(en="too high", fr="trop haut"),
    "down": Text(en="the horse is down", fr="le cheval est à terre"),
    "freed": Text(en="the horse gets up", fr="le cheval se relève"),
    "withdrawn": Text(en="withdrawn", fr="retirée"),
    "declined": Text(en="declined", fr="refusée"),
    "goods_gone": Text(en="the goods are gone", fr="le bien n’est plus là"),
    "not_covered": Text(en="the money is missing", fr="l’argent manque"),
    "too_late": Text(en="too late", fr="trop tard"),
}
USES: Final = {
    "run": Text(en="runs", fr="avance"),
    "passes": Text(en="passes the post", fr="passe le poteau"),
    **{use: WHY[use] for use in ("jostled", "too_high", "down", "freed")},
}
REASONS: Final = {
    "kept_cards": Text(en="kept cards", fr="cartes gardées"),
    "training": Text(en="training", fr="entraînement"),
    "report": Text(en="report", fr="rapport"),
    "membership": Text(en="member card of the Club", fr="inscription au Club"),
    "dues": Text(en="dues of the Club", fr="cotisation au Club"),
    "entry": Text(en="entry", fr="engagement"),
    "banker_fee": Text(en="the Banker’s tenth", fr="dixième du Banquier"),
}
ENDS: Final = {
    "paid": Text(en="paid", fr="payée"),
    "cancelled": Text(en="the rest is cancelled", fr="le reste est annulé"),
    "horse_sold": Text(en="the horse is sold", fr="le cheval est vendu"),
    "stakes_back": Text(en="the stakes come back", fr="les mises sont rendues"),
    "nothing": Text(en="nothing is paid", fr="rien n’est payé"),
    "unbacked": Text(en="nobody backed the winner", fr="personne n’a joué le gagnant"),
}
DEALS: Final = {
    "sale": Text(en="sale", fr="vente"),
    "purchase": Text(en="purchase", fr="achat"),
    "exchange": Text(en="exchange", fr="échange"),
}
STEPS: Final = {
    "before_throw": Text(en="before the throw", fr="avant le lancer"),
    "target": Text(en="choose the horse of the report", fr="choix du cheval du rapport"),
    "moving": Text(en="the horses move", fr="les chevaux avancent"),
    "club": Text(en="join the Club or not", fr="entrer au Club ou non"),
    "served": Text(en="the next horse throws", fr="au cheval suivant"),
    "assign": Text(en="choose the horse", fr="choix du cheval"),
    "move": Text(en="choose the lane", fr="choix de la piste"),
    "colour": Text(en="use the square", fr="usage de la case"),
    "hazard": Text(en="a horse in danger", fr="un cheval en danger"),
    "objections": Text(en="objections", fr="objections"),
}
HEADERS: Final = {
    "forage": Text(en="Forage Merchant", fr="Marchand de fourrages"),
    "stable": Text(en="the horse’s stable", fr="l’écurie du cheval"),
    "farrier": Text(en="Farrier", fr="Maréchal-ferrant"),
    "veterinary": Text(en="Veterinary Surgeon", fr="Chirurgien-vétérinaire"),
    "club": Text(en="Club", fr="Club"),
}
EFFECTS: Final = {
    "free": Text(en="nothing to do", fr="rien à faire"),
    "pay": Text(en="pay", fr="payez"),
    "pay_each": Text(en="pay for each horse", fr="payez pour chaque cheval"),
    "receive": Text(en="receive money", fr="recevez de l’argent"),
    "report": Text(en="take a report", fr="tirez un rapport"),
    "advantage": Text(en="win Advantages", fr="gagnez des Avantages"),
    "disadvantage": Text(en="get Disadvantages", fr="recevez des Désavantages"),
    "clear": Text(en="lose Disadvantages", fr="perdez des Désavantages"),
    "join": Text(en="join the Club, if you like", fr="entrez au Club si vous voulez"),
    "dues": Text(en="members of the Club pay", fr="les membres du Club paient"),
    "frost": Text(
        en="miss a move, unless you are a member of the Club",
        fr="manquez un déplacement, sauf si vous êtes membre du Club",
    ),
    "keep": Text(en="keep the report for the race", fr="gardez le rapport pour la course"),
    "forward": Text(en="advance", fr="avancez"),
    "strangles": Text(
        en="stop, and miss your next throw", fr="arrêtez-vous et passez votre prochain lancer"
    ),
    "withdraw": Text(en="the horse leaves the game", fr="le cheval quitte le jeu"),
    "advance": Text(en="advance", fr="avancez"),
    "back": Text(en="go back", fr="reculez"),
    "overtake": Text(en="overtake the horses in front", fr="dépassez les chevaux de devant"),
    "ruin": Text(
        en="out of the race, unless a report helps", fr="hors course, sauf avec un rapport"
    ),
    "fall": Text(
        en="fall and wait for a 6, unless a report helps",
        fr="chute : attendez un 6, sauf avec un rapport",
    ),
    "wait": Text(en="no throw next turn", fr="pas de lancer au prochain tour"),
    "bend": Text(
        en="the last bend: an Advantage may be used",
        fr="le dernier tournant : un Avantage peut servir",
    ),
    "whip": Text(en="advance, and change lanes again", fr="avancez et changez de nouveau de piste"),
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
GUIDE: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "guide.json").read_bytes(), type=Guide
)
SEAT_FIELDS: Final = (
    "seat",
    "candidate",
    "banker",
    "dealer",
    "seller",
    "buyer",
    "payer",
    "payee",
    "bookmaker",
    "favourite_of",
)


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
        calls=(*CALLS, _commission_call(printed), *_report_calls(printed)),
        seat_fields=SEAT_FIELDS,
        by_seat=("fortunes",),
        refusals=REFUSALS,
        seat_colours=SEAT_COLOURS,
        guide=GUIDE,
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


def _commission_call(printed: Printed) -> Call:
    """The sentence for a sale with a commission: the winner's money at the start bounds it."""
    most = commission(printed, printed.tariff.start_cash)
    return Call(
        key="lot_sold_with_commission",
        event="lot_sold",
        where={"commission": tuple(range(COMMISSION_ROUND, most + 1, COMMISSION_ROUND))},
        en="Sold: {asset} goes to {buyer} for {price} F. Auctioneer’s commission: {commission} F.",
        fr="Adjugé : {asset} à {buyer} pour {price} F. Commission du commissaire-priseur : "
        "{commission} F.",
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
                    en=f"{{seat}} takes a report. {report.en}{_sum_of(report, 'en')}.",
                    fr=f"{{seat}} tire un rapport. {report.fr}{_sum_of(report, 'fr')}.",
                )


def _sum_of(report: Report, language: Literal["en", "fr"]) -> str:
    """The sum of a report that moves money."""
    if report.effect not in {"pay", "pay_each", "receive"}:
        return ""
    separator, each = {"en": (",", " each"), "fr": ("\u202f", " chacun")}[language]
    ending = each if report.effect == "pay_each" else ""
    return f" ({report.amount:,} F{ending})".replace(",", separator)


def _names(printed: Printed) -> dict[str, dict[str, Text]]:
    """The names of values, by the field of commands, events and views that holds them."""
    horses = {number: Text(row.en, row.fr) for number, row in printed.horses.items()}
    offices = {office: Text(row.en, row.fr) for office, row in printed.offices.items()}
    leases = {horse_asset(number): text for number, text in horses.items()}
    leases |= {office_asset(office): offices[office] for office in printed.offices}
    assets = leases | {f"report:{report}": text for report, text in REPORTS.items()}
    inscriptions = printed.inscriptions.values()
    by_number = {str(number): text for number, text in horses.items()}
    return {
        "horse": by_number,
        "horses": by_number,
        "placed": by_number,
        "odds": {ODDS: Text(en="the tote", fr="le totalisateur")},
        "spot": {horse_asset(number): text for number, text in horses.items()},
        **dict.fromkeys(("asset", "gives", "takes", "for_sale"), assets),
        "card": leases,
        "cards": leases,
        "office": {str(office): text for office, text in offices.items()},
        "pack": {
            **{pack: offices[pack] for pack in PACKS},
            "trainer": Text(en="trainer", fr="entraîneur"),
        },
        "stable": {stable: offices[stable] for stable in STABLES},
        **dict.fromkeys(("report", "reports", "hazard", "keeps"), REPORTS),
        "code": {row.code: Text(row.en, row.fr) for row in inscriptions},
        "colour": COLOURS,
        "square": {str(square.number): Text(square.en, square.fr) for square in printed.squares},
        "phase": PHASES,
        "fate": FATES,
        **dict.fromkeys(("choice", "choices"), CHOICES),
        "outcome": OUTCOMES,
        "why": WHY,
        "use": USES,
        "reason": REASONS,
        "how": ENDS,
        "step": STEPS,
        "header": HEADERS,
        "effect": EFFECTS,
        "kind": DEALS,
    }
