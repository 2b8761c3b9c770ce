"""The transparency log of all heads, append-only like the histories that it seals."""

from typing import ClassVar, Final

from django.db import models
from django.db.models import Index, Q, UniqueConstraint
from django.db.models.functions import Now

from railbird_engine.kernel.chain import Kind


class LogKey(models.Model):
    """A published public key of the log. The private key is in a file outside the database."""

    verifier = models.TextField(primary_key=True)
    at = models.DateTimeField(db_default=Now())


OF_DIVERGED: Final = Q(kind=Kind.DIVERGED.value)
OF_KEYS: Final = Q(kind=Kind.KEY.value)
"""Entries that name keys of acknowledgements."""


class LogEntry(models.Model):
    """One leaf of the tree. `entry` is what is hashed; it begins with kind, log name and version.

    `place` is its number among the entries of its name, from 0.
    """

    index = models.BigIntegerField(primary_key=True)
    name = models.UUIDField()
    place = models.IntegerField()
    kind = models.PositiveSmallIntegerField()
    version = models.IntegerField()
    entry = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["name", "place"], name="log_entry_placed_once")
        ]
        indexes: ClassVar = [
            Index(fields=["index"], condition=OF_DIVERGED, name="log_entry_diverged"),
            Index(fields=["index"], condition=OF_KEYS, name="log_entry_key"),
        ]


class PendingEntry(models.Model):
    """An entry about a lobby that the sealer has not put into the log yet, in order of `id`."""

    name = models.UUIDField()
    entry = models.BinaryField()
    at = models.DateTimeField(db_default=Now())


class LogTrouble(models.Model):
    """A reason why the log cannot be signed: of a process, or of a witness with proof of a fork."""

    source = models.CharField(max_length=400, primary_key=True)
    text = models.CharField(max_length=400)
    is_fork = models.BooleanField(default=False)
    at = models.DateTimeField(db_default=Now())


class LogTile(models.Model):
    """The root of a full tile, which is an entry of the tile above."""

    pk = models.CompositePrimaryKey("level", "number")
    level = models.SmallIntegerField()
    number = models.BigIntegerField()
    root = models.BinaryField()


class LogCheckpoint(models.Model):
    """The signed checkpoint of the log at `size` entries."""

    size = models.BigIntegerField(primary_key=True)
    note = models.TextField()
    at = models.DateTimeField(db_default=Now())


class LogCosignature(models.Model):
    """The line by which a witness cosigned a checkpoint."""

    pk = models.CompositePrimaryKey("size", "witness")
    size = models.BigIntegerField()
    witness = models.CharField(max_length=400)
    line = models.CharField(max_length=400)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [Index(fields=["witness", "-size"], name="log_cosignature_newest")]
