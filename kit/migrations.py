"""Check that migrations are compatible with the code of the previous release.

During an upgrade, old processes run on the new schema: they still read every column that they know,
and insert rows without the new columns. A change that is not compatible takes two releases.
"""

from collections.abc import Collection, Iterator

from django.apps.registry import Apps
from django.contrib.postgres.operations import (
    AddConstraintNotValid,
    AddIndexConcurrently,
    RemoveIndexConcurrently,
    ValidateConstraint,
)
from django.core.management.base import CommandError
from django.db import connections
from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED, Field

from kit.partitions import AddIndexToPartitions

HARMLESS = (
    AddIndexToPartitions,
    operations.CreateModel,
    operations.AlterModelOptions,
    operations.AlterModelManagers,
    operations.RemoveConstraint,
    AddConstraintNotValid,
    ValidateConstraint,
    AddIndexConcurrently,
    RemoveIndexConcurrently,
)


CONCURRENTLY = "add an index concurrently"
TO_PARTITIONS = "add the index with AddIndexToPartitions"

COLUMNS = """
SELECT table_name, array_agg(column_name::text) FROM information_schema.columns
WHERE table_schema = current_schema() GROUP BY table_name
"""


def refuse_other_series(apps: Apps, using: str, **_details: object) -> None:
    """Refuse to migrate tables that another series made: its first migrations have the same names,
    so that Django would take them for these. `apps` is what the applied migrations should have
    made."""
    connection = connections[using]
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        found = dict(cursor.fetchall())
    lacking = [
        f"{model._meta.db_table}.{field.column}"
        for model in apps.get_models()
        if model._meta.can_migrate(connection)
        for field in model._meta.local_concrete_fields
        if field.column not in found.get(model._meta.db_table, ())
    ]
    if lacking:
        raise CommandError(
            f"A release of another series made this database: it lacks {lacking[0]} and "
            f"{len(lacking) - 1} other columns. Nothing was changed. Continue with that release, "
            "or start with an empty database."
        )


def dangers(
    migration: Migration, before: ProjectState, partitioned: Collection[str] = ()
) -> Iterator[str]:
    """Yield the operations of a migration that the running code may not survive, one line each.

    A migration that is safe for another reason says so: `survives = "..."`. `before` is the state
    that it changes, `partitioned` names the tables that are partitioned.
    """
    if getattr(migration, "survives", ""):
        return
    state = before.clone()
    created: set[str] = set()
    for operation in migration.operations:
        if isinstance(operation, operations.CreateModel):
            created.add(operation.name_lower)
        model = str(getattr(operation, "model_name", "")).lower()
        app = migration.app_label
        if model in created:
            reason = None
        elif (app, model) in state.models and _table(state, app, model) in partitioned:
            reason = _danger_of_partitions(operation, app, state)
        else:
            reason = _danger(operation, app, state)
        if reason is not None:
            yield f"{migration.app_label}.{migration.name}: {operation.describe()}: {reason}"
        operation.state_forwards(migration.app_label, state)


def _table(state: ProjectState, app: str, model: str) -> str:
    return str(state.models[app, model].options.get("db_table") or f"{app}_{model}")


def _danger_of_partitions(operation: Operation, app: str, state: ProjectState) -> str | None:
    """Return why running code may not survive this operation on a partitioned table."""
    match operation:
        case AddIndexConcurrently():
            return "PostgreSQL refuses it for a partitioned table; use AddIndexToPartitions"
        case RemoveIndexConcurrently():
            return "PostgreSQL refuses it for a partitioned table; use RemoveIndex"
        case AddIndexToPartitions() | operations.RemoveIndex():
            return None
        case operations.AddIndex():
            return "it blocks all writes; use AddIndexToPartitions"
        case _:
            reason = _danger(operation, app, state)
            return reason and reason.replace(CONCURRENTLY, TO_PARTITIONS)


def _danger(operation: Operation, app: str, state: ProjectState) -> str | None:
    if isinstance(operation, HARMLESS):
        return None
    match operation:
        case operations.RemoveField() | operations.DeleteModel():
            return "running code reads it; stop using it in one release, remove it in the next"
        case operations.RenameField() | operations.RenameModel() | operations.AlterModelTable():
            return "running code knows the old name; add the new one and remove the old one later"
        case operations.AddField():
            return _danger_of_new(operation.field) or _danger_of_index(operation.field)
        case operations.AlterField():
            old = state.models[app, operation.model_name_lower].fields[operation.name]
            new = operation.field
            return _danger_of_change(old, new) or (
                None if _has_index(old) else _danger_of_index(new)
            )
        case operations.AddConstraint():
            return "it locks the table, and running code may break it; use AddConstraintNotValid"
        case operations.AddIndex() | operations.RemoveIndex():
            return "it blocks all writes; use the operation that works concurrently"
        case _:
            return "nobody can tell; say why running code survives it in `survives`"


def _danger_of_new(field: Field) -> str | None:  # type: ignore[type-arg]  # of any value
    if field.null or field.many_to_many or field.db_default is not NOT_PROVIDED:
        return None
    return "running code inserts rows without it; give it a `db_default` or let it be null"


def _danger_of_change(old: Field, new: Field) -> str | None:  # type: ignore[type-arg]
    if old.null and not new.null:
        return "running code writes nulls"
    if old.db_column != new.db_column:
        return "running code knows the old name; add a new column and remove the old one later"
    if _column(old) != _column(new):
        return "the type of the column changes; add a new column and remove the old one later"
    if old.db_default is not NOT_PROVIDED and new.db_default is NOT_PROVIDED:
        return "running code inserts rows without it; remove the `db_default` in the next release"
    return None


def _danger_of_index(new: Field) -> str | None:  # type: ignore[type-arg]
    if not _has_index(new):
        return None
    return f"its index blocks all writes; set `db_index=False`, and {CONCURRENTLY}"


def _has_index(field: Field) -> bool:  # type: ignore[type-arg]
    return field.unique or field.db_index  # type: ignore[attr-defined]  # the stubs lack it


def _column(field: Field) -> tuple[str, int | None]:  # type: ignore[type-arg]
    return field.get_internal_type(), field.max_length
