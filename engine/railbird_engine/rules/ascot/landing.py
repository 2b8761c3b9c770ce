"""A running horse: its moves, and the square it reaches (Rulebook, "Arrêt sur une case")."""

from typing import Literal

from railbird_engine import Seat
from railbird_engine.rules.ascot import path
from railbird_engine.rules.ascot.commands import ColourChoice
from railbird_engine.rules.ascot.data.printed import COLOURS, Inscription, Printed
from railbird_engine.rules.ascot.desk import Desk, require
from railbird_engine.rules.ascot.path import Path, Place
from railbird_engine.rules.ascot.race_events import (
    ColourUsed,
    HazardMet,
    HorseFell,
    HorseLost,
    HorseMoved,
    HorseWaits,
    InscriptionObeyed,
    ReportUsed,
)
from railbird_engine.rules.ascot.state import AscotState, Race, may_have

Cause = Literal["throw", "colour", "inscription"]


def others(state: AscotState, number: int) -> set[Place]:
    """Return the places of all other runners."""
    return {
        horse.place
        for other, horse in state.horses.items()
        if horse.fate == "running" and other != number
    }


def _points_to_run(printed: Printed, state: AscotState, number: int, rows: int) -> int:
    """Cut extra rows and instructions at the last row: only a throw finishes (Ruling A28)."""
    return min(rows, printed.course.rows - state.horses[number].row)


def run(desk: Desk, race: Race, rows: int, cause: Cause) -> None:
    """Run this many rows by a legal full move; without one the horse is jostled (Ruling A27)."""
    race.cause, race.step = cause, "served"
    points = _points_to_run(desk.printed, desk.state, race.horse, rows)
    if not points:
        return
    place, field = desk.state.horses[race.horse].place, others(desk.state, race.horse)
    found = path.moves(desk.printed.course, field, place, points)
    if found:
        _choose_way(desk, race, found)
    else:
        jostle(desk, race.horse)


def _choose_way(desk: Desk, race: Race, found: dict[int, Path]) -> None:
    """Ask for the end square if there is a choice."""
    if len(found) == 1:
        _arrive(desk, race, next(iter(found.values())))
    else:
        race.step, race.ways = "move", found
        desk.wait(desk.options.race_s)


def move(desk: Desk, race: Race, lane: int) -> None:
    """Run to the end square in this lane."""
    require(race.step == "move", "nothing_to_move", step=race.step)
    found, race.ways = race.ways, {}
    require(lane in found, "illegal_end_square", lane=lane, lanes=sorted(found))
    _arrive(desk, race, found[lane])


def jostle(desk: Desk, number: int) -> None:
    """Stop short of the horse in the way; colour and inscription of that square are ignored."""
    horse = desk.state.horses[number]
    row, lane = path.jostled(others(desk.state, number), horse.place)
    way = tuple((passed, lane) for passed in range(horse.row + 1, row + 1))
    desk.change_horse(number, row=row)
    desk.emit(HorseMoved(horse=number, path=way, why="jostled"))


def _arrive(desk: Desk, race: Race, way: Path) -> None:
    row, lane = way[-1]
    desk.change_horse(race.horse, row=row, lane=lane)
    desk.emit(HorseMoved(horse=race.horse, path=way, why=race.cause))
    _land(desk, race)


def _land(desk: Desk, race: Race) -> None:
    """Use the square: once a turn its colour, once its inscription, in either order."""
    race.step = "served"
    choices = _colour_choices(desk.printed, desk.state, race)
    if len(choices) > 1:
        race.step, race.choices = "colour", choices
        desk.wait(desk.options.race_s)
        return
    inscription = desk.printed.inscription_at(*desk.state.horses[race.horse].place)
    if inscription is None or race.has_used_inscription or inscription.effect == "bend":
        return
    race.has_used_inscription = True
    _obey(desk, race, inscription)


def _colour_choices(printed: Printed, state: AscotState, race: Race) -> list[ColourChoice]:
    """The uses of the square under the horse (Rulebook, "Utilisation des Avantages").

    On its own colour the horse runs on, or a Disadvantage is dropped instead. On another colour an
    Advantage does the same. Before the last bend an Advantage buys extra rows only (Ruling A31).
    Extra rows are no choice where the horse cannot run a single one.
    """
    row, lane = state.horses[race.horse].place
    colour, own = printed.colour_at(row, lane), printed.colour(race.horse)
    inscription = printed.inscription_at(row, lane)
    is_bend = inscription is not None and inscription.effect == "bend"
    cards = race.hands[race.seat]
    is_own = colour == own
    if race.has_used_colour or not (colour or is_bend) or not (is_own or cards.count(own)):
        return ["nothing"]
    choices: list[ColourChoice] = ["nothing"]
    if _can_run_on(printed, state, race.horse):
        choices.append("extra_rows" if is_own else "advantage_for_rows")
    if cards.disadvantages and colour:
        choices.append("drop_disadvantage" if is_own else "advantage_to_drop")
    return choices


def _can_run_on(printed: Printed, state: AscotState, number: int) -> bool:
    """Whether extra rows bring the horse forward, if only until it is jostled."""
    points = _points_to_run(printed, state, number, printed.extra_rows(number))
    if not points:
        return False
    field, place = others(state, number), state.horses[number].place
    if path.moves(printed.course, field, place, points):
        return True
    return path.jostled(field, place) != place


def choose_colour(desk: Desk, race: Race, choice: ColourChoice) -> None:
    """Use the colour of the square, or not."""
    require(race.step == "colour", "no_colour_to_choose", step=race.step)
    require(choice in race.choices, "choice_not_open", choice=choice, choices=race.choices)
    race.has_used_colour, race.step, race.choices = True, "served", []
    desk.emit(ColourUsed(horse=race.horse, choice=choice))
    cards, own = race.hands[race.seat], desk.printed.colour(race.horse)
    if choice in {"advantage_for_rows", "advantage_to_drop"}:
        cards.advantages[COLOURS.index(own)] -= 1
    if choice in {"drop_disadvantage", "advantage_to_drop"}:
        cards.disadvantages -= 1
    if choice in {"extra_rows", "advantage_for_rows"}:
        run(desk, race, desk.printed.extra_rows(race.horse), "colour")


def _obey(desk: Desk, race: Race, inscription: Inscription) -> None:
    """Follow an inscription; without a legal path it has no effect (Rulings A32 to A34)."""
    match inscription.effect:
        case "advance" | "whip" if inscription.lane_from is None:
            _tell(desk, race, inscription)
            run(desk, race, inscription.rows, "inscription")
        case "advance" | "overtake":
            _run_bound(desk, race, inscription)
        case "back":
            _go_back(desk, race, inscription)
        case "ruin" | "fall":
            _tell(desk, race, inscription)
            _meet_hazard(desk, race, inscription)
        case "wait":
            _tell(desk, race, inscription)
            desk.change_horse(race.horse, is_waiting=True)
            desk.emit(HorseWaits(horse=race.horse))


def _tell(desk: Desk, race: Race, inscription: Inscription, *, has_effect: bool = True) -> None:
    code = inscription.code
    desk.emit(InscriptionObeyed(horse=race.horse, code=code, has_effect=has_effect))


def _run_bound(desk: Desk, race: Race, inscription: Inscription) -> None:
    """Run as the inscription demands: beyond other horses, or to an end in certain lanes."""
    course, number = desk.printed.course, race.horse
    field, place = others(desk.state, number), desk.state.horses[number].place
    points = _points_to_run(desk.printed, desk.state, number, inscription.rows)
    if inscription.effect == "overtake":
        found = path.overtaking(course, field, place)
    elif points:
        found = path.moves(course, field, place, points)
    else:
        found = {}
    found = {lane: way for lane, way in found.items() if inscription.ends_in(lane)}
    _tell(desk, race, inscription, has_effect=bool(found))
    if found:
        race.cause = "inscription"
        _choose_way(desk, race, found)


def _go_back(desk: Desk, race: Race, inscription: Inscription) -> None:
    """Go straight back, up to the first horse in the way (Ruling A34); its colour may be used."""
    horse, field = desk.state.horses[race.horse], others(desk.state, race.horse)
    row, lane = path.backwards(field, horse.place, inscription.rows)
    _tell(desk, race, inscription, has_effect=row < horse.row)
    if row < horse.row:
        way = tuple((passed, lane) for passed in range(horse.row - 1, row - 1, -1))
        desk.change_horse(race.horse, row=row)
        desk.emit(HorseMoved(horse=race.horse, path=way, why="back"))
        _land(desk, race)


def _meet_hazard(desk: Desk, race: Race, inscription: Inscription) -> None:
    """Ask the player who has the matching report, or could buy it (Ruling A35)."""
    state = desk.state
    assert inscription.report is not None
    race.hazard = inscription.report
    desk.emit(HazardMet(horse=race.horse, report=race.hazard))
    if race.hazard in state.kept[race.seat]:
        race.step = "hazard"
        desk.wait(desk.options.race_s)
    elif any(race.hazard in kept for kept in state.kept) and _may_buy(desk, race.seat):
        race.step = "hazard"
        desk.wait(desk.options.hazard_s)
    else:
        _suffer(desk, race)


def _may_buy(desk: Desk, seat: Seat) -> bool:
    """Whether a seat has something to give for a report, as far as everybody knows."""
    state, note = desk.state, desk.printed.tariff.smallest_note
    return may_have(state, seat, note) or bool(state.kept[seat])


def use_report(desk: Desk, race: Race, seat: Seat) -> None:
    """Discard the matching report: the horse stays in the race and runs again at its next turn."""
    require(race.step == "hazard", "no_hazard", step=race.step)
    assert race.hazard is not None
    require(race.hazard in desk.state.kept[seat], "no_such_report", report=race.hazard)
    desk.state.kept[seat].remove(race.hazard)
    desk.emit(ReportUsed(seat=seat, horse=race.horse, report=race.hazard))
    race.step, race.hazard = "served", None


def decline_report(desk: Desk, race: Race) -> None:
    """Let the hazard happen."""
    require(race.step == "hazard", "no_hazard", step=race.step)
    _suffer(desk, race)


def _suffer(desk: Desk, race: Race) -> None:
    """Remove the horse from the race, or mark it as fallen until its owner throws a 6."""
    inscription = desk.printed.inscription_at(*desk.state.horses[race.horse].place)
    assert inscription is not None
    race.step, race.hazard = "served", None
    if inscription.effect == "fall":
        desk.change_horse(race.horse, is_down=True)
        desk.emit(HorseFell(horse=race.horse))
    else:
        desk.change_horse(race.horse, fate="lost")
        desk.emit(HorseLost(horse=race.horse))


def time_out(desk: Desk, race: Race) -> None:
    """Move to the lowest lane, use the colour without spending an Advantage, use the report.

    A Disadvantage is dropped before rows are taken: one that is left disqualifies horses.
    """
    match race.step:
        case "move":
            move(desk, race, min(race.ways))
        case "colour":
            free: tuple[ColourChoice, ...] = ("drop_disadvantage", "extra_rows", "nothing")
            choose_colour(desk, race, next(choice for choice in free if choice in race.choices))
        case "hazard" if race.hazard in desk.state.kept[race.seat]:
            use_report(desk, race, race.seat)
        case _:
            _suffer(desk, race)
