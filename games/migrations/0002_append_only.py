from django.db import migrations

from accounts.history import append_only


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial"), ("accounts", "0002_append_only")]

    operations = [
        append_only(["games_commit", "games_bet", "games_settlement"]),
        # Heads and balances change with every commit: room in the page keeps their updates cheap.
        migrations.RunSQL(
            "ALTER TABLE games_head SET (fillfactor = 50); ALTER TABLE accounts_account SET (fillfactor = 50)",
            "ALTER TABLE games_head RESET (fillfactor); ALTER TABLE accounts_account RESET (fillfactor)",
        ),
    ]
