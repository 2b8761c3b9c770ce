"""The terminal picture of any game: lines about its events. Games can extend it."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rich.console import RenderableType
from rich.markup import escape
from rich.panel import Panel

from demo.words import Words

LINES_SHOWN: Final = 12

Event = Mapping[str, Any]


class Picture:
    """The picture of a running game. `names` are the players by seat, `words` the game's texts."""

    def __init__(self, title: str, names: Sequence[str], words: Words) -> None:
        self.title = title
        self.names = [escape(name) for name in names]
        self.words = words
        self.recent: deque[str] = deque(maxlen=LINES_SHOWN)

    def look(self, view: Mapping[str, Any]) -> None:
        """Show a whole view."""

    def add(self, event: Event) -> list[str]:
        """Add an event, and return its lines; none for an event without text."""
        lines = list(self.lines(event))
        self.recent.extend(lines)
        return lines

    def lines(self, event: Event) -> Iterator[str]:
        """Yield an event in the game's words; for a game without words, as plain facts."""
        if self.words:
            yield from (escape(sentence) for _, sentence in self.words.of(event))
        else:
            facts = ", ".join(f"{name} {value}" for name, value in event.items() if name != "type")
            yield escape(f"{event['type'].replace('_', ' ')}: {facts}")

    def __rich__(self) -> RenderableType:
        return Panel("\n".join(self.recent), title=self.title, height=LINES_SHOWN + 2)
