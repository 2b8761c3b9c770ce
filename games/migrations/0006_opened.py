import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    dependencies = [("games", "0005_lobby_requests")]

    operations = [
        migrations.AddField(
            model_name="lobby",
            name="log_name",
            field=models.UUIDField(default=games.models.new_log_name, unique=True),
        ),
        migrations.AddField(
            model_name="lobby", name="terms", field=models.BinaryField(default=b"")
        ),
        migrations.AddField(
            model_name="game",
            name="log_name",
            field=models.UUIDField(default=games.models.new_log_name, unique=True),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="seat", name="commits", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="seat", name="commitment", field=models.BinaryField(null=True)
        ),
        migrations.AlterField(
            model_name="seat", name="entropy", field=models.BinaryField(null=True)
        ),
        migrations.RemoveConstraint(model_name="logentry", name="head_sealed_once"),
        migrations.RemoveField(model_name="logentry", name="game"),
        migrations.AddField(
            model_name="logentry",
            name="name",
            field=models.UUIDField(default=games.models.new_log_name),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name="logentry",
            constraint=models.UniqueConstraint(fields=("name", "version"), name="head_sealed_once"),
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
                ("version", models.IntegerField()),
                ("entry", models.BinaryField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name="AbandonedAttempt",
            fields=[
                ("name", models.UUIDField(primary_key=True, serialize=False)),
                ("number", models.IntegerField()),
                (
                    "lobby",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="abandoned",
                        to="games.lobby",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("lobby", "number"), name="attempt_number_once")
                ],
            },
        ),
    ]
