"""Table protection: triggers and missing privileges by which the database itself keeps histories
unchanged.

The `AppConfig.protections` of each Django app lists its tables. Their partitions are protected in
the same way, and the application touches no partition directly. `manage.py migrate` builds all
protections each time, because a database that was restored from a dump has other privileges than
the dumped one.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper

from kit import partitions

# The bits of pg_trigger.tgtype.
ROW, BEFORE, DELETE, UPDATE, TRUNCATE = 1, 2, 8, 16, 32


class Function(NamedTuple):
    """A PL/pgSQL function that a trigger calls."""

    name: str
    body: str


REJECT: Final = Function(
    "history_is_append_only",
    """
BEGIN
    RAISE EXCEPTION USING ERRCODE = '42501',
        MESSAGE = 'rows of ' || TG_TABLE_NAME || ' are history: a correction is a new row';
END
""",
)


class Trigger(NamedTuple):
    """A trigger before changes. `kind` are the bits of `pg_trigger.tgtype`. If there are `columns`,
    it calls its function only when one of them changes."""

    name: str
    kind: int
    columns: tuple[str, ...] = ()
    function: Function = REJECT

    def sql(self, table: str) -> str:
        """Return the statement that creates or replaces the trigger."""
        names = {DELETE: "DELETE", UPDATE: "UPDATE", TRUNCATE: "TRUNCATE"}
        events = " OR ".join(name for bit, name in names.items() if self.kind & bit)
        each, when = "ROW" if self.kind & ROW else "STATEMENT", ""
        if self.columns:
            old, new = (
                ", ".join(f"{row}.{column}" for column in self.columns) for row in ("OLD", "NEW")
            )
            events += f" OF {', '.join(self.columns)}"
            when = f" WHEN (({old}) IS DISTINCT FROM ({new}))"
        return (
            f"CREATE OR REPLACE TRIGGER {self.name} BEFORE {events} ON {table} "
            f"FOR EACH {each}{when} EXECUTE FUNCTION {self.function.name}()"
        )


class TableProtection(NamedTuple):
    """The protection of one table: triggers, which stop every role, and privileges that the
    application's role must not have. A partition inherits its triggers for rows."""

    table: str
    triggers: tuple[Trigger, ...]
    revoked: tuple[str, ...]
    is_partition: bool = False


def append_only(table: str) -> TableProtection:
    """Rows can be inserted and read, never updated, deleted or truncated."""
    return TableProtection(
        table,
        (
            Trigger("append_only_rows", ROW | BEFORE | UPDATE | DELETE),
            Trigger("append_only_table", BEFORE | TRUNCATE),
        ),
        ("UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"),
    )


def written_by_owner(table: str) -> TableProtection:
    """Only the owner inserts rows, and nobody changes them."""
    protection = append_only(table)
    return protection._replace(revoked=("INSERT", *protection.revoked))


def permanent(table: str, *columns: str, more: Sequence[Trigger] = ()) -> TableProtection:
    """Rows cannot be deleted, and these columns never change. There may be more triggers."""
    return TableProtection(
        table,
        (
            Trigger("rows_stay", ROW | BEFORE | DELETE),
            Trigger("table_stays", BEFORE | TRUNCATE),
            Trigger("columns_stay", ROW | BEFORE | UPDATE, columns),
            *more,
        ),
        ("DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"),
    )


def read_only(table: str) -> TableProtection:
    """Only the owner writes."""
    return TableProtection(table, (), ("INSERT", "UPDATE", "DELETE", "TRUNCATE"))


def declared() -> list[TableProtection]:
    """Return the protections of all Django apps."""
    return [
        protection
        for config in apps.get_app_configs()
        for protection in getattr(config, "protections", ())
    ]


EVERYTHING: Final = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")


def _standing(connection: BaseDatabaseWrapper) -> list[TableProtection]:
    """Return the protections of all Django apps, and those of the partitions of their tables."""
    with connection.cursor() as cursor:
        cursor.execute(partitions.PARTITIONS)
        found = cursor.fetchall()
    protections = {protection.table: protection for protection in declared()}
    return [
        *protections.values(),
        *(
            TableProtection(name, protections[table].triggers, EVERYTHING, is_partition=True)
            for table, name in found
        ),
    ]


def build(connection: BaseDatabaseWrapper, role: str) -> None:
    """Build, as the owner, the protections of all tables that exist, whatever was changed about
    them, and the partitions that are missing.

    `role` is the application's; empty if the application is the owner, whose privileges stay.
    """
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        functions = {
            trigger.function for protection in declared() for trigger in protection.triggers
        }
        for name, body in sorted(functions):
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql "
                f"AS $${body}$$"
            )
        existing = set(connection.introspection.table_names(cursor))
        for table, triggers, revoked, is_partition in _standing(connection):
            if table not in existing and not is_partition:
                continue
            for trigger in triggers:
                if not (is_partition and trigger.kind & ROW):
                    cursor.execute(trigger.sql(table))
                # ENABLE ALWAYS: whatever a session sets `session_replication_role` to.
                cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger.name}")
            if role:
                cursor.execute(f"REVOKE {', '.join(revoked)} ON {table} FROM PUBLIC, {quote(role)}")
    partitions.build(connection, role)


TRIGGERS: Final = """
SELECT c.relname, t.tgname, t.tgenabled = 'A', t.tgtype, p.proname, p.prosrc,
    ARRAY(SELECT a.attname::text FROM pg_attribute a
        WHERE a.attrelid = t.tgrelid AND a.attnum = ANY(t.tgattr) ORDER BY 1)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE c.relname = ANY(%s) AND c.relnamespace = 'public'::regnamespace
"""

PRIVILEGES: Final = """
SELECT p.relation, p.name FROM unnest(%s::text[], %s::text[]) AS p(relation, name)
JOIN pg_class c ON c.relname = p.relation AND c.relnamespace = 'public'::regnamespace
WHERE has_table_privilege(coalesce(nullif(%s, ''), current_user), c.oid, p.name)
    OR p.name IN ('INSERT', 'UPDATE', 'REFERENCES')
        AND has_any_column_privilege(coalesce(nullif(%s, ''), current_user), c.oid, p.name)
ORDER BY 1, 2
"""


def gaps(connection: BaseDatabaseWrapper, role: str = "") -> list[str]:
    """Return what is missing from the protections, one sentence each. `role` is the application's;
    empty: the one that is connected."""
    protections = _standing(connection)
    return [
        *_missing_triggers(connection, protections),
        *_excess_privileges(connection, protections, role),
        *partitions.gaps(connection, role),
    ]


def _missing_triggers(
    connection: BaseDatabaseWrapper, protections: Sequence[TableProtection]
) -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute(TRIGGERS, [[protection.table for protection in protections]])
        found = {(table, name): facts for table, name, *facts in cursor.fetchall()}
    for protection in protections:
        for name, kind, columns, function in protection.triggers:
            facts = found.get((protection.table, name))
            if facts is None:
                yield f"{protection.table} has no trigger {name}"
            elif facts != [True, kind, *function, sorted(columns)]:
                yield f"the trigger {name} of {protection.table} is disabled or was changed"


def _excess_privileges(
    connection: BaseDatabaseWrapper, protections: Sequence[TableProtection], role: str
) -> Iterator[str]:
    pairs = [
        (protection.table, privilege)
        for protection in protections
        for privilege in protection.revoked
    ]
    tables, privileges = (list(column) for column in zip(*pairs, strict=True))
    with connection.cursor() as cursor:
        cursor.execute(PRIVILEGES, [tables, privileges, role, role])
        for table, privilege in cursor.fetchall():
            yield f"the application's role has the privilege {privilege} on {table}"
