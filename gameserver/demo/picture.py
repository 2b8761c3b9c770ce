"""What a watcher sees: any game as lines about its events. Games with a picture of their own build on it."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import RenderableType
from rich.markup import escape
from rich.panel import Panel

LINES_SHOWN: Final = 12

Event = Mapping[str, Any]


class Picture:
    """A game as it goes on. `names` are the players by seat."""

    def __init__(self, title: str, names: Sequence[str]) -> None:
        self.title = title
        self.names = [escape(name) for name in names]
        self.recent: deque[str] = deque(maxlen=LINES_SHOWN)

    def look(self, view: Mapping[str, Any]) -> None:
        """Take in the whole table."""

    def tell(self, event: Event) -> str | None:
        """Take in what happened; answers it as a line, unless it is not worth one."""
        line = self.line(event)
        if line is not None:
            self.recent.append(line)
        return line

    def line(self, event: Event) -> str | None:
        """What happened, in words."""
        facts = ", ".join(f"{name} {value}" for name, value in event.items() if name != "type")
        return escape(f"{event['type'].replace('_', ' ')}: {facts}")

    def __rich__(self) -> RenderableType:
        return Panel("\n".join(self.recent), title=self.title, height=LINES_SHOWN + 2)
