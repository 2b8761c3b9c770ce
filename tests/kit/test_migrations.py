"""Which migrations the processes of the previous release survive."""

from typing import Any

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

from kit.migrations import dangers
from tests.commands import managed

BY_NAME = models.Index(fields=["name"], name="by_name")
OWNER = models.ForeignKey("shop.Thing", models.PROTECT, null=True)


def text(**attributes: Any) -> "models.CharField[Any, Any]":
    return models.CharField(max_length=10, null=True, **attributes)


def dangers_of(operation: Operation, **attributes: str) -> list[str]:
    state = ProjectState()
    fields = {"name": text(), "kind": text(db_default=""), "code": text(unique=True)}
    state.add_model(ModelState("shop", "Thing", list(fields.items())))
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


def test_the_command_names_the_dangers_of_the_migrations_of_this_project() -> None:
    assert managed("check_migrations").returncode == 0
    found = managed("check_migrations", "accounts.0001_initial", "games.0001_initial")
    assert found.returncode == 1
    assert "accounts.0001_initial: Raw SQL operation: nobody can tell" in found.stderr
