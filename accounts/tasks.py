"""Celery tasks that send mail. The worker creates the codes, so that no queue contains one."""

from collections.abc import Mapping
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

from accounts import people, recovery
from accounts.models import RecoveryChange, User
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
PROOF_TEXT = """Somebody, probably you, wants to change how {username} signs in at {server}.
To prove that you read this address, enter this code within one hour:

{code}

If it was not you, end all sessions and change your password.

--

Quelqu’un, sans doute vous, souhaite changer la connexion de {username} sur {server}.
Pour prouver que vous lisez cette adresse, saisissez le code ci-dessus dans l’heure.

Si ce n’était pas vous, fermez toutes les sessions et changez de mot de passe.
"""
CHANGED: Final = {
    "password": ("The password was changed", "Le mot de passe a été changé"),
    "address": ("The e-mail address was changed", "L’adresse de courriel a été changée"),
    "factor": ("The second factor was changed", "Le second facteur a été changé"),
    "erasure": ("The user was erased", "Le compte a été effacé"),
}
CHANGED_TEXT = """{what}: {username} at {server}.
{then}
--

{what_fr}\u00a0: {username} sur {server}.
{then_fr}"""
WAY_BACK_TEXT = """
If it was not you, undo it within 72 hours. Enter this code, with the password or a code of the
second factor from before:

{code}

All sessions end then.
"""
WAY_BACK_FRENCH = """
Si ce n’était pas vous, annulez-le dans les 72 heures: saisissez le code ci-dessus, avec le mot de
passe ou un code du second facteur d’avant. Toutes les sessions prendront fin.
"""
FINAL_TEXT = "\nThe second factor and a code that was mailed here confirmed it: it is final.\n"
FINAL_FRENCH = "\nLe second facteur et un code envoyé ici l’ont confirmé: c’est définitif.\n"


def send_later(task: Task, *arguments: str) -> None:  # type: ignore[type-arg]  # Celery has no types
    """Queue a task for a worker. Raises Problem `unavailable` when the queue is unreachable."""
    try:
        task.apply_async(arguments, retry=False, ignore_result=True)
    except OperationalError as error:
        raise Problem("unavailable") from error


def send(subject: str, text: str, address: str, headers: Mapping[str, str] | None = None) -> bool:
    """Send one mail. Raises OSError if it may succeed later; a refused recipient is logged.

    Returns whether the recipient was accepted."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    headers = {"Message-ID": make_msgid(domain=domain), **(headers or {})}
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
    return code == "ok"


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


@mail_task(name="accounts.mail_proof_code")
def mail_proof_code(user: str) -> None:
    """Mail a code to the present address of a user; it proves that they read it."""
    found = User.objects.filter(id=UUID(user), is_active=True).exclude(email="").first()
    if found is not None:
        code = people.code_for_proof(found)
        text = PROOF_TEXT.format(username=found.username, server=_server(), code=code)
        send("Prove your address / Confirmez votre adresse", text, found.email)


@mail_task(name="accounts.mail_recovery_change")
def mail_recovery_change(change: str) -> None:
    """Tell the address that a user had before a change, with the way back if there is one."""
    found = RecoveryChange.objects.filter(id=UUID(change)).select_related("user").first()
    if found is not None:
        code, (what, what_fr) = recovery.way_back(found), CHANGED[found.kind]
        text = CHANGED_TEXT.format(
            what=what,
            what_fr=what_fr,
            then=WAY_BACK_TEXT.format(code=code) if code else FINAL_TEXT,
            then_fr=WAY_BACK_FRENCH if code else FINAL_FRENCH,
            username=found.user.username,
            server=_server(),
        )
        send(f"{what} / {what_fr}", text, found.email)


def _server() -> str:
    """Return the address of this server. The Host of a request could be anybody's choice."""
    return settings.PUBLIC_URL or "Railbird"
