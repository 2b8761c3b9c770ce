"""Password hashing with bounded concurrency, and password rules."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

from accounts.models import User
from kit.problems import Problem

DISTINCT_MIN: Final = 5
"""The least number of different characters in a password."""

AT_ONCE: Final = 4
"""The number of passwords that one process hashes at a time: 4 x 19 MiB."""

WAIT_S: Final = 5.0
"""Seconds that a request waits for a free hashing slot."""

_slots: Final = BoundedSemaphore(AT_ONCE)


@contextmanager
def _slot() -> Iterator[None]:
    if not _slots.acquire(timeout=WAIT_S):
        raise Problem("busy", retry_after=int(WAIT_S))
    try:
        yield
    finally:
        _slots.release()


class BoundedArgon2(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters (19 MiB, two passes, one lane), `AT_ONCE` at a time.

    Raises Problem `busy` after waiting `WAIT_S` for a slot.
    """

    memory_cost = 19_456
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _slot():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with _slot():
            return super().verify(password, encoded)


class DistinctCharactersValidator:
    """Reject passwords that repeat a few characters."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Raise ValidationError `password_repeats_characters`."""
        if len(set(password)) < DISTINCT_MIN:
            raise ValidationError(self.get_help_text(), code="password_repeats_characters")

    def get_help_text(self) -> str:
        return f"A password needs at least {DISTINCT_MIN} different characters."


class CommonBaseValidator:
    """Reject common passwords that were only lengthened with digits or by repetition."""

    def __init__(self) -> None:
        self._common = CommonPasswordValidator()

    def validate(self, password: str, user: User | None = None) -> None:
        """Raise ValidationError `password_too_common`."""
        text = password.strip().lower()
        half = text[: len(text) // 2]
        for base in (text, text.rstrip("0123456789!.?"), half if half * 2 == text else ""):
            if base:
                self._common.validate(base, user)

    def get_help_text(self) -> str:
        return str(self._common.get_help_text())
