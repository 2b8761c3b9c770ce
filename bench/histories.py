"""Histories of a million bets: latency of pages and balances, speed and memory of exports."""

import os
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

import msgspec
import psycopg
from django.db.models import QuerySet

from accounts import ledger
from accounts.models import Account, User
from bench.ground import OWNER_URL, Experiment
from bench.meter import memory_mb
from games.api.exports import BETS, WRITERS, parts
from games.models import Bet, Game
from games.reads.filters import AnyBetFilter
from games.reads.histories import all_bets, bets_in, bets_of, purses_at, with_results
from kit.paging import beyond_cursor, page_of

BETS_A_GAME: Final = 100
PEOPLE: Final = 1000
TIMES: Final = 5

# Games of two players with a hundred bets each, one commit and one transfer per bet; a tenth of the
# games is running. PostgreSQL generates the rows, as the owner, and checks every key and
# constraint.
FILL: Final = """
CREATE TEMPORARY TABLE person AS SELECT row_number() OVER () - 1 AS n, id FROM accounts_user;
CREATE TEMPORARY TABLE game AS
    SELECT n, uuidv7(interval '-1 day' + n * interval '1 s') AS id,
        now() - interval '1 day' + n * interval '1 s' AS at, n > {games} * 9 / 10 AS runs
    FROM generate_series(1, {games}) n;
INSERT INTO games_lobby
    (id, title, slug, options, host_id, visibility, invite_code, capacity, buy_in, prizes,
        spectators, absence, absence_s, start_when_full, admits_bot_users, held_for, status,
        seed_hash, seed_box, seed, postings, version, log_name, terms)
    SELECT g.id, '', 'free_spots', '{{}}', p.id, 'public', 'H' || g.n, 2, 0, '{{}}',
        'watch', 'wait', 60, false, true, '{{}}', 'started',
        encode(sha256(sha256(g.id::text::bytea)), 'hex'), '', sha256(g.id::text::bytea),
        0, 0, g.id, ''
    FROM game g JOIN person p ON p.n = g.n % {people};
INSERT INTO games_game (id, lobby_id, slug, rules_version, log_name, genesis, started_at)
    SELECT id, id, 'free_spots', 1, id, '', at FROM game;
INSERT INTO games_head
    (game_id, version, hash, bots, stand_ins, forfeited, ended, stalled, settled, sealed)
    SELECT id, {bets}, sha256(''), 0, '{{}}', '{{}}', CASE WHEN runs THEN '' ELSE 'finished' END,
        '', NOT runs, true FROM game;
INSERT INTO accounts_account (book, key, unit, overdraft, debits, credits)
    SELECT id, key, 'point', 1000000000, 0, 0
    FROM game, unnest(array['bank', 'seat:0', 'seat:1']) key;
CREATE TEMPORARY TABLE bet AS
    SELECT g.id AS game, k, g.runs, k % 2 AS seat, p.id AS person,
        1 + (g.n * 31 + k * 17) % 500 AS stake,
        (ARRAY['win', 'place', 'show'])[1 + k % 3] || ':' || (g.n + k) % 20 AS spot,
        g.at + k * interval '10 ms' AS at
    FROM game g, generate_series(1, {bets}) k JOIN person p ON true
    WHERE p.n = (g.n + k % 2) % {people};
INSERT INTO games_bet (game_id, number, version, seat, user_id, spot, stake, odds, drawn, at)
    SELECT game, k, k, seat, person, spot, stake, '2x', k, at FROM bet;
INSERT INTO games_settlement
    (game_id, number, version, outcome, payout, drawn, placed_at, at)
    SELECT game, k, {bets},
        CASE WHEN k % 50 = 0 THEN 'void' WHEN k % 3 = 0 THEN 'won' ELSE 'lost' END,
        stake, k, at, at
    FROM bet WHERE NOT runs;
INSERT INTO accounts_transfer
    (book, cause, number, position, debit_id, credit_id, amount, reason, at)
    SELECT b.game, b.game, b.k, 0, d.id, c.id, b.stake, 'stake', b.at FROM bet b
    JOIN accounts_account d ON d.book = b.game AND d.key = 'seat:' || b.seat
    JOIN accounts_account c ON c.book = b.game AND c.key = 'bank';
"""


class Latency(msgspec.Struct, frozen=True, kw_only=True):
    """The best latency of one query; for a list, of its first page and of a page far into it."""

    what: str
    first_ms: float
    deep_ms: float | None = None


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """The export of all bets in one format, and the memory growth of the process."""

    form: str
    rows_per_s: float
    megabytes: float
    grown_mb: float


class HistoriesMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """The results. `plan` is the query plan of the slowest page."""

    bets: int
    filled_s: float
    looks: list[Latency]
    exports: list[Exported]
    slowest: str
    plan: str


class Histories(Experiment, frozen=True, kw_only=True):
    """An experiment with `bets` bets."""

    bets: int

    def run(self) -> HistoriesMeasured:
        """Run in a process with Django set up."""
        began = time.perf_counter()
        self._fill()
        filled_s = round(time.perf_counter() - began, 1)
        pages = {what: _page(rows, query, deep) for what, rows, query, deep in self._lists()}
        looks = [
            Latency(what=what, first_ms=_best(first), deep_ms=_best(deep))
            for what, (first, deep, _) in pages.items()
        ]
        slowest = max(looks, key=lambda look: max(look.first_ms, look.deep_ms or 0))
        plan = pages[slowest.what][2](deep=(slowest.deep_ms or 0) > slowest.first_ms)
        looks += [Latency(what=what, first_ms=_best(look)) for what, look in self._balances()]
        return HistoriesMeasured(
            bets=Bet.objects.count(),
            filled_s=filled_s,
            looks=looks,
            exports=[_export(form) for form in WRITERS],
            slowest=slowest.what,
            plan=plan,
        )

    def _fill(self) -> None:
        User.objects.bulk_create(User(username=f"bettor-{number}") for number in range(PEOPLE))
        with psycopg.connect(os.environ[OWNER_URL]) as owner:
            owner.execute(
                FILL.format(games=self.bets // BETS_A_GAME, bets=BETS_A_GAME, people=PEOPLE)
            )
        with psycopg.connect(os.environ[OWNER_URL], autocommit=True) as owner:
            owner.execute("VACUUM ANALYZE")

    def _lists(self) -> Iterator[tuple[str, QuerySet[Bet], AnyBetFilter, Bet]]:
        """Yield lists of bets by every filter, each with a row far from the start."""
        games = Game.objects.order_by("id")
        game, early = games[len(games) // 2], games[len(games) // 10]
        deep = Bet.objects.get(game=early, number=1)
        everybody, person = all_bets(), User.objects.get(username="bettor-7")
        yield "everybody's", everybody, AnyBetFilter(), deep
        yield "a person's", bets_of(person), AnyBetFilter(), deep
        yield (
            "a game's",
            bets_in(game),
            AnyBetFilter(),
            Bet.objects.get(game=game, number=BETS_A_GAME * 4 // 5),
        )
        yield (
            "by time",
            everybody,
            AnyBetFilter(placed_before=game.started_at + timedelta(seconds=1)),
            deep,
        )
        for outcome in ("open", "won", "void"):
            yield f"by outcome: {outcome}", everybody, AnyBetFilter(outcome=outcome), deep
        yield "by stake, most", everybody, AnyBetFilter(stake_min=499), deep
        yield "by stake, none", everybody, AnyBetFilter(stake_min=10_000), deep
        yield "by spot", everybody, AnyBetFilter(spot="win:7"), deep
        yield "by spot prefix", everybody, AnyBetFilter(spot_prefix="show:1"), deep
        yield "by rules", everybody, AnyBetFilter(slug="free_spots"), deep

    def _balances(self) -> Iterator[tuple[str, Callable[[], object]]]:
        game = Game.objects.order_by("id")[self.bets // BETS_A_GAME // 2]
        bank = Account.objects.get(book=game.id, key="bank")
        yield "purses of a game at a version", lambda: purses_at(game, BETS_A_GAME // 2)
        at = game.started_at + timedelta(milliseconds=10 * BETS_A_GAME // 2)
        yield "an account at a moment", lambda: ledger.balance_at(bank, at)


def _page(
    rows: QuerySet[Bet], query: AnyBetFilter, row: Bet
) -> tuple[Callable[[], object], Callable[[], object], Any]:
    """Return functions that fetch the first page, fetch a deep page, and explain either."""
    chosen = with_results(query.narrow(rows))
    further = msgspec.structs.replace(query, cursor=page_of(chosen, query).cursor_of(row))

    def explain(*, deep: bool) -> str:
        narrowed, _ = beyond_cursor(chosen, further if deep else query)
        return str(narrowed[: query.limit + 1].explain(analyze=True, buffers=True))

    return lambda: page_of(chosen, query), lambda: page_of(chosen, further), explain


def _best(look: Callable[[], object]) -> float:
    spent = []
    for _ in range(TIMES):
        began = time.perf_counter()
        look()
        spent.append(time.perf_counter() - began)
    return round(min(spent) * 1000, 2)


def _export(form: Any) -> Exported:
    """Export all bets, and check the memory after each part."""
    before, most, rows, size = memory_mb(os.getpid()), 0.0, 0, 0
    began = time.perf_counter()
    for count, part in parts(BETS, all_bets(), WRITERS[form](BETS.kind), []):
        rows, size, most = rows + count, size + len(part), max(most, memory_mb(os.getpid()))
    spent = time.perf_counter() - began
    return Exported(
        form=form,
        rows_per_s=round(rows / spent),
        megabytes=round(size / 1e6, 1),
        grown_mb=round(max(0.0, most - before), 1),
    )
