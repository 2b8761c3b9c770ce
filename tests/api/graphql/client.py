"""A caller of the GraphQL face in tests, over HTTP to a real web process."""

from typing import Any

import httpx

from accounts import tokens
from accounts.models import User


class Client:
    """Somebody with a token, or without one."""

    def __init__(self, address: str, user: User | None = None, *, token: str | None = None) -> None:
        self.user = user
        self.token = tokens.begin_session(user).text if user is not None else token
        self.url = f"http://{address}/graphql/"
        self.headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def post(self, query: str, variables: dict[str, Any] | None = None) -> httpx.Response:
        """What HTTP answers."""
        return httpx.post(self.url, json={"query": query, "variables": variables or {}}, headers=self.headers, timeout=60)

    def send(self, query: str, variables: dict[str, Any] | None = None) -> dict[str, Any]:
        """The whole answer."""
        answer = self.post(query, variables)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def ask(self, query: str, **variables: Any) -> Any:
        """The data of an answer that has no errors."""
        answer = self.send(query, variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    def error(self, query: str, **variables: Any) -> tuple[int, str, dict[str, Any]]:
        """Status, code and data of the first error."""
        answer = self.send(query, variables)
        told = answer["errors"][0]["extensions"]
        return told["status"], told["code"], told.get("data", {})

    def do(self, mutation: str, **variables: Any) -> dict[str, Any]:
        """What the only field of a mutation came to: a thing, or a problem."""
        (found,) = self.ask(mutation, **variables).values()
        result: dict[str, Any] = found
        return result
