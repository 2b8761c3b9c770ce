"""CORS: which requests browsers allow from pages of other origins, and what pages can read."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings

from gameserver.http.limits import Handshakes
from tests import contract
from tests.api.rest import Caller

PAGE = "https://client.example"
OPEN = [
    "/api/v1/rules/",
    "/api/schema/",
    "/asyncapi.yaml",
    "/graphql/",
    "/log/keys",
    "/oauth/token/",
    "/oauth/revoke/",
    "/.well-known/oauth-authorization-server",
]
CLOSED = [
    "/",
    "/admin/",
    "/admin/login/",
    "/api/docs/",
    "/oauth/authorize/",
    "/oauth/sign_in/",
    "/oauth/sign_out/",
]


def preflight(path: str, client: Client | None = None, origin: str = PAGE) -> Any:
    """Send the preflight request of a browser."""
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    return (client or Client()).options(path, headers=asked)


def about_origins(headers: Mapping[str, str]) -> dict[str, set[str]]:
    """The values of each CORS header of a response."""
    found = {
        name.lower(): value
        for name, value in headers.items()
        if name.lower().startswith("access-control-")
    }
    return {name: {word.strip() for word in value.split(",")} for name, value in found.items()}


@pytest.mark.parametrize("path", OPEN)
def test_pages_of_every_origin_may_send_requests_with_tokens_and_without_cookies(path: str) -> None:
    before, received = (
        about_origins(preflight(path).headers),
        about_origins(Client().get(path, headers={"Origin": PAGE}).headers),
    )
    assert before["access-control-allow-headers"] == {
        "authorization",
        "content-type",
        "idempotency-key",
        "if-none-match",
    }
    assert "access-control-max-age" in before
    for found in (before, received):
        assert found["access-control-allow-origin"] == {"*"}
        assert "access-control-allow-credentials" not in found


@pytest.mark.parametrize("path", CLOSED)
def test_paths_that_use_cookies_allow_no_other_origin(path: str) -> None:
    assert about_origins(preflight(path).headers) == {}
    assert about_origins(Client().get(path, headers={"Origin": PAGE}).headers) == {}


def test_every_operation_of_the_api_allows_preflight_requests() -> None:
    declared = {method.upper() for path in contract.openapi()["paths"].values() for method in path}
    assert (
        declared
        == about_origins(preflight("/api/v1/rules/").headers)["access-control-allow-methods"]
    )


def test_pages_can_read_errors_and_preflight_requests_are_not_limited() -> None:
    caller = Caller()
    with override_settings(RATE_LIMITS={**settings.RATE_LIMITS, "address": (3, 60)}):
        assert {preflight("/api/v1/rules/", caller.client).status_code for _ in range(9)} == {200}
        answers = [
            caller.call("GET", path, Origin=PAGE)
            for path in ("/auth/me/", "/nowhere/", "/rules/chess/", "/rules/")
        ]
    assert [answer.status for answer in answers] == [401, 404, 404, 429]
    exposed = {"ratelimit", "ratelimit-policy", "www-authenticate", "retry-after"}
    for answer in answers:
        received = about_origins(answer.headers)
        assert received["access-control-allow-origin"] == {"*"}
        assert (
            exposed & {name.lower() for name in answer.headers}
            <= received["access-control-expose-headers"]
        )
    assert exposed < received["access-control-expose-headers"]


@pytest.mark.parametrize(
    ("origin", "status"),
    [("", 101), (PAGE, 101), ("http://testserver", 101), ("https://other.example", 403)],
)
async def test_sockets_open_from_the_allowed_origins(origin: str, status: int) -> None:
    sent: list[Any] = []

    async def opened(_scope: Any, _receive: Any, _send: Any) -> None:
        sent.append({"status": 101})

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"testserver"), (b"origin", origin.encode())][: 2 if origin else 1]
    scope = {"type": "websocket", "client": ("10.9.9.9", 1), "headers": headers}
    for allowed in (True, False):
        sent.clear()
        with override_settings(CORS_ALLOW_ALL_ORIGINS=allowed, CORS_ALLOWED_ORIGINS=[PAGE]):
            await Handshakes(opened)(scope, send, send)  # type: ignore[arg-type]  # an application
        assert sent[0]["status"] == (101 if allowed else status)


def test_an_operator_can_restrict_the_origins() -> None:
    with override_settings(CORS_ALLOW_ALL_ORIGINS=False, CORS_ALLOWED_ORIGINS=[PAGE]):
        assert about_origins(preflight("/graphql/").headers)["access-control-allow-origin"] == {
            PAGE
        }
        assert about_origins(preflight("/graphql/", origin="https://other.example").headers) == {}
