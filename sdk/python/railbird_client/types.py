"""The types of one game for requests and responses, in each module of `railbird_client.games`."""

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

C = TypeVar("C")
E = TypeVar("E")
V = TypeVar("V")


class Unknown(msgspec.Struct, frozen=True):
    """An event that this client was made before: its type, and all that the server says about
    it."""

    type: str
    facts: Mapping[str, Any]


def event_of(found: Mapping[str, Any], kind: Any) -> Any:
    """An event as one of a kind, or Unknown."""
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError:
        return Unknown(found["type"], found)


class GameTypes(Generic[C, E, V]):
    """Commands, events and views of a game by its slug: C, E and V, and what they are at run
    time."""

    def __init__(self, slug: str, *, command: Any, event: Any, view: Any) -> None:
        self.slug = slug
        self._command = command
        self._event = event
        self._view = view

    def commands(self, found: Iterable[Any]) -> list[C]:
        """Commands as types, such as those that are legal."""
        return [msgspec.convert(command, self._command) for command in found]

    def events(self, found: Iterable[Mapping[str, Any]]) -> tuple[E | Unknown, ...]:
        """Events as types. A newer server may know events that this client does not."""
        return tuple(event_of(event, self._event) for event in found)

    def view(self, found: object) -> V:
        """A view as a type."""
        view: V = msgspec.convert(found, self._view)
        return view
