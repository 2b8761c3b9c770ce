"""Examples for the OpenAPI document.

They are made from the schemas themselves, so none is missing and none is out of date.
"""

from collections.abc import Mapping
from typing import Any, Final

from railbird_engine import BetPlaced
from railbird_engine.kernel.contract import union_members
from railbird_engine.rules import example_game

Schema = Mapping[str, Any]

GAME: Final = example_game()

FIELDS: Final[Mapping[str, Any]] = {
    "slug": GAME.slug,
    "username": "ann",
    "display_name": "Ann",
    "password": "correct horse battery",
    "title": "Tuesday's table",
    "unit": GAME.unit,
    "spot": "win:7:r",
    "odds": "5x -1",
    "invite_code": "K7QXM2PA",
    "card": "P01",
    "email": "ann@example.org",
    "opened": "5d" * 32,
    "commitment": "c3" * 32,
    "committed": "7e" * 32,
    "entropy": "a1" * 32,
    "redirect_uris": "http://127.0.0.1:4711/callback",
    "url": "https://example.org/railbird",
}
"""Examples by field name, for fields where an arbitrary text would say little."""

FORMATS: Final[Mapping[str, str]] = {
    "uuid": "019ab1c2-3d4e-7f50-8a61-b2c3d4e5f607",
    "date-time": "2026-05-01T20:15:00Z",
}
ANY_GAME: Final[Mapping[str, str]] = {
    f"Game{part.capitalize()}": f"{GAME.slug}.{name}"
    for part, name in {
        "options": GAME.options_type.__name__,
        "command": union_members(GAME.command_type)[0].__name__,
        "event": BetPlaced.__name__,
        "view": "view",
        "book": "book",
    }.items()
}
"""Components that stand for the types of any game."""


def example_of(schema: Schema, components: Mapping[str, Schema], name: str = "") -> Any:
    """Return a value that meets the schema; `name` is the field that holds it."""
    match schema:
        case {"$ref": str(reference)}:
            component = reference.rpartition("/")[2]
            return example_of(components[ANY_GAME.get(component, component)], components, name)
        case {"default": value} | {"x-default": value} | {"const": value} | {"enum": [value, *_]}:
            return value
        case {"anyOf": [*kinds]} | {"oneOf": [*kinds]}:
            return example_of(
                next(kind for kind in kinds if kind != {"type": "null"}), components, name
            )
        case {"prefixItems": [*items]} | {"items": [*items]}:
            return [example_of(item, components) for item in items]
        case {"type": "array"}:
            return [example_of(schema.get("items", {}), components, name)]
        case {"type": "object"}:
            # Fields that are null by default are left out, as in what the server sends.
            return {
                field: example_of(kind, components, field)
                for field, kind in schema.get("properties", {}).items()
                if field in schema.get("required", ())
                or kind.get("default", kind.get("x-default", "")) is not None
            }
        case {"type": "integer" | "number"}:
            return max(schema.get("minimum", 1), min(5, schema.get("maximum", 5)))
        case {"type": "boolean"}:
            return True
        case {"type": "string"}:
            return (
                FIELDS.get(name)
                or FORMATS.get(schema.get("format", ""))
                or "x" * max(1, schema.get("minLength", 1))
            )
    return None
