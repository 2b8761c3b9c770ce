"""Migration steps that make the database itself reject changes to history."""

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
IMMUTABLE: Final = """
CREATE OR REPLACE FUNCTION reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = 'rows of ' || TG_TABLE_NAME || ' are
      permanent';
END $$
"""


def append_only(tables: Sequence[str]) -> RunPython:
    """Make rows of these tables insertable and readable, never updated, deleted or truncated.

    Returns a migration step. Triggers reject the change for every role and for every value of
    `session_replication_role`. The application's role also loses the privileges.
    """
    triggers = {
        "append_only_rows": "BEFORE UPDATE OR DELETE ON {} FOR EACH ROW EXECUTE FUNCTION "
        "history_is_append_only()",
        "append_only_table": "BEFORE TRUNCATE ON {} FOR EACH STATEMENT EXECUTE FUNCTION "
        "history_is_append_only()",
    }
    return _guard(
        APPEND_ONLY,
        dict.fromkeys(tables, triggers),
        "UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER",
    )


def what_stays(tables: Mapping[str, Sequence[str]]) -> RunPython:
    """Protect the named columns of these tables, by table, and forbid deleting rows.

    Returns a migration step. Other columns may change. Enforced as in `append_only`.
    """
    return _guard(
        IMMUTABLE,
        {table: _immutable(columns) for table, columns in tables.items()},
        "DELETE, TRUNCATE, REFERENCES, TRIGGER",
    )


def _immutable(columns: Sequence[str]) -> Mapping[str, str]:
    triggers = {
        "rows_stay": "BEFORE DELETE ON {} FOR EACH ROW EXECUTE FUNCTION reject_change()",
        "table_stays": "BEFORE TRUNCATE ON {} FOR EACH STATEMENT EXECUTE FUNCTION reject_change()",
    }
    if columns:
        old, new = (", ".join(f"{row}.{column}" for column in columns) for row in ("OLD", "NEW"))
        triggers["columns_stay"] = (
            f"BEFORE UPDATE OF {', '.join(columns)} ON {{}} FOR EACH ROW "
            f"WHEN (({old}) IS DISTINCT FROM ({new})) EXECUTE FUNCTION reject_change()"
        )
    return triggers


def _guard(function: str, triggers: Mapping[str, Mapping[str, str]], revoked: str) -> RunPython:
    """Return a step that creates triggers, by table and name, and revokes the privileges.

    Each trigger has one placeholder for its table. `ENABLE ALWAYS` keeps it on whatever the session
    sets.
    """

    def build(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        editor.execute(function)
        for table, named in triggers.items():
            for name, trigger in named.items():
                editor.execute(f"CREATE TRIGGER {name} {trigger.format(table)}")
                editor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
            if settings.APPLICATION_ROLE:
                editor.execute(
                    f"REVOKE {revoked} ON {table} FROM "
                    f"{editor.quote_name(settings.APPLICATION_ROLE)}"
                )

    def tear_down(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        for table, named in triggers.items():
            for name in named:
                editor.execute(f"DROP TRIGGER {name} ON {table}")

    return RunPython(build, tear_down)
