"""Bots react to their games and play, inside the worker that looks after them.

Only this process knows the plans of its bots: after the start of a worker, or when it takes a game
over, the bots look again.
"""

import asyncio
import heapq
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import structlog
from uuid_utils.compat import uuid4

from games.play import commit, service
from games.store import heads
from games.store.heads import Woken
from games.store.loaded_games import LoadedGame, loaded_games
from games.store.rows import HeadQuery
from kit import metrics
from kit.problems import Problem
from railbird_engine import AnyRules, Chance, Seat, State
from railbird_engine.kernel.hands import Hands, Move, Player
from railbird_engine.kernel.playout import Whims, ask_bot, bot_notices

log = structlog.get_logger(__name__)

THINKING: Final = ThreadPoolExecutor(1, thread_name_prefix="bots")
"""Where bots think: in one thread, so that the clock waits for at most one of them."""

THINK_S: Final = 0.02
"""How long the thread thinks before the moves that it found are played."""

EVERY_S: Final = 0.1
TOGETHER_S: Final = 0.05
"""Bots whose times are so close act together: their moves share statements, and nobody sees it."""
EVERY_S_MIN: Final = 0.02
LOOKS_MAX: Final = 200
"""Games whose bots look together."""

KEPT_S: Final = 30.0
"""A game that this worker did not claim for so long has ended, or belongs to another worker."""


class Table(NamedTuple):
    """A game as its bots see it: an immutable state, and what they are about to do."""

    game: UUID
    rules: AnyRules
    state: State
    version: int
    seats: frozenset[int]
    hands: Hands


class Thought(NamedTuple):
    """The move of a bot of a game, if one is due, and when the next one acts or looks again."""

    game: UUID
    due_ms: float | None
    move: Move | None


@dataclass(slots=True)
class Playing:
    """The plans of the bots of a game, when they are due, and when the game was claimed."""

    hands: Hands
    due_ms: float | None = None
    claimed_at: float = 0.0


class Bots:
    """The bots of the games that one worker looks after. Its coroutines run on the store loop."""

    def __init__(self, delay_percent: int) -> None:
        self._scale = delay_percent / 100
        self._worker = secrets.randbits(31)
        self._chance = Whims(secrets.token_bytes(32))
        self._playing: OrderedDict[UUID, Playing] = OrderedDict()
        """Games in the order of their claims."""
        self._due: list[tuple[float, UUID]] = []
        """A heap of the times, in milliseconds, at which bots act or look again."""

    async def claim(self) -> list[Woken]:
        """Claim all games that have changed, or whose bots are due."""
        now = time.monotonic()
        self._forget(now)
        acting, woken = self._acting(now * 1000), list[Woken]()
        try:
            woken = await heads.claim_bots(self._worker, acting, LOOKS_MAX)
        finally:
            # While the clock or a commit holds the row of a game, it is not claimed.
            for game in set(acting).difference(each.game for each in woken):
                self._expect(game, (now + EVERY_S) * 1000)
        return woken

    async def look(self, woken: Sequence[Woken]) -> None:
        """Let the bots of these games look, and those who are due act.

        Games share statements and calls of the thread, so they cost little more together than
        alone. A move that comes too late is refused, which changes nothing: its bot looks again.
        """
        # Games at the claimed version share this task. The others are read: each has a task.
        waiting, behind = deque[Table](), list[Woken]()
        for each in woken:
            loaded = loaded_games().loaded(each.game)
            if loaded is None or loaded.version != each.version:
                behind.append(each)
            elif (table := self._table_of(loaded)) is not None:
                waiting.append(table)
        found = await asyncio.gather(*(self._table(each) for each in behind))
        waiting += [table for table in found if table is not None]
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as playing:
            while waiting:
                thoughts = await loop.run_in_executor(THINKING, _think, waiting)
                for game, due_ms, move in thoughts:
                    self._expect(game, due_ms)
                    if move is not None:
                        playing.create_task(self._play(game, move))

    def pause_s(self) -> float:
        """Return the time until the bots should look again."""
        scale = min(1.0, self._scale)
        next_s = self._due[0][0] / 1000 - time.monotonic() if self._due else EVERY_S
        return max(EVERY_S_MIN, scale * TOGETHER_S, min(scale * EVERY_S, next_s))

    def _expect(self, game: UUID, due_ms: float | None) -> None:
        playing = self._playing.get(game)
        if playing is not None and playing.due_ms != due_ms:
            playing.due_ms = due_ms
            if due_ms is not None:
                heapq.heappush(self._due, (due_ms, game))

    def _acting(self, now_ms: float) -> list[UUID]:
        """Return the games whose bots are due."""
        acting: list[UUID] = []
        while self._due and self._due[0][0] <= now_ms and len(acting) < LOOKS_MAX:
            due_ms, game = heapq.heappop(self._due)
            playing = self._playing.get(game)
            if playing is not None and playing.due_ms == due_ms:
                playing.due_ms = None
                acting.append(game)
        return acting

    def _forget(self, now: float) -> None:
        """Forget the bots of games that were not claimed for long."""
        while self._playing:
            game, playing = next(iter(self._playing.items()))
            if playing.claimed_at > now - KEPT_S:
                return
            del self._playing[game]

    async def _table(self, woken: Woken) -> Table | None:
        """Return a game at its head, or None if its bots have nothing to do."""
        async with _surviving(woken.game):
            loaded = await commit.reach(await commit.load(woken.game), woken.version)
            if loaded.version > woken.version:  # it moved on, or the database went back
                loaded, _ = await commit.look(loaded, HeadQuery(woken.game))
            if (table := self._table_of(loaded)) is not None:
                return table
        return None

    def _table_of(self, loaded: LoadedGame) -> Table | None:
        """Return a loaded game as its bots see it, or None if they have nothing to do."""
        if loaded.ended or loaded.state is None:
            return None
        hands, seats = self._hands_of(loaded.game, loaded.rules), frozenset(loaded.bot_seats)
        return Table(loaded.game, loaded.rules, loaded.state, loaded.version, seats, hands)

    def _hands_of(self, game: UUID, rules: AnyRules) -> Hands:
        playing = self._playing.pop(game, None)
        if playing is None:
            playing = Playing(Hands(rules, self._chance, self._scale))
        playing.claimed_at = time.monotonic()
        self._playing[game] = playing
        return playing.hands

    async def _play(self, game: UUID, move: Move) -> None:
        async with _surviving(game):
            command = msgspec.to_builtins(move.command)
            try:
                await service.play(game, move.seat, command, uuid4(), by_bot=True)
            except Problem:
                self._expect(game, time.monotonic() * 1000)
                raise


def _think(waiting: deque[Table]) -> list[Thought]:
    """Take tables until `THINK_S` has passed, and return what their bots do."""
    thoughts: list[Thought] = []
    until = time.monotonic() + THINK_S
    while waiting and time.monotonic() < until:
        table = waiting.popleft()
        try:
            thoughts.append(_look(table))
        except Exception:
            log.exception("bot_failed", game=str(table.game))
    return thoughts


def _look(table: Table) -> Thought:
    """Let the bots of a game see its state, and return a move that is due.

    If several are, the others wait for the next look: a move may change what they react to.
    """

    def ask(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
        with metrics.BOT_SECONDS.labels(rules.slug).time():
            return ask_bot(rules, state, seat, chance, table.seats)

    hands, now_ms = table.hands, time.monotonic() * 1000
    players = dict.fromkeys(map(Seat, sorted(table.seats)), Player(ask, bot_notices))
    hands.look(table.state, table.version, now_ms, players)
    move = hands.take(now_ms)
    return Thought(table.game, hands.due_ms, move)


@asynccontextmanager
async def _surviving(game: UUID) -> AsyncIterator[None]:
    """Log what one game raises, so that it does not affect the others."""
    try:
        yield
    except Problem as problem:
        log.info("bot_refused", game=str(game), code=problem.code)
    except Exception:
        log.exception("bot_failed", game=str(game))
