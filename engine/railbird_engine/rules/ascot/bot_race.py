"""How a bot rides: which horse and lane, when to use Advantages or drop Disadvantages."""

from collections.abc import Iterable

from railbird_engine import Chance
from railbird_engine.rules.ascot import path
from railbird_engine.rules.ascot.commands import (
    AscotCommand,
    Assign,
    ChooseColour,
    Confirm,
    DeclineReport,
    Move,
    Object,
    Offer,
    UseReport,
)
from railbird_engine.rules.ascot.data.printed import Hazard, Inscription, Printed
from railbird_engine.rules.ascot.path import Place
from railbird_engine.rules.ascot.view import AscotView, OwnView, RaceView

REPORT_PRICE = 4_000
LOST, FALLEN, MISSED, FINISH = -15.0, -6.0, -3.5, 12.0
"""The worth of events, in rows."""
DROP_ROW = 24
"""From this row on a bot spends Advantages to drop Disadvantages."""


def ride(
    printed: Printed, view: AscotView, own: OwnView, legal: Iterable[AscotCommand], chance: Chance
) -> AscotCommand | None:
    """Choose in a turn of the race, or object to the arrival."""
    race = view.race
    assert race is not None
    match race.step:
        case "assign":
            return Assign(_best_assignment(printed, view, race))
        case "move":
            return Move(_best_lane(printed, view, race))
        case "colour":
            return _use_square(printed, view, race)
        case "hazard":
            assert race.hazard is not None
            return _face_hazard(view, own, race.hazard, chance)
        case _:
            options = list(legal)
            objections = [option for option in options if isinstance(option, Object)]
            return objections[0] if objections else Confirm()


def _others(view: AscotView, number: int) -> set[Place]:
    return {
        (horse.row, horse.lane)
        for other, horse in view.horses.items()
        if horse.fate == "running" and other != number
    }


def _inscription_worth(view: AscotView, number: int, inscription: Inscription) -> float:
    reports = view.players[view.horses[number].owner].reports
    is_safe = inscription.report in reports
    match inscription.effect:
        case "advance" | "whip":
            return inscription.rows
        case "back":
            return -inscription.rows
        case "overtake":
            return 1.5
        case "ruin":
            return -1.0 if is_safe else LOST
        case "fall":
            return -1.0 if is_safe else FALLEN
        case "wait":
            return MISSED
        case "bend":
            return 0.0


def _square_worth(
    printed: Printed, view: AscotView, number: int, place: Place, *, has_used_colour: bool
) -> float:
    """The worth of a square, in rows beyond its own."""
    row, lane = place
    colour, own = printed.colour_at(row, lane), printed.colour(number)
    inscription = printed.inscription_at(row, lane)
    player = view.players[view.horses[number].owner]
    worth = 0.0
    if inscription is not None:
        worth = _inscription_worth(view, number, inscription)
    elif not has_used_colour and colour == own:
        worth = max(printed.extra_rows(number), 3.5 if player.disadvantages else 0.0)
    elif not has_used_colour and player.advantages.get(own):
        worth = printed.extra_rows(number) / 2
    approaches_bend = printed.course.bend_first - 6 <= row < printed.course.bend_last
    return worth - (0.3 * (lane - 1) if approaches_bend else 0.0)


def _gain(
    printed: Printed, view: AscotView, number: int, points: int, *, has_used_colour: bool
) -> float:
    """Return the best result of a run of this many points, in rows."""
    horse = view.horses[number]
    exact = printed.course.rows + 1 - horse.row
    if horse.is_down:
        return 5.0 if points == 6 else 0.0
    if points == exact:
        return -FINISH if view.players[horse.owner].disadvantages else FINISH
    if points > exact:
        return 0.0
    place = (horse.row, horse.lane)
    others = _others(view, number)
    found = path.moves(printed.course, others, place, points)
    if not found:
        return float(path.jostled(others, place)[0] - horse.row)
    ends = [way[-1] for way in found.values()]
    return points + max(
        _square_worth(printed, view, number, end, has_used_colour=has_used_colour) for end in ends
    )


def _best_assignment(printed: Printed, view: AscotView, race: RaceView) -> int:
    """Give the throw to the Favourite if it is better for it than the average throw."""
    favourite = view.players[race.seat].favourite
    assert favourite is not None
    other = next(number for number in race.assignable if number != favourite)
    gains = [_gain(printed, view, favourite, die, has_used_colour=False) for die in range(1, 7)]
    return favourite if gains[race.die - 1] >= sum(gains) / 6 else other


def _best_lane(printed: Printed, view: AscotView, race: RaceView) -> int:
    """The lane of the best end square."""
    return max(
        race.ways,
        key=lambda lane: (
            _square_worth(
                printed, view, race.horse, race.ways[lane][-1], has_used_colour=race.has_used_colour
            ),
            -lane,
        ),
    )


def _use_square(printed: Printed, view: AscotView, race: RaceView) -> AscotCommand:
    """Drop Disadvantages in time, otherwise run; keep an Advantage for each one left."""
    player, horse = view.players[race.seat], view.horses[race.horse]
    rows = printed.extra_rows(race.horse)
    capped = min(rows, printed.course.rows - horse.row)
    gain = _gain(printed, view, race.horse, capped, has_used_colour=True) if capped else 0.0
    burden, spare = player.disadvantages, player.advantages.get(printed.colour(race.horse), 0)
    is_leader = horse.row == max(
        h.row for h in view.horses.values() if h.owner == race.seat and h.fate == "running"
    )
    if "drop_disadvantage" in race.choices and (
        horse.row >= DROP_ROW // 2 or burden > 1 or not is_leader or rows < 3
    ):
        return ChooseColour("drop_disadvantage")
    if "advantage_to_drop" in race.choices and horse.row >= DROP_ROW:
        return ChooseColour("advantage_to_drop")
    if "extra_rows" in race.choices and gain > 0:
        return ChooseColour("extra_rows")
    if "advantage_for_rows" in race.choices and spare > burden and gain > rows / 2:
        return ChooseColour("advantage_for_rows")
    return ChooseColour("nothing")


def _face_hazard(
    view: AscotView, own: OwnView, hazard: Hazard, chance: Chance
) -> AscotCommand | None:
    """Use the report, or offer to buy one, or give up."""
    if hazard in view.players[own.seat].reports:
        return UseReport()
    if any(offer.seat == own.seat for offer in view.offers):
        # Those who could sell may never answer, and the table may have no limit of time.
        return None if chance.below(4) else DeclineReport()
    cash = view.players[own.seat].cash or 0
    if own.changes_left and cash >= REPORT_PRICE and chance.below(2):
        return Offer(None, takes=(f"report:{hazard}",), pays=REPORT_PRICE)
    return DeclineReport()
