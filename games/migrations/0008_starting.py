from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0007_offered_rules")]

    operations = [
        migrations.AddField(
            model_name="lobby", name="starts_by", field=models.DateTimeField(null=True)
        ),
        migrations.AlterField(
            model_name="lobby",
            name="status",
            field=models.CharField(
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
        migrations.AddIndex(
            model_name="lobby",
            index=models.Index(
                condition=models.Q(("status", "starting")),
                fields=["starts_by"],
                name="lobby_starting",
            ),
        ),
    ]
