from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from kit.append_only import what_stays


def leave_migrating_to_the_owner(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if settings.APPLICATION_ROLE:
        role = editor.quote_name(settings.APPLICATION_ROLE)
        editor.execute(f"REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON django_migrations FROM {role}")


class Migration(migrations.Migration):
    dependencies = [("games", "0002_append_only"), ("accounts", "0003_auditors")]

    operations = [
        what_stays(
            {
                # Its options and money are those under which
                # people paid.
                "games_lobby": ("id", "slug", "options", "buy_in", "prizes"),
                "games_head": ("game_id",),
                "accounts_account": ("id", "book", "key", "unit", "overdraft"),
            }
        ),
        migrations.RunPython(leave_migrating_to_the_owner, migrations.RunPython.noop),
    ]
