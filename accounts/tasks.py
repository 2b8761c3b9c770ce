"""Celery tasks that send mail. The worker creates the codes, so that no queue contains one."""

from email.utils import make_msgid, parseaddr
from functools import partial
from smtplib import SMTPRecipientsRefused
from typing import Final
from uuid import UUID

import structlog
from celery import shared_task
from celery.app.task import Task
from django.conf import settings
from django.core.mail import EmailMessage
from kombu.exceptions import OperationalError

from accounts import people
from accounts.models import User
from kit import metrics
from kit.problems import Problem

log = structlog.get_logger(__name__)

mail_task: Final = partial(
    shared_task,
    autoretry_for=(OSError,),  # also the base of every SMTP error
    retry_backoff=5,
    retry_backoff_max=300,  # shorter than the broker's visibility timeout
    retry_jitter=False,
    max_retries=290,
)
"""A task that tries for a day to reach the mail server, and creates a new code each time."""

PERMANENT: Final = 500
"""The least code with which a mail server refuses permanently (RFC 5321)."""

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


def send(subject: str, text: str, address: str) -> None:
    """Send one mail. Raises OSError if it may succeed later; a refused recipient is logged."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    headers = {"Message-ID": make_msgid(domain=domain)}
    code = "failed"
    try:
        EmailMessage(subject, text, None, [address], headers=headers).send()
        code = "ok"
    except SMTPRecipientsRefused as error:
        replies = [reply for reply, _ in error.recipients.values()]
        if min(replies) < PERMANENT:
            raise
        code = "refused"
        log.warning("mail_refused", replies=replies)
    finally:
        metrics.MAILS.labels(code).inc()


@mail_task(name="accounts.mail_address_code")
def mail_address_code(user: str, address: str) -> None:
    """Mail a code to an address; it proves that the user reads it."""
    found = User.objects.filter(id=UUID(user), is_active=True).first()
    if found is not None:
        code = people.code_for_address(found, address)
        text = ADDRESS_TEXT.format(server=_server(), code=code)
        send("Confirm your address / Confirmez votre adresse", text, address)


@mail_task(name="accounts.mail_reset_codes")
def mail_reset_codes(address: str) -> None:
    """Mail a reset code to every user with this address.

    The request that started this gets the same response whether there is such a user or not.
    """
    for user in people.people_at(address):
        code = people.code_for_reset(user)
        text = RESET_TEXT.format(username=user.username, server=_server(), code=code)
        send("Reset your password / Changez de mot de passe", text, user.email)


def _server() -> str:
    """Return the address of this server. The Host of a request could be anybody's choice."""
    return settings.PUBLIC_URL or "Railbird"
