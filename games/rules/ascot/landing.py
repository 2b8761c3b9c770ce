"""A running horse: its moves, and what the square it reaches allows or demands (Rulebook, "Arrêt sur une case")."""

from typing import Literal

from games.engine import Seat
from games.rules.ascot import path
from games.rules.ascot.commands import ColourChoice
from games.rules.ascot.data.printed import COLOURS, Inscription, Printed
from games.rules.ascot.desk import Desk, require
from games.rules.ascot.path import Path, Place
from games.rules.ascot.race_events import (
    ColourUsed,
    HazardMet,
    HorseFell,
    HorseLost,
    HorseMoved,
    HorseWaits,
    InscriptionObeyed,
    ReportUsed,
)
from games.rules.ascot.state import AscotState, Race

Cause = Literal["throw", "colour", "inscription"]


def others(state: AscotState, number: int) -> set[Place]:
    """Where all runners but this one stand."""
    return {
        (horse.row, horse.lane)
        for other, horse in state.horses.items()
        if horse.fate == "running" and other != number
    }


def _place(state: AscotState, number: int) -> Place:
    return state.horses[number].row, state.horses[number].lane


def _points_to_run(printed: Printed, state: AscotState, number: int, rows: int) -> int:
    """Extra rows and instructions end at the last row at the latest: only a throw finishes (Ruling A28)."""
    return min(rows, printed.course.rows - state.horses[number].row)


def ways(printed: Printed, state: AscotState) -> dict[int, Path]:
    """The end squares among which a player chooses now, by lane; empty when he is not asked for a move."""
    race = state.race
    if race is None or race.step != "move":
        return {}
    return _ways_bound_by(printed, state, race.horse, race.points, race.bound_by)


def _ways_bound_by(
    printed: Printed, state: AscotState, number: int, points: int, code: str | None
) -> dict[int, Path]:
    """Legal full moves; those that an inscription asks for, if one is obeyed (Ruling A32)."""
    field, place = others(state, number), _place(state, number)
    inscription = printed.inscriptions[code] if code else None
    if inscription is not None and inscription.effect == "overtake":
        return path.overtaking(printed.course, field, place)
    if points == 0:
        return {}
    found = path.moves(printed.course, field, place, points)
    return {
        lane: way for lane, way in found.items() if inscription is None or inscription.ends_in(lane)
    }


def run(desk: Desk, race: Race, rows: int, cause: Cause) -> None:
    """Run so many rows by any legal full move; without one the horse is jostled, and nothing more happens (Ruling A27)."""
    race.points = _points_to_run(desk.printed, desk.state, race.horse, rows)
    race.cause, race.bound_by = cause, None
    if race.points == 0:
        race.step = "served"
        return
    found = _ways_bound_by(desk.printed, desk.state, race.horse, race.points, None)
    if found:
        _choose_way(desk, race, found)
    else:
        jostle(desk, race.horse)
        race.step = "served"


def _choose_way(desk: Desk, race: Race, found: dict[int, Path]) -> None:
    """The player chooses the end square, if there is a choice."""
    if len(found) == 1:
        _arrive(desk, race, next(iter(found.values())))
    else:
        race.step = "move"
        desk.wait(desk.options.race_s)


def move(desk: Desk, race: Race, lane: int) -> None:
    """Run to the end square in this lane."""
    require(race.step == "move", "nothing_to_move", step=race.step)
    found = ways(desk.printed, desk.state)
    require(lane in found, "illegal_end_square", lane=lane, lanes=sorted(found))
    _arrive(desk, race, found[lane])


def jostle(desk: Desk, number: int) -> None:
    """Stop one empty square behind the horse in the way; colour and inscription of that square are ignored."""
    horse = desk.state.horses[number]
    row, lane = path.jostled(others(desk.state, number), (horse.row, horse.lane))
    way = tuple((passed, lane) for passed in range(horse.row + 1, row + 1))
    horse.row = row
    desk.emit(HorseMoved(horse=number, path=way, why="jostled"))


def _arrive(desk: Desk, race: Race, way: Path) -> None:
    horse = desk.state.horses[race.horse]
    horse.row, horse.lane = way[-1]
    desk.emit(HorseMoved(horse=race.horse, path=way, why=race.cause))
    _land(desk, race)


def _land(desk: Desk, race: Race) -> None:
    """A horse profits once a turn from colour and once from an inscription, in either order; then it is done."""
    race.step = "served"
    if len(colour_choices(desk.printed, desk.state)) > 1:
        race.step = "colour"
        desk.wait(desk.options.race_s)
        return
    inscription = desk.printed.inscription_at(*_place(desk.state, race.horse))
    if inscription is not None and not race.has_used_inscription and inscription.effect != "bend":
        race.has_used_inscription = True
        _obey(desk, race, inscription)


def colour_choices(printed: Printed, state: AscotState) -> list[ColourChoice]:
    """What the owner may do with the square the horse being served stands on (Rulebook, "Utilisation des Avantages").

    On its own colour the horse runs on, or a Disadvantage is dropped instead. On another colour an Advantage does the
    same. On the white squares before the last bend an Advantage buys extra rows only (Ruling A31).
    """
    race = state.race
    assert race is not None
    row, lane = _place(state, race.horse)
    colour, own = printed.colour_at(row, lane), printed.colour(race.horse)
    inscription = printed.inscription_at(row, lane)
    is_bend = inscription is not None and inscription.effect == "bend"
    choices: list[ColourChoice] = ["nothing"]
    if race.has_used_colour or not (colour or is_bend):
        return choices
    cards = race.hands[race.seat]
    can_run = _points_to_run(printed, state, race.horse, printed.extra_rows(race.horse)) > 0
    can_drop = cards.disadvantages > 0 and colour is not None
    if colour == own:
        choices += ["extra_rows"] if can_run else []
        choices += ["drop_disadvantage"] if can_drop else []
    elif cards.count(own):
        choices += ["advantage_for_rows"] if can_run else []
        choices += ["advantage_to_drop"] if can_drop else []
    return choices


def choose_colour(desk: Desk, race: Race, choice: ColourChoice) -> None:
    """Use the colour of the square, or let it be."""
    require(race.step == "colour", "no_colour_to_choose", step=race.step)
    choices = colour_choices(desk.printed, desk.state)
    require(choice in choices, "choice_not_open", choice=choice, choices=choices)
    race.has_used_colour, race.step = True, "served"
    desk.emit(ColourUsed(horse=race.horse, choice=choice))
    cards, own = race.hands[race.seat], desk.printed.colour(race.horse)
    if choice in {"advantage_for_rows", "advantage_to_drop"}:
        cards.advantages[COLOURS.index(own)] -= 1
    if choice in {"drop_disadvantage", "advantage_to_drop"}:
        cards.disadvantages -= 1
    if choice in {"extra_rows", "advantage_for_rows"}:
        run(desk, race, desk.printed.extra_rows(race.horse), "colour")


def _obey(desk: Desk, race: Race, inscription: Inscription) -> None:
    """Follow an inscription; one that the path rules do not allow has no effect (Rulings A32 and A33)."""
    number = race.horse
    found: dict[int, Path] = {}
    is_bound = inscription.effect == "overtake" or inscription.lanes is not None
    if is_bound:
        points = _points_to_run(desk.printed, desk.state, number, inscription.rows)
        found = _ways_bound_by(desk.printed, desk.state, number, points, inscription.code)
    desk.emit(
        InscriptionObeyed(
            horse=number, code=inscription.code, has_effect=bool(found) or not is_bound
        )
    )
    match inscription.effect:
        case "advance" | "whip" if not is_bound:
            run(desk, race, inscription.rows, "inscription")
        case "advance" | "overtake":
            if found:
                race.points = len(next(iter(found.values())))
                race.cause, race.bound_by = "inscription", inscription.code
                _choose_way(desk, race, found)
        case "back":
            _go_back(desk, race, inscription.rows)
        case "ruin" | "fall":
            _meet_hazard(desk, race, inscription)
        case "wait":
            desk.state.horses[number].is_waiting = True
            desk.emit(HorseWaits(horse=number))


def _go_back(desk: Desk, race: Race, rows: int) -> None:
    """Straight back, to the nearest free square if that one is taken (Ruling A34); its colour may still be used."""
    horse = desk.state.horses[race.horse]
    row, lane = path.backwards(others(desk.state, race.horse), (horse.row, horse.lane), rows)
    if row < horse.row:
        way = tuple((passed, lane) for passed in range(horse.row - 1, row - 1, -1))
        horse.row = row
        desk.emit(HorseMoved(horse=race.horse, path=way, why="back"))
        _land(desk, race)


def _meet_hazard(desk: Desk, race: Race, inscription: Inscription) -> None:
    """The matching report averts the danger; who lacks it may buy it, if anybody has one to sell (Ruling A35)."""
    state = desk.state
    assert inscription.report is not None
    race.hazard = inscription.report
    desk.emit(HazardMet(horse=race.horse, report=race.hazard))
    if race.hazard in state.kept[race.seat]:
        race.step = "hazard"
        desk.wait(desk.options.race_s)
    elif any(race.hazard in kept for kept in state.kept):
        race.step = "hazard"
        desk.wait(desk.options.hazard_s)
    else:
        suffer(desk, race)


def use_report(desk: Desk, race: Race, seat: Seat) -> None:
    """Discard the matching report: the horse stays in the race and goes on at its next turn."""
    require(race.step == "hazard", "no_hazard", step=race.step)
    assert race.hazard is not None
    require(race.hazard in desk.state.kept[seat], "no_such_report", report=race.hazard)
    desk.state.kept[seat].remove(race.hazard)
    desk.emit(ReportUsed(seat=seat, horse=race.horse, report=race.hazard))
    race.step, race.hazard = "served", None


def decline_report(desk: Desk, race: Race) -> None:
    """Let the danger take its course."""
    require(race.step == "hazard", "no_hazard", step=race.step)
    suffer(desk, race)


def suffer(desk: Desk, race: Race) -> None:
    """The horse is out of the race, or down until a 6 is thrown for it."""
    horse = desk.state.horses[race.horse]
    inscription = desk.printed.inscription_at(horse.row, horse.lane)
    assert inscription is not None
    race.step, race.hazard = "served", None
    if inscription.effect == "fall":
        horse.is_down = True
        desk.emit(HorseFell(horse=race.horse))
    else:
        horse.fate = "lost"
        desk.emit(HorseLost(horse=race.horse))


def time_out(desk: Desk, race: Race) -> None:
    """A slow player moves to the lowest lane, takes extra rows that cost nothing, and uses the report he has."""
    match race.step:
        case "move":
            move(desk, race, min(ways(desk.printed, desk.state)))
        case "colour":
            choices = colour_choices(desk.printed, desk.state)
            free: tuple[ColourChoice, ...] = ("extra_rows", "drop_disadvantage", "nothing")
            choose_colour(desk, race, next(choice for choice in free if choice in choices))
        case "hazard" if race.hazard in desk.state.kept[race.seat]:
            use_report(desk, race, race.seat)
        case _:
            suffer(desk, race)
