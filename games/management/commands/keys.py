"""`manage.py keys log|ack|seeds|vapid`: list the keys of a deployment, add one, retire one."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.keys import acknowledging
from games.log import signing, tiles
from games.store import seeds
from kit import encryption, key_files
from notices import vapid, webhooks

UNUSABLE = (key_files.UnusableKeyError, signing.UnsignedError)


class Command(BaseCommand):
    help = "List the keys that sign the log (log), sign acknowledgements (ack) or encrypt seeds."

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = parser.add_subparsers(dest="kind", required=True)
        log = kinds.add_parser("log", help="the log's public keys, oldest first")
        log.set_defaults(list=self._log)
        log.add_argument(
            "--add", action="store_true", help="create another private key in LOG_KEY_FILE"
        )
        ack = kinds.add_parser(
            "ack",
            help="the public keys of acknowledgements, oldest first, each with the time in which "
            "it may sign, in seconds since 1970",
        )
        ack.set_defaults(list=self._acknowledgements)
        ack.add_argument(
            "--add", action="store_true", help="create a key in ACK_KEY_FILE, which signs from now"
        )
        ack.add_argument(
            "--retire", metavar="ID", help="end the time in which this key may sign, now"
        )
        encrypting = kinds.add_parser(
            "seeds",
            help="the ids of the keys that encrypt seeds, the encrypting one first, and how many "
            "seeds and secrets of webhooks each of them encrypts",
        )
        encrypting.set_defaults(list=self._seeds)
        encrypting.add_argument(
            "--add",
            action="store_true",
            help="create a key in SEED_KEY_FILE, which encrypts from now on",
        )
        encrypting.add_argument(
            "--encrypt-again",
            action="store_true",
            help="encrypt every secret again, with the first key",
        )

        vapid = kinds.add_parser(
            "vapid",
            help="the public keys of Web Push, that of new subscriptions first",
        )
        vapid.set_defaults(list=self._vapid)
        vapid.add_argument(
            "--add",
            action="store_true",
            help="create a key in VAPID_KEY_FILE, for subscriptions from now on",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            options["list"](options)
        except UNUSABLE as error:
            raise CommandError(str(error)) from error

    def _log(self, options: dict[str, Any]) -> None:
        known = tiles.verifiers()
        for verifier in known:
            self.stdout.write(verifier)
        if not options["add"]:
            return
        newest = tiles.newest()
        if newest is None:
            raise CommandError("There is no log yet. The first worker creates its first key.")
        path, origin = settings.LOG_KEY_FILE, newest.checkpoint.origin
        signing.signers(path, known, origin)
        self.stdout.write(signing.add(path, origin).verifier.text)

    def _acknowledgements(self, options: dict[str, Any]) -> None:
        path = settings.ACK_KEY_FILE
        if options["add"]:
            acknowledging.add(path, settings.LOG_ORIGIN)
        if options["retire"] is not None:
            acknowledging.retire(path, options["retire"])
        for key in acknowledging.public(path):
            self.stdout.write(key.text)
        try:
            acknowledging.check(path, settings.LOG_ORIGIN)
        except key_files.UnusableKeyError as error:  # a sealer has public halves alone
            self.stderr.write(f"This process cannot sign acknowledgements: {error}")

    def _seeds(self, options: dict[str, Any]) -> None:
        path = settings.SEED_KEY_FILE
        if options["add"]:
            self.stdout.write(encryption.add(path).id.hex())
            if not options["encrypt_again"]:  # perhaps before the first migration
                return
        if options["encrypt_again"]:
            seeds.encrypt_again()
            webhooks.encrypt_again()
        found = seeds.in_use() + webhooks.keys_in_use()
        for key in encryption.keys_in(path):
            self.stdout.write(f"{key.id.hex()} {found.pop(key.id.hex(), 0)}")
        if found:
            missing = ", ".join(f"{key} ({count} secrets)" for key, count in sorted(found.items()))
            raise CommandError(f"SEED_KEY_FILE lacks keys that are in use: {missing}")

    def _vapid(self, options: dict[str, Any]) -> None:
        if options["add"]:
            vapid.add(settings.VAPID_KEY_FILE)
        for key in vapid.keys_in(settings.VAPID_KEY_FILE):
            self.stdout.write(key.public)
