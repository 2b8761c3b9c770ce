"""Operations on users, their tokens, apps and bot users."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self
from uuid import UUID

import msgspec
from django.urls import path
from msgspec import Meta
from oauth2_provider.models import Application, RefreshToken, refresh_token_expire_timedelta

from accounts import bots, models, people, tasks, tokens
from accounts.models import User
from accounts.names import DisplayName
from accounts.oauth import clients
from accounts.rest import address
from accounts.tokens import Caller, Origin, Scope
from kit import rate_limits
from kit.operations import operation
from kit.validation import Body, Moment, OneLine

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


class FactorCode(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A code of the authenticator app, or a recovery code."""

    code: Annotated[str, Meta(min_length=6, max_length=16, pattern=r"^[A-Za-z0-9]+$(?!\n)")]


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
        """Return a user as they see themselves."""
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
        """Return a bot user as its owner sees it."""
        return cls(id=bot.id, display_name=bot.display_name, created_at=bot.date_joined)


def _check_distinct(scopes: Sequence[str]) -> None:
    if len(set(scopes)) < len(scopes):
        raise ValueError("a scope is repeated")


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
        """Return an app as its owner sees it."""
        return cls(
            client_id=row.client_id,
            name=row.name,
            redirect_uris=row.redirect_uris.split(),
            created_at=row.created,
        )


def _session_of(user: User) -> NewToken:
    issued = tokens.begin_session(user)
    return NewToken(token=issued.text, expires_at=issued.row.expires_at, user=CurrentUser.of(user))


@operation("create_guest", *NAMED, status=201, is_open=True, policy="guest")
def create_guest(origin: Origin, body: NewGuest) -> NewToken:
    """Create a guest and sign in.

    Guests play at tables without a buy-in. The token is their only credential: a lost one
    cannot be replaced.
    """
    return _session_of(people.new_guest(body.display_name))


@operation("register", *REGISTERED, status=201, is_open=True, policy="register")
def register(origin: Origin, body: Registration) -> NewToken:
    """Register a user with a username and a password. The wallet opens with a grant."""
    address = origin.address
    return _session_of(
        people.register(body.username, body.password, body.display_name, address=address)
    )


@operation(
    "sign_in", "wrong_credentials", "suspended", "busy", status=201, is_open=True, policy="sign_in"
)
def sign_in(origin: Origin, body: Credentials) -> NewToken:
    """Sign in with a username and a password."""
    return _session_of(people.sign_in(body.username, body.password, address=origin.address))


@operation("prove_second_factor", "wrong_code", scope=Scope.USER, status=204, policy="sign_in")
def prove_second_factor(caller: Caller, body: FactorCode) -> None:
    """Prove the second factor for this session (staff only).

    The session has the scope `admin` from then on, and may void games and bets for ten minutes."""
    tokens.prove_second_factor(caller, body.code)


@operation("me", scope=Scope.READ)
def me(caller: Caller) -> CurrentUser:
    """Get the current user."""
    return CurrentUser.of(caller.user)


@operation("register_guest", "not_a_guest", *REGISTERED, scope=Scope.USER, policy="register")
def register_guest(caller: Caller, body: Registration) -> CurrentUser:
    """Register the current guest, who keeps seats, bets and tokens. The wallet opens with a
    grant."""
    guest, address = caller.user, caller.origin.address
    return CurrentUser.of(
        people.claim(guest, body.username, body.password, body.display_name, address=address)
    )


@operation(
    "change_password",
    "wrong_password",
    "password_too_weak",
    "busy",
    scope=Scope.USER,
    status=204,
    policy="sign_in",
)
def change_password(caller: Caller, body: NewPassword) -> None:
    """Change the password. All other tokens end, those of your bot users too."""
    kept, address = caller.token, caller.origin.address
    people.change_password(caller.user, body.current, body.new, keep=kept, address=address)


def _count_mail(address: str) -> None:
    """Count a mail to this mailbox, even if none is sent. Raises Problem `too_many_requests`."""
    rate_limits.spend(rate_limits.Spent("mailbox", rate_limits.digest(address)))


@operation("ask_for_address_code", scope=Scope.USER, status=202, policy="mail")
def ask_for_address_code(caller: Caller, body: NewAddress) -> None:
    """Send a code to your e-mail address, which counts once the code is confirmed."""
    _count_mail(body.email)
    tasks.send_later(tasks.mail_address_code, str(caller.user.id), body.email)


@operation("confirm_address", "code_invalid", scope=Scope.USER, status=204)
def confirm_address(caller: Caller, body: AddressCode) -> None:
    """Confirm your e-mail address with the code sent to it. It can then reset a lost password."""
    people.confirm_address(caller.user, body.code)


@operation("ask_for_reset_code", status=202, is_open=True, policy="mail")
def ask_for_reset_code(origin: Origin, body: NewAddress) -> None:
    """Send a reset code to each user with this confirmed address. The response is the same if
    there is none."""
    _count_mail(body.email)
    tasks.send_later(tasks.mail_reset_codes, body.email)


@operation(
    "reset_password",
    "code_invalid",
    "password_too_weak",
    "busy",
    status=204,
    is_open=True,
    policy="sign_in",
)
def reset_password(origin: Origin, body: ResetCode) -> None:
    """Reset the password with the code from the e-mail. All tokens end; a code works once."""
    people.reset_password(body.code, body.password)


@operation("erase_user", "wrong_password", "busy", scope=Scope.USER, status=204, policy="sign_in")
def erase_user(caller: Caller, body: Erasure) -> None:
    """Erase your name, address, password, tokens and bot users. This cannot be undone.

    Your games, bets and ledger accounts remain under an opaque id.
    """
    people.erase_with_password(caller.user, body.password, address=caller.origin.address)


@operation("list_tokens", scope=Scope.USER)
def list_tokens(caller: Caller) -> list[Token]:
    """List your valid tokens, newest first, then the access granted to apps."""
    own = [Token.of(row, caller) for row in tokens.tokens_of(caller.user)]
    return own + [Token.of_consent(row) for row in tokens.consents_of(caller.user)]


@operation("create_token", "too_many_tokens", scope=Scope.USER, status=201)
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


@operation("list_apps", scope=Scope.USER)
def list_apps(caller: Caller) -> list[App]:
    """List the apps that you registered, newest first."""
    return [App.of(row) for row in clients.registered_by(caller.user)]


@operation("register_app", "guests_register_no_apps", "too_many_apps", scope=Scope.USER, status=201)
def register_app(caller: Caller, body: NewApp) -> App:
    """Register an app, which may then request access to users by OAuth 2.0."""
    return App.of(clients.register(caller.user, body.name, body.redirect_uris))


@operation("remove_app", "not_found", scope=Scope.USER, status=204)
def remove_app(caller: Caller, client_id: str) -> None:
    """Remove an app that you registered. All access granted to it ends, and its open sockets
    close at once."""
    clients.remove(caller.user, client_id)


@operation("list_bot_users", scope=Scope.USER)
def list_bot_users(caller: Caller) -> list[BotUser]:
    """List your bot users, newest first."""
    return [BotUser.of(bot) for bot in bots.bots_of(caller.user)]


@operation(
    "create_bot_user",
    "guests_own_no_bots",
    "too_many_bots",
    *NAMED,
    scope=Scope.USER,
    status=201,
    policy="register",
)
def create_bot_user(caller: Caller, body: BotName) -> BotUser:
    """Create a user for a program, with a name of its own and marked as a bot.

    A bot user has no password and no wallet; it signs in only with tokens that you create for
    it.
    """
    return BotUser.of(bots.create(caller.user, body.display_name))


@operation("rename_bot_user", *NAMED, scope=Scope.USER)
def rename_bot_user(caller: Caller, bot: UUID, body: BotName) -> BotUser:
    """Rename one of your bot users."""
    return BotUser.of(bots.rename(caller.user, bot, body.display_name))


@operation("delete_bot_user", scope=Scope.USER, status=204)
def delete_bot_user(caller: Caller, bot: UUID) -> None:
    """Delete one of your bot users. Its tokens end, and its open sockets close at once."""
    bots.delete(caller.user, bot)


@operation("list_bot_tokens", scope=Scope.USER)
def list_bot_tokens(caller: Caller, bot: UUID) -> list[Token]:
    """List the valid tokens of one of your bot users, newest first."""
    found = tokens.tokens_of(bots.bot_of(caller.user, bot))
    return [Token.of(row, caller) for row in found]


@operation("create_bot_token", "too_many_tokens", scope=Scope.USER, status=201)
def create_bot_token(caller: Caller, bot: UUID, body: BotToken) -> NewPersonalToken:
    """Create a token with which a program signs in as one of your bot users."""
    account = bots.bot_of(caller.user, bot)
    issued = tokens.issue_for_bot(account, body.name, map(Scope, body.scopes), body.days)
    return NewPersonalToken(token=issued.text, about=Token.of(issued.row, caller))


@operation("revoke_bot_token", scope=Scope.USER, status=204)
def revoke_bot_token(caller: Caller, bot: UUID, token: UUID) -> None:
    """Revoke a token of one of your bot users. Its open sockets close at once."""
    tokens.revoke_one(bots.bot_of(caller.user, bot), token)


urlpatterns = [
    path("guest/", address(post=create_guest)),
    path("register/", address(post=register)),
    path("token/", address(post=sign_in)),
    path("second-factor/", address(post=prove_second_factor)),
    path("me/", address(get=me)),
    path("guest/register/", address(post=register_guest)),
    path("password/", address(post=change_password)),
    path("email/", address(post=ask_for_address_code)),
    path("email/confirm/", address(post=confirm_address)),
    path("reset/", address(post=ask_for_reset_code)),
    path("reset/confirm/", address(post=reset_password)),
    path("erase/", address(post=erase_user)),
    path("tokens/", address(get=list_tokens, post=create_token)),
    path("tokens/<uuid:token>/", address(delete=revoke_one_token)),
    path("bots/", address(get=list_bot_users, post=create_bot_user)),
    path("bots/<uuid:bot>/", address(put=rename_bot_user, delete=delete_bot_user)),
    path("bots/<uuid:bot>/tokens/", address(get=list_bot_tokens, post=create_bot_token)),
    path("bots/<uuid:bot>/tokens/<uuid:token>/", address(delete=revoke_bot_token)),
    path("apps/", address(get=list_apps, post=register_app)),
    path("apps/<slug:client_id>/", address(delete=remove_app)),
    path("revoke/", address(post=revoke_token)),
    path("revoke_all/", address(post=revoke_all_tokens)),
]
