"""The REST face of people: come in, get a token, give it back."""

from typing import Annotated, Self
from uuid import UUID

import msgspec
from django.urls import path
from knox.models import AuthToken
from msgspec import Meta
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts import people, tokens
from accounts.models import User
from accounts.rest import AddressThrottle, operation, person
from accounts.strict import Body, Moment, OneLine

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
    """A token, told this once, and whom it stands for."""

    token: str
    expires_at: Moment
    person: Person


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A token that holds; `id` names it without giving it away."""

    id: str
    created_at: Moment
    expires_at: Moment
    is_this_one: bool


def _token_for(user: User) -> NewToken:
    issued = tokens.issue(user)
    return NewToken(token=issued.token, expires_at=issued.row.expiry, person=Person.of(user))


class OpenDoor(APIView):
    """Where people come in, who have no token yet."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (AddressThrottle,)


class Guest(OpenDoor):
    throttle_scope = "guest"

    @operation("come_in_as_guest", status=201)
    def post(self, request: Request, body: NewGuest) -> NewToken:
        """Come in as a guest.

        Guests play at tables without a buy-in. The token is all they have: a lost one cannot be replaced.
        """
        return _token_for(people.new_guest(body.display_name))


class Register(OpenDoor):
    throttle_scope = "register"

    @operation("register", "username_taken", "password_too_weak", status=201)
    def post(self, request: Request, body: Registration) -> NewToken:
        """Register with a username and a password.

        A wallet with the opening grant comes with it.
        """
        return _token_for(people.register(body.username, body.password, body.display_name))


class SignIn(OpenDoor):
    throttle_scope = "sign_in"

    @operation("sign_in", "wrong_credentials", status=201)
    def post(self, request: Request, body: Credentials) -> NewToken:
        """Get a token for a username and a password."""
        return _token_for(people.sign_in(body.username, body.password))


class Me(APIView):
    @operation("me")
    def get(self, request: Request) -> Person:
        """Who one is."""
        return Person.of(person(request))


class Tokens(APIView):
    @operation("list_tokens")
    def get(self, request: Request) -> list[Token]:
        """One's tokens that hold, newest first."""
        this = request.auth
        return [
            Token(id=row.digest[:16], created_at=row.created, expires_at=row.expiry, is_this_one=row == this)
            for row in tokens.tokens_of(person(request))
        ]


class Revoke(APIView):
    @operation("revoke_token", status=204)
    def post(self, request: Request) -> None:
        """End the token that asks. Its open sockets are closed within seconds."""
        assert isinstance(request.auth, AuthToken)
        request.auth.delete()


class RevokeAll(APIView):
    @operation("revoke_all_tokens", status=204)
    def post(self, request: Request) -> None:
        """End all of one's tokens."""
        tokens.revoke_all(person(request))


urlpatterns = [
    path("guest/", Guest.as_view()),
    path("register/", Register.as_view()),
    path("token/", SignIn.as_view()),
    path("me/", Me.as_view()),
    path("tokens/", Tokens.as_view()),
    path("revoke/", Revoke.as_view()),
    path("revoke_all/", RevokeAll.as_view()),
]
