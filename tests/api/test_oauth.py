"""OAuth 2.0 over real HTTP: register an app, sign in, consent, play, and revoke."""

import base64
import hashlib
import re
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken

from accounts import people, tokens
from accounts.models import Token, User
from accounts.oauth import clients
from games.models import Game, Seat
from tests.api.rest import Caller, take
from tests.api.sockets import joined

NewGame = Callable[..., Game]
NewUser = Callable[[], User]

PASSWORD = "correct horse battery"
CALLBACK = "http://127.0.0.1:4711/callback"


def with_password(user: User) -> User:
    user.set_password(PASSWORD)
    user.save(update_fields=["password"])
    return user


class Program:
    """An app, and the browser of its user."""

    def __init__(self, address: str, client_id: str) -> None:
        self.client_id = client_id
        self.http = httpx.Client(base_url=f"http://{address}", timeout=20, verify=False)
        self.verifier = secrets.token_urlsafe(48)
        self.page = httpx.Response(0)

    def ask(self, scope: str = "play read", **changed: str) -> httpx.Response:
        """Send the user to the authorization page."""
        challenge = (
            base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest())
            .rstrip(b"=")
            .decode()
        )
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": CALLBACK,
            "scope": scope,
            "state": "the app's own",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            **changed,
        }
        self.page = self.http.get(
            "/oauth/authorize/", params={key: value for key, value in asked.items() if value}
        )
        return self.page

    def follow(self) -> httpx.Response:
        """Follow the redirect."""
        assert self.page.status_code == 302, self.page.text
        self.page = self.http.get(self.page.headers["location"])
        return self.page

    def submit(self, **said: str) -> httpx.Response:
        """Submit the first form of the page, as a browser without scripts does."""
        form = re.search(r"<form method=\"post\">(.*?)</form>", self.page.text, re.DOTALL)
        assert form is not None, self.page.text
        hidden = {
            name[1]: unescape(value[1]) if (value := re.search(r'value="([^"]*)"', field)) else ""
            for field in re.findall(r"<input[^>]*type=\"hidden\"[^>]*>", form[1])
            if (name := re.search(r'name="([^"]*)"', field))
        }
        self.page = self.http.post(str(self.page.request.url), data={**hidden, **said})
        return self.page

    def sign_in(self, user: User, password: str = PASSWORD) -> httpx.Response:
        return self.submit(username=user.username.upper(), password=password)

    def answer(self) -> dict[str, str]:
        """The parameters that returned to the app."""
        assert self.page.status_code == 302, self.page.text
        target = self.page.headers["location"]
        assert target.startswith(f"{CALLBACK}?")
        return {name: value for name, (value,) in parse_qs(urlsplit(target).query).items()}

    def code_of(self, user: User, scope: str = "play read") -> str:
        """Go the whole way to a code: sign in and allow."""
        self.ask(scope)
        self.follow()
        self.sign_in(user)
        self.follow()
        self.submit(allow="yes")
        return self.answer()["code"]

    def exchange(self, **changed: str) -> httpx.Response:
        return self.http.post("/oauth/token/", data={"client_id": self.client_id, **changed})

    def redeem(self, code: str, **changed: str) -> httpx.Response:
        asked = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": CALLBACK,
            "code_verifier": self.verifier,
        }
        return self.exchange(**{**asked, **changed})

    def refresh(self, token: str) -> httpx.Response:
        return self.exchange(grant_type="refresh_token", refresh_token=token)

    def tokens_for(self, user: User, scope: str = "play read") -> dict[str, Any]:
        found = self.redeem(self.code_of(user, scope))
        assert found.status_code == 200, found.text
        answer: dict[str, Any] = found.json()
        return answer


def register(owner: User, *redirect_uris: str) -> str:
    answer = Caller(owner).post(
        "/auth/apps/", {"name": "A robot", "redirect_uris": list(redirect_uris or [CALLBACK])}
    )
    assert answer.status == 201, answer
    client_id: str = answer.data["client_id"]
    return client_id


@pytest.fixture
def program(address: str, new_user: NewUser) -> Iterator[Program]:
    """An app that another user registered."""
    found = Program(address, register(new_user()))
    yield found
    found.http.close()


@pytest.fixture
def player(new_user: NewUser) -> User:
    return with_password(new_user())


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_an_app_is_authorized_plays_and_loses_its_socket_on_revocation(
    address: str, program: Program, new_game: NewGame
) -> None:
    game: Game = await sync_to_async(new_game)(1)
    user = await sync_to_async(
        lambda: with_password(
            Seat.objects.select_related("user").get(lobby=game.lobby).user  # type: ignore[arg-type]
        )
    )()
    granted = await sync_to_async(program.tokens_for)(user)
    assert (granted["token_type"], granted["expires_in"], set(granted["scope"].split())) == (
        "Bearer",
        3600,
        {"play", "read"},
    )
    assert granted["access_token"].startswith("gsa_")
    assert granted["refresh_token"].startswith("gsr_")

    async with httpx.AsyncClient(
        base_url=f"http://{address}",
        headers=bearer(granted["access_token"]),
        timeout=20,
        verify=False,
    ) as app:
        placed = await app.post(
            f"/api/v1/games/{game.id}/commands/", json={"id": str(uuid4()), "command": take(7)}
        )
        assert placed.status_code == 201, placed.text
        assert (await app.get("/api/v1/auth/me/")).json()["id"] == str(user.id)
        assert problem(await app.post("/api/v1/lobbies/", json={"slug": "free_spots"})) == (
            403,
            "scope_missing",
        )
        assert problem(await app.get("/api/v1/auth/tokens/")) == (403, "scope_missing")
        asked = await app.post("/graphql/", json={"query": "{ me { id } }"})
        assert asked.json()["data"]["me"]["id"] == str(user.id)

        async with joined(address, game.id, granted["access_token"]) as client:
            assert (await client.next("view"))["seat"] == 0
            said = {"client_id": program.client_id, "token": granted["refresh_token"]}
            assert (await app.post("/oauth/revoke/", data=said)).status_code == 200
            code, last = await client.closed()
            assert (code, last["code"]) == (4401, "unauthenticated")
        assert problem(await app.get("/api/v1/auth/me/")) == (401, "unauthenticated")
    assert (await sync_to_async(program.refresh)(granted["refresh_token"])).json()[
        "error"
    ] == "invalid_grant"


async def test_a_user_lists_and_revokes_the_consent_for_an_app(
    address: str, program: Program, new_game: NewGame
) -> None:
    game: Game = await sync_to_async(new_game)(1)
    user = await sync_to_async(
        lambda: with_password(
            Seat.objects.select_related("user").get(lobby=game.lobby).user  # type: ignore[arg-type]
        )
    )()
    granted = await sync_to_async(program.tokens_for)(user)
    own = await sync_to_async(Caller)(user)
    listed = await sync_to_async(own.get)("/auth/tokens/")
    (consent,) = [token for token in listed.data if token["kind"] == "app"]
    assert (consent["name"], consent["scopes"], consent["is_this_one"]) == (
        "A robot",
        ["play", "read"],
        False,
    )
    async with joined(address, game.id, granted["access_token"]) as client:
        await client.next("view")
        stranger = await sync_to_async(lambda: Caller(User.objects.create(username=uuid4().hex)))()
        theft = await sync_to_async(stranger.call)("DELETE", f"/auth/tokens/{consent['id']}/")
        assert theft.problem == (404, "not_found")
        assert (
            await sync_to_async(own.call)("DELETE", f"/auth/tokens/{consent['id']}/")
        ).status == 204
        assert (await client.closed())[0] == 4401
    assert (await sync_to_async(program.refresh)(granted["refresh_token"])).json()[
        "error"
    ] == "invalid_grant"
    assert [token["kind"] for token in (await sync_to_async(own.get)("/auth/tokens/")).data] == [
        "session"
    ]


def test_reuse_of_a_refresh_token_after_the_grace_period_revokes_all_its_tokens(
    program: Program, player: User
) -> None:
    first = program.tokens_for(player)
    second = program.refresh(first["refresh_token"])
    assert second.status_code == 200, second.text
    newest = second.json()
    assert newest["refresh_token"] != first["refresh_token"]
    assert Caller(token=first["access_token"]).get("/auth/me/").status == 401
    assert Caller(token=newest["access_token"]).get("/auth/me/").status == 200
    spent = RefreshToken.objects.filter(token_checksum=tokens.digest_of(first["refresh_token"]))
    spent.update(revoked=timezone.now() - timedelta(seconds=11))
    assert program.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert Caller(token=newest["access_token"]).get("/auth/me/").status == 401
    assert program.refresh(newest["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_refresh_repeated_in_the_grace_period_gets_the_same_tokens(
    program: Program, player: User
) -> None:
    first = program.tokens_for(player)
    answers = [program.refresh(first["refresh_token"]).json() for _ in range(2)]
    names = ("access_token", "refresh_token", "scope")
    assert [answers[0][name] for name in names] == [answers[1][name] for name in names]
    assert Caller(token=answers[1]["access_token"]).get("/auth/me/").status == 200
    newest = program.refresh(answers[1]["refresh_token"]).json()
    assert Caller(token=newest["access_token"]).get("/auth/me/").status == 200
    # Two generations back cannot be an accident.
    assert program.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert Caller(token=newest["access_token"]).get("/auth/me/").status == 401


def test_parallel_refreshes_with_one_token_all_get_the_same_tokens(
    program: Program, player: User
) -> None:
    first = program.tokens_for(player)

    def refresh(_: int) -> httpx.Response:
        body = {
            "client_id": program.client_id,
            "grant_type": "refresh_token",
            "refresh_token": first["refresh_token"],
        }
        url = f"{program.http.base_url}/oauth/token/"
        return httpx.post(url, data=body, timeout=20, verify=False)

    with ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(refresh, range(10)))
    assert [answer.status_code for answer in answers] == [200] * 10
    (pair,) = {(found["access_token"], found["refresh_token"]) for found in map(_json, answers)}
    assert Caller(token=pair[0]).get("/auth/me/").status == 200
    assert program.refresh(pair[1]).status_code == 200


def _json(answer: httpx.Response) -> dict[str, str]:
    found: dict[str, str] = answer.json()
    return found


def test_a_code_requires_its_redirect_uri(program: Program, player: User) -> None:
    assert program.redeem(program.code_of(player), redirect_uri="").status_code == 400


def test_a_code_requires_its_verifier_and_its_reuse_revokes_all_tokens(
    program: Program, player: User
) -> None:
    other = program.tokens_for(player)
    program.http.cookies.clear()
    code = program.code_of(player)
    for changed in (
        {"code_verifier": secrets.token_urlsafe(48)},
        {"code_verifier": ""},
        {"redirect_uri": f"{CALLBACK}2"},
    ):
        assert program.redeem(code, **changed).status_code == 400
    granted = program.redeem(code).json()
    newest = program.refresh(granted["refresh_token"]).json()
    assert Caller(token=newest["access_token"]).get("/auth/me/").status == 200
    assert program.redeem(code).json()["error"] == "invalid_grant"
    assert Caller(token=newest["access_token"]).get("/auth/me/").status == 401
    assert program.refresh(newest["refresh_token"]).json()["error"] == "invalid_grant"
    assert Caller(token=other["access_token"]).get("/auth/me/").status == 200, (
        "granted for another code"
    )


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_challenge": "", "code_challenge_method": ""}, "invalid_request"),
        ({"code_challenge_method": ""}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge": "x" * 129}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "id_token"}, "unsupported_response_type"),
        ({"scope": "read account"}, "invalid_scope"),
        ({"scope": "admin"}, "invalid_scope"),
        ({"scope": "audit"}, "invalid_scope"),
    ],
)
def test_an_invalid_request_returns_an_error_to_the_app(
    program: Program, player: User, changed: dict[str, str], error: str
) -> None:
    program.ask()
    program.follow()
    program.sign_in(player)
    program.ask(**changed)
    received = program.answer()
    assert received["error"] == error
    assert received["state"] == "the app's own"


@pytest.mark.parametrize(
    "changed",
    [
        {"redirect_uri": "http://127.0.0.1:4711/other"},
        {"redirect_uri": "https://evil.example/callback"},
        {"redirect_uri": "https://evil.example:99999/callback"},
        {"client_id": "nobody"},
        {"client_id": "a\x00b"},
        {"nonce": "%zz"},
    ],
)
def test_an_unregistered_redirect_uri_is_never_followed(
    program: Program, player: User, changed: dict[str, str]
) -> None:
    program.ask()
    program.follow()
    program.sign_in(player)
    page = program.ask(**changed)
    assert page.status_code in {200, 400}, page.text
    assert "location" not in page.headers


def test_a_refusal_returns_an_error_and_no_code(program: Program, player: User) -> None:
    program.ask()
    program.follow()
    program.sign_in(player)
    program.follow()
    program.submit()
    assert program.answer()["error"] == "access_denied"
    assert not Grant.objects.filter(user=player).exists()


def test_consent_is_asked_for_every_time(program: Program, player: User) -> None:
    program.tokens_for(player)
    page = program.ask(approval_prompt="auto")
    assert page.status_code == 200
    assert "A robot" in page.text


def test_other_grants_are_not_supported(program: Program, player: User) -> None:
    password = {"grant_type": "password", "username": player.username, "password": PASSWORD}
    for asked in (
        password,
        {"grant_type": "client_credentials"},
        {"grant_type": "urn:ietf:params:oauth:grant-type:device_code"},
        {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "x"},
        {},
    ):
        answer = program.exchange(**asked)
        assert (answer.status_code, answer.json()["error"]) == (400, "unsupported_grant_type")
    for path in ("introspect/", "device/", "applications/", "register/", "userinfo/"):
        assert program.http.get(f"/oauth/{path}").status_code == 404


def test_a_user_grants_only_scopes_that_they_have(program: Program, player: User) -> None:
    def scopes(granted: dict[str, Any]) -> set[str]:
        caller = tokens.caller_with(granted["access_token"])
        assert caller is not None
        return {scope.value for scope in caller.scopes}

    before = program.tokens_for(player, "read audit")
    assert before["scope"] == "read"
    player.groups.add(Group.objects.get(name=tokens.AUDITORS))
    assert scopes(before) == {"read"}
    program.http.cookies.clear()
    auditing = program.tokens_for(player, "read audit")
    assert scopes(auditing) == {"read", "audit"}
    player.groups.clear()
    assert scopes(auditing) == {"read"}


def test_pages_work_without_scripts_and_are_not_framed_or_cached(
    program: Program, player: User
) -> None:
    program.ask()
    for page in (program.follow(), program.sign_in(player) and program.follow()):
        assert page.status_code == 200, page.text
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert page.headers["x-frame-options"] == "DENY"
        assert "no-store" in page.headers["cache-control"]
        assert "<script" not in page.text
        assert "style=" not in page.text
        (sheet,) = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page.text)
        assert program.http.get(sheet).headers["content-type"].startswith("text/css")
    assert (
        "form-action 'self' http://127.0.0.1:4711"
        in program.page.headers["content-security-policy"]
    )


@pytest.mark.parametrize(
    ("registered", "asked", "leads"),
    [
        (CALLBACK, CALLBACK, " http://127.0.0.1:4711"),
        ("http://[::1]:4711/a", "http://[::1]:4711/a", " http:"),
        (CALLBACK, "https://evil.example/", ""),
        (CALLBACK, "https://evil.example:99999/", ""),
    ],
)
def test_the_form_of_the_sign_in_page_may_lead_to_the_server_and_the_app(
    address: str, new_user: NewUser, registered: str, asked: str, leads: str
) -> None:
    program = Program(address, register(new_user(), registered))
    with program.http:
        program.ask(redirect_uri=asked)
        assert (
            program.follow()
            .headers["content-security-policy"]
            .endswith(f"; form-action 'self'{leads}")
        )
        for other in ("client_id=nobody", "client_id=a%2500b", ""):
            page = program.http.get(
                f"/oauth/sign_in/?next=/oauth/authorize/%3F{other}%26redirect_uri={CALLBACK}"
            )
            assert page.headers["content-security-policy"].endswith("; form-action 'self'")


def test_wrong_usernames_and_passwords_get_the_same_error_and_forms_require_their_token(
    program: Program, player: User
) -> None:
    program.ask()
    program.follow()
    page = program.sign_in(player, "wrong horse battery")
    assert page.status_code == 200
    assert "There is nobody with this username and password." in page.text
    forged = program.http.post(
        "/oauth/sign_in/", data={"username": player.username, "password": PASSWORD}
    )
    assert forged.status_code == 403


def test_sign_in_redirects_only_to_this_server(program: Program, player: User) -> None:
    program.page = program.http.get("/oauth/sign_in/?next=https://evil.example/")
    assert program.sign_in(player).headers["location"] == "/"


def test_the_cookie_of_the_pages_does_not_authenticate_api_requests(
    program: Program, player: User
) -> None:
    program.tokens_for(player)
    assert "sessionid" in program.http.cookies
    assert problem(program.http.get("/api/v1/auth/me/")) == (401, "unauthenticated")
    answer = program.http.post("/graphql/", json={"query": "{ me { id } }"}).json()
    assert answer["errors"][0]["extensions"]["code"] == "unauthenticated"


def test_another_user_can_sign_in_instead(program: Program, player: User) -> None:
    program.ask()
    program.follow()
    program.sign_in(player)
    question = program.follow().request.url.raw_path.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', program.page.text)
    assert token is not None
    left = program.http.post(
        "/oauth/sign_out/", data={"csrfmiddlewaretoken": token[1], "next": question}
    )
    assert left.headers["location"] == question
    assert program.http.get(question).headers["location"].startswith("/oauth/sign_in/")


def test_the_metadata_list_the_supported_features(program: Program, address: str) -> None:
    received = program.http.get("/.well-known/oauth-authorization-server").json()
    assert received == {
        "issuer": f"http://{address}",
        "authorization_endpoint": f"http://{address}/oauth/authorize/",
        "token_endpoint": f"http://{address}/oauth/token/",
        "revocation_endpoint": f"http://{address}/oauth/revoke/",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": ["audit", "lobby", "play", "read"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": False,
    }


def test_no_text_of_a_token_is_stored(program: Program, player: User) -> None:
    granted = program.tokens_for(player)
    access = AccessToken.objects.get(user=player)
    assert (access.token, access.token_checksum) == ("", tokens.digest_of(granted["access_token"]))
    refresh = RefreshToken.objects.get(user=player)
    assert (refresh.token, refresh.token_checksum) == (
        "",
        tokens.digest_of(granted["refresh_token"]),
    )


# Revocation


@pytest.mark.parametrize(
    "end", ["password", "erase", "revoke_all", "remove_app", "revoke", "expire", "inactive"]
)
def test_tokens_of_an_app_end_with_their_user_app_or_consent(
    program: Program, player: User, end: str
) -> None:
    granted = program.tokens_for(player)
    own, app = Caller(player), Caller(token=granted["access_token"])
    assert app.get("/auth/me/").status == 200
    match end:
        case "password":
            assert (
                own.post("/auth/password/", {"current": PASSWORD, "new": f"{PASSWORD} 2"}).status
                == 204
            )
        case "erase":
            people.erase(player)
        case "revoke_all":
            assert own.post("/auth/revoke_all/").status == 204
        case "remove_app":
            owner = Application.objects.get(client_id=program.client_id).user
            assert own.call("DELETE", f"/auth/apps/{program.client_id}/").problem == (
                404,
                "not_found",
            )
            assert Caller(owner).call("DELETE", f"/auth/apps/{program.client_id}/").status == 204
        case "revoke":
            assert app.post("/auth/revoke/").status == 204
        case "expire":
            AccessToken.objects.filter(user=player).update(
                expires=timezone.now() - timedelta(days=31)
            )
        case "inactive":
            User.objects.filter(id=player.id).update(is_active=False)
    assert app.get("/auth/me/").problem == (401, "unauthenticated")
    answer = program.refresh(granted["refresh_token"])
    assert answer.status_code in {400, 401}, answer.text
    assert "access_token" not in answer.json()


def test_expired_tokens_are_deleted(program: Program, player: User) -> None:
    program.tokens_for(player)
    long_ago = timezone.now() - timedelta(days=31)
    AccessToken.objects.filter(user=player).update(expires=long_ago)
    Token.objects.create(
        user=player, digest=uuid4().hex, kind=Token.Kind.SESSION, expires_at=long_ago
    )
    Grant.objects.create(
        user=player,
        application_id=Application.objects.latest("id").id,
        code=uuid4().hex,
        expires=long_ago,
    )
    held = tokens.begin_session(player)
    tokens.sweep()
    assert not AccessToken.objects.filter(user=player).exists()
    assert not RefreshToken.objects.filter(user=player).exists()
    assert not Grant.objects.filter(user=player).exists()
    assert list(Token.objects.filter(user=player)) == [held.row]


# Registration


@pytest.mark.parametrize(
    "uri",
    [
        "https://app.example/callback?from=games",
        "https://app.example:8443/",
        "http://localhost:3000/back",
        "http://127.0.0.1/",
        "http://[::1]:4711/a",
    ],
)
def test_an_app_is_registered_listed_and_removed(new_user: NewUser, uri: str) -> None:
    caller = Caller(new_user())
    made = caller.post("/auth/apps/", {"name": "A robot", "redirect_uris": [uri]})
    assert (made.status, made.data["redirect_uris"]) == (201, [uri])
    assert caller.get("/auth/apps/").data == [made.data]
    assert caller.call("DELETE", f"/auth/apps/{made.data['client_id']}/").status == 204
    assert caller.get("/auth/apps/").data == []


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "app.example/callback",
        "http://app.example/callback",
        "http://localhost.evil.example/",
        "https://user@app.example/",
        "https://*.app.example/",
        "https://app.example/#fragment",
        "https://app.example/a b",
        "https://app.example:99999/",
        "https://app.example/" + "a" * 300,
        "javascript:alert(1)",
        "custom.scheme:/callback",
    ],
)
def test_a_redirect_uri_is_https_or_the_loopback_interface(new_user: NewUser, uri: str) -> None:
    answer = Caller(new_user()).post(
        "/auth/apps/", {"name": "A robot", "redirect_uris": [CALLBACK, uri]}
    )
    assert answer.problem == (400, "malformed")


def test_users_register_a_limited_number_of_apps_and_guests_none(new_user: NewUser) -> None:
    body = {"name": "A robot", "redirect_uris": [CALLBACK]}
    user = new_user()
    for _ in range(clients.APPS_MAX):
        clients.register(user, "A robot", [CALLBACK])
    answer = Caller(user).post("/auth/apps/", body)
    assert answer.problem == (409, "too_many_apps")
    assert answer.data["data"] == {"most": clients.APPS_MAX}
    assert Caller(people.new_guest()).post("/auth/apps/", body).problem == (
        403,
        "guests_register_no_apps",
    )


def test_an_erased_user_leaves_no_apps(program: Program, player: User) -> None:
    owner = Application.objects.get(client_id=program.client_id).user
    granted = program.tokens_for(player)
    people.erase(owner)
    assert not Application.objects.filter(client_id=program.client_id).exists()
    assert Caller(token=granted["access_token"]).get("/auth/me/").status == 401


# The admin


def test_staff_register_apps_in_the_admin_by_the_same_rules(program: Program, player: User) -> None:
    User.objects.filter(id=player.id).update(is_staff=True, is_superuser=True)
    program.page = program.http.get("/oauth/sign_in/")
    program.sign_in(player)
    page = program.http.get("/admin/oauth2_provider/application/add/")
    assert page.status_code == 200
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert token is not None
    asked = {
        "csrfmiddlewaretoken": token[1],
        "name": uuid4().hex,
        "user": "",
        "redirect_uris": "http://app.example/",
    }
    assert "redirect URI not allowed" in program.http.post(str(page.request.url), data=asked).text
    asked["redirect_uris"] = f"https://app.example/\n{CALLBACK}"
    assert program.http.post(str(page.request.url), data=asked).status_code == 302
    made = Application.objects.get(name=asked["name"])
    assert made.redirect_uris == f"https://app.example/ {CALLBACK}"
    assert (made.client_type, made.authorization_grant_type) == ("public", "authorization-code")
