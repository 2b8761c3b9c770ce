"""Positions in the middle of a game, and helpers for tests: act, tick, refuse."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import msgspec
import pytest
from msgspec.structs import replace

from railbird_engine import (
    BANK,
    SLOW_LIMITS_S,
    Event,
    RuleViolation,
    ScriptedChance,
    Seat,
    SeededChance,
    Step,
    seat_purse,
)
from railbird_engine.kernel.contract import Turn
from railbird_engine.rules.ascot.commands import AscotCommand
from railbird_engine.rules.ascot.data.printed import COLOURS, Office
from railbird_engine.rules.ascot.desk import Desk
from railbird_engine.rules.ascot.events import AscotEvent
from railbird_engine.rules.ascot.flow import carry_on
from railbird_engine.rules.ascot.options import AscotOptions
from railbird_engine.rules.ascot.reports import lay_out
from railbird_engine.rules.ascot.rules import Ascot
from railbird_engine.rules.ascot.state import (
    PRIZE_FUND,
    TOTALISATOR,
    AscotState,
    Clock,
    Horse,
    Race,
    SmallCards,
    Ticket,
    Training,
    cash,
)

EventT = TypeVar("EventT", bound=Event)

RULES = Ascot()
CASH = 281_000
VARIANTS = (
    AscotOptions(),
    AscotOptions(banker=1, dealer=1, manual_objection=True, place_bets=True, private_cash=True),
    AscotOptions(
        victory="money", tote_no_winner="carry_over", carried_in=12_500, literal_tote=True
    ),
)
"""Options that differ in much."""

Runner = tuple[int, int, int]
"""Owner, row, lane."""


def events_of(step: Step[AscotState], kind: type[EventT]) -> list[EventT]:
    """The events of one kind that a step emitted, in their order."""
    return [event for event in step.events if isinstance(event, kind)]


class ScriptEndError(Exception):
    """The game needs another draw, but the script of the test has ended."""


class Script(ScriptedChance):
    """The scripted draws of a test. The first missing draw ends the step."""

    def _value(self, number: int, bound: int) -> int:
        if number == self._written:
            raise ScriptEndError
        return super()._value(number, bound)

    def __init__(self, values: tuple[int, ...]) -> None:
        super().__init__(values)
        self._written = len(values)


def _follow(
    state: AscotState, play: Callable[[Turn[AscotState, AscotEvent]], None], draws: tuple[int, ...]
) -> Step[AscotState]:
    turn: Turn[AscotState, AscotEvent] = Turn(RULES._draft(state), Script(draws))
    with suppress(ScriptEndError):
        play(turn)
    step = turn.step()
    assert len(step.draws) == len(draws), f"{len(draws)} draws were written, {len(step.draws)} used"
    assert sum(step.state.purses.values()) == 0
    assert all(held >= 0 for purse, held in step.state.purses.items() if purse != BANK)
    return step


def act(state: AscotState, seat: int, command: AscotCommand, *draws: int) -> Step[AscotState]:
    """Carry out a command with these draws, all of which it must use."""
    return _follow(state, lambda turn: RULES.play(turn, Seat(seat), command), draws)


def go_on(state: AscotState, *draws: int) -> Step[AscotState]:
    """Let the server carry out steps without a decision, with these draws."""
    return _follow(state, lambda turn: carry_on(Desk(turn, RULES.printed)), draws)


def tick(state: AscotState, *draws: int) -> Step[AscotState]:
    """Answer the alarm."""
    assert RULES.alarm(state) is not None
    return _follow(state, RULES.tick, draws)


def refuse(state: AscotState, seat: int, command: AscotCommand) -> RuleViolation:
    """Carry out a command that must be refused."""
    before = msgspec.json.encode(state)
    with pytest.raises(RuleViolation) as refusal:
        RULES.apply(state, Seat(seat), command, SeededChance(b"refused"))
    assert msgspec.json.encode(state) == before
    msgspec.json.encode(refusal.value.data)
    return refusal.value


def dice(*faces: int) -> tuple[int, ...]:
    """The draws that show these faces."""
    return tuple(face - 1 for face in faces)


def empty_table(seats: int = 3, **options: object) -> AscotState:
    """Return a game before the deal with the opening cash; seat 0 is the Dealer and Banker."""
    state = RULES.setup(seats, msgspec.convert(options, AscotOptions))
    for seat in range(seats):
        set_cash(state, seat, CASH)
    return state


def set_cash(state: AscotState, seat: int, amount: int) -> None:
    """Give a seat exactly this much, from the box or back to it."""
    state.purses[BANK] -= amount - cash(state, Seat(seat))
    state.purses[seat_purse(seat)] = amount


def fill_bank(state: AscotState, amount: int) -> None:
    """Put prizes into the Bank of the rulebook."""
    state.purses[BANK] -= amount - state.purses[PRIZE_FUND]
    state.purses[PRIZE_FUND] = amount


def dealt(
    hands: list[list[str]], dead: list[str], phase: str = "exchange", **options: object
) -> AscotState:
    """A game right after the deal; seat 0 is the Auctioneer, seat 1 exchanges first."""
    state = empty_table(len(hands), **options)
    state.hands = [sorted(hand) for hand in hands]
    state.dead = sorted(dead)
    state.offices = {"auctioneer": Seat(0)}
    state.phase = msgspec.convert(phase, AscotState.__annotations__["phase"])
    if phase == "exchange":
        state.turn = Seat(1 % state.seats)
    if phase == "discard":
        state.discards = [None] * state.seats
    state.clock = Clock(1, 30)
    return state


def training(
    horses: dict[int, int],
    offices: dict[Office, int] | None = None,
    seats: int = 3,
    turn: int = 0,
    **options: object,
) -> AscotState:
    """Return a game in training with these owners of horses and offices, and this active seat.

    At a slow table the server throws for a seat without a choice.
    """
    state = empty_table(seats, **{"training_s": SLOW_LIMITS_S[0], **options})
    state.phase = "training"
    state.horses = {number: Horse(Seat(owner)) for number, owner in sorted(horses.items())}
    state.offices = {office: Seat(seat) for office, seat in (offices or {}).items()}
    lay_out(Desk(Turn(state, ScriptedChance([])), RULES.printed))
    state.training = Training(Seat(turn))
    state.clock = Clock(1, 30)
    return state


def stack(state: AscotState, pack: str, *codes: str) -> None:
    """Put these cards on top of a pack, in this order."""
    cards = state.packs[pack]  # type: ignore[index]  # the name of a pack
    for code in codes:
        cards.fresh.remove(code)
    cards.under = [*codes, *cards.fresh]
    cards.fresh = []


def preliminaries(
    horses: dict[int, int], seats: int = 3, runners_each: int = 3, **options: object
) -> AscotState:
    """Return a game in the trade window with these owners of trained horses."""
    state = empty_table(seats, **options)
    state.phase = "preliminaries"
    state.horses = {
        number: Horse(Seat(owner), "home", 61) for number, owner in sorted(horses.items())
    }
    state.runners_each = runners_each
    state.clock = Clock(1, 180)
    return state


def betting(runners: dict[int, int], seats: int = 3, **options: object) -> AscotState:
    """A game in which the first runner is called."""
    state = preliminaries(runners, seats, 3, **options)
    state.phase = "betting"
    for number in state.horses:
        change(state, number, fate="running", lane=RULES.printed.start_lane(number))
    state.favourites = [None] * seats
    state.queue = sorted(runners)
    state.clock = Clock(1, 30)
    return state


def racing(
    runners: dict[int, Runner],
    seats: int = 3,
    *,
    advantages: dict[int, dict[str, int]] | None = None,
    disadvantages: dict[int, int] | None = None,
    favourites: dict[int, int] | None = None,
    **options: object,
) -> AscotState:
    """Return a game in the race with these positions; seat 0 throws next for its first horse."""
    state = empty_table(seats, **options)
    state.phase = "race"
    state.horses = {
        number: Horse(Seat(owner), "running", 61, row=row, lane=lane)
        for number, (owner, row, lane) in sorted(runners.items())
    }
    state.favourites = [(favourites or {}).get(seat) for seat in range(seats)]
    hands = [
        SmallCards(
            [(advantages or {}).get(seat, {}).get(colour, 0) for colour in COLOURS],
            (disadvantages or {}).get(seat, 0),
        )
        for seat in range(seats)
    ]
    left = [number for number, horse in state.horses.items() if horse.owner == 0]
    state.race = Race(Seat(0), hands, left=left)
    state.clock = Clock(1, 45)
    return state


def race_of(state: AscotState) -> Race:
    """The race of a game that is racing."""
    assert state.race is not None
    return state.race


def place_of(state: AscotState, horse: int) -> tuple[int, int]:
    """Row and lane of a horse."""
    return state.horses[horse].row, state.horses[horse].lane


def with_bets(state: AscotState, *bets: tuple[int, int, int]) -> AscotState:
    """Sell tickets: seat, horse and stake of each."""
    for seat, horse, stake in bets:
        state.purses[seat_purse(seat)] -= stake
        state.purses[TOTALISATOR] += stake
        state.tickets.append(Ticket(len(state.tickets) + 1, Seat(seat), horse, stake))
    return state


def change(state: AscotState, horse: int, **changes: object) -> None:
    """Replace fields of a horse."""
    state.horses[horse] = replace(state.horses[horse], **changes)


def points_of(state: AscotState) -> int:
    """Return the points of the horse whose end square must be chosen."""
    return len(next(iter(race_of(state).ways.values())))
