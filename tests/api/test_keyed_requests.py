"""Requests that arrive more than once are carried out once, under an idempotency key."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from accounts.keyed_requests import HEADER
from accounts.models import KeyedRequest, User
from accounts.tokens import Scope
from games.models import Seat
from tests.api.graphql.client import Client
from tests.api.matrix import TABLE, World, operations
from tests.api.rest import Answer, Caller, caller_for
from tests.builders import NewUser

WITH_AN_ID = {"create_lobby", "quick_match", "send_message", "play"}
"""The id is in the body."""
CHANGE_NOTHING_AGAIN = {
    "join_lobby",
    "join_by_code",
    "rematch",
    "resign",
    "erase_user",
    "reveal",
    "subscribe_push",
} | {*("revoke_token", "revoke_all_tokens")}

KEYED = sorted(name for name, (_, _, declared) in operations().items() if declared.is_keyed)


def sent(caller: Caller, method: str, path: str, body: object, key: str) -> Answer:
    return caller.call(method, path, body, raw=None, **{HEADER: key})


def test_every_post_takes_a_key_or_can_be_repeated_without_one() -> None:
    posts = {name for name, (method, _, _) in operations().items() if method == "POST"}
    assert posts - WITH_AN_ID - CHANGE_NOTHING_AGAIN == {*KEYED}


@pytest.mark.parametrize("name", KEYED)
def test_a_repeated_request_gets_the_first_answer(name: str, new_user: NewUser) -> None:
    case, world, key = TABLE[name], World(new_user), uuid4().hex
    _, _, declared = operations()[name]
    host = world.user("host")
    User.objects.filter(id=host.id).update(is_staff=case.staff is not None)
    caller = caller_for(host, Scope.ADMIN) if declared.scope == Scope.ADMIN else Caller(host)
    path = case.path
    if "{lobby}" in path:
        path = path.replace("{lobby}", str(world.lobby.id))
    if "{game}" in path:
        path = path.replace("{game}", str(world.game.id))
    body = case.body(world) if callable(case.body) else case.body

    first, again = (sent(caller, case.method, path, body, key) for _ in range(2))

    assert first.status == (case.staff or int(case.statuses.split()[-1]))
    assert (again.status, again.content) == (first.status, first.content)
    other = "/auth/reset/" if declared.is_open else "/auth/email/"
    mailbox = {"email": f"{uuid4().hex}@example.org"}
    free = sent(Caller(host), "POST", other, mailbox, key)
    if first.status < 400 and name != "ask_for_reset_code":
        assert free.problem == (422, "request_id_reused")
        stranger = sent(world.caller("stranger"), "POST", "/auth/email/", mailbox, key)
        assert stranger.status == 202, "each user has keys of their own"
    elif first.status >= 400:
        assert free.status == 202, "a refusal leaves the key free"


def test_a_request_whose_outcome_nobody_knows_is_not_carried_out_again(new_user: NewUser) -> None:
    caller, key = Caller(new_user()), uuid4().hex
    body = {"name": "a program", "scopes": ["play"]}
    assert sent(caller, "POST", "/auth/tokens/", body, key).status == 201
    KeyedRequest.objects.update(answer=None)  # as if the process had ended
    again = sent(caller, "POST", "/auth/tokens/", body, key)
    assert again.problem == (503, "outcome_unknown")


@pytest.mark.parametrize("key", ["short", "a" * 65, "with a space in it", "é" * 20])
def test_a_key_must_be_random(key: str, new_user: NewUser) -> None:
    answer = sent(
        Caller(new_user()), "POST", "/auth/tokens/", {"name": "a", "scopes": ["play"]}, key
    )
    assert answer.problem == (400, "malformed")


def test_an_answer_is_stored_so_that_only_its_client_can_read_it(new_user: NewUser) -> None:
    caller, key = Caller(new_user()), uuid4().hex
    body = {"name": "a program", "scopes": ["play"]}
    token = sent(caller, "POST", "/auth/tokens/", body, key).data["token"]
    stored = KeyedRequest.objects.order_by("-at").first()
    assert stored is not None
    assert stored.answer is not None
    for column in (stored.id, stored.digest, stored.answer):
        assert token.encode() not in bytes(column)
        assert key.encode() not in bytes(column)


def test_mutations_are_carried_out_once(address: str, new_user: NewUser) -> None:
    world = World(new_user)
    lobby = world.lobby.id
    client = Client(address, world.user("host"))
    client.headers[HEADER] = uuid4().hex
    add = "addBot(lobby: $lobby) { ... on Lobby { seats { number } } }"
    query = f"mutation($lobby: UUID!) {{ a: {add} b: {add} }}"
    first, again = (client.ask(query, lobby=str(lobby)) for _ in range(2))
    assert first == again
    assert first["a"] != first["b"]
    assert Seat.objects.filter(lobby=lobby, user=None).count() == 2


def test_of_requests_at_the_same_time_one_is_carried_out(address: str, new_user: NewUser) -> None:
    world = World(new_user)
    lobby = world.lobby.id
    client = Client(address, world.user("host"))
    client.headers[HEADER] = uuid4().hex
    query = "mutation($lobby: UUID!) { addBot(lobby: $lobby) { __typename } }"
    with ThreadPoolExecutor() as threads:
        list(threads.map(client.send, [query] * 5, [{"lobby": str(lobby)}] * 5))
    assert Seat.objects.filter(lobby=lobby, user=None).count() == 1
