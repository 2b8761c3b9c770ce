"""Give request bodies schemas of their own where defaults make them differ from responses.

A client may omit a property with a default, and always receives it. Generators read one schema with
a default either way, so a shared one makes clients send what they need not, or check what they
always have. In a request, a default is `x-default`: some generators require what has a `default`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

Schema = dict[str, Any]

PREFIX: Final = "#/components/schemas/"
SUFFIX: Final = "Input"


def split(document: Schema) -> None:
    """Add the components of requests to an OpenAPI document, and refer to them."""
    schemas = document["components"]["schemas"]
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    bodies = [operation["requestBody"] for operation in operations if "requestBody" in operation]
    sent = _reachable(bodies, schemas)
    received = _reachable([operation["responses"] for operation in operations], schemas)
    differing = {
        name
        for name in sent
        if any(map(_has_defaults, [schemas[each] for each in _reachable(_to(name), schemas)]))
    }
    names = {name: f"{name}{SUFFIX}" if name in received else name for name in differing}
    assert not schemas.keys() & set(names.values()) - differing, "two types share a name"
    schemas |= {names[name]: _as_sent(schemas[name], names) for name in sorted(differing)}
    for body in bodies:
        body["content"] = _as_sent(body["content"], names)


def _to(name: str) -> Schema:
    return {"$ref": PREFIX + name}


def _references(schema: Any) -> Iterator[str]:
    """Yield the names of the components that a schema refers to."""
    match schema:
        case str() if schema.startswith(PREFIX):
            yield schema.removeprefix(PREFIX)
        case dict():
            for value in schema.values():
                yield from _references(value)
        case list():
            for value in schema:
                yield from _references(value)


def _reachable(schema: Any, schemas: Mapping[str, Schema]) -> set[str]:
    found: set[str] = set()
    new = set(_references(schema))
    while new:
        found |= new
        new = {name for each in new for name in _references(schemas[each])} - found
    return found


def _has_defaults(schema: Any) -> bool:
    match schema:
        case dict():
            return "default" in schema or any(map(_has_defaults, schema.values()))
        case list():
            return any(map(_has_defaults, schema))
    return False


def _as_sent(schema: Any, names: Mapping[str, str]) -> Any:
    """Return a schema that refers to components of requests and has no `default`."""
    match schema:
        case str() if schema.startswith(PREFIX):
            name = schema.removeprefix(PREFIX)
            return PREFIX + names.get(name, name)
        case dict():
            return {
                "x-default" if key == "default" else key: _as_sent(value, names)
                for key, value in schema.items()
            }
        case list():
            return [_as_sent(value, names) for value in schema]
    return schema
