"""Walls around tables whose rows are history: the database itself refuses to change them."""

from collections.abc import Mapping, Sequence

from django.conf import settings
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython
from django.db.migrations.state import StateApps


def what_stays(tables: Mapping[str, Sequence[str]]) -> RunPython:
    """A migration step: rows of these tables may change, but for the columns that are named; and they are never deleted."""

    def build(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        editor.execute(
            """
            CREATE OR REPLACE FUNCTION it_stays() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = 'this stays in ' || TG_TABLE_NAME || ' as it is';
            END $$
            """
        )
        for table, columns in tables.items():
            events = {"rows_stay": "DELETE", "table_stays": "TRUNCATE"}
            if columns:
                events["columns_stay"] = f"UPDATE OF {', '.join(columns)}"
            for trigger, event in events.items():
                each = "STATEMENT" if event == "TRUNCATE" else "ROW"
                old, new = (", ".join(f"{row}.{column}" for column in columns) for row in ("OLD", "NEW"))
                when = f"WHEN (({old}) IS DISTINCT FROM ({new}))" if trigger == "columns_stay" else ""
                editor.execute(
                    f"CREATE TRIGGER {trigger} BEFORE {event} ON {table} FOR EACH {each} {when} EXECUTE FUNCTION it_stays()"
                )
                editor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")
            if settings.APPLICATION_ROLE:
                quoted = editor.quote_name(settings.APPLICATION_ROLE)
                editor.execute(f"REVOKE DELETE, TRUNCATE, REFERENCES, TRIGGER ON {table} FROM {quoted}")

    def tear_down(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        for table in tables:
            for trigger in ("rows_stay", "table_stays", "columns_stay"):
                editor.execute(f"DROP TRIGGER IF EXISTS {trigger} ON {table}")

    return RunPython(build, tear_down)


def append_only(tables: Sequence[str]) -> RunPython:
    """A migration step: rows of these tables are inserted and read, never updated, deleted or truncated.

    Triggers refuse it whoever asks, whatever `session_replication_role` says; and the application's role, which owns
    nothing, loses the privileges besides.
    """

    def build(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        role = settings.APPLICATION_ROLE
        editor.execute(
            """
            CREATE OR REPLACE FUNCTION history_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                RAISE EXCEPTION USING ERRCODE = '42501',
                    MESSAGE = 'rows of ' || TG_TABLE_NAME || ' are history: a correction is a new row';
            END $$
            """
        )
        for table in tables:
            editor.execute(
                f"CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON {table} "
                "FOR EACH ROW EXECUTE FUNCTION history_is_append_only()"
            )
            editor.execute(
                f"CREATE TRIGGER append_only_table BEFORE TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION history_is_append_only()"
            )
            for trigger in ("append_only_rows", "append_only_table"):
                editor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")
            if role:
                quoted = editor.quote_name(role)
                editor.execute(f"REVOKE UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON {table} FROM {quoted}")

    def tear_down(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        for table in tables:
            editor.execute(f"DROP TRIGGER append_only_rows ON {table}")
            editor.execute(f"DROP TRIGGER append_only_table ON {table}")

    return RunPython(build, tear_down)
