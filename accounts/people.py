"""Users over their lifetime: create guests, register, sign in, change passwords, erase."""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from uuid_utils.compat import uuid7

from accounts import addresses, ledger, names, second_factor, tokens
from accounts.models import ExternalIdentity, GrantedMailbox, User
from accounts.oauth import clients
from kit import metrics, rate_limits
from kit.problems import Problem

log = structlog.get_logger(__name__)

USERNAME_MAX: Final = 30
"""Shorter than the 36 characters of a guest's username, so that the two never collide."""

ADDRESS_SALT: Final = "accounts.address"
MAILBOX_SALT: Final = "accounts.mailbox"
ADDRESS_CODE_LIFETIME: Final = timedelta(days=1)


def new_guest(display_name: str | None = None) -> User:
    """Create a guest: a user without password, wallet or grant. A lost token cannot be replaced.

    Raises Problem `name_reserved`, `display_name_taken`.
    """
    number = uuid7()
    guest = User(id=number, username=str(number))
    if display_name:
        names.check_display_name(display_name, guest)
    guest.display_name = display_name or f"Guest {secrets.randbelow(9000) + 1000}"
    guest.is_guest = True
    guest.set_unusable_password()
    guest.save(force_insert=True)
    return guest


def register(username: str, password: str, display_name: str, *, address: str) -> User:
    """Create a registered user with a wallet. Usernames ignore case.

    The opening grant is posted at once, or with the first confirmed e-mail address where
    `GRANT_REQUIRES_EMAIL` is set. Raises Problem `password_too_weak`, `username_taken`,
    `name_reserved`, `display_name_taken`.
    """
    return _complete(User(), username, password, display_name, address)


def claim(guest: User, username: str, password: str, display_name: str, *, address: str) -> User:
    """Register a guest, who keeps seats, bets and tokens. The grant is posted as in `register`.

    Raises Problem `not_a_guest` and what `register` raises.
    """
    with transaction.atomic():
        user = _locked(guest)
        if not user.is_guest:
            raise Problem("not_a_guest")
        return _complete(user, username, password, display_name, address)


def _complete(user: User, username: str, password: str, display_name: str, address: str) -> User:
    names.check_username(username, user)
    names.check_display_name(display_name, user)
    user.username, user.display_name, user.is_guest = username.lower(), display_name, False
    user.name_key = names.skeleton(username)
    _set_password(user, password)
    try:
        with transaction.atomic():
            user.save()
            if settings.OPENING_GRANT and not settings.GRANT_REQUIRES_EMAIL:
                ledger.grant_opening(user)
    except IntegrityError as error:
        raise Problem("username_taken") from error
    # Remember this address, so that strangers' guesses cannot lock the user out here.
    rate_limits.guessed_right(user.username, address)
    return user


def _set_password(user: User, password: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Problem(
            "password_too_weak", reasons=[found.code for found in error.error_list]
        ) from error
    user.set_password(password)


def _locked(user: User) -> User:
    return User.objects.select_for_update(no_key=True).get(id=user.id)


def sign_in(username: str, password: str, *, address: str) -> User:
    """Return the user with this username and password.

    The error and the response time do not reveal which of the two is wrong. Raises Problem
    `wrong_credentials`, `suspended`, `too_many_requests` after too many wrong passwords.
    """
    with metrics.counted(metrics.SIGN_INS):
        rate_limits.guess(username, address)
        user = authenticate(username=username.lower(), password=password)
        if user is None:
            log.info("sign_in_failed", address=address)
            raise Problem("wrong_credentials")
        assert isinstance(user, User)
        rate_limits.guessed_right(username, address)
        check_suspended(user, address=address)
    log.info("signed_in", user=str(user.id), address=address)
    return user


def check_suspended(user: User, *, address: str) -> None:
    """Refuse the sign-in of a user who is suspended now. Raises Problem `suspended`."""
    if user.suspended_until is not None and user.suspended_until > timezone.now():
        log.info("sign_in_refused", user=str(user.id), address=address, code="suspended")
        raise Problem("suspended", until=user.suspended_until.isoformat())


def suspend(user_id: UUID, until: datetime | None) -> None:
    """Let no token of a user act until then; None ends a suspension.

    Open sockets close within seconds. Raises Problem `not_found`, and `forbidden` for staff.
    """
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(id=user_id).first()
        if user is None:
            raise Problem("not_found", what="user")
        if user.is_staff:
            raise Problem("forbidden")
        user.suspended_until = until
        user.save(update_fields=["suspended_until"])


# Passwords and mail addresses


def prove(user: User, password: str, address: str) -> None:
    """Check the password of a signed-in user. Wrong passwords count as in `sign_in`.

    Raises Problem `wrong_password`, `too_many_requests` after too many wrong passwords.
    """
    rate_limits.guess(user.username, address)
    if not user.check_password(password):
        raise Problem("wrong_password")
    rate_limits.guessed_right(user.username, address)


def change_password(user: User, current: str, new: str, *, keep: str, address: str) -> None:
    """Change the password and end every token but the one with the digest `keep`.

    Raises Problem `wrong_password`, `too_many_requests` after too many wrong passwords,
    `password_too_weak`.
    """
    prove(user, current, address)
    renew_password(user, new, keep=keep)


def renew_password(user: User, password: str, *, keep: str = "") -> None:
    """Set a new password and end every token, except one with the digest `keep`.

    Raises Problem `password_too_weak`.
    """
    with transaction.atomic():
        user = _locked(user)
        _set_password(user, password)
        user.save(update_fields=["password"])
        tokens.revoke_all(user, but=keep)
    log.info("password_changed", user=str(user.id))


def code_for_address(user: User, address: str) -> str:
    """Create the code that proves that a user reads this address. Nothing is stored."""
    return signing.dumps([user.id.hex, address], salt=ADDRESS_SALT)


def confirm_address(user: User, code: str) -> None:
    """Store the mail address for which this code was created.

    Where the opening grant requires an address, it is posted now, once per mailbox. Raises Problem
    `code_invalid`.
    """
    try:
        number, address = signing.loads(code, salt=ADDRESS_SALT, max_age=ADDRESS_CODE_LIFETIME)
    except signing.BadSignature:
        raise Problem("code_invalid") from None
    if number != user.id.hex:
        raise Problem("code_invalid")
    with transaction.atomic():
        user = _locked(user)
        user.email = address
        user.save(update_fields=["email"])
        if settings.GRANT_REQUIRES_EMAIL and settings.OPENING_GRANT and not user.is_guest:
            _grant_for_mailbox(user)


def _grant_for_mailbox(user: User) -> None:
    """Post the opening grant, once per user and once per mailbox.

    A mailbox is known by its digest under SECRET_KEY or an earlier key of SECRET_KEY_FALLBACKS.
    """
    mailbox = addresses.mailbox_of(user.email)
    digest, *earlier = (
        salted_hmac(MAILBOX_SALT, mailbox, secret=key, algorithm="sha256").hexdigest()
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )
    if not ledger.has_opening_grant(user):
        _, is_new = GrantedMailbox.objects.get_or_create(digest=digest)
        if is_new and not GrantedMailbox.objects.filter(digest__in=earlier).exists():
            ledger.grant_opening(user)


def people_at(address: str) -> QuerySet[User]:
    """Return the active users who have confirmed this address, given in its one form."""
    return User.objects.filter(email=address, is_active=True).exclude(email="").order_by("id")


def code_for_reset(user: User) -> str:
    """Create a password reset code.

    It is valid for an hour, until the password or the address changes.
    """
    return f"{user.id.hex}.{default_token_generator.make_token(user)}"


def reset_password(code: str, password: str) -> None:
    """Set a new password for the user of this reset code and end all their tokens.

    Raises Problem `code_invalid`, `password_too_weak`.
    """
    number, _, proof = code.partition(".")
    try:
        owner = UUID(number)
    except ValueError:
        raise Problem("code_invalid") from None
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).filter(id=owner, is_active=True).first()
        if user is None or not default_token_generator.check_token(user, proof):
            raise Problem("code_invalid")
        renew_password(user, password)


# Erasure

also_forget: Final[list[Callable[[User], None]]] = []
"""Functions of other apps that erase their data about a user, in the same transaction."""


leave_before: Final[list[Callable[[User], None]]] = []
"""Functions of other apps that make a user leave lobbies and games before erasure.

They run first, because lobbies are locked before users.
"""


def erase(user: User) -> None:
    """Erase personal data: name, address, credentials, rights, tokens, apps, bot users, messages.

    Games and transfers stay. They contain only opaque ids, so no hash and no sum changes.
    """
    with transaction.atomic():
        for leave in leave_before:
            leave(user)
        user = _locked(user)
        tokens.revoke_all(user)
        clients.registered_by(user).delete()
        for forget in also_forget:
            forget(user)
        for bot in User.objects.filter(owner=user, is_active=True):
            erase(bot)
        second_factor.forget(user)
        ExternalIdentity.objects.filter(user=user).delete()
        user.groups.clear()
        user.user_permissions.clear()
        user.username = f"erased-{user.id}"
        user.name_key = ""
        user.display_name = "Erased"
        user.email = user.first_name = user.last_name = ""
        user.set_unusable_password()
        user.last_login = None
        user.is_active = user.is_staff = user.is_superuser = False
        user.save()


def erase_with_password(user: User, password: str, *, address: str) -> None:
    """Erase the user after checking the password, if they have one.

    Raises Problem `wrong_password`, `too_many_requests` after too many wrong passwords.
    """
    if user.has_usable_password():
        prove(user, password, address)
    erase(user)
