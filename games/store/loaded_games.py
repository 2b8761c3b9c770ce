"""Games as this process knows them: a state at a version, built from the stored commits, and the
next entry from it."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from accounts.ledger import Posting
from games.audit import chain
from games.audit.replay import step_from
from games.engine import (
    BetPlaced,
    BetSettled,
    BetVoided,
    Event,
    Seat,
    SeededChance,
    State,
    Step,
    Transfer,
)
from games.engine.server import Paused, SeatReplaced, SeatReturned, Ticked, Voided
from games.store.commits import BetRow, Entry, Opened, Record, SettlementRow, store
from games.store.registry import rules_for
from kit.event_loop import one_per_loop
from kit.problems import Problem

TABLES_MAX: Final = 20_000
SNAPSHOT_EVERY: Final = 200

_encode = msgspec.json.Encoder().encode


class Decided(NamedTuple):
    """A step that was decided but is not stored yet: the entry to append, and where the game stands
    if it is taken."""

    entry: Entry
    state: State
    drawn: int
    events: tuple[Event, ...]


class Table:
    """One game at this process. The state is replaced, never changed, so anybody on the loop may
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
        self._key = chain.game_key(opened.seed, opened.genesis)
        self._accounts = opened.accounts
        self._kept = 0
        self._command = msgspec.json.Decoder(self.rules.command_type).decode
        if opened.snapshot is not None:
            self.version, self.hash, self.drawn, state = opened.snapshot
            self.state = msgspec.json.decode(state, type=self.rules.state_type)
            self._kept = self.version

    def chance(self) -> SeededChance:
        """The luck of the next step."""
        return SeededChance(self._key, self.drawn)

    def decide(self, seat: Seat | None, command: Any, command_id: UUID | None = None) -> Decided:
        """What follows from a command, or from one of the server's own. Raises RuleViolation."""
        step = self._step(seat, command)
        entry = self._entry(seat, command, command_id, step)
        return Decided(entry, step.state, entry.drawn, step.events)

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
            bets=[
                BetRow(
                    event.bet,
                    event.seat,
                    self.users.get(event.seat),
                    event.spot,
                    event.stake,
                    event.odds,
                )
                for event in step.events
                if isinstance(event, BetPlaced) and event.only is None
            ],
            settlements=settlements(step.events),
            postings=[self._posting(transfer) for transfer in step.transfers],
        )

    def void(self, command: Voided, events: Sequence[Event]) -> Entry:
        """The entry that calls the game off. The state stays as it was."""
        version = self.version + 1
        body = chain.encode_body(self._key, version, None, command, (), tuple(events), ())
        return Entry(
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
            bets=(),
            settlements=settlements(events),
            postings=(),
        )

    def _posting(self, transfer: Transfer) -> Posting:
        source, target = self._accounts[transfer.source], self._accounts[transfer.target]
        return Posting(source, target, transfer.amount, transfer.reason)

    def install(self, decided: Decided) -> None:
        """The entry was taken: stand after it."""
        entry = decided.entry
        assert entry.version == self.version + 1
        self.version, self.hash, self.ended = entry.version, entry.hash, entry.ended
        self.state, self.drawn = decided.state, decided.drawn

    def note(self, command: Any) -> None:
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
                command = self._command(body.command)
            if isinstance(command, Voided):
                self.ended = "voided"
            else:
                step = self._step(None if record.seat is None else Seat(record.seat), command)
                assert step.draws == body.draws, (
                    f"{self.game}: version {record.version} draws otherwise"
                )
                self.state = step.state
                self.drawn += len(step.draws)
                self.note(command)
                if self.rules.result(step.state) is not None:
                    self.ended = "finished"
            self.version, self.hash = record.version, record.hash

    def snapshot(self) -> tuple[UUID, int, bytes, int, bytes] | None:
        """What to keep of this table, when the last time is long enough ago."""
        if self.version - self._kept < SNAPSHOT_EVERY or self.ended:
            return None
        self._kept = self.version
        return self.game, self.version, self.hash, self.drawn, _encode(self.state)


def settlements(events: Sequence[Event]) -> list[SettlementRow]:
    """The rows for the bets that these events settle or void. What some seats may not read is not a
    row yet."""
    rows = []
    for event in events:
        match event:
            case BetSettled(only=None):
                rows.append(SettlementRow(event.bet, event.outcome, event.payout))
            case BetVoided(only=None):
                rows.append(SettlementRow(event.bet, "void", event.payout))
            case _:
                pass
    return rows


class Tables:
    """The tables of this process, the least recently used forgotten first."""

    def __init__(self) -> None:
        self._tables: OrderedDict[UUID, Table] = OrderedDict()
        self._opening: dict[UUID, asyncio.Task[Table]] = {}

    async def get(self, game: UUID) -> Table:
        """The table of a game, not necessarily at its head. Raises Problem `not_found`."""
        table = self._tables.get(game)
        if table is not None:
            self._tables.move_to_end(game)
            return table
        task = self._opening.get(game)
        if task is None:
            task = self._opening[game] = asyncio.create_task(self._open(game))
            task.add_done_callback(lambda _: self._opening.pop(game, None))
        return await asyncio.shield(task)

    async def _open(self, game: UUID) -> Table:
        table = Table(game, await store().open(game))
        table.replay(await store().commits(game, table.version))
        if table.state is None:
            raise Problem("not_found", what="game")
        self._tables[game] = table
        while len(self._tables) > TABLES_MAX:
            self._forget_oldest()
        return table

    def _forget_oldest(self) -> None:
        for game, table in self._tables.items():
            if not table.lock.locked():
                del self._tables[game]
                return

    def forget(self, game: UUID) -> None:
        """Build this table anew the next time: what it knows may not be what is stored."""
        self._tables.pop(game, None)


tables = one_per_loop(Tables)
"""The tables of the running loop."""
