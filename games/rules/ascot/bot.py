"""A stand-in until the bots are written."""

from games.engine import Chance
from games.rules.ascot.commands import AscotCommand
from games.rules.ascot.printed import Printed
from games.rules.ascot.view import AscotView


def choose(printed: Printed, view: AscotView, chance: Chance) -> AscotCommand | None:
    """Wait for the clock."""
    return None
