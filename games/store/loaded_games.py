"""Games as this process knows them: a state at a version, built from the stored commits, and the
next entry from it."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from accounts.ledger import Posting
from games.engine import (
    Event,
    Seat,
    SeededChance,
    State,
    Step,
    Transfer,
    chain,
)
from games.engine.bets import rows_of
from games.engine.server import Paused, SeatReplaced, SeatReturned, Ticked, Voided
from games.engine.stepping import step_from
from games.store.commits import Entry, Opened, Record, store
from games.store.registry import rules_for
from kit.event_loop import one_per_loop
from kit.problems import Problem

LOADED_MAX: Final = 20_000
SNAPSHOT_EVERY: Final = 200

_encode = msgspec.json.Encoder().encode


class Decided(NamedTuple):
    """A step that was decided but is not stored yet: the entry to append, and where the game stands
    if it is taken."""

    entry: Entry
    command: Any
    state: State | None
    drawn: int
    events: tuple[Event, ...]


class LoadedGame:
    """One game as this process knows it. The state is replaced, never changed, so any coroutine may
    read it."""

    def __init__(self, game: UUID, opened: Opened) -> None:
        self.game = game
        genesis = chain.decode_genesis(opened.genesis)
        self.rules, self.options = rules_for(genesis)
        self.seats = genesis.seats
        self.users = opened.users
        self.seat_of = {user: Seat(seat) for seat, user in opened.users.items()}
        self.bots = opened.bots
        self.spectators = opened.spectators
        self.lobby = opened.lobby
        # As the head knows them, which may be ahead of the state: catching up says the same again.
        self.stand_ins = set(opened.stand_ins)
        self.forfeited = set(opened.forfeited)
        self.lock = asyncio.Lock()
        self.version = 0
        self.hash = chain.genesis_hash(opened.genesis)
        self.drawn = 0
        self.state: State | None = None
        self.ended = ""
        self.next_at = opened.next_at
        """When the clock acts next."""
        self._key = chain.game_key(opened.seed, opened.genesis)
        self._accounts = opened.accounts
        self._kept = 0
        self.decode_command = msgspec.json.Decoder(self.rules.command_type).decode
        if opened.snapshot is not None:
            self.version, self.hash, self.drawn, state = opened.snapshot
            self.state = msgspec.json.decode(state, type=self.rules.state_type)
            self._kept = self.version

    def chance(self) -> SeededChance:
        """The luck of the next step."""
        return SeededChance(self._key, self.drawn)

    def decide(
        self,
        seat: Seat | None,
        command: Any,
        command_id: UUID | None = None,
        not_after: datetime | None = None,
    ) -> Decided:
        """Decide what follows from a command, or from one of the server's own. Raises
        RuleViolation."""
        step = self._step(seat, command)
        entry = self._entry(seat, command, command_id, step)._replace(not_after=not_after)
        return Decided(entry, command, step.state, entry.drawn, step.events)

    def _step(self, seat: Seat | None, command: Any) -> Step[Any]:
        return step_from(
            self.rules, self.seats, self.options, self.state, seat, command, self.chance()
        )

    def _entry(
        self, seat: Seat | None, command: Any, command_id: UUID | None, step: Step[Any]
    ) -> Entry:
        version = self.version + 1
        body = chain.encode_body(
            self._key, version, seat, command, step.draws, step.events, step.transfers
        )
        alarm = self.rules.alarm(step.state)
        bets, settlements = rows_of(step.events)
        return Entry(
            game=self.game,
            version=version,
            seat=seat,
            command_id=command_id,
            body=body,
            hash=chain.commit_hash(self.hash, version, chain.body_digest(body)),
            alarm=None if alarm is None else alarm.number,
            after_ms=None if alarm is None else max(1.0, alarm.after.total_seconds() * 1000),
            answers=command.alarm if isinstance(command, Ticked | Paused) else None,
            ended="finished" if self.rules.result(step.state) is not None else "",
            drawn=self.drawn + len(step.draws),
            not_after=None,
            bets=bets,
            settlements=settlements,
            postings=[self._posting(transfer) for transfer in step.transfers],
            users=self.users,
        )

    def void(self, command: Voided, events: tuple[Event, ...]) -> Decided:
        """Decide to void the game, without asking its rules. The state stays as it was."""
        version = self.version + 1
        body = chain.encode_body(self._key, version, None, command, (), events, ())
        entry = Entry(
            game=self.game,
            version=version,
            seat=None,
            command_id=None,
            body=body,
            hash=chain.commit_hash(self.hash, version, chain.body_digest(body)),
            alarm=None,
            after_ms=None,
            answers=None,
            ended="voided",
            drawn=self.drawn,
            not_after=None,
            bets=(),
            settlements=rows_of(events)[1],
            postings=(),
            users=self.users,
        )
        return Decided(entry, command, self.state, self.drawn, events)

    def _posting(self, transfer: Transfer) -> Posting:
        source, target = self._accounts[transfer.source], self._accounts[transfer.target]
        return Posting(source, target, transfer.amount, transfer.reason)

    def install(self, decided: Decided, next_at: datetime | None) -> None:
        """The entry was taken: stand after it."""
        entry = decided.entry
        assert entry.version == self.version + 1
        self.version, self.hash, self.ended = entry.version, entry.hash, entry.ended
        self.state, self.drawn, self.next_at = decided.state, decided.drawn, next_at
        self._note(decided.command)

    def _note(self, command: Any) -> None:
        """Remember who plays a seat from this command of the server on."""
        match command:
            case SeatReplaced():
                self.stand_ins.add(command.seat)
                if command.forfeits:
                    self.forfeited.add(command.seat)
            case SeatReturned():
                self.stand_ins.discard(command.seat)
            case _:
                pass

    def replay(self, records: Sequence[Record]) -> None:
        """Stand after these commits, by deciding again what others decided. Those already known are
        passed over."""
        for record in records:
            if record.version <= self.version:
                continue
            assert record.version == self.version + 1, (
                f"{self.game}: {self.version} is followed by {record.version}"
            )
            body = chain.decode_body(record.body)
            if record.seat is None:
                command: Any = chain.decode_server_command(body.command)
            else:
                command = self.decode_command(body.command)
            if isinstance(command, Voided):
                self.ended = "voided"
            else:
                step = self._step(None if record.seat is None else Seat(record.seat), command)
                assert step.draws == body.draws, (
                    f"{self.game}: version {record.version} draws otherwise"
                )
                self.state = step.state
                self.drawn += len(step.draws)
                self._note(command)
                if self.rules.result(step.state) is not None:
                    self.ended = "finished"
            self.version, self.hash, self.next_at = record.version, record.hash, record.next_at

    def skip(self, records: Sequence[Record]) -> None:
        """Stand after these commits without asking the rules: the state stays behind."""
        for record in records:
            self.drawn += len(chain.decode_body(record.body).draws)
            self.version, self.hash, self.next_at = record.version, record.hash, record.next_at

    def snapshot(self) -> tuple[UUID, int, bytes, int, bytes] | None:
        """Return the snapshot to store now, or None while the last one is recent enough."""
        if self.version - self._kept < SNAPSHOT_EVERY or self.ended:
            return None
        self._kept = self.version
        return self.game, self.version, self.hash, self.drawn, _encode(self.state)


class LoadedGames:
    """The games that this process has loaded; the least recently used are forgotten first."""

    def __init__(self) -> None:
        self._games: OrderedDict[UUID, LoadedGame] = OrderedDict()
        self._opening: dict[UUID, asyncio.Task[LoadedGame]] = {}

    async def get(self, game: UUID) -> LoadedGame:
        """Return a game, not necessarily at its head. Raises Problem `not_found`."""
        loaded = self._games.get(game)
        if loaded is not None:
            self._games.move_to_end(game)
            return loaded
        task = self._opening.get(game)
        if task is None:
            task = self._opening[game] = asyncio.create_task(self._open(game))
            task.add_done_callback(lambda _: self._opening.pop(game, None))
        return await asyncio.shield(task)

    async def _open(self, game: UUID) -> LoadedGame:
        loaded = LoadedGame(game, await store().open(game))
        loaded.replay(await store().commits(game, loaded.version))
        if loaded.state is None:
            raise Problem("not_found", what="game")
        self._games[game] = loaded
        while len(self._games) > LOADED_MAX:
            self._forget_oldest()
        return loaded

    def _forget_oldest(self) -> None:
        for game, loaded in self._games.items():
            if not loaded.lock.locked():
                del self._games[game]
                return

    def forget(self, game: UUID) -> None:
        """Load this game again the next time: what is known of it may not be what is stored."""
        self._games.pop(game, None)


loaded_games = one_per_loop(LoadedGames)
"""The loaded games of the running loop."""
