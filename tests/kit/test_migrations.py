"""Which migrations the processes of the previous release survive."""

import os
from collections.abc import Collection, Iterator
from typing import Any

import psycopg
import pytest
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import connection, models
from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

from kit.migrations import dangers
from kit.partitions import AddIndexToPartitions
from tests.archive.past import as_owner
from tests.commands import managed

pytestmark = pytest.mark.usefixtures("database")

BY_NAME = models.Index(fields=["name"], name="by_name")
OWNER = models.ForeignKey("shop.Thing", models.PROTECT, null=True)


def text(**attributes: Any) -> "models.CharField[Any, Any]":
    return models.CharField(max_length=10, null=True, **attributes)


def dangers_of(
    operation: Operation, partitioned: Collection[str] = (), **attributes: str
) -> list[str]:
    state = ProjectState()
    fields = {"name": text(), "kind": text(db_default=""), "code": text(unique=True)}
    state.add_model(ModelState("shop", "Thing", list(fields.items())))
    kind = type("Migration", (Migration,), {"operations": [operation], **attributes})
    return list(dangers(kind("0002_next", "shop"), state, partitioned))


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (operations.RemoveField("Thing", "name"), "running code reads it"),
        (operations.DeleteModel("Thing"), "running code reads it"),
        (operations.RenameField("Thing", "name", "title"), "knows the old name"),
        (operations.AddField("Thing", "size", models.IntegerField()), "inserts rows without it"),
        (operations.AlterField("Thing", "name", models.CharField(max_length=10)), "writes nulls"),
        (operations.AlterField("Thing", "name", models.TextField(null=True)), "type of the column"),
        (operations.AddIndex("Thing", BY_NAME), "blocks all writes"),
        (operations.AlterField("Thing", "name", text(db_index=True)), "blocks all writes"),
        (operations.AlterField("Thing", "name", text(unique=True)), "blocks all writes"),
        (operations.AlterField("Thing", "name", text(db_column="title")), "knows the old name"),
        (operations.AlterField("Thing", "kind", text()), "inserts rows without it"),
        (operations.AddField("Thing", "owner", OWNER), "blocks all writes"),
        (operations.RunSQL("DROP TABLE thing"), "nobody can tell"),
    ],
)
def test_a_migration_that_running_code_does_not_survive_is_named(
    operation: Operation, reason: str
) -> None:
    (danger,) = dangers_of(operation)
    assert danger.startswith("shop.0002_next: ")
    assert reason in danger
    assert dangers_of(operation, survives="no process uses it") == []


@pytest.mark.parametrize(
    "operation",
    [
        operations.CreateModel("Other", [("id", models.AutoField(primary_key=True))]),
        operations.AddField("Thing", "size", models.IntegerField(null=True)),
        operations.AddField("Thing", "size", models.IntegerField(db_default=0)),
        operations.AlterField("Thing", "name", text(db_default="")),
        operations.AlterField("Thing", "code", text(unique=True, help_text="new")),
        AddIndexConcurrently("Thing", BY_NAME),
    ],
)
def test_a_migration_that_running_code_survives_passes(operation: Operation) -> None:
    assert dangers_of(operation) == []


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (operations.AddIndex("Thing", BY_NAME), "use AddIndexToPartitions"),
        (AddIndexConcurrently("Thing", BY_NAME), "refuses it for a partitioned table"),
        (RemoveIndexConcurrently("Thing", "by_name"), "use RemoveIndex"),
        (operations.AddField("Thing", "owner", OWNER), "with AddIndexToPartitions"),
        (operations.RemoveField("Thing", "name"), "running code reads it"),
    ],
)
def test_a_partitioned_table_gets_the_advice_that_works_there(
    operation: Operation, reason: str
) -> None:
    (danger,) = dangers_of(operation, {"shop_thing"})
    assert reason in danger


def test_what_works_on_a_partitioned_table_passes() -> None:
    assert dangers_of(AddIndexToPartitions("Thing", BY_NAME), {"shop_thing"}) == []
    assert dangers_of(AddIndexToPartitions("Thing", BY_NAME)) == []


@pytest.fixture
def partitioned() -> Iterator[psycopg.Connection]:
    """A partitioned table `shop_thing` with two partitions, and another connection."""
    with as_owner(), psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as other:
        other.execute("CREATE TABLE shop_thing (id int, name text) PARTITION BY RANGE (id)")
        for part in (1, 2):
            other.execute(
                f"CREATE TABLE shop_thing_{part} PARTITION OF shop_thing"
                f" FOR VALUES FROM ({part}) TO ({part + 1})"
            )
        yield other
        other.execute("DROP TABLE shop_thing")


def test_an_index_is_added_to_partitions_while_others_write(
    partitioned: psycopg.Connection,
) -> None:
    before, after = ProjectState(), ProjectState()
    for state in (before, after):
        fields = {"id": models.IntegerField(primary_key=True), "name": text()}
        state.add_model(ModelState("shop", "Thing", list(fields.items())))
    adding = AddIndexToPartitions("Thing", BY_NAME)
    adding.state_forwards("shop", after)
    # An attempt that failed left an index of the table, and an invalid one of the first partition.
    partitioned.execute("CREATE INDEX by_name ON ONLY shop_thing (name)")
    partitioned.execute("INSERT INTO shop_thing VALUES (1, 'same'), (1, 'same')")
    with pytest.raises(psycopg.errors.UniqueViolation):
        partitioned.execute(
            "CREATE UNIQUE INDEX CONCURRENTLY shop_thing_1_by_name ON shop_thing_1 (name)"
        )
    statements: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note), connection.schema_editor(atomic=False) as editor:
        adding.database_forwards("shop", editor, before, after)
    built = [text for text in statements if text.startswith("CREATE INDEX")]
    assert all("CONCURRENTLY" in text for text in built), built
    found = partitioned.execute(
        "SELECT c.relname, x.indisvalid, x.indisunique FROM pg_index x"
        " JOIN pg_class c ON c.oid = x.indexrelid"
        " WHERE c.relname LIKE '%by_name' ORDER BY 1"
    ).fetchall()
    names = ["by_name", "shop_thing_1_by_name", "shop_thing_2_by_name"]
    assert found == [(name, True, False) for name in names]


def test_the_command_names_the_dangers_of_the_migrations_of_this_project() -> None:
    assert managed("check_migrations").returncode == 0
    found = managed("check_migrations", "accounts.0001_initial", "games.0001_initial")
    assert found.returncode == 1
    assert "accounts.0001_initial: Raw SQL operation: nobody can tell" in found.stderr
