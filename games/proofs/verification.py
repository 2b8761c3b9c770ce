"""Cross-checks of the games' logs against the tables of money and bets."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Subquery
from django.utils import timezone

from accounts import ledger
from accounts.models import Account, Transfer
from games.archive import months
from games.archive.reading import commits_of, opened
from games.live.hubs import decode_events
from games.models import Bet, Commit, Correction, Game, Head, LogEntry, Seat, Settlement
from games.proofs.findings import Finding, differences
from games.proofs.tables import account_findings, genesis_findings, head_findings
from games.proofs.times import time_findings
from games.store import seeds
from games.store.commits import VERSION_MAX
from games.store.registry import rules_for, rules_of
from kit.encryption import AlteredError
from kit.problems import Problem
from railbird_engine import BetPlaced, State
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.histories import Histories
from railbird_engine.audit.log import BEFORE_START, Entry, lost_in
from railbird_engine.audit.replay import Replayed, Stored, replay
from railbird_engine.kernel.bets import rows_of
from railbird_engine.kernel.chain import (
    Genesis,
    decode_genesis,
    entry_hash,
    genesis_hash,
    opened_entry,
    person_commitment,
    start_entries,
)

REVEAL_WITHIN_S = 600


class Verified(NamedTuple):
    """A game, its commits up to the first that diverges, counts of what a check covered, and its
    findings.

    `lost` counts the entries of the public log whose commits were lost when the database was
    restored.
    """

    game: Game
    replayed: Sequence[Replayed]
    draws: int
    transfers: int
    bets: int
    lost: int
    findings: list[Finding]


def verify_game(game_id: UUID) -> Verified:
    """Replay a game from its stored bytes and seed, and compare all rows that it wrote.

    Compares head, purses, transfers, bets and settlements. Raises Problem `not_found`,
    `rules_missing`, `archive_damaged`.
    """
    game = Game.objects.select_related("head", "lobby").filter(id=game_id).first()
    if game is None:
        raise Problem("not_found", what="game")
    with opened([game_id]):
        return _verified(game)


def _verified(game: Game) -> Verified:
    genesis = decode_genesis(bytes(game.genesis))
    rules, _ = rules_for(genesis)
    findings: list[Finding] = []
    replayed: list[Replayed] = []
    try:
        # One by one, to keep the commits before a divergence.
        for commit in replay(
            rules,
            bytes(game.genesis),
            _stored_seed(game),
            _stored_commits(game),
            settings.LOG_ORIGIN,
        ):
            replayed.append(commit)  # noqa: PERF402
    except DivergenceError as diverged:
        findings.append(
            Finding(
                f"version {diverged.version}: {diverged.field}", diverged.expected, diverged.found
            )
        )
    else:
        findings += _head_findings(game, replayed)
    entries = _log_entries(game)
    lost = lost_in(entry for _, entry in entries)
    findings += _log_findings(game, genesis, entries, lost)
    findings += _mark_findings(game.head, entries)
    findings += genesis_findings(game, genesis)
    findings += _people_findings(game, genesis)
    findings += _row_findings(game, replayed)
    findings += time_findings(game, rules, replayed, entries)
    findings += _ahead_findings(game)
    if replayed:
        findings += head_findings(game, rules, genesis, replayed)
        findings += account_findings(game, rules, [*replayed[-1].state.purses])
        findings += purse_findings(game.id, replayed[-1].state)
    return Verified(
        game=game,
        replayed=replayed,
        draws=sum(len(commit.body.draws) for commit in replayed),
        transfers=sum(len(commit.body.transfers) for commit in replayed),
        bets=Bet.objects.filter(game=game).count(),
        lost=len(lost),
        findings=findings,
    )


def _stored_seed(game: Game) -> bytes:
    """Return the seed of a game. Raises DivergenceError if it was changed, Problem
    `seed_key_missing`."""
    try:
        return seeds.seed_of(game.lobby)
    except AlteredError as error:
        raise DivergenceError(0, "seed", "the published one", error) from error


def _stored_commits(game: Game) -> Iterator[Stored]:
    """Yield the log of a game from the database or the archive, in order."""
    archived = commits_of(game.id, 0, VERSION_MAX)
    if archived:
        yield from (Stored(each.version, each.seat, each.body, each.hash) for each in archived)
        return
    rows = (
        Commit.objects.filter(game=game)
        .order_by("version")
        .values_list("version", "seat", "body", "hash")
    )
    for version, seat, body, hash_ in rows.iterator(chunk_size=2000):
        yield Stored(version, seat, bytes(body), bytes(hash_))


def _log_entries(game: Game) -> list[tuple[int, Entry]]:
    """Return the entries of the public log about this game, each with its index."""
    rows = LogEntry.objects.filter(name=game.log_name).order_by("index")
    return [(index, Entry.decode(bytes(row))) for index, row in rows.values_list("index", "entry")]


def _log_findings(
    game: Game,
    genesis: Genesis,
    entries: Sequence[tuple[int, Entry]],
    lost: Collection[Entry],
) -> Iterator[Finding]:
    """Every entry of the public log about this game, against the entries before and, unless its
    commit was lost, against the genesis or the stored commit of its version."""
    hashes = dict(Commit.objects.filter(game=game).values_list("version", "hash"))
    hashes[0] = genesis_hash(bytes(game.genesis))
    starts = {each[0]: each for each in start_entries(genesis) if each is not None}
    history = Histories(reads_all=False)
    for index, entry in entries:
        try:
            history.take(entry)
        except DivergenceError as diverged:
            what = f"log entry {index}: {diverged.field}"
            yield Finding(what, diverged.expected, diverged.found)
        if entry in lost:
            continue
        if entry.kind in BEFORE_START:
            if (again := starts.get(entry.kind)) != entry.encode():
                yield Finding(f"log entry {index}", entry.encode().hex(), again and again.hex())
            continue
        found = hashes.get(entry.version)
        if found is None or bytes(found) != entry.hash:
            what = f"version {entry.version}: log entry {index}"
            yield Finding(what, entry.hash.hex(), found and bytes(found).hex())


def _mark_findings(head: Head, entries: Sequence[tuple[int, Entry]]) -> Iterator[Finding]:
    """Report a head that is marked as sealed, and is not: the sealer passes it over."""
    sealed = entries[-1][1].version if entries else None
    if head.sealed and (sealed is None or sealed < head.version):
        yield Finding("sealed version of the head", head.version, sealed)


def _people_findings(game: Game, genesis: Genesis) -> Iterator[Finding]:
    """Every seat with a salt, against the commitment to its user and the link in the genesis."""
    opened = entry_hash(opened_entry(genesis))
    people = dict(enumerate(genesis.people))
    seats = Seat.objects.filter(lobby=game.lobby_id, salt__isnull=False, user__isnull=False)
    columns = ("number", "salt", "user", "link")
    for number, salt, user, link in seats.order_by("number").values_list(*columns):
        found = person_commitment(opened, number, bytes(salt or b""), user).hex()
        if found != people.get(number):
            yield Finding(f"person in seat {number}", people.get(number), found)
        if number in people and genesis.rows[number].link != bytes(link or b"").hex():
            yield Finding(f"link in seat {number}", genesis.rows[number].link, link and link.hex())


def _head_findings(game: Game, replayed: list[Replayed]) -> Iterator[Finding]:
    head = game.head
    if head.version != len(replayed):
        yield Finding("head version", len(replayed), head.version)
        return
    last = Commit.objects.get(game=game, version=head.version)
    if bytes(head.hash) != bytes(last.hash):
        yield Finding("head hash", bytes(last.hash).hex(), bytes(head.hash).hex())
    waited = (timezone.now() - head.ended_at).total_seconds() if head.ended_at else 0
    if head.ended and not head.settled and waited > REVEAL_WITHIN_S:
        yield Finding(
            "payout and reveal",
            f"within {REVEAL_WITHIN_S} s of the end",
            f"still due after {waited:.0f} s",
        )


def _row_findings(game: Game, replayed: list[Replayed]) -> Iterator[Finding]:
    """Compare the rows that the commits should have written with those in the tables."""
    users = dict(Seat.objects.filter(lobby=game.lobby).values_list("number", "user_id"))
    accounts = dict(Account.objects.filter(book=game.id).values_list("key", "id"))
    transfers, bets, settled, corrected = [], [], [], []
    open_bets: set[int] = set()
    drawn = 0
    rules = rules_of(game.slug, game.rules_version)
    for commit in replayed:
        drawn += len(commit.body.draws)
        for position, (source, target, amount, reason) in enumerate(
            (t.source, t.target, t.amount, t.reason) for t in commit.body.transfers
        ):
            transfers.append(
                (
                    commit.version,
                    position,
                    accounts.get(source),
                    accounts.get(target),
                    amount,
                    reason,
                )
            )
        events = decode_events(rules, commit.body.events)
        placed, results = rows_of(events)
        bets += [
            (
                row.bet,
                commit.version,
                row.seat,
                users.get(row.seat),
                row.spot,
                row.stake,
                row.odds,
                drawn,
            )
            for row in placed
        ]
        open_bets |= {event.bet for event in events if isinstance(event, BetPlaced)}
        corrected += [
            (row.bet, commit.version, row.payout) for row in results if row.bet not in open_bets
        ]
        first = [row for row in results if row.bet in open_bets]
        open_bets -= {row.bet for row in first}
        settled += [(row.bet, commit.version, row.outcome, row.payout, drawn) for row in first]
    until = len(replayed)
    in_game = Transfer.objects.filter(cause=game.id, number__gt=0, number__lte=until).order_by(
        "number", "position"
    )
    found = list(
        in_game.values_list("number", "position", "debit_id", "credit_id", "amount", "reason")
    )
    yield from differences("transfer", transfers, found)
    rows = Bet.objects.filter(game=game, version__lte=until).order_by("number")
    columns = ("number", "version", "seat", "user_id", "spot", "stake", "odds", "drawn")
    yield from differences("bet", sorted(bets), list(rows.values_list(*columns)))
    outcomes = Settlement.objects.filter(game=game, version__lte=until).order_by("number")
    found_results = list(outcomes.values_list("number", "version", "outcome", "payout", "drawn"))
    yield from differences("settlement", sorted(settled), found_results)
    again = Correction.objects.filter(game=game, version__lte=until).order_by("number")
    yield from differences(
        "correction", sorted(corrected), list(again.values_list("number", "version", "payout"))
    )


def _ahead_findings(game: Game) -> Iterator[Finding]:
    """Report rows of versions that the log does not have.

    One statement writes a commit and its rows, so there should be none.
    """
    head = Subquery(Game.objects.filter(id=game.id).values("head__version"))
    for what, rows in (
        (
            "transfer",
            Transfer.objects.filter(cause=game.id, number__gt=head).values_list(
                "number", flat=True
            ),
        ),
        ("bet", Bet.objects.filter(game=game, version__gt=head).values_list("version", flat=True)),
        (
            "settlement",
            Settlement.objects.filter(game=game, version__gt=head).values_list(
                "version", flat=True
            ),
        ),
        (
            "correction",
            Correction.objects.filter(game=game, version__gt=head).values_list(
                "version", flat=True
            ),
        ),
    ):
        for version in rows:
            yield Finding(f"{what} of version {version}", None, "a row")


def purse_findings(game_id: UUID, state: State) -> Iterator[Finding]:
    """Report purses of a state that differ from the balances of their accounts."""
    balances = {account.key: account.balance for account in Account.objects.filter(book=game_id)}
    for purse, held in state.purses.items():
        if balances.get(purse) != held:
            yield Finding(f"game {game_id}, purse {purse}", held, balances.get(purse))


def ledger_findings() -> Iterator[Finding]:
    """Report accounts that differ from their transfers, units that do not sum to zero, and changes
    to what stays of detached months."""
    for divergence in (*ledger.divergences(), *months.divergences()):
        yield Finding(divergence.what, divergence.expected, divergence.found)
