"""Sign-in with an OpenID Connect provider, which is a real server of this test."""

import base64
import hashlib
import json
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import uuid4

import pytest
from django.test import Client, override_settings
from django.utils import timezone
from joserfc import jwt
from joserfc.jwk import RSAKey

from accounts import ledger, people
from accounts.models import ExternalIdentity, User
from accounts.oauth import clients

pytestmark = pytest.mark.ci

CLIENT_ID, SECRET = "railbird", "the client's secret"
CALLBACK = "http://127.0.0.1:4711/callback"


def new_key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": "1", "use": "sig", "alg": "RS256"})


published_key = cache(new_key)
"""The provider's key, generated only in the test process that needs it."""


class Provider:
    """A provider, and what it answers next. Each code is good once."""

    def __init__(self) -> None:
        self.subject = uuid4().hex
        self.claims: dict[str, Any] = {}
        self.key = published_key()
        self.verifier: Callable[[str], str] = str
        self.asked: dict[str, str] = {}
        self.issuer = ""
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = urlsplit(self.path).path
                self.answer(
                    {
                        "/.well-known/openid-configuration": provider.metadata,
                        "/keys": {"keys": [published_key().as_dict(private=False)]},
                    }.get(path, {})
                )

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                form = dict(parse_qs(self.rfile.read(length).decode()))
                basic = base64.b64decode(self.headers["Authorization"].removeprefix("Basic "))
                assert basic.decode().startswith(f"{CLIENT_ID}:")
                self.answer(provider.exchange({name: found[0] for name, found in form.items()}))

            def answer(self, content: object) -> None:
                body = json.dumps(content).encode()
                self.send_response(200 if content else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"

    @property
    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def authorize(self, location: str) -> str:
        """Sign in at the provider. Return the address to which it sends the browser back."""
        self.asked = {name: found[0] for name, found in parse_qs(urlsplit(location).query).items()}
        assert self.asked["code_challenge_method"] == "S256"
        back = urlsplit(self.asked["redirect_uri"])
        return f"{back.path}?{urlencode({'code': 'once', 'state': self.asked['state']})}"

    def exchange(self, form: dict[str, str]) -> dict[str, Any]:
        """Exchange the code for tokens."""
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if form["code"] != "once" or challenge != self.asked["code_challenge"]:
            return {"error": "invalid_grant"}
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "sub": self.subject,
            "iat": now,
            "exp": now + 300,
            "nonce": self.asked["nonce"],
            "preferred_username": "Ada",
            "email": "operator@example.org",
            "email_verified": False,
            **self.claims,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        token = jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.key)
        return {"access_token": "unused", "token_type": "Bearer", "id_token": token}


@pytest.fixture
def provider() -> Iterator[Provider]:
    found = Provider()
    thread = Thread(target=found.server.serve_forever)
    thread.start()
    with override_settings(
        OIDC_ISSUER=found.issuer,
        OIDC_CLIENT_ID=CLIENT_ID,
        OIDC_CLIENT_SECRET=SECRET,
        OIDC_NAME="the club",
    ):
        yield found
    found.server.shutdown()
    thread.join()
    found.server.server_close()


def signed_in(provider: Provider, to: str = "/") -> tuple[Client, Any]:
    """Go to the provider and back."""
    browser = Client()
    sent = browser.get("/oauth/openid/", {"next": to})
    assert sent.status_code == 302, sent.content
    return browser, browser.get(provider.authorize(sent["Location"]))


def user_of(browser: Client) -> User:
    return User.objects.get(id=browser.session["_auth_user_id"])


def test_a_player_signs_in_with_the_provider_and_is_the_same_user_again(
    provider: Provider,
) -> None:
    browser, answer = signed_in(provider)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    user = user_of(browser)
    assert (user.display_name, user.email, user.is_guest) == ("Ada", "", False)
    assert not user.has_usable_password()
    assert ledger.wallet_of(user).balance > 0
    assert browser.session.get_expiry_age() <= 3600
    again, _ = signed_in(provider)
    assert user_of(again) == user
    provider.subject = uuid4().hex
    other, _ = signed_in(provider)
    assert user_of(other) != user


def test_apps_gain_it_by_the_consent_page(provider: Provider) -> None:
    owner = User.objects.create(username=uuid4().hex, display_name="Owner")
    app = clients.register(owner, "An app", [CALLBACK])
    asked = {
        "response_type": "code",
        "client_id": app.client_id,
        "redirect_uri": CALLBACK,
        "scope": "play read",
        "code_challenge": "a" * 43,
        "code_challenge_method": "S256",
    }
    browser = Client()
    sent = browser.get("/oauth/authorize/", asked)
    page = browser.get(sent["Location"]).content.decode()
    assert "Sign in with the club" in page
    link = page.split('href="/oauth/openid/')[1].split('"')[0]
    away = browser.get(f"/oauth/openid/{link}")
    back = browser.get(provider.authorize(away["Location"]))
    assert back["Location"].startswith("/oauth/authorize/?")
    consent = browser.get(back["Location"])
    assert (consent.status_code, b"An app" in consent.content) == (200, True)


@pytest.mark.parametrize(
    "changed",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another client"},
        {"aud": [CLIENT_ID, "another client"]},
        {"iss": "https://another.example"},
        {"sub": ""},
        {"sub": "x" * 256},
        {"sub": None},
        {"sub": "a\0b"},
        {"exp": 1_000_000_000},
        {"exp": None},
    ],
)
def test_other_id_tokens_are_refused(provider: Provider, changed: dict[str, Any]) -> None:
    provider.claims = changed
    browser, answer = signed_in(provider)
    assert (answer.status_code, "_auth_user_id" in browser.session) == (400, False)
    assert "The sign-in with the club failed." in answer.content.decode()
    assert not ExternalIdentity.objects.filter(issuer=provider.issuer).exists()


def test_a_token_by_another_key_is_refused(provider: Provider) -> None:
    provider.key = new_key()
    assert signed_in(provider)[1].status_code == 400


def test_only_the_browser_that_asked_may_return_and_only_once(provider: Provider) -> None:
    browser = Client()
    back = provider.authorize(browser.get("/oauth/openid/")["Location"])
    stranger = Client().get(back)
    assert stranger.status_code == 400
    assert browser.get(back.replace("state=", "state=x")).status_code == 400
    assert browser.get("/oauth/openid/return/", {"error": "access_denied"}).status_code == 400
    assert browser.get(back).status_code == 302
    assert browser.get(back).status_code == 400


def test_the_own_pages_exchange_a_sign_in_once_for_a_token(provider: Provider) -> None:
    browser, _ = signed_in(provider, "/profile/signed-in/")
    user = user_of(browser)
    given = browser.post("/oauth/openid/token/")
    me = {"Authorization": f"Bearer {given.json()['token']}"}
    assert Client().get("/api/v1/auth/me/", headers=me).json()["id"] == str(user.id)
    assert given.headers["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    assert browser.post("/oauth/openid/token/").status_code == 403
    with_password = Client()
    with_password.force_login(user)
    for stranger in (with_password, Client()):
        assert stranger.post("/oauth/openid/token/").status_code == 403
    forger = Client(enforce_csrf_checks=True)
    forger.cookies = signed_in(provider)[0].cookies
    assert forger.post("/oauth/openid/token/").status_code == 403
    provider_of = Client().get("/").json()
    assert provider_of["provider"] == "the club"
    assert provider_of["links"]["openid"].endswith("/oauth/openid/")


@pytest.mark.parametrize("to", ["https://evil.example/", "foo", "admin", "index", "\\evil", "//e"])
def test_no_other_site_is_the_target_and_no_word_is_one(provider: Provider, to: str) -> None:
    browser, answer = signed_in(provider, to)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert user_of(browser)


def test_two_sign_ins_of_a_browser_lead_to_their_own_targets(provider: Provider) -> None:
    browser = Client()
    first, second = (browser.get("/oauth/openid/", {"next": to})["Location"] for to in ("/1", "/2"))
    answers = [browser.get(provider.authorize(each)) for each in (first, second)]
    assert [answer["Location"] for answer in answers] == ["/1", "/2"]


def test_the_answer_of_another_issuer_is_refused(provider: Provider) -> None:
    browser = Client()
    back = provider.authorize(browser.get("/oauth/openid/")["Location"])
    assert browser.get(f"{back}&iss=https://another.example").status_code == 400
    assert browser.get(f"{back}&{urlencode({'iss': provider.issuer})}").status_code == 302


def test_staff_and_suspended_or_erased_users_do_not_sign_in_with_the_provider(
    provider: Provider,
) -> None:
    user = user_of(signed_in(provider)[0])
    User.objects.filter(id=user.id).update(is_staff=True)
    assert signed_in(provider)[1].status_code == 403
    User.objects.filter(id=user.id).update(is_staff=False)
    people.suspend(user.id, timezone.now() + timedelta(hours=1))
    assert signed_in(provider)[1].status_code == 403
    people.suspend(user.id, None)
    people.erase(user)
    assert not ExternalIdentity.objects.filter(user=user).exists()
    assert user_of(signed_in(provider)[0]) != user


def test_names_that_nobody_may_have_are_replaced(provider: Provider) -> None:
    for name in ("Admin", "", "x" * 50, "a\u202eb", 7):
        provider.subject, provider.claims = uuid4().hex, {"preferred_username": name}
        assert user_of(signed_in(provider)[0]).display_name.startswith("Player ")


def test_a_provider_of_another_issuer_or_none_is_refused(provider: Provider) -> None:
    issuer = provider.issuer
    provider.issuer = "https://another.example"
    assert Client().get("/oauth/openid/").status_code == 502
    provider.issuer = issuer
    with override_settings(OIDC_ISSUER="http://127.0.0.1:9"):
        assert Client().get("/oauth/openid/").status_code == 502


def test_without_configuration_there_is_no_such_page() -> None:
    for path in ("", "return/", "token/"):
        assert Client().get(f"/oauth/openid/{path}").status_code == 404
    assert Client().get("/").json()["provider"] is None
    assert b"Sign in with" not in Client().get("/oauth/sign_in/").content
