"""`manage.py second_factor --reset USERNAME`: delete a lost second factor."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import second_factor, tokens
from accounts.models import User


class Command(BaseCommand):
    help = (
        "Delete the second factor of a member of staff and end their tokens, so that they choose "
        "another one at their next visit to the admin."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reset", metavar="USERNAME", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["reset"].lower()).first()
        if user is None:
            raise CommandError(f"There is no user {options['reset']}.")
        second_factor.forget(user)
        tokens.revoke_all(user)
        self.stdout.write("The second factor is deleted.")
