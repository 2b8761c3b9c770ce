"""Walls around tables whose rows are history: the database itself refuses to change them."""

from collections.abc import Mapping, Sequence
from typing import Final

from django.conf import settings
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython
from django.db.migrations.state import StateApps

APPEND_ONLY: Final = """
CREATE OR REPLACE FUNCTION history_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = '42501',
        MESSAGE = 'rows of ' || TG_TABLE_NAME || ' are history: a correction is a new row';
END $$
"""
IT_STAYS: Final = """
CREATE OR REPLACE FUNCTION it_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = 'this stays in ' || TG_TABLE_NAME || ' as it is';
END $$
"""


def append_only(tables: Sequence[str]) -> RunPython:
    """A migration step: rows of these tables are inserted and read, never updated, deleted or
    truncated.

    Triggers refuse it whoever asks, whatever `session_replication_role` says; and the application's
    role, which owns nothing, loses the privileges besides."""
    triggers = {
        "append_only_rows": "BEFORE UPDATE OR DELETE ON {} FOR EACH ROW EXECUTE FUNCTION history_is_append_only()",
        "append_only_table": "BEFORE TRUNCATE ON {} FOR EACH STATEMENT EXECUTE FUNCTION history_is_append_only()",
    }
    return _walls(
        APPEND_ONLY,
        dict.fromkeys(tables, triggers),
        "UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER",
    )


def what_stays(tables: Mapping[str, Sequence[str]]) -> RunPython:
    """A migration step: rows of these tables may change, but for the columns that are named; and
    they are never deleted.

    Refused as by `append_only`.
    """
    return _walls(
        IT_STAYS,
        {table: _staying(columns) for table, columns in tables.items()},
        "DELETE, TRUNCATE, REFERENCES, TRIGGER",
    )


def _staying(columns: Sequence[str]) -> Mapping[str, str]:
    triggers = {
        "rows_stay": "BEFORE DELETE ON {} FOR EACH ROW EXECUTE FUNCTION it_stays()",
        "table_stays": "BEFORE TRUNCATE ON {} FOR EACH STATEMENT EXECUTE FUNCTION it_stays()",
    }
    if columns:
        old, new = (", ".join(f"{row}.{column}" for column in columns) for row in ("OLD", "NEW"))
        triggers["columns_stay"] = (
            f"BEFORE UPDATE OF {', '.join(columns)} ON {{}} FOR EACH ROW "
            f"WHEN (({old}) IS DISTINCT FROM ({new})) EXECUTE FUNCTION it_stays()"
        )
    return triggers


def _walls(function: str, triggers: Mapping[str, Mapping[str, str]], revoked: str) -> RunPython:
    """Triggers by table and name, each with a place for its table, which no setting switches off;
    and the right to try it."""

    def build(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        editor.execute(function)
        for table, named in triggers.items():
            for name, trigger in named.items():
                editor.execute(f"CREATE TRIGGER {name} {trigger.format(table)}")
                editor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
            if settings.APPLICATION_ROLE:
                editor.execute(
                    f"REVOKE {revoked} ON {table} FROM {editor.quote_name(settings.APPLICATION_ROLE)}"
                )

    def tear_down(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        for table, named in triggers.items():
            for name in named:
                editor.execute(f"DROP TRIGGER {name} ON {table}")

    return RunPython(build, tear_down)
