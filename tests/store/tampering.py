"""Changes to histories that only the owner of the database can make, or a failover."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from games.models import Game, Head

PROTECTED = """
SELECT tgrelid::regclass::text, tgname FROM pg_trigger
WHERE tgenabled = 'A' AND tgrelid = ANY(%s::text[]::regclass[])
"""


@contextmanager
def unprotected(*tables: str) -> Iterator[psycopg.Connection]:
    """A connection of the owner, to whom these tables are not append-only."""
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"]) as owner:
        triggers = owner.execute(PROTECTED, [list(tables)]).fetchall()
        for table, trigger in triggers:
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
        yield owner
        for table, trigger in triggers:
            owner.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")


def take_back(game: Game, head: Head) -> None:
    """Reset a game to an earlier head with all rows and money."""
    rows = (
        ("games_settlement", "game_id", "version"),
        ("games_bet", "game_id", "version"),
        ("games_commit", "game_id", "version"),
        ("accounts_transfer", "cause", "number"),
    )
    asked = {"game": game.id, "version": head.version}
    with unprotected(*(table for table, _, _ in rows)) as owner:
        for table, column, number in rows:
            owner.execute(
                f"DELETE FROM {table} WHERE {column} = %(game)s AND {number} > %(version)s", asked
            )
        for total, side in (("debits", "debit_id"), ("credits", "credit_id")):
            owner.execute(
                f"UPDATE accounts_account a SET {total} = (SELECT coalesce(sum(amount), 0) "
                f"FROM accounts_transfer WHERE {side} = a.id) WHERE book = %(game)s",
                asked,
            )
        owner.execute("DELETE FROM games_snapshot WHERE game_id = %(game)s", asked)
        owner.execute(
            "UPDATE games_head SET version = %s, hash = %s, alarm = %s, due_at = %s "
            "WHERE game_id = %s",
            [head.version, bytes(head.hash), head.alarm, head.due_at, game.id],
        )


def damage(game: Game, change: str) -> None:
    """Change one row of a history as a bad disk could. `change` is a statement of the owner, in
    which `game` is a parameter."""
    with unprotected("games_commit") as owner:
        assert owner.execute(change, {"game": game.id}).rowcount == 1
