"""The plans of the store's statements: what they read does not grow with games or histories."""

import os
import re
from collections.abc import Mapping
from itertools import product
from typing import Any, Final, get_args
from uuid import UUID, uuid4

import psycopg
import pytest

from games.models import Game
from games.play import service
from games.store.commits import VERSION_MAX
from games.store.connections import conninfo
from games.store.loaded_games import loaded_games
from games.store.statements import (
    COMMITS,
    HAS_COMMAND,
    HEADS,
    Kind,
    append_query,
    append_statement,
    of_games,
    parts,
)
from kit import event_loop
from kit.parameters import Number, Parameters, array, numbered
from railbird_engine import Seat
from tests.builders import NewGame
from tests.moves import take

MOVES: Final = 40

NUMBERS: Final[tuple[Number, ...]] = ("", "one", "many")

APPENDS: Final = [
    append_statement(Kind(commits, *numbers))
    for commits in get_args(Kind.__annotations__["commits"])
    for numbers in product(NUMBERS, repeat=3)
    if commits == "one" or "one" not in numbers
]

LONG_HISTORY: Final = """
INSERT INTO games_commit (game_id, version, seat, command_id, body, hash)
SELECT %s, 1000 + v, 0, gen_random_uuid(), convert_to(repeat('b', 260), 'UTF8'), ''
FROM generate_series(1, 3000) v
"""


def plan_of(
    query: str, parameters: Mapping[str, Any], long_game: UUID | None = None
) -> dict[str, Any]:
    """Execute a query as the store prepares it, and return its plan.

    A `long_game` has 3,000 more commits at that moment.
    """
    names = list(dict.fromkeys(re.findall(r"%\((\w+)\)", query)))
    text = re.sub(r"%\((\w+)\)\w", lambda found: f"${names.index(found[1]) + 1}", query)
    with (
        psycopg.connect(
            conninfo(), autocommit=True, cursor_factory=psycopg.ClientCursor
        ) as connection,
        connection.transaction(force_rollback=True),
    ):
        if long_game is not None:
            connection.execute(LONG_HISTORY, [long_game])
        connection.execute(f"PREPARE it ({', '.join(['unknown'] * len(names))}) AS {text}")
        explain = f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE it ({', '.join(['%s'] * len(names))})"
        row = connection.execute(explain, [parameters[name] for name in names]).fetchone()
    assert row is not None
    ((found,),) = row
    plan: dict[str, Any] = found["Plan"]
    return plan


def rows_read(plan: Mapping[str, Any], table: str) -> float:
    """Count the rows of a table that a plan read, wanted or not."""
    inner: float = sum(rows_read(each, table) for each in plan.get("Plans", ()))
    if table_of(plan) != table or "Scan" not in str(plan["Node Type"]):
        return inner
    skipped = sum(value for name, value in plan.items() if name.startswith("Rows Removed"))
    own: float = (plan["Actual Rows"] + skipped) * plan["Actual Loops"]
    return inner + own


def table_of(plan: Mapping[str, Any]) -> str:
    """Return the table of a node of a plan, without the month of a partition."""
    return re.sub(r"_\d{4}_\d\d$", "", plan.get("Relation Name", ""))


@pytest.fixture
def history(new_game: NewGame) -> Game:
    """A game with a history, among others."""
    for _ in range(10):
        new_game()
    game = new_game()
    for spot in range(MOVES):
        take(game, spot)
    return game


def forget_statistics() -> None:
    """Let the planner see tables that nobody has analyzed, as after an upgrade or a restore.

    Tables that it knows to be small are rightly read as a whole.
    """
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute(
            "SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text, "
            "'relpages', 0, 'reltuples', -1::real), "
            "pg_clear_attribute_stats('public', relname::text, 'game_id', false) "
            "FROM pg_class WHERE relkind = 'r' AND relname ~ '^games_(head$|commit_[0-9])' "
            "AND relnamespace = 'public'::regnamespace"
        )


async def append(*games: UUID) -> tuple[str, Parameters]:
    """Return the statement that appends a move to each of these games."""
    commits = []
    for game in games:
        loaded = await loaded_games().get(game)
        (command,) = (await service.legal(game, Seat(0), 1)).commands
        commits.append(loaded.decide(Seat(0), command, uuid4()))
    return append_query(commits)


def test_statements_read_only_the_rows_that_they_are_asked_for(
    history: Game, new_game: NewGame
) -> None:
    forget_statistics()
    version = MOVES + 1
    head = command_in(history.id)
    newest = parts([(history.id, version - 1, VERSION_MAX)], None)

    games = [history.id, new_game().id]
    known, read = plan_of(HEADS, head), plan_of(COMMITS, newest)
    assert rows_read(known, "games_head") + rows_read(known, "games_commit") == 1
    asked = plan_of(HAS_COMMAND, head, history.id)
    assert rows_read(asked, "games_head") + rows_read(asked, "games_commit") == 1
    assert rows_read(read, "games_head") + rows_read(read, "games_commit") == 3, (
        "the head, the commit, and the one before it"
    )
    for long_game, number in product((None, history.id), (1, 2)):
        appended = plan_of(*event_loop.call(append(*games[:number])), long_game)
        read_heads = rows_read(appended, "games_head")
        assert read_heads == 2 * number, "once to lock each, and once to change it"
        assert rows_read(appended, "games_schedule") == number
        assert rows_read(appended, "games_commit") == 0, "no other commit has this command"
        assert rows_read(plan_of(HEADS, head, long_game), "games_commit") == 0


def test_statements_open_only_the_partitions_of_their_games(
    history: Game, new_game: NewGame
) -> None:
    for query, parameters in (
        (HEADS, command_in(history.id)),
        (COMMITS, parts([(history.id, 0, VERSION_MAX)], None)),
        event_loop.call(append(history.id)),
        event_loop.call(append(history.id, new_game().id)),
    ):
        assert len({*partitions_of(plan_of(query, parameters))}) == 1


def command_in(game: UUID) -> Parameters:
    """Return parameters that ask for the head of a game, and for a command that it lacks."""
    return {**of_games([game]), "seat": "{0}", "command_id": array("uuid", [uuid4()])}


def partitions_of(plan: Mapping[str, Any]) -> list[str]:
    """Return the partitions of commits that a plan reads."""
    name = plan.get("Relation Name", "")
    own = [name] if name.startswith("games_commit_") else []
    return sum(map(partitions_of, plan.get("Plans", ())), own)


@pytest.mark.parametrize("statement", APPENDS, ids=str.__len__)
def test_a_statement_that_changes_heads_prunes_no_partitions_while_it_runs(statement: str) -> None:
    """PostgreSQL 18 crashes if it does so for a head that has just been changed elsewhere.

    By a parameter, it prunes before the statement runs.
    """
    query = numbered(statement).query.decode()
    with psycopg.connect(conninfo(), cursor_factory=psycopg.ClientCursor) as connection:
        row = connection.execute(f"EXPLAIN (GENERIC_PLAN, FORMAT JSON) {query}").fetchone()
    assert row is not None
    ((found,),) = row
    conditions = conditions_of(found["Plan"])
    assert conditions
    assert not [each for each in conditions if re.search(r"game_id = (?!ANY|\$)", each)]


def conditions_of(plan: Mapping[str, Any]) -> list[str]:
    """Return the conditions with which a plan reads partitions."""
    is_read = table_of(plan) != plan.get("Relation Name", "")
    own = [str(plan[name]) for name in ("Index Cond", "Recheck Cond", "Filter") if name in plan]
    return sum(map(conditions_of, plan.get("Plans", ())), own if is_read else [])


def test_an_append_touches_only_the_tables_that_it_writes(history: Game) -> None:
    async def appends() -> list[tuple[str, Parameters]]:
        loaded = await loaded_games().get(history.id)
        (command,) = (await service.legal(history.id, Seat(0), 1)).commands
        bet = loaded.decide(Seat(0), command, uuid4())
        return [append_query([bet]), append_query([bet._replace(bets=(), postings=())])]

    of_bet, of_nothing = map(tables_of, (plan_of(*each) for each in event_loop.call(appends())))
    assert of_nothing == {"games_head", "games_schedule", "games_commit"}
    assert of_bet - of_nothing == {"games_bet", "accounts_transfer", "accounts_account"}


def tables_of(plan: Mapping[str, Any]) -> set[str]:
    own = {table_of(plan)} - {""}
    return own.union(*map(tables_of, plan.get("Plans", ())))
