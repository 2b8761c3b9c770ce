"""Celery tasks that send mail. The worker creates the codes, so that no queue contains one."""

from uuid import UUID

from celery import shared_task
from celery.app.task import Task
from django.conf import settings
from django.core.mail import send_mail
from kombu.exceptions import OperationalError

from accounts import people
from accounts.models import User
from kit.problems import Problem

ADDRESS_TEXT = """Somebody, probably you, wants to use this address at {server}.
To confirm it, enter this code within one day:

{code}

If it was not you, ignore this message.

--

Quelqu’un, sans doute vous, souhaite utiliser cette adresse sur {server}.
Pour la confirmer, saisissez le code ci-dessus dans les vingt-quatre heures.

Si vous n’avez rien demandé, ignorez ce message.
"""
RESET_TEXT = """Somebody, probably you, asked to reset the password of {username} at {server}.
To set a new password, enter this code within one hour:

{code}

If it was not you, ignore this message.

--

Quelqu’un, sans doute vous, souhaite changer le mot de passe de {username} sur {server}.
Pour en choisir un nouveau, saisissez le code ci-dessus dans l’heure.

Si vous n’avez rien demandé, ignorez ce message.
"""


def send_later(task: Task, *arguments: str) -> None:  # type: ignore[type-arg]  # Celery has no types
    """Queue a task for a worker. Raises Problem `unavailable` when the queue is unreachable."""
    try:
        task.apply_async(arguments, retry=False, ignore_result=True)
    except OperationalError as error:
        raise Problem("unavailable") from error


@shared_task(name="accounts.mail_address_code")
def mail_address_code(user: str, address: str) -> None:
    """Mail a code to an address; it proves that the user reads it."""
    found = User.objects.filter(id=UUID(user), is_active=True).first()
    if found is not None:
        code = people.code_for_address(found, address)
        text = ADDRESS_TEXT.format(server=_server(), code=code)
        send_mail("Confirm your address / Confirmez votre adresse", text, None, [address])


@shared_task(name="accounts.mail_reset_codes")
def mail_reset_codes(address: str) -> None:
    """Mail a reset code to every user with this address.

    The request that started this gets the same response whether there is such a user or not.
    """
    for user in people.people_at(address):
        code = people.code_for_reset(user)
        text = RESET_TEXT.format(username=user.username, server=_server(), code=code)
        send_mail("Reset your password / Changez de mot de passe", text, None, [user.email])


def _server() -> str:
    """Return the address of this server. The Host of a request could be anybody's choice."""
    return settings.PUBLIC_URL or "Railbird"
