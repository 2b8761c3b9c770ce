"""Games, the heads and commits of their logs, and snapshots of their states."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import CheckConstraint, Index, Q, UniqueConstraint
from django.db.models.functions import Now
from uuid_utils.compat import uuid7

from games.models.lobbies import Lobby


class Game(models.Model):
    """One playthrough. The first hash of its history covers `genesis`."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    lobby = models.OneToOneField(Lobby, on_delete=models.PROTECT, related_name="game")
    slug = models.CharField(max_length=40)
    rules_version = models.PositiveIntegerField()
    log_name = models.UUIDField(unique=True)
    genesis = models.BinaryField()
    started_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [Index(fields=["slug", "-id"], name="game_by_slug")]

    def __str__(self) -> str:
        """The game and when it was started."""
        return f"{self.slug}, {self.started_at:%Y-%m-%d %H:%M}"


class OfferedRules(models.Model):
    """The version of the rules that new lobbies of a game get.

    Lobbies of a game without a row get its newest version.
    """

    slug = models.CharField(max_length=40, primary_key=True)
    version = models.PositiveIntegerField()
    at = models.DateTimeField(db_default=Now())


class Head(models.Model):
    """The one mutable row of a game's log. A commit must follow the head's version.

    A commit of a live game changes no indexed column, so that PostgreSQL leaves the indexes alone.
    """

    class Ended(models.TextChoices):
        NO = ""
        FINISHED = "finished"
        VOIDED = "voided"

    game = models.OneToOneField(
        Game, primary_key=True, on_delete=models.PROTECT, related_name="head"
    )
    rules = models.CharField(max_length=120, db_default="")
    """The slug, version and edition that a process needs to continue the game."""
    version = models.IntegerField(default=0)
    hash = models.BinaryField()
    alarm = models.IntegerField(null=True)
    due_at = models.DateTimeField(null=True)
    bots = models.PositiveSmallIntegerField(default=0)
    wakes_bots = models.BooleanField(db_default=False)
    """Whether the bots have to look at the newest commit."""
    stand_ins = ArrayField(models.PositiveSmallIntegerField(), default=list)
    forfeited = ArrayField(models.PositiveSmallIntegerField(), default=list)
    is_slow = models.BooleanField(default=False)
    """Whether the game is played over days."""
    awaits = ArrayField(models.UUIDField(), null=True)
    """The users for whose decision a slow game waits. Null for other games, and without any."""
    agreed = ArrayField(models.PositiveSmallIntegerField(), default=list)
    """The seats whose users agree to void a slow game."""
    ended = models.CharField(max_length=10, choices=Ended, default=Ended.NO)
    ended_at = models.DateTimeField(null=True)
    stalled = models.CharField(max_length=200, default="")
    damaged = models.IntegerField(null=True)
    """The first version whose row does not fit its hash. The game is stalled, and not sealed."""
    settled = models.BooleanField(default=False)
    told = models.BooleanField(default=False)
    """Whether its players were notified how the game ended."""
    sealed = models.BooleanField(default=False)
    """Whether the log has sealed the end of the game, or of a slow game all that happened. A later
    commit makes it false again."""

    class Meta:
        indexes: ClassVar = [
            Index(fields=["game"], name="head_unsealed", condition=Q(sealed=False)),
            GinIndex(fields=["awaits"], name="head_awaits", condition=Q(awaits__isnull=False)),
            Index(
                fields=["ended_at"],
                name="head_unsettled",
                condition=Q(settled=False) & ~Q(ended=""),
            ),
            Index(
                fields=["ended_at"],
                name="head_untold",
                condition=Q(settled=True, told=False) & ~Q(ended=""),
            ),
            Index(fields=["game"], name="head_running", condition=Q(ended="", is_slow=False)),
            Index(fields=["game"], name="head_slow", condition=Q(ended="", is_slow=True)),
            Index(fields=["game"], name="head_stalled", condition=Q(ended="") & ~Q(stalled="")),
            Index(fields=["game"], name="head_damaged", condition=Q(damaged__isnull=False)),
        ]
        constraints: ClassVar = [
            # Payouts go by this time: a row without it would stop those of all games.
            CheckConstraint(
                condition=Q(ended="") | Q(ended_at__isnull=False), name="head_ended_at_a_time"
            ),
        ]


class Schedule(models.Model):
    """When the clock and the bots of a game act, and until when a worker claims it.

    The table is unlogged: PostgreSQL empties it after a crash and on a new primary, and workers
    fill it again from the heads. The row of no game says that they did.
    """

    game = models.OneToOneField(
        Game, primary_key=True, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    is_slow = models.BooleanField(db_default=False)
    due_at = models.DateTimeField(null=True)
    claimed_until = models.DateTimeField(null=True)
    bots_due_at = models.DateTimeField(null=True)
    bots_by = models.IntegerField(null=True)
    """The worker that looks after the bots: a random number of its own."""

    class Meta:
        indexes: ClassVar = [
            Index(
                fields=["due_at"],
                name="schedule_due",
                condition=Q(due_at__isnull=False, is_slow=False),
            ),
            Index(
                fields=["due_at"],
                name="schedule_slow_due",
                condition=Q(due_at__isnull=False, is_slow=True),
            ),
            Index(
                fields=["bots_due_at"],
                name="schedule_bots_due",
                condition=Q(bots_due_at__isnull=False),
            ),
        ]


class Reminder(models.Model):
    """When to tell a user of a decision that a slow game awaits: at once (`your_turn`), and when a
    quarter of the time is left (`deadline_near`). `alarm` is what the game awaits then."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    alarm = models.IntegerField()
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["user", "game", "kind"], name="one_reminder_a_kind"),
        ]


class Follower(models.Model):
    """How far a follower has read, in an order of its own."""

    name = models.CharField(max_length=20, primary_key=True)
    position = models.BigIntegerField()


class Commit(models.Model):
    """One accepted command or tick. `body` is a blind of 32 bytes and JSON; `hash` covers it.

    The hash also covers the hash of the previous commit. The server's own commits have no seat.
    `at` is informative; the version gives the order. `next_at` is when the clock acts next.
    """

    pk = models.CompositePrimaryKey("game_id", "version")
    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="commits", db_index=False, db_constraint=False
    )
    version = models.IntegerField()
    seat = models.SmallIntegerField(null=True)
    command_id = models.UUIDField(null=True)
    body = models.BinaryField()
    hash = models.BinaryField()
    at = models.DateTimeField(db_default=Now())
    next_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(
                fields=["game", "seat", "command_id"],
                name="command_once",
                condition=Q(command_id__isnull=False),
            ),
        ]


class Snapshot(models.Model):
    """The newest known state of a game. A cache: it can be deleted and rebuilt from the commits."""

    game = models.OneToOneField(
        Game, primary_key=True, on_delete=models.CASCADE, related_name="snapshot"
    )
    version = models.IntegerField()
    hash = models.BinaryField()
    drawn = models.BigIntegerField()
    state = models.BinaryField()
    digest = models.BinaryField()
