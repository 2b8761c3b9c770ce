"""Tokens of apps over real HTTP: codes, refreshes, scopes and revocation."""

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

import httpx
import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken

from accounts import people, tokens
from accounts.models import Token, User
from games.models import Game, Seat
from tests.api.oauth.program import CALLBACK, PASSWORD, Program, bearer, problem, with_password
from tests.api.rest import Caller, take
from tests.api.sockets import joined
from tests.builders import NewGame
from tests.waiting import WITHIN_S, Waiting


def player_of(game: Game) -> User:
    user = Seat.objects.select_related("user").get(lobby=game.lobby).user
    assert user is not None
    return with_password(user)


async def test_an_app_is_authorized_plays_and_loses_its_socket_on_revocation(
    address: str, program: Program, new_game: NewGame
) -> None:
    game: Game = await sync_to_async(new_game)(1)
    user = await sync_to_async(player_of)(game)
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
        timeout=WITHIN_S,
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
    user = await sync_to_async(player_of)(game)
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
        return httpx.post(url, data=body, timeout=WITHIN_S, verify=False)

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


def test_no_text_of_a_token_is_stored(program: Program, player: User) -> None:
    granted = program.tokens_for(player)
    access = AccessToken.objects.get(user=player)
    assert (access.token, access.token_checksum) == ("", tokens.digest_of(granted["access_token"]))
    refresh = RefreshToken.objects.get(user=player)
    assert (refresh.token, refresh.token_checksum) == (
        "",
        tokens.digest_of(granted["refresh_token"]),
    )


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


NAMED: Final = {"name": "a program", "scopes": ["read"]}


def access_for(asked: str, program: Program, player: User, bot: str) -> Callable[[], object]:
    """Return the last step to some access, after all steps before it."""
    own = Caller(player)
    match asked:
        case "token":
            return lambda: own.post("/auth/tokens/", NAMED)
        case "token of a bot":
            return lambda: own.post(f"/auth/bots/{bot}/tokens/", NAMED)
        case "password":
            body = {"current": PASSWORD, "new": f"{PASSWORD} 2"}
            return lambda: own.post("/auth/password/", body)
        case "consent":
            program.reach_consent(player)
            return lambda: program.submit(allow="yes")
        case "code":
            code = program.code_of(player)
            return lambda: program.redeem(code)
        case _:
            token = program.tokens_for(player)["refresh_token"]
            return lambda: program.refresh(token)


@pytest.mark.parametrize(
    "asked", ["token", "token of a bot", "password", "consent", "code", "refresh"]
)
def test_a_request_that_is_under_way_when_all_tokens_end_gives_no_access(
    program: Program, player: User, asked: str
) -> None:
    bot = Caller(player).post("/auth/bots/", {"display_name": uuid4().hex[:20]}).data["id"]
    access = access_for(asked, program, player, bot)
    with transaction.atomic():
        player.locked()
        waiting = Waiting(access)
        tokens.revoke_all(player)
    waiting.ends()
    player.refresh_from_db()
    assert player.check_password(PASSWORD)
    for user in (player.id, bot):
        for model in (Token, Grant, AccessToken):
            assert not model.objects.filter(user=user).exists()


def test_a_refresh_that_is_under_way_when_its_app_revokes_the_token_gives_no_access(
    program: Program, player: User
) -> None:
    refresh = program.tokens_for(player)["refresh_token"]
    with transaction.atomic():
        RefreshToken.objects.get(token_checksum=tokens.digest_of(refresh)).revoke()
        waiting = Waiting(lambda: program.refresh(refresh))
    waiting.ends()
    assert not AccessToken.objects.filter(user=player).exists()


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
