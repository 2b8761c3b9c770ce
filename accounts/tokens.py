"""Tokens: how a person proves who they are. Only their hashes are stored; they expire, and can be revoked."""

from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from knox.crypto import hash_token
from knox.models import AuthToken
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import User

TOKENS_MAX: Final = 20
"""A person's newest tokens; older ones go when another is issued."""


class Issued(NamedTuple):
    """A new token. Its text is known here and to its holder, nowhere else."""

    token: str
    row: AuthToken


def issue(user: User) -> Issued:
    """A new token for this person."""
    with transaction.atomic():
        row, token = AuthToken.objects.create(user)
        kept = list(tokens_of(user).values_list("digest", flat=True)[:TOKENS_MAX])
        AuthToken.objects.filter(user=user).exclude(digest__in=kept).delete()
    return Issued(token, row)


def tokens_of(user: User) -> QuerySet[AuthToken]:
    """A person's tokens that still hold, newest first."""
    tokens: QuerySet[AuthToken] = AuthToken.objects.filter(user=user, expiry__gt=timezone.now()).order_by("-created", "digest")
    return tokens


def held(token: str) -> AuthToken | None:
    """The token with this text, with its person, if it still holds."""
    return live_tokens().select_related("user").filter(digest=hash_token(token)).first()


def live_tokens() -> QuerySet[AuthToken]:
    """Everybody's tokens that still hold."""
    tokens: QuerySet[AuthToken] = AuthToken.objects.filter(user__is_active=True, expiry__gt=timezone.now())
    return tokens


def revoke_all(user: User) -> None:
    """End every token of this person."""
    AuthToken.objects.filter(user=user).delete()


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`; `Token <token>` says the same."""

    def authenticate(self, request: Request) -> tuple[User, AuthToken] | None:
        """Raises AuthenticationFailed for a token that does not hold, and never says why."""
        scheme, _, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() not in {"bearer", "token"}:
            return None
        found = held(token.strip())
        if found is None:
            raise AuthenticationFailed
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        """How to ask."""
        return "Bearer"
