"""The API over HTTP, and access to the sockets."""

import asyncio
import re
from collections.abc import Awaitable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar
from uuid import UUID, uuid4

import msgspec

from railbird_client.acknowledgements import Acknowledgements, kept_in
from railbird_client.entropy import Entropies, hash_of
from railbird_client.http import Http, is_address, part, written
from railbird_client.inbox import Inbox
from railbird_client.lobbies import Lobbies, Room
from railbird_client.log import Log
from railbird_client.models import (
    Committed,
    GameInFull,
    Invitation,
    Lobby,
    NewCommand,
    NewLobby,
    Readiness,
    SitDown,
    Start,
    WantedTable,
)
from railbird_client.operations import Operations
from railbird_client.patience import is_passing, pause_s
from railbird_client.problems import Misused, Problem, Unreachable
from railbird_client.table import Checks, Table
from railbird_client.types import C, E, GameTypes, V

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)

TOKEN: Final = re.compile(r"[ -~]*")
TRIES_MAX: Final = 6
PAUSE_MAX_S: Final = 30.0
NAMED: Final = ("/v1/lobbies/", "/lobbies/quick_match/")
"""Requests that get a random `id` if they have none, so that they can be repeated."""


class Client(Operations):
    """A client of one user; an asynchronous context with a method for every operation.

    It repeats requests while the server is busy or unreachable; each is carried out once. Raises
    Problem for an error response, Unreachable when the server does not respond.

    With `entropy`, it adds entropy to the draws of the games that it plays, by itself: it commits
    when it takes a seat, reveals once the public log has fixed all commitments, and raises
    Contradicted if the game began without it. A path stores the entropy, the proofs and the
    server's receipts, also for later runs of the program; then the client also signs its commands,
    with a new key for each game that it stores there. `log_keys` are the public keys of the
    log; without them, the client keeps to those that it sees first.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        timeout_s: float = 30.0,
        entropy: bool | Path = True,
        log_keys: Sequence[str] = (),
    ) -> None:
        self.token = token
        self._url = str(url).rstrip("/")
        if not is_address(self._url):
            raise Misused(f"{url!r} is no address: give one like https://railbird.example")
        self._http = Http(self._url, timeout_s)
        plain, path = _Plain(self), entropy if isinstance(entropy, Path) else None
        self._log = Log(plain, log_keys or ())
        self._entropies = Entropies(plain, self.room, self._log, path) if entropy else None

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
        await self._http.close()

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
        """Set whether you are ready to start. Raises RevealedInVain and Contradicted when this
        client adds no entropy any more."""
        body = _given(body, msgspec.Struct)
        if self._entropies is not None and body.ready:
            await self._entropies.check_place(_id(lobby))
        return await super().set_ready(lobby, body)

    async def start_game(self, lobby: UUID | str) -> Start:
        """Start the game of this lobby (host only), and return when it has started. If players add
        entropy, all reveal theirs first; raises StartAbandoned if one does not,
        and StartOverdue if the server does not decide in time."""
        if self._entropies is None:
            return await super().start_game(lobby)
        return await self._entropies.start_game(_id(lobby))

    def go_on(self) -> None:
        """Add entropy again after RevealedInVain: some starts in a row were abandoned after this
        client had revealed its entropy."""
        if self._entropies is not None:
            self._entropies.go_on()

    def _committing(self, body: S) -> S:
        body = _given(body, msgspec.Struct)
        if self._entropies is None:
            return body
        self._entropies.check_in_vain()
        return msgspec.structs.replace(body, commits=True)

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
        the file and compared with the commits that follow; so is the newest commit that was shown.
        """
        kept = None
        if acknowledgements is not None:
            kept = Acknowledgements(acknowledgements, game, self._log)
        entropies = self._entropies
        checks = None
        if entropies is not None:
            start, end = entropies.check_start, entropies.check_end
            sign = partial(entropies.signing, str(game))
            checks = Checks(partial(start, str(game)), partial(end, str(game)), sign)
        address = self._socket(f"games/{part(game)}")
        types = _given(types, GameTypes)
        return Table(address, self._token, types, after=after, kept=kept, checks=checks)

    async def play(self, game: UUID | str, body: NewCommand) -> Committed:
        """Send a command for your seat. An accepted command is committed; a refused one changed
        nothing. A client that signs signs it after the view at the head."""
        body = _given(body, msgspec.Struct)
        signing = None
        if self._entropies is not None:
            signing = self._entropies.signing(str(game), body.command, body.id)
        if signing is None:
            return await super().play(game, body)
        while True:
            view = await self.get_view(game)
            signed = signing.after(view.version, view.hash)
            body = msgspec.structs.replace(body, signed=signed)
            try:
                return await super().play(game, body)
            except Problem as problem:
                if not signing.goes_on(problem.code, problem.data):
                    raise

    async def compare(self, acknowledgements: Path) -> int:
        """Compare each signed note in a file with the server's commits, the name of its log and the
        seeds of games that have ended; return how many there are.

        Raises Contradicted, and NoEvidence for one that no key of the log signed.
        """
        found = list(kept_in(_given(acknowledgements, Path)))
        origin = (await self._log.check()).origin if found else ""
        games: dict[str, GameInFull] = {}
        for each in found:
            await self._log.check_author(each.note, each.size)
            game = each.fields["game"]
            if game not in games:
                games[game] = await self.get_game(game)
            page = await self.list_commits(game, after=each.version - 1, limit=1)
            each.check(
                origin=origin,
                name=games[game].log_name,
                hash=page.commits[0].hash if page.commits else "no commit of this version",
            )
            if each.is_head:
                continue
            each.check(seed=games[game].seed_hash)
            if (seed := games[game].seed) is not None:
                each.check(seed=hash_of(seed))
        return len(found)

    def room(self, lobby: UUID | str, *, after: int | None = None) -> Room:
        """Open the socket of a lobby: `async with client.room(lobby.id) as room`."""
        return Room(self._socket(f"lobbies/{part(lobby)}"), self._token, after=after)

    def lobbies(self, *, slug: str | None = None) -> Lobbies:
        """Follow open lobbies, of one game or of all: `async with client.lobbies() as lobbies`."""
        return Lobbies(self._socket("lobbies"), self._token, slug=slug)

    def inbox(self, *, after: int | None = None) -> Inbox:
        """Follow your notices: `async with client.inbox() as inbox`. Without `after`, new ones."""
        return Inbox(self._socket("me"), self._token, after=after)

    def _socket(self, path: str) -> str:
        self._http.check_open()
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
        headers = {"Authorization": f"Bearer {self._token}"} if self.token else {}
        content = None
        if body is not None:
            content = written(body)
            if path.endswith(NAMED):
                plain = msgspec.json.decode(content)
                content = written({**plain, "id": plain.get("id") or uuid4()})
            headers["Content-Type"] = "application/json"
        parameters = {
            name: _text(value) for name, value in (query or {}).items() if value is not None
        }
        # The server carries each request out once, however often it arrives: by this key, by the
        # `id` in its body, or because a repetition changes nothing.
        if method == "POST":
            headers["Idempotency-Key"] = uuid4().hex
        for failures in count(1):
            try:
                return await self._http.ask(
                    method, path, answer, parameters=parameters, content=content, headers=headers
                )
            except Unreachable:
                if failures == TRIES_MAX:
                    raise
                wait_s = 0.0
            except Problem as problem:
                wait_s = problem.retry_after_s
                if not is_passing(problem) or failures == TRIES_MAX or wait_s > PAUSE_MAX_S:
                    raise
            await asyncio.sleep(wait_s + pause_s(failures - 1))
        raise AssertionError("every try returns, raises or continues")

    @property
    def _token(self) -> str:
        """The token, which has to fit into a header. Raises Misused."""
        if not TOKEN.fullmatch(self.token or ""):
            raise Misused("the token of the client has characters that no token has")
        return self.token


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


def _given(value: T, kind: type) -> T:
    """Return an argument of this type. Raises Misused for any other, such as None."""
    if not isinstance(value, kind):
        raise Misused(f"a {kind.__name__} is expected, not {value!r}")
    return value


def _id(value: UUID | str) -> str:
    """Return an id that can be a part of a path. Raises Misused."""
    part(value)
    return str(value)


def _text(value: object) -> str:
    """Format a value for a query string, which has no halves of characters."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    return text.encode(errors="replace").decode()
