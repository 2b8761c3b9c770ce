"""A guest at the public API, as any client could be, with HTTP and a WebSocket."""

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen
from uuid import uuid4

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

Json = Mapping[str, Any]

ANSWER_WITHIN_S: Final = 10.0
RECONNECTS_MAX: Final = 10
SEALED_WITHIN_S: Final = 20.0
ASK_AGAIN_AFTER_S: Final = 0.3
RECONNECT_AFTER_S: Final = 0.5


class RefusedError(Exception):
    """The server rejected a request; the message is one line."""


class NotYetError(RefusedError):
    """The server cannot carry out the request yet; a retry may succeed."""


class Guest:
    """A new guest user and their requests."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url.rstrip("/")
        self._headers = {"Content-Type": "application/json"}
        token = self.post("auth/guest/", {"display_name": name})["token"]
        self._headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Any:
        """Return the response to GET /api/v1/`path`. Raises RefusedError."""
        return self._ask("GET", path, None)

    def post(self, path: str, body: Json | None = None) -> Any:
        """Return the response to POST /api/v1/`path`. Raises RefusedError."""
        return self._ask("POST", path, body)

    def download(self, path: str) -> bytes:
        """Return the file at GET /api/v1/`path`. Raises RefusedError.

        Retries until the log has sealed it.
        """
        until = time.monotonic() + SEALED_WITHIN_S
        while True:
            try:
                return self._read("GET", path, None)
            except NotYetError as error:
                if time.monotonic() > until:
                    raise RefusedError(str(error)) from error
            time.sleep(ASK_AGAIN_AFTER_S)

    def _ask(self, method: str, path: str, body: Json | None) -> Any:
        return json.loads(self._read(method, path, body))

    def _read(self, method: str, path: str, body: Json | None) -> bytes:
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self._url}/api/v1/{path}", data, self._headers, method=method)  # noqa: S310 -- http, from the command line
        try:
            with urlopen(request, timeout=ANSWER_WITHIN_S) as answer:  # noqa: S310
                content: bytes = answer.read()
                return content
        except HTTPError as error:
            raise (NotYetError if error.code == 503 else RefusedError)(
                f"{method} {path}: {error.code} {error.read().decode(errors='replace')[:500]}"
            ) from error
        except URLError as error:
            raise RefusedError(f"{self._url} does not respond: {error.reason}") from error

    def sit_down(self, game: str) -> "Place":
        """Return this guest's connection to a game."""
        address = f"{self._url.replace('http', 'ws', 1)}/ws/v1/games/{game}"
        return Place(address, {"Authorization": self._headers["Authorization"]})


class Place:
    """A connection to a game's socket, which resumes by version after a disconnection."""

    def __init__(self, address: str, headers: Json) -> None:
        self._address = address
        self._headers = dict(headers)
        self._version: int | None = None
        self._socket: ClientConnection | None = None

    def frames(self, pause_s: float) -> Iterator[Json | None]:
        """Yield frames, and None after each `pause_s` without one.

        Raises RefusedError when the server stays unreachable.
        """
        lost = 0
        while lost <= RECONNECTS_MAX:
            try:
                with connect(
                    self._socket_address(), additional_headers=self._headers, compression=None
                ) as socket:
                    self._socket = socket
                    while True:
                        yield self._next(socket, pause_s)
                        lost = 0
            except (ConnectionClosed, OSError):
                self._socket = None
                lost += 1
                time.sleep(RECONNECT_AFTER_S)
        raise RefusedError(f"{self._address} does not respond")

    def _socket_address(self) -> str:
        return self._address if self._version is None else f"{self._address}?after={self._version}"

    def _next(self, socket: ClientConnection, pause_s: float) -> Json | None:
        try:
            frame: Json = json.loads(socket.recv(timeout=pause_s))
        except TimeoutError:
            return None
        if frame["type"] == "view":
            self._version = frame["version"]
        elif frame["type"] == "commits":
            self._version = frame["commits"][-1]["version"]
        return frame

    def play(self, command: Json) -> None:
        """Send a command. The result is among the frames."""
        if self._socket is not None:
            self._socket.send(json.dumps({"type": "play", "id": str(uuid4()), "command": command}))
