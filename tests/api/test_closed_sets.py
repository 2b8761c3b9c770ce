"""A parameter or field that allows only a few words is refused with all of them, over each API."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from asgiref.sync import sync_to_async
from graphql import GraphQLEnumType, GraphQLObjectType, build_schema, get_named_type
from msgspec import inspect

from accounts.models import User
from accounts.tokens import Scope
from games.api.sockets.frame_socket import FrameSocket, read_frame
from games.api.sockets.game import FromVersion
from games.api.sockets.inbox import FromNumber
from games.api.sockets.lobbies import FromRoomVersion
from games.api.sockets.lobby_list import LobbyListFilter
from games.lobbies.options import check_options
from games.play import service
from games.store.registry import catalogue
from gameserver.http.graphql import schema
from kit import validation
from kit.problems import Problem
from kit.validation import Query
from tests.api.graphql.client import Client
from tests.api.matrix import TABLE, World, operations
from tests.api.rest import caller_for
from tests.api.sockets import connected, token_of
from tests.builders import NewUser
from tests.commands import managed

WRONG = "nonsense"


def names_of(query: type[Query]) -> tuple[str, ...]:
    """The names of all parameters."""
    return query.__struct_encode_fields__


def allowed_in(reason: str) -> set[str]:
    """The words that a reason names as allowed."""
    return set(re.split(r",? allowed: ", reason, flags=re.IGNORECASE)[1].rstrip(".").split(", "))


def closed_sets(query: type[Query]) -> Mapping[str, tuple[str, ...]]:
    """The words of each parameter that allows only these."""
    found = {}
    for name, kind in get_type_hints(query).items():
        (plain, *others) = [part for part in get_args(kind) or [kind] if part is not type(None)]
        if get_origin(kind) is Literal:
            found[name] = get_args(kind)
        elif plain is bool and not others:
            found[name] = ("true", "false")
        elif get_origin(plain) is Literal and not others:
            found[name] = get_args(plain)
    return found


QUERIES = {name: op.query for name, (_, _, op) in operations().items() if op.query is not None}
EXPORTS = {"export_bets", "export_transfers", "get_personal_data"}


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_request_is_refused_with_the_words_that_are_allowed(
    name: str, standing_world: World
) -> None:
    query, operation = QUERIES[name], operations()[name][2]
    host = standing_world.user("host")
    User.objects.filter(id=host.id).update(is_staff=True)
    host.refresh_from_db()
    caller = caller_for(host, *([Scope(operation.scope)] if operation.scope else []))
    sets = closed_sets(query)
    if name in EXPORTS:
        assert {"format", "names"} <= sets.keys()
    case = TABLE[name]._replace(path=TABLE[name].path.partition("?")[0])
    unknown = {WRONG: names_of(query)}
    for parameter, words in {**sets, **unknown}.items():
        answer = standing_world.request(
            case._replace(path=f"{case.path}?{parameter}={WRONG}"), caller
        )
        assert answer.problem == (400, "malformed"), parameter
        assert allowed_in(answer.data["data"]["reason"]) == {*words}


Wrong = tuple[Any, str, set[str]]


def wrong_in(kind: inspect.Type) -> Iterator[Wrong]:
    """Values of a type in each of which one word is wrong, with its path and the allowed words."""
    match kind:
        case inspect.LiteralType(values=values):
            yield WRONG, "", {*map(str, values)}
        case inspect.EnumType(cls=members):
            yield WRONG, "", {str(member.value) for member in members}
        case inspect.BoolType():
            yield WRONG, "", {"true", "false"}
        case inspect.CollectionType(item_type=item):
            yield from (([value], f"[0]{path}", words) for value, path, words in wrong_in(item))
        case inspect.DictType(key_type=inspect.StrType(), value_type=item):
            for value, path, words in wrong_in(item):
                yield {"a": value}, f"[...]{path}", words
        case inspect.UnionType():
            yield from wrong_in_union(kind)
        case inspect.StructType():
            yield from wrong_in_struct(kind)


def wrong_in_union(kind: inspect.UnionType) -> Iterator[Wrong]:
    members = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
    structs = [each for each in members if isinstance(each, inspect.StructType)]
    if len(structs) > 1:
        field = str(structs[0].tag_field)
        yield {field: WRONG}, f".{field}", {str(each.tag) for each in structs}
    for each in structs if len(members) > 1 else members:
        yield from wrong_in(each)


def wrong_in_struct(kind: inspect.StructType) -> Iterator[Wrong]:
    start = {} if kind.tag_field is None else {kind.tag_field: kind.tag}
    if kind.forbid_unknown_fields:
        yield {**start, WRONG: 1}, "", {field.encode_name for field in kind.fields}
    for field in kind.fields:
        name = field.encode_name
        for value, path, words in wrong_in(field.type):
            yield {**start, name: value}, f".{name}{path}", words


def decoded(into: Any, value: Any) -> None:
    validation.decode(msgspec.json.encode(value), into)


def framed(socket: type[FrameSocket], value: Any) -> None:
    read_frame(msgspec.json.encode(value).decode(), socket.reads)


def readers() -> Iterator[tuple[str, str, Any, Callable[[Any], object]]]:
    """All that reads values with closed sets: its name, the path and type of the value, and it."""
    for name, (_, _, operation) in operations().items():
        if operation.body is not None:
            yield name, "$", operation.body, partial(decoded, operation.body)
    for slug, rules in catalogue().items():
        yield f"options of {slug}", "$.options", rules.options_type, partial(check_options, slug)
        decode = partial(service._decoded, rules)
        yield f"commands of {slug}", "$.command", rules.command_type, decode
    served = {each.__name__: each for each in FrameSocket.__subclasses__()}
    for name, socket in sorted(served.items()):
        if socket.__module__.startswith("games."):  # others are of tests that a process may load
            yield name, "$", socket.reads.type, partial(framed, socket)


@pytest.mark.parametrize(
    ("place", "kind", "read"), [pytest.param(*rest, id=name) for name, *rest in readers()]
)
def test_a_field_anywhere_is_refused_with_the_words_that_are_allowed(
    place: str, kind: Any, read: Callable[[Any], object]
) -> None:
    for value, path, words in wrong_in(inspect.type_info(kind)):
        with pytest.raises(Problem) as refused:
            read(value)
        assert refused.value.data["path"] == f"{place}{path}"
        if words:
            assert allowed_in(str(refused.value.data["reason"])) == words


def test_a_query_is_refused_with_the_values_that_are_allowed(
    address: str, new_user: NewUser
) -> None:
    client, served = Client(address, new_user()), build_schema(schema().as_str())
    checked = set()
    for kind in served.type_map.values():
        if not isinstance(kind, GraphQLObjectType):
            continue
        for name, field in kind.fields.items():
            for argument, declared in field.args.items():
                enum = get_named_type(declared.type)
                if not isinstance(enum, GraphQLEnumType):
                    continue
                checked.add(f"{kind.name}.{name}.{argument}")
                asked = f"{name}({argument}: {WRONG}) {{ __typename }}"
                query = f"{{ ...Part }} fragment Part on {kind.name} {{ {asked} }}"
                unknown = f"Value '{WRONG}' does not exist in '{enum.name}' enum."
                messages = [error["message"] for error in client.send(query)["errors"]]
                (message,) = [each for each in messages if each.startswith(unknown)]
                assert allowed_in(message) == {*enum.values}
    assert {"Query.bets.outcome", "Query.lobbies.status", "Game.bets.outcome"} <= checked
    reason = client.error("{ bets(separator: 1) { __typename } }")[2]["reason"]
    assert served.query_type is not None
    bets = served.query_type.fields["bets"].args
    assert allowed_in(reason) == {*bets}
    reason = client.error("{ bets(orderBy: [{stake: ASC}]) { __typename } }")[2]["reason"]
    assert allowed_in(reason) == {"placedAt"}
    query = "query ($wanted: BetOutcome) { bets(outcome: $wanted) { __typename } }"
    for value, place in ((WRONG, "does not exist"), (7, "non-string")):
        reason = client.error(query, wanted=value)[2]["reason"]
        assert place in reason
        assert allowed_in(reason) == {"open", "won", "lost", "void"}
    # A value may read like a message about another name.
    for told in (
        "Unknown argument 'a' on field 'Query.nonsense'",
        "Unknown argument 'a' on field 'No.a'",
    ):
        assert told in client.error(query, wanted=told)[2]["reason"]


SOCKETS: Mapping[str, type[Query]] = {
    "games/{game}": FromVersion,
    "lobbies/{lobby}": FromRoomVersion,
    "lobbies": LobbyListFilter,
    "me": FromNumber,
}


async def test_a_socket_is_refused_with_the_words_that_are_allowed(
    address: str, standing_world: World
) -> None:
    game, lobby, token = await sync_to_async(
        lambda: (
            standing_world.game.id,
            standing_world.lobby.id,
            token_of(standing_world.user("host")),
        )
    )()
    for path, query in SOCKETS.items():
        unknown = {WRONG: names_of(query)}
        for parameter, words in {**closed_sets(query), **unknown}.items():
            asked = f"{path.format(game=game, lobby=lobby)}?{parameter}={WRONG}"
            async with connected(address, asked, token) as client:
                _, last = await client.closed()
            assert last["code"] == "malformed"
            assert allowed_in(last["data"]["reason"]) == {*words}


def test_a_command_is_refused_with_the_words_that_are_allowed() -> None:
    done = managed("export_bets", "-", "--separator=;")
    assert done.returncode == 1
    assert done.stderr.endswith(", allowed: comma, semicolon, tab\n")
