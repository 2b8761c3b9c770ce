"""The socket of a game: commits without gaps, and commands that count once."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any, Final, Generic, NamedTuple, Self, TypeAlias
from uuid import UUID, uuid4

import msgspec
from websockets.asyncio.client import ClientConnection

from railbird_client import frames, models
from railbird_client.acknowledgements import Acknowledgements
from railbird_client.backoff import pause_s
from railbird_client.clock import IN_TIME, ServerClock
from railbird_client.problems import Problem, ServerError, Unanswered
from railbird_client.stream import Lost, Stream
from railbird_client.types import C, E, GameTypes, Unknown, V

PLAYS_WAITING_MAX: Final = 16

AGAIN: Final = frozenset({"busy", "unavailable", "outcome_unknown", "too_many_commands"})
"""Codes after which the client repeats the same command under the same id."""

LOOK: Final = '{"type":"look"}'

_decode = msgspec.json.Decoder(frames.FromGame).decode


@dataclass(frozen=True, slots=True)
class View(Generic[V]):
    """The view of a seat, or of a spectator (no seat), at a version.

    `ended` is empty during the game.
    """

    version: int
    seat: int | None
    ended: str
    view: V
    next_at: datetime | None
    """When the clock acts next, if it awaits anything."""
    now: datetime
    """The server's time."""


@dataclass(frozen=True, slots=True)
class Commit(Generic[E]):
    """The events of a version that this user may see."""

    version: int
    at: datetime
    hash: str
    events: tuple[E | Unknown, ...]
    next_at: datetime | None
    """When the clock acts next, if it awaits anything."""


@dataclass(frozen=True, slots=True)
class Accepted(Generic[E]):
    """The user's own command, committed as this version."""

    id: UUID
    version: int
    hash: str
    events: tuple[E | Unknown, ...]


@dataclass(frozen=True, slots=True)
class Legal(Generic[C]):
    """Commands that a seat may send at a version; `is_complete` if there are no others."""

    version: int
    commands: tuple[C, ...]
    is_complete: bool


Answer: TypeAlias = frames.Accepted | frames.Refused


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


class Checks(NamedTuple):
    """What to check before the first news and after the last. Both raise Contradicted."""

    at_start: Callable[[], Awaitable[None]]
    at_end: Callable[[], Awaitable[None]]


@dataclass(slots=True)
class _Play:
    """A command that awaits its answer; `copies` counts how often it was sent."""

    frame: str
    answer: asyncio.Future[Answer]
    copies: int = 0


@dataclass(frozen=True, slots=True)
class _Request:
    """A request that awaits its answer. The server answers in the order of the requests."""

    frame: str
    answer: asyncio.Future[Any]


class Table(Stream[frames.FromGame, View[V] | Commit[E]], Generic[C, E, V]):
    """An asynchronous context and iterator of a game's news.

    Opened without `after`, it yields a View and then each later Commit; with `after`, the commits
    after that version. It ends when the game has ended. It reconnects by itself, without gaps or
    repetitions. Raises Closed when the server forbids reconnecting, FellBehind when too many news
    are unread, and Contradicted when a commit is not the one that was acknowledged, or, before the
    first news and at the end, when the game did not begin with the entropy of this client.
    """

    def __init__(
        self,
        address: str,
        token: str,
        types: GameTypes[C, E, V],
        *,
        after: int | None = None,
        kept: Acknowledgements | None = None,
        checks: Checks | None = None,
    ) -> None:
        super().__init__(address, token, _decode)
        self._kept = kept
        self._checks = checks
        self.version = after
        """The version of the latest news; None before the first view."""
        self._types = types
        self._plays: dict[str, _Play] = {}
        self._clock = ServerClock()
        self._requests: deque[_Request] = deque()
        self._room = asyncio.Semaphore(PLAYS_WAITING_MAX)
        self._ends_at: int | None = None
        self._heard_of = 0

    async def __aenter__(self) -> Self:
        if self._checks is not None:
            await self._checks.at_start()
        return await super().__aenter__()

    async def __anext__(self) -> View[V] | Commit[E]:
        try:
            return await super().__anext__()
        except StopAsyncIteration:
            if self._checks is not None and self._is_over():
                await self._checks.at_end()
            raise

    async def play(
        self,
        command: C,
        *,
        id: UUID | None = None,  # noqa: A002
        within_s: float = 30.0,
    ) -> Accepted[E]:
        """Send a command. It counts once, even if reconnections repeat it, and only in time.

        The server rejects copies that arrive more than a few seconds later. Raises Problem when
        the server finally rejects the command, Unanswered when there is no answer in time: play it
        again with the same `id` to get the first answer. With a file of acknowledgements, raises
        Contradicted when the answer does not fit the command.
        """
        key = uuid4() if id is None else id
        try:
            async with asyncio.timeout(within_s), self._room:
                answer = await self._answer(str(key), command)
        except TimeoutError:
            raise Unanswered(key) from None
        if isinstance(answer, frames.Refused):
            raise Problem(answer.code, answer.data, version=answer.version)
        if self._kept is not None:
            said = {"version": answer.version, "hash": answer.hash, "id": key}
            await self._kept.keep(answer.acknowledgement, command, **said)
        return Accepted(key, answer.version, answer.hash, self._types.events(answer.events))

    async def look(self, *, within_s: float = 30.0) -> View[V]:
        """Return the view at the head. Raises TimeoutError."""
        view: View[V] = await self._request(LOOK, within_s)
        return view

    async def legal_commands(self, limit: int = 100, *, within_s: float = 30.0) -> Legal[C]:
        """Return up to `limit` commands that this user may send now. Raises TimeoutError."""
        frame = msgspec.json.encode({"type": "list_legal_commands", "limit": limit}).decode()
        legal: Legal[C] = await self._request(frame, within_s)
        return legal

    async def _request(self, frame: str, within_s: float) -> Any:
        async with asyncio.timeout(within_s):
            self._check()
            request = _Request(frame, asyncio.get_running_loop().create_future())
            self._requests.append(request)
            await self._say(frame)
            return await request.answer

    # Commands

    async def _answer(self, key: str, command: C) -> Answer:
        """Return the final answer to a command.

        The first answer is final if the command was sent once. Otherwise a copy may arrive until
        `not_after`, and only an answer after that is final.
        """
        assert key not in self._plays, "a command with this id is in flight"
        refusal: frames.Refused | None = None
        not_after, copies = self._clock.now() + IN_TIME, 0
        for failures in count():
            answer, sent = await self._ask(key, command, not_after)
            copies += sent
            if isinstance(answer, frames.Accepted):
                return answer
            if answer.code == "too_late":
                self._clock.set(datetime.fromisoformat(answer.data["now"]))
                if copies > 1 or failures > 1:
                    return refusal or answer
                # Only the clock was wrong: no copy is on its way.
                not_after, copies = self._clock.now() + IN_TIME, 0
            elif answer.code in AGAIN:
                await asyncio.sleep(pause_s(failures))
            elif copies == 1:
                return answer
            else:
                refusal = answer
                left = not_after - self._clock.now()
                await asyncio.sleep(max(0.0, left.total_seconds()) + pause_s(0))
        raise AssertionError("the loop ends with an answer")

    async def _ask(self, key: str, command: C, not_after: datetime) -> tuple[Answer, int]:
        """Return the answer to a command, and how many copies were sent for it."""
        self._check()
        asked = {"type": "play", "id": key, "command": command, "not_after": not_after}
        if self._kept is not None:
            asked["acknowledge"] = True
        frame = msgspec.json.encode(asked).decode()
        play = self._plays[key] = _Play(frame, asyncio.get_running_loop().create_future())
        try:
            play.copies += await self._say(frame)
            return await play.answer, play.copies
        finally:
            del self._plays[key]

    # The connection

    def _from(self) -> Mapping[str, object]:
        return {"after": self.version}

    async def _resume(self, socket: ClientConnection) -> None:
        """Repeat everything that is unanswered."""
        await super()._resume(socket)
        self._heard_of = 0
        self._requests = deque(each for each in self._requests if not each.answer.done())
        for play in list(self._plays.values()):
            play.copies += 1
            await socket.send(play.frame)
        for request in list(self._requests):
            await socket.send(request.frame)

    def _is_over(self) -> bool:
        return (
            self._ends_at is not None and self.version is not None and self.version >= self._ends_at
        )

    def _end(self) -> None:
        super()._end()
        for key, play in self._plays.items():
            if not play.answer.done():
                play.answer.set_exception(self._failure or Unanswered(UUID(key)))
        for request in self._requests:
            if not request.answer.done():
                request.answer.set_exception(self._failure or ServerError("the socket is closed"))

    # Incoming frames

    def _take(self, frame: frames.FromGame) -> None:
        match frame:
            case frames.CommitsFrame():
                for commit in frame.commits:
                    self._take_commit(commit)
            case frames.View():
                self._take_view(frame)
            case frames.LegalCommandsFrame():
                commands = tuple(self._types.commands(frame.commands))
                self._take_answer(Legal(frame.version, commands, frame.is_complete))
            case frames.Accepted() | frames.Refused():
                play = self._plays.get(frame.id)
                if play is not None and not play.answer.done():
                    play.answer.set_result(frame)
            case frames.HeartbeatFrame():
                self._take_heartbeat(frame)

    def _take_heartbeat(self, frame: frames.HeartbeatFrame) -> None:
        if self.version is not None and self.version < self._heard_of:
            raise Lost  # The version of an earlier heartbeat has still not arrived.
        self._heard_of = frame.version
        if frame.ended:
            self._ends_at = frame.version

    def _take_commit(self, commit: models.Commit) -> None:
        if self.version is None or commit.version > self.version + 1:
            raise Lost
        if commit.version <= self.version:
            return
        if self._kept is not None:
            self._kept.compare(commit.version, commit.hash)
        self.version = commit.version
        at = datetime.fromisoformat(commit.at)
        self._clock.heard(at)
        events = self._types.events(commit.events)
        self._tell(Commit(commit.version, at, commit.hash, events, _moment(commit.next_at)))

    def _take_view(self, frame: frames.View) -> None:
        view = View(
            frame.version,
            frame.seat,
            frame.ended,
            self._types.view(frame.view),
            _moment(frame.next_at),
            datetime.fromisoformat(frame.now),
        )
        if frame.ended:
            self._ends_at = frame.version
        if self.version is None:
            self.version = frame.version
            self._tell(view)
        else:
            self._take_answer(view)

    def _take_answer(self, answer: View[V] | Legal[C]) -> None:
        if self._requests and not (request := self._requests.popleft()).answer.done():
            request.answer.set_result(answer)
