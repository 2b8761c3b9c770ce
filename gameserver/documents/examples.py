"""Examples for the OpenAPI document, made from the schemas themselves, so that none is missing and
none is out of date."""

from collections.abc import Mapping
from typing import Any, Final

Schema = Mapping[str, Any]

FIELDS: Final[Mapping[str, Any]] = {
    "slug": "ready_set_bet",
    "username": "ann",
    "display_name": "Ann",
    "password": "correct horse battery",
    "title": "Tuesday's table",
    "unit": "euro",
    "spot": "win:7:r",
    "odds": "5x -1",
    "invite_code": "K7QXM2PA",
    "entropy": "00ff",
    "card": "P01",
    "email": "ann@example.org",
    "redirect_uris": "http://127.0.0.1:4711/callback",
}
"""What the field of a name holds, where any text would tell little."""

FORMATS: Final[Mapping[str, str]] = {
    "uuid": "019ab1c2-3d4e-7f50-8a61-b2c3d4e5f607",
    "date-time": "2026-05-01T20:15:00Z",
}
ANY_GAME: Final[Mapping[str, str]] = {
    f"Game{part.capitalize()}": f"ready_set_bet.{name}"
    for part, name in {
        "options": "ReadySetBetOptions",
        "command": "PlaceBet",
        "event": "BetPlaced",
        "view": "view",
        "book": "book",
    }.items()
}
"""Where any game will do, this one."""


def example_of(schema: Schema, components: Mapping[str, Schema], name: str = "") -> Any:
    """A value that meets the schema; `name` is that of the field that holds it."""
    match schema:
        case {"$ref": str(reference)}:
            component = reference.rpartition("/")[2]
            return example_of(components[ANY_GAME.get(component, component)], components, name)
        case {"default": value} | {"const": value} | {"enum": [value, *_]}:
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
            return {
                field: example_of(kind, components, field)
                for field, kind in schema.get("properties", {}).items()
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
