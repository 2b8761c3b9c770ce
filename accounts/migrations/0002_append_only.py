from django.db import migrations

from kit.append_only import append_only


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        append_only(["accounts_transfer"]),
        # Balances change with every commit, as heads do. Free space in each page keeps updates
        # cheap.
        migrations.RunSQL(
            "ALTER TABLE accounts_account SET (fillfactor = 50)",
            "ALTER TABLE accounts_account RESET (fillfactor)",
        ),
    ]
