"""`manage.py log_keys [--add]`: the public keys of the log; another private one when the old shall
be replaced."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.keys import signing
from games.transparency import tiles


class Command(BaseCommand):
    help = "Print the log's public keys, the oldest first; --add makes another private key, which signs beside the old."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--add", action="store_true", help="make another key in LOG_KEY_FILE")

    def handle(self, *args: Any, add: bool, **options: Any) -> None:
        known = tiles.verifiers()
        for verifier in known:
            self.stdout.write(verifier)
        if not add:
            return
        newest = tiles.newest()
        if newest is None:
            raise CommandError("there is no log yet: its first key is made by the first worker")
        try:
            signing.signers(settings.LOG_KEY_FILE, known, newest.checkpoint.origin)
            self.stdout.write(
                signing.add(settings.LOG_KEY_FILE, newest.checkpoint.origin).verifier.text
            )
        except signing.Unsigned as error:
            raise CommandError(str(error)) from error
