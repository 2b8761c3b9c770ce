"""Event texts, which any client can build with the book of a game."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]


class Words:
    """A game's texts in one language. `seats` are the names of the players."""

    def __init__(self, book: Json, seats: list[str], language: str) -> None:
        self._calls = book["calls"]
        players = {str(seat): {language: name} for seat, name in enumerate(seats)}
        self._names = {**book["names"], **dict.fromkeys(book["seat_fields"], players)}
        self._by_seat = dict.fromkeys(book.get("by_seat", ()), seats)
        self._language = language

    def __bool__(self) -> bool:
        return bool(self._calls)

    def of(self, event: Json) -> Iterator[tuple[str, str]]:
        """Yield the key and the sentence of every text for this event."""
        for call in self._calls:
            if call["event"] == event["type"] and all(
                event[field] in values for field, values in call["where"].items()
            ):
                yield (
                    call["key"],
                    re.sub(
                        r"{([\w.]+)}",
                        lambda braces: self._value(event, braces[1]),
                        call[self._language],
                    ).replace("€-", "-€"),
                )

    def _value(self, event: Json, path: str) -> str:
        value: Any = event
        for field in path.split("."):
            value = value[field]
        return self.named(field, value)

    def named(self, field: str, value: Any) -> str:
        """Return the name of a field's value, or the value itself if the book has none."""
        if seats := self._by_seat.get(field):
            return "; ".join(f"{name}: {item}" for name, item in zip(seats, value, strict=True))
        if isinstance(value, list):
            return ", ".join(self.named(field, item) for item in value) or "–"
        called = value if isinstance(value, dict) else self._names.get(field, {}).get(str(value))
        return str(value) if called is None else str(called[self._language])
