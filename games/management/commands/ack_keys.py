"""`manage.py ack_keys [--add] [--retire ID]`: the keys that sign acknowledgements."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.keys import acknowledging


class Command(BaseCommand):
    help = (
        "Print the public keys that sign acknowledgements, oldest first, each with the time in "
        "which it may sign, in seconds since 1970."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--add", action="store_true", help="create a key in ACK_KEY_FILE, which signs from now"
        )
        parser.add_argument(
            "--retire", metavar="ID", help="end the time in which this key may sign, now"
        )

    def handle(self, *args: Any, add: bool, retire: str | None, **options: Any) -> None:
        path = settings.ACK_KEY_FILE
        try:
            if add:
                acknowledging.add(path, settings.LOG_ORIGIN)
            if retire is not None:
                acknowledging.retire(path, retire)
            for key in acknowledging.public(path):
                self.stdout.write(key.text)
        except acknowledging.Unusable as error:
            raise CommandError(str(error)) from error
