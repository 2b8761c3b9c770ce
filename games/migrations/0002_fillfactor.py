from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_initial"),
        ("accounts", "0003_auditors"),
        ("admin", "0003_logentry_add_action_flag_choices"),
    ]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE games_head SET (fillfactor = 50)",
            "ALTER TABLE games_head RESET (fillfactor)",
        ),
    ]
