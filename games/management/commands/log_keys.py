"""`manage.py log_keys [--add]`: print the log's public keys, or add a key."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.log import signing, tiles


class Command(BaseCommand):
    help = (
        "Print the log's public keys, oldest first; "
        "--add creates a key, which signs along with the old."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--add", action="store_true", help="create another private key in LOG_KEY_FILE"
        )

    def handle(self, *args: Any, add: bool, **options: Any) -> None:
        known = tiles.verifiers()
        for verifier in known:
            self.stdout.write(verifier)
        if not add:
            return
        newest = tiles.newest()
        if newest is None:
            raise CommandError("There is no log yet. The first worker creates its first key.")
        try:
            signing.signers(settings.LOG_KEY_FILE, known, newest.checkpoint.origin)
            self.stdout.write(
                signing.add(settings.LOG_KEY_FILE, newest.checkpoint.origin).verifier.text
            )
        except signing.Unsigned as error:
            raise CommandError(str(error)) from error
