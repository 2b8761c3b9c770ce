"""The REST face of people: come in, get a token, give it back."""

from typing import Annotated, Literal, Self
from uuid import UUID

import msgspec
from django.urls import path
from msgspec import Meta
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts import models, people, tokens
from accounts.models import User
from accounts.rest import AddressThrottle, caller, operation, person
from accounts.strict import Body, Moment, OneLine
from accounts.tokens import Scope

DisplayName = Annotated[OneLine, Meta(min_length=1, max_length=40)]
Username = Annotated[str, Meta(min_length=3, max_length=people.USERNAME_MAX, pattern=r"^[A-Za-z0-9_.-]+$")]
Password = Annotated[str, Meta(min_length=8, max_length=128)]


class NewGuest(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a guest wants to be called; without a name, one is made up."""

    display_name: DisplayName | None = None


class Registration(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who wants to be known here from now on."""

    username: Username
    password: Password
    display_name: DisplayName


class Credentials(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who asks for a token."""

    username: Annotated[str, Meta(max_length=150)]
    password: Annotated[str, Meta(max_length=128)]


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Oneself. A guest has no username."""

    id: UUID
    username: str | None
    display_name: str
    is_guest: bool

    @classmethod
    def of(cls, user: User) -> Self:
        """As this person sees themselves."""
        username = None if user.is_guest else user.username
        return cls(id=user.id, username=username, display_name=user.display_name, is_guest=user.is_guest)


class NewToken(msgspec.Struct, frozen=True, kw_only=True):
    """The token of a session, told this once, and whom it stands for."""

    token: str
    expires_at: Moment
    person: Person


HandedOn = Literal["read", "play", "lobby", "audit", "admin"]


class PersonalToken(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token for a program: what it is called, what for it may be used, and for how long."""

    name: Annotated[OneLine, Meta(min_length=1, max_length=60)]
    scopes: Annotated[frozenset[HandedOn], Meta(min_length=1)]
    days: Annotated[int, Meta(ge=1, le=366)] = 90


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A token that holds; `id` names it without giving it away. Sessions have no name, and every scope of their person."""

    id: UUID
    kind: Literal["session", "personal"]
    name: str
    scopes: list[Scope]
    created_at: Moment
    expires_at: Moment
    is_this_one: bool

    @classmethod
    def of(cls, row: models.Token, caller: tokens.Caller) -> Self:
        """As its person sees it, in a session of theirs."""
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


class NewPersonalToken(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a personal token, told this once, and what is known of it."""

    token: str
    about: Token


def _session_of(user: User) -> NewToken:
    issued = tokens.begin_session(user)
    return NewToken(token=issued.text, expires_at=issued.row.expires_at, person=Person.of(user))


class OpenDoor(APIView):
    """Where people come in, who have no token yet."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (AddressThrottle,)


class Guest(OpenDoor):
    throttle_scope = "guest"

    @operation("come_in_as_guest", scope=None, status=201)
    def post(self, request: Request, body: NewGuest) -> NewToken:
        """Come in as a guest.

        Guests play at tables without a buy-in. The token is all they have: a lost one cannot be replaced.
        """
        return _session_of(people.new_guest(body.display_name))


class Register(OpenDoor):
    throttle_scope = "register"

    @operation("register", "username_taken", "password_too_weak", scope=None, status=201)
    def post(self, request: Request, body: Registration) -> NewToken:
        """Register with a username and a password.

        A wallet with the opening grant comes with it.
        """
        return _session_of(people.register(body.username, body.password, body.display_name))


class SignIn(OpenDoor):
    throttle_scope = "sign_in"

    @operation("sign_in", "wrong_credentials", scope=None, status=201)
    def post(self, request: Request, body: Credentials) -> NewToken:
        """Get a token for a username and a password."""
        return _session_of(people.sign_in(body.username, body.password))


class Me(APIView):
    @operation("me", scope=Scope.READ)
    def get(self, request: Request) -> Person:
        """Who one is."""
        return Person.of(person(request))


class Tokens(APIView):
    @operation("list_tokens", scope=Scope.ACCOUNT)
    def get(self, request: Request) -> list[Token]:
        """One's tokens that hold, newest first."""
        return [Token.of(row, caller(request)) for row in tokens.tokens_of(person(request))]

    @operation("create_token", "too_many_tokens", scope=Scope.ACCOUNT, status=201)
    def post(self, request: Request, body: PersonalToken) -> NewPersonalToken:
        """Get a personal token for a program, with some of one's own scopes."""
        issued = tokens.issue_personal(caller(request), body.name, map(Scope, body.scopes), body.days)
        return NewPersonalToken(token=issued.text, about=Token.of(issued.row, caller(request)))


class OneToken(APIView):
    @operation("revoke_one_token", scope=Scope.ACCOUNT, status=204)
    def delete(self, request: Request, token: UUID) -> None:
        """End one of one's tokens. Its open sockets are closed at once."""
        tokens.revoke_one(person(request), token)


class Revoke(APIView):
    @operation("revoke_token", scope=None, status=204)
    def post(self, request: Request) -> None:
        """End the token that asks, whatever its scopes. Its open sockets are closed at once."""
        tokens.revoke(caller(request))


class RevokeAll(APIView):
    @operation("revoke_all_tokens", scope=Scope.ACCOUNT, status=204)
    def post(self, request: Request) -> None:
        """End all of one's tokens, and close all of one's sockets."""
        tokens.revoke_all(person(request))


urlpatterns = [
    path("guest/", Guest.as_view()),
    path("register/", Register.as_view()),
    path("token/", SignIn.as_view()),
    path("me/", Me.as_view()),
    path("tokens/", Tokens.as_view()),
    path("tokens/<uuid:token>/", OneToken.as_view()),
    path("revoke/", Revoke.as_view()),
    path("revoke_all/", RevokeAll.as_view()),
]
