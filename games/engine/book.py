"""What a game prints and says: whatever a client may show to anybody, before and during any game.
No secret is in a book."""

from collections.abc import Mapping

import msgspec


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words for players, in English and French."""

    en: str
    fr: str


class Call(Text, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What to say, in English and French, when an event of type `event` has, in each field that
    `where` names, one of the values listed there. `key` is stable, for clients with words or sounds
    of their own.

    Braces hold a field of the event, or, after dots, a field of that. A text is said in the
    language; a value that the book's `names` know, by the name of the field, is called so; `seat`
    is who sits there; all else is said as it is."""

    key: str
    event: str
    where: Mapping[str, tuple[bool | int | str, ...]] = {}


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """The printed matter of a game. `names` say what values are called, by field; of `calls` all
    that fit an event are said, in their order. A game adds its cards and boards."""

    names: Mapping[str, Mapping[str, Text]] = {}
    calls: tuple[Call, ...] = ()
