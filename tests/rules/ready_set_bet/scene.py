"""A game with scripted dice."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from railbird_engine import Event, RuleViolation, ScriptedChance, Seat
from railbird_engine.kernel.contract import Step
from railbird_engine.rules import ready_set_bet
from railbird_engine.rules.ready_set_bet.commands import PlaceBet, RaceCommand, RollDice
from railbird_engine.rules.ready_set_bet.data import ANNOUNCER_TOKENS, TokenColour
from railbird_engine.rules.ready_set_bet.options import ReadySetBetOptions
from railbird_engine.rules.ready_set_bet.rules import ReadySetBet
from railbird_engine.rules.ready_set_bet.state import ReadySetBetState
from railbird_engine.rules.ready_set_bet.view import VipView

RULES = ReadySetBet()
DECKS = Path(ready_set_bet.__file__).parent / "data"

CORE = ReadySetBetOptions(props=False, exotics=False, vip=False)
"""The game without cards."""


def plain(**changes: object) -> ReadySetBetOptions:
    """The game without cards and with these options."""
    return msgspec.structs.replace(CORE, **changes)


def dice_of(total: int) -> list[int]:
    """Draws (0 to 5) of two dice that show this total."""
    first = max(1, total - 6)
    return [first - 1, total - first - 1]


def first_cards(options: ReadySetBetOptions) -> list[int]:
    """Draws that turn the first cards of the decks that are in play."""
    return [0] * (5 * options.props + options.exotics)


class Scene:
    """A game in progress. `events` are those of the last step."""

    def __init__(
        self,
        seats: int = 5,
        options: ReadySetBetOptions | None = None,
        draws: list[int] | None = None,
    ) -> None:
        self.state: ReadySetBetState
        self.events: tuple[Event, ...] = ()
        options = options or CORE
        self._follow(
            RULES.start(
                seats, options, ScriptedChance(first_cards(options) if draws is None else draws)
            )
        )

    def _follow(self, step: Step[ReadySetBetState]) -> tuple[Event, ...]:
        self.state, self.events = step.state, step.events
        return step.events

    def tick(self, *draws: int) -> tuple[Event, ...]:
        """Let the clock end a pause: without dice, but perhaps with cards."""
        return self._follow(RULES.advance(self.state, ScriptedChance(draws)))

    def roll(self, *totals: int) -> list[Event]:
        """Let the clock roll each of these totals; return all events."""
        return [
            event
            for total in totals
            for event in self._follow(RULES.advance(self.state, ScriptedChance(dice_of(total))))
        ]

    def bet(
        self, seat: int, spot: str, token: int, bonus: TokenColour | None = None
    ) -> tuple[Event, ...]:
        return self.ask(seat, PlaceBet(spot, token, bonus))

    def ask(self, seat: int, command: RaceCommand) -> tuple[Event, ...]:
        """Carry out a seat's command, without dice."""
        return self._follow(RULES.apply(self.state, Seat(seat), command, ScriptedChance([])))

    def throw(self, seat: int, *totals: int) -> list[Event]:
        """Let a human announcer roll each of these totals; return all events except the waits."""
        events: list[Event] = []
        for total in totals:
            self.tick()
            events += self._follow(
                RULES.apply(self.state, Seat(seat), RollDice(), ScriptedChance(dice_of(total)))
            )
        return events

    def give(self, seat: int, *cards: str) -> None:
        """VIP cards that a seat has kept in earlier races."""
        assert self.state.vip
        kept = list(self.state.vip.kept)
        kept[seat] += cards
        self.state.vip.kept = tuple(kept)

    def vip(self, viewer: int | None = None) -> VipView:
        """VIP cards as a seat or a spectator sees them."""
        view = RULES.view(self.state, None if viewer is None else Seat(viewer)).vip
        assert view is not None
        return view

    def money(self) -> list[int]:
        view = RULES.view(self.state, None)
        return [held for purse, held in view.purses.items() if purse != "bank"]

    @property
    def positions(self) -> list[int]:
        return self.state.course.positions


def running(
    seats: int = 5, options: ReadySetBetOptions | None = None, draws: list[int] | None = None
) -> Scene:
    """A game whose first race has just started."""
    scene = Scene(seats, options, draws)
    scene.tick()
    return scene


SEVEN_WINS = (7,) * 15
"""The simplest race: only sevens, so that only the winner crosses the red line."""

THREE_CROSS = (6, 6, 8, 8, 5, 5) * 3 + (6, 8)
"""After these rolls 5 is on 12, and 6 and 8 are on 10: the last roll moves the third horse over the
red line."""


ANNOUNCERS_SPOTS = ("win:7:r", "win:7:m", "place:7:r", "show:7:r", "colour:blue", "colour:black")


def refusal(scene: Scene, seat: int, command: RaceCommand) -> tuple[str, dict[str, Any]]:
    """Code and data of the refusal that this command gets."""
    with pytest.raises(RuleViolation) as caught:
        scene.ask(seat, command)
    return caught.value.code, caught.value.data


def place_all(scene: Scene, seat: int) -> None:
    """All six tokens of an announcer."""
    for spot, token in zip(ANNOUNCERS_SPOTS, ANNOUNCER_TOKENS, strict=True):
        scene.bet(seat, spot, token)
