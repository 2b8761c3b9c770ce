"""A REST client for tests: real views, middleware and database, without a socket."""

import json
from itertools import count
from typing import Any
from uuid import uuid4

from asgiref.sync import async_to_sync
from django.test import Client

from accounts import tokens
from accounts.models import Token, User
from accounts.tokens import Scope
from tests import contract

_addresses = count(1)


class Caller:
    """A client with or without a token. Each has its own address, so that tests share no limits."""

    def __init__(self, user: User | None = None, *, token: str | None = None) -> None:
        number = next(_addresses)
        self.client = Client(
            raise_request_exception=False,
            HTTP_X_REQUEST_ID="of-the-proxy",  # so that equal refusals are equal
            REMOTE_ADDR=f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}",
        )
        self.user = user
        self.token = tokens.begin_session(user).text if user is not None else token

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        raw: bytes | None = None,
        **headers: str,
    ) -> "Answer":
        """Send a request under /api/v1/."""
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        content = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        content_type = headers.pop("content_type", "application/json")
        answer = Answer(
            self.client.generic(method, f"/api/v1{path}", content, content_type, headers=headers)
        )
        kind = answer.headers.get("Content-Type")
        contract.check_answer(method, f"/api/v1{path}", answer.status, kind, answer.content)
        return answer

    def get(self, path: str) -> "Answer":
        return self.call("GET", path)

    def post(self, path: str, body: object = None) -> "Answer":
        return self.call("POST", path, body)

    def play(self, game: object, command: object, command_id: object = None) -> "Answer":
        """Send a command, under a new id by default."""
        return self.post(
            f"/games/{game}/commands/", {"id": str(command_id or uuid4()), "command": command}
        )


class Answer:
    """A parsed response."""

    def __init__(self, response: Any) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.content = (
            async_to_sync(_collected)(response) if response.streaming else response.content
        )
        self.data: Any = (
            None if response.streaming or not self.content else json.loads(self.content)
        )

    @property
    def problem(self) -> tuple[int, str]:
        """The status and code of a problem document."""
        assert self.headers["Content-Type"] == "application/problem+json"
        assert self.data["status"] == self.status
        return self.status, self.data["code"]

    def __repr__(self) -> str:
        return f"{self.status} {self.content[:300]!r}"


async def _collected(response: Any) -> bytes:
    """Read all parts of a file; the sender is notified of the end."""
    parts = [part async for part in response.streaming_content]
    response.close()
    return b"".join(parts)


def take(spot: object) -> dict[str, object]:
    """The only command of the load game."""
    return {"type": "take_spot", "spot": spot}


def caller_for(user: User, *scopes: Scope) -> Caller:
    """A client with a token of exactly these scopes, even of those that cannot be delegated."""
    caller = Caller(user)
    assert caller.token is not None
    token = Token.objects.filter(digest=tokens.digest_of(caller.token))
    token.update(kind=Token.Kind.PERSONAL, scopes=[scope.value for scope in scopes])
    return caller
