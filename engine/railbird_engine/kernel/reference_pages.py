"""Generate the reference part of a game's page, from its types and from bot games.

The part below `LINE` is generated, the part above is written by hand.
"""

import inspect
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
Schema = Mapping[str, Any]


def rewritten(page: str, rules: AnyRules) -> str:
    """Return a page with the part below the line generated again, if it has the line."""
    by_hand, line, _ = page.partition(LINE)
    return by_hand + line + reference(rules) if line else page


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
            *_table(("command", "description"), _kinds(union_members(rules.command_type))),
            "",
            *_block(f"{rules.slug}.command", commands),
            "## Events",
            "",
            *_table(
                ("event", "description"), _kinds([*union_members(rules.event_type), BetVoided])
            ),
            "",
            "A private event carries `only`, the list of the seats that receive it.",
            "",
            *_block(f"{rules.slug}.event", events),
            "## View",
            "",
            description_of(view),
            "",
        ]
    )


# Types


def description_of(struct: type) -> str:
    """Return the docstring by paragraphs."""
    return inspect.cleandoc(struct.__doc__ or "")


def _options(struct: type) -> Iterator[tuple[str, ...]]:
    _, components = msgspec.json.schema_components([struct], ref_template="{name}")
    for name, schema in components[struct.__name__]["properties"].items():
        default = msgspec.json.encode(schema["default"]).decode() if "default" in schema else ""
        yield f"`{name}`", f"`{default}`", _kind(schema)


def _kinds(structs: Iterable[type[msgspec.Struct]]) -> Iterator[tuple[str, ...]]:
    for struct in structs:
        yield f"`{tag_of(struct)}`", " ".join(description_of(struct).split())


def tag_of(struct: type[msgspec.Struct]) -> str:
    """Return the `type` that identifies a command or an event."""
    return str(struct.__struct_config__.tag)


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
