"""Generate the reference part of a game's page, from its types and from bot games.

The part below `LINE` is generated, the part above is written by hand.
"""

import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, get_type_hints

import msgspec

from railbird_engine.kernel.contract import AnyRules, union_members
from railbird_engine.kernel.events import BetVoided
from railbird_engine.kernel.playout import Playout, ask_random

LINE: Final = "<!-- Everything below is generated. -->\n"
GAMES: Final = 2
"""The number of bot games, and of random games, to search for examples."""
LONG: Final = 400
"""Longer examples are left out."""
WIDTH: Final = 100
Schema = Mapping[str, Any]


def rewritten(page: str, rules: AnyRules) -> str:
    """Return a page with the part below the line generated again. A page without it gets one."""
    by_hand = page.partition(LINE)[0]
    return by_hand + LINE + reference(rules)


def reference(rules: AnyRules) -> str:
    """Return the part below the line."""
    commands, events = examples(rules)
    view = get_type_hints(type(rules).view)["return"]
    return "\n".join(
        [
            "",
            "## Options",
            "",
            description_of(rules.options_type),
            "",
            *_table(("option", "default", "type"), _options(rules.options_type)),
            "",
            "## Commands",
            "",
            *_table(
                ("command", "description", "fields"), _kinds(union_members(rules.command_type))
            ),
            "",
            *_block(f"{rules.slug}.command", commands),
            "## Events",
            "",
            *_table(
                ("event", "description", "fields"),
                _kinds([*union_members(rules.event_type), BetVoided]),
            ),
            "",
            "A private event carries `only`, the list of the seats that receive it.",
            "",
            *_block(f"{rules.slug}.event", events),
            "## View",
            "",
            description_of(view),
            "",
            *_table(
                ("field", "type"),
                [(f"`{field.name}`", _kind(field.schema)) for field in _fields(view)],
            ),
            "",
            *_table(("type", "description", "fields"), _parts(view, without=rules.options_type)),
            "",
            "## Refusals",
            "",
            *textwrap.wrap(
                "In addition to the refusals of the server: "
                + ", ".join(f"`{code}`" for code in sorted(rules.refusals))
                + ".",
                WIDTH,
            ),
            "",
        ]
    )


# Types


class Field(msgspec.Struct):
    """A field of a struct."""

    name: str
    schema: Schema


def description_of(struct: type) -> str:
    """Return the docstring by paragraphs."""
    return inspect.cleandoc(struct.__doc__ or "")


def _components(struct: type) -> tuple[Schema, Mapping[str, Schema]]:
    _, components = msgspec.json.schema_components([struct], ref_template="{name}")
    return components[struct.__name__], components


def _fields(struct: type) -> list[Field]:
    described, _ = _components(struct)
    return [
        Field(name, schema)
        for name, schema in described["properties"].items()
        if name not in {"type", "only"}
    ]


def _options(struct: type) -> Iterator[tuple[str, ...]]:
    for field in _fields(struct):
        default = (
            msgspec.json.encode(field.schema["default"]).decode()
            if "default" in field.schema
            else ""
        )
        yield f"`{field.name}`", f"`{default}`", _kind(field.schema)


def _kinds(structs: Iterable[type[msgspec.Struct]]) -> Iterator[tuple[str, ...]]:
    for struct in structs:
        description = " ".join(description_of(struct).split())
        yield (
            f"`{tag_of(struct)}`",
            description,
            ", ".join(f"`{field.name}`" for field in _fields(struct)),
        )


def tag_of(struct: type[msgspec.Struct]) -> str:
    """Return the `type` that identifies a command or an event."""
    return str(struct.__struct_config__.tag)


def _parts(view: Any, without: type) -> Iterator[tuple[str, ...]]:
    _, components = _components(view)
    for name, schema in sorted(components.items()):
        if name not in {view.__name__, without.__name__} and "properties" in schema:
            fields = [f"`{field}` {_kind(kind)}" for field, kind in schema["properties"].items()]
            yield (
                name,
                " ".join(schema.get("description", "").split()),
                ", ".join(fields),
            )


def _kind(schema: Schema) -> str:
    """Describe a type in a few words."""
    match schema:
        case {"$ref": str(name)}:
            return name
        case {"anyOf": [*kinds]}:
            return " or ".join(_kind(kind) for kind in kinds)
        case {"enum": [*values]}:
            return " ".join(f"`{value}`" for value in values)
        case {"prefixItems": [*items]}:
            return "(" + ", ".join(_kind(item) for item in items) + ")"
        case {"type": "array", "items": items}:
            return f"list of {_kind(items)}"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"{_kind(values)} by key"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"{least} to {most}"
    return str(schema.get("type", "anything"))


# Examples


def examples(rules: AnyRules) -> tuple[list[Any], list[Any]]:
    """Return a command and an event of each kind, in the order of their types."""
    commands: dict[str, Any] = {}
    events: dict[str, Any] = {}
    for playout in games(rules):
        for commit in playout.commits:
            if commit.command is not None:
                commands.setdefault(tag_of(type(commit.command)), commit.command)
            for event in commit.events:
                events.setdefault(tag_of(type(event)), event)
    return (
        [
            commands[tag]
            for tag in map(tag_of, union_members(rules.command_type))
            if tag in commands
        ],
        [events[tag] for tag in map(tag_of, union_members(rules.event_type)) if tag in events],
    )


def games(rules: AnyRules) -> Iterator[Playout]:
    """Play whole games with bots and at random, under the `example_options`."""
    seats = max(rules.seats[0], min(3, rules.seats[-1]), 4 if 4 in rules.seats else 0)
    for chosen in rules.example_options:
        options = msgspec.convert(chosen, type=rules.options_type)
        for number in range(GAMES):
            for ask in (None, ask_random):
                playout = Playout(rules, seats, options, f"cookbook {number}".encode())
                for _ in playout.run() if ask is None else playout.run(ask):
                    pass
                yield playout


# Markdown


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _block(name: str, values: Iterable[Any]) -> Iterator[str]:
    yield f"```json {name}"
    for value in values:
        text = msgspec.json.encode(value).decode()
        if len(text) <= LONG:
            yield text
    yield "```"
    yield ""
