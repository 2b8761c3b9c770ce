"""The API over HTTP, and access to the sockets."""

import asyncio
from collections.abc import Awaitable, Mapping
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar, cast
from uuid import UUID, uuid4

import httpx
import msgspec

from railbird_client.acknowledgements import Acknowledgements, kept_in
from railbird_client.backoff import pause_s
from railbird_client.entropy import Entropies
from railbird_client.lobbies import Lobbies, Room
from railbird_client.models import (
    Game,
    GameInFull,
    GameStart,
    Invitation,
    Lobby,
    NewLobby,
    ProblemDocument,
    Readiness,
    SitDown,
    WantedTable,
)
from railbird_client.operations import Operations
from railbird_client.problems import Problem, Unreachable
from railbird_client.table import AGAIN, Checks, Table
from railbird_client.types import C, E, GameTypes, V

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)

TRIES_MAX: Final = 6
PAUSE_MAX_S: Final = 30.0
AGAIN_LATER: Final = AGAIN | {"too_many_requests"}


NAMED: Final = ("/v1/lobbies/", "/lobbies/quick_match/")
"""Requests that get a random `id` if they have none, so that they can be repeated."""

ONCE: Final = (*NAMED, "/commands/", "/messages/")
"""POST requests that the server carries out once, however often they are sent."""


class Client(Operations):
    """A client of one user; an asynchronous context with a method for every operation.

    It retries requests that are safe to repeat while the server is busy or unreachable. Raises
    Problem for an error response, Unreachable when the server does not respond.

    With `entropy`, it adds entropy to the draws of the games that it plays, by itself: it commits
    when it takes a seat, reveals at the start, and raises Contradicted if the game began without
    it. A path stores the entropy and the server's receipts, also for later runs of the program.
    """

    def __init__(
        self, url: str, token: str = "", *, timeout_s: float = 30.0, entropy: bool | Path = True
    ) -> None:
        self.token = token
        self._url = url.rstrip("/")
        self._http = httpx.AsyncClient(base_url=self._url, timeout=timeout_s)
        path = entropy if isinstance(entropy, Path) else None
        self._entropies = Entropies(_Plain(self), self.room, path) if entropy else None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._entropies is not None:
            await self._entropies.close()
        await self._http.aclose()

    # Seats, to whose games this client adds entropy

    async def create_lobby(self, body: NewLobby) -> Lobby:
        """Create a lobby and take its first seat. From now on the hash of the game's seed is
        public."""
        return await self._seated(super().create_lobby(self._committing(body)))

    async def join_lobby(self, lobby: UUID | str, body: SitDown | None = None) -> Lobby:
        """Take the first free seat of a lobby that is not by invitation, and pay its buy-in.
        Joining again changes nothing."""
        body = self._committing(body or SitDown())
        return await self._seated(super().join_lobby(lobby, body))

    async def join_by_code(self, body: Invitation) -> Lobby:
        """Take the first free seat of the lobby with this invite code."""
        return await self._seated(super().join_by_code(self._committing(body)))

    async def quick_match(self, body: WantedTable) -> Lobby:
        """Join a public lobby of this game with these options, or create one that starts when it is
        full."""
        return await self._seated(super().quick_match(self._committing(body)))

    async def rematch(self, lobby: UUID | str, body: SitDown | None = None) -> Lobby:
        """Play again with the same table, after the game has ended."""
        body = self._committing(body or SitDown())
        return await self._seated(super().rematch(lobby, body))

    async def leave_lobby(self, lobby: UUID | str) -> None:
        """Leave a lobby and get the buy-in back. When the host leaves, another player becomes the
        host; the lobby closes with its last player."""
        await super().leave_lobby(lobby)
        if self._entropies is not None:
            self._entropies.leave(str(lobby))

    async def set_ready(self, lobby: UUID | str, body: Readiness) -> Lobby:
        """Set whether you are ready to start. The client reveals its entropy as soon as all others
        have committed, and is ready again when an attempt to start was abandoned."""
        if self._entropies is None:
            return await super().set_ready(lobby, body)
        return await self._entropies.set_ready(str(lobby), body)

    async def start_game(self, lobby: UUID | str, body: GameStart | None = None) -> Game:
        """Start the game of this lobby (host only), and reveal the host's entropy."""
        if self._entropies is None:
            return await super().start_game(lobby, body)
        return await self._entropies.start_game(str(lobby), body or GameStart())

    def _committing(self, body: S) -> S:
        return body if self._entropies is None else msgspec.structs.replace(body, commits=True)

    async def _seated(self, seated: Awaitable[Lobby]) -> Lobby:
        lobby = await seated
        return lobby if self._entropies is None else await self._entropies.add(lobby)

    # Sockets

    def table(
        self,
        game: UUID | str,
        types: GameTypes[C, E, V],
        *,
        after: int | None = None,
        acknowledgements: Path | None = None,
    ) -> Table[C, E, V]:
        """Open the socket of a game.

        Use it as `async with client.table(game.id, ready_set_bet.TYPES) as table`. With a file for
        `acknowledgements`, every command is acknowledged with a signed note, which is written to
        the file and compared with the commits that follow.
        """
        kept = None if acknowledgements is None else Acknowledgements(acknowledgements, game)
        entropies = self._entropies
        checks = None
        if entropies is not None:
            start, end = entropies.check_start, entropies.check_end
            checks = Checks(partial(start, str(game)), partial(end, str(game)))
        address = self._socket(f"games/{game}")
        return Table(address, self.token, types, after=after, kept=kept, checks=checks)

    async def compare(self, acknowledgements: Path) -> int:
        """Compare each acknowledgement in a file with the server's commits, the name of its log
        and the seeds of games that have ended; return how many there are.

        Raises Contradicted.
        """
        found = list(kept_in(acknowledgements))
        origin = (await self.get_checkpoint()).origin if found else ""
        games: dict[str, GameInFull] = {}
        for each in found:
            game = each.fields["game"]
            if game not in games:
                games[game] = await self.get_game(game)
            page = await self.list_commits(game, after=each.version - 1, limit=1)
            each.check(
                origin=origin,
                name=games[game].log_name,
                seed=games[game].seed_hash,
                hash=page.commits[0].hash if page.commits else "no commit of this version",
            )
            if (seed := games[game].seed) is not None:
                each.check(seed=sha256(bytes.fromhex(seed)).hexdigest())
        return len(found)

    def room(self, lobby: UUID | str, *, after: int | None = None) -> Room:
        """Open the socket of a lobby: `async with client.room(lobby.id) as room`."""
        return Room(self._socket(f"lobbies/{lobby}"), self.token, after=after)

    def lobbies(self, *, slug: str | None = None) -> Lobbies:
        """Follow open lobbies, of one game or of all: `async with client.lobbies() as lobbies`."""
        return Lobbies(self._socket("lobbies"), self.token, slug=slug)

    def _socket(self, path: str) -> str:
        return f"{self._url.replace('http', 'ws', 1)}/ws/v1/{path}"

    async def _call(
        self,
        method: str,
        path: str,
        answer: type[T] | None,
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
    ) -> T:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        content = None
        if body is not None:
            plain = msgspec.to_builtins(body)
            if path.endswith(NAMED):
                plain["id"] = plain.get("id") or uuid4()
            content = msgspec.json.encode(plain)
            headers["Content-Type"] = "application/json"
        parameters = {
            name: _text(value) for name, value in (query or {}).items() if value is not None
        }
        for failures in range(TRIES_MAX):
            try:
                found = await self._http.request(
                    method, path, params=parameters, content=content, headers=headers
                )
                if found.is_success:
                    return (
                        cast("T", None)
                        if answer is None
                        else msgspec.json.decode(found.content, type=answer)
                    )
                problem = _problem(found)
            except (httpx.TransportError, msgspec.DecodeError) as error:
                # The outcome is unknown: repeat only requests that the server carries out once.
                is_safe = method != "POST" or path.endswith(ONCE)
                if not is_safe or failures + 1 == TRIES_MAX:
                    raise Unreachable(f"{method} {path}: {error!r}") from error
                await asyncio.sleep(pause_s(failures))
                continue
            wait_s = _retry_after_s(found)
            if problem.code not in AGAIN_LATER or failures + 1 == TRIES_MAX or wait_s > PAUSE_MAX_S:
                raise problem
            await asyncio.sleep(wait_s + pause_s(failures))
        raise AssertionError("every try returns, raises or continues")


class _Plain(Operations):
    """The API of a client, without what the client does by itself."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def _call(
        self,
        method: str,
        path: str,
        answer: type[T] | None,
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
    ) -> T:
        return await self._client._call(method, path, answer, query=query, body=body)


def _text(value: object) -> str:
    """Format a value for a query string."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _retry_after_s(found: httpx.Response) -> float:
    asked = found.headers.get("Retry-After", "0")
    return float(asked) if asked.isdigit() else 0.0


def _problem(found: httpx.Response) -> Problem:
    """Parse the problem document of a response. Raises DecodeError if it is not one."""
    document = msgspec.json.decode(found.content, type=ProblemDocument)
    return Problem(
        document.code,
        document.data,
        version=document.version,
        status=found.status_code,
        title=document.title,
    )
