from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        # Balances change with every commit, as heads do. Free space in each page keeps updates
        # cheap.
        migrations.RunSQL(
            "ALTER TABLE accounts_account SET (fillfactor = 50)",
            "ALTER TABLE accounts_account RESET (fillfactor)",
        ),
    ]
