from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0008_starting")]

    operations = [
        migrations.AddField(model_name="seat", name="salt", field=models.BinaryField(null=True))
    ]
