"""Find changes of the API documents that break clients of the released documents.

Everything below an operation, a frame or a game is JSON Schema, so one comparison serves all
documents; GraphQL has its own in graphql-core. Requests may become less strict, never stricter.
Responses may gain fields, union members and values, never lose any: docs/versioning.md promises
that. Error codes and close reasons are plain lists, of which no entry may disappear.
"""

from collections.abc import Callable, Container, Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml
from graphql import DangerousChangeType, build_schema, find_breaking_changes, find_dangerous_changes

Schema = dict[str, Any]

LOWER_BOUNDS: Final = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER_BOUNDS: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
ANYTHING: Final = "anything"
PLAIN: Final = {"null", "boolean", "integer", "number", "string", "array", "object", ANYTHING}


class Side(Enum):
    """The reader of a value: the server reads what is sent, the client what is received."""

    SENT = "sent"
    RECEIVED = "received"


def breaks(released: Path, present: Path) -> list[str]:
    """Return a line for every change that breaks a client of the released documents."""
    found: list[str] = []
    for path in sorted(path for path in released.rglob("*") if path.is_file()):
        name = path.relative_to(released)
        compare = _comparison_for(name)
        if compare is None:
            continue
        if not (present / name).exists():
            found.append(f"{name} was removed")
            continue
        before, now = path.read_text(), (present / name).read_text()
        if before != now:
            found += [f"{name}: {line}" for line in compare(before, now)]
    return found


def _comparison_for(name: Path) -> Callable[[str, str], list[str]] | None:
    if name.parts[0] == "games":
        return lambda old, new: breaks_of_a_game(msgspec.json.decode(old), msgspec.json.decode(new))
    kinds: dict[str, Callable[[str, str], list[str]]] = {
        "openapi.yaml": lambda old, new: breaks_of_openapi(_yaml(old), _yaml(new)),
        "asyncapi.yaml": lambda old, new: breaks_of_asyncapi(_yaml(old), _yaml(new)),
        "schema.graphql": breaks_of_graphql,
    }
    return kinds.get(str(name))


def _yaml(text: str) -> Any:
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  (the safe one, in C if it is there)


# Documents


def breaks_of_graphql(old: str, new: str) -> list[str]:
    """Compare GraphQL schemas with graphql-core.

    A changed default counts as breaking here; graphql-core calls it only dangerous.
    """
    before, now = build_schema(old), build_schema(new)
    found = [change.description for change in find_breaking_changes(before, now)]
    dangerous = find_dangerous_changes(before, now)
    return found + [
        change.description
        for change in dangerous
        if change.type is DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE
    ]


def breaks_of_a_game(old: Schema, new: Schema) -> list[str]:
    """Compare the schemas of a game. Options and commands are sent, everything else is received."""
    comparison = Comparison(old, new)
    for part, schema in old["properties"].items():
        side = Side.SENT if part in {"options", "command"} else Side.RECEIVED
        comparison.compare(schema, new["properties"].get(part), side, part)
    comparison.miss(old["x-refusals"], new["x-refusals"], "no longer rejects with {}")
    return comparison.lines()


def breaks_of_openapi(old: Schema, new: Schema) -> list[str]:
    """Compare all operations with their parameters, bodies and responses."""
    comparison = Comparison(old, new)
    for path, operations in old["paths"].items():
        for method, operation in operations.items():
            now = new["paths"].get(path, {}).get(method)
            if now is None:
                comparison.found.append(f"{method.upper()} {path} was removed")
            else:
                _compare_operations(comparison, operation, now)
    return comparison.lines()


def _compare_operations(comparison: "Comparison", old: Schema, new: Schema) -> None:
    name = old["operationId"]
    if new["operationId"] != name:
        comparison.found.append(f"{name} was renamed to {new['operationId']}")
    if new.get("security") and not old.get("security"):
        comparison.found.append(f"{name} now requires a token")
    comparison.miss(_scopes(new), _scopes(old), f"{name} now requires the scope {{}}")
    comparison.compare(_parameters(old), _parameters(new), Side.SENT, f"{name} ?")
    comparison.compare(_body(old), _body(new), Side.SENT, f"{name} body")
    if _requires_body(new) and not _requires_body(old):
        comparison.found.append(f"{name} now requires a body")
    comparison.miss(_codes(old), _codes(new), f"{name} no longer returns {{}}")
    for status, answer in old["responses"].items():
        if status.startswith("2"):
            if status not in new["responses"]:
                comparison.found.append(f"{name} no longer returns {status}")
                continue
            for kind, content in answer.get("content", {}).items():
                now = new["responses"][status].get("content", {}).get(kind, {}).get("schema")
                comparison.compare(content["schema"], now, Side.RECEIVED, f"{name} {status}")


def _scopes(operation: Schema) -> list[str]:
    return [
        scope
        for required in operation.get("security", ())[:1]  # the others ask for the same
        for scopes in required.values()
        for scope in scopes
    ]


def _codes(operation: Schema) -> list[str]:
    """Return the statuses and codes of an operation's error responses."""
    return [
        f"{status} {code}"
        for status, answer in operation["responses"].items()
        for code in answer.get("x-codes", ())
    ]


def _parameters(operation: Schema) -> Schema:
    """Return the parameters as one object that allows no others."""
    parameters = operation.get("parameters", [])
    return {
        "type": "object",
        "properties": {found["name"]: found["schema"] for found in parameters},
        "required": [found["name"] for found in parameters if found.get("required")],
        "additionalProperties": False,
    }


def _requires_body(operation: Schema) -> bool:
    return bool(operation.get("requestBody", {}).get("required"))


def _body(operation: Schema) -> Schema:
    content = operation.get("requestBody", {}).get("content", {})
    schema: Schema = content.get("application/json", {}).get("schema", {})
    return schema


def breaks_of_asyncapi(old: Schema, new: Schema) -> list[str]:
    """Compare all channels with their addresses and messages."""
    comparison = Comparison(old, new)
    sent = {
        message["$ref"]
        for operation in old["operations"].values()
        if operation["action"] == "receive"
        for message in operation["messages"]
    }
    for name, channel in old["channels"].items():
        now = new["channels"].get(name)
        if now is None or now["address"] != channel["address"]:
            comparison.found.append(f"channel {channel['address']} was removed")
            continue
        comparison.compare(_query_of(channel), _query_of(now), Side.SENT, f"{name} ?")
        comparison.miss(
            channel["x-close-codes"], now["x-close-codes"], f"{name} no longer closes with {{}}"
        )
        comparison.miss(channel["messages"], now["messages"], f"{name}: message {{}} was removed")
        for tag, message in channel["messages"].items():
            if tag in now["messages"]:
                side = Side.SENT if f"#/channels/{name}/messages/{tag}" in sent else Side.RECEIVED
                comparison.compare(
                    message["payload"], now["messages"][tag]["payload"], side, f"{name} {tag}"
                )
    return comparison.lines()


def _query_of(channel: Schema) -> Schema:
    query: Schema = channel.get("bindings", {}).get("ws", {}).get("query", {"type": "object"})
    return query


# Schemas


class Comparison:
    """Two documents, and the breaking changes between their schemas."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self._old = old
        self._new = new
        self._seen: set[tuple[str, Side]] = set()
        self.found: list[str] = []

    def lines(self) -> list[str]:
        """Return the changes, each once."""
        return list(dict.fromkeys(self.found))

    def miss(self, promised: Iterable[str], kept: Container[str], line: str) -> None:
        """Report each promised name that is missing."""
        self.found += [line.format(name) for name in promised if name not in kept]

    def compare(self, old: Schema, new: Schema | None, side: Side, where: str) -> None:
        """Report breaking changes from one schema to the other."""
        if new is None:
            self.found.append(f"{where} was removed")
            return
        for key in ("default", "x-default"):
            if side is Side.SENT and key in old and old[key] != new.get(key):
                self.found.append(f"{where} now defaults to {new.get(key)!r}")
        before, now = dict(_alternatives(self._old, old)), dict(_alternatives(self._new, new))
        if len(before) == len(now) == 1 and not PLAIN & {*before, *now}:
            # The same component under another name.
            now = dict(zip(before, now.values(), strict=True))
        sender, reader = (before, now) if side is Side.SENT else (now, before)
        for name in sender:
            # The reader has to know every plain type. Structs have tags, so readers can ignore new
            # ones.
            known = {name, ANYTHING} | ({"number"} if name == "integer" else set())
            if known.isdisjoint(reader) and (side is Side.SENT or name in PLAIN):
                change = "can no longer" if side is Side.SENT else "can now"
                self.found.append(f"{where} {change} be {name}")
        for name, alternative in before.items():
            if name in now:
                self._compare_alternatives(name, alternative, now[name], side, where)
            elif side is Side.RECEIVED and name not in PLAIN:
                self.found.append(f"{where} is no longer {name}")

    def _compare_alternatives(
        self, name: str, old: Schema, new: Schema, side: Side, where: str
    ) -> None:
        if name not in PLAIN:
            if (name, side) in self._seen:
                return
            self._seen.add((name, side))
            where = name
        self._compare_values(old, new, side, where)
        self._compare_objects(old, new, side, where)
        for part in ("items", "additionalProperties"):
            if isinstance(old.get(part), dict) and isinstance(new.get(part), dict):
                self.compare(old[part], new[part], side, f"{where}[]")
        for place, (before, now) in enumerate(zip(_tuple(old), _tuple(new), strict=False)):
            self.compare(before, now, side, f"{where}[{place}]")

    def _compare_objects(self, old: Schema, new: Schema, side: Side, where: str) -> None:
        properties: Schema = new.get("properties", {})
        for name, schema in old.get("properties", {}).items():
            if (
                name in properties
                or side is Side.RECEIVED
                or new.get("additionalProperties") is False
            ):
                self.compare(schema, properties.get(name), side, f"{where}.{name}")
        required, now = set(old.get("required", ())), set(new.get("required", ()))
        if side is Side.SENT:
            self.found += [f"{where}.{name} is now required" for name in sorted(now - required)]
            if (
                new.get("additionalProperties") is False
                and old.get("additionalProperties", True) is not False
            ):
                self.found.append(f"{where} no longer allows other fields")
        else:
            lost = sorted((required - now) & properties.keys())
            self.found += [f"{where}.{name} can now be missing" for name in lost]

    def _compare_values(self, old: Schema, new: Schema, side: Side, where: str) -> None:
        before, now = _values(old), _values(new)
        if side is Side.RECEIVED:
            if before is not None and now is None:
                self.found.append(f"{where} can now be any value")
            self.found += [
                f"{where} is no longer {value!r}"
                for value in before or ()
                if now is not None and value not in now
            ]
            if old.get("format") != new.get("format") and "format" in old:
                self.found.append(f"{where} is no longer a {old['format']}")
            return
        self._compare_bounds(old, new, where)
        if now is not None:
            gone = (
                ["another value"]
                if before is None
                else [repr(value) for value in before if value not in now]
            )
            self.found += [f"{where} can no longer be {value}" for value in gone]

    def _compare_bounds(self, old: Schema, new: Schema, where: str) -> None:
        for word in ("pattern", "format"):
            if word in new and old.get(word) != new[word]:
                self.found.append(f"{where} now requires the {word} {new[word]}")
        for word in LOWER_BOUNDS:
            if word in new and (word not in old or new[word] > old[word]):
                self.found.append(f"{where} now requires {word} {new[word]}")
        for word in UPPER_BOUNDS:
            if word in new and (word not in old or new[word] < old[word]):
                self.found.append(f"{where} now requires {word} {new[word]}")


def _alternatives(document: Schema, schema: Schema, name: str = "") -> Iterator[tuple[str, Schema]]:
    """Yield the schemas that a value may match, by component name or else by type."""
    if "$ref" in schema:
        place: Any = document
        for step in schema["$ref"].removeprefix("#/").split("/"):
            place = place[step]
        yield from _alternatives(document, place, schema["$ref"].rpartition("/")[2])
        return
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        for alternative in several:
            yield from _alternatives(document, alternative)
        return
    values = _values(schema)
    kinds = schema.get(
        "type", ANYTHING if values is None else sorted({_type(value) for value in values})
    )
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        yield (name if name and "properties" in schema else kind), schema


def _type(value: Any) -> str:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    return kinds[type(value)]


def _values(schema: Schema) -> list[Any] | None:
    """Return the values that a schema lists, or None."""
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _tuple(schema: Schema) -> list[Schema]:
    items = schema.get("items")
    return schema.get("prefixItems") or (items if isinstance(items, list) else [])
