"""Celery tasks of people: mail. Codes are made by the worker that sends them, so that none lies in
a queue."""

from uuid import UUID

from celery import shared_task
from celery.app.task import Task
from django.core.mail import send_mail
from kombu.exceptions import OperationalError

from accounts import people
from accounts.models import User
from kit.problems import Problem

ADDRESS_TEXT = """Somebody, you we hope, wants to use this address at {server}. The code that proves it, good for a day:

{code}

If it was not you, there is nothing to do.
"""
RESET_TEXT = """Somebody, you we hope, has forgotten the password of {username} at {server}.
The code for another one, good for an hour:

{code}

If it was not you, there is nothing to do.
"""


def send_later(task: Task, *arguments: str) -> None:  # type: ignore[type-arg]  # its types are its own
    """Have a worker do this. Raises Problem `unavailable` when it cannot be told."""
    try:
        task.apply_async(arguments, retry=False, ignore_result=True)
    except OperationalError as error:
        raise Problem("unavailable") from error


@shared_task(name="accounts.mail_address_code")
def mail_address_code(user: str, address: str, server: str) -> None:
    """Mail to an address what proves that its reader is this person."""
    found = User.objects.filter(id=UUID(user), is_active=True).first()
    if found is not None:
        code = people.code_for_address(found, address)
        send_mail(
            "Is this your address?", ADDRESS_TEXT.format(server=server, code=code), None, [address]
        )


@shared_task(name="accounts.mail_reset_codes")
def mail_reset_codes(address: str, server: str) -> None:
    """Mail to everybody with this address what lets them set another password. Nobody hears whether
    there was anybody."""
    for user in people.people_at(address):
        text = RESET_TEXT.format(
            username=user.username, server=server, code=people.code_for_reset(user)
        )
        send_mail("Another password", text, None, [user.email])
