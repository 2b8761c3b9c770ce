"""The book of a game: all texts that a client may show to anybody at any time.

A book contains no secret.
"""

from collections.abc import Mapping

import msgspec


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text for players, in English and French."""

    en: str
    fr: str


class Call(Text, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A sentence for events of type `event` whose fields have one of the values in `where`.

    `where` lists allowed values by field; an absent field may have any value. `key` is stable, for
    clients with words or sounds of their own.

    Braces hold a field of the event, or a path of fields with dots. Clients replace them: a text by
    its words in the language, `seat` by the name of the player, a value by its name in the book's
    `names` (by field), a list by its items with commas, and anything else by itself.
    """

    key: str
    event: str
    where: Mapping[str, tuple[bool | int | str, ...]] = {}


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of a game; a game adds its cards and boards in a subclass.

    `names` has the names of values by field, for example `names["colour"]["blue"]`. A client shows
    all `calls` that match an event, in their order.
    """

    names: Mapping[str, Mapping[str, Text]] = {}
    calls: tuple[Call, ...] = ()
