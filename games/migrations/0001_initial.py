from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import migrations, models
from django.db.models.functions import Now
from uuid_utils.compat import uuid7

from games.models import CurrentTransaction, new_invite_code, new_log_name
from kit.partitions import CreatePartitioned


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        # Its many migrations come first: Django renders all related models again for each change,
        # so that with the games before them a first start takes half as long again.
        ("oauth2_provider", "0022_refreshtoken_token_family_index"),
    ]

    operations = [
        migrations.CreateModel(
            name="Lobby",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=60)),
                ("slug", models.CharField(max_length=40)),
                ("options", models.JSONField(default=dict)),
                (
                    "host",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="hosted", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("public", "Public"),
                            ("unlisted", "Unlisted"),
                            ("invite", "Invite"),
                        ],
                        default="public",
                        max_length=10,
                    ),
                ),
                (
                    "invite_code",
                    models.CharField(default=new_invite_code, max_length=12, unique=True),
                ),
                ("capacity", models.PositiveSmallIntegerField()),
                ("buy_in", models.BigIntegerField(default=0)),
                (
                    "prizes",
                    ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "spectators",
                    models.CharField(
                        choices=[("none", "None"), ("watch", "Watch"), ("chat", "Chat")],
                        default="watch",
                        max_length=10,
                    ),
                ),
                (
                    "pace",
                    models.CharField(
                        choices=[("live", "Live"), ("slow", "Slow")], default="live", max_length=4
                    ),
                ),
                ("vacations", models.BooleanField(default=False)),
                ("fills_by", models.DateTimeField(null=True)),
                (
                    "absence",
                    models.CharField(
                        choices=[("wait", "Wait"), ("bot", "Bot"), ("forfeit", "Forfeit")],
                        default="wait",
                        max_length=10,
                    ),
                ),
                ("absence_s", models.PositiveIntegerField(default=60)),
                ("start_when_full", models.BooleanField(default=False)),
                ("admits_bot_users", models.BooleanField(default=True)),
                ("keys", models.BooleanField(default=False)),
                ("bots_after_s", models.PositiveIntegerField(null=True)),
                ("bots_due_at", models.DateTimeField(null=True)),
                (
                    "held_for",
                    ArrayField(base_field=models.UUIDField(null=True), default=list, size=None),
                ),
                ("held_until", models.DateTimeField(null=True)),
                (
                    "rematch",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to="games.lobby"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("starting", "Starting"),
                            ("started", "Started"),
                            ("closed", "Closed"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("seed_hash", models.CharField(max_length=64)),
                ("seed_box", models.BinaryField(default=b"")),
                ("seed", models.BinaryField(null=True)),
                ("log_name", models.UUIDField(default=new_log_name, unique=True)),
                ("terms", models.BinaryField(default=b"")),
                ("starts_by", models.DateTimeField(null=True)),
                (
                    "stage",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "None"),
                            ("committing", "Committing"),
                            ("revealing", "Revealing"),
                            ("beginning", "Beginning"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("rows_salt", models.BinaryField(default=b"")),
                ("committed", models.BinaryField(default=b"")),
                ("revealed", models.BinaryField(default=b"")),
                ("postings", models.IntegerField(default=0)),
                ("version", models.IntegerField(default=0)),
                ("changed_in", models.BigIntegerField(db_default=CurrentTransaction())),
                ("created_at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "indexes": [
                    models.Index(fields=["status", "-id"], name="lobby_by_status"),
                    models.Index(fields=["changed_in"], name="lobby_by_change"),
                    models.Index(
                        condition=models.Q(bots_due_at__isnull=False),
                        fields=["bots_due_at"],
                        name="lobby_bots_due",
                    ),
                    models.Index(
                        condition=models.Q(fills_by__isnull=False),
                        fields=["fills_by"],
                        name="lobby_fills",
                    ),
                    models.Index(
                        condition=models.Q(starts_by__isnull=False),
                        fields=["starts_by"],
                        name="lobby_starting",
                    ),
                    models.Index(
                        condition=models.Q(held_until__isnull=False),
                        fields=["held_until"],
                        name="lobby_held",
                    ),
                    models.Index(
                        condition=models.Q(seed__isnull=True),
                        fields=["id"],
                        name="lobby_secret_seed",
                    ),
                    models.Index(
                        condition=models.Q(status="open", visibility="public"),
                        fields=["slug", "id"],
                        name="lobby_to_join",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(buy_in__gte=0), name="lobby_buy_in"),
                    models.CheckConstraint(
                        condition=models.Q(capacity__gte=1), name="lobby_capacity"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(seed__isnull=False) | ~models.Q(seed_box=b""),
                        name="lobby_seed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AbandonedAttempt",
            fields=[
                ("name", models.UUIDField(primary_key=True, serialize=False)),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="abandoned", to="games.lobby"
                    ),
                ),
                ("number", models.IntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("lobby", "number"), name="attempt_number_once")
                ]
            },
        ),
        migrations.CreateModel(
            name="WitnessedStart",
            fields=[
                ("pk", models.CompositePrimaryKey("name", "witness", serialize=False)),
                ("name", models.UUIDField()),
                ("witness", models.CharField(max_length=400)),
                ("promise", models.BinaryField(null=True)),
                ("entropy", models.BinaryField(null=True)),
                ("signature", models.BinaryField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(promise__isnull=True),
                        fields=["witness"],
                        name="start_unpromised",
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="LobbyRequest",
            fields=[
                ("pk", models.CompositePrimaryKey("user_id", "request", serialize=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("request", models.UUIDField()),
                ("digest", models.BinaryField()),
                (
                    "lobby",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to="games.lobby"
                    ),
                ),
                ("at", models.DateTimeField(db_default=Now())),
            ],
        ),
        migrations.CreateModel(
            name="PersonLink",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "user_id",
                        "count",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("count", models.IntegerField()),
                ("game", models.UUIDField()),
                ("opened", models.BinaryField()),
                ("salt", models.BinaryField()),
                ("hash", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="seats", to="games.lobby"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("colour", models.PositiveSmallIntegerField()),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("bot_name", models.CharField(blank=True, max_length=40)),
                ("ready", models.BooleanField(default=False)),
                ("commits", models.BooleanField(default=False)),
                ("commitment", models.BinaryField(null=True)),
                ("key", models.BinaryField(null=True)),
                ("signature", models.BinaryField(null=True)),
                ("entropy", models.BinaryField(null=True)),
                ("salt", models.BinaryField(null=True)),
                ("link", models.BinaryField(null=True)),
                ("taken_at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        deferrable=models.Deferrable.DEFERRED,
                        fields=("lobby", "number"),
                        name="seat_number_once",
                    ),
                    models.UniqueConstraint(
                        deferrable=models.Deferrable.DEFERRED,
                        fields=("lobby", "colour"),
                        name="colour_once",
                    ),
                    models.UniqueConstraint(fields=("lobby", "user"), name="one_seat_per_person"),
                    models.CheckConstraint(
                        condition=models.Q(user=None) ^ models.Q(bot_name=""), name="person_or_bot"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Presence",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey("lobby_id", "user_id", "process", serialize=False),
                ),
                ("lobby_id", models.UUIDField()),
                ("user_id", models.UUIDField()),
                ("process", models.UUIDField()),
                ("connected", models.BooleanField()),
                ("disconnect_reason", models.CharField(db_default="lost", max_length=6)),
                ("seen_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Ban",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="bans", to="games.lobby"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("lobby", "user"), name="banned_once")
                ]
            },
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="mutes", to="games.lobby"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("by_operator", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("lobby", "user"), name="muted_once")
                ]
            },
        ),
        migrations.CreateModel(
            name="RoomEvent",
            fields=[
                ("pk", models.CompositePrimaryKey("lobby_id", "version", serialize=False)),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="events", to="games.lobby"
                    ),
                ),
                ("version", models.IntegerField()),
                ("at", models.DateTimeField(db_default=Now())),
                ("kind", models.CharField(max_length=20)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("message", models.UUIDField(null=True)),
                (
                    "readers",
                    ArrayField(base_field=models.UUIDField(), null=True, size=None),
                ),
                ("body", models.BinaryField()),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(user__isnull=False),
                        fields=["user", "kind"],
                        name="room_event_of_user",
                    ),
                    models.Index(
                        condition=models.Q(message__isnull=False),
                        fields=["at"],
                        name="room_event_message",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(message__isnull=False),
                        fields=("lobby", "user", "message"),
                        name="message_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "lobby",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="game", to="games.lobby"
                    ),
                ),
                ("slug", models.CharField(max_length=40)),
                ("rules_version", models.PositiveIntegerField()),
                ("log_name", models.UUIDField(unique=True)),
                ("genesis", models.BinaryField()),
                ("started_at", models.DateTimeField(db_default=Now())),
            ],
            options={"indexes": [models.Index(fields=["slug", "-id"], name="game_by_slug")]},
        ),
        migrations.CreateModel(
            name="OfferedRules",
            fields=[
                ("slug", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("version", models.PositiveIntegerField()),
                ("at", models.DateTimeField(db_default=Now())),
            ],
        ),
        migrations.CreateModel(
            name="Head",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="head",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("rules", models.CharField(db_default="", max_length=120)),
                ("version", models.IntegerField(default=0)),
                ("hash", models.BinaryField()),
                ("alarm", models.IntegerField(null=True)),
                ("due_at", models.DateTimeField(null=True)),
                ("bots", models.PositiveSmallIntegerField(default=0)),
                ("wakes_bots", models.BooleanField(db_default=False)),
                (
                    "stand_ins",
                    ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "forfeited",
                    ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list, size=None
                    ),
                ),
                ("is_slow", models.BooleanField(default=False)),
                ("awaits", ArrayField(base_field=models.UUIDField(), null=True, size=None)),
                (
                    "agreed",
                    ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "ended",
                    models.CharField(
                        choices=[("", "No"), ("finished", "Finished"), ("voided", "Voided")],
                        default="",
                        max_length=10,
                    ),
                ),
                ("ended_at", models.DateTimeField(null=True)),
                ("stalled", models.CharField(default="", max_length=200)),
                ("damaged", models.IntegerField(null=True)),
                ("settled", models.BooleanField(default=False)),
                ("told", models.BooleanField(default=False)),
                ("sealed", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(sealed=False), fields=["game"], name="head_unsealed"
                    ),
                    GinIndex(
                        condition=models.Q(awaits__isnull=False),
                        fields=["awaits"],
                        name="head_awaits",
                    ),
                    models.Index(
                        condition=models.Q(settled=False) & ~models.Q(ended=""),
                        fields=["ended_at"],
                        name="head_unsettled",
                    ),
                    models.Index(
                        condition=models.Q(settled=True, told=False) & ~models.Q(ended=""),
                        fields=["ended_at"],
                        name="head_untold",
                    ),
                    models.Index(
                        condition=models.Q(ended="", is_slow=False),
                        fields=["game"],
                        name="head_running",
                    ),
                    models.Index(
                        condition=models.Q(ended="", is_slow=True),
                        fields=["game"],
                        name="head_slow",
                    ),
                    models.Index(
                        condition=models.Q(ended="") & ~models.Q(stalled=""),
                        fields=["game"],
                        name="head_stalled",
                    ),
                    models.Index(
                        condition=models.Q(damaged__isnull=False),
                        fields=["game"],
                        name="head_damaged",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ended", ""), ("ended_at__isnull", False), _connector="OR"
                        ),
                        name="head_ended_at_a_time",
                    )
                ],
            },
        ),
        CreatePartitioned(
            name="Commit",
            fields=[
                ("pk", models.CompositePrimaryKey("game_id", "version", serialize=False)),
                (
                    "game",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="commits",
                        to="games.game",
                    ),
                ),
                ("version", models.IntegerField()),
                ("seat", models.SmallIntegerField(null=True)),
                ("command_id", models.UUIDField(null=True)),
                ("body", models.BinaryField()),
                ("hash", models.BinaryField()),
                ("at", models.DateTimeField(db_default=Now())),
                ("next_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(command_id__isnull=False),
                        fields=("game", "seat", "command_id"),
                        name="command_once",
                    )
                ]
            },
        ),
        CreatePartitioned(
            name="Bet",
            fields=[
                ("pk", models.CompositePrimaryKey("game_id", "number", serialize=False)),
                ("at", models.DateTimeField(db_default=Now())),
                ("stake", models.BigIntegerField()),
                ("drawn", models.BigIntegerField()),
                (
                    "game",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="bets",
                        to="games.game",
                    ),
                ),
                ("number", models.IntegerField()),
                ("version", models.IntegerField()),
                ("seat", models.SmallIntegerField()),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="bets",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("spot", models.CharField(db_collation="C", max_length=80)),
                ("odds", models.CharField(max_length=80)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(user__isnull=False),
                        fields=["user", "-at"],
                        name="bet_of_user",
                    ),
                    models.Index(fields=["-at"], name="bet_by_time"),
                    models.Index(fields=["stake"], name="bet_by_stake"),
                    models.Index(fields=["spot", "-at"], name="bet_by_spot"),
                ]
            },
        ),
        CreatePartitioned(
            name="Settlement",
            fields=[
                ("pk", models.CompositePrimaryKey("game_id", "number", serialize=False)),
                (
                    "game",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="%(class)ss",
                        to="games.game",
                    ),
                ),
                ("number", models.IntegerField()),
                (
                    "bet",
                    models.ForeignObject(
                        from_fields=("game", "number"),
                        on_delete=models.DO_NOTHING,
                        related_name="%(class)ss",
                        to="games.bet",
                        to_fields=("game", "number"),
                    ),
                ),
                ("version", models.IntegerField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[("won", "Won"), ("lost", "Lost"), ("void", "Void")], max_length=4
                    ),
                ),
                ("payout", models.BigIntegerField()),
                ("drawn", models.BigIntegerField()),
                ("placed_at", models.DateTimeField()),
                ("at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "indexes": [
                    models.Index(fields=["outcome", "-placed_at"], name="settlement_by_outcome"),
                ]
            },
        ),
        CreatePartitioned(
            name="Correction",
            fields=[
                ("pk", models.CompositePrimaryKey("game_id", "number", serialize=False)),
                (
                    "game",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=models.PROTECT,
                        related_name="%(class)ss",
                        to="games.game",
                    ),
                ),
                ("number", models.IntegerField()),
                (
                    "bet",
                    models.ForeignObject(
                        from_fields=("game", "number"),
                        on_delete=models.DO_NOTHING,
                        related_name="%(class)ss",
                        to="games.bet",
                        to_fields=("game", "number"),
                    ),
                ),
                ("version", models.IntegerField()),
                ("payout", models.BigIntegerField()),
                ("placed_at", models.DateTimeField()),
                ("at", models.DateTimeField(db_default=Now())),
            ],
            options={"indexes": [models.Index(fields=["-placed_at"], name="correction_by_time")]},
        ),
        migrations.CreateModel(
            name="OperatorAction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.BigIntegerField(unique=True)),
                ("hash", models.BinaryField()),
                ("at", models.DateTimeField(db_default=Now())),
                (
                    "operator",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("action", models.CharField(max_length=40)),
                ("subject", models.CharField(max_length=500)),
                ("reason", models.CharField(max_length=500)),
            ],
        ),
        migrations.CreateModel(
            name="DetachedMonth",
            fields=[
                ("month", models.DateField(primary_key=True, serialize=False)),
                ("tables", models.JSONField()),
                (
                    "action",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="+", to="games.operatoraction"
                    ),
                ),
                ("at", models.DateTimeField(db_default=Now())),
            ],
        ),
        migrations.CreateModel(
            name="ArchivedGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="archived",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                (
                    "month",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="games", to="games.detachedmonth"
                    ),
                ),
                ("object", models.CharField(max_length=200)),
                ("start", models.BigIntegerField()),
                ("length", models.BigIntegerField()),
                ("digest", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="Follower",
            fields=[
                ("name", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("position", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Schedule",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("is_slow", models.BooleanField(db_default=False)),
                ("due_at", models.DateTimeField(null=True)),
                ("claimed_until", models.DateTimeField(null=True)),
                ("bots_due_at", models.DateTimeField(null=True)),
                ("bots_by", models.IntegerField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(due_at__isnull=False, is_slow=False),
                        fields=["due_at"],
                        name="schedule_due",
                    ),
                    models.Index(
                        condition=models.Q(due_at__isnull=False, is_slow=True),
                        fields=["due_at"],
                        name="schedule_slow_due",
                    ),
                    models.Index(
                        condition=models.Q(bots_due_at__isnull=False),
                        fields=["bots_due_at"],
                        name="schedule_bots_due",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Reminder",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("alarm", models.IntegerField()),
                ("at", models.DateTimeField(db_index=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "game", "kind"), name="one_reminder_a_kind"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="snapshot",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("version", models.IntegerField()),
                ("hash", models.BinaryField()),
                ("drawn", models.BigIntegerField()),
                ("state", models.BinaryField()),
                ("digest", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="LogKey",
            fields=[
                ("verifier", models.TextField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField(db_default=Now())),
            ],
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                ("index", models.BigIntegerField(primary_key=True, serialize=False)),
                ("name", models.UUIDField()),
                ("place", models.IntegerField()),
                ("kind", models.PositiveSmallIntegerField()),
                ("version", models.IntegerField()),
                ("entry", models.BinaryField()),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(kind=5), fields=["index"], name="log_entry_diverged"
                    ),
                    models.Index(
                        condition=models.Q(kind=8), fields=["index"], name="log_entry_key"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("name", "place"), name="log_entry_placed_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="PendingEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.UUIDField()),
                ("entry", models.BinaryField()),
                ("at", models.DateTimeField(db_default=Now())),
            ],
        ),
        migrations.CreateModel(
            name="LogTrouble",
            fields=[
                (
                    "source",
                    models.CharField(max_length=400, primary_key=True, serialize=False),
                ),
                ("text", models.CharField(max_length=400)),
                ("is_fork", models.BooleanField(default=False)),
                ("at", models.DateTimeField(db_default=Now())),
            ],
        ),
        migrations.CreateModel(
            name="LogTile",
            fields=[
                ("pk", models.CompositePrimaryKey("level", "number", serialize=False)),
                ("level", models.SmallIntegerField()),
                ("number", models.BigIntegerField()),
                ("root", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="LogCheckpoint",
            fields=[
                ("size", models.BigIntegerField(primary_key=True, serialize=False)),
                ("note", models.TextField()),
                ("at", models.DateTimeField(db_default=Now())),
            ],
        ),
        migrations.CreateModel(
            name="LogCosignature",
            fields=[
                ("pk", models.CompositePrimaryKey("size", "witness", serialize=False)),
                ("size", models.BigIntegerField()),
                ("witness", models.CharField(max_length=400)),
                ("line", models.CharField(max_length=400)),
                ("at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "indexes": [
                    models.Index(fields=["witness", "-size"], name="log_cosignature_newest")
                ]
            },
        ),
        # Heads change with every commit. Free space in each page keeps updates cheap.
        migrations.RunSQL(
            "ALTER TABLE games_head SET (fillfactor = 50)",
            "ALTER TABLE games_head RESET (fillfactor)",
        ),
        migrations.RunSQL(
            "ALTER TABLE games_schedule SET UNLOGGED, SET (fillfactor = 50)",
            "ALTER TABLE games_schedule SET LOGGED, RESET (fillfactor)",
        ),
        # The row of no game: nothing is missing in the schedule of a new database.
        migrations.RunSQL(
            "INSERT INTO games_schedule (game_id) VALUES ('00000000-0000-0000-0000-000000000000')",
            migrations.RunSQL.noop,
        ),
    ]
