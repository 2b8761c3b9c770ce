"""The Django app of users and money."""

from django.apps import AppConfig

from kit.table_protection import append_only, permanent, written_by_owner


class AccountsConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
    protections = (
        append_only("accounts_transfer"),
        written_by_owner("accounts_openingbalance"),
        permanent("accounts_account", "id", "book", "key", "unit", "overdraft"),
    )
