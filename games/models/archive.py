"""The actions of operators, and histories that left the database."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.models.games import Game


class OperatorAction(models.Model):
    """An operator's request and its reason. The logs of the games hold the effect.

    Rows are numbered without gaps, and `hash` covers the row and the hash of the one before: see
    `games.store.operator_log`, which alone adds rows.
    """

    number = models.BigIntegerField(unique=True)
    hash = models.BinaryField()
    at = models.DateTimeField(db_default=Now())
    operator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=500)
    reason = models.CharField(max_length=500)

    def __str__(self) -> str:
        """Return the action and its subject."""
        return f"{self.action} {self.subject}"


class DetachedMonth(models.Model):
    """A month of games whose histories left the database.

    `tables` maps each table to its `rows` and the `digest` (hex) of what left; see
    `games.archive.months`.
    """

    month = models.DateField(primary_key=True)
    tables = models.JSONField()
    action = models.OneToOneField(OperatorAction, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        """The month."""
        return f"{self.month:%Y-%m}"


class ArchivedGame(models.Model):
    """A game whose history left the database, and its bundle: `length` bytes of the stored object
    `object` from byte `start`, with the SHA-256 `digest`.

    Commits, bets, settlements, corrections and transfers of a game are in the database as long as
    it has no such row, and nowhere but in the bundle afterwards.
    """

    game = models.OneToOneField(
        Game, primary_key=True, on_delete=models.PROTECT, related_name="archived"
    )
    month = models.ForeignKey(DetachedMonth, on_delete=models.PROTECT, related_name="games")
    object = models.CharField(max_length=200)
    start = models.BigIntegerField()
    length = models.BigIntegerField()
    digest = models.BinaryField()
