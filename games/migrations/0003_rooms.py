import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_append_only"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="lobby",
            name="changed_in",
            field=models.BigIntegerField(db_default=games.models.CurrentTransaction()),
        ),
        migrations.AddField(model_name="lobby", name="version", field=models.IntegerField(default=0)),
        migrations.AddIndex(model_name="lobby", index=models.Index(fields=["changed_in"], name="lobby_by_change")),
        migrations.CreateModel(
            name="RoomEvent",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "lobby_id", "version", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "lobby",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="events", to="games.lobby"),
                ),
                ("version", models.IntegerField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("kind", models.CharField(max_length=20)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("body", models.BinaryField()),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("user__isnull", False)), fields=["user", "kind"], name="room_event_of_user"
                    )
                ],
            },
        ),
    ]
