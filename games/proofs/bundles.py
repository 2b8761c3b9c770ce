"""Bundles and receipts: files for auditors, built from the tables.

The newest checkpoint proves their content.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import QuerySet, Sum
from django.db.models.functions import Length

from accounts.models import BETWEEN_BOOKS, Account, Transfer
from games.archive.reading import archived_among, opened, read
from games.archive.records import COMMITS, TRANSFERS, Row, Rows, stored_rows
from games.log import tiles
from games.models import AbandonedAttempt, Bet, Commit, Correction, Game, LogEntry, Settlement
from games.reads import signing_log
from games.store import seeds
from games.store.commits import DamagedError, store
from kit import event_loop
from kit.problems import Problem
from railbird_engine import Purse
from railbird_engine import Transfer as Moved
from railbird_engine.audit import bundle, merkle
from railbird_engine.audit.log import HASH_LENGTH, Entry
from railbird_engine.kernel import chain
from railbird_engine.kernel.bets import BetRow, SettlementRow
from railbird_engine.kernel.chain import Kind

COMMITS_PER_QUERY: Final = 1000
VERSION, BODY, HASH = (COMMITS.columns.index(name) for name in ("version", "body", "hash"))
KINDS: Final[dict[Kind, bundle.LoggedKind]] = {
    Kind.ADVANCED: "advanced",
    Kind.FINISHED: "finished",
    Kind.VOIDED: "voided",
    Kind.DIVERGED: "diverged",
    Kind.RESTORED: "restored",
}
STARTS: Final = (Kind.OPENED, Kind.COMMITTED, Kind.REVEALED, Kind.STARTED)
RECEIPT_MAX: Final = bundle.LINE_MAX // 2
"""The most bytes of commits in a receipt, which is one line with the commits in base64."""


def bundled(games: Sequence[Game], *, since: int | None = None) -> Iterator[bytes]:
    """Return a bundle of these games, in parts. All checks run before the first part.

    Raises Problem `game_not_ended`, `not_sealed`, `malformed`, `archive_damaged`, DamagedError. A
    game that is corrected or archived meanwhile ends the parts early with Problem `busy`, and one
    with a damaged row with DamagedError.
    """
    for game in games:
        _check_ended(game)
    for place in archived_among([game.id for game in games]):
        read(place)
    proofs = Proofs(since)
    last = {game.id: _last_entry(game, proofs) for game in games}
    for game in games:
        if game.head.damaged is not None and not last[game.id].is_diverged:
            raise DamagedError(game.head.damaged, game.id)

    def parts() -> Iterator[bytes]:
        signers = tuple(proofs.signers())
        yield bundle.line(bundle.Bundle(log=proofs.signed, games=len(games), signers=signers))
        for game in games:
            if places := archived_among([game.id]):
                yield _archived_parts(game, read(places[0]).rows, proofs, last[game.id])
            else:
                yield from _game_parts(game, proofs, last[game.id])

    return parts()


class Bundles:
    """Bundles of single games from their rows. All refer to the newest checkpoint.

    Raises Problem `game_not_ended`, `not_sealed`.
    """

    def __init__(self) -> None:
        self._proofs = Proofs(None)
        signers = tuple(self._proofs.signers())
        first = bundle.Bundle(log=self._proofs.signed, games=1, signers=signers)
        self._first = bundle.line(first)

    def of(self, game: Game, rows: Rows) -> bytes:
        """Return the bundle of a game."""
        _check_ended(game)
        last = _last_entry(game, self._proofs)
        return self._first + _archived_parts(game, rows, self._proofs, last)


def _check_ended(game: Game) -> None:
    if not game.head.ended:
        raise Problem("game_not_ended", game=str(game.id))


def receipt(game: Game, number: int, *, since: int | None = None) -> bundle.Receipt:
    """Return the receipt of a bet.

    After the end of the game it covers everything up to the game's last entry in the log, so that
    no event of the bet can be left out. During the game it contains digests in place of the
    commits' content. Raises Problem `not_found`, `not_sealed`, `receipt_too_long`, `malformed`,
    `archive_damaged`.
    """
    with opened([game.id]):
        return _receipt(game, number, since=since)


def _receipt(game: Game, number: int, *, since: int | None) -> bundle.Receipt:
    bet = Bet.objects.filter(game=game, number=number).first()
    if bet is None:
        raise Problem("not_found", what="bet")
    proofs = Proofs(since)
    last = _last_entry(game, proofs) if game.head.ended else _next_entry(game, bet.version, proofs)
    entry = last.entry
    before = (
        Commit.objects.filter(game=game, version=bet.version - 1)
        .values_list("hash", flat=True)
        .first()
    )
    commits = Commit.objects.filter(
        game=game, version__range=(bet.version, entry.version)
    ).order_by("version")
    previous = chain.genesis_hash(bytes(game.genesis)) if before is None else bytes(before)
    common = bundle.Receipt(
        log=proofs.signed,
        game=game.id,
        genesis=bytes(game.genesis),
        **_start(game, proofs),
        version=bet.version,
        bet=BetRow(bet.number, bet.seat, bet.spot, bet.stake, bet.odds),
        previous=previous,
        entry=proofs.of(last.at),
    )
    rows = list(_bounded(commits).values_list(*COMMITS.columns))
    if not last.is_diverged:
        _check(game, rows, bet.version - 1, previous)
    bodies = (bytes(row[BODY]) for row in rows)
    if not game.head.ended:
        return msgspec.structs.replace(common, digests=tuple(map(chain.body_digest, bodies)))
    return msgspec.structs.replace(
        common,
        how="voided" if entry.kind is Kind.VOIDED else "finished",
        seed=last.seed_of(game),
        bodies=tuple(bodies),
        outcomes=tuple(bundle.Outcome(*row) for row in _outcomes(game, number, entry.version)),
    )


def _bounded(commits: QuerySet[Commit]) -> QuerySet[Commit]:
    """Return these commits if they fit into a receipt. Raises Problem `receipt_too_long`."""
    length = commits.aggregate(length=Sum(Length("body")))["length"] or 0
    if length > RECEIPT_MAX:
        raise Problem("receipt_too_long", most=RECEIPT_MAX)
    return commits


def _outcomes(game: Game, number: int, until: int) -> Iterable[tuple[int, str, int]]:
    """Yield the settlement of a bet, and its correction if there is one."""
    of_bet = {"game": game, "number": number, "version__lte": until}
    yield from Settlement.objects.filter(**of_bet).values_list("version", "outcome", "payout")
    for version, payout in Correction.objects.filter(**of_bet).values_list("version", "payout"):
        yield version, "void", payout


class Proofs:
    """Proofs against the newest checkpoint.

    Raises Problem `not_sealed` before the first checkpoint, `malformed` if `since` exceeds its
    size.
    """

    def __init__(self, since: int | None) -> None:
        sealed = tiles.published()
        if sealed is None:
            raise Problem("not_sealed")
        self.size = sealed.checkpoint.size
        if since is not None and since > self.size:
            raise Problem("malformed", path="$.since", reason=f"the log has {self.size} entries")
        self.sealed = sealed
        self._node = tiles.node_at(self.size)
        path = (
            None
            if since is None
            else bundle.Since(since, tuple(merkle.consistency_proof(self._node, since, self.size)))
        )
        self.signed = bundle.Signed(
            checkpoint=sealed.note,
            keys=tuple(tiles.verifiers()),
            since=path,
        )

    def signers(self) -> Iterator[bundle.Signer]:
        """Yield all entries that name keys of acknowledgements."""
        for index, entry in signing_log.signers(self.size):
            yield bundle.Signer(entry, self.of(index))

    def of(self, index: int) -> bundle.Proof:
        """Return the inclusion proof of an entry. Raises Problem `not_sealed`."""
        if index >= self.size:
            raise Problem("not_sealed")
        return bundle.Proof(index, tuple(merkle.inclusion_proof(self._node, index, self.size)))


class _Logged(NamedTuple):
    """The entry of the log up to which a file covers a game, and its index."""

    at: int
    entry: Entry

    @property
    def is_diverged(self) -> bool:
        return self.entry.kind is Kind.DIVERGED

    def seed_of(self, game: Game) -> bytes:
        """Return the seed in the last entry of a game. One that diverged has none in the log."""
        return self.entry.seed or seeds.seed_of(game.lobby)


def _start(game: Game, proofs: Proofs) -> dict[str, Any]:
    """Return the proofs of the entries that a game begins with, by their fields. Raises Problem
    `not_sealed`."""
    rows = LogEntry.objects.filter(name=game.log_name, kind__in=STARTS).order_by("-place")
    found = {Kind(kind).name.lower(): index for kind, index in rows.values_list("kind", "index")}
    if not {"opened", "started"} <= found.keys():
        raise Problem("not_sealed")
    return {
        field: proofs.of(found[field]) if field in found else None
        for field in ("opened", "committed", "revealed", "started")
    }


def _next_entry(game: Game, version: int, proofs: Proofs) -> _Logged:
    """Return the game's next entry at this version or later.

    Raises Problem `not_sealed`.
    """
    entries = LogEntry.objects.filter(name=game.log_name, index__lt=proofs.size)
    after = entries.filter(version__gte=version).order_by("place")
    found = after.exclude(kind__in=(Kind.ABANDONED, Kind.DIVERGED)).first()
    # The entries of a game that lost commits say nothing about it until it is voided.
    if found is None or entries.filter(kind=Kind.RESTORED).exists():
        raise Problem("not_sealed")
    return _Logged(found.index, Entry.decode(bytes(found.entry)))


def _last_entry(game: Game, proofs: Proofs) -> _Logged:
    """Return the entry for the end of a game. Raises Problem `not_sealed`."""
    newest = LogEntry.objects.filter(name=game.log_name).order_by("-place").first()
    if newest is None:
        raise Problem("not_sealed")
    entry = Entry.decode(bytes(newest.entry))
    # A game that diverged has no other end in the log, and its files say so to every verifier. The
    # head alone does not end a game: the sealer has to have said so, with the seed.
    ends = entry.version == game.head.version and entry.seed
    if not ends and entry.kind is not Kind.DIVERGED:
        raise Problem("not_sealed")
    proofs.of(newest.index)
    return _Logged(newest.index, entry)


def _archived_parts(game: Game, rows: Rows, proofs: Proofs, last: _Logged) -> bytes:
    """Return a game with these rows, which are or will be in the archive."""
    rows = rows._replace(transfers=rows.transfers + _strays(game.id))
    totals = _Totals(
        len(rows.commits),
        len(rows.bets),
        len(rows.settlements) + len(rows.corrections),
        len(rows.transfers),
    )
    return b"".join(
        (
            *_opening_parts(game, proofs, last),
            *map(bundle.line, _commits_in(game.id, rows)),
            *_closing_parts(game, proofs, last, totals),
        )
    )


def _game_parts(game: Game, proofs: Proofs, last: _Logged) -> Iterator[bytes]:
    """Yield a game, `COMMITS_PER_QUERY` commits at a time, without a transaction between parts.

    Raises Problem `busy` if the game was corrected or archived meanwhile: the totals would count
    more or fewer rows than the parts have.
    """
    yield from _opening_parts(game, proofs, last)
    strays, count = _strays(game.id), 0
    previous, is_checked = chain.genesis_hash(bytes(game.genesis)), not last.is_diverged
    for first in range(1, game.head.version + 1, COMMITS_PER_QUERY):
        rows = stored_rows(game.id, first, min(first + COMMITS_PER_QUERY - 1, game.head.version))
        if is_checked:
            previous = _check(game, rows.commits, first - 1, previous)
        count += len(rows.commits)
        rows = rows._replace(transfers=rows.transfers + strays)
        yield b"".join(map(bundle.line, _commits_in(game.id, rows)))
    totals = _Totals(
        count,
        Bet.objects.filter(game=game).count(),
        Settlement.objects.filter(game=game).count() + Correction.objects.filter(game=game).count(),
        Transfer.objects.filter(cause=game.id, number__gt=0).count(),
    )
    closing = b"".join(_closing_parts(game, proofs, last, totals))
    unchanged = Game.objects.filter(pk=game.pk, head__version=game.head.version, archived=None)
    if not unchanged.exists():
        raise Problem("busy")
    yield closing


def _check(game: Game, commits: Sequence[Row], after: int, previous: bytes) -> bytes:
    """Compare commits with their hashes and the hash before them, and return the last hash.

    The files of a game that diverged are evidence, and show what is stored. Raises DamagedError,
    after the game was stalled.
    """
    for version, row in enumerate(commits, after + 1):
        digest = chain.body_digest(bytes(row[BODY]))
        if row[VERSION] != version or row[HASH] != chain.commit_hash(previous, version, digest):
            event_loop.call(_note_damage(game.id, version))
            raise DamagedError(version, game.id)
        previous = bytes(row[HASH])
    return previous


async def _note_damage(game: UUID, version: int) -> None:
    await store().note_damage(game, version)


def _opening_parts(game: Game, proofs: Proofs, last: _Logged) -> Iterator[bytes]:
    """Yield the opening of a game, and the attempts to start it that were given up before."""
    opening = bundle.Game(
        genesis=bytes(game.genesis),
        seed=last.seed_of(game),
        **_start(game, proofs),
    )
    yield bundle.line(opening)
    yield from _abandoned_parts(game, proofs)


class _Totals(NamedTuple):
    """How many rows the tables have of a game."""

    commits: int
    bets: int
    settlements: int
    transfers: int


def _closing_parts(game: Game, proofs: Proofs, last: _Logged, totals: _Totals) -> Iterator[bytes]:
    """Yield the log entries of a game, and its end."""
    yield from _entry_parts(game, proofs, last)
    end = bundle.End(
        how="voided" if game.head.ended == game.head.Ended.VOIDED else "finished",
        ended=proofs.of(last.at),
        **totals._asdict(),
        purses={
            account.key: account.balance
            for account in Account.objects.filter(book=game.id).order_by("id")
        },
    )
    yield bundle.line(end)


def _abandoned_parts(game: Game, proofs: Proofs) -> Iterator[bytes]:
    """Yield the attempts that were given up before the game started, the latest first."""
    attempts = AbandonedAttempt.objects.filter(lobby=game.lobby_id).order_by("-number")
    for attempt in attempts.iterator(2000):
        at = LogEntry.objects.filter(name=attempt.name).values_list("index", "entry")
        found = [(index, Entry.decode(bytes(entry))) for index, entry in at.order_by("index")]
        if not found or found[-1][1].kind is not Kind.ABANDONED:
            raise Problem("not_sealed")
        (opened_at, opened), *_, (ended_at, ended) = found
        before, said = opened.payload[HASH_LENGTH:], ended.given_up
        yield bundle.line(
            bundle.Abandoned(
                name=attempt.name,
                terms=opened.hash,
                seed=ended.seed,
                committed=said.committed if any(said.committed) else None,
                missing=tuple(said.missing),
                reveals=tuple(said.reveals),
                abandoned=before if any(before) else None,
                opened=proofs.of(opened_at),
                ended=proofs.of(ended_at),
            )
        )


def _entry_parts(game: Game, proofs: Proofs, last: _Logged) -> Iterator[bytes]:
    """Return the log entries of a game between its first and last, and one that it diverged."""
    rows = LogEntry.objects.filter(name=game.log_name, index__lt=proofs.size)
    rows = rows.exclude(kind__in=STARTS)
    for index, stored in rows.order_by("index").values_list("index", "entry").iterator(2000):
        entry = Entry.decode(bytes(stored))
        if index == last.at and entry.kind is not Kind.DIVERGED:
            return
        if entry.kind not in KINDS:
            continue  # Somebody had it sealed in between; the entry that it diverged follows.
        yield bundle.line(
            bundle.Logged(
                kind=KINDS[entry.kind],
                version=entry.version,
                hash=entry.hash,
                payload=entry.payload or None,
                proof=proofs.of(index),
            )
        )


def _strays(game: UUID) -> list[Row]:
    """Return the transfers between books that claim to be of a commit of this game.

    No commit writes them. A bundle shows them, so that its verification fails.
    """
    found = Transfer.objects.filter(cause=game, book=BETWEEN_BOOKS, number__gt=0)
    return list(found.order_by("number", "position").values_list(*TRANSFERS.columns))


def _commits_in(game: UUID, rows: Rows) -> Iterator[bundle.Commit]:
    """Yield the commits of a game with what they wrote, from its rows."""
    bets: defaultdict[int, list[BetRow]] = defaultdict(list)
    settlements: defaultdict[int, list[SettlementRow]] = defaultdict(list)
    transfers: defaultdict[int, list[Moved]] = defaultdict(list)
    for _, number, version, seat, _, spot, stake, odds, *_ in rows.bets:
        bets[version].append(BetRow(number, seat, spot, stake, odds))
    results = [(row[2], SettlementRow(row[1], row[3], row[4])) for row in rows.settlements]
    results += [(row[2], SettlementRow(row[1], "void", row[3])) for row in rows.corrections]
    for version, result in sorted(results, key=lambda of: (of[0], of[1].bet)):
        settlements[version].append(result)
    purses = _purses_in(game, rows)
    for _, _, _, version, _, debit, credit, amount, reason, _ in rows.transfers:
        transfers[version].append(Moved(purses[debit], purses[credit], amount, reason))
    for _, version, seat, _, body, hash_, *_ in rows.commits:
        yield bundle.Commit(
            version=version,
            seat=seat,
            body=body,
            hash=hash_,
            bets=tuple(bets.get(version, ())),
            settlements=tuple(settlements.get(version, ())),
            transfers=tuple(transfers.get(version, ())),
        )


def _purses_in(game: UUID, rows: Rows) -> dict[int, Purse]:
    """Return the purses of the accounts in these rows, by the id of the account."""
    accounts = {account for row in rows.transfers for account in row[5:7]}
    found = Account.objects.filter(id__in=accounts).values_list("id", "book", "key")
    return {account: _purse(game, book, key) for account, book, key in found}


def _purse(game: UUID, book: UUID, key: str) -> Purse:
    """Return the purse of an account.

    Accounts of other books keep their book in the name, so that they never pass for a purse.
    """
    return Purse(key if book == game else f"{book}/{key}")
