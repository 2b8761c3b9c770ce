"""The second factor: codes of an authenticator app (RFC 6238), and recovery codes.

django-otp keeps the devices and accepts each code once. Users who have one sign in with it;
whether staff need one is `settings.STAFF_SECOND_FACTOR`. Recovery codes are stored as hashes that
need SECRET_KEY.
"""

from base64 import b32encode
from datetime import timedelta
from typing import Any, Final
from urllib.parse import quote, urlencode

import structlog
from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac
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
SALT: Final = "accounts.recovery-code"
APP: Final = ("name", "key", "step", "t0", "digits", "tolerance", "drift", "last_t")
"""The columns of an app's row that matter."""


def is_enrolled(user: User) -> bool:
    """Whether this user has a second factor."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def new_secret(user: User) -> str:
    """Create the secret to enter into an authenticator app, in Base32.

    It replaces one that was never confirmed, which somebody else may have read.
    """
    with transaction.atomic():
        user.locked()
        TOTPDevice.objects.filter(user=user, confirmed=False).delete()
        return _secret(TOTPDevice.objects.create(user=user, confirmed=False))


def secret_of(user: User) -> str:
    """Return the secret that waits for `enroll`, or a new one."""
    device = TOTPDevice.objects.filter(user=user, confirmed=False).first()
    return new_secret(user) if device is None else _secret(device)


def _secret(device: TOTPDevice) -> str:
    return b32encode(device.bin_key).decode()


def uri_of(user: User, secret: str) -> str:
    """Return the secret as an address that authenticator apps read."""
    query = urlencode({"secret": secret, "issuer": "Railbird"})
    return f"otpauth://totp/{quote(f'Railbird:{user.username}')}?{query}"


def enroll(user: User, code: str) -> list[str]:
    """Confirm that an app has the secret. Return recovery codes, which are shown only once.

    Raises Problem `wrong_code`.
    """
    with transaction.atomic():
        user.locked()
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
                recovery.token_set.create(token=_hashed(each, settings.SECRET_KEY))
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
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    spellings = [code] if is_of_app else [_hashed(code, key) for key in keys]
    with transaction.atomic():
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        accepted = device is not None and any(map(device.verify_token, spellings))
    if not accepted:
        raise _wrong(user)
    rate_limits.guessed_right(user.username, address, POLICY)
    log.info("second_factor_proved", user=str(user.id))


def _hashed(code: str, key: str) -> str:
    """Return a recovery code as it is stored, in the 16 characters of its column."""
    return salted_hmac(SALT, code.lower(), secret=key, algorithm="sha256").hexdigest()[:16]


def state_of(user: User) -> dict[str, Any]:
    """Return the second factor of a user as JSON, for `restore`."""
    codes = StaticToken.objects.filter(device__user=user).values_list("token", flat=True)
    app = TOTPDevice.objects.filter(user=user, confirmed=True).values(*APP).first()
    return {"app": app, "codes": list(codes)}


def restore(user: User, state: dict[str, Any]) -> None:
    """Give a user the second factor that they had."""
    forget(user)
    if state["app"]:
        TOTPDevice.objects.create(user=user, confirmed=True, **state["app"])
        recovery = StaticDevice.objects.create(user=user, name="recovery")
        for each in state["codes"]:
            recovery.token_set.create(token=each)


def forget(user: User) -> None:
    """Delete the second factor of a user."""
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def _wrong(user: User) -> Problem:
    log.warning("second_factor_failed", user=str(user.id))
    metrics.SIGN_INS.labels("wrong_code").inc()
    return Problem("wrong_code")
