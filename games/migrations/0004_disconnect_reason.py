from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_fillfactor"),
    ]

    operations = [
        migrations.AddField(
            model_name="presence",
            name="disconnect_reason",
            field=models.CharField(db_default="lost", max_length=6),
        ),
    ]
