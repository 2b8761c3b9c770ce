"""The Django app of users and money."""

from django.apps import AppConfig

from kit.walls import append_only, permanent


class AccountsConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
    walls = (
        append_only("accounts_transfer"),
        permanent("accounts_account", "id", "book", "key", "unit", "overdraft"),
    )
