"""Checks of server commands in any game: existing seats, replaced players, readable reasons."""

import re
from typing import Any, Final

from railbird_engine import VoidedBet
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.kernel.server_commands import Annotated, SeatReplaced, SeatReturned, Voided

REASON_MAX: Final = 300

_BLANK: Final = r"\x20\xa0\u1680\u2000-\u200a\u200c\u200d\u202f\u205f\u3000\ufe00-\ufe0f"
_HIDDEN: Final = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb"
)
REASON: Final = rf"[{_BLANK}]*[^{_HIDDEN}{_BLANK}][^{_HIDDEN}]*"
"""One visible line: no control, invisible or bidi characters."""


def check_command(command: Any, version: int, seats: int) -> None:
    """Check the seat and the reason of a server command. Raises DivergenceError."""
    match command:
        case SeatReplaced() | SeatReturned() | VoidedBet() if not 0 <= command.seat < seats:
            raise DivergenceError(version, "command", f"one of {seats} seats", command.seat)
    match command:
        case Voided() | VoidedBet() | Annotated():
            reason = command.reason
            if len(reason) > REASON_MAX or not re.fullmatch(REASON, reason):
                expected = f"a reason of one line with 1 to {REASON_MAX} visible characters"
                raise DivergenceError(version, "command", expected, ascii(reason))


class Substitutes:
    """The seats that bots play for absent users."""

    def __init__(self) -> None:
        self._away: set[int] = set()
        self._forfeited: set[int] = set()

    def has(self, seat: int | None) -> bool:
        """Whether a bot plays this seat now."""
        return seat in self._away

    def take(self, command: Any, version: int) -> None:
        """Check a replacement or return. Raises DivergenceError.

        A user is replaced once, and returns only to a seat that was not forfeited.
        """
        match command:
            case SeatReplaced():
                if command.seat in self._away:
                    raise DivergenceError(
                        version, "command", "a seat that a person plays", command.seat
                    )
                self._away.add(command.seat)
                if command.forfeits:
                    self._forfeited.add(command.seat)
            case SeatReturned():
                if command.seat not in self._away - self._forfeited:
                    raise DivergenceError(
                        version, "command", "a seat that a bot plays meanwhile", command.seat
                    )
                self._away.remove(command.seat)
