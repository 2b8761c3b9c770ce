"""Users over their lifetime: create guests, register, sign in, change passwords, erase.

`accounts.recovery` surrounds what changes how an account is recovered.
"""

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

from accounts import addresses, ledger, names, recovery, second_factor, tokens
from accounts.models import ExternalIdentity, GrantedMailbox, RecoveryChange, User, Vacation
from accounts.oauth import clients
from accounts.recovery import Proof
from accounts.tokens import Caller
from kit import metrics, rate_limits
from kit.problems import Problem

log = structlog.get_logger(__name__)

USERNAME_MAX: Final = 30
"""Shorter than the 36 characters of a guest's username, so that the two never collide."""

ERASED: Final = "Erased"
"""The display name of those who were erased."""

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
        user = guest.locked()
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


def sign_in(username: str, password: str, factor: str = "", *, address: str) -> User:
    """Return the user with this username and password, and a code of the second factor if they
    have one.

    The error and the response time do not reveal whether the name or the password is wrong. Raises
    Problem `wrong_credentials`, `factor_required`, `wrong_code`, `suspended`, `too_many_requests`
    after too many wrong passwords or codes.
    """
    with metrics.counted(metrics.SIGN_INS):
        rate_limits.guess(username, address)
        user = authenticate(username=username.lower(), password=password)
        if user is None:
            log.info("sign_in_failed", address=address)
            raise Problem("wrong_credentials")
        assert isinstance(user, User)
        if factor:
            second_factor.prove(user, factor, address=address)
        elif second_factor.is_enrolled(user):
            raise Problem("factor_required")
        rate_limits.guessed_right(username, address)
        check_suspended(user, address=address)
    log.info("signed_in", user=str(user.id), address=address)
    return user


def check_suspended(user: User, *, address: str) -> None:
    """Refuse the sign-in of a user who is suspended now. Raises Problem `suspended`."""
    if user.suspended_until is not None and user.is_suspended:
        log.info("sign_in_refused", user=str(user.id), address=address, code="suspended")
        raise Problem("suspended", until=user.suspended_until.isoformat())


def suspend(user_id: UUID, until: datetime | None) -> None:
    """Let no token of a user act until then; None ends a suspension.

    Open sockets close within seconds. Raises Problem `not_found`, and `forbidden` for staff.
    """
    with transaction.atomic():
        user = User.lock(id=user_id)
        if user is None:
            raise Problem("not_found", what="user")
        if user.is_staff:
            raise Problem("forbidden")
        user.suspended_until = until
        user.save(update_fields=["suspended_until"])


# Passwords and mail addresses


def change_password(caller: Caller, proof: Proof, password: str) -> None:
    """Change the password and end every other token of the caller.

    Raises Problem `password_too_weak`, and what `recovery.prove` and `recovery.change` raise.
    """
    is_final = recovery.prove(caller, proof)
    with recovery.change(
        caller.user, RecoveryChange.Kind.PASSWORD, by=caller, is_final=is_final
    ) as user:
        _renew_password(user, password, keep=caller.token)


def renew_password(user: User, password: str) -> None:
    """Change the password of a user who has proved the previous one, and end every token.

    Raises Problem `password_too_weak`, `recovery_changed`.
    """
    with recovery.change(user, RecoveryChange.Kind.PASSWORD) as locked:
        _renew_password(locked, password)


def _renew_password(user: User, password: str, *, keep: str = "") -> None:
    _set_password(user, password)
    user.save(update_fields=["password"])
    tokens.revoke_all(user, but=keep)
    log.info("password_changed", user=str(user.id))


def code_for_address(user: User, address: str) -> str:
    """Create the code that proves that a user reads this address. Nothing is stored."""
    return signing.dumps(address, salt=_address_salt(user))


def _address_salt(user: User) -> str:
    return f"{ADDRESS_SALT}.{user.id.hex}"


def confirm_address(caller: Caller, code: str, proof: Proof) -> None:
    """Store the mail address for which this code was created.

    Where the opening grant requires an address, it is posted now, once per mailbox. Raises Problem
    `code_invalid`, and what `recovery.prove` and `recovery.change` raise.
    """
    try:
        salt = _address_salt(caller.user)
        address = signing.loads(code, salt=salt, max_age=ADDRESS_CODE_LIFETIME)
    except signing.BadSignature:
        raise Problem("code_invalid") from None
    if address == caller.user.email:
        return
    is_final = recovery.prove(caller, proof)
    with recovery.change(
        caller.user, RecoveryChange.Kind.ADDRESS, by=caller, is_final=is_final
    ) as user:
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


def reset_password(code: str, password: str, factor: str = "", *, address: str) -> None:
    """Set a new password for the user of this reset code and end all their tokens.

    With a code of the second factor, the change is final at once. Raises Problem `code_invalid`,
    `password_too_weak`, `wrong_code`, `recovery_changed`.
    """
    owner = _owner_of(code)
    if factor:
        second_factor.prove(owner, factor, address=address)
    with recovery.change(owner, RecoveryChange.Kind.PASSWORD, is_final=bool(factor)):
        _renew_password(_owner_of(code), password)


def _owner_of(code: str) -> User:
    """Return the user of a reset code. Raises Problem `code_invalid`."""
    number, _, proof = code.partition(".")
    try:
        user = User.objects.filter(id=UUID(number), is_active=True).first()
    except ValueError:
        user = None
    if user is None or not default_token_generator.check_token(user, proof):
        raise Problem("code_invalid")
    return user


def code_for_proof(user: User) -> str:
    """Create the code that proves that a user reads their present address, for `Proof.mailed`."""
    return recovery.mailed_codes.make_token(user)


def second_factor_codes(caller: Caller, code: str, proof: Proof) -> list[str]:
    """Give the caller a second factor; return its recovery codes.

    Raises Problem `second_factor_exists`, `wrong_code`, and what `recovery.prove` and
    `recovery.change` raise.
    """
    if second_factor.is_enrolled(caller.user):
        raise Problem("second_factor_exists")
    recovery.prove(caller, proof)
    with recovery.change(caller.user, RecoveryChange.Kind.FACTOR, by=caller) as user:
        return second_factor.enroll(user, code)


def remove_second_factor(caller: Caller, proof: Proof) -> None:
    """Remove the second factor. Staff prove it for that: the password is not enough.

    Raises Problem `wrong_code`, and what `recovery.prove` and `recovery.change` raise.
    """
    if caller.user.is_staff and not proof.factor:
        raise Problem("wrong_code")
    is_final = recovery.prove(caller, proof)
    with recovery.change(
        caller.user, RecoveryChange.Kind.FACTOR, by=caller, is_final=is_final
    ) as user:
        second_factor.forget(user)


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
        _leave(user)
        if found := User.lock(id=user.id):
            _erase(found)


def _leave(user: User) -> None:
    for leave in leave_before:
        leave(user)


def _erase(user: User) -> None:
    tokens.revoke_all(user)
    for forget in also_forget:
        forget(user)
    clients.registered_by(user).delete()
    for bot in User.objects.filter(owner=user, is_active=True):
        erase(bot)
    second_factor.forget(user)
    ExternalIdentity.objects.filter(user=user).delete()
    Vacation.objects.filter(user=user).delete()
    user.groups.clear()
    user.user_permissions.clear()
    user.username = f"erased-{user.id}"
    user.name_key = ""
    user.display_name = ERASED
    user.email = user.first_name = user.last_name = ""
    user.set_unusable_password()
    user.last_login = None
    user.is_active = user.is_staff = user.is_superuser = False
    user.save()


def erase_with_proof(caller: Caller, proof: Proof) -> None:
    """Erase the caller: at once, or where there is a way back, hide them until it ends.

    Raises what `recovery.prove` and `recovery.change` raise.
    """
    is_final = recovery.prove(caller, proof)
    kind = RecoveryChange.Kind.ERASURE
    with transaction.atomic():
        _leave(caller.user)
        with recovery.change(caller.user, kind, by=caller, is_final=is_final) as user:
            if is_final or not user.email:
                _erase(user)
            else:
                _hide(user)


def _hide(user: User) -> None:
    tokens.revoke_all(user)
    user.is_active, user.display_name = False, ERASED
    user.save(update_fields=["is_active", "display_name"])


def erase_hidden() -> None:
    """Erase the users whose way back has ended, and what the changes kept about them."""
    ended = RecoveryChange.objects.filter(
        kind=RecoveryChange.Kind.ERASURE, ends_at__lte=timezone.now(), is_told=True
    )
    for change in ended.select_related("user")[:1000]:
        erase(change.user)
        RecoveryChange.objects.filter(user=change.user).delete()
