"""`manage.py check_tables`: compare the tables of the database with those of the migrations."""

import re
import sys
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from games.management.printing import plain_console

FRESH: Final = "railbird_fresh"
"""The schema in which the migrations run, until the transaction is undone."""

# Partitions are left out: workers make them, and `protect_tables` checks them.
DESCRIBED: Final = """
WITH tables AS (
    SELECT oid, relname FROM pg_class
    WHERE relnamespace = to_regnamespace(%(schema)s) AND relkind IN ('r', 'p')
        AND NOT relispartition
)
SELECT 'column ' || relname || '.' || attname, format_type(atttypid, atttypmod)
        || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
        || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')
        || attidentity::text || attgenerated::text
    FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
UNION ALL
SELECT 'constraint ' || relname || '.' || conname, pg_get_constraintdef(c.oid)
    FROM tables JOIN pg_constraint c ON conrelid = tables.oid WHERE contype <> 'n'
UNION ALL
SELECT 'index ' || tables.relname || '.' || i.relname, pg_get_indexdef(i.oid)
    FROM tables JOIN pg_index ON indrelid = tables.oid JOIN pg_class i ON i.oid = indexrelid
"""


class Command(BaseCommand):
    help = (
        "Compare columns, constraints and indexes of the database with those that the migrations "
        "of this version make; exit code 1 if any differ. The migrations run in a schema of their "
        "own, in a transaction that is undone. `protect_tables` checks triggers and privileges."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        console = plain_console()
        found, expected = _described("public"), _made_by_migrations()
        for name in sorted(found.keys() | expected.keys()):
            if found.get(name) != expected.get(name):
                console.print(name, style="red", soft_wrap=True)
                for what, texts in (("database", found), ("migrations", expected)):
                    console.print(f"  {what}: {texts.get(name, 'none')}")
        if found != expected:
            console.print("the tables are not those of this version", style="bold red")
            sys.exit(1)
        console.print("the tables are those of this version", style="bold green")


def _made_by_migrations() -> dict[str, str]:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE SCHEMA {FRESH}")
            cursor.execute(f"SET LOCAL search_path TO {FRESH}")
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
        made = _described(FRESH)
        transaction.set_rollback(True)
    return made


def _described(schema: str) -> dict[str, str]:
    """Return the definition of each part of the tables of a schema, without the schema's name."""
    with connection.cursor() as cursor:
        cursor.execute(DESCRIBED, {"schema": schema})
        return {name: re.sub(rf"\b{schema}\.", "", text) for name, text in cursor.fetchall()}
