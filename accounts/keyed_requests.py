"""Requests under an idempotency key, which are carried out once, however often they arrive.

The database knows the key and the user only as a hash, and the answer, which may have a token in
it, only encrypted by both: nobody reads it without the key of the client.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from accounts.models import KeyedRequest
from accounts.tokens import Caller, Origin
from kit.operations import Operation
from kit.problems import Problem

HEADER: Final = "Idempotency-Key"
SHAPE: Final = re.compile(r"[0-9A-Za-z_-]{16,64}")
"""Long enough that nobody guesses the key of a request without a user."""
SALT: Final = "accounts.keyed_requests"


def check_key(key: str) -> str:
    """Return the key. Raises Problem `malformed`."""
    if not SHAPE.fullmatch(key):
        reason = "expected 16 to 64 letters, digits, - or _"
        raise Problem("malformed", path=f"$.{HEADER}", reason=reason)
    return key


def answered_once(
    asker: Caller | Origin, operation: Operation, key: str, given: Mapping[str, Any]
) -> Any:
    """Carry out an operation once for all requests of a user with this key, and return its answer.

    A refused request leaves its key free. Raises Problem `request_id_reused` for other content
    under the same key, and `outcome_unknown` while the first request is carried out, or if its
    process ended meanwhile.
    """
    who = str(asker.user.id) if isinstance(asker, Caller) else ""
    secret = f"{who} {key}"
    id_ = hashlib.sha256(secret.encode()).digest()
    content = msgspec.json.encode((operation.name, given), order="sorted")
    digest = hashlib.sha256(content).digest()
    try:
        with transaction.atomic():
            KeyedRequest.objects.create(id=id_, digest=digest)
    except IntegrityError:
        return _answer_before(id_, digest, secret, operation)
    try:
        answer = operation.run(asker, **given)
    except Problem as problem:
        if problem.code != "outcome_unknown":
            KeyedRequest.objects.filter(id=id_).delete()
        raise
    sealed = _box(secret).encrypt(msgspec.json.encode(answer))
    KeyedRequest.objects.filter(id=id_).update(answer=sealed)
    return answer


def _answer_before(id_: bytes, digest: bytes, secret: str, operation: Operation) -> Any:
    before = KeyedRequest.objects.filter(id=id_).first()
    if before is None or before.answer is None:
        raise Problem("outcome_unknown")
    try:
        if bytes(before.digest) != digest:
            raise Problem("request_id_reused")
        answer = _box(secret).decrypt(bytes(before.answer))
    except InvalidToken:  # the SECRET_KEY is another one
        raise Problem("outcome_unknown") from None
    return msgspec.json.decode(answer, type=operation.answer)


def _box(secret: str) -> Fernet:
    key = salted_hmac(SALT, secret, algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(key))
