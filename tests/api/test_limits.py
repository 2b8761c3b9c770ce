"""Rate limits: their subjects and headers, sharing between processes, and play without Valkey."""

import json
import re
import time
from collections.abc import Iterator
from ipaddress import IPv4Address
from pathlib import Path
from random import randrange
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import httpx
import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.test import override_settings
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from accounts.models import User
from games.api.sockets import connection_registry, frame_socket
from games.models import Game, Seat
from gameserver.asgi import application
from gameserver.processes.embedded.valkey import Valkey
from kit import rate_limits
from tests.api.conftest import Strict
from tests.api.graphql.client import Client
from tests.api.rest import Answer, Caller, take
from tests.api.sockets import joined, token_of
from tests.builders import NewGame, NewUser
from tests.processes import web_process

pytestmark = pytest.mark.xdist_group("limits")

PASSWORD = "correct horse battery"
GRAPHQL = Subprotocol("graphql-transport-ws")


def limited(**changed: tuple[int, int]) -> override_settings:
    """The limits of this process, with these changes."""
    return override_settings(RATE_LIMITS={**settings.RATE_LIMITS, **changed})


def seated(new_game: NewGame) -> tuple[Game, str]:
    """A new game, and the token of its first seat."""
    game = new_game()
    seat = Seat.objects.select_related("user").get(lobby=game.lobby, number=0)
    assert seat.user is not None
    return game, token_of(seat.user)


def statuses(*callers: Caller) -> list[int]:
    return [caller.get("/auth/me/").status for caller in callers]


def test_every_response_reports_the_remaining_budget(new_user: NewUser) -> None:
    caller = Caller(new_user())
    first, second = caller.get("/auth/me/"), caller.get("/auth/me/")
    assert first.headers["RateLimit-Policy"] == '"user";q=6000;w=60, "token";q=3000;w=60'
    assert re.fullmatch(r'"token";r=2999;t=\d+', first.headers["RateLimit"])
    assert re.fullmatch(r'"token";r=2998;t=\d+', second.headers["RateLimit"])
    assert re.fullmatch(r'"guest";r=\d+;t=\d+', Caller().post("/auth/guest/").headers["RateLimit"])
    for path in ("/auth/me/", "/nowhere/"):
        stranger = Caller().get(path)
        assert stranger.headers["RateLimit-Policy"] == '"address";q=30000;w=60'
        assert re.fullmatch(r'"address";r=29999;t=\d+', stranger.headers["RateLimit"])


def test_a_token_has_a_budget(new_user: NewUser) -> None:
    user = new_user()
    one, other = Caller(user), Caller(user)
    with limited(token=(3, 60)):
        assert statuses(one, one, one, one, other) == [200, 200, 200, 429, 200]
        refused = one.get("/auth/me/")
    assert refused.problem == (429, "too_many_requests")
    assert refused.data["data"]["policy"] == "token"
    assert 1 <= int(refused.headers["Retry-After"]) == refused.data["data"]["retry_after"] <= 60
    assert re.fullmatch(r'"token";r=0;t=\d+', refused.headers["RateLimit"])


def test_a_person_has_one_budget_for_all_tokens(new_user: NewUser) -> None:
    user, somebody = new_user(), Caller(new_user())
    one, other = Caller(user), Caller(user)
    with limited(user=(3, 60)):
        assert statuses(one, other, one, other, somebody) == [200, 200, 200, 429, 200]
        assert other.get("/auth/me/").data["data"]["policy"] == "user"


def test_an_address_has_a_budget_before_authentication(new_user: NewUser) -> None:
    caller = Caller(new_user())
    with limited(address=(3, 60)):
        assert [
            caller.call("GET", "/auth/me/", Authorization="Bearer guess").status for _ in range(4)
        ] == [401] * 3 + [429]
        refused = caller.get("/auth/me/")
        assert caller.get("/health/live/").status == 200
    assert refused.problem == (429, "too_many_requests")
    assert (refused.data["data"]["policy"], "Retry-After" in refused.headers) == ("address", True)
    assert caller.get("/auth/me/").status == 200


def test_a_limit_of_zero_is_no_limit(new_user: NewUser) -> None:
    with limited(user=(0, 60), token=(0, 60), address=(0, 60)):
        answer = Caller(new_user()).get("/auth/me/")
    assert answer.status == 200
    assert "RateLimit" not in answer.headers


def test_a_household_has_one_address_of_ipv6() -> None:
    assert (
        rate_limits.source("2001:db8:1:2:3:4:5:6")
        == rate_limits.source("2001:db8:1:2::1")
        != rate_limits.source("2001:db8:1:3::1")
    )
    assert rate_limits.source("192.0.2.1") == "192.0.2.1"
    assert rate_limits.source("::ffff:192.0.2.1") == "192.0.2.1"


# Password guesses


def sign_in(caller: Caller, name: str, password: str) -> int:
    return int(caller.post("/auth/token/", {"username": name, "password": password}).status)


@pytest.fixture
def name() -> str:
    """A user with a password."""
    chosen = f"p{uuid4().hex[:20]}"
    assert (
        Caller()
        .post("/auth/register/", {"username": chosen, "password": PASSWORD, "display_name": "Ann"})
        .status
        == 201
    )
    return chosen


def test_many_addresses_cannot_guess_a_password_or_lock_its_user_out(name: str) -> None:
    home = Caller()
    assert sign_in(home, name, PASSWORD) == 201
    assert [sign_in(Caller(), name, "wrong") for _ in range(11)] == [401] * 10 + [429]
    assert sign_in(Caller(), name.upper(), PASSWORD) == 429
    assert sign_in(home, name, PASSWORD) == 201


def test_an_unknown_username_has_the_limit_of_a_known_one() -> None:
    nobody = uuid4().hex
    assert [sign_in(Caller(), nobody, "wrong") for _ in range(11)] == [401] * 10 + [429]


def test_a_correct_password_resets_the_count_of_wrong_ones(name: str) -> None:
    home = Caller()
    assert [sign_in(home, name, "wrong") for _ in range(9)] == [401] * 9
    assert sign_in(home, name, PASSWORD) == 201
    assert [sign_in(Caller(), name, "wrong") for _ in range(10)] == [401] * 10


def test_the_admin_has_the_same_limit(name: str) -> None:
    User.objects.filter(username=name).update(is_staff=True)
    guests = [Caller() for _ in range(12)]

    def knock(caller: Caller, password: str) -> int:
        return int(
            caller.client.post(
                "/admin/login/", {"username": name.upper(), "password": password}
            ).status_code
        )

    assert [knock(guest, "wrong") for guest in guests[:6]] == [200] * 6
    assert [sign_in(guest, name, "wrong") for guest in guests[6:11]] == [401] * 4 + [429], (
        "one count for all doors"
    )
    assert [knock(guests[11], password) for password in ("wrong", PASSWORD)] == [429, 429]
    assert guests[11].client.get("/admin/").status_code == 302


def test_pages_and_apps_each_get_their_own_rate_limit_error() -> None:
    client = Caller().client
    with limited(sign_in=(1, 60), oauth=(1, 60)):
        for path in ("/oauth/sign_in/", "/oauth/token/"):
            client.post(path)
        page, answer = client.post("/oauth/sign_in/"), client.post("/oauth/token/")
    assert (page.status_code, answer.status_code) == (429, 429)
    assert f"Try again in {page.headers['Retry-After']} s." in page.content.decode()
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert (answer.json(), int(answer.headers["Retry-After"]) > 0) == (
        {"error": "temporarily_unavailable"},
        True,
    )


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("password", {"current": "wrong", "new": "another horse battery"}),
        ("erase", {"password": "wrong"}),
    ],
)
def test_a_stolen_session_cannot_guess_the_password(
    name: str, path: str, body: dict[str, str]
) -> None:
    user = User.objects.get(username=name)
    assert [Caller(user).post(f"/auth/{path}/", body).status for _ in range(11)] == [403] * 10 + [
        429
    ]
    assert sign_in(Caller(), name, PASSWORD) == 429, "one count for all doors"


def test_only_staff_sign_in_to_the_admin(name: str) -> None:
    asked = {"username": name, "password": PASSWORD}
    refused = Caller().client.post("/admin/login/", asked)
    assert refused.status_code == 200
    assert "There is nobody with this username and password." in refused.content.decode()
    User.objects.filter(username=name).update(is_staff=True)
    client = Caller().client
    page = client.get("/admin/games/game/")
    assert client.post(page.headers["Location"], asked).headers["Location"] == "/admin/games/game/"
    assert client.post("/admin/login/", asked).headers["Location"] == "/admin/"


def test_the_password_page_of_staff_counts_wrong_passwords_and_ends_tokens(name: str) -> None:
    User.objects.filter(username=name).update(is_staff=True)
    user = User.objects.get(username=name)
    token, client = Caller(user), Caller().client
    asked = {
        "old_password": PASSWORD,
        "new_password1": "another horse battery",
        "new_password2": "another horse battery",
    }
    assert client.get("/admin/password_change/").headers["Location"].startswith("/admin/login/")
    client.force_login(user)
    for wrong in (
        {"old_password": "wrong"},
        {"new_password2": "another"},
        {"new_password1": "1", "new_password2": "1"},
    ):
        page = client.post("/admin/password_change/", {**asked, **wrong})
        assert (page.status_code, 'role="alert"' in page.content.decode()) == (200, True), wrong
    assert token.get("/auth/me/").status == 200
    assert client.post("/admin/password_change/", asked).headers["Location"] == "/admin/"
    assert token.get("/auth/me/").status == 401
    assert client.get("/admin/").status_code == 200, "this session stays valid"
    assert sign_in(Caller(), name, "another horse battery") == 201
    answers = [client.post("/admin/password_change/", asked).status_code for _ in range(11)]
    assert answers == [200] * 10 + [429]


# Real processes


def forwarded() -> dict[str, str]:
    """The header of a proxy that the server trusts, with an address that no other test sends."""
    return {"X-Forwarded-For": str(IPv4Address(randrange(2**32)))}


def test_processes_share_a_budget(new_user: NewUser, strict: Strict) -> None:
    caller = Caller(new_user())
    headers = {"Authorization": f"Bearer {caller.token}", **forwarded()}
    answers: list[httpx.Response | Answer] = []
    with (
        limited(token=(5, 60)),
        httpx.Client(headers=headers, timeout=60, verify=False) as client,
    ):
        for _ in range(3):
            answers.append(client.get(f"http://{strict.address}/api/v1/auth/me/"))
            answers.append(caller.get("/auth/me/"))
    left = [answer.headers["RateLimit"].split(";")[1] for answer in answers]
    assert left == ["r=4", "r=3", "r=2", "r=1", "r=0", "r=0"]
    assert isinstance(refused := answers[-1], Answer)
    assert refused.problem == (429, "too_many_requests")


def test_graphql_has_the_same_limits(new_user: NewUser, strict: Strict) -> None:
    client = Client(strict.address, new_user())
    client.headers |= forwarded()
    me = client.post("{ me { id } }")
    assert re.fullmatch(r'"token";r=4;t=\d+', me.headers["RateLimit"])
    url = f"http://{strict.address}/api/v1/auth/me/"
    rest = httpx.get(url, headers=client.headers, timeout=60, verify=False)
    assert re.fullmatch(r'"token";r=3;t=\d+', rest.headers["RateLimit"])
    many = client.post("{ a: me { id } b: me { id } c: me { id } d: me { id } e: me { id } }")
    (refused, *_) = {error["extensions"]["code"] for error in many.json()["errors"]}
    assert refused == "too_many_requests"
    assert 1 <= int(many.headers["Retry-After"]) <= 60
    (received,) = {error["extensions"]["data"]["retry_after"] for error in many.json()["errors"]}
    assert 1 <= received <= 60
    done = client.post("mutation { revokeAllTokens { ... on Problem { code status data } } }")
    problem = done.json()["data"]["revokeAllTokens"]
    assert (done.status_code, problem["code"], problem["status"]) == (200, "too_many_requests", 429)
    assert int(done.headers["Retry-After"]) == problem["data"]["retry_after"]
    asked = [client.post("{ __typename }") for _ in range(4)]
    assert [answer.status_code for answer in asked] == [200, 200, 200, 429]
    assert asked[-1].json()["code"] == "too_many_requests"
    assert int(asked[-1].headers["Retry-After"]) >= 1


@pytest.fixture
def own_valkey() -> Iterator[Valkey]:
    """A Valkey that a test can stop."""
    with TemporaryDirectory(prefix="gs-") as folder:
        server = Valkey(runtime=Path(folder), log=Path(folder) / "log")
        server.start()
        try:
            yield server
        finally:
            server.child.stop()


@pytest.mark.ci
def test_without_valkey_requests_are_neither_limited_nor_delayed(
    own_valkey: Valkey, new_game: NewGame, tmp_path: Path
) -> None:
    game, token = seated(new_game)
    log = tmp_path / "log"
    variables = {"REDIS_URL": own_valkey.url, "RATE_LIMITS": "token=2/3600"}
    with web_process(variables, log=log) as (_, address):
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(
            base_url=f"http://{address}/api/v1", headers=headers, timeout=60, verify=False
        ) as client:
            assert [client.get("/auth/me/").status_code for _ in range(3)] == [200, 200, 429]
            own_valkey.child.stop()
            stopped = time.monotonic()
            answers = [
                client.post(
                    f"/games/{game.id}/commands/", json={"id": str(uuid4()), "command": take(spot)}
                )
                for spot in range(20)
            ]
    assert [answer.status_code for answer in answers] == [201] * 20
    # One request per pause checks whether Valkey is back, on behalf of all.
    asked = log.read_text().count("limits_not_counted")
    assert 1 <= asked <= 1 + (time.monotonic() - stopped) / rate_limits.TRY_AGAIN_AFTER_S


# Sockets


async def test_a_handshake_of_any_socket_counts_for_its_address(
    new_game: NewGame, strict: Strict
) -> None:
    game, token = await sync_to_async(seated)(new_game)
    # The server trusts the proxy in front of it, as over HTTP.
    headers = {**forwarded(), "Authorization": f"Bearer {token}"}

    async def knock(path: str, **changed: str) -> int:
        try:
            async with connect(
                f"ws://{strict.address}/{path}",
                additional_headers=headers | changed,
                subprotocols=[GRAPHQL],
            ):
                return 101
        except InvalidStatus as refused:
            answer = refused.response
            assert answer.headers["Retry-After"] == str(
                json.loads(answer.body or b"")["data"]["retry_after"]
            )
            return answer.status_code

    paths = [f"ws/v1/games/{game.id}", "ws/v1/lobbies", "graphql/", "nowhere"]
    guesses = [await knock(path, Authorization="Bearer guess") for path in paths * 2]
    assert guesses == [101] * 7 + [429]
    async with httpx.AsyncClient(headers=headers, timeout=60, verify=False) as http:
        rest = await http.get(f"http://{strict.address}/api/v1/auth/me/")
        assert rest.status_code == 429, "one budget for both"
    assert [await knock(path) for path in paths] == [429] * 4
    assert await knock(paths[0], **{"X-Forwarded-For": "2001:db8::1"}) == 101
    assert "handshake" not in strict.log.read_text()


async def test_an_address_has_a_limited_number_of_unauthenticated_sockets(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_registry, "STRANGERS_PER_ADDRESS", 2)
    monkeypatch.setattr(frame_socket, "AUTHENTICATE_WITHIN_S", 600.0)
    token = await sync_to_async(lambda: token_of(new_user()))()
    here, elsewhere = f"192.0.2.{randrange(256)}", f"198.51.100.{randrange(256)}"

    async def opened(host: str, path: str = "/ws/v1/lobbies", header: str = "") -> Any:
        headers = [(b"host", b"testserver")]
        if header:
            headers.append((b"authorization", header.encode()))
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": b"",
            "headers": headers,
            "client": (host, 4711),
        }
        socket: Any = ApplicationCommunicator(application, {**scope, "subprotocols": [GRAPHQL]})  # type: ignore[no-untyped-call]
        await socket.send_input({"type": "websocket.connect"})
        assert (await socket.receive_output(30))["type"] == "websocket.accept"
        return socket

    async def received(socket: Any) -> Any:
        message = await socket.receive_output(30)
        return (
            json.loads(message["text"])["type"]
            if "text" in message
            else (message["code"], message["reason"])
        )

    async def leave(socket: Any) -> None:
        await socket.send_input({"type": "websocket.disconnect"})
        await socket.wait(30)

    waiting = [await opened(here), await opened(here, "/graphql/")]
    assert await received(await opened(here, "/graphql/")) == (1013, "busy")
    refused = await opened(here)
    assert [await received(refused), await received(refused)] == ["error", (1013, "busy")]
    known = await opened(here, header=f"Bearer {token}")
    assert await received(known) == "lobbies"
    said = [
        {"type": "authenticate", "token": token},
        {"type": "connection_init", "payload": {"token": token}},
    ]
    for socket, frame, answer in zip(waiting, said, ["lobbies", "connection_ack"], strict=True):
        await socket.send_input({"type": "websocket.receive", "text": json.dumps(frame)})
        assert await received(socket) == answer
    waiting += [await opened(here), await opened(here)]
    assert await received(await opened(here, "/graphql/")) == (1013, "busy")
    for socket in [known, *waiting, await opened(elsewhere)]:
        await leave(socket)
    await leave(await opened(here))


PINGS, PONGS, PARTS = b"\x89\x80mask", b"\x8a\x80mask", b"\x00\x80mask"


@pytest.mark.parametrize("frame", [PINGS, PONGS, PARTS], ids=["pings", "pongs", "empty parts"])
async def test_frames_that_are_no_texts_count_as_frames(
    address: str, new_game: NewGame, frame: bytes
) -> None:
    game, token = await sync_to_async(seated)(new_game)
    async with joined(address, game.id, token) as client:
        await client.next("view")
        first = b"\x01\x80mask" if frame is PARTS else b""
        client.connection.transport.write(first + frame * 3_000)
        code, last = await client.closed()
    assert (code, last["code"], last["data"]) == (4429, "too_many_frames", {"most": 500})
