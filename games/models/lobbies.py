"""Lobbies and what belongs to them: seats, presence, bans, mutes, events and requests."""

import secrets
from typing import ClassVar, Final
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import CheckConstraint, Func, Index, Q, UniqueConstraint
from django.db.models.functions import Now
from uuid_utils.compat import uuid7


class CurrentTransaction(Func):
    """The id of the running transaction.

    It grows, so that a reader can ask for what changed since an earlier read.
    """

    template = "(pg_current_xact_id()::text::bigint)"
    output_field = models.BigIntegerField()


def new_log_name() -> UUID:
    """Draw the name under which the public log knows a game: 16 random bytes."""
    return UUID(bytes=secrets.token_bytes(16))


def new_invite_code() -> str:
    """Draw an invite code: 50 bits in characters that are hard to confuse."""
    return "".join(secrets.choice("23456789ABCDEFGHJKMNPQRSTVWXYZ") for _ in range(10))


class Lobby(models.Model):
    """The room before, during and after a game. Its seed hash is public from the start.

    `seed_box` is the encrypted seed, and `seed` the same in plain once nothing depends on it any
    more. `held_for` lists the user for whom each seat is reserved until `held_until`, by seat
    number; empty without reservations. `version` counts the lobby's events. `changed_in` is the
    transaction of the last change that lobby lists show.

    `terms` are fixed when the lobby opens, with the id of the game to come, and published in the
    log under `log_name`. When an attempt to start is abandoned, seed, name and terms are new.

    In a lobby that is `STARTING` the seats are frozen, because players or witnesses add entropy.
    `committed` and `revealed` are the log entries of that, `rows_salt` is in the first one. The
    next step has to be taken until `starts_by`; a full lobby that is open still waits until then
    for commitments.

    At a slow table nobody's presence matters: seats last until their users leave, or the lobby is
    closed because it has not filled by `fills_by`.
    """

    class Visibility(models.TextChoices):
        PUBLIC = "public"
        UNLISTED = "unlisted"
        INVITE = "invite"

    class Spectators(models.TextChoices):
        NONE = "none"
        WATCH = "watch"
        CHAT = "chat"

    class Absence(models.TextChoices):
        WAIT = "wait"
        BOT = "bot"
        FORFEIT = "forfeit"

    class Pace(models.TextChoices):
        LIVE = "live"
        SLOW = "slow"

    class Status(models.TextChoices):
        OPEN = "open"
        STARTING = "starting"
        STARTED = "started"
        CLOSED = "closed"

    class Stage(models.TextChoices):
        NONE = ""
        COMMITTING = "committing"
        REVEALING = "revealing"
        BEGINNING = "beginning"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    title = models.CharField(max_length=60, blank=True)
    slug = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hosted"
    )
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PUBLIC)
    invite_code = models.CharField(max_length=12, unique=True, default=new_invite_code)
    capacity = models.PositiveSmallIntegerField()
    buy_in = models.BigIntegerField(default=0)
    prizes = ArrayField(models.PositiveSmallIntegerField(), default=list)
    spectators = models.CharField(max_length=10, choices=Spectators, default=Spectators.WATCH)
    pace = models.CharField(max_length=4, choices=Pace, default=Pace.LIVE)
    vacations = models.BooleanField(default=False)
    fills_by = models.DateTimeField(null=True)
    absence = models.CharField(max_length=10, choices=Absence, default=Absence.WAIT)
    absence_s = models.PositiveIntegerField(default=60)
    start_when_full = models.BooleanField(default=False)
    admits_bot_users = models.BooleanField(default=True)
    keys = models.BooleanField(default=False)
    bots_after_s = models.PositiveIntegerField(null=True)
    bots_due_at = models.DateTimeField(null=True)
    held_for = ArrayField(models.UUIDField(null=True), default=list)
    held_until = models.DateTimeField(null=True)
    rematch = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    seed_hash = models.CharField(max_length=64)
    seed_box = models.BinaryField(default=b"")
    seed = models.BinaryField(null=True)
    log_name = models.UUIDField(unique=True, default=new_log_name)
    terms = models.BinaryField(default=b"")
    starts_by = models.DateTimeField(null=True)
    stage = models.CharField(max_length=10, choices=Stage, default=Stage.NONE, blank=True)
    rows_salt = models.BinaryField(default=b"")
    committed = models.BinaryField(default=b"")
    revealed = models.BinaryField(default=b"")
    postings = models.IntegerField(default=0)
    version = models.IntegerField(default=0)
    changed_in = models.BigIntegerField(db_default=CurrentTransaction())
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            CheckConstraint(name="lobby_buy_in", condition=Q(buy_in__gte=0)),
            CheckConstraint(name="lobby_capacity", condition=Q(capacity__gte=1)),
            CheckConstraint(name="lobby_seed", condition=Q(seed__isnull=False) | ~Q(seed_box=b"")),
        ]
        indexes: ClassVar = [
            Index(fields=["status", "-id"], name="lobby_by_status"),
            Index(fields=["changed_in"], name="lobby_by_change"),
            Index(
                fields=["bots_due_at"],
                name="lobby_bots_due",
                condition=Q(bots_due_at__isnull=False),
            ),
            Index(
                fields=["starts_by"], name="lobby_starting", condition=Q(starts_by__isnull=False)
            ),
            Index(fields=["fills_by"], name="lobby_fills", condition=Q(fills_by__isnull=False)),
            Index(fields=["held_until"], name="lobby_held", condition=Q(held_until__isnull=False)),
            Index(fields=["id"], name="lobby_secret_seed", condition=Q(seed__isnull=True)),
            Index(
                fields=["slug", "id"],
                name="lobby_to_join",
                condition=Q(status="open", visibility="public"),
            ),
        ]

    @property
    def is_open(self) -> bool:
        """Whether the game has not started, and can."""
        return self.status in OPEN_STATUSES

    @property
    def is_slow(self) -> bool:
        """Whether the game is played over days."""
        return self.pace == self.Pace.SLOW

    @property
    def lets_watch(self) -> bool:
        """Whether users without a seat may watch the game."""
        return self.visibility != self.Visibility.INVITE and self.spectators != self.Spectators.NONE

    @property
    def hides_room(self) -> bool:
        """Whether the room is hidden from users without a seat: the host wants no spectators, and
        nobody can join any more."""
        return self.spectators == self.Spectators.NONE and not self.is_open

    @property
    def held(self) -> dict[int, UUID]:
        """The users with a reserved seat, by seat number."""
        return {number: holder for number, holder in enumerate(self.held_for) if holder is not None}

    def __str__(self) -> str:
        """The title, or the game and when the lobby was opened."""
        return self.title or f"{self.slug}, {self.created_at:%Y-%m-%d %H:%M}"


OPEN_STATUSES: Final = (Lobby.Status.OPEN, Lobby.Status.STARTING)
"""Lobbies that users join and leave."""


class AbandonedAttempt(models.Model):
    """An attempt to start a lobby's game that was given up, and its log name. The log has the
    rest."""

    name = models.UUIDField(primary_key=True)
    lobby = models.ForeignKey(Lobby, on_delete=models.PROTECT, related_name="abandoned")
    number = models.IntegerField()

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["lobby", "number"], name="attempt_number_once")
        ]


class WitnessedStart(models.Model):
    """A promise of a witness, and its bytes, for the attempt with this log name to start a game.

    `promise` is the hash of its bytes, `entropy` the bytes, and `signature` is its own over them.
    The genesis has all that, so the rows go when an attempt ends.
    """

    pk = models.CompositePrimaryKey("name", "witness")
    name = models.UUIDField()
    witness = models.CharField(max_length=400)
    promise = models.BinaryField(null=True)
    entropy = models.BinaryField(null=True)
    signature = models.BinaryField(null=True)

    class Meta:
        indexes: ClassVar = [
            Index(fields=["witness"], name="start_unpromised", condition=Q(promise__isnull=True))
        ]


class LobbyRequest(models.Model):
    """A request that opened or found a lobby, under an id that its user chose. `digest` is the
    SHA-256 of what it asked for: the same id is answered once."""

    pk = models.CompositePrimaryKey("user_id", "request")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    request = models.UUIDField()
    digest = models.BinaryField()
    lobby = models.ForeignKey(Lobby, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())


class Seat(models.Model):
    """A seat taken by a user or a bot. Once the game has started, numbers have no gaps.

    `colour` is the place of the player's colour in `seat_colours` of the game's book.

    A user who `commits` commits to entropy, and reveals it once all commitments are in the log.
    `salt` opens the game's commitment to the user, and is erased with the user. A player who signs
    commands has a `key`, and signed the seat with it. `link` joins the start to the user's one
    before: `PersonLink` opens it.
    """

    lobby = models.ForeignKey(Lobby, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    colour = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="seats"
    )
    bot_name = models.CharField(max_length=40, blank=True)
    ready = models.BooleanField(default=False)
    commits = models.BooleanField(default=False)
    commitment = models.BinaryField(null=True)
    key = models.BinaryField(null=True)
    signature = models.BinaryField(null=True)
    entropy = models.BinaryField(null=True)
    salt = models.BinaryField(null=True)
    link = models.BinaryField(null=True)
    taken_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(
                fields=["lobby", "number"],
                name="seat_number_once",
                deferrable=models.Deferrable.DEFERRED,
            ),
            UniqueConstraint(
                fields=["lobby", "colour"],
                name="colour_once",
                deferrable=models.Deferrable.DEFERRED,
            ),
            UniqueConstraint(fields=["lobby", "user"], name="one_seat_per_person"),
            CheckConstraint(name="person_or_bot", condition=Q(user=None) ^ Q(bot_name="")),
        ]

    @property
    def name(self) -> str:
        """The name of the player, as everybody at the table sees it."""
        return self.bot_name if self.user is None else self.user.display_name


class PersonLink(models.Model):
    """A start of a user, the `count`th with abandoned ones.

    With its `salt` and the hash of the one before, it opens the `link` of the user's seat. It is
    erased with the user.
    """

    pk = models.CompositePrimaryKey("user_id", "count")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    count = models.IntegerField()
    game = models.UUIDField()
    opened = models.BinaryField()
    salt = models.BinaryField()
    hash = models.BinaryField()


class Presence(models.Model):
    """Whether a user is connected to a lobby or its game through one process, and when last seen.

    No foreign keys: every connection rewrites its row again and again, and must not wait for a lock
    on the lobby.
    """

    pk = models.CompositePrimaryKey("lobby_id", "user_id", "process")
    lobby_id = models.UUIDField()
    user_id = models.UUIDField()
    process = models.UUIDField()
    connected = models.BooleanField()
    disconnect_reason = models.CharField(max_length=6, db_default="lost")
    """For a connected user: the reason to report if the process stops renewing the row."""
    seen_at = models.DateTimeField()


class Ban(models.Model):
    """A user whom the host has banned: without a seat, chat, events and the view of the game."""

    lobby = models.ForeignKey(Lobby, on_delete=models.CASCADE, related_name="bans")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [UniqueConstraint(fields=["lobby", "user"], name="banned_once")]


class Mute(models.Model):
    """A user who may not chat in this lobby. A host cannot lift an operator's mute."""

    lobby = models.ForeignKey(Lobby, on_delete=models.CASCADE, related_name="mutes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    by_operator = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [UniqueConstraint(fields=["lobby", "user"], name="muted_once")]


class RoomEvent(models.Model):
    """An event of a lobby, numbered without gaps. `user` is the subject of the event.

    `message` is the id that the client chose for a chat message. `readers` are the users who may
    read a message to a team; null for all others.
    """

    pk = models.CompositePrimaryKey("lobby_id", "version")
    lobby = models.ForeignKey(Lobby, on_delete=models.PROTECT, related_name="events")
    version = models.IntegerField()
    at = models.DateTimeField(db_default=Now())
    kind = models.CharField(max_length=20)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    message = models.UUIDField(null=True)
    readers = ArrayField(models.UUIDField(), null=True)
    body = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(
                fields=["lobby", "user", "message"],
                name="message_once",
                condition=Q(message__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            Index(
                fields=["user", "kind"], name="room_event_of_user", condition=Q(user__isnull=False)
            ),
            Index(fields=["at"], name="room_event_message", condition=Q(message__isnull=False)),
        ]
