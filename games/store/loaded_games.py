"""The games that this process has loaded: a state at a version, and the next commit from it."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import structlog

from accounts.ledger import Posting
from games.store import heads
from games.store.appending import GROUP_MAX, WAITING_MAX
from games.store.commits import DamagedError, store
from games.store.registry import rules_for
from games.store.rows import (
    HeadQuery,
    HeadState,
    NewCommit,
    StoredCommit,
    StoredGame,
    StoredSnapshot,
)
from kit.batching import Grouped
from kit.encryption import AlteredError
from kit.event_loop import one_per_loop
from kit.problems import Problem
from railbird_engine import Event, Seat, SeededChance, State, Step, Transfer
from railbird_engine.kernel import chain
from railbird_engine.kernel.bets import rows_of
from railbird_engine.kernel.mac import mac
from railbird_engine.kernel.server_commands import (
    Paused,
    SeatReplaced,
    SeatReturned,
    Ticked,
    Voided,
)
from railbird_engine.kernel.stepping import step_from

log = structlog.get_logger(__name__)

LOADED_MAX: Final = 20_000
ENDED_MAX: Final = 32
"""How many ended games stay: people look at the result, then hardly anybody does. While more games
are loaded, up to so many again do."""
SNAPSHOT_EVERY: Final = 200
HASHES_MAX: Final = 256
"""How many hashes of the newest commits are kept, to which signed commands refer."""

_encode = msgspec.json.Encoder().encode


class WentBackError(Problem):
    """The database lacks what this process knows of a game, or has another history: `version` is
    its head, or where the histories differ."""

    def __init__(self, version: int) -> None:
        super().__init__("history_lost", version=version)


class GameLog:
    """A game's log without its rules: enough to void a game that this build cannot continue."""

    def __init__(self, game: UUID, rows: StoredGame) -> None:
        self.game = game
        self.users = rows.users
        self.version = 0
        self.hash = self._genesis_hash = chain.genesis_hash(rows.genesis)
        self.drawn = 0
        genesis = chain.decode_genesis(rows.genesis)
        if (genesis.game, genesis.seed_hash) != (game, chain.seed_hash(rows.seed)):
            raise AlteredError(f"the genesis of game {game} is that of another game or seed")
        self._key = chain.key_of(rows.seed, genesis)
        self.snapshot_read = rows.snapshot if self._fits(rows) else None
        """The stored snapshot, unless it is damaged or of another history."""
        if self.snapshot_read is not None:
            kept = self.snapshot_read
            self.version, self.hash, self.drawn = kept.version, kept.hash, kept.drawn

    def _fits(self, rows: StoredGame) -> bool:
        """Return whether there is a snapshot, undamaged and of the stored commit. Those of archived
        games are not stored."""
        kept = rows.snapshot
        return (
            kept is not None
            and kept.digest == self._digest(kept.version, kept.hash, kept.drawn, kept.state)
            and (kept.stored == kept.hash or (kept.stored is None and rows.has_ended))
        )

    def _digest(self, version: int, hash_: bytes, drawn: int, state: bytes) -> bytes:
        """Return what shows that a snapshot is this game's, and unchanged. Only a process that
        knows the seed can make it."""
        numbers = b"%d %d " % (version, drawn)
        return mac(self._key, b"snapshot" + self._genesis_hash + numbers + hash_ + state)

    def jump(self, version: int, hash_: bytes, drawn: int) -> None:
        """Move to the head of a damaged history without reading it."""
        self.version, self.hash, self.drawn = version, hash_, drawn

    def skip(self, commits: Sequence[StoredCommit]) -> None:
        """Move past these commits without a call of the rules."""
        for commit in commits:
            self.drawn += len(chain.decode_body(commit.body).draws)
            self.version, self.hash = commit.version, commit.hash

    def void(self, command: Voided, events: tuple[Event, ...]) -> NewCommit:
        """Return the commit that voids the game, without a call of its rules."""
        version = self.version + 1
        body = chain.encode_body(self._key, version, None, command, (), events, ())
        return NewCommit(
            game=self.game,
            version=version,
            seat=None,
            command_id=None,
            body=body,
            hash=chain.commit_hash(self.hash, version, chain.body_digest(body)),
            previous=self.hash,
            alarm=None,
            after_ms=None,
            answers=None,
            ended="voided",
            drawn=self.drawn,
            not_after=None,
            awaits=None,
            wakes_bots=False,
            bets=(),
            settlements=rows_of(events)[1],
            postings=(),
            users=self.users,
            command=command,
            state=None,
            events=events,
        )


Make = Callable[[NewCommit | None], NewCommit | None]
"""Build the next commit after the given one, or after the state of the loaded game. None: there is
nothing to commit."""


class Waiting(NamedTuple):
    """A commit to make. Nothing is made if its outcome has ended: then nobody wants it."""

    make: Make
    outcome: asyncio.Future[StoredCommit | None]
    caller: Any
    """The name of the caller in a trace."""


class GameLock:
    """The lock of a loaded game. Unlike those of asyncio, it can be taken without a coroutine."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.is_held = False

    def take(self) -> bool:
        """Take the lock unless somebody has it. Return whether it did."""
        is_free = not self.is_held
        self.is_held = True
        return is_free

    async def acquire(self) -> None:
        """Wait for the lock, behind those who wait already."""
        if self.take():
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.release()
            raise

    def release(self) -> None:
        """Pass the lock on to the caller that has waited longest."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.is_held = False

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *_error: object) -> None:
        self.release()


class LoadedGame(GameLog):
    """One game in memory. Its state is replaced and never changed, so any coroutine may read it."""

    def __init__(self, game: UUID, rows: StoredGame) -> None:
        super().__init__(game, rows)
        genesis = chain.decode_genesis(rows.genesis)
        self.rules, self.options = rules_for(genesis)
        self.seats = genesis.seats
        self.seed_hash = genesis.seed_hash
        self.log_name = genesis.name
        self.keys = {
            seat: bytes.fromhex(row.key)
            for seat, row in enumerate(genesis.rows)
            if row.key is not None
        }
        """The keys of the players who sign their commands, by seat."""
        self.hashes = {0: self._genesis_hash, self.version: self.hash}
        """The hashes of the genesis, the snapshot and, if players sign, the newest commits."""
        self.seat_of = {user: Seat(seat) for seat, user in rows.users.items()}
        self.bots = rows.bots
        self.spectators = rows.spectators
        self.lobby = rows.lobby
        self.is_slow = rows.is_slow
        # The head's values may be ahead of the state; catching up repeats them.
        self.stand_ins = set(rows.stand_ins)
        self.forfeited = set(rows.forfeited)
        self.lock = GameLock()
        self.waiting: deque[Waiting] = deque()
        """The commits to make, oldest first. The writer of the log fills and empties it."""
        self.is_written = False
        """Whether `waiting` is being emptied."""
        self.state: State | None = None
        self.ended = ""
        self.next_at = rows.next_at
        """When the clock acts next, or None."""
        self._accounts = rows.accounts
        self._snapshot_at = 0
        self.decode_command = msgspec.json.Decoder(self.rules.command_type).decode
        self.damaged: int | None = None
        """The first stored version that is damaged; the state is the one before it."""
        if self.snapshot_read is not None:
            kept = self.snapshot_read.state
            self.state = msgspec.json.decode(kept, type=self.rules.state_type)
            self._snapshot_at = self.version

    @property
    def known(self) -> tuple[int, bytes]:
        """The version and the hash of this state."""
        return self.version, self.hash

    @cached_property
    def settled_head(self) -> Grouped[HeadQuery, HeadState]:
        """Read the head for all who wait at the same moment. See `heads.settled`."""
        return Grouped(heads.settled, most=GROUP_MAX, lanes=1, waiting_max=WAITING_MAX)

    @property
    def bot_seats(self) -> AbstractSet[int]:
        """The seats that bots play now, their own and those of absent users."""
        return self.bots | self.stand_ins

    def is_left(self, seat: Seat) -> bool:
        """Whether the user of a seat has left it: a bot stands in, or it is forfeited."""
        return seat in self.stand_ins or seat in self.forfeited

    def decide(
        self,
        seat: Seat | None,
        command: Any,
        command_id: UUID | None = None,
        not_after: datetime | None = None,
        *,
        after: NewCommit | None = None,
        signed: chain.Signed | None = None,
    ) -> NewCommit:
        """Return the commit that follows from a command of a seat or, without one, of the server.

        It follows `after`, which is stored together with it, or else the state of this game.
        `signed` has been checked.

        Raises RuleViolation.
        """
        before = self if after is None else after
        step = self._step(before, seat, command)
        version = before.version + 1
        result = self.rules.result(step.state)
        ranking = None if result is None else result.ranking
        drawn, events, moved = step.draws, step.events, step.transfers
        body = chain.encode_body(
            self._key, version, seat, command, drawn, events, moved, ranking, signed
        )
        alarm = self.rules.alarm(step.state)
        awaited = None if alarm is None else alarm.number
        after_ms = None if alarm is None else max(1.0, alarm.after.total_seconds() * 1000)
        answers = command.alarm if isinstance(command, Ticked | Paused) else None
        if after is not None and answers is None and awaited == after.alarm:
            after_ms, answers = after.after_ms, after.answers
        awaits, wakes_bots = (
            self._awaits(step.state, command)
            if self.is_slow
            else (None, self._wakes_bots(before, step.state, command))
        )
        bets, settlements = rows_of(step.events)
        return NewCommit(
            game=self.game,
            version=version,
            seat=seat,
            command_id=command_id,
            body=body,
            hash=chain.commit_hash(before.hash, version, chain.body_digest(body)),
            previous=before.hash,
            alarm=awaited,
            after_ms=after_ms,
            answers=answers,
            ended="" if result is None else "finished",
            drawn=before.drawn + len(step.draws),
            not_after=not_after,
            awaits=awaits,
            wakes_bots=wakes_bots,
            bets=bets,
            settlements=settlements,
            postings=[self._posting(transfer) for transfer in step.transfers],
            users=self.users,
            command=command,
            state=step.state,
            events=step.events,
        )

    def _step(self, before: "LoadedGame | NewCommit", seat: Seat | None, command: Any) -> Step[Any]:
        chance = SeededChance(self._key, before.drawn)
        return step_from(self.rules, self.seats, self.options, before.state, seat, command, chance)

    def _awaits(self, state: State, command: Any) -> tuple[str | None, bool]:
        """Return the users for whom a slow game waits in this state, as the text of an array, and
        whether it waits for a bot. The command may change who plays a seat."""
        awaited = self.rules.awaited(state)
        bots = self.bot_seats
        if isinstance(command, SeatReplaced | SeatReturned):
            bots ^= {command.seat}
        people = [self.users[seat].hex for seat in sorted(awaited - bots)]
        return f"{{{','.join(people)}}}" if people else None, not bots.isdisjoint(awaited)

    def _wakes_bots(self, before: "LoadedGame | NewCommit", state: State, command: Any) -> bool:
        """Return whether bots of a live game have to look after this command: most ticks change
        nothing that they react to. A commit that is stored before it may wake them as well."""
        if not isinstance(command, Ticked) or (isinstance(before, NewCommit) and before.wakes_bots):
            return True
        cue = self.rules.bot_cue
        try:
            return any(
                cue(before.state, seat) != cue(state, seat) for seat in map(Seat, self.bot_seats)
            )
        except Exception:  # noqa: BLE001  (it fails again when the bots look, which is logged)
            return True

    def _posting(self, transfer: Transfer) -> Posting:
        source, target = self._accounts[transfer.source], self._accounts[transfer.target]
        return Posting(source, target, transfer.amount, transfer.reason)

    def install(self, commit: NewCommit, next_at: datetime | None) -> None:
        """Move to the state after this commit, which was stored."""
        assert commit.version == self.version + 1
        self.version, self.hash, self.ended = commit.version, commit.hash, commit.ended
        self.state, self.drawn, self.next_at = commit.state, commit.drawn, next_at
        self._note(commit.command)
        self._remember()

    def _remember(self) -> None:
        if self.keys:
            self.hashes[self.version] = self.hash
            if self.version > HASHES_MAX:
                self.hashes.pop(self.version - HASHES_MAX, None)

    def _note(self, command: Any) -> None:
        """Remember who plays a seat after this command of the server."""
        match command:
            case SeatReplaced():
                self.stand_ins.add(command.seat)
                if command.forfeits:
                    self.forfeited.add(command.seat)
            case SeatReturned():
                self.stand_ins.discard(command.seat)
            case _:
                pass

    def replay(self, commits: Sequence[StoredCommit]) -> None:
        """Move to the state after these commits by deciding each again. Skips known ones.

        Raises WentBackError if they do not follow this state.
        """
        for commit in commits:
            if commit.version <= self.version:
                continue
            if (commit.version - 1, commit.previous) != self.known:
                raise WentBackError(commit.version - 1)
            body = chain.decode_body(commit.body)
            if body.seat is None:
                command: Any = chain.decode_server_command(body.command)
            else:
                command = self.decode_command(body.command)
            if isinstance(command, Voided):
                self.ended = "voided"
            else:
                step = self._step(self, body.seat, command)
                assert step.draws == body.draws, (
                    f"{self.game}: other draws at version {commit.version}"
                )
                self.state = step.state
                self.drawn += len(step.draws)
                self._note(command)
                if self.rules.result(step.state) is not None:
                    self.ended = "finished"
            self.version, self.hash, self.next_at = commit.version, commit.hash, commit.next_at
            self._remember()

    def snapshot(self) -> StoredSnapshot | None:
        """Return the snapshot to store now, or None while the last one is recent enough."""
        if self.version - self._snapshot_at < SNAPSHOT_EVERY or self.ended:
            return None
        self._snapshot_at = self.version
        fields = self.version, self.hash, self.drawn, _encode(self.state)
        return StoredSnapshot(*fields, self._digest(*fields), self.hash)


class LoadedGames:
    """The games that this process has loaded. It forgets the least recently used first."""

    def __init__(self) -> None:
        self._games: OrderedDict[UUID, LoadedGame] = OrderedDict()
        self._loading: dict[UUID, asyncio.Task[LoadedGame]] = {}
        self._sweep_at = ENDED_MAX

    async def get(self, game: UUID) -> LoadedGame:
        """Return a game, not necessarily at its head. Raises Problem `not_found`."""
        loaded = self.loaded(game)
        if loaded is not None:
            return loaded
        task = self._loading.get(game)
        if task is None:
            task = self._loading[game] = asyncio.create_task(self._load(game))
            task.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(task)

    def loaded(self, game: UUID) -> LoadedGame | None:
        """Return a game that is loaded already, or None."""
        loaded = self._games.get(game)
        if loaded is not None:
            self._games.move_to_end(game)
        return loaded

    async def _load(self, game: UUID) -> LoadedGame:
        rows = await store().game(game)
        loaded = LoadedGame(game, rows)
        if rows.snapshot is not None and loaded.snapshot_read is None:
            log.error("snapshot_dropped", game=str(game), version=rows.snapshot.version)
            await store().drop_snapshot(game, rows.snapshot.version)
        await _replay_stored(loaded, rows.version)
        if rows.has_ended and not loaded.ended and loaded.damaged is None:
            # Else a disclosed seed, which anybody can write, would serve a running game.
            raise AlteredError(f"game {game} has ended by its head, but not by its commits")
        if loaded.state is None and loaded.damaged is not None:
            raise DamagedError(loaded.damaged)
        if loaded.state is None:
            raise Problem("not_found", what="game")
        self._games[game] = loaded
        self._forget_oldest()
        return loaded

    def _forget_oldest(self) -> None:
        """Forget games beyond the limits, except those that are being written."""
        free = (game for game, loaded in self._games.items() if not loaded.lock.is_held)
        for game in list(islice(free, max(0, len(self._games) - LOADED_MAX))):
            del self._games[game]
        if len(self._games) > self._sweep_at:
            ended = [game for game in self._games if self._is_over(game)]
            for game in ended[:-ENDED_MAX]:
                del self._games[game]
            self._sweep_at = len(self._games) + ENDED_MAX

    def _is_over(self, game: UUID) -> bool:
        loaded = self._games[game]
        return bool(loaded.ended) and not loaded.lock.is_held

    def forget(self, game: UUID) -> bool:
        """Forget a game whose state in memory may differ from the stored one. Return whether it was
        loaded."""
        return self._games.pop(game, None) is not None


async def _replay_stored(loaded: LoadedGame, head: int) -> None:
    """Bring a loaded game to the version of its head, or before a damaged commit."""
    while True:
        try:
            commits = await store().commits(loaded.game, loaded.version)
        except DamagedError as damaged:
            loaded.damaged = damaged.version
            return
        loaded.replay(commits)
        if loaded.version >= head or not commits:
            return


loaded_games = one_per_loop(LoadedGames)
"""The loaded games of the running loop."""
