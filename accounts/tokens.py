"""Tokens: how a caller proves who they are, and what they may do. Every face of the API asks here, and nowhere else.

A token's text is told once. Stored is its SHA-256: the text holds 256 random bits, so there is nothing to guess or to salt.
"""

import hashlib
import secrets
from collections.abc import Collection, Iterable
from datetime import timedelta
from enum import StrEnum
from typing import Final, NamedTuple
from uuid import UUID

from asgiref.sync import async_to_sync
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts import hints
from accounts.models import Token, User
from accounts.problems import Problem

PREFIX: Final = "gst_"
"""Tells people, and scanners of leaked secrets, what a text is."""

SESSION_DAYS: Final = 30
SESSIONS_MAX: Final = 20
"""A person's newest sessions; older ones go when another begins."""

PERSONAL_MAX: Final = 50
REVOKED: Final = "revoked-tokens"
"""The group of hints that tokens were revoked."""

AUDITORS: Final = "auditors"
"""The group of people who may hold the scope `audit`; staff may hold every scope."""


class Scope(StrEnum):
    """What a token may be used for."""

    READ = "read"
    PLAY = "play"
    LOBBY = "lobby"
    AUDIT = "audit"
    ADMIN = "admin"
    ACCOUNT = "account"
    """One's own account, password and tokens. Sessions alone hold it: it is never handed on."""


class Caller(NamedTuple):
    """Who asks, what for they may, and the digest of the token that says so."""

    user: User
    scopes: frozenset[Scope]
    token: str


class Issued(NamedTuple):
    """A new token. Its text is known here and to its holder, nowhere else."""

    text: str
    row: Token


# Asking


def caller_of(authorization: str) -> Caller | None:
    """Who asks, by the value of an `Authorization` header; None when it brings no token at all.

    `Bearer <token>`; `Token <token>` says the same. Raises Problem `unauthenticated` for a token that does not hold, and never
    says why.
    """
    scheme, _, text = authorization.partition(" ")
    if scheme.lower() not in {"bearer", "token"}:
        return None
    caller = caller_with(text.strip())
    if caller is None:
        raise Problem("unauthenticated")
    return caller


def caller_with(text: str) -> Caller | None:
    """Who holds the token with this text, if it holds."""
    is_auditor = User.groups.through.objects.filter(user_id=OuterRef("user_id"), group__name=AUDITORS)
    row = _live().filter(digest=digest_of(text)).select_related("user").annotate(is_auditor=Exists(is_auditor)).first()
    if row is None:
        return None
    held = frozenset(Scope) if row.kind == Token.Kind.SESSION else frozenset(map(Scope, row.scopes))
    return Caller(row.user, held & _scopes_within_reach(row.user, is_auditor=row.is_auditor), row.digest)


def _scopes_within_reach(user: User, *, is_auditor: bool) -> frozenset[Scope]:
    """The scopes that tokens of this person can have. Looked up at every use: what is withdrawn is gone at once."""
    if user.is_staff:
        return frozenset(Scope)
    return frozenset(Scope) - {Scope.ADMIN} - (frozenset() if is_auditor else {Scope.AUDIT})


def require(caller: Caller | None, scope: Scope) -> Caller:
    """The caller, if there is one who holds this scope. Raises Problem `unauthenticated`, `scope_missing`."""
    if caller is None:
        raise Problem("unauthenticated")
    if scope not in caller.scopes:
        raise Problem("scope_missing", scope=scope.value)
    return caller


def still_held(digests: Collection[str]) -> set[str]:
    """Those of these tokens that still hold."""
    return set(_live().filter(digest__in=digests).values_list("digest", flat=True))


def digest_of(text: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(text.encode()).hexdigest()


def _live() -> QuerySet[Token]:
    return Token.objects.filter(user__is_active=True, expires_at__gt=timezone.now())


# Issuing and revoking


def begin_session(user: User) -> Issued:
    """A new token for somebody who came in: it holds whatever its person may."""
    with transaction.atomic():
        issued = _issue(user, Token.Kind.SESSION, timedelta(days=SESSION_DAYS))
        sessions = Token.objects.filter(user=user, kind=Token.Kind.SESSION)
        kept = list(sessions.order_by("-created_at", "-id").values_list("id", flat=True)[:SESSIONS_MAX])
        _revoke(sessions.exclude(id__in=kept))
    return issued


def issue_personal(caller: Caller, name: str, scopes: Iterable[Scope], days: int) -> Issued:
    """A token that its person hands to a program, with some of the caller's scopes.

    Raises Problem `scope_missing`, `too_many_tokens`.
    """
    asked = sorted(set(scopes))
    assert Scope.ACCOUNT not in asked, "sessions alone hold it"
    for scope in asked:
        require(caller, scope)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(id=caller.user.id)
        if tokens_of(caller.user).filter(kind=Token.Kind.PERSONAL).count() >= PERSONAL_MAX:
            raise Problem("too_many_tokens", most=PERSONAL_MAX)
        return _issue(caller.user, Token.Kind.PERSONAL, timedelta(days=days), name=name, scopes=asked)


def _issue(
    user: User, kind: Token.Kind, lifetime: timedelta, *, name: str = "", scopes: Collection[Scope] = frozenset()
) -> Issued:
    text = PREFIX + secrets.token_urlsafe(32)
    row = Token.objects.create(
        user=user,
        digest=digest_of(text),
        kind=kind,
        name=name,
        scopes=[scope.value for scope in scopes],
        expires_at=timezone.now() + lifetime,
    )
    return Issued(text, row)


def tokens_of(user: User) -> QuerySet[Token]:
    """A person's tokens that still hold, newest first."""
    return _live().filter(user=user).order_by("-created_at", "-id")


def revoke(caller: Caller) -> None:
    """End the token that asks."""
    _revoke(Token.objects.filter(digest=caller.token))


def revoke_one(user: User, token: UUID) -> None:
    """End one token of this person. Raises Problem `not_found`."""
    if not _revoke(Token.objects.filter(user=user, id=token)):
        raise Problem("not_found", what="token")


def revoke_all(user: User, *, but: str = "") -> None:
    """End every token of this person, but perhaps one, given by its digest."""
    _revoke(Token.objects.filter(user=user).exclude(digest=but))


def _revoke(tokens: QuerySet[Token]) -> int:
    """End these tokens. Their sockets are closed as soon as the hint arrives, or when they are looked at next."""
    gone, _ = tokens.delete()
    if gone:
        transaction.on_commit(lambda: async_to_sync(hints.tell)(REVOKED, {}), robust=True)
    return gone


class TokenAuthentication(BaseAuthentication):
    """The door of the REST face: `request.auth` is the Caller."""

    def authenticate(self, request: Request) -> tuple[User, Caller] | None:
        """Raises Problem `unauthenticated` for a token that does not hold."""
        caller = caller_of(request.META.get("HTTP_AUTHORIZATION", ""))
        return None if caller is None else (caller.user, caller)

    def authenticate_header(self, request: Request) -> str:
        """How to ask."""
        return "Bearer"
