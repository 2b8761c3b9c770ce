"""Growth: the bytes of the tables that grow with play, and of the WAL."""

from typing import Final

from django.db import connection

TABLES: Final = [
    *("games_commit", "games_bet", "games_settlement", "accounts_transfer"),
    *("games_logentry", "games_logcheckpoint"),
]

BYTES: Final = """
SELECT (
    SELECT sum(pg_total_relation_size(relid))::bigint FROM unnest(%(tables)s::text[]) t(name)
    CROSS JOIN LATERAL pg_partition_tree(t.name::regclass)
), (pg_current_wal_insert_lsn() - '0/0')::bigint
"""


def written() -> dict[str, int]:
    """Return the bytes of these tables with their indexes, and the position in the WAL."""
    with connection.cursor() as cursor:
        cursor.execute(BYTES, {"tables": TABLES})
        data, wal = cursor.fetchone()
    connection.close()
    return {"data": data, "WAL": wal}
