"""The types of games as JSON Schema: options, commands, events, views and books."""

import inspect
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, get_type_hints

import msgspec

from games.store.registry import catalogue
from railbird_engine import AnyRules, AnyServerEvent

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
PYTHONS_END: Final = r"(?!\n)"
"""In Python `$` also matches before a last line break. In JSON Schema it does not, and there is no
lookahead."""

INT32_MAX: Final = 2**31 - 1
PARTS: Final = ("options", "command", "event", "view", "book")


def described(
    types: Iterable[Any], ref_template: str
) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    """Return the schemas of some types, and the components that they refer to, by name."""
    schemas, components = msgspec.json.schema_components(types, ref_template=ref_template)
    for component in components.values():
        component.pop("title", None)  # its name; some generators would call two types alike
    tidied: tuple[tuple[Schema, ...], dict[str, Schema]] = _tidy(schemas), _tidy(components)
    return tidied


def _tidy(schema: Any, key: str = "") -> Any:
    """Return a schema as generators of clients read it.

    Descriptions lose their indentation, and patterns what only Python needs. A list of values has
    a type. An integer that may need more than 32 bits says so. The length of a tuple closes it:
    many generators reject the boolean schema `items: false`.
    """
    match schema:
        case {"prefixItems": [*_], "items": False, "minItems": least, "maxItems": most}:
            assert least == most, "a tuple of no fixed length"
            return _tidy({**schema, "items": {}})
        case {"$ref": _, "type": _}:  # the type of what it refers to
            return _tidy({name: part for name, part in schema.items() if name != "type"})
        case {"type": "integer"} if "format" not in schema and not _fits_32_bits(schema):
            return _tidy({**schema, "format": "int64"})
        case {"enum": [value, *_]} if "type" not in schema:
            return _tidy({"type": "integer" if isinstance(value, int) else "string", **schema})
        case dict():
            return {name: _tidy(part, name) for name, part in schema.items()}
        case list() | tuple():
            return type(schema)(_tidy(part) for part in schema)
        case str() if key == "description":
            return inspect.cleandoc(schema)
        case str() if key == "pattern":
            assert not schema.endswith("$"), f"in Python {schema} lets a line break pass at the end"
            return schema.removesuffix(PYTHONS_END)
    return schema


def _fits_32_bits(schema: Schema) -> bool:
    """Whether the bounds of an integer keep it within 32 bits. Most integers are not negative, and
    state no lower bound."""
    most = schema.get("maximum", schema.get("exclusiveMaximum"))
    return most is not None and most <= INT32_MAX and schema.get("minimum", 0) >= -INT32_MAX


def types_of(rules: AnyRules) -> dict[str, Any]:
    """Return the types of a game's parts. Its events include those of the server, which voids
    games."""
    return {
        "options": rules.options_type,
        "command": rules.command_type,
        "event": rules.event_type | AnyServerEvent,
        "view": get_type_hints(type(rules).view)["return"],
        "book": get_type_hints(type(rules).book)["return"],
    }


def parts_of(rules: AnyRules, ref_template: str) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """Return the schemas of a game's parts, and the components that they refer to."""
    types = types_of(rules)
    schemas, components = described(types.values(), ref_template)
    name = rules.options_type.__name__
    components |= {name: _guided(components[name], rules)}
    return dict(zip(types, schemas, strict=True)), components


def _guided(options: Schema, rules: AnyRules) -> Schema:
    """Return the schema of options with the texts for a form."""
    guide = rules.options_guide
    texts = {"x-help": guide.help, "x-when": guide.when}
    properties = {
        name: schema
        | {key: msgspec.to_builtins(of[name]) for key, of in texts.items() if name in of}
        for name, schema in options["properties"].items()
    }
    presets = [msgspec.to_builtins(preset) for preset in rules.presets()]
    return {**options, "properties": properties, "x-presets": presets}


@cache
def document_of(rules: AnyRules) -> Schema:
    """Return the JSON Schema document of a game: parts under `properties`, the rest in `$defs`."""
    parts, components = parts_of(rules, "#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "title": rules.title["en"],
        "description": f"Options, commands, events, views and the book of {rules.slug}, version "
        f"{rules.version}.",
        "type": "object",
        "properties": parts,
        "$defs": components,
        "x-refusals": sorted(rules.refusals),
    }


def components_of_all_games() -> dict[str, Schema]:
    """Return the parts of all games as components of one OpenAPI document, with their unions.

    `GameCommand` is a command of any game. The names of components begin with the slug.
    """
    components: dict[str, Schema] = {}
    unions: dict[str, list[Schema]] = {part: [] for part in PARTS}
    for slug, rules in catalogue().items():
        parts, needed = parts_of(rules, f"#/components/schemas/{slug}.{{name}}")
        components |= {f"{slug}.{name}": schema for name, schema in needed.items()}
        for part, schema in parts.items():
            own = {"$ref": f"#/components/schemas/{slug}.{part.capitalize()}"}
            if schema != own:  # Many generators do not tell `book` from `Book`.
                components[f"{slug}.{part}"] = schema
                own = {"$ref": f"#/components/schemas/{slug}.{part}"}
            unions[part].append(own)
    return components | {
        f"Game{part.capitalize()}": {"anyOf": members} for part, members in unions.items()
    }
