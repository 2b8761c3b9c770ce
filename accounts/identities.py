"""Identities of users at an OpenID Connect provider, known by issuer and subject alone."""

import msgspec
import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from uuid_utils.compat import uuid7

from accounts import ledger, names, people
from accounts.models import ExternalIdentity, User
from accounts.names import DisplayName
from kit import metrics
from kit.problems import Problem

log = structlog.get_logger(__name__)


def sign_in(issuer: str, subject: str, name: str, *, address: str) -> User:
    """Return the user with this identity, who is created at the first sign-in.

    `name` is what the provider calls them; it is used if it is allowed here. Mail addresses are
    ignored. Raises Problem `wrong_credentials` for staff and erased users, `suspended`.
    """
    with metrics.counted(metrics.SIGN_INS):
        user = _known(issuer, subject) or _new(issuer, subject, name)
        # Staff prove a second factor, which another provider cannot vouch for.
        if not user.is_active or user.is_staff:
            log.info("sign_in_failed", address=address)
            raise Problem("wrong_credentials")
        people.check_suspended(user, address=address)
    log.info("signed_in", user=str(user.id), address=address, issuer=issuer)
    return user


def _known(issuer: str, subject: str) -> User | None:
    return User.objects.filter(identities__issuer=issuer, identities__subject=subject).first()


def _new(issuer: str, subject: str, name: str) -> User:
    number = uuid7()
    user = User(id=number, username=str(number))
    user.display_name = _allowed(name, user) or f"Player {number.hex[-6:]}"
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            ExternalIdentity.objects.create(user=user, issuer=issuer, subject=subject)
            if settings.OPENING_GRANT and not settings.GRANT_REQUIRES_EMAIL:
                ledger.grant_opening(user)
    except IntegrityError:  # the same person, in another window
        known = _known(issuer, subject)
        assert known is not None
        return known
    return user


def _allowed(name: str, user: User) -> str:
    """Return the display name, or "" if nobody may have it."""
    try:
        found: str = msgspec.convert(name, DisplayName)
        names.check_display_name(found, user)
    except (msgspec.ValidationError, Problem):
        return ""
    return found
