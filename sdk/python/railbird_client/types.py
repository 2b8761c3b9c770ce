"""The types of one game for requests and responses, in each module of `railbird_client.games`."""

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

C = TypeVar("C")
E = TypeVar("E")
V = TypeVar("V")


class Unknown(msgspec.Struct, frozen=True):
    """An event, or a value of another open list, that is newer than this client: its type, and all
    that the server says about it."""

    type: str
    facts: Mapping[str, Any]


def one_of(found: Any, union: Any) -> Any:
    """Return a value as one of a union, or as Unknown. Raises ValidationError if it has no type."""
    try:
        return msgspec.convert(found, union)
    except msgspec.ValidationError:
        return Unknown(msgspec.convert(found, _Typed).type, found)


class _Typed(msgspec.Struct):
    type: str


class GameTypes(Generic[C, E, V]):
    """Commands, events and views of a game by its slug: C, E and V, and what they are at run
    time."""

    def __init__(self, slug: str, *, command: Any, event: Any, view: Any) -> None:
        self.slug = slug
        self._command = command
        self._event = event
        self._view = view

    def commands(self, found: Iterable[Any]) -> list[C]:
        """Commands as types, such as those that are legal. Those of a newer server are left
        out. Raises ValidationError for a value without a type."""
        commands = (one_of(command, self._command) for command in found)
        return [command for command in commands if not isinstance(command, Unknown)]

    def events(self, found: Iterable[Any]) -> tuple[E | Unknown, ...]:
        """Events as types. A newer server may know events that this client does not. Raises
        ValidationError for a value without a type."""
        return tuple(one_of(event, self._event) for event in found)

    def view(self, found: object) -> V:
        """A view as a type. Raises ValidationError."""
        view: V = msgspec.convert(found, self._view)
        return view
