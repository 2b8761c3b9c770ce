"""The paired checks: what the log says against what the tables of money and bets say."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone

from accounts import ledger
from accounts.models import Account, Transfer
from accounts.problems import Problem
from games.audit.chain import decode_genesis
from games.audit.replay import Diverged, Replayed, Stored, replay
from games.engine import BetPlaced, State
from games.models import Bet, Commit, Correction, Game, Settlement
from games.push import decode_events
from games.registry import rules_for, rules_of
from games.tables import settlements

REVEAL_WITHIN_S = 600


class Finding(NamedTuple):
    """Two things that should be the same and are not."""

    what: str
    expected: object
    found: object


class Verified(NamedTuple):
    """What a check went through, and what it found wrong."""

    commits: int
    draws: int
    transfers: int
    bets: int
    findings: list[Finding]


def verify_game(game_id: UUID) -> Verified:
    """Replay a game from its stored bytes and seed, and compare head, purses, transfers, bets and settlements with it.

    Raises Problem `not_found`, `rules_missing`.
    """
    game = Game.objects.select_related("head", "lobby").filter(id=game_id).first()
    if game is None:
        raise Problem("not_found", what="game")
    rules, _ = rules_for(decode_genesis(bytes(game.genesis)))
    findings: list[Finding] = []
    replayed: list[Replayed] = []
    try:
        # One by one: what came before a divergence is kept.
        for commit in replay(rules, bytes(game.genesis), bytes(game.lobby.seed), stored_commits(game)):
            replayed.append(commit)  # noqa: PERF402
    except Diverged as diverged:
        findings.append(Finding(f"version {diverged.version}: {diverged.field}", diverged.expected, diverged.found))
    else:
        findings += _head_findings(game, replayed)
    findings += _row_findings(game, replayed)
    if replayed:
        findings += purse_findings(game.id, replayed[-1].state)
    return Verified(
        commits=len(replayed),
        draws=sum(len(commit.body.draws) for commit in replayed),
        transfers=sum(len(commit.body.transfers) for commit in replayed),
        bets=Bet.objects.filter(game=game).count(),
        findings=findings,
    )


def stored_commits(game: Game) -> Iterator[Stored]:
    """The log of a game, in order, as it lies in the database."""
    rows = Commit.objects.filter(game=game).order_by("version").values_list("version", "seat", "body", "hash")
    for version, seat, body, hash_ in rows.iterator(chunk_size=2000):
        yield Stored(version, seat, bytes(body), bytes(hash_))


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
        yield Finding("payout and reveal", f"within {REVEAL_WITHIN_S} s of the end", f"still due after {waited:.0f} s")


def _row_findings(game: Game, replayed: list[Replayed]) -> Iterator[Finding]:
    """The rows that the commits should have written, against those that are there."""
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
            transfers.append((commit.version, position, accounts.get(source), accounts.get(target), amount, reason))
        events = decode_events(rules, commit.body.events)
        bets += [
            (event.bet, commit.version, event.seat, event.spot, event.stake, event.odds, drawn)
            for event in events
            if isinstance(event, BetPlaced) and event.only is None
        ]
        open_bets |= {event.bet for event in events if isinstance(event, BetPlaced)}
        fates = settlements(events)
        corrected += [(row.number, commit.version, row.payout) for row in fates if row.number not in open_bets]
        fates = [row for row in fates if row.number in open_bets]
        open_bets -= {row.number for row in fates}
        settled += [(row.number, commit.version, row.outcome, row.payout, drawn) for row in fates]
    until = len(replayed)
    in_game = Transfer.objects.filter(cause=game.id, number__gt=0, number__lte=until).order_by("number", "position")
    found = list(in_game.values_list("number", "position", "debit_id", "credit_id", "amount", "reason"))
    yield from _differences("transfer", transfers, found)
    rows = Bet.objects.filter(game=game, version__lte=until).order_by("number")
    columns = ("number", "version", "seat", "spot", "stake", "odds", "drawn")
    yield from _differences("bet", sorted(bets), list(rows.values_list(*columns)))
    outcomes = Settlement.objects.filter(game=game, version__lte=until).order_by("number")
    found_fates = list(outcomes.values_list("number", "version", "outcome", "payout", "drawn"))
    yield from _differences("settlement", sorted(settled), found_fates)
    again = Correction.objects.filter(game=game, version__lte=until).order_by("number")
    yield from _differences("correction", sorted(corrected), list(again.values_list("number", "version", "payout")))


def _differences(what: str, expected: Sequence[tuple[object, ...]], found: Sequence[tuple[object, ...]]) -> Iterator[Finding]:
    """The first row in which the two lists differ."""
    for index in range(max(len(expected), len(found))):
        wanted = expected[index] if index < len(expected) else None
        row = found[index] if index < len(found) else None
        if wanted != row:
            yield Finding(f"{what} {index + 1}", wanted, row)
            return


def purse_findings(game_id: UUID, state: State) -> Iterator[Finding]:
    """Purses of a state that differ from the balances of their accounts."""
    balances = {account.key: account.balance for account in Account.objects.filter(book=game_id)}
    for purse, held in state.purses.items():
        if balances.get(purse) != held:
            yield Finding(f"game {game_id}, purse {purse}", held, balances.get(purse))


def ledger_findings() -> Iterator[Finding]:
    """Every account whose totals are not the sums of its transfers, and every unit that does not sum to zero."""
    for divergence in ledger.divergences():
        yield Finding(divergence.what, divergence.expected, divergence.found)
