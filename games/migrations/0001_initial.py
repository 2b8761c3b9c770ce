import django.contrib.postgres.fields
import django.db.models.constraints
import django.db.models.deletion
import django.db.models.functions.datetime
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models

import games.models
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
            name="Game",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("slug", models.CharField(max_length=40)),
                ("rules_version", models.PositiveIntegerField()),
                ("genesis", models.BinaryField()),
                (
                    "started_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LogCheckpoint",
            fields=[
                ("size", models.BigIntegerField(primary_key=True, serialize=False)),
                ("note", models.TextField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name="LogCosignature",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "size",
                        "witness",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("size", models.BigIntegerField()),
                ("witness", models.CharField(max_length=400)),
                ("line", models.CharField(max_length=400)),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LogKey",
            fields=[
                ("verifier", models.TextField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name="LogTile",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "level",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("level", models.SmallIntegerField()),
                ("number", models.BigIntegerField()),
                ("root", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="Presence",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "lobby_id",
                        "user_id",
                        "process",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("lobby_id", models.UUIDField()),
                ("user_id", models.UUIDField()),
                ("process", models.UUIDField()),
                ("connected", models.BooleanField()),
                ("seen_at", models.DateTimeField()),
            ],
        ),
        CreatePartitioned(
            name="Bet",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.IntegerField()),
                ("version", models.IntegerField()),
                ("seat", models.SmallIntegerField()),
                ("spot", models.CharField(max_length=80)),
                ("stake", models.BigIntegerField()),
                ("odds", models.CharField(max_length=80)),
                ("drawn", models.BigIntegerField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bets",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bets",
                        to="games.game",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
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
            ],
        ),
        CreatePartitioned(
            name="Correction",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.IntegerField()),
                ("version", models.IntegerField()),
                ("payout", models.BigIntegerField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "bet",
                    models.ForeignObject(
                        from_fields=("game", "number"),
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="corrections",
                        to="games.bet",
                        to_fields=("game", "number"),
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrections",
                        to="games.game",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Lobby",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=60)),
                ("slug", models.CharField(max_length=40)),
                ("options", models.JSONField(default=dict)),
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
                    models.CharField(
                        default=games.models.new_invite_code, max_length=12, unique=True
                    ),
                ),
                ("capacity", models.PositiveSmallIntegerField()),
                ("buy_in", models.BigIntegerField(default=0)),
                (
                    "prizes",
                    django.contrib.postgres.fields.ArrayField(
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
                ("bots_after_s", models.PositiveIntegerField(null=True)),
                ("bots_due_at", models.DateTimeField(null=True)),
                (
                    "held_for",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(null=True), default=list, size=None
                    ),
                ),
                ("held_until", models.DateTimeField(null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "Open"), ("started", "Started"), ("closed", "Closed")],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("seed_hash", models.CharField(max_length=64)),
                ("seed_box", models.BinaryField(default=b"")),
                ("seed", models.BinaryField(null=True)),
                ("postings", models.IntegerField(default=0)),
                ("version", models.IntegerField(default=0)),
                (
                    "changed_in",
                    models.BigIntegerField(db_default=games.models.CurrentTransaction()),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "host",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hosted",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rematch",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.lobby",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="game",
            name="lobby",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="game", to="games.lobby"
            ),
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
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bans",
                        to="games.lobby",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                ("index", models.BigIntegerField(primary_key=True, serialize=False)),
                ("version", models.IntegerField()),
                ("entry", models.BinaryField()),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log_entries",
                        to="games.game",
                    ),
                ),
            ],
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
                ("by_operator", models.BooleanField(default=False)),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mutes",
                        to="games.lobby",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
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
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("action", models.CharField(max_length=40)),
                ("subject", models.CharField(max_length=500)),
                ("reason", models.CharField(max_length=500)),
                (
                    "operator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RoomEvent",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "lobby_id",
                        "version",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("version", models.IntegerField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("kind", models.CharField(max_length=20)),
                ("message", models.UUIDField(null=True)),
                ("body", models.BinaryField()),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="games.lobby",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
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
                ("number", models.PositiveSmallIntegerField()),
                ("bot_name", models.CharField(blank=True, max_length=40)),
                ("ready", models.BooleanField(default=False)),
                ("entropy", models.BinaryField(default=b"", max_length=32)),
                (
                    "taken_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="games.lobby",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        CreatePartitioned(
            name="Settlement",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.IntegerField()),
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
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "bet",
                    models.ForeignObject(
                        from_fields=("game", "number"),
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="settlements",
                        to="games.bet",
                        to_fields=("game", "number"),
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="settlements",
                        to="games.game",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Head",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="head",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("version", models.IntegerField(default=0)),
                ("hash", models.BinaryField()),
                ("alarm", models.IntegerField(null=True)),
                ("due_at", models.DateTimeField(null=True)),
                ("claimed_until", models.DateTimeField(null=True)),
                ("bots", models.PositiveSmallIntegerField(default=0)),
                ("bots_due_at", models.DateTimeField(null=True)),
                (
                    "stand_ins",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "forfeited",
                    django.contrib.postgres.fields.ArrayField(
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
                ("settled", models.BooleanField(default=False)),
                ("sealed", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("sealed", False)), fields=["game"], name="head_unsealed"
                    ),
                    models.Index(
                        condition=models.Q(("due_at__isnull", False), ("stalled", "")),
                        fields=["due_at"],
                        name="head_due",
                    ),
                    models.Index(
                        condition=models.Q(("bots_due_at__isnull", False), ("stalled", "")),
                        fields=["bots_due_at"],
                        name="head_bots_due",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("settled", False), models.Q(("ended", ""), _negated=True)
                        ),
                        fields=["ended_at"],
                        name="head_unsettled",
                    ),
                    models.Index(
                        condition=models.Q(("ended", "")), fields=["game"], name="head_running"
                    ),
                ],
            },
        ),
        CreatePartitioned(
            name="Commit",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id",
                        "version",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("version", models.IntegerField()),
                ("seat", models.SmallIntegerField(null=True)),
                ("command_id", models.UUIDField(null=True)),
                ("body", models.BinaryField()),
                ("hash", models.BinaryField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("next_at", models.DateTimeField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="commits",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("command_id__isnull", False)),
                        fields=("game", "seat", "command_id"),
                        name="command_once",
                    )
                ],
            },
        ),
        migrations.AddIndex(
            model_name="bet",
            index=models.Index(
                condition=models.Q(("user__isnull", False)),
                fields=["user", "-at"],
                name="bet_of_user",
            ),
        ),
        migrations.AddIndex(
            model_name="bet",
            index=models.Index(fields=["-at", "-game", "-number"], name="bet_by_time"),
        ),
        migrations.AddIndex(
            model_name="bet",
            index=models.Index(fields=["-stake", "-at"], name="bet_by_stake"),
        ),
        migrations.AddIndex(
            model_name="bet",
            index=models.Index(
                fields=["spot", "-at"],
                name="bet_by_spot",
                opclasses=["varchar_pattern_ops", "timestamptz_ops"],
            ),
        ),
        migrations.AddIndex(
            model_name="lobby",
            index=models.Index(fields=["status", "-id"], name="lobby_by_status"),
        ),
        migrations.AddIndex(
            model_name="lobby",
            index=models.Index(fields=["changed_in"], name="lobby_by_change"),
        ),
        migrations.AddIndex(
            model_name="lobby",
            index=models.Index(
                condition=models.Q(("bots_due_at__isnull", False)),
                fields=["bots_due_at"],
                name="lobby_bots_due",
            ),
        ),
        migrations.AddIndex(
            model_name="lobby",
            index=models.Index(
                condition=models.Q(("held_until__isnull", False)),
                fields=["held_until"],
                name="lobby_held",
            ),
        ),
        migrations.AddIndex(
            model_name="lobby",
            index=models.Index(
                condition=models.Q(("status", "open"), ("visibility", "public")),
                fields=["slug", "id"],
                name="lobby_to_join",
            ),
        ),
        migrations.AddIndex(
            model_name="lobby",
            index=models.Index(
                condition=models.Q(("seed__isnull", True)), fields=["id"], name="lobby_secret_seed"
            ),
        ),
        migrations.AddConstraint(
            model_name="lobby",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("seed__isnull", False),
                    models.Q(("seed_box", b""), _negated=True),
                    _connector="OR",
                ),
                name="lobby_seed",
            ),
        ),
        migrations.AddConstraint(
            model_name="lobby",
            constraint=models.CheckConstraint(
                condition=models.Q(("buy_in__gte", 0)), name="lobby_buy_in"
            ),
        ),
        migrations.AddConstraint(
            model_name="lobby",
            constraint=models.CheckConstraint(
                condition=models.Q(("capacity__gte", 1)), name="lobby_capacity"
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["slug", "-id"], name="game_by_slug"),
        ),
        migrations.AddConstraint(
            model_name="ban",
            constraint=models.UniqueConstraint(fields=("lobby", "user"), name="banned_once"),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(
                condition=models.Q(("version", 2147483646)),
                fields=["index"],
                name="log_entry_diverged",
            ),
        ),
        migrations.AddIndex(
            model_name="logentry",
            index=models.Index(
                condition=models.Q(("entry__gte", b"\x08"), ("entry__lt", b"\x09")),
                fields=["index"],
                name="log_entry_key",
            ),
        ),
        migrations.AddConstraint(
            model_name="logentry",
            constraint=models.UniqueConstraint(fields=("game", "version"), name="head_sealed_once"),
        ),
        migrations.AddConstraint(
            model_name="mute",
            constraint=models.UniqueConstraint(fields=("lobby", "user"), name="muted_once"),
        ),
        migrations.AddIndex(
            model_name="roomevent",
            index=models.Index(
                condition=models.Q(("user__isnull", False)),
                fields=["user", "kind"],
                name="room_event_of_user",
            ),
        ),
        migrations.AddIndex(
            model_name="roomevent",
            index=models.Index(
                condition=models.Q(("message__isnull", False)),
                fields=["at"],
                name="room_event_message",
            ),
        ),
        migrations.AddConstraint(
            model_name="roomevent",
            constraint=models.UniqueConstraint(
                condition=models.Q(("message__isnull", False)),
                fields=("lobby", "user", "message"),
                name="message_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                deferrable=django.db.models.constraints.Deferrable["DEFERRED"],
                fields=("lobby", "number"),
                name="seat_number_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                fields=("lobby", "user"), name="one_seat_per_person"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("user", None), ("bot_name", ""), _connector="XOR"),
                name="person_or_bot",
            ),
        ),
        migrations.AddIndex(
            model_name="settlement",
            index=models.Index(fields=["outcome", "-placed_at"], name="settlement_by_outcome"),
        ),
        migrations.AddIndex(
            model_name="settlement",
            index=models.Index(
                condition=models.Q(("outcome", "void")),
                fields=["game", "number"],
                name="settlement_void",
            ),
        ),
    ]
