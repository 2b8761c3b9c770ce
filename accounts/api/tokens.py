"""Operations on the tokens of a user."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self
from uuid import UUID

import msgspec
from msgspec import Meta
from oauth2_provider.models import RefreshToken, refresh_token_expire_timedelta

from accounts import models, tokens
from accounts.tokens import Caller, Scope
from kit.operations import operation
from kit.validation import Body, Moment, OneLine


def check_distinct(scopes: Sequence[str]) -> None:
    """Raise ValueError for a repeated scope."""
    if len(set(scopes)) < len(scopes):
        raise ValueError("a scope is repeated")


HandedOn = Literal["read", "play", "lobby", "audit", "admin"]


class PersonalToken(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token for a program: its name, scopes and lifetime."""

    name: Annotated[OneLine, Meta(min_length=1, max_length=60)]
    scopes: Annotated[list[HandedOn], Meta(min_length=1, max_length=5)]
    days: Annotated[int, Meta(ge=1, le=366)] = 90

    def __post_init__(self) -> None:
        check_distinct(self.scopes)


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A valid token. Sessions have no name and hold every scope of their user.

    Access granted to an app has the kind `app` and the app's name; it ends at `expires_at` unless
    the app refreshes it.
    """

    id: UUID
    kind: Literal["session", "personal", "app"]
    name: str
    scopes: list[Scope]
    created_at: Moment
    expires_at: Moment
    is_this_one: bool

    @classmethod
    def of(cls, row: models.Token, caller: tokens.Caller) -> Self:
        """Return a token as its user sees it."""
        is_session = row.kind == models.Token.Kind.SESSION
        return cls(
            id=row.id,
            kind="session" if is_session else "personal",
            name=row.name,
            scopes=sorted(caller.scopes if is_session else map(Scope, row.scopes)),
            created_at=row.created_at,
            expires_at=row.expires_at,
            is_this_one=row.digest == caller.token,
        )

    @classmethod
    def of_consent(cls, row: RefreshToken) -> Self:
        """Return the consent for an app as its user sees it."""
        return cls(
            id=row.token_family,
            kind="app",
            name=row.application.name,
            scopes=sorted(map(Scope, row.access_token.scope.split())),
            created_at=row.created,
            expires_at=row.access_token.expires + refresh_token_expire_timedelta(),
            is_this_one=False,
        )


class NewPersonalToken(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a personal token, shown only once, and its description."""

    token: str
    about: Token


@operation("list_tokens", scope=Scope.USER)
def list_tokens(caller: Caller) -> list[Token]:
    """List your valid tokens, newest first, then the access granted to apps."""
    own = [Token.of(row, caller) for row in tokens.tokens_of(caller.user)]
    return own + [Token.of_consent(row) for row in tokens.consents_of(caller.user)]


@operation("create_token", "too_many_tokens", scope=Scope.USER, status=201, is_keyed=True)
def create_token(caller: Caller, body: PersonalToken) -> NewPersonalToken:
    """Create a personal token for a program, with some of your scopes."""
    issued = tokens.issue_personal(caller, body.name, map(Scope, body.scopes), body.days)
    return NewPersonalToken(token=issued.text, about=Token.of(issued.row, caller))


@operation("revoke_one_token", scope=Scope.USER, status=204)
def revoke_one_token(caller: Caller, token: UUID) -> None:
    """Revoke one of your tokens, or an app's access. Its open sockets close at once."""
    tokens.revoke_one(caller.user, token)


@operation("revoke_token", status=204)
def revoke_token(caller: Caller) -> None:
    """Revoke the token of this request, whatever its scopes. Its open sockets close at once."""
    tokens.revoke(caller)


@operation("revoke_all_tokens", scope=Scope.USER, status=204)
def revoke_all_tokens(caller: Caller) -> None:
    """Revoke all your tokens and those of your bot users, and close all their sockets."""
    tokens.revoke_all(caller.user)
