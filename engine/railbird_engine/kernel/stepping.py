"""From a command to its step: the one function that live play, a replay and an audit share."""

from typing import Any

import msgspec

from railbird_engine.kernel import chain
from railbird_engine.kernel.chance import SeededChance
from railbird_engine.kernel.contract import AnyRules, Step
from railbird_engine.kernel.events import Intervened
from railbird_engine.kernel.money import Seat
from railbird_engine.kernel.server_commands import (
    Annotated,
    Paused,
    SeatReplaced,
    SeatReturned,
    Started,
    Ticked,
    Voided,
    VoidedBet,
)


class OtherEditionError(Exception):
    """These rules have other cards, boards or questions than the game was played with, so they
    cannot continue or check it."""

    def __init__(self, rules: AnyRules, needed: str, found: str) -> None:
        super().__init__(
            f"needs rules {rules.slug} {rules.version} of edition {needed}, found {found or 'none'}"
        )
        self.needed = needed
        self.found = found


def options_of(rules: AnyRules, opening: chain.Terms) -> Any:  # the options of any game
    """Return the options of a game that these rules can continue. Raises OtherEditionError."""
    options = msgspec.json.decode(opening.options, type=rules.options_type)
    if (edition := rules.edition(options)) != opening.edition:
        raise OtherEditionError(rules, opening.edition, edition)
    return options


def step_from(  # noqa: PLR0913, PLR0917  (all that a step follows from)
    rules: AnyRules,
    seats: int,
    options: Any,
    state: Any,
    seat: int | None,
    command: Any,
    chance: SeededChance,
) -> Step[Any]:
    """Return what follows from a seat's command, or from one of the server's own (`seat` is None).

    Raises RuleViolation.
    """
    if seat is not None:
        return rules.apply(state, Seat(seat), command, chance)
    match command:
        case Started():
            return rules.start(seats, options, chance)
        case Ticked():
            return rules.advance(state, chance)
        case Paused() | SeatReplaced() | SeatReturned() | Voided():
            return Step(state, (), (), ())
        case VoidedBet():
            step = rules.void(state, command, chance)
            return msgspec.structs.replace(
                step, events=(Intervened(by=command.by, reason=command.reason), *step.events)
            )
        case Annotated():
            return Step(state, (Intervened(by=command.by, reason=command.reason),), (), ())
    raise AssertionError(f"{command} is not a command of the server")
