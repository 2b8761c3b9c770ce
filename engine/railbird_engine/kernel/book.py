"""The book of a game: all texts that a client may show to anybody at any time.

A book contains no secret.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text for players, in English and French."""

    en: str
    fr: str


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Option values for a live or a slow table, with a title in English and French."""

    title: Mapping[str, str]
    options: Mapping[str, Any]
    pace: Literal["live", "slow"]


class OptionsGuide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Texts with which a client makes a form for the options of a game.

    `help` explains each option, `presets` are paces of live tables, and `when` names the options
    that have an effect only with one of these values of another option. The schema of the options
    carries them as `x-help`, `x-presets` and `x-when`.
    """

    presets: tuple[Preset, ...] = ()
    help: Mapping[str, Text] = {}
    when: Mapping[str, Mapping[str, tuple[Any, ...]]] = {}


class Call(Text, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A sentence for events of type `event` whose fields have one of the values in `where`.

    `where` lists allowed values by field; an absent field may have any value. `key` is stable, for
    clients with words or sounds of their own.

    Braces hold a field of the event, or a path of fields with dots. Clients replace them: a text by
    its words in the language, a seat by the name of the player (`seat_fields` of the book lists the
    fields that hold seats), a value by its name in the book's `names` (by field), a list by its
    items with commas (an empty one by a dash), and anything else by itself. Lists of the fields in
    `by_seat` have an item for each seat: clients put the name of the player before it.
    """

    key: str
    event: str
    where: Mapping[str, tuple[bool | int | str | None, ...]] = {}


def fits(call: Call, event: msgspec.Struct) -> bool:
    """Whether a call tells this event."""
    return call.event == event.__struct_config__.tag and all(
        getattr(event, field) in values for field, values in call.where.items()
    )


class Passage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A titled text of a guide."""

    title: Text
    text: Text


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Texts for a person who has never played this game.

    `summary` is one sentence, `minutes` a usual game with people, `weight` goes from 1 (light) to
    5 (heavy), and `liked_by` says who likes the game. `cards` are five passages to read in a minute
    before the first decision. `rules` are all rules, and `terms` explain symbols, cards and words
    where they are met; their keys are stable.
    """

    summary: Text
    minutes: int
    weight: Annotated[int, msgspec.Meta(ge=1, le=5)]
    liked_by: Text
    cards: tuple[Passage, ...]
    rules: tuple[Passage, ...]
    terms: Mapping[str, Passage]


class SeatColour(msgspec.Struct, frozen=True):
    """The colour of a seat's pieces; `hex` is the colour as CSS writes it."""

    name: Text
    hex: str


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of a game; a game adds its cards and boards in a subclass.

    `names` has the names of values by field, for example `names["colour"]["blue"]`. A client shows
    all `calls` that match an event, in their order. `refusals` explains the codes with which the
    game refuses commands, `seat_colours` has a colour for each seat, and `guide` teaches the game.
    """

    names: Mapping[str, Mapping[str, Text]] = {}
    calls: tuple[Call, ...] = ()
    seat_fields: tuple[str, ...] = ("seat",)
    by_seat: tuple[str, ...] = ()
    refusals: Mapping[str, Text] = {}
    seat_colours: tuple[SeatColour, ...] = ()
    guide: Guide | None = None
