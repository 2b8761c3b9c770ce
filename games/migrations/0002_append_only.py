from django.db import migrations

from kit.append_only import append_only

HISTORIES = (
    *("game", "commit", "bet", "settlement", "correction", "operatoraction"),
    *("logkey", "logentry", "logtile", "logcheckpoint", "logcosignature"),
)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_initial"),
        ("accounts", "0002_append_only"),
        ("admin", "0003_logentry_add_action_flag_choices"),
    ]

    operations = [
        append_only([f"games_{history}" for history in HISTORIES]),
        # The admin's own log of its pages is permanent, as the operators' log is.
        append_only(["django_admin_log"]),
        migrations.RunSQL(
            "ALTER TABLE games_head SET (fillfactor = 50)",
            "ALTER TABLE games_head RESET (fillfactor)",
        ),
    ]
