"""The REST face of people: come in, get a token, give it back."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self
from uuid import UUID

import msgspec
from django.urls import path
from msgspec import Meta
from oauth2_provider.models import Application, RefreshToken, refresh_token_expire_timedelta
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts import bots, models, people, tasks, tokens
from accounts.models import User
from accounts.oauth import clients
from accounts.rest import caller, operation, person
from accounts.tokens import Scope
from kit import rate_limits
from kit.validation import Body, Moment, OneLine

DisplayName = Annotated[OneLine, Meta(min_length=1, max_length=40)]
Username = Annotated[
    str, Meta(min_length=3, max_length=people.USERNAME_MAX, pattern=r"^[A-Za-z0-9_.-]+$(?!\n)")
]
Password = Annotated[str, Meta(min_length=12, max_length=128)]


NAMED = ("name_reserved", "display_name_taken")
REGISTERED = (*NAMED, "username_taken", "password_too_weak", "busy")
"""Problems of operations that set a name, and of those that set a password too."""


class NewGuest(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The display name of a guest; without one, the server makes one up."""

    display_name: DisplayName | None = None


class Registration(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The username, password and display name of a new user."""

    username: Username
    password: Password
    display_name: DisplayName


class Credentials(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A username and password."""

    username: Annotated[str, Meta(max_length=150)]
    password: Annotated[str, Meta(max_length=128)]


Address = Annotated[
    str,
    Meta(
        min_length=3, max_length=254, pattern=r"^[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+$(?!\n)"
    ),
]
Code = Annotated[str, Meta(min_length=1, max_length=1000, pattern=r"^[A-Za-z0-9_.:-]+$(?!\n)")]


class NewPassword(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The current password and the new one."""

    current: Annotated[str, Meta(max_length=128)]
    new: Password


class NewAddress(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The e-mail address that receives a code."""

    email: Address


class AddressCode(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The code from the e-mail."""

    code: Code


class ResetCode(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The code from the e-mail, and the new password."""

    code: Code
    password: Password


class Erasure(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The user's password; guests have none."""

    password: Annotated[str, Meta(max_length=128)] = ""


class CurrentUser(msgspec.Struct, frozen=True, kw_only=True):
    """The current user. Guests and bot users have no username; a bot user names its owner."""

    id: UUID
    username: str | None
    display_name: str
    is_guest: bool
    is_bot: bool
    owner: UUID | None

    @classmethod
    def of(cls, user: User) -> Self:
        """As this person sees themselves."""
        return cls(
            id=user.id,
            username=None if user.is_guest or user.is_bot else user.username,
            display_name=user.display_name,
            is_guest=user.is_guest,
            is_bot=user.is_bot,
            owner=user.owner_id,
        )


class NewToken(msgspec.Struct, frozen=True, kw_only=True):
    """The token of a new session, shown only once, and its user."""

    token: str
    expires_at: Moment
    user: CurrentUser


class BotName(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The display name of a bot user."""

    display_name: DisplayName


class BotUser(msgspec.Struct, frozen=True, kw_only=True):
    """A user that a program of yours plays under. It is marked as a bot everywhere."""

    id: UUID
    display_name: str
    created_at: Moment

    @classmethod
    def of(cls, bot: User) -> Self:
        """As its owner sees it."""
        return cls(id=bot.id, display_name=bot.display_name, created_at=bot.date_joined)


def _check_distinct(scopes: Sequence[str]) -> None:
    if len(set(scopes)) < len(scopes):
        raise ValueError("a scope stands there twice")


HandedOn = Literal["read", "play", "lobby", "audit", "admin"]


class PersonalToken(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token for a program: its name, scopes and lifetime."""

    name: Annotated[OneLine, Meta(min_length=1, max_length=60)]
    scopes: Annotated[list[HandedOn], Meta(min_length=1, max_length=5)]
    days: Annotated[int, Meta(ge=1, le=366)] = 90

    def __post_init__(self) -> None:
        _check_distinct(self.scopes)


class BotToken(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token for a bot user: its name, scopes and lifetime."""

    name: Annotated[OneLine, Meta(min_length=1, max_length=60)]
    scopes: Annotated[list[Literal["read", "play", "lobby"]], Meta(min_length=1, max_length=3)]
    days: Annotated[int, Meta(ge=1, le=366)] = 90

    def __post_init__(self) -> None:
        _check_distinct(self.scopes)


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

    @classmethod
    def lent(cls, row: RefreshToken) -> Self:
        """What was lent to an app, as its person sees it."""
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


RedirectUri = Annotated[
    str, Meta(max_length=clients.REDIRECT_URI_MAX, pattern=clients.REDIRECT_URI)
]


class NewApp(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An app that will request access to users: its name, and the redirect URIs that receive their
    answers: https, or http on the app's own machine."""

    name: Annotated[OneLine, Meta(min_length=1, max_length=clients.NAME_MAX)]
    redirect_uris: Annotated[
        list[RedirectUri], Meta(min_length=1, max_length=clients.REDIRECT_URIS_MAX)
    ]

    def __post_init__(self) -> None:
        for uri in self.redirect_uris:
            clients.checked_redirect_uri(uri)


class App(msgspec.Struct, frozen=True, kw_only=True):
    """An app that you registered. It is identified by its `client_id` and has no secret."""

    client_id: str
    name: str
    redirect_uris: list[str]
    created_at: Moment

    @classmethod
    def of(cls, row: Application) -> Self:
        """As the one who registered it sees it."""
        return cls(
            client_id=row.client_id,
            name=row.name,
            redirect_uris=row.redirect_uris.split(),
            created_at=row.created,
        )


def _session_of(user: User) -> NewToken:
    issued = tokens.begin_session(user)
    return NewToken(token=issued.text, expires_at=issued.row.expires_at, user=CurrentUser.of(user))


class OpenDoor(APIView):
    """A view for clients without a token."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


class Guest(OpenDoor):
    throttle_scope = "guest"

    @operation("create_guest", *NAMED, scope=None, status=201)
    def post(self, request: Request, body: NewGuest) -> NewToken:
        """Create a guest and sign in.

        Guests play at tables without a buy-in. The token is their only credential: a lost one
        cannot be replaced.
        """
        return _session_of(people.new_guest(body.display_name))


class Register(OpenDoor):
    throttle_scope = "register"

    @operation("register", *REGISTERED, scope=None, status=201)
    def post(self, request: Request, body: Registration) -> NewToken:
        """Register a user with a username and a password. The wallet opens with a grant."""
        address = rate_limits.address_of(request)
        return _session_of(
            people.register(body.username, body.password, body.display_name, address=address)
        )


class SignIn(OpenDoor):
    throttle_scope = "sign_in"

    @operation("sign_in", "wrong_credentials", "busy", scope=None, status=201)
    def post(self, request: Request, body: Credentials) -> NewToken:
        """Sign in with a username and a password."""
        return _session_of(
            people.sign_in(body.username, body.password, address=rate_limits.address_of(request))
        )


class Me(APIView):
    @operation("me", scope=Scope.READ)
    def get(self, request: Request) -> CurrentUser:
        """Get the current user."""
        return CurrentUser.of(person(request))


class Claim(APIView):
    throttle_scope = "register"

    @operation("register_guest", "not_a_guest", *REGISTERED, scope=Scope.USER)
    def post(self, request: Request, body: Registration) -> CurrentUser:
        """Register the current guest, who keeps seats, bets and tokens. The wallet opens with a
        grant."""
        guest, address = person(request), rate_limits.address_of(request)
        return CurrentUser.of(
            people.claim(guest, body.username, body.password, body.display_name, address=address)
        )


class ChangePassword(APIView):
    throttle_scope = "sign_in"

    @operation(
        "change_password",
        "wrong_password",
        "password_too_weak",
        "busy",
        scope=Scope.USER,
        status=204,
    )
    def post(self, request: Request, body: NewPassword) -> None:
        """Change the password. All other tokens end, those of your bot users too."""
        kept, address = caller(request).token, rate_limits.address_of(request)
        people.change_password(person(request), body.current, body.new, keep=kept, address=address)


def _one_more_mail(address: str) -> None:
    """So many for one mailbox, whoever asks, and whether or not anything is sent. Raises Problem
    `too_many_requests`."""
    rate_limits.spend(rate_limits.Spent("mailbox", rate_limits.digest(address)))


class MailAddress(APIView):
    throttle_scope = "mail"

    @operation("ask_for_address_code", scope=Scope.USER, status=202)
    def post(self, request: Request, body: NewAddress) -> None:
        """Send a code to your e-mail address, which counts once the code is confirmed."""
        _one_more_mail(body.email)
        tasks.send_later(
            tasks.mail_address_code, str(person(request).id), body.email, request.get_host()
        )


class ConfirmAddress(APIView):
    @operation("confirm_address", "code_invalid", scope=Scope.USER, status=204)
    def post(self, request: Request, body: AddressCode) -> None:
        """Confirm your e-mail address with the code sent to it. It can then reset a lost password."""
        people.confirm_address(person(request), body.code)


class Reset(OpenDoor):
    throttle_scope = "mail"

    @operation("ask_for_reset_code", scope=None, status=202)
    def post(self, request: Request, body: NewAddress) -> None:
        """Send a reset code to each user with this confirmed address. The response is the same if
        there is none."""
        _one_more_mail(body.email)
        tasks.send_later(tasks.mail_reset_codes, body.email, request.get_host())


class ConfirmReset(OpenDoor):
    throttle_scope = "sign_in"

    @operation(
        "reset_password", "code_invalid", "password_too_weak", "busy", scope=None, status=204
    )
    def post(self, request: Request, body: ResetCode) -> None:
        """Reset the password with the code from the e-mail. All tokens end; a code works once."""
        people.reset_password(body.code, body.password)


class Erase(APIView):
    throttle_scope = "sign_in"

    @operation("erase_user", "wrong_password", "busy", scope=Scope.USER, status=204)
    def post(self, request: Request, body: Erasure) -> None:
        """Erase your name, address, password, tokens and bot users. This cannot be undone.

        Your games, bets and ledger accounts remain under an opaque id.
        """
        people.erase_oneself(
            person(request), body.password, address=rate_limits.address_of(request)
        )


class Tokens(APIView):
    @operation("list_tokens", scope=Scope.USER)
    def get(self, request: Request) -> list[Token]:
        """List your valid tokens, newest first, then the access granted to apps."""
        own = [Token.of(row, caller(request)) for row in tokens.tokens_of(person(request))]
        return own + [Token.lent(row) for row in tokens.loans_of(person(request))]

    @operation("create_token", "too_many_tokens", scope=Scope.USER, status=201)
    def post(self, request: Request, body: PersonalToken) -> NewPersonalToken:
        """Create a personal token for a program, with some of your scopes."""
        issued = tokens.issue_personal(
            caller(request), body.name, map(Scope, body.scopes), body.days
        )
        return NewPersonalToken(token=issued.text, about=Token.of(issued.row, caller(request)))


class OneToken(APIView):
    @operation("revoke_one_token", scope=Scope.USER, status=204)
    def delete(self, request: Request, token: UUID) -> None:
        """Revoke one of your tokens, or an app's access. Its open sockets close at once."""
        tokens.revoke_one(person(request), token)


class Revoke(APIView):
    @operation("revoke_token", scope=None, status=204)
    def post(self, request: Request) -> None:
        """Revoke the token of this request, whatever its scopes. Its open sockets close at once."""
        tokens.revoke(caller(request))


class RevokeAll(APIView):
    @operation("revoke_all_tokens", scope=Scope.USER, status=204)
    def post(self, request: Request) -> None:
        """Revoke all your tokens and those of your bot users, and close all their sockets."""
        tokens.revoke_all(person(request))


class Apps(APIView):
    @operation("list_apps", scope=Scope.USER)
    def get(self, request: Request) -> list[App]:
        """List the apps that you registered, newest first."""
        return [App.of(row) for row in clients.registered_by(person(request))]

    @operation(
        "register_app", "guests_register_no_apps", "too_many_apps", scope=Scope.USER, status=201
    )
    def post(self, request: Request, body: NewApp) -> App:
        """Register an app, which may then request access to users by OAuth 2.0."""
        return App.of(clients.register(person(request), body.name, body.redirect_uris))


class OneApp(APIView):
    @operation("remove_app", "not_found", scope=Scope.USER, status=204)
    def delete(self, request: Request, client_id: str) -> None:
        """Remove an app that you registered. All access granted to it ends, and its open sockets
        close at once."""
        clients.remove(person(request), client_id)


class Bots(APIView):
    @property
    def throttle_scope(self) -> str | None:
        """Who makes one is limited like who registers."""
        return "register" if self.request.method == "POST" else None

    @operation("list_bot_users", scope=Scope.USER)
    def get(self, request: Request) -> list[BotUser]:
        """List your bot users, newest first."""
        return [BotUser.of(bot) for bot in bots.bots_of(person(request))]

    @operation(
        "create_bot_user",
        "guests_own_no_bots",
        "too_many_bots",
        *NAMED,
        scope=Scope.USER,
        status=201,
    )
    def post(self, request: Request, body: BotName) -> BotUser:
        """Create a user for a program, with a name of its own and marked as a bot.

        A bot user has no password and no wallet; it signs in only with tokens that you create for
        it.
        """
        return BotUser.of(bots.create(person(request), body.display_name))


class OneBot(APIView):
    @operation("rename_bot_user", *NAMED, scope=Scope.USER)
    def put(self, request: Request, bot: UUID, body: BotName) -> BotUser:
        """Rename one of your bot users."""
        return BotUser.of(bots.rename(person(request), bot, body.display_name))

    @operation("delete_bot_user", scope=Scope.USER, status=204)
    def delete(self, request: Request, bot: UUID) -> None:
        """Delete one of your bot users. Its tokens end, and its open sockets close at once."""
        bots.delete(person(request), bot)


class BotTokens(APIView):
    @operation("list_bot_tokens", scope=Scope.USER)
    def get(self, request: Request, bot: UUID) -> list[Token]:
        """List the valid tokens of one of your bot users, newest first."""
        found = tokens.tokens_of(bots.bot_of(person(request), bot))
        return [Token.of(row, caller(request)) for row in found]

    @operation("create_bot_token", "too_many_tokens", scope=Scope.USER, status=201)
    def post(self, request: Request, bot: UUID, body: BotToken) -> NewPersonalToken:
        """Create a token with which a program signs in as one of your bot users."""
        account = bots.bot_of(person(request), bot)
        issued = tokens.issue_for_bot(account, body.name, map(Scope, body.scopes), body.days)
        return NewPersonalToken(token=issued.text, about=Token.of(issued.row, caller(request)))


class OneBotToken(APIView):
    @operation("revoke_bot_token", scope=Scope.USER, status=204)
    def delete(self, request: Request, bot: UUID, token: UUID) -> None:
        """Revoke a token of one of your bot users. Its open sockets close at once."""
        tokens.revoke_one(bots.bot_of(person(request), bot), token)


urlpatterns = [
    path("guest/", Guest.as_view()),
    path("register/", Register.as_view()),
    path("token/", SignIn.as_view()),
    path("me/", Me.as_view()),
    path("guest/register/", Claim.as_view()),
    path("password/", ChangePassword.as_view()),
    path("email/", MailAddress.as_view()),
    path("email/confirm/", ConfirmAddress.as_view()),
    path("reset/", Reset.as_view()),
    path("reset/confirm/", ConfirmReset.as_view()),
    path("erase/", Erase.as_view()),
    path("tokens/", Tokens.as_view()),
    path("tokens/<uuid:token>/", OneToken.as_view()),
    path("bots/", Bots.as_view()),
    path("bots/<uuid:bot>/", OneBot.as_view()),
    path("bots/<uuid:bot>/tokens/", BotTokens.as_view()),
    path("bots/<uuid:bot>/tokens/<uuid:token>/", OneBotToken.as_view()),
    path("apps/", Apps.as_view()),
    path("apps/<slug:client_id>/", OneApp.as_view()),
    path("revoke/", Revoke.as_view()),
    path("revoke_all/", RevokeAll.as_view()),
]
