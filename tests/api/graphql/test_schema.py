"""The schema is valid and complete: every REST operation, every type of every game, and limits."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from graphql import (
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    build_schema,
    validate_schema,
)
from strawberry.utils.str_converters import to_camel_case

from games.api.graphql.structs import pascal, structs_of
from games.store.registry import catalogue
from gameserver.http.graphql import schema
from tests.api.graphql.client import Client
from tests.api.matrix import operations
from tests.processes import environment_with

COMMITTED = Path(__file__).parents[3] / "schema/schema.graphql"

ELSEWHERE = {
    "get_rules": ("Query", "rulesOf"),
    "get_view": ("Game", "view"),
    "list_views": ("Game", "views"),
    "list_commits": ("Game", "commits"),
    "list_legal_commands": ("Game", "legal"),
    "list_bets_in_game": ("Game", "bets"),
    "list_transfers_in_game": ("Game", "transfers"),
}
"""Operations that are not fields of the query under their own name."""

NOT_HERE = {"live", "ready"}
"""Health checks of a process, and files, which have their own media types."""


@pytest.fixture(scope="module")
def served() -> GraphQLSchema:
    return build_schema(schema().as_str())


def test_the_committed_schema_is_valid() -> None:
    assert validate_schema(build_schema(COMMITTED.read_text())) == []


def test_strawberry_has_a_schema_of_graphql_core_under_the_name_that_the_limits_use() -> None:
    assert isinstance(schema()._schema, GraphQLSchema)


def test_every_operation_of_rest_has_its_field(served: GraphQLSchema) -> None:
    missing = []
    for name, (method, _, declared) in operations().items():
        if name in NOT_HERE or declared.media:
            continue
        usual = "Query" if method == "GET" else "Mutation"
        short = name.removeprefix("get_").removeprefix("list_") if method == "GET" else name
        kind, field = ELSEWHERE.get(name, (usual, to_camel_case(short)))
        found = served.type_map[kind]
        assert isinstance(found, GraphQLObjectType)
        if field not in found.fields:
            missing.append(name)
    assert missing == []


@pytest.mark.parametrize("slug", catalogue())
def test_the_schema_has_every_type_of_every_game(served: GraphQLSchema, slug: str) -> None:
    rules = catalogue()[slug]
    for part in ("event", "view", "options", "command"):
        union = served.type_map[f"Game{pascal(part)}"]
        assert isinstance(union, GraphQLUnionType)
        names = {member.name for member in union.types}
        for struct in structs_of(rules, part):
            short = struct.__name__
            assert {short, f"{pascal(slug)}{short}"} & names, f"{slug} has lost {short}"
    commands = served.type_map[f"{pascal(slug)}CommandInput"]
    assert isinstance(commands, GraphQLInputObjectType)
    assert commands.is_one_of
    tags = {
        to_camel_case(str(struct.__struct_config__.tag)) for struct in structs_of(rules, "command")
    }
    assert commands.fields.keys() == tags


def nested(depth: int) -> str:
    return (
        "{ games { edges { node " + "{ lobby { game " * depth + "{ id }" + "} }" * depth + " } } }"
    )


def test_documents_are_limited(address: str) -> None:
    client = Client(address)
    cases: list[tuple[str, str]] = [
        (nested(10), "query_too_deep"),
        (
            "{ games(first: 100) { edges { node { bets(first: 100) "
            "{ edges { node { number } } } } } } }",
            "query_too_costly",
        ),
        ("{ " + " ".join(f"a{n}: me {{ id }}" for n in range(60)) + " }", "too_many_aliases"),
        ("{ me { " + "id " * 12_000 + "} }", "too_many_query_tokens"),
        ("{ nothing }", "malformed"),
        ("{", "malformed"),
        (
            "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
            "query_too_costly",
        ),
    ]
    for query, code in cases:
        assert client.error(query)[:2] == (400, code), query[:80]
    many: dict[str, Any] = {"n": 100}
    costly = (
        "query ($n: Int) "
        "{ games(first: $n) { edges { node { bets(first: $n) { edges { node { number } } } } } } }"
    )
    assert client.error(costly, **many)[1] == "query_too_costly"
    assert client.ask("{ __schema { queryType { name } } }")


def test_a_limit_is_told_with_its_numbers(address: str) -> None:
    answer = Client(address).post(nested(10)).json()
    (error,) = answer["errors"]
    data = error["extensions"]["data"]
    message = f"The query depth {data['found']} exceeds the limit {data['most']}."
    assert error["message"] == error["extensions"]["detail"] == message


@pytest.mark.parametrize(
    ("method", "content"),
    [("GET", None), ("POST", b'[{"query": "{ me { id } }"}]'), ("POST", b"{}")],
)
def test_what_is_no_request_of_graphql_says_what_is_one(
    address: str, method: str, content: bytes | None
) -> None:
    url = f"http://{address}/graphql/?query=%7Bme%7Bid%7D%7D"
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    answer = httpx.request(method, url, content=content, headers=headers, verify=False)
    assert (answer.status_code, answer.json()["code"]) == (400, "not_graphql")


def test_the_events_of_games_start_with_their_game_except_those_that_the_page_lists() -> None:
    page = (COMMITTED.parents[1] / "docs" / "graphql.md").read_text()
    listed = page.partition("Four events belong to all games")[2].partition(". The field")[0]
    union = build_schema(COMMITTED.read_text()).type_map["GameEvent"]
    assert isinstance(union, GraphQLUnionType)
    prefixes = tuple(pascal(slug) for slug in catalogue())
    common = {event.name for event in union.types if not event.name.startswith(prefixes)}
    assert common == set(re.findall(r"`(\w+)`", listed))


@pytest.mark.slow
def test_the_first_request_searches_for_no_geometry() -> None:
    program = """
import ctypes.util, django

def search(name):
    raise AssertionError(name)

ctypes.util.find_library = search
django.setup()
import games.api.graphql.lists
import strawberry_django
print(strawberry_django.GeometryFilterLookup)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment_with(None),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "None\n"), done.stderr
