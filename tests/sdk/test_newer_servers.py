"""Types of a newer server, whose lists have one value more each, are read all the same."""

import copy
import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final

import msgspec
import pytest

from railbird_engine.rules import registry
from sdk.documents import Documents, Schema
from tests.sdk.values import values_of

DOCUMENTS: Final = Documents()
NEW: Final = "brand_new"
SAMPLE_EVERY: Final = 40


def newer(value: Any, schema: Schema, types: Mapping[str, Schema]) -> Iterator[tuple[Any, Any]]:
    """Yield the places of all values of lists, and of objects that are one of several kinds."""
    while "$ref" in schema:
        schema = types[schema["$ref"].split("/")[-1]]
    if isinstance(value, list):
        items = schema.get("items", {})
        for inner in value:
            yield from newer(inner, items if isinstance(items, dict) else {}, types)
    if not isinstance(value, dict):
        return
    for field, inner in value.items():
        expected = schema.get("properties", {}).get(field, schema.get("additionalProperties", {}))
        kinds = expected.get("anyOf", [expected]) if isinstance(expected, dict) else []
        is_listed = any(len(kind.get("enum", ())) > 1 for kind in kinds)
        is_one_of = sum("$ref" in kind for kind in kinds) > 1
        if (isinstance(inner, str) and is_listed) or (isinstance(inner, dict) and is_one_of):
            yield value, field
        else:
            some: Schema = next((kind for kind in kinds if kind != {"type": "null"}), {})
            yield from newer(inner, some, types)


@pytest.mark.parametrize("slug", sorted(DOCUMENTS.games))
def test_one_value_more_of_each_list_is_read(slug: str) -> None:
    types = import_module(f"railbird_client.games.{slug}").TYPES
    (rules,) = (rules for (found, _), rules in registry().items() if found == slug)
    schemas = DOCUMENTS.games[slug]
    lists = set()
    for number, (kind, found) in enumerate(values_of(rules)):
        if kind not in {"View", "Event"} or (number % SAMPLE_EVERY and kind == "View"):
            continue
        value = json.loads(msgspec.json.encode(found))
        name = type(found).__name__
        for parent, field in newer(value, schemas.get(name, schemas[kind]), schemas):
            lists.add(field)
            before = parent[field]
            parent[field] = NEW if isinstance(before, str) else {**before, "type": NEW}
            if kind == "View":
                types.view(copy.deepcopy(value))
            else:
                (event,) = types.events([value])
                assert type(event).__name__ == name, "a new value is no new event"
            parent[field] = before
    assert lists, "there are lists of values"
