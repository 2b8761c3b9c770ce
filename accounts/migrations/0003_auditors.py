from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def make_auditors(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("auth", "Group").objects.get_or_create(name="auditors")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_fillfactor"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [migrations.RunPython(make_auditors, migrations.RunPython.noop)]
