"""The documents of a server as schemas by name: what the generators of all languages read."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

import yaml

SCHEMA: Final = Path(__file__).parent.parent / "schema"

ANSWER_WITHIN_S: Final = 30.0

HEADER: Final = "Generated from {source} by `python -m sdk.generate`: do not edit."
"""The first line of each generated file, as a comment."""

INPUT: Final = "Input"
"""The end of the names of schemas that only requests use."""

Schema = dict[str, Any]

BOUNDS: Final = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "pattern",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
    }
)
"""Bounds that the server checks. An older client that checked them too would reject new values."""


class UnsupportedError(Exception):
    """The schemas contain something that this generator does not support; the message names it."""


class Documents:
    """The OpenAPI and AsyncAPI documents of this clone."""

    def __init__(self) -> None:
        openapi = document(str(SCHEMA / "openapi.yaml"))
        asyncapi = document(str(SCHEMA / "asyncapi.yaml"))
        self.models = _without_games(openapi["components"]["schemas"])
        self.frames = _without_games(asyncapi["components"]["schemas"]) | _unions_of_frames(
            asyncapi
        )
        self.games = games_of(openapi)
        self.operations = [
            Operation(verb.upper(), path, operation)
            for path, operations in openapi["paths"].items()
            for verb, operation in operations.items()
            if not _answers_a_file(operation)
        ]


def document(where: str) -> dict[str, Any]:
    """Read a YAML or JSON document from a file or an HTTP address. Raises UnsupportedError."""
    try:
        if where.startswith(("http://", "https://")):
            with urlopen(where, timeout=ANSWER_WITHIN_S) as answer:  # noqa: S310 -- checked above
                text = answer.read()
        else:
            text = Path(where).read_bytes()
        found = yaml.load(text, yaml.CSafeLoader)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UnsupportedError(f"{where} cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(found, dict):
        raise UnsupportedError(f"{where} is not an OpenAPI document")
    return _with_one_side(found)


def _with_one_side(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document whose requests and responses share their schemas, as our clients do.

    Of two schemas, that of requests remains: its fields have defaults, and responses lack none.
    """
    schemas = document.get("components", {}).get("schemas", {})
    shared = {
        name: schemas.get(name + INPUT, schema)
        for name, schema in schemas.items()
        if not name.endswith(INPUT)
    }
    joined: dict[str, Any] = _joined(
        {**document, "components": {**document.get("components", {}), "schemas": shared}}
    )
    return joined


def _joined(part: Any) -> Any:
    match part:
        case str() if part.startswith("#/components/schemas/"):
            return part.removesuffix(INPUT)
        case dict():
            return {
                "default" if key == "x-default" else key: _joined(value)
                for key, value in part.items()
            }
        case list():
            return [_joined(value) for value in part]
    return part


def games_of(openapi: Mapping[str, Any]) -> dict[str, dict[str, Schema]]:
    """Return the types of each game, by slug. Each has Command, Event, Options, View and Book."""
    games: dict[str, dict[str, Schema]] = {}
    for name, schema in openapi.get("components", {}).get("schemas", {}).items():
        slug, dot, kind = name.partition(".")
        if dot:
            games.setdefault(slug, {})[kind[0].upper() + kind[1:]] = _loose(schema)
    return dict(sorted(games.items()))


Default = tuple[list[str], Any]
"""A default, and the names of members that lead to it; `*` stands for each item of a list."""


def defaults_of(games: Mapping[str, Mapping[str, Schema]]) -> dict[str, dict[str, list[Default]]]:
    """Return the defaults of the commands of games, by slug and type of the command."""
    return {
        slug: {
            tag: found
            for tag, ref in schemas["Command"]["discriminator"]["mapping"].items()
            if (found := list(_defaults_in({"$ref": ref}, schemas)))
        }
        for slug, schemas in games.items()
    }


def _defaults_in(schema: Schema, schemas: Mapping[str, Schema]) -> Iterator[Default]:
    if "$ref" in schema:
        schema = schemas[schema["$ref"].split("/")[-1]]
    if schema.get("type") == "array":
        for path, default in _defaults_in(schema["items"], schemas):
            yield ["*", *path], default
    for field, inner in schema.get("properties", {}).items():
        if "default" in inner:
            yield [field], inner["default"]
        for path, default in _defaults_in(inner, schemas):
            yield [field, *path], default


def _answers_a_file(operation: Mapping[str, Any]) -> bool:
    """Whether an operation returns a file, which may be larger than memory. The clients skip it."""
    content = _good(operation).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    return bool(content) and (not schema or schema.get("format") == "binary")


def _good(operation: Mapping[str, Any]) -> Schema:
    """Return the response for success."""
    (good,) = (
        response for status, response in operation["responses"].items() if status.startswith("2")
    )
    answer: Schema = good
    return answer


def _without_games(schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the types of the API without those of games, which have modules of their own.

    A value of any game is untyped here.
    """

    def is_any_games(schema: Schema) -> bool:
        return any("." in member.get("$ref", "") for member in schema.get("anyOf", ()))

    return {
        name_of(name): {} if is_any_games(schema) else _loose(schema)
        for name, schema in schemas.items()
        if "." not in name
    }


def _unions_of_frames(asyncapi: Mapping[str, Any]) -> dict[str, Schema]:
    """Return a union per channel of all frames that the server sends, such as FromGame."""
    unions = {}
    for name, channel in asyncapi["channels"].items():
        operations = [
            found
            for found in asyncapi["operations"].values()
            if found["channel"]["$ref"].endswith(f"/{name}")
        ]
        received = {
            message["$ref"]
            for found in operations
            if found["action"] == "receive"
            for message in found["messages"]
        }
        payloads = {
            key: message["payload"]
            for key, message in channel["messages"].items()
            if f"#/channels/{name}/messages/{key}" not in received
        }
        mapping = {key: payload["$ref"] for key, payload in payloads.items()}
        union = {
            "anyOf": list(payloads.values()),
            "discriminator": {"propertyName": "type", "mapping": mapping},
        }
        unions[f"From{name.removesuffix('_socket').capitalize()}"] = _loose(union)
    return unions


def references(schema: object) -> list[str]:
    """Return the names of all types that a schema refers to, once each, in order."""
    found: dict[str, None] = {}
    if isinstance(schema, list):
        for item in schema:
            found.update(dict.fromkeys(references(item)))
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                found[value.split("/")[-1]] = None
            elif key != "discriminator":
                found.update(dict.fromkeys(references(value)))
    return list(found)


def reached(schemas: Mapping[str, Schema], names: Iterable[str]) -> set[str]:
    """Return these types and all that they contain."""
    waiting, found = list(names), set[str]()
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += references(schemas.get(name, {}))
    return found


def name_of(name: str) -> str:
    """Return the type name for a schema: `Page_Bet_` becomes PageBet."""
    return name.replace("_", "")


def _loose(schema: Schema) -> Schema:
    """Return the schema without bounds, and with references to `$defs`."""
    loose = {
        key: value for key, value in schema.items() if key not in BOUNDS or "prefixItems" in schema
    }
    for key, value in loose.items():
        if key in {"properties", "mapping"}:
            loose[key] = {
                name: _loose(inner) if isinstance(inner, dict) else _reference(inner)
                for name, inner in value.items()
            }
        elif isinstance(value, dict) and key != "default":
            loose[key] = _loose(value)
        elif key in {"anyOf", "oneOf", "allOf", "prefixItems"}:
            loose[key] = [_loose(inner) for inner in value]
        elif key == "$ref":
            loose[key] = _reference(value)
    return loose


def _reference(ref: str) -> str:
    """Return a reference to `$defs`: a type of a game is named without its slug."""
    name = ref.rsplit("/", maxsplit=1)[-1]
    _, dot, kind = name.partition(".")
    return f"#/$defs/{kind[0].upper() + kind[1:] if dot else name_of(name)}"


def complete(schema: Schema) -> Schema:
    """Mark every field of an object as present, because the server omits none."""
    return {**schema, "required": list(schema["properties"])} if "properties" in schema else schema


class Operation:
    """An operation as a method: path parameters, then the body, then filters by name."""

    def __init__(self, verb: str, path: str, described: Mapping[str, Any]) -> None:
        parameters = described.get("parameters", [])
        self.verb = verb
        self.path = path
        self.name: str = described["operationId"]
        self.summary: str = described["summary"]
        self.places: dict[str, Schema] = {
            found["name"]: found["schema"] for found in parameters if found["in"] == "path"
        }
        self.filters: dict[str, Schema] = {
            found["name"]: found["schema"]
            for found in parameters
            if found["in"] == "query" and found["name"] not in self.places
        }
        body = described.get("requestBody")
        self.body: Schema | None = (
            None if body is None else body["content"]["application/json"]["schema"]
        )
        self.needs_body = bool(body and body.get("required"))
        good = _good(described)
        self.answer: Schema | None = (
            good["content"]["application/json"]["schema"] if "content" in good else None
        )
