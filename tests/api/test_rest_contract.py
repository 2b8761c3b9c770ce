"""The REST documentation matches the API: OpenAPI, the error table and the protocol page."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import resolve
from msgspec import Meta

from games.api.schemas import described
from games.play.commit import RefusedError
from gameserver import errors
from gameserver.errors import TABLE
from kit import background
from kit.problems import Problem
from kit.validation import NUMBER_MAX
from tests import contract
from tests.api.matrix import METHODS, operations

ROOT = Path(__file__).parent.parent.parent
PROTOCOL = "".join(page.read_text() for page in sorted((ROOT / "docs/protocol").glob("*.md")))


@pytest.fixture(scope="module")
def openapi() -> dict[str, Any]:
    """The OpenAPI document as JSON, because PyYAML takes seconds to parse it."""
    answer = Client().get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    assert answer.status_code == 200
    document: dict[str, Any] = answer.json()
    return document


@pytest.mark.slow
def test_the_openapi_document_is_valid_and_of_version_3_1(openapi: dict[str, Any]) -> None:
    from openapi_spec_validator import (  # noqa: PLC0415  # only in the test process that needs it
        OpenAPIV31SpecValidator,
    )

    assert openapi["openapi"].startswith("3.1")
    assert list(OpenAPIV31SpecValidator(openapi).iter_errors()) == []


def objects_in(part: Any) -> Iterator[dict[str, Any]]:
    """The objects of a document that are no examples."""
    if isinstance(part, dict):
        yield part
        part = [inner for name, inner in part.items() if name not in {"example", "examples"}]
    if isinstance(part, list):
        for inner in part:
            yield from objects_in(inner)


def test_generators_learn_which_integers_need_64_bits(openapi: dict[str, Any]) -> None:
    """Of 32 bits they make an `Integer`, which ends at 2^31 - 1, whatever the bounds say."""
    integers = [each for each in objects_in(openapi) if each.get("type") == "integer"]
    assert len(integers) > 500
    narrow = [each for each in integers if each.get("format") != "int64" and "enum" not in each]
    for each in narrow:
        assert each.get("maximum", each.get("exclusiveMaximum", NUMBER_MAX)) < 2**31, each
    assert [each for each in narrow if each.get("minimum", 0) < -(2**31)] == []


def test_no_schema_is_a_boolean(openapi: dict[str, Any]) -> None:
    """Common generators refuse a whole document for `items: false`."""
    keywords = {"items", "contains", "not", "if", "then", "else", "propertyNames"}
    for each in objects_in(openapi):
        assert not [name for name in keywords if isinstance(each.get(name), bool)], each
        properties = each.get("properties", {})
        assert not [name for name, schema in properties.items() if isinstance(schema, bool)]


def test_every_operation_is_described_with_its_problems(openapi: dict[str, Any]) -> None:
    described = {
        operation["operationId"]: operation
        for path in openapi["paths"].values()
        for method, operation in path.items()
        if method in METHODS
    }
    assert described.keys() == operations().keys()
    for name, (_, route, declared) in operations().items():
        responses = described[name]["responses"]
        assert described[name]["summary"], name
        assert str(declared.status) in responses
        documented = " ".join(response["description"] for response in responses.values())
        assert all(f"`{code}`" in documented for code in declared.problems), name
        assert "400" in responses
        assert ("401" in responses) == (
            bool(described[name]["security"]) or "wrong_credentials" in declared.problems
        ), name
        assert "404" in responses or "<uuid" not in route


def test_no_text_with_a_pattern_may_end_with_a_line_break() -> None:
    """In Python `$` matches before a line break, so the types use a lookahead.

    JSON Schema has neither.
    """
    written = [
        path.read_text()
        for path in (ROOT / "schema").rglob("*")
        if path.suffix in {".json", ".yaml"}
    ]
    assert sum(text.count("pattern") for text in written) > 10
    assert [found for text in written for found in re.findall(r"\(\?[=!<].*", text)] == []
    for pattern, kept in ((r"^a$(?!\n)", "^a$"), ("^a", "^a")):
        assert described([Annotated[str, Meta(pattern=pattern)]], "{name}")[0] == (
            {"type": "string", "pattern": kept},
        )
    with pytest.raises(AssertionError, match="line break"):
        described([Annotated[str, Meta(pattern="^a$")]], "{name}")


def test_every_reference_of_the_document_resolves(openapi: dict[str, Any]) -> None:
    names = set(re.findall(r"#/components/schemas/([\w.]+)", json.dumps(openapi)))
    assert names <= openapi["components"]["schemas"].keys()
    assert {"GameCommand", "GameEvent", "GameOptions", "GameView"} <= names


def test_every_body_and_response_has_a_valid_example(openapi: dict[str, Any]) -> None:
    shown = [
        (name, kind, content)
        for path in openapi["paths"].values()
        for method, operation in path.items()
        if method in METHODS
        for name, received in [
            ("body", operation.get("requestBody", {})),
            *operation["responses"].items(),
        ]
        for kind, content in received.get("content", {}).items()
        if kind in {"application/json", "application/problem+json"}
    ]
    assert len(shown) > 100
    for name, kind, content in shown:
        validator = contract.validator(json.dumps(content["schema"]))
        errors = validator.iter_errors(content["example"])
        assert [(error.message[:200], error.instance_path) for error in errors] == [], (name, kind)


def test_an_example_of_an_event_leaves_its_audience_out_as_the_server_does(
    openapi: dict[str, Any],
) -> None:
    described = openapi["paths"]["/api/v1/games/{game}/commits/"]["get"]["responses"]["200"]
    (commit,) = described["content"]["application/json"]["example"]["commits"]
    assert all("only" not in event for event in commit["events"])


def test_the_documentation_page_needs_no_other_server() -> None:
    page = Client().get("/api/docs/").content.decode()
    assert "swagger-ui" in page
    assert re.findall(r"https?://[^\"' ]+", page) == []


@pytest.mark.parametrize("path", ["/api/docs/", "/api/schema/"])
def test_pages_and_documents_return_errors_in_json(path: str) -> None:
    client = Client(raise_request_exception=False)
    for refused, code in (
        (client.post(path), "method_not_allowed"),
        (client.get(path, headers={"Accept": "image/png"}), "not_acceptable"),
    ):
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert (refused.status_code, refused.json()["code"]) == (TABLE[code].status, code)


def test_every_code_of_the_server_is_in_the_table() -> None:
    raised = (
        r"\b(?:Problem|RefusedError|ClosedError|Error)\(\s*"
        r"(?:code=|\w+=[\w.]+, code=|[\w.]+, )?\"([a-z_]+)\""
    )
    sources = [
        path
        for folder in ("accounts", "games", "gameserver", "kit", "notices")
        for path in (ROOT / folder).rglob("*.py")
    ]
    found = {
        code
        for path in sources
        if "rules" not in path.parts
        for code in re.findall(raised, path.read_text())
    }
    assert {"spectators_only_watch", "too_many_sockets", "busy", "lobby_full"} <= found
    assert found <= TABLE.keys()
    assert {
        code for *_, declared in operations().values() for code in declared.problems
    } <= TABLE.keys()


@pytest.mark.parametrize("name", ["openapi.yaml", "asyncapi.yaml"])
def test_no_pattern_has_an_escape_that_ruby_reads_as_a_byte(name: str) -> None:
    text = (ROOT / "schema" / name).read_text()
    assert r"\u2028" in text
    assert re.findall(r"\\x[89a-f][0-9a-f]", text, re.IGNORECASE) == []


OPTIONAL: Final = {"command"}
"""Data that not each problem of its code has."""


def raised_problems() -> Iterator[tuple[str, str, set[str | None]]]:
    """Yield each problem that the server raises: where, its code, and the names of its data."""
    for folder in ("accounts", "games", "gameserver", "kit", "notices"):
        for path in (ROOT / folder).rglob("*.py"):
            for call in ast.walk(ast.parse(path.read_text())):
                if not isinstance(call, ast.Call):
                    continue
                kind = ast.unparse(call.func).rpartition(".")[2]
                if kind in {"Problem", "RefusedError", "ClosedError"}:
                    data = {each.arg for each in call.keywords}
                    data |= {"version"} if kind == "RefusedError" else set()
                    for each in call.args[:2]:
                        if isinstance(each, ast.Constant) and each.value in TABLE:
                            yield f"{path}:{call.lineno}", str(each.value), data


def test_titles_are_plain_and_problems_have_the_data_that_their_details_name() -> None:
    named = {code: {*re.findall(r"`(\w+)`", each.template)} for code, each in TABLE.items()}
    assert [each.title for each in TABLE.values() if set("`{}<>") & set(each.title)] == []
    assert [code for code, each in TABLE.items() if each.template and not named[code]] == []
    raised = list(raised_problems())
    assert len({code for _, code, _ in raised if named[code]}) > 30
    lacking = [each for each in raised if named[each[1]] - OPTIONAL - each[2]]
    assert lacking == []


def test_a_detail_has_the_values_of_the_data() -> None:
    found = errors.document(Problem("commitments_awaited", seats=[0, 2]))
    assert found.title == "Not all players have committed to their entropy yet; start again later."
    assert found.detail is not None
    assert found.detail.startswith("The players in the seats 0, 2 have not committed")
    assert errors.document(Problem("busy")).detail is None
    late = errors.document(RefusedError("command_id_reused", 7)).detail
    assert late == "This seat sent another command under the same id, at version 7."


def test_the_examples_of_the_page_use_existing_addresses() -> None:
    paths = re.findall(r"\$API(/[\w/$-]*)", PROTOCOL)
    assert len(paths) > 10
    for path in paths:
        resolve("/api/v1" + re.sub(r"\$\w+", "01920000-0000-7000-8000-000000000000", path))


@pytest.mark.slow
def test_the_schemas_command_writes_compares_and_removes_files(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games/withdrawn.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("not ours")
    with pytest.raises(CommandError, match=r"withdrawn\.json.*openapi\.yaml"):
        call_command("schemas", check=True, folder=tmp_path)
    call_command("schemas", folder=tmp_path)
    found = {path.name for path in tmp_path.rglob("*.*")}
    assert {"free_spots.json", "notes.txt", "openapi.yaml", "schema.graphql"} <= found
    assert "withdrawn.json" not in found


def test_a_server_without_valkey_is_ready_because_games_go_on(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = Client().get("/api/v1/health/ready/")
    assert answer.status_code == 200
    assert answer.json()["status"] == "degraded"
    assert answer.json()["valkey"] is False
    assert Client().get("/api/v1/health/live/").status_code == 200


def test_a_database_that_accepts_no_writes_is_unavailable() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        try:
            answer = Client().post("/api/v1/auth/guest/", {}, "application/json")
        finally:
            cursor.execute("RESET default_transaction_read_only")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


def test_a_server_with_a_loop_that_does_not_recover_is_not_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = background.Loop("a loop of this test")
    loop.failed(OSError("away"))
    monkeypatch.setattr(background, "STUCK_AFTER_S", 0.0)
    answer = Client().get("/api/v1/health/ready/")
    loop.worked()
    assert answer.status_code == 503
    assert answer.json()["data"] | {"late": []} == {  # games of other tests may be late
        "database": True,
        "standby": False,
        "late": [],
        "stuck": ["a loop of this test"],
        "draining": False,
    }


def test_the_pages_put_every_refusal_into_words() -> None:
    """Every problem of an operation that a page calls has a sentence; the compiler wants both."""
    client = ROOT / "web/client"
    called = {
        re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
        for page in client.rglob("*.ts")
        for name in re.findall(r"\bclient\.(\w+)\(", page.read_text())
    }
    codes = {
        code for name, (_, _, op) in operations().items() if name in called for code in op.problems
    }
    said = set(re.findall(r'"refused\.(\w+)":', (client / "words/en.ts").read_text()))
    assert len(called) > 40
    assert codes - said == set()
