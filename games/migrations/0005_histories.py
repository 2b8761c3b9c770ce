import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from accounts.history import append_only

# What the rows of older games are told of their draws comes from the hashed bytes, as `verify_game` proves: the one time that
# rows of history are written to after they were. PostgreSQL reads no JSON with a zero character in it, which a player may have
# sent: for counting, another one does.
COUNT_DRAWS = r"""
ALTER TABLE games_bet ADD COLUMN drawn bigint;
ALTER TABLE games_settlement ADD COLUMN drawn bigint;
ALTER TABLE games_bet DISABLE TRIGGER append_only_rows;
ALTER TABLE games_settlement DISABLE TRIGGER append_only_rows;
CREATE TEMPORARY TABLE counted ON COMMIT DROP AS
    SELECT game_id, version, sum(json_array_length(
            replace(convert_from(substring(body FROM 33), 'UTF8'), '\u0000', '\u0001')::json -> 'draws'
        )) OVER (PARTITION BY game_id ORDER BY version) AS drawn
    FROM games_commit;
UPDATE games_bet r SET drawn = c.drawn FROM counted c WHERE c.game_id = r.game_id AND c.version = r.version;
UPDATE games_settlement r SET drawn = c.drawn FROM counted c WHERE c.game_id = r.game_id AND c.version = r.version;
ALTER TABLE games_bet ENABLE ALWAYS TRIGGER append_only_rows, ALTER COLUMN drawn SET NOT NULL;
ALTER TABLE games_settlement ENABLE ALWAYS TRIGGER append_only_rows, ALTER COLUMN drawn SET NOT NULL;
"""
FORGET_DRAWS = "ALTER TABLE games_bet DROP COLUMN drawn; ALTER TABLE games_settlement DROP COLUMN drawn;"


class Migration(migrations.Migration):
    dependencies = [("games", "0004_the_log")]

    operations = [
        migrations.RunSQL(
            COUNT_DRAWS,
            FORGET_DRAWS,
            state_operations=[
                migrations.AddField("bet", "drawn", models.BigIntegerField(default=0), preserve_default=False),
                migrations.AddField("settlement", "drawn", models.BigIntegerField(default=0), preserve_default=False),
            ],
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game_id", "number", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="corrections", to="games.game"),
                ),
                ("number", models.IntegerField()),
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
                ("version", models.IntegerField()),
                ("payout", models.BigIntegerField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        append_only(["games_correction"]),
        migrations.AddIndex("bet", models.Index(fields=["-at", "-game", "-number"], name="bet_by_time")),
        migrations.AddIndex("bet", models.Index(fields=["-stake", "-at"], name="bet_by_stake")),
        migrations.AddIndex(
            "bet",
            models.Index(fields=["spot", "-at"], name="bet_by_spot", opclasses=["varchar_pattern_ops", "timestamptz_ops"]),
        ),
        migrations.AddIndex("game", models.Index(fields=["slug", "-id"], name="game_by_slug")),
        migrations.AddIndex("head", models.Index(condition=models.Q(("ended", "")), fields=["game"], name="head_running")),
        migrations.AddIndex(
            "settlement",
            models.Index(condition=models.Q(("outcome", "void")), fields=["game", "number"], name="settlement_void"),
        ),
    ]
