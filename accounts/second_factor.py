"""The second factor of staff: codes of an authenticator app (RFC 6238), and recovery codes.

django-otp keeps the devices and accepts each code once. Whether the factor is required is
`settings.STAFF_SECOND_FACTOR`.
"""

from base64 import b32encode
from datetime import timedelta
from typing import Final

import structlog
from django.db import transaction
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import User
from kit import metrics, rate_limits
from kit.problems import Problem

log = structlog.get_logger(__name__)

RECENT: Final = timedelta(minutes=10)
"""How long a proof is good for an action that moves money."""
RECOVERY_CODES: Final = 10
DIGITS: Final = 6
POLICY: Final = "factor"
"""The rate limit of guesses."""


def is_enrolled(user: User) -> bool:
    """Whether this user has a second factor."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def secret_of(user: User) -> str:
    """Return the secret to enter into an authenticator app, in Base32, until `enroll`."""
    device, _ = TOTPDevice.objects.get_or_create(user=user, confirmed=False)
    return b32encode(device.bin_key).decode()


def enroll(user: User, code: str) -> list[str]:
    """Confirm that an app has the secret. Return recovery codes, which are shown only once.

    Raises Problem `wrong_code`.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(id=user.id)
        device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
        if device is None or is_enrolled(user):
            raise Problem("wrong_code")
        accepted = device.verify_token(code)
        codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)] if accepted else []
        if accepted:
            device.confirmed = True
            device.save(update_fields=["confirmed"])
            recovery = StaticDevice.objects.create(user=user, name="recovery")
            for each in codes:
                recovery.token_set.create(token=each)
    if not codes:
        raise _wrong(user)
    log.info("second_factor_enrolled", user=str(user.id))
    return codes


def prove(user: User, code: str, *, address: str) -> None:
    """Check a code of the app, or use up a recovery code.

    Guesses of the six digits count like wrong passwords: separately where the user signed in
    before. Recovery codes are too long to guess, so that nobody can block them. Raises Problem
    `wrong_code`, `too_many_requests`.
    """
    is_of_app = len(code) == DIGITS and code.isdecimal()
    if is_of_app:
        rate_limits.guess(user.username, address, POLICY)
    kind = TOTPDevice if is_of_app else StaticDevice
    with transaction.atomic():
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        accepted = device is not None and device.verify_token(code)
    if not accepted:
        raise _wrong(user)
    rate_limits.guessed_right(user.username, address, POLICY)
    log.info("second_factor_proved", user=str(user.id))


def forget(user: User) -> None:
    """Delete the second factor of a user."""
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def _wrong(user: User) -> Problem:
    log.warning("second_factor_failed", user=str(user.id))
    metrics.SIGN_INS.labels("wrong_code").inc()
    return Problem("wrong_code")
