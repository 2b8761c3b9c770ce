"""Which migrations the processes of the previous release survive."""

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

from kit.migrations import dangers
from tests.commands import managed

BY_NAME = models.Index(fields=["name"], name="by_name")


def dangers_of(operation: Operation, **attributes: str) -> list[str]:
    state = ProjectState()
    state.add_model(
        ModelState("shop", "Thing", [("name", models.CharField(max_length=10, null=True))])
    )
    kind = type("Migration", (Migration,), {"operations": [operation], **attributes})
    return list(dangers(kind("0002_next", "shop"), state))


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
        AddIndexConcurrently("Thing", BY_NAME),
    ],
)
def test_a_migration_that_running_code_survives_passes(operation: Operation) -> None:
    assert dangers_of(operation) == []


def test_the_command_names_the_dangers_of_the_migrations_of_this_project() -> None:
    assert managed("check_migrations").returncode == 0
    found = managed("check_migrations", "accounts.0002_fillfactor", "accounts.0003_auditors")
    assert found.returncode == 1
    assert "accounts.0002_fillfactor: " in found.stderr
