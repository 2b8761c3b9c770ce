"""The rows of a lobby and its game, against the terms, the genesis and the public log."""

from collections.abc import Iterator, Sequence
from uuid import UUID

import msgspec
from django.conf import settings

from accounts import ledger
from accounts.models import Account
from games.lobbies.attempts import table_of
from games.models import AbandonedAttempt, Commit, Game, Head, Lobby, LogEntry, PendingEntry, Seat
from games.proofs.findings import Finding, differences, unequal
from games.store.registry import needed_by
from railbird_engine import BANK, AnyRules
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.evidence import check_dice
from railbird_engine.audit.log import HASH_LENGTH
from railbird_engine.audit.replay import Replayed
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind
from railbird_engine.kernel.server_commands import SeatReplaced, SeatReturned, Voided


def lobby_findings(lobby: Lobby) -> Iterator[Finding]:
    """Report columns of a lobby that differ from its terms, and terms that the log does not have
    as they are."""
    what = f"lobby {lobby.id}"
    try:
        terms = chain.decode_terms(bytes(lobby.terms))
        options = msgspec.json.decode(terms.options)
    except chain.MALFORMED as error:
        yield Finding(f"{what}: terms", "the terms of a game", error)
        return
    yield from unequal(f"{what}: rules", terms.rules, lobby.slug)
    yield from unequal(f"{what}: options", options, lobby.options)
    yield from unequal(f"{what}: hash of the seed", terms.seed_hash, lobby.seed_hash)
    yield from unequal(f"{what}: log name", terms.name, lobby.log_name)
    if lobby.seed is not None:
        found = chain.seed_hash(bytes(lobby.seed))
        yield from unequal(f"{what}: seed", terms.seed_hash, found)
    opened = _logged(lobby.log_name, Kind.OPENED)
    again = chain.opened_entry(terms)
    yield from unequal(f"{what}: opening in the log", opened and opened.hex(), again.hex())
    started = Game.objects.filter(lobby=lobby).exists()
    yield from unequal(f"{what}: started", started, lobby.status == Lobby.Status.STARTED)
    table = chain.decode_table(terms.table)
    again_table = msgspec.structs.replace(table_of(lobby), witnesses=table.witnesses)
    yield from unequal(f"{what}: table", table, again_table)
    yield from _attempt_findings(lobby, terms)


def _attempt_findings(lobby: Lobby, terms: chain.Terms) -> Iterator[Finding]:
    """Report abandoned attempts that do not lead to the last one, by their entries in the log."""
    rows = AbandonedAttempt.objects.filter(lobby=lobby).order_by("number")
    what = f"lobby {lobby.id}: abandoned attempt"
    attempts = list(rows)
    numbers = [(attempt.number,) for attempt in attempts]
    yield from differences(f"{what}s", [(number,) for number in range(len(attempts))], numbers)
    ended = bytes(HASH_LENGTH)
    for attempt in attempts:
        opened = _logged(attempt.name, Kind.OPENED)
        closed = _logged(attempt.name, Kind.ABANDONED)
        yield from unequal(
            f"{what} {attempt.number}: the one before", ended, opened and opened[-HASH_LENGTH:]
        )
        ended = bytes(HASH_LENGTH) if closed is None else chain.entry_hash(closed)
    last = bytes(HASH_LENGTH) if terms.abandoned is None else bytes.fromhex(terms.abandoned)
    yield from unequal(f"{what}s: the last one", ended, last)


def _logged(name: UUID, kind: Kind) -> bytes | None:
    """Return the first entry of a name of this kind, sealed or not yet."""
    sealed = LogEntry.objects.filter(name=name, kind=kind).order_by("place")
    pending = PendingEntry.objects.filter(name=name).order_by("id")
    found = [*sealed.values_list("entry", flat=True), *pending.values_list("entry", flat=True)]
    return next((bytes(entry) for entry in found if bytes(entry)[0] == kind), None)


def genesis_findings(game: Game, genesis: chain.Genesis) -> Iterator[Finding]:
    """Report columns of a game, and seats, that differ from its genesis."""
    yield from unequal("game in the genesis", genesis.game, game.id)
    yield from unequal("rules of the game", genesis.rules, game.slug)
    yield from unequal("version of the rules", genesis.rules_version, game.rules_version)
    yield from unequal("log name of the game", genesis.name, game.log_name)
    lobby = chain.decode_terms(bytes(game.lobby.terms))
    yield from unequal("terms of the lobby", chain.terms_hash(genesis), chain.terms_hash(lobby))
    seats = Seat.objects.filter(lobby=game.lobby_id).order_by("number")
    found = [(number, user is not None) for number, user in seats.values_list("number", "user")]
    people = [(number, person is not None) for number, person in enumerate(genesis.people)]
    yield from differences("seat", people, found)
    entries = chain.start_entries(genesis)
    try:
        check_dice(genesis, chain.decode_table(genesis.table), entries, settings.LOG_ORIGIN)
    except DivergenceError as diverged:
        yield Finding(diverged.field, diverged.expected, diverged.found)
    except chain.MALFORMED as error:
        yield Finding("table of the terms", "the terms of a table", error)


def account_findings(game: Game, rules: AnyRules, purses: Sequence[str]) -> Iterator[Finding]:
    """Report accounts of a game that are not those of its purses."""
    expected = [
        (purse, rules.unit, ledger.UNLIMITED if purse == BANK else 0, None)
        for purse in sorted(map(str, purses))
    ]
    rows = Account.objects.filter(book=game.id).values_list("key", "unit", "overdraft", "owner")
    yield from differences("account", expected, sorted(rows))


def head_findings(
    game: Game, rules: AnyRules, genesis: chain.Genesis, replayed: Sequence[Replayed]
) -> Iterator[Finding]:
    """Report columns of the head that do not follow from the commits."""
    head = game.head
    yield from unequal("rules of the head", needed_by(genesis), head.rules)
    stand_ins, forfeited, ended_in, ended = set[int](), set[int](), 0, Head.Ended.NO
    for commit in replayed:
        match commit.command:
            case SeatReplaced(seat=seat):
                stand_ins.add(seat)
                forfeited |= {seat} if commit.command.forfeits else set()
            case SeatReturned(seat=seat):
                stand_ins.discard(seat)
        if isinstance(commit.command, Voided):
            ended_in, ended = commit.version, Head.Ended.VOIDED
        elif not ended_in and commit.body.ranking is not None:
            ended_in, ended = commit.version, Head.Ended.FINISHED
    bots = genesis.people.count(None) + len(stand_ins)
    yield from unequal("stand-ins of the head", sorted(stand_ins), head.stand_ins)
    yield from unequal("forfeits of the head", sorted(forfeited), head.forfeited)
    yield from unequal("bots of the head", bots, head.bots)
    yield from unequal("end of the head", ended, head.ended)
    at = Commit.objects.filter(game=game, version=ended_in).values_list("at", flat=True).first()
    yield from unequal("time of the end", at, head.ended_at)
    alarm = rules.alarm(replayed[-1].state)
    awaited = None if ended or alarm is None else alarm.number
    yield from unequal("alarm of the head", awaited, head.alarm)
