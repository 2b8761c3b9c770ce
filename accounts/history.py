"""Walls around tables whose rows are history: the database itself refuses to change them."""

from collections.abc import Sequence

from django.conf import settings
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython
from django.db.migrations.state import StateApps


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
