"""Types of a newer server, whose lists have one value more each, are read all the same."""

import copy
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from importlib import import_module
from typing import Any, Final

import msgspec
import pytest

from railbird_client import Client, Problem, RoomNews, ServerError
from railbird_engine.rules import registry
from sdk.documents import Schema
from tests.sdk import newer as newer_api
from tests.sdk.newer import DOCUMENTS, NEW
from tests.sdk.scene import ANY_GAME
from tests.sdk.scripts import run_script
from tests.sdk.values import values_of

pytestmark = pytest.mark.ci

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


@pytest.fixture
async def newer_server() -> AsyncIterator[str]:
    """The URL of a newer server, of which each operation is called."""
    async with newer_api.newer_server() as url:
        yield url


class Nothing(msgspec.Struct):
    """A body without fields: what matters are the answers."""


async def python_reads(client: Client) -> dict[str, Any]:
    """Call each operation until it has given all its answers, and follow each stream to its end."""
    failed = []
    for name, arguments, times in newer_api.calls():
        for nth in range(times):
            try:
                await getattr(client, name)(*(Nothing() if it == {} else it for it in arguments))
            except Problem as problem:
                if (nth, problem.code) != (times - 1, NEW):
                    failed.append(f"{name}: {problem}")
            except ServerError as error:
                failed.append(f"{name}: {error}")
    async with client.table("x", ANY_GAME) as table:
        versions = [news.version async for news in table]
    async with client.table("x", ANY_GAME) as table:
        look = (await table.look()).version
        legal = (await table.legal_commands()).version
        played = (await table.play({"type": NEW})).version
        said = await table.send_message("Good evening")
    async with client.room("x") as room:
        events = [len(news.events) async for news in room if isinstance(news, RoomNews)]
    async with client.lobbies() as lobbies:
        await anext(lobbies)
    async with client.inbox() as inbox:
        await anext(inbox)
    return {
        "failed": failed,
        "versions": versions,
        "answers": [look, legal, played, said],
        "events": events,
    }


async def test_python_reads_all_answers_and_frames_of_a_newer_server(newer_server: str) -> None:
    async with Client(newer_server, "SECRET", entropy=False) as client:
        assert await python_reads(client) == newer_api.READ


async def test_typescript_reads_them_too(newer_server: str) -> None:
    calls = json.dumps(newer_api.calls())
    assert json.loads(await run_script("newer.ts", newer_server, calls)) == newer_api.READ
