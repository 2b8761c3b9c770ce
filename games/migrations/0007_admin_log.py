from django.db import migrations

from accounts.history import append_only


class Migration(migrations.Migration):
    """What the admin notes of its own pages stays, as the operators' log does."""

    dependencies = [("games", "0006_operators"), ("admin", "0003_logentry_add_action_flag_choices")]

    operations = [append_only(["django_admin_log"])]
