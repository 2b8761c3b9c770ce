"""The check for breaking changes: it reports those and accepts all others."""

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command

from gameserver.documents.compatibility import (
    Comparison,
    Side,
    breaks,
    breaks_of_a_game,
    breaks_of_asyncapi,
    breaks_of_graphql,
    breaks_of_openapi,
)

pytestmark = pytest.mark.ci

ROOT = Path(__file__).parent.parent.parent
Schema = dict[str, Any]

BET: Schema = {
    "type": "object",
    "properties": {
        "spot": {"type": "string", "maxLength": 20, "pattern": "^[a-z]+$"},
        "stake": {"type": "integer", "minimum": 1, "maximum": 10},
        "odds": {"enum": ["low", "high"]},
        "game": {"type": "string", "format": "uuid"},
        "place": {"enum": ["win", "show"], "default": "win"},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "pair": {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "string"}],
            "items": False,
        },
    },
    "required": ["spot", "stake"],
    "additionalProperties": False,
}


def changed(change: Callable[[Schema], object]) -> Schema:
    schema = copy.deepcopy(BET)
    change(schema)
    return schema


def of(name: str) -> Callable[[Schema], Schema]:
    return lambda schema: schema["properties"][name]


def found(new: Schema, side: Side, old: Schema = BET) -> list[str]:
    comparison = Comparison({}, {})
    comparison.compare(old, new, side, "bet")
    return comparison.found


def test_unchanged_documents_break_nothing() -> None:
    assert found(BET, Side.SENT) == found(BET, Side.RECEIVED) == []


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda s: s["properties"].pop("spot"), "bet.spot was removed"),
        (lambda s: s["required"].append("odds"), "bet.odds is now required"),
        (
            lambda s: s["properties"].update(by={"type": "string"}) or s["required"].append("by"),
            "bet.by is now required",
        ),
        (lambda s: of("odds")(s)["enum"].remove("low"), "bet.odds can no longer be 'low'"),
        (lambda s: of("note")(s)["anyOf"].pop(), "bet.note can no longer be null"),
        (lambda s: of("stake")(s).update(type="string"), "bet.stake can no longer be integer"),
        (lambda s: of("stake")(s).update(minimum=2), "bet.stake now requires minimum 2"),
        (lambda s: of("stake")(s).update(maximum=9), "bet.stake now requires maximum 9"),
        (lambda s: of("stake")(s).update(enum=[1, 2]), "bet.stake can no longer be another value"),
        (lambda s: of("spot")(s).update(maxLength=5), "bet.spot now requires maxLength 5"),
        (lambda s: of("spot")(s).update(pattern="^a"), "bet.spot now requires the pattern ^a"),
        (lambda s: of("tags")(s).update(maxItems=1), "bet.tags now requires maxItems 1"),
        (
            lambda s: of("tags")(s)["items"].update(maxLength=1),
            "bet.tags[] now requires maxLength 1",
        ),
        (
            lambda s: of("pair")(s)["prefixItems"][1].update(type="null"),
            "bet.pair[1] can no longer be string",
        ),
        (
            lambda s: of("place")(s).update(default="show"),
            "bet.place now defaults to 'show'",
        ),
        (lambda s: of("place")(s).pop("default"), "bet.place now defaults to None"),
    ],
)
def test_stricter_requests_are_reported(change: Callable[[Schema], object], line: str) -> None:
    assert found(changed(change), Side.SENT) == [line]


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s["properties"].update(by={"type": "string"}),
        lambda s: s["required"].remove("stake"),
        lambda s: of("note")(s).update(default=None),
        lambda s: of("odds")(s)["enum"].append("none"),
        lambda s: of("stake")(s).update(type="number"),
        lambda s: of("stake")(s).update(minimum=0, maximum=20),
        lambda s: of("stake")(s).pop("maximum"),
        lambda s: of("spot")(s).pop("pattern"),
        lambda s: of("tags")(s)["items"].clear(),
        lambda s: of("spot")(s).update(description="where"),
        lambda s: s.pop("additionalProperties"),
    ],
)
def test_less_strict_requests_pass(change: Callable[[Schema], object]) -> None:
    assert found(changed(change), Side.SENT) == []


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda s: s["properties"].pop("note"), "bet.note was removed"),
        (lambda s: s["required"].remove("stake"), "bet.stake can now be missing"),
        (lambda s: of("stake")(s).update(type="number"), "bet.stake can now be number"),
        (
            lambda s: of("note")(s)["anyOf"].append({"type": "integer"}),
            "bet.note can now be integer",
        ),
        (lambda s: of("spot")(s).clear(), "bet.spot can now be anything"),
        (lambda s: of("game")(s).pop("format"), "bet.game is no longer a uuid"),
        (
            lambda s: of("odds")(s).update(type="string") or of("odds")(s).pop("enum"),
            "bet.odds can now be any value",
        ),
        (lambda s: of("tags")(s)["items"].update(type="null"), "bet.tags[] can now be null"),
        (lambda s: of("odds")(s).update(enum=["low", "higher"]), "bet.odds is no longer 'high'"),
    ],
)
def test_responses_with_less_are_reported(change: Callable[[Schema], object], line: str) -> None:
    assert found(changed(change), Side.RECEIVED) == [line]


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s["properties"].update(by={"type": "string"}),
        lambda s: s["required"].append("note"),
        lambda s: of("odds")(s)["enum"].append("none"),
        lambda s: of("note")(s)["anyOf"].pop(),
        lambda s: of("place")(s).update(default="show"),
        lambda s: of("stake")(s).update(minimum=0, maximum=20),
    ],
)
def test_responses_with_more_pass(change: Callable[[Schema], object]) -> None:
    assert found(changed(change), Side.RECEIVED) == []


def test_a_union_may_grow_in_responses_and_shrink_nowhere() -> None:
    structs = {
        name: {"type": "object", "properties": {"type": {"enum": [name]}}}
        for name in ("placed", "settled")
    }

    def union(*names: str) -> Schema:
        return {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]}

    def lines(old: Schema, new: Schema, side: Side) -> list[str]:
        comparison = Comparison({"$defs": structs}, {"$defs": structs})
        comparison.compare(old, new, side, "event")
        return comparison.found

    one, both = union("placed"), union("placed", "settled")
    assert lines(one, both, Side.SENT) == lines(one, both, Side.RECEIVED) == []
    assert lines(both, one, Side.SENT) == ["event can no longer be settled"]
    assert lines(both, one, Side.RECEIVED) == ["event is no longer settled"]


# Whole documents: the present ones with something removed


@pytest.fixture(scope="module")
def openapi() -> Schema:
    document: Schema = yaml.load(
        (ROOT / "schema/openapi.yaml").read_text(), Loader=yaml.CSafeLoader
    )
    return document


@pytest.fixture(scope="module")
def asyncapi() -> Schema:
    document: Schema = yaml.load(
        (ROOT / "schema/asyncapi.yaml").read_text(), Loader=yaml.CSafeLoader
    )
    return document


PLAY = "/api/v1/games/{game}/commands/"


def bets_asked_by(document: Schema) -> Any:
    return document["paths"]["/api/v1/bets/"]["get"]["parameters"]


def cursor_of(document: Schema) -> Any:
    return next(parameter for parameter in bets_asked_by(document) if parameter["name"] == "cursor")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda d: d["paths"].pop(PLAY), f"POST {PLAY} was removed"),
        (lambda d: d["paths"][PLAY]["post"].update(operationId="act"), "play was renamed to act"),
        (
            lambda d: d["paths"]["/api/v1/rules/"]["get"].update(security=[{"token": []}]),
            "list_rules now requires a token",
        ),
        (
            lambda d: d["paths"][PLAY]["post"].update(security=[{"token": ["admin"]}]),
            "play now requires the scope admin",
        ),
        (
            lambda d: d["paths"][PLAY]["post"]["responses"]["409"]["x-codes"].remove(
                "seat_forfeited"
            ),
            "play no longer returns 409 seat_forfeited",
        ),
        (
            lambda d: d["components"]["schemas"]["NewLobby"]["properties"]["visibility"].update(
                {"x-default": "unlisted"}
            ),
            "NewLobby.visibility now defaults to 'unlisted'",
        ),
        (lambda d: bets_asked_by(d).remove(cursor_of(d)), "list_bets ?.cursor was removed"),
        (lambda d: cursor_of(d).update(required=True), "list_bets ?.cursor is now required"),
        (lambda d: d["paths"][PLAY]["post"]["responses"].pop("201"), "play no longer returns 201"),
        (
            lambda d: d["components"]["schemas"]["Lobby"]["properties"].pop("title"),
            "Lobby.title was removed",
        ),
        (
            lambda d: d["components"]["schemas"]["NewLobby"]["required"].append("title"),
            "NewLobby.title is now required",
        ),
        (
            lambda d: d["components"]["schemas"]["ready_set_bet.PlaceBet"]["properties"].pop(
                "spot"
            ),
            "ready_set_bet.PlaceBet.spot was removed",
        ),
    ],
)
def test_a_break_of_the_openapi_document_is_found(
    openapi: Schema, change: Callable[[Schema], object], line: str
) -> None:
    new = copy.deepcopy(openapi)
    change(new)
    assert breaks_of_openapi(openapi, new) == [line]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda d: d["channels"].pop("game_socket"), "channel /ws/v1/games/{game} was removed"),
        (
            lambda d: d["channels"]["game_socket"]["messages"].pop("look"),
            "game_socket: message look was removed",
        ),
        (
            lambda d: d["channels"]["game_socket"]["bindings"]["ws"]["query"]["properties"].pop(
                "after"
            ),
            "game_socket ?.after was removed",
        ),
        (
            lambda d: d["channels"]["game_socket"]["x-close-codes"].pop("4408"),
            "game_socket no longer closes with 4408",
        ),
        (
            lambda d: d["components"]["schemas"]["Error"]["properties"]["code"]["enum"].remove(
                "busy"
            ),
            "Error.code is no longer 'busy'",
        ),
        (
            lambda d: d["components"]["schemas"]["Play"]["properties"].pop("id"),
            "Play.id was removed",
        ),
        (
            lambda d: d["components"]["schemas"]["Accepted"]["required"].remove("hash"),
            "Accepted.hash can now be missing",
        ),
    ],
)
def test_a_break_of_the_asyncapi_document_is_found(
    asyncapi: Schema, change: Callable[[Schema], object], line: str
) -> None:
    new = copy.deepcopy(asyncapi)
    change(new)
    assert breaks_of_asyncapi(asyncapi, new) == [line]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda d: d["properties"].pop("book"), "book was removed"),
        (
            lambda d: d["$defs"]["SetDiceBook"]["properties"].pop("names"),
            "SetDiceBook.names was removed",
        ),
        (
            lambda d: d["$defs"]["SetCalled"]["properties"]["type"].update(enum=["set_said"]),
            "SetCalled.type is no longer 'set_called'",
        ),
        (lambda d: d["x-refusals"].remove("square_taken"), "no longer rejects with square_taken"),
        (lambda d: d["$defs"]["CallSet"]["properties"].pop("dice"), "CallSet.dice was removed"),
    ],
)
def test_a_break_of_a_game_is_found(change: Callable[[Schema], object], line: str) -> None:
    old = json.loads((ROOT / "schema/games/set_dice.json").read_text())
    new = copy.deepcopy(old)
    change(new)
    assert breaks_of_a_game(old, new) == [line]


def test_a_break_of_the_graphql_schema_is_found() -> None:
    old = "type Query { game(id: ID!): String }"
    assert breaks_of_graphql(old, "type Query { game(id: ID!): String, games: [String] }") == []
    assert breaks_of_graphql(old, "type Query { game(id: ID!, seat: Int!): String }") != []
    one, other = (f"type Query {{ games(first: Int = {first}): String }}" for first in (50, 20))
    assert breaks_of_graphql(one, other) == [
        "Query.games(first:) has changed defaultValue from 50 to 20."
    ]


def test_the_command_compares_folders(tmp_path: Path) -> None:
    present = tmp_path / "present"
    shutil.copytree(ROOT / "schema", present)
    for path in present.glob("*.*"):
        path.write_text(f"{path.read_text()}\n# Equal files are not compared.\n")
    call_command("schemas", breaking=ROOT / "schema", folder=present)
    for path in present.glob("*.*"):
        shutil.copy(ROOT / "schema" / path.name, path)
    (present / "games/ascot.json").unlink()
    assert breaks(ROOT / "schema", present) == ["games/ascot.json was removed"]
    text = (present / "games/set_dice.json").read_text()
    (present / "games/set_dice.json").write_text(text.replace('"call_set"', '"say_set"'))
    with pytest.raises(
        CommandError,
        match=r"games/ascot\.json was removed\ngames/set_dice\.json: CallSet.type can no longer be "
        r"'call_set'",
    ):
        call_command("schemas", breaking=ROOT / "schema", folder=present)
    with pytest.raises(CommandError, match="No schemas"):
        call_command("schemas", breaking=tmp_path / "nowhere", folder=present)
