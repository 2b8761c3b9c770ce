"""The pages on which users sign in and allow apps, and the redirects to apps."""

import re

import pytest
from oauth2_provider.models import Grant

from accounts.models import User
from tests.api.oauth.program import CALLBACK, PASSWORD, Program, problem, register
from tests.builders import NewUser


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
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"response_mode": "form_post"}, "invalid_request"),
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
        "scopes_supported": ["audit", "lobby", "notices", "play", "read"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": False,
    }
