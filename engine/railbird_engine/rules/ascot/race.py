"""The race: which horse uses which throw, and which horses pass the post (Rulebook, part II)."""

from typing import Final, Literal

import msgspec

from railbird_engine import Seat
from railbird_engine.rules.ascot import landing
from railbird_engine.rules.ascot.data.printed import COLOURS, Printed
from railbird_engine.rules.ascot.desk import Desk, require
from railbird_engine.rules.ascot.path import Place, jostled, moves
from railbird_engine.rules.ascot.race_events import (
    HorseDisqualified,
    HorsePassed,
    ObjectionsAwaited,
    RaceThrown,
    StarterFound,
    StartThrown,
    ThrowAssigned,
    ThrowWasted,
)
from railbird_engine.rules.ascot.state import (
    Arrival,
    AscotState,
    Race,
    SmallCards,
    clockwise,
    horses_of,
)

PLACES: Final = 3
"""How many horses must pass the post before the race is over."""


def begin(desk: Desk) -> None:
    """Throw for the start, with tied seats again; each player's small cards become one hand."""
    state = desk.state
    starters = [seat for seat in clockwise(state, 0) if horses_of(state, seat, "running")]
    state.phase, state.changes = "race", {}
    state.race = Race(Seat(0), [_pool(desk, Seat(seat)) for seat in range(state.seats)])
    while len(starters) > 1:
        dice = {seat: desk.chance.die() for seat in starters}
        for seat, die in dice.items():
            desk.emit(StartThrown(seat=seat, die=die))
        starters = [seat for seat in starters if dice[seat] == max(dice.values())]
    for starter in starters:
        desk.emit(StarterFound(seat=starter))
        _begin_turn(desk, state.race, starter)


def _pool(desk: Desk, seat: Seat) -> SmallCards:
    """Gather the small cards of a player's runners (Rulebook, "Utilisation des Avantages")."""
    cards = SmallCards([0] * len(COLOURS), 0)
    for number in horses_of(desk.state, seat, "running"):
        horse = desk.state.horses[number]
        cards.advantages[COLOURS.index(desk.printed.colour(number))] += horse.advantages
        cards.disadvantages += horse.disadvantages
        desk.change_horse(number, advantages=0, disadvantages=0)
    return cards


def _begin_turn(desk: Desk, race: Race, first: int) -> None:
    """Give the turn to the next seat with a horse that may throw; a waiting horse misses it."""
    state = desk.state
    runners = [seat for seat in clockwise(state, first) if horses_of(state, seat, "running")]
    for seat in (*runners, *runners):  # Twice, in case all horses wait.
        own = horses_of(state, seat, "running")
        left = [number for number in own if not state.horses[number].is_waiting]
        for number in set(own) - set(left):
            desk.change_horse(number, is_waiting=False)
        if left:
            race.seat, race.left = seat, left
            return


def serve_next(desk: Desk) -> None:
    """Throw for the next horse or the next player; at the end wait for objections."""
    race = desk.state.race
    assert race is not None and race.step == "served"
    if is_decided(desk.state):
        race.step = "objections"
        doubtful = tuple(arrival.horse for arrival in race.arrivals if arrival.disadvantages)
        owners = [desk.state.horses[number].owner for number in doubtful]
        desk.state.answered = sorted(set(owners)) if len(set(owners)) == 1 else []
        desk.emit(ObjectionsAwaited(horses=doubtful))
        desk.wait(desk.options.race_s)
        return
    if not race.left:
        _begin_turn(desk, race, race.seat + 1)
    _throw(desk, race)


def is_decided(state: AscotState) -> bool:
    """Whether three horses have passed the post, or no further horse can."""
    assert state.race is not None
    is_full = len(state.race.arrivals) >= PLACES
    return is_full or all(horse.fate != "running" for horse in state.horses.values())


def is_over(state: AscotState) -> bool:
    """Whether the arrival is decided and no objection is possible."""
    assert state.race is not None
    return is_decided(state) and not any(arrival.disadvantages for arrival in state.race.arrivals)


def choices_to_assign(state: AscotState) -> list[int]:
    """The horses that may use the throw: the next one and the Favourite (Rulebook, "Favori")."""
    race = state.race
    assert race is not None
    favourite = state.favourites[race.seat]
    if favourite not in race.left:
        return race.left[:1]
    others = [number for number in race.left if number != favourite]
    return sorted([favourite, *others[:1]])


def turn_of(desk: Desk, seat: Seat) -> Race:
    """The turn of this seat, or a refusal."""
    desk.require_phase("race")
    race = desk.state.race
    assert race is not None
    require(race.step != "objections", "race_awaits_objections")
    require(race.seat == seat, "not_your_turn", turn=race.seat)
    return race


def _throw(desk: Desk, race: Race) -> None:
    """Throw one die for one horse; a player whose Favourite has not moved chooses the horse."""
    race.die, race.horse = desk.chance.die(), 0
    desk.emit(RaceThrown(seat=race.seat, die=race.die))
    choices = choices_to_assign(desk.state)
    if len(choices) > 1:
        race.step = "assign"
        desk.wait(desk.options.race_s)
    else:
        _serve(desk, race, choices[0])


def assign(desk: Desk, seat: Seat, number: int) -> None:
    """Use the throw for the Favourite or for the next horse in order."""
    race = turn_of(desk, seat)
    require(race.step == "assign", "nothing_to_assign", step=race.step)
    choices = choices_to_assign(desk.state)
    require(number in choices, "not_next_in_order", horse=number, choices=choices)
    _serve(desk, race, number)


def _serve(desk: Desk, race: Race, number: int) -> None:
    """Use the throw for one horse: it gets up, runs, passes the post, or cannot use it."""
    race.left.remove(number)
    race.horse, race.step = number, "served"
    race.has_used_colour = race.has_used_inscription = False
    desk.emit(ThrowAssigned(horse=number, die=race.die))
    use = outlook(desk.printed, desk.state, number).use
    match use:
        case "down" | "freed":  # It leaves on the turn after the 6.
            desk.change_horse(number, is_down=use == "down")
            desk.emit(ThrowWasted(horse=number, why=use))
        case "too_high":
            desk.emit(ThrowWasted(horse=number, why=use))
        case "passes":
            _pass_post(desk, race, number)
        case "run" | "jostled":
            landing.run(desk, race, race.die, "throw")


class Outlook(msgspec.Struct, frozen=True):
    """The effect of the throw on a horse that uses it, and the squares where it may stop."""

    use: Literal["run", "jostled", "passes", "too_high", "down", "freed"]
    ends: tuple[Place, ...] = ()


def outlook(printed: Printed, state: AscotState, number: int) -> Outlook:
    """Return what the throw does for this horse. It passes the post with its last point, after a
    full move to the last row (Ruling A29)."""
    race, horse, course = state.race, state.horses[number], printed.course
    assert race is not None
    exact = course.rows + 1 - horse.row
    if horse.is_down:
        return Outlook("freed" if race.die == 6 else "down")
    if race.die > exact:
        return Outlook("too_high")
    if race.die == exact == 1:
        return Outlook("passes")
    field = landing.others(state, number)
    ways = moves(course, field, horse.place, min(race.die, exact - 1))
    if not ways:
        return Outlook("jostled", (jostled(field, horse.place),))
    return (
        Outlook("passes")
        if race.die == exact
        else Outlook("run", tuple(it[-1] for it in ways.values()))
    )


def _pass_post(desk: Desk, race: Race, number: int) -> None:
    """Let a horse arrive; Disadvantages of its owner disqualify it (Rulings A36 and A37)."""
    owner = desk.state.horses[number].owner
    disadvantages = race.hands[owner].disadvantages
    desk.change_horse(number, fate="passed")
    desk.emit(HorsePassed(horse=number, disadvantages=disadvantages))
    race.arrivals.append(Arrival(number, disadvantages))
    if disadvantages and not desk.options.manual_objection:
        _disqualify(desk, race, number)


def _disqualify(desk: Desk, race: Race, number: int) -> None:
    race.arrivals = [arrival for arrival in race.arrivals if arrival.horse != number]
    desk.change_horse(number, fate="disqualified")
    desk.emit(HorseDisqualified(horse=number))


def object_to(desk: Desk, seat: Seat, number: int) -> None:
    """Disqualify a finisher whose owner kept Disadvantages (Ruling A36).

    The race continues if a place is free again.
    """
    desk.require_phase("race")
    race = desk.state.race
    assert race is not None
    arrived = (arrival for arrival in race.arrivals if arrival.horse == number)
    arrival = next(arrived, None)
    require(arrival is not None, "not_arrived", horse=number)
    assert arrival is not None
    require(desk.state.horses[number].owner != seat, "own_horse", horse=number)
    require(arrival.disadvantages > 0, "objection_unfounded", horse=number)
    _disqualify(desk, race, number)
    if race.step == "objections":
        race.step = "served"


def confirm(desk: Desk, seat: Seat) -> None:
    """Raise no objection; the arrival is final when no seat has one."""
    state = desk.state
    desk.require_phase("race")
    assert state.race is not None
    require(state.race.step == "objections", "no_objections_awaited")
    require(seat not in state.answered, "already_confirmed")
    state.answered = sorted([*state.answered, seat])
    if len(state.answered) == state.seats:
        _confirm_arrival(state.race)


def _confirm_arrival(race: Race) -> None:
    """Make the arrival final: Disadvantages no longer matter."""
    race.arrivals = [Arrival(arrival.horse, 0) for arrival in race.arrivals]
    race.step = "served"


def time_out(desk: Desk) -> None:
    """Assign the throw to the first horse in order, decide its move, or end the objections."""
    race = desk.state.race
    assert race is not None
    match race.step:
        case "assign":
            assign(desk, race.seat, race.left[0])
        case "objections":
            _confirm_arrival(race)
        case "move" | "colour" | "hazard":
            landing.time_out(desk, race)
        case "served":
            raise AssertionError("nothing is awaited between two horses")
