"""Histories of a million bets: latency of pages and balances, speed and memory of exports."""

import os
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final, NamedTuple, get_args

import msgspec
import psycopg
from django.db import connection
from django.db.models import F, QuerySet
from django.utils import timezone
from psycopg import sql

from accounts import ledger
from accounts.models import Account, User
from bench.ground import OWNER_URL, Experiment
from bench.meter import memory_mb
from games.api.exports import BETS, parts
from games.models import Bet, Game
from games.reads.bet_pages import page_of_all_bets, page_of_own_bets
from games.reads.filters import AnyBetExport, AnyBetFilter, BetOutcome, Format
from games.reads.histories import all_bets, bets_in_all, bets_of, purses_at, with_results
from gameserver.processes.embedded.postgres import SUPERUSER
from kit.paging import Rows, beyond_cursor, page_of

BETS_A_GAME: Final = 100
PEOPLE: Final = 1000
TIMES: Final = 5
OUTCOMES: Final[tuple[BetOutcome, ...]] = get_args(BetOutcome)
RETIRED: Final = "metronome"
"""The slug of a game that nobody plays any more."""

# Games of two players with a hundred bets each and one transfer per bet, in a day. A tenth of the
# games is running, and an operator voided one of a thousand settled bets. The oldest fifth is of
# another game, which nobody plays any more. PostgreSQL generates the rows.
FILL: Final = """
CREATE TEMPORARY TABLE person AS SELECT row_number() OVER () - 1 AS n, id FROM accounts_user;
CREATE TEMPORARY TABLE game AS
    SELECT n, uuidv7(before) AS id, now() + before AS at, n > {games} * 9 / 10 AS runs,
        CASE WHEN n <= {games} / 5 THEN '{retired}' ELSE 'free_spots' END AS slug
    FROM (SELECT n, (n - 1 - {games}) * interval '1 day' / {games} AS before
        FROM generate_series(1, {games}) n) game;
INSERT INTO games_lobby
    (id, title, slug, options, host_id, visibility, invite_code, capacity, buy_in, prizes,
        spectators, absence, absence_s, start_when_full, admits_bot_users, held_for, status,
        seed_hash, seed_box, seed, postings, version, log_name, terms, pace, stage, vacations,
        rows_salt, committed, revealed, keys)
    SELECT g.id, '', g.slug, '{{}}', p.id, 'public', 'H' || g.n, 2, 0, '{{}}',
        'watch', 'wait', 60, false, true, '{{}}', 'started',
        encode(sha256(sha256(g.id::text::bytea)), 'hex'), '', sha256(g.id::text::bytea),
        0, 0, g.id, '', 'live', '', false, '', '', '', false
    FROM game g JOIN person p ON p.n = g.n % {people};
INSERT INTO games_game (id, lobby_id, slug, rules_version, log_name, genesis, started_at)
    SELECT id, id, slug, 1, id, '', at FROM game;
INSERT INTO games_head
    (game_id, version, hash, bots, stand_ins, forfeited, ended, ended_at, stalled, settled, sealed,
        is_slow, agreed, told)
    SELECT id, {bets}, sha256(''), 0, '{{}}', '{{}}', CASE WHEN runs THEN '' ELSE 'finished' END,
        CASE WHEN runs THEN NULL ELSE at END, '', NOT runs, true, false, '{{}}', true
    FROM game;
INSERT INTO accounts_account (book, key, unit, overdraft, debits, credits)
    SELECT id, key, 'point', 1000000000, 0, 0
    FROM game, unnest(array['bank', 'seat:0', 'seat:1']) key;
CREATE TEMPORARY TABLE bet AS
    SELECT g.id AS game, k, g.runs, k % 2 AS seat, p.id AS person,
        1 + (g.n * 31 + k * 17) % 500 AS stake,
        (ARRAY['win', 'place', 'show'])[1 + k % 3] || ':' || (g.n + k) % 20 AS spot,
        g.at + k * interval '10 ms' AS at
    FROM game g, generate_series(1, {bets}) k JOIN person p ON true
    WHERE p.n = (g.n + k % 2) % {people} ORDER BY g.n, k;
INSERT INTO games_bet (game_id, number, version, seat, user_id, spot, stake, odds, drawn, at)
    SELECT game, k, k, seat, person, spot, stake, '2x', k, at FROM bet;
INSERT INTO games_settlement
    (game_id, number, version, outcome, payout, drawn, placed_at, at)
    SELECT game, k, {bets},
        CASE WHEN k % 50 = 0 THEN 'void' WHEN k % 3 = 0 THEN 'won' ELSE 'lost' END,
        stake, k, at, at
    FROM bet WHERE NOT runs;
INSERT INTO games_correction (game_id, number, version, payout, placed_at, at)
    SELECT game, k, {bets} + 1, -stake, at, at FROM bet WHERE NOT runs AND k % 50 <> 0
        AND (stake * 7 + k) % 1000 = 0;
INSERT INTO accounts_transfer
    (book, cause, number, position, debit_id, credit_id, amount, reason, at)
    SELECT b.game, b.game, b.k, 0, d.id, c.id, b.stake, 'stake', b.at FROM bet b
    JOIN accounts_account d ON d.book = b.game AND d.key = 'seat:' || b.seat
    JOIN accounts_account c ON c.book = b.game AND c.key = 'bank';
"""

# It is quicker to build these when the tables are full.
INDEXES: Final = """
SELECT c.relname, replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ') FROM pg_index x
JOIN pg_class c ON c.oid = x.indexrelid
WHERE x.indrelid = ANY('{games_bet, games_settlement, accounts_transfer}'::regclass[])
    AND NOT x.indisunique
"""


def fill(games: int, bets: int, people: int) -> str:
    """Return the statements that make games of so many bets each."""
    return FILL.format(games=games, bets=bets, people=people, retired=RETIRED)


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
        pages = {each.what: looks_of(each) for each in self.lists()}
        looks = [
            Latency(what=what, first_ms=_best(first), deep_ms=_best(deep))
            for what, (first, deep) in pages.items()
        ]
        slowest = max(looks, key=lambda look: max(look.first_ms, look.deep_ms or 0))
        first, deep = pages[slowest.what]
        plan = "\n\n".join(plans(deep if (slowest.deep_ms or 0) > slowest.first_ms else first))
        looks += [Latency(what=what, first_ms=_best(look)) for what, look in self._balances()]
        return HistoriesMeasured(
            bets=Bet.objects.count(),
            filled_s=filled_s,
            looks=looks,
            exports=[_export(form) for form in get_args(Format)],
            slowest=slowest.what,
            plan=plan,
        )

    def _fill(self) -> None:
        User.objects.bulk_create(User(username=f"bettor-{number}") for number in range(PEOPLE))
        with psycopg.connect(os.environ[OWNER_URL], user=SUPERUSER) as superuser:
            # Checking the keys of so many rows would take most of the time. A test does it for few.
            superuser.execute("SET session_replication_role = replica")
            superuser.execute("SET maintenance_work_mem = '512MB'")
            indexes = superuser.execute(INDEXES).fetchall()
            for name, _ in indexes:
                superuser.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
            superuser.execute(fill(self.bets // BETS_A_GAME, BETS_A_GAME, PEOPLE))
            for _, definition in indexes:
                superuser.execute(definition)
        with psycopg.connect(os.environ[OWNER_URL], autocommit=True) as owner:
            owner.execute("VACUUM ANALYZE")

    def lists(self) -> Iterator["Listed"]:
        """Yield lists of bets by every filter and by some together, each with a row far into it."""
        games = Game.objects.filter(log_name=F("id")).order_by("id")
        game, early = games[len(games) // 2], games[len(games) // 10]
        deep = all_bets().get(game=early, number=1)
        in_game = all_bets().filter(game=game)[5]
        assert deep.user is not None
        person = deep.user
        yield Listed("a game's", bets_of_game, bets_in_all([game.id]), AnyBetFilter(), in_game)
        own = bets_of(person)
        for what, query in (
            ("a person's", AnyBetFilter()),
            ("a person's, void", AnyBetFilter(outcome="void")),
            ("a person's by seat, none", AnyBetFilter(seat=9)),
        ):
            yield Listed(what, page_of_own_bets, own, query, deep)
        moment = game.started_at + timedelta(seconds=1)
        for what, query in {
            "everybody's": AnyBetFilter(),
            "by time": AnyBetFilter(placed_before=moment),
            "by user": AnyBetFilter(user=person.id),
            **{f"by outcome: {each}": AnyBetFilter(outcome=each) for each in OUTCOMES},
            "by seat": AnyBetFilter(seat=1),
            "by seat, none": AnyBetFilter(seat=9),
            "by stake, most": AnyBetFilter(stake_min=499),
            "by stake, none": AnyBetFilter(stake_min=10_000),
            "by spot": AnyBetFilter(spot="win:7"),
            "by spot, none": AnyBetFilter(spot="win:99"),
            "by spot prefix": AnyBetFilter(spot_prefix="show:1"),
            "by spot prefix, none": AnyBetFilter(spot_prefix="draw"),
            "by rules": AnyBetFilter(slug="free_spots"),
            "by rules, retired": AnyBetFilter(slug=RETIRED),
            "by spot, seat and stake": AnyBetFilter(spot="win:7", seat=1, stake_min=499),
            "by outcome, spot and stake": AnyBetFilter(outcome="void", spot="win:7", stake_max=9),
            "by outcome and stake, none": AnyBetFilter(outcome="won", stake_min=10_000),
            "by outcome and rules, none": AnyBetFilter(outcome="open", slug=RETIRED),
            "by outcome and seat, none": AnyBetFilter(outcome="lost", seat=9),
            "by prefix, rules and time": AnyBetFilter(
                spot_prefix="place:", slug=RETIRED, placed_before=moment
            ),
        }.items():
            yield Listed(what, page_of_all_bets, all_bets(), query, deep)

    def _balances(self) -> Iterator[tuple[str, Callable[[], object]]]:
        game = Game.objects.order_by("id")[self.bets // BETS_A_GAME // 2]
        bank = Account.objects.get(book=game.id, key="bank")
        yield "purses of a game at a version", lambda: purses_at(game, BETS_A_GAME // 2)
        at = game.started_at + timedelta(milliseconds=10 * BETS_A_GAME // 2)
        yield "an account at a moment", lambda: ledger.balance_at(bank, at)


class Listed(NamedTuple):
    """A list, how to read a page of it, and a row far into it."""

    what: str
    page: Callable[[Any, Any], Rows]
    rows: QuerySet[Bet]
    query: AnyBetFilter
    deep: Bet


def bets_of_game(bets: QuerySet[Bet], query: AnyBetFilter) -> Rows:
    """Return a page of the bets of a game."""
    return page_of(with_results(query.narrow(bets)), query)


def looks_of(listed: Listed) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return functions that read the first page and a page far into the list."""
    _, order = beyond_cursor(listed.rows, listed.query)
    cursor = Rows([], None, order).cursor_of(listed.deep)
    further = msgspec.structs.replace(listed.query, cursor=cursor)
    return (
        lambda: listed.page(listed.rows, listed.query),
        lambda: listed.page(listed.rows, further),
    )


def plans(look: Callable[[], object], form: str = "TEXT") -> list[Any]:
    """Return the plans of the queries of a page, with the rows and buffers that they read."""
    asked: list[tuple[str, Any]] = []

    def ask(execute: Callable[..., Any], query: str, parameters: Any, *more: Any) -> Any:
        asked.append((query, parameters))
        return execute(query, parameters, *more)

    with connection.execute_wrapper(ask):
        look()
    found = []
    with connection.cursor() as cursor:
        for query, parameters in asked:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT {form}) {query}", parameters)
            lines = [line for (line,) in cursor.fetchall()]
            found.append("\n".join(lines) if form == "TEXT" else lines[0])
    return found


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
    for count, part in parts(BETS, all_bets(), AnyBetExport(format=form), [], timezone.now()):
        rows, size, most = rows + count, size + len(part), max(most, memory_mb(os.getpid()))
    spent = time.perf_counter() - began
    return Exported(
        form=form,
        rows_per_s=round(rows / spent),
        megabytes=round(size / 1e6, 1),
        grown_mb=round(max(0.0, most - before), 1),
    )
