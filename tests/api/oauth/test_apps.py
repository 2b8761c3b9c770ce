"""Apps that users and staff register."""

import re
from uuid import uuid4

import pytest
from oauth2_provider.models import Application

from accounts import people
from accounts.models import User
from accounts.oauth import clients
from tests.api.oauth.program import CALLBACK, Program
from tests.api.rest import Caller
from tests.builders import NewUser


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
