"""People come in: guests, who own nothing, and those who register, who get a wallet."""

import secrets
from typing import Final

from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from uuid_utils.compat import uuid7

from accounts import ledger
from accounts.models import User
from accounts.problems import Problem

USERNAME_MAX: Final = 30
"""Shorter than the 36 characters of a guest's, so that the two never meet."""


def new_guest(display_name: str | None = None) -> User:
    """A person without a password: who loses the token is gone. No wallet, no grant."""
    number = uuid7()
    guest = User(id=number, username=str(number), display_name=display_name or f"Guest {secrets.randbelow(9000) + 1000}")
    guest.is_guest = True
    guest.set_unusable_password()
    guest.save(force_insert=True)
    return guest


def register(username: str, password: str, display_name: str) -> User:
    """A person with a wallet and the opening grant. Usernames differ in more than the case of their letters.

    Raises Problem `password_too_weak`, `username_taken`.
    """
    user = User(username=username.lower(), display_name=display_name)
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Problem("password_too_weak", reasons=[found.code for found in error.error_list]) from error
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            if settings.OPENING_GRANT:
                ledger.grant_opening(user)
    except IntegrityError as error:
        raise Problem("username_taken") from error
    return user


def sign_in(username: str, password: str) -> User:
    """The person with this name and password. The refusal, and the time it takes, do not tell which of the two is wrong.

    Raises Problem `wrong_credentials`.
    """
    user = authenticate(username=username.lower(), password=password)
    if user is None:
        raise Problem("wrong_credentials")
    assert isinstance(user, User)
    return user
