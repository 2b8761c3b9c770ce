"""Introspection and hostile documents: tools get the schema, and hostile documents cost little."""

import asyncio
from typing import Any

import pytest
import structlog.testing
from django.test import Client
from graphql import build_client_schema, get_introspection_query, graphql_sync, parse
from graphql.language.lexer import Lexer
from strawberry.types import ExecutionResult

from games.api.graphql import limits
from gameserver.http.graphql import schema
from tests.api.graphql.client import Calls

CALLS_MAX = 250_000  # under 50 ms of CPU: about 5,600 calls take 1 ms

HOSTILE = {
    "one field often": ("{" + "me{id}" * 1400 + "}", "too_many_query_tokens"),
    "one field less often": ("{" + "me{id}" * 320 + "}", "too_many_repeats"),
    "fragments that repeat fields": (
        "{" + "".join(f"...F{i} " for i in range(30)) + "}"
        "" + "".join(f"fragment F{i} on Query {{ " + "me{id}" * 12 + "} " for i in range(30)),
        "too_many_repeats",
    ),
    "many fragments": (
        "{me{id}}" + "".join(f"fragment F{i} on Query {{__typename}}" for i in range(60)),
        "too_many_repeats",
    ),
    "unknown fields": ("{" + " ".join(f"lobbeis{i}" for i in range(2000)) + "}", "malformed"),
    "unknown types": (
        "query(" + " ".join(f"$a{i}:Lobbyy{i}" for i in range(700)) + "){__typename}",
        "malformed",
    ),
    "nested fields": ("{" + "me{" * 900 + "id" + "}" * 900 + "}", "malformed"),
    "introspection by aliases": (
        "{" + "".join(f"a{i}:__schema{{types{{...A ...B}}}} " for i in range(16)) + "}"
        "fragment A on __Type{name fields{name}} fragment B on __Type{name}",
        "query_too_costly",
    ),
    "introspection in a circle": (
        '{__type(name:"Query"){fields{type{fields{type{fields{type{name}}}}}}}}',
        "query_too_costly",
    ),
    "introspection in a deep circle": (
        "{__schema{types{" + "fields{type{" * 15 + "name" + "}}" * 15 + "}}}",
        "query_too_deep",
    ),
    "introspection in a circle of fragments that repeat": (
        "query($x:Boolean=true){__schema{types{...F0}}}"
        + "".join(
            f"fragment F{i} on __Type {{ ...F{i + 1} ...F{i + 1} @include(if: $x) }} "
            for i in range(40)
        )
        + "fragment F40 on __Type { fields { type { fields { name } } } }",
        "query_too_costly",
    ),
}


def execute(query: str, variables: dict[str, Any] | None = None) -> ExecutionResult:
    result = asyncio.run(schema().execute(query, variable_values=variables))
    assert isinstance(result, ExecutionResult)
    return result


@pytest.mark.parametrize(
    "options", [{}, {"one_of": True, "specified_by_url": True, "input_value_deprecation": True}]
)
def test_the_standard_introspection_query_describes_the_whole_schema(
    options: dict[str, bool],
) -> None:
    result = execute(get_introspection_query(**options))
    assert result.errors is None
    assert result.data is not None
    described = build_client_schema(result.data)  # type: ignore[arg-type]  # it is checked there
    served = schema()._schema  # what strawberry wraps
    assert described.type_map.keys() == served.type_map.keys()


def test_a_standard_query_is_answered_from_one_result() -> None:
    first, second = (execute(get_introspection_query()).data for _ in range(2))
    assert first is second


def test_other_introspection_is_answered_while_it_is_small() -> None:
    asked = '{ __type(name: "Lobby") { name fields { name type { name ofType { name } } } } }'
    found = execute(asked).data
    assert found is not None
    assert {"name": "id", "type": {"name": None, "ofType": {"name": "UUID"}}} in found["__type"][
        "fields"
    ]


WITH_VARIABLES = """
    query Introspection($descriptions: Boolean!, $deprecated: Boolean = true) {
        __schema {
            queryType { name }
            types { ...Described }
            directives { name description @include(if: $descriptions) locations args { ...Input } }
        }
    }
    fragment Described on __Type {
        kind name description @include(if: $descriptions)
        fields(includeDeprecated: $deprecated) {
            name description @include(if: $descriptions)
            args { ...Input } type { ...Reference } isDeprecated deprecationReason
        }
        inputFields { ...Input } interfaces { ...Reference }
        enumValues(includeDeprecated: $deprecated) { name isDeprecated }
        possibleTypes { ...Reference }
    }
    fragment Input on __InputValue {
        name description @include(if: $descriptions) type { ...Reference } defaultValue
    }
    fragment Reference on __Type {
        kind name ofType { kind name ofType { kind name ofType { kind name } } }
    }"""
"""As sgqlc asks."""

LISTED = {
    "sgqlc": WITH_VARIABLES,
    "graphql-core": get_introspection_query(),
    "graphql-core, all": get_introspection_query(
        specified_by_url=True, schema_description=True, input_value_deprecation=True, one_of=True
    ),
    "a variable": "query I($deprecated: Boolean!) { __schema { types { name"
    " fields(includeDeprecated: $deprecated) { name } } } }",
    "include": "{ __schema { types { name fields { name description @include(if: true) } } } }",
    "skip": "query I($descriptions: Boolean!) { __schema { types { name"
    " fields { name description @skip(if: $descriptions) } } } }",
    "names of types": "{ __schema { __typename types { __typename name"
    " fields { __typename type { __typename name } } } } }",
    "fields that repeat": "{ __schema { types { name fields { name } ...A ... { ...A name } } } }"
    " fragment A on __Type { fields { type { name } } }",
    "a fragment that is skipped": "{ __schema { types { name ...A @skip(if: true)"
    " fields { name } } } } fragment A on __Type { fields { type { fields { name } } } }",
}


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("name", LISTED)
@pytest.mark.ci
def test_what_tools_ask_of_the_schema_is_answered_as_if_it_were_executed(
    name: str, *, flag: bool
) -> None:
    asked = {"descriptions": flag, "deprecated": flag}
    result = execute(LISTED[name], asked)
    assert result.errors is None
    executed = graphql_sync(schema()._schema, LISTED[name], variable_values=asked)
    assert executed.errors is None
    assert result.data == executed.data


def test_an_introspection_query_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens, advance = list[Lexer](), Lexer.advance

    def counted(lexer: Lexer) -> Any:
        tokens.append(lexer)
        return advance(lexer)

    execute("{ __schema { queryType { name } } }")  # what is worked out once does not count
    query = "{ __schema { queryType { name } types { kind } } }"
    monkeypatch.setattr(Lexer, "advance", counted)
    parse(query)
    alone = len(tokens)
    assert execute(query).errors is None
    assert len(tokens) == 2 * alone


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_document_is_refused_before_it_costs_much(name: str) -> None:
    query, code = HOSTILE[name]
    execute(query)  # what is worked out once for all queries does not count
    with Calls() as calls:
        result = execute(query)
    assert code in {(error.extensions or {})["code"] for error in result.errors or ()}
    assert calls.count < CALLS_MAX


def test_the_default_of_a_variable_counts_as_its_value() -> None:
    query = """query ($n: Int = 100) { lobbies(first: $n) { edges { node { game {
        commits(first: $n) { edges { node { events { __typename } } } } } } } } }"""
    errors = execute(query).errors
    assert errors
    assert (errors[0].extensions or {})["code"] == "query_too_costly"
    assert execute(query.replace("100", "2"), {"n": 100}).errors


def test_deeply_nested_variables_are_a_client_error() -> None:
    body = '{"query": "{__typename}", "variables": {"a": ' + "[" * 30_000 + "]" * 30_000 + "}}"
    answer = Client(raise_request_exception=False).post(
        "/graphql/", body, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["data"] == {"path": "$", "reason": "nested too deep"}


def test_the_schema_is_served_as_a_document() -> None:
    answer = Client().get("/graphql/schema.graphql")
    assert answer.content.decode() == f"{schema().as_str()}\n"
    again = Client().get("/graphql/schema.graphql", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


BETS = "bets(orderBy: [{placedAt: $v}]) { edges { cursor } }"


@pytest.mark.parametrize(
    "query",
    [
        f"{{ {BETS} }}",
        f"query($v: Ordering) {{ {BETS} }}",
        f"query A {{ __typename }} query B {{ {BETS} }}",
        f"fragment F on Query {{ {BETS} }} query($v: Ordering) {{ ...F }}",
        f"query A {{ __typename }} fragment F on Query {{ {BETS} }}",
    ],
)
def test_a_variable_of_one_of_many_fields_is_never_an_internal_error(query: str) -> None:
    errors = execute(query, {"v": None}).errors
    assert errors is not None
    assert {(error.extensions or {})["code"] for error in errors} == {"malformed"}


@pytest.mark.parametrize("kind", [TypeError, ValueError])
def test_a_failure_of_the_server_before_execution_is_internal(
    monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    def failing(*_: Any) -> None:
        raise kind("of the server's own making")

    monkeypatch.setattr(limits, "check_size", failing)
    with structlog.testing.capture_logs() as logs:
        errors = execute("{ __typename }").errors
    assert errors is not None
    (error,) = errors
    assert (error.extensions or {})["code"] == "internal_error"
    assert "making" not in error.message
    assert "graphql_failed" in [entry["event"] for entry in logs]


@pytest.mark.parametrize("number", ["1.5", '"1"', "true", "9" * 5_000])
def test_a_number_that_cannot_be_read_is_malformed(number: str) -> None:
    asked = f"subscription {{ lobbies(after: {number}) {{ __typename }} }}"
    errors = execute(asked).errors
    assert errors is not None
    (error,) = errors
    assert (error.extensions or {})["code"] == "malformed"
