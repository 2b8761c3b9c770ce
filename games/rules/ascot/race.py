"""The race: whose turn it is, which horse uses which throw, who passes the post (Rulebook, part II)."""

from games.engine import Seat
from games.rules.ascot import landing
from games.rules.ascot.data.printed import COLOURS
from games.rules.ascot.desk import Desk, require
from games.rules.ascot.path import moves
from games.rules.ascot.race_events import (
    HorseDisqualified,
    HorsePassed,
    ObjectionsAwaited,
    RaceThrown,
    StarterFound,
    StartThrown,
    ThrowAssigned,
    ThrowWasted,
)
from games.rules.ascot.state import Arrival, AscotState, Race, SmallCards, clockwise, horses_of

PLACES = 3
"""How many horses must pass the post before the race is over."""


def begin(desk: Desk) -> None:
    """The highest throw starts, ties throw again; the small cards of each player become one hand."""
    state = desk.state
    starters = [seat for seat in clockwise(state, 0) if horses_of(state, seat, "running")]
    state.phase = "race"
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
    """All Advantages and Disadvantages of a player's runners form one hand (Rulebook, "Utilisation des Avantages")."""
    cards = SmallCards([0] * len(COLOURS), 0)
    for number in horses_of(desk.state, seat, "running"):
        horse = desk.state.horses[number]
        cards.advantages[COLOURS.index(desk.printed.colour(number))] += horse.advantages
        cards.disadvantages += horse.disadvantages
        horse.advantages = horse.disadvantages = 0
    return cards


def _begin_turn(desk: Desk, race: Race, first: int) -> None:
    """The next player with a horse that may throw; horses that wait have now waited."""
    state = desk.state
    runners = [seat for seat in clockwise(state, first) if horses_of(state, seat, "running")]
    for seat in (*runners, *runners):  # Twice, should all horses be waiting.
        own = horses_of(state, seat, "running")
        left = [number for number in own if not state.horses[number].is_waiting]
        for number in own:
            state.horses[number].is_waiting = False
        if left:
            race.seat, race.left = seat, left
            _await_throw(desk, race)
            return


def _await_throw(desk: Desk, race: Race) -> None:
    race.step, race.die, race.horse = "throw", 0, 0
    desk.wait(desk.options.race_s)


def serve_next(desk: Desk) -> None:
    """When a horse is done, the next one comes, or the next player, or the doubts about the arrival."""
    race = desk.state.race
    assert race is not None and race.step == "served"
    if is_decided(desk.state):
        race.step = "objections"
        desk.state.answered = []
        desk.emit(
            ObjectionsAwaited(
                horses=tuple(arrival.horse for arrival in race.arrivals if arrival.disadvantages)
            )
        )
        desk.wait(desk.options.race_s)
    elif race.left:
        _await_throw(desk, race)
    else:
        _begin_turn(desk, race, race.seat + 1)


def is_decided(state: AscotState) -> bool:
    """Whether three horses have passed, or none is left that could."""
    assert state.race is not None
    return len(state.race.arrivals) >= PLACES or all(
        horse.fate != "running" for horse in state.horses.values()
    )


def is_over(state: AscotState) -> bool:
    """Whether the arrival is decided and nobody can object to it any more."""
    assert state.race is not None
    return is_decided(state) and not any(arrival.disadvantages for arrival in state.race.arrivals)


def choices_to_assign(state: AscotState) -> list[int]:
    """Who may use the throw: the next horse in order, or the Favourite (Rulebook, "Favori")."""
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


def throw(desk: Desk, seat: Seat) -> None:
    """One die for one horse; with a Favourite still to move the player chooses for which."""
    race = turn_of(desk, seat)
    require(race.step == "throw", "not_before_throw", step=race.step)
    race.die = desk.chance.die()
    desk.emit(RaceThrown(seat=seat, die=race.die))
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
    """One horse uses the throw: it gets up, runs, passes the post, or cannot use it."""
    race.left.remove(number)
    race.horse, race.step = number, "served"
    race.has_used_colour = race.has_used_inscription = False
    desk.emit(ThrowAssigned(horse=number, die=race.die))
    horse, rows = desk.state.horses[number], desk.printed.course.rows
    exact = rows + 1 - horse.row
    if horse.is_down:
        horse.is_down = race.die != 6  # It leaves on the turn after the 6.
        desk.emit(ThrowWasted(horse=number, why="down" if horse.is_down else "freed"))
    elif race.die > exact:
        desk.emit(ThrowWasted(horse=number, why="too_high"))
    elif race.die < exact:
        landing.run(desk, race, race.die, "throw")
    elif exact == 1 or moves(
        desk.printed.course, landing.others(desk.state, number), (horse.row, horse.lane), exact - 1
    ):
        _pass_post(desk, race, number)
    else:
        landing.jostle(desk, number)


def _pass_post(desk: Desk, race: Race, number: int) -> None:
    """A horse passes the post; if its owner kept Disadvantages, it is disqualified (Rulings A36 and A37)."""
    horse = desk.state.horses[number]
    disadvantages = race.hands[horse.owner].disadvantages
    horse.fate = "passed"
    desk.emit(HorsePassed(horse=number, disadvantages=disadvantages))
    race.arrivals.append(Arrival(number, disadvantages))
    if disadvantages and not desk.options.manual_objection:
        _disqualify(desk, race, number)


def _disqualify(desk: Desk, race: Race, number: int) -> None:
    race.arrivals = [arrival for arrival in race.arrivals if arrival.horse != number]
    desk.state.horses[number].fate = "disqualified"
    desk.emit(HorseDisqualified(horse=number))


def object_to(desk: Desk, seat: Seat, number: int) -> None:
    """Object to a finisher whose owner kept Disadvantages; the race goes on if places are free again (Ruling A36)."""
    desk.require_phase("race")
    race = desk.state.race
    assert race is not None
    arrival = next((arrival for arrival in race.arrivals if arrival.horse == number), None)
    require(arrival is not None, "not_arrived", horse=number)
    assert arrival is not None
    require(desk.state.horses[number].owner != seat, "own_horse", horse=number)
    require(arrival.disadvantages > 0, "objection_unfounded", horse=number)
    _disqualify(desk, race, number)
    if race.step == "objections":
        race.step = "served"


def confirm(desk: Desk, seat: Seat) -> None:
    """No objection; the arrival stands when nobody has one."""
    state = desk.state
    desk.require_phase("race")
    assert state.race is not None
    require(state.race.step == "objections", "no_objections_awaited")
    require(seat not in state.answered, "already_confirmed")
    state.answered = sorted([*state.answered, seat])
    if len(state.answered) == state.seats:
        confirm_arrival(desk)


def confirm_arrival(desk: Desk) -> None:
    """What nobody objected to stands."""
    race = desk.state.race
    assert race is not None
    for arrival in race.arrivals:
        arrival.disadvantages = 0
    race.step = "served"


def time_out(desk: Desk) -> None:
    """A slow player throws, and moves his first horse in order; doubts that nobody voices are no objections."""
    race = desk.state.race
    assert race is not None
    match race.step:
        case "throw":
            throw(desk, race.seat)
        case "assign":
            assign(desk, race.seat, race.left[0])
        case "objections":
            confirm_arrival(desk)
        case "move" | "colour" | "hazard":
            landing.time_out(desk, race)
        case "served":
            raise AssertionError("nothing is awaited between two horses")
