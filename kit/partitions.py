"""Tables partitioned by month: the UUIDv7 in the partition key says to which month a row belongs.

The function `make_months` of the database makes the partitions ahead of time. It belongs to the
owner, and the application may call it: `manage.py migrate` does, and workers do every hour. There
is no default partition (docs/adr/0023-histories-are-partitioned-by-month.md).
"""

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import uuid_utils
from django.contrib.postgres.operations import NotInTransactionMixin
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement
from django.db.migrations.operations import AddIndex, CreateModel

MONTHS_AHEAD: Final = 3

# The month of yesterday is made as well, for hosts whose clocks are slow. A partition gets the
# triggers of its table, and only the owner may touch it directly. ATTACH lets appends continue. It
# needs a lock that a VACUUM of the table has as well; if it is not free, the next call tries again.
MAKE_MONTHS: Final = f"""
DECLARE
    parent record;
    grantee record;
    statement text;
    partition text;
    month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC' - interval '1 day');
    bounds text[];
    made int := 0;
BEGIN
    WHILE month <= now() AT TIME ZONE 'UTC' + interval '{MONTHS_AHEAD} months' LOOP
        SELECT array_agg(regexp_replace(
            lpad(to_hex((extract(epoch FROM bound) * 1000)::bigint), 12, '0'),
            '(.{{8}})(.{{4}})', '\\1-\\2-7000-8000-000000000000'
        ) ORDER BY bound) INTO bounds
        FROM unnest(ARRAY[month, month + interval '1 month']) bound;
        FOR parent IN
            SELECT c.oid, c.relname FROM pg_partitioned_table p
            JOIN pg_class c ON c.oid = p.partrelid
            WHERE c.relnamespace = 'public'::regnamespace ORDER BY c.relname
        LOOP
            partition := format('public.%I', parent.relname || to_char(month, '_YYYY_MM'));
            CONTINUE WHEN to_regclass(partition) IS NOT NULL;
            IF made = 0 AND NOT pg_try_advisory_xact_lock(hashtext('make_months')) THEN
                RETURN 0;
            END IF;
            EXECUTE format('CREATE TABLE %s (LIKE public.%I INCLUDING ALL EXCLUDING IDENTITY)',
                partition, parent.relname);
            FOR grantee IN
                SELECT DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC'
                    ELSE a.grantee::regrole::text END AS name
                FROM pg_class c, aclexplode(c.relacl) a
                WHERE c.oid = partition::regclass AND a.grantee <> c.relowner
            LOOP
                EXECUTE format('REVOKE ALL ON %s FROM %s', partition, grantee.name);
            END LOOP;
            EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)',
                parent.relname, partition, bounds[1], bounds[2]);
            FOR statement IN
                SELECT format('%s; ALTER TABLE %s ENABLE ALWAYS TRIGGER %I',
                    replace(pg_get_triggerdef(oid), format(' ON public.%I ', parent.relname),
                        format(' ON %s ', partition)),
                    partition, tgname)
                FROM pg_trigger WHERE tgrelid = parent.oid AND NOT tgisinternal AND tgtype & 1 = 0
            LOOP
                EXECUTE statement;
            END LOOP;
            made := made + 1;
        END LOOP;
        month := month + interval '1 month';
    END LOOP;
    RETURN made;
END
"""  # noqa: S608  (a constant)
SETTINGS: Final = ("search_path=pg_catalog, pg_temp", "lock_timeout=500ms")

FUNCTION: Final = """
SELECT prosrc = %s AND prosecdef AND proconfig = %s::text[]
    AND proowner = (SELECT relowner FROM pg_class WHERE oid = to_regclass('django_migrations')),
    has_function_privilege(coalesce(nullif(%s, ''), current_user), p.oid, 'EXECUTE')
FROM pg_proc p WHERE p.oid = to_regprocedure('public.make_months()')
"""

PARTITIONS: Final = """
SELECT p.relname, c.relname FROM pg_inherits i
JOIN pg_class p ON p.oid = i.inhparent JOIN pg_class c ON c.oid = i.inhrelid
WHERE c.relispartition AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1, 2
"""

WITHOUT_INDEX: Final = """
SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = to_regclass(quote_ident(%(table)s)) AND NOT EXISTS (
    SELECT 1 FROM pg_inherits a JOIN pg_index x ON x.indexrelid = a.inhrelid
    WHERE a.inhparent = to_regclass(quote_ident(%(index)s)) AND x.indrelid = c.oid
) ORDER BY 1
"""

# How many months after this one have all partitions, of those that should.
AHEAD: Final = f"""
SELECT count(*) FROM generate_series(1, {MONTHS_AHEAD}) m WHERE NOT EXISTS (
    SELECT 1 FROM pg_partitioned_table p JOIN pg_class t ON t.oid = p.partrelid
    WHERE NOT EXISTS (
        SELECT 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = t.oid AND c.relname = t.relname
            || to_char(now() AT TIME ZONE 'UTC' + m * interval '1 month', '_YYYY_MM')
    )
)
"""  # noqa: S608  (a constant)


def new_id() -> UUID:
    """Draw a UUIDv7 of this month.

    Without a given time, the library never goes back: after the clock was ahead for a moment, all
    ids of the process would belong to that month.
    """
    return UUID(int=uuid_utils.uuid7(nanoseconds=time.time_ns()).int)


def first_id(month: date) -> UUID:
    """Return the least UUIDv7 of the month that begins on this day."""
    began = datetime(month.year, month.month, month.day, tzinfo=UTC)
    return UUID(int=round(began.timestamp() * 1000) << 80 | 0x7000_8000 << 48)


def made_at(identity: UUID) -> datetime:
    """Return the time in a UUIDv7."""
    return datetime.fromtimestamp((identity.int >> 80) / 1000, UTC)


def first_id_before(days: int) -> UUID:
    """Return the least UUIDv7 that a row made so many days ago can have.

    Older rows have lesser ids, which an index finds.
    """
    made = datetime.now(UTC) - timedelta(days=days)
    return UUID(int=int(made.timestamp() * 1000) << 80)


class CreatePartitioned(CreateModel):
    """Create a model whose table is partitioned by the first column of its primary key."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,
        to_state: Any,
    ) -> None:
        """Create the table without partitions."""
        plain = schema_editor.sql_create_table
        key = to_state.apps.get_model(app_label, self.name)._meta.pk_fields[0].column
        schema_editor.sql_create_table = f"{plain} PARTITION BY RANGE ({key})"
        try:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        finally:
            schema_editor.sql_create_table = plain


class AddIndexToPartitions(NotInTransactionMixin, AddIndex):
    """Create an index of a partitioned table while others write.

    PostgreSQL cannot do it concurrently at once. The index of the table is created without those of
    the partitions, then one on each partition concurrently, which is attached to it. The migration
    needs `atomic = False`, and can be run again after an error.
    """

    atomic = False

    def describe(self) -> str:
        """Return what the operation does."""
        return f"Concurrently {super().describe()[0].lower()}{super().describe()[1:]}"

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,
        to_state: Any,
    ) -> None:
        """Create the index on the table, then on each partition."""
        self._ensure_not_in_transaction(schema_editor)
        model = to_state.apps.get_model(app_label, self.model_name)
        quote = schema_editor.quote_name
        name, table = self.index.name, model._meta.db_table
        created = self.index.create_sql(model, schema_editor)
        assert isinstance(created, Statement)

        def create(template: str, **names: str) -> str:
            return template % (created.parts | {each: quote(names[each]) for each in names})

        if not self._exists(schema_editor, name):
            only = created.template.replace(" ON ", " ON ONLY ", 1)
            schema_editor.execute(create(only))
        concurrently = created.template.replace(" INDEX ", " INDEX CONCURRENTLY ", 1)
        for partition in self._without_index(schema_editor, table, name):
            of_partition = f"{partition}_{name}"
            # An earlier attempt may have left one that is invalid.
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {quote(of_partition)}")
            schema_editor.execute(create(concurrently, name=of_partition, table=partition))
            schema_editor.execute(
                f"ALTER INDEX {quote(name)} ATTACH PARTITION {quote(of_partition)}"
            )

    @staticmethod
    def _exists(schema_editor: BaseDatabaseSchemaEditor, name: str) -> bool:
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass(quote_ident(%s)) IS NOT NULL", [name])
            return bool(cursor.fetchone()[0])

    @staticmethod
    def _without_index(
        schema_editor: BaseDatabaseSchemaEditor, table: str, index: str
    ) -> list[str]:
        """Return the partitions whose indexes are not attached to this one yet."""
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(WITHOUT_INDEX, {"table": table, "index": index})
            return [name for (name,) in cursor.fetchall()]


def make_months(connection: BaseDatabaseWrapper) -> int:
    """Make the partitions of this month and of `MONTHS_AHEAD` more that are missing. Return how
    many. Raises OperationalError if a long statement is in the way."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT public.make_months()")
        (made,) = cursor.fetchone()
    return int(made)


def build(connection: BaseDatabaseWrapper, role: str) -> None:
    """Build the function as the owner, let the application's role call it, and call it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION public.make_months() RETURNS int LANGUAGE plpgsql "
            f"SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' "
            f"AS $${MAKE_MONTHS}$$"
        )
        cursor.execute("REVOKE ALL ON FUNCTION public.make_months() FROM PUBLIC")
        if role:
            quoted = connection.ops.quote_name(role)
            cursor.execute(f"GRANT EXECUTE ON FUNCTION public.make_months() TO {quoted}")
    make_months(connection)


def gaps(connection: BaseDatabaseWrapper, role: str) -> Iterator[str]:
    """Yield what is wrong with the function, one sentence each."""
    with connection.cursor() as cursor:
        cursor.execute(FUNCTION, [MAKE_MONTHS, list(SETTINGS), role])
        is_ours, is_allowed = cursor.fetchone() or (False, True)
    if not is_ours:
        yield "the function make_months is missing or was changed"
    if not is_allowed:
        yield "the application's role may not call the function make_months"
