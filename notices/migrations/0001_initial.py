from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    initial = True

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Inbox",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="inbox",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("last", models.BigIntegerField(default=0)),
                ("read", models.BigIntegerField(default=0)),
                (
                    "off",
                    ArrayField(base_field=models.CharField(max_length=40), default=list, size=None),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "user_id",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=models.CASCADE,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("number", models.BigIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("subject", models.UUIDField()),
                ("version", models.IntegerField()),
                ("at", models.DateTimeField(db_default=Now())),
                ("data", models.JSONField(default=dict)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "kind", "subject", "version"), name="notice_told_once"
                    )
                ],
                "indexes": [models.Index(fields=["at"], name="notice_by_time")],
            },
        ),
    ]
