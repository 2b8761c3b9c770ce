"""`manage.py seed_keys [--add] [--encrypt-again]`: list, add and rotate the keys of the seeds."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.keys import encryption
from games.store import seeds


class Command(BaseCommand):
    help = (
        "Print the ids of the keys that encrypt seeds, the encrypting one first, and how many "
        "secret seeds each of them encrypts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--add",
            action="store_true",
            help="create a key in SEED_KEY_FILE, which encrypts from now on",
        )
        parser.add_argument(
            "--encrypt-again",
            action="store_true",
            help="encrypt every secret seed with the first key",
        )

    def handle(self, *args: Any, add: bool, encrypt_again: bool, **options: Any) -> None:
        try:
            if add:
                self.stdout.write(encryption.add(settings.SEED_KEY_FILE).id.hex())
            if add and not encrypt_again:  # perhaps before the first migration
                return
            if encrypt_again:
                seeds.encrypt_again()
            keys = [key.id.hex() for key in encryption.keys_in(settings.SEED_KEY_FILE)]
        except encryption.Unusable as error:
            raise CommandError(str(error)) from error
        found = seeds.in_use()
        for key in keys:
            self.stdout.write(f"{key} {found.pop(key, 0)}")
        if found:
            missing = ", ".join(f"{key} ({count} seeds)" for key, count in sorted(found.items()))
            raise CommandError(f"SEED_KEY_FILE lacks keys that are in use: {missing}")
