"""The socket of a game: commits without gaps, and commands that count once."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import count
from types import TracebackType
from typing import Final, Generic, NamedTuple, Self, TypeAlias
from uuid import UUID, uuid4

import msgspec

from railbird_client import frames, models
from railbird_client.acknowledgements import Acknowledgements
from railbird_client.clock import IN_TIME, moment
from railbird_client.patience import AGAIN, pause_s, persist
from railbird_client.problems import Contradicted, Problem, Unanswered, Unreachable
from railbird_client.signing import Signing
from railbird_client.stream import ANSWER_WITHIN_S, Conversation, Lost, Reader, expect
from railbird_client.types import C, E, GameTypes, Unknown, V

PLAYS_WAITING_MAX: Final = 16
HISTORY_LOST: Final = 4410
"""The close code of a game of which the server's database lost commits."""

_reader: Reader[frames.FromGame] = Reader(frames.FromGame)


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
    replaces: int | None = None
    """The last version that this table has yielded before, if the server's database lost commits:
    this view takes the place of everything before it."""


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
    """Commands that a seat may send at a version; `is_complete` if there are no others. Commands
    that this client does not know are left out."""

    version: int
    commands: tuple[C, ...]
    is_complete: bool


Answer: TypeAlias = frames.Accepted | frames.Refused


Sign: TypeAlias = Callable[[object, UUID], Signing | None]
"""Return how to sign a command under its id, if the client signs."""


class Checks(NamedTuple):
    """The work of a client at its table: it checks the game with `at_start` before the first news
    and with `at_end` after the last, which raise Contradicted, and signs commands with `sign`."""

    at_start: Callable[[], Awaitable[None]]
    at_end: Callable[[], Awaitable[None]]
    sign: Sign


class Table(Conversation[frames.FromGame, View[V] | Commit[E]], Generic[C, E, V]):
    """An asynchronous context and iterator of a game's news.

    Opened without `after`, it yields a View and then each later Commit; with `after`, the commits
    after that version. It ends when the game has ended. It reconnects by itself, without gaps or
    repetitions. When the server's database lost commits, it yields a View that `replaces` what came
    before; with `after` or acknowledgements, it raises Closed. Raises Closed when the server
    forbids reconnecting, FellBehind when too many news are unread, Unreachable when it can read
    nothing that arrives, and Contradicted when a commit is not the one that was acknowledged, or
    does not follow what was shown before, or, before the first news and at the end, when the game
    did not begin with the entropy of this client.
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
        super().__init__(address, token, _reader)
        self._kept = kept
        self._checks = checks
        self._may_start_again = after is None and kept is None
        self._replaces: int | None = None
        self.version = after
        """The version of the latest news; None before the first view."""
        self._hash: str | None = None
        """The hash of that version, as it was shown."""
        self._head = ""
        """The newest signed head: the server's own word for what it showed."""
        self._types = types
        self._room = asyncio.Semaphore(PLAYS_WAITING_MAX)
        self._ends_at: int | None = None
        self._heard_of = 0

    async def __aenter__(self) -> Self:
        if self._checks is not None:
            await persist(self._checks.at_start)  # like the socket, it waits for the server
        return await super().__aenter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await super().__aexit__(kind, error, trace)
        if self._kept is not None:
            await self._kept.close()

    async def __anext__(self) -> View[V] | Commit[E]:
        try:
            return await super().__anext__()
        except StopAsyncIteration:
            if self._checks is not None and self._is_over():
                await persist(self._checks.at_end)
            if self._kept is not None and self._hash is not None and self._is_over():
                await persist(partial(self._kept.check_end, self.version))
            raise

    async def play(
        self,
        command: C,
        *,
        id: UUID | None = None,  # noqa: A002
        within_s: float = ANSWER_WITHIN_S,
    ) -> Accepted[E]:
        """Send a command. It counts once, even if reconnections repeat it, and only in time.

        The server rejects copies that arrive more than a few seconds later. Raises Problem when
        the server finally rejects the command, Unanswered when there is no answer in time: play it
        again with the same `id` to get the first answer. With a file of acknowledgements, raises
        Contradicted when the answer does not fit the command, and NoEvidence when nobody signed it.
        """
        key = uuid4() if id is None else id
        try:
            async with asyncio.timeout(within_s), self._room:
                answer = await self._final_answer(key, command)
        except TimeoutError:
            raise Unanswered(key, self.trouble) from None
        if isinstance(answer, frames.Refused):
            raise Problem(answer.code, answer.data, version=answer.version)
        if self._kept is not None:
            said = {"version": answer.version, "hash": answer.hash, "id": key}
            await self._kept.keep(answer.acknowledgement, command, **said)
        return Accepted(key, answer.version, answer.hash, self._events(answer.events))

    async def look(self, *, within_s: float = ANSWER_WITHIN_S) -> View[V]:
        """Return the view at the head. Raises Problem, Unanswered."""
        frame = expect(await self._request("look", within_s), frames.View)
        try:
            return self._view(frame)
        except msgspec.ValidationError as error:
            raise Unreachable("unreadable", str(error)) from error

    async def legal_commands(
        self, limit: int = 100, *, within_s: float = ANSWER_WITHIN_S
    ) -> Legal[C]:
        """Return up to `limit` commands that this user may send now. Raises Problem,
        Unanswered."""
        answer = await self._request("list_legal_commands", within_s, limit=limit)
        frame = expect(answer, frames.LegalCommandsFrame)
        commands = tuple(self._types.commands(frame.commands))
        is_complete = frame.is_complete and len(commands) == len(frame.commands)
        return Legal(frame.version, commands, is_complete)

    # Commands

    async def _final_answer(self, key: UUID, command: C) -> Answer:
        """Return the final answer to a command.

        The first answer is final if the command was sent once. Otherwise a copy may arrive until
        `not_after`, and only the answer to a copy that was sent after it is final.
        """
        refusal: frames.Refused | None = None
        asked = {"type": "play", "id": key, "command": command}
        signing = None if self._checks is None else self._checks.sign(command, key)
        if signing is not None:
            asked["signed"] = signing.after(*await self._shown())
        if self._kept is not None:
            asked["acknowledge"] = True
        asked["not_after"] = not_after = await self._now() + IN_TIME
        copies, is_past = 0, False
        for failures in count():
            found, sent = await self._ask(asked)
            answer, copies = _answer_of(found), copies + sent
            if isinstance(answer, frames.Accepted):
                return answer
            if answer.code == "too_late":
                if copies > 1 or failures > 1:
                    return refusal or answer
                # Only the clock was wrong: no copy is on its way.
                self._clock.set(_time_of(answer))
                asked["not_after"] = not_after = await self._now() + IN_TIME
                copies = 0
            elif signing is not None and signing.goes_on(answer.code, answer.data):
                # The server never carries out a copy with the signature that it refused.
                is_late = answer.data.get("reason") == "late"
                asked["signed"] = signing.after(*await self._shown(newest=is_late))
                copies = 0
            elif answer.code in AGAIN:
                await asyncio.sleep(pause_s(failures))
            elif copies == 1 or is_past:
                return answer
            else:
                refusal = answer
                left = not_after - await self._now()
                await asyncio.sleep(max(0.0, left.total_seconds()) + pause_s(0))
                is_past = True
        raise AssertionError("the loop ends with an answer")

    async def _shown(self, *, newest: bool = False) -> tuple[int, str]:
        """Return the newest commit that was shown, or the server's newest."""
        if not newest and self.version is not None and self._hash is not None:
            return self.version, self._hash
        view = expect(await self._request("look", ANSWER_WITHIN_S), frames.View)
        return view.version, view.hash

    # The connection

    def _from(self) -> Mapping[str, object]:
        return {"after": self.version, "heads": "true"}

    def _resume(self) -> None:
        self._heard_of = 0

    def _starts_again(self, code: int) -> bool:
        if code != HISTORY_LOST or self.version is None or not self._may_start_again:
            return False
        self._replaces, self.version, self._ends_at = self.version, None, None
        return True

    def _is_over(self) -> bool:
        return (
            self._ends_at is not None and self.version is not None and self.version >= self._ends_at
        )

    # Incoming frames

    def _take(self, frame: frames.FromGame) -> None:
        match frame:
            case frames.CommitsFrame():
                before = frame.previous
                for commit in frame.commits:
                    self._take_commit(commit, before)
                    before = commit.hash
                if frame.commits and frame.commits[-1].version == self.version:
                    self._take_head(frame.head)
            case frames.View() if self.version is None:
                view = replace(self._view(frame), replaces=self._replaces)
                if self._kept is not None:
                    self._kept.compare(view.version, frame.hash)
                self.version, self._hash = view.version, frame.hash
                self._take_head(frame.head)
                self._tell(view)
            case frames.HeartbeatFrame():
                self._take_heartbeat(frame)

    def _take_heartbeat(self, frame: frames.HeartbeatFrame) -> None:
        if self.version is not None and self.version < self._heard_of:
            raise Lost  # The version of an earlier heartbeat has still not arrived.
        self._take_head(frame.head)
        self._heard_of = frame.version
        if frame.ended:
            self._ends_at = frame.version

    def _take_commit(self, commit: models.Commit, before: str) -> None:
        """Read a commit that follows one with the hash `before`. Raises Lost, Contradicted."""
        if self.version is None or commit.version > self.version + 1:
            raise Lost
        if commit.version < self.version:
            return
        self._check_shown(commit.hash if commit.version == self.version else before)
        if commit.version == self.version:
            return
        events, at = self._events(commit.events), moment(commit.at)
        news = Commit(commit.version, at, commit.hash, events, _moment(commit.next_at))
        if self._kept is not None:
            self._kept.compare(commit.version, commit.hash)
        self.version, self._hash = commit.version, commit.hash
        self._tell(news)

    def _take_head(self, note: str | None) -> None:
        """Keep the signed head of the newest version. Raises Contradicted, NoEvidence."""
        if note is None or self.version is None or self._hash is None:
            return
        self._head = note
        if self._kept is not None:
            self._kept.show(note, self.version, self._hash)

    def _check_shown(self, hash_: str) -> None:
        """Compare the newest version as it was shown with what the server says now.

        Raises Contradicted: somebody changed the history after it was shown.
        """
        if self._hash is not None and hash_ != self._hash:
            raise Contradicted(self._head, f"hash of version {self.version}", self._hash, hash_)

    def _view(self, frame: frames.View) -> View[V]:
        """Read a view. Raises ValidationError."""
        if frame.ended:
            self._ends_at = frame.version
        seen = self._types.view(frame.view)
        next_at, now = _moment(frame.next_at), moment(frame.now)
        return View(frame.version, frame.seat, frame.ended, seen, next_at, now)

    def _events(self, found: list[models.GameEvent]) -> tuple[E | Unknown, ...]:
        return self._types.events(found)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else moment(text)


def _answer_of(found: object) -> Answer:
    return found if isinstance(found, frames.Refused) else expect(found, frames.Accepted)


def _time_of(refused: frames.Refused) -> datetime:
    """Return the server's time in the refusal of a late command. Raises Unreachable."""
    try:
        return moment(msgspec.convert(refused.data.get("now"), str))
    except msgspec.ValidationError as error:
        raise Unreachable("unreadable", str(error)) from error
