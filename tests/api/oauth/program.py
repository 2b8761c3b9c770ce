"""An app of the tests, and the browser of its user."""

import base64
import hashlib
import re
import secrets
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from accounts.models import User
from tests.api.rest import Caller
from tests.waiting import WITHIN_S

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
        self.http = httpx.Client(base_url=f"http://{address}", timeout=WITHIN_S, verify=False)
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

    def reach_consent(self, user: User, scope: str = "play read") -> None:
        """Sign in, and go to the consent page."""
        self.ask(scope)
        self.follow()
        self.sign_in(user)
        self.follow()

    def code_of(self, user: User, scope: str = "play read") -> str:
        """Go the whole way to a code: sign in and allow."""
        self.reach_consent(user, scope)
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


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
