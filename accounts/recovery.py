"""Changes of how an account is recovered: their proof, the notice to its address, the way back.

Password, mail address, second factor and erasure change only here. No operation changes the
identities at a provider, so that they need no way back.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

import structlog
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import second_factor, tokens
from accounts.models import RecoveryChange, User
from accounts.tokens import Caller
from kit import rate_limits, row_batches
from kit.problems import Problem

log = structlog.get_logger(__name__)

SALT: Final = "accounts.way-back"
WAY_BACK: Final = timedelta(hours=72)


class Proof(NamedTuple):
    """The proof of a change: the password, or a code of the second factor.

    With the factor and a code that was mailed to the present address, a change is final at once.
    """

    password: str = ""
    factor: str = ""
    mailed: str = ""


class _MailedCodes(PasswordResetTokenGenerator):
    """Codes that prove the present address, valid like reset codes and nowhere else."""

    key_salt = "accounts.mailed-proof"


mailed_codes: Final = _MailedCodes()


def prove(caller: Caller, proof: Proof) -> bool:
    """Check the proof of a change. Return whether the change is final at once.

    Guests prove nothing: their token is their only credential. Raises Problem `wrong_password`,
    `wrong_code`, `code_invalid`, `sign_in_again`, `too_many_requests`.
    """
    user, address = caller.user, caller.origin.address
    if proof.mailed and not mailed_codes.check_token(user, proof.mailed):
        raise Problem("code_invalid")
    if proof.factor or (not user.has_usable_password() and second_factor.is_enrolled(user)):
        second_factor.prove(user, proof.factor, address=address)
        return bool(proof.mailed)
    if not user.has_usable_password() and user.identities.exists():
        tokens.require_new_session(user, caller.token)
    elif user.has_usable_password() or not user.is_guest:
        prove_password(user, proof.password, address)
    return False


def prove_password(user: User, password: str, address: str) -> None:
    """Check the password of a signed-in user. Wrong passwords count as those of a sign-in.

    Raises Problem `wrong_password`, `too_many_requests` after too many wrong passwords.
    """
    rate_limits.guess(user.username, address)
    if not user.check_password(password):
        raise Problem("wrong_password")
    rate_limits.guessed_right(user.username, address)


@contextmanager
def change(
    user: User,
    kind: RecoveryChange.Kind,
    *,
    by: Caller | None = None,
    is_final: bool = False,
) -> Iterator[User]:
    """Make one change in a transaction, with the user locked, and tell their mail address.

    Unless it `is_final` or the user has no address, the previous state is kept for `WAY_BACK`, and
    meanwhile nothing else can change. Raises Problem `recovery_changed`, and `unauthenticated` if
    the token of the caller who makes the change has ended meanwhile.
    """
    with transaction.atomic():
        user = user.locked()
        if by is not None:
            tokens.check_valid(by)
        check_unchanged(user)
        if user.email:
            now = timezone.now()
            before = RecoveryChange.objects.create(
                user=user,
                kind=kind,
                email=user.email,
                password=user.password,
                display_name=user.display_name,
                factors=second_factor.state_of(user),
                ends_at=now if is_final else now + WAY_BACK,
            )
            transaction.on_commit(partial(_tell, before), robust=True)
        yield user
    log.info("recovery_changed", user=str(user.id), kind=kind.value, final=is_final)


def check_unchanged(user: User) -> None:
    """Raise Problem `recovery_changed` while a change can be undone."""
    latest = _open(user).order_by("-ends_at").first()
    if latest is not None:
        raise Problem("recovery_changed", until=latest.ends_at.isoformat())


def _open(user: User) -> QuerySet[RecoveryChange]:
    return RecoveryChange.objects.filter(user=user, ends_at__gt=timezone.now())


def _tell(change: RecoveryChange) -> None:
    from accounts import tasks  # noqa: PLC0415  (tasks create the codes of this module)

    tasks.send_later(tasks.mail_recovery_change, str(change.id))
    RecoveryChange.objects.filter(id=change.id).update(is_told=True)


def way_back(change: RecoveryChange) -> str:
    """Return the code that undoes a change together with a proof, or "" if it is final."""
    return signing.dumps(change.id.hex, salt=SALT) if change.ends_at > change.at else ""


def restore(code: str, proof: Proof, *, session: str, address: str) -> None:
    """Undo a change: restore address, password and factors, and end all tokens and sessions.

    Besides the code, it takes the previous password or factor. A user who had neither names the
    text of a session that just signed in at the provider; an erasure is undone by the code alone
    then, which opens nothing. Raises Problem `code_invalid` and what `prove` raises.
    """
    try:
        number = UUID(signing.loads(code, salt=SALT, max_age=WAY_BACK))
    except (signing.BadSignature, ValueError):
        raise Problem("code_invalid") from None
    # A wrong proof raises, so that nothing is restored.
    with transaction.atomic():
        user = User.lock(recovery_changes__id=number)
        before = None if user is None else _open(user).filter(id=number).first()
        if user is None or before is None:
            raise Problem("code_invalid")
        user.email, user.password = before.email, before.password
        second_factor.restore(user, before.factors)
        if before.kind == RecoveryChange.Kind.ERASURE:
            user.is_active, user.display_name = True, before.display_name
            is_harmless = not (user.has_usable_password() or second_factor.is_enrolled(user))
        else:
            is_harmless = False
        user.save(update_fields=["email", "password", "is_active", "display_name"])
        if not is_harmless:
            asker = Caller(user, frozenset(), tokens.digest_of(session), tokens.Origin(address))
            prove(asker, proof)
        before.delete()
        tokens.revoke_all(user)
    log.warning("recovery_restored", user=str(user.id), kind=before.kind)


ENDED: Final = """
DELETE FROM accounts_recoverychange WHERE id IN (
    SELECT id FROM accounts_recoverychange
    WHERE ends_at <= now() AND is_told AND kind <> 'erasure'
    LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
"""


def sweep() -> None:
    """Delete changes that are final, and tell the addresses that a broken queue has not reached."""
    row_batches.repeat(ENDED)
    late = timezone.now() - timedelta(minutes=1)
    for untold in RecoveryChange.objects.filter(is_told=False, at__lt=late)[:1000]:
        _tell(untold)
