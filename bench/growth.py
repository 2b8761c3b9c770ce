"""Growth: how many bytes of the database a row takes, with its share of the indexes."""

from typing import Final

from django.db import connection

TABLES: Final = {
    "commit": "games_commit",
    "bet": "games_bet",
    "settlement": "games_settlement",
    "transfer": "accounts_transfer",
    "log entry": "games_logentry",
    "checkpoint": "games_logcheckpoint",
}

# Partitions without rows, such as those of the next months, do not count.
SIZE: Final = """
SELECT coalesce(
    sum(pg_total_relation_size(relid)) FILTER (WHERE pg_relation_size(relid) > 0),
    pg_total_relation_size(%(table)s))
FROM pg_partition_tree(%(table)s)
"""


def bytes_a_row() -> dict[str, int]:
    """Return the bytes of a row of each table that grows with play."""
    sizes = {}
    with connection.cursor() as cursor:
        for name, table in TABLES.items():
            cursor.execute(SIZE, {"table": table})
            (size,) = cursor.fetchone()
            cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 -- a constant
            (rows,) = cursor.fetchone()
            sizes[name] = round(size / max(1, rows))
    return sizes
