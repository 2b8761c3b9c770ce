"""Bounds and defaults of options, commands, events, views and books are the published ones."""

import json
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

from tests.rules.golden import RULES

SCHEMAS = Path(__file__).parents[2] / "schema" / "games"


def bare(schema: Any) -> Any:
    """Leave out texts, and what the published schemas add or omit for generators of clients."""
    if isinstance(schema, list):
        return [bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    unsaid = {"description", "pattern", "title", "x-help", "x-presets", "x-when"}
    if schema.get("type") == "integer":
        unsaid.add("format")
    if "enum" in schema:
        unsaid.add("type")
    if "prefixItems" in schema:
        unsaid.add("items")
    return {name: bare(part) for name, part in schema.items() if name not in unsaid}


@pytest.mark.parametrize("slug", RULES)
def test_every_type_has_its_published_schema(slug: str) -> None:
    rules = RULES[slug]
    types = [rules.options_type, rules.command_type, rules.event_type]
    types += [get_type_hints(part)["return"] for part in (type(rules).view, type(rules).book)]
    _, found = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    published = json.loads((SCHEMAS / f"{slug}.json").read_bytes())["$defs"]
    known = {name: published[name] for name in found}
    assert bare(json.loads(msgspec.json.encode(found))) == bare(known)
