"""The REST face of people: come in, get a token, give it back."""

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


Address = Annotated[
    str,
    Meta(
        min_length=3, max_length=254, pattern=r"^[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+$(?!\n)"
    ),
]
Code = Annotated[str, Meta(min_length=1, max_length=1000, pattern=r"^[A-Za-z0-9_.:-]+$(?!\n)")]


class NewPassword(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another password, by who knows the current one."""

    current: Annotated[str, Meta(max_length=128)]
    new: Password


class NewAddress(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The mail address to which a code goes."""

    email: Address


class AddressCode(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was mailed."""

    code: Code


class ResetCode(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was mailed, and the password from now on."""

    code: Code
    password: Password


class Farewell(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The password of who goes; a guest has none."""

    password: Annotated[str, Meta(max_length=128)] = ""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Oneself. A guest has no username, nor has a bot account, which is told whose it is."""

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
    """The token of a session, told this once, and whom it stands for."""

    token: str
    expires_at: Moment
    person: Person


class BotName(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a bot account is called."""

    display_name: DisplayName


class BotAccount(msgspec.Struct, frozen=True, kw_only=True):
    """A program of one's own that plays under a name of its own. Wherever it sits it is marked as a
    bot."""

    id: UUID
    display_name: str
    created_at: Moment

    @classmethod
    def of(cls, bot: User) -> Self:
        """As its owner sees it."""
        return cls(id=bot.id, display_name=bot.display_name, created_at=bot.date_joined)


HandedOn = Literal["read", "play", "lobby", "audit", "admin"]


class PersonalToken(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token for a program: what it is called, what for it may be used, and for how long."""

    name: Annotated[OneLine, Meta(min_length=1, max_length=60)]
    scopes: Annotated[frozenset[HandedOn], Meta(min_length=1)]
    days: Annotated[int, Meta(ge=1, le=366)] = 90


class BotToken(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token for a bot account: what it is called, what for it may be used, and for how long."""

    name: Annotated[OneLine, Meta(min_length=1, max_length=60)]
    scopes: Annotated[frozenset[Literal["read", "play", "lobby"]], Meta(min_length=1)]
    days: Annotated[int, Meta(ge=1, le=366)] = 90


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A token that holds; `id` names it without giving it away. Sessions have no name, and every
    scope of their person.

    What was lent to an app is of the kind `app` and has its name; it ends at `expires_at` unless
    the app asks for more before."""

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
    """The text of a personal token, told this once, and what is known of it."""

    token: str
    about: Token


RedirectUri = Annotated[
    str, Meta(max_length=clients.REDIRECT_URI_MAX, pattern=clients.REDIRECT_URI)
]


class NewApp(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program that wants to ask people to let it act for them: its name, and the addresses where
    it takes their answers.

    They are https, or http on the machine where the program runs.
    """

    name: Annotated[OneLine, Meta(min_length=1, max_length=clients.NAME_MAX)]
    redirect_uris: Annotated[
        list[RedirectUri], Meta(min_length=1, max_length=clients.REDIRECT_URIS_MAX)
    ]

    def __post_init__(self) -> None:
        for uri in self.redirect_uris:
            clients.checked_redirect_uri(uri)


class App(msgspec.Struct, frozen=True, kw_only=True):
    """A program that one registered. It is known by its `client_id`, and has no secret."""

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
    return NewToken(token=issued.text, expires_at=issued.row.expires_at, person=Person.of(user))


class OpenDoor(APIView):
    """Where people come in, who have no token yet."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


class Guest(OpenDoor):
    throttle_scope = "guest"

    @operation("come_in_as_guest", scope=None, status=201)
    def post(self, request: Request, body: NewGuest) -> NewToken:
        """Come in as a guest.

        Guests play at tables without a buy-in. The token is all they have: a lost one cannot be
        replaced."""
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
        return _session_of(
            people.sign_in(body.username, body.password, address=rate_limits.address_of(request))
        )


class Me(APIView):
    @operation("me", scope=Scope.READ)
    def get(self, request: Request) -> Person:
        """Who one is."""
        return Person.of(person(request))


class Claim(APIView):
    throttle_scope = "register"

    @operation(
        "claim_account", "not_a_guest", "username_taken", "password_too_weak", scope=Scope.ACCOUNT
    )
    def post(self, request: Request, body: Registration) -> Person:
        """A guest registers, and keeps seats, bets and tokens.

        A wallet with the opening grant comes with it.
        """
        return Person.of(
            people.claim(person(request), body.username, body.password, body.display_name)
        )


class ChangePassword(APIView):
    throttle_scope = "sign_in"

    @operation(
        "change_password", "wrong_password", "password_too_weak", scope=Scope.ACCOUNT, status=204
    )
    def post(self, request: Request, body: NewPassword) -> None:
        """Set another password. All tokens end but the one that asks, those of one's bot accounts
        too."""
        kept, address = caller(request).token, rate_limits.address_of(request)
        people.change_password(person(request), body.current, body.new, keep=kept, address=address)


def _one_more_mail(address: str) -> None:
    """So many for one mailbox, whoever asks, and whether or not anything is sent. Raises Problem
    `too_many_requests`."""
    rate_limits.spend(rate_limits.Spent("mailbox", rate_limits.digest(address)))


class MailAddress(APIView):
    throttle_scope = "mail"

    @operation("ask_for_address_code", scope=Scope.ACCOUNT, status=202)
    def post(self, request: Request, body: NewAddress) -> None:
        """Have a code mailed to one's address, which counts once the code has come back."""
        _one_more_mail(body.email)
        tasks.send_later(
            tasks.mail_address_code, str(person(request).id), body.email, request.get_host()
        )


class ConfirmAddress(APIView):
    @operation("confirm_address", "code_invalid", scope=Scope.ACCOUNT, status=204)
    def post(self, request: Request, body: AddressCode) -> None:
        """Prove that one reads the address to which this code was mailed. From now on it can
        replace a lost password."""
        people.confirm_address(person(request), body.code)


class Reset(OpenDoor):
    throttle_scope = "mail"

    @operation("ask_for_reset_code", scope=None, status=202)
    def post(self, request: Request, body: NewAddress) -> None:
        """Have a code mailed to everybody who proved to read this address. The answer is the same
        when there is nobody."""
        _one_more_mail(body.email)
        tasks.send_later(tasks.mail_reset_codes, body.email, request.get_host())


class ConfirmReset(OpenDoor):
    throttle_scope = "sign_in"

    @operation("reset_password", "code_invalid", "password_too_weak", scope=None, status=204)
    def post(self, request: Request, body: ResetCode) -> None:
        """Set another password with the code from the mail. All tokens end; the code is good for
        once."""
        people.reset_password(body.code, body.password)


class Erase(APIView):
    throttle_scope = "sign_in"

    @operation("erase_account", "wrong_password", scope=Scope.ACCOUNT, status=204)
    def post(self, request: Request, body: Farewell) -> None:
        """Have one's name, address, password, tokens and bot accounts forgotten, for good.

        What one played and owned stays, as nobody's. It cannot be undone.
        """
        people.erase_oneself(
            person(request), body.password, address=rate_limits.address_of(request)
        )


class Tokens(APIView):
    @operation("list_tokens", scope=Scope.ACCOUNT)
    def get(self, request: Request) -> list[Token]:
        """One's tokens that hold, newest first; then what one lent to apps."""
        own = [Token.of(row, caller(request)) for row in tokens.tokens_of(person(request))]
        return own + [Token.lent(row) for row in tokens.loans_of(person(request))]

    @operation("create_token", "too_many_tokens", scope=Scope.ACCOUNT, status=201)
    def post(self, request: Request, body: PersonalToken) -> NewPersonalToken:
        """Get a personal token for a program, with some of one's own scopes."""
        issued = tokens.issue_personal(
            caller(request), body.name, map(Scope, body.scopes), body.days
        )
        return NewPersonalToken(token=issued.text, about=Token.of(issued.row, caller(request)))


class OneToken(APIView):
    @operation("revoke_one_token", scope=Scope.ACCOUNT, status=204)
    def delete(self, request: Request, token: UUID) -> None:
        """End one of one's tokens, or take back what an app was lent. Its open sockets are closed
        at once."""
        tokens.revoke_one(person(request), token)


class Revoke(APIView):
    @operation("revoke_token", scope=None, status=204)
    def post(self, request: Request) -> None:
        """End the token that asks, whatever its scopes. Its open sockets are closed at once."""
        tokens.revoke(caller(request))


class RevokeAll(APIView):
    @operation("revoke_all_tokens", scope=Scope.ACCOUNT, status=204)
    def post(self, request: Request) -> None:
        """End all of one's tokens and those of one's bot accounts, and close all their sockets."""
        tokens.revoke_all(person(request))


class Apps(APIView):
    @operation("list_apps", scope=Scope.ACCOUNT)
    def get(self, request: Request) -> list[App]:
        """The apps that one registered, newest first."""
        return [App.of(row) for row in clients.registered_by(person(request))]

    @operation(
        "register_app", "guests_register_no_apps", "too_many_apps", scope=Scope.ACCOUNT, status=201
    )
    def post(self, request: Request, body: NewApp) -> App:
        """Register an app, which may then ask people to let it act for them, by OAuth 2.0."""
        return App.of(clients.register(person(request), body.name, body.redirect_uris))


class OneApp(APIView):
    @operation("remove_app", "not_found", scope=Scope.ACCOUNT, status=204)
    def delete(self, request: Request, client_id: str) -> None:
        """Forget an app that one registered. All that people lent it ends, and its open sockets are
        closed at once."""
        clients.remove(person(request), client_id)


class Bots(APIView):
    @property
    def throttle_scope(self) -> str | None:
        """Who makes one is limited like who registers."""
        return "register" if self.request.method == "POST" else None

    @operation("list_bot_accounts", scope=Scope.ACCOUNT)
    def get(self, request: Request) -> list[BotAccount]:
        """One's bot accounts, newest first."""
        return [BotAccount.of(bot) for bot in bots.bots_of(person(request))]

    @operation(
        "create_bot_account", "guests_own_no_bots", "too_many_bots", scope=Scope.ACCOUNT, status=201
    )
    def post(self, request: Request, body: BotName) -> BotAccount:
        """Make an account for a program, which plays under a name of its own and is marked as a
        bot.

        It has no password and no wallet; tokens that one makes for it are the only way in.
        """
        return BotAccount.of(bots.create(person(request), body.display_name))


class OneBot(APIView):
    @operation("rename_bot_account", scope=Scope.ACCOUNT)
    def put(self, request: Request, bot: UUID, body: BotName) -> BotAccount:
        """Call one of one's bot accounts otherwise."""
        return BotAccount.of(bots.rename(person(request), bot, body.display_name))

    @operation("delete_bot_account", scope=Scope.ACCOUNT, status=204)
    def delete(self, request: Request, bot: UUID) -> None:
        """Delete one of one's bot accounts, for good. Its tokens end, and its open sockets are
        closed at once."""
        bots.delete(person(request), bot)


class BotTokens(APIView):
    @operation("list_bot_tokens", scope=Scope.ACCOUNT)
    def get(self, request: Request, bot: UUID) -> list[Token]:
        """The tokens of a bot account of one's own that hold, newest first."""
        found = tokens.tokens_of(bots.bot_of(person(request), bot))
        return [Token.of(row, caller(request)) for row in found]

    @operation("create_bot_token", "too_many_tokens", scope=Scope.ACCOUNT, status=201)
    def post(self, request: Request, bot: UUID, body: BotToken) -> NewPersonalToken:
        """Get a token with which a program is one of one's bot accounts."""
        account = bots.bot_of(person(request), bot)
        issued = tokens.issue_for_bot(account, body.name, map(Scope, body.scopes), body.days)
        return NewPersonalToken(token=issued.text, about=Token.of(issued.row, caller(request)))


class OneBotToken(APIView):
    @operation("revoke_bot_token", scope=Scope.ACCOUNT, status=204)
    def delete(self, request: Request, bot: UUID, token: UUID) -> None:
        """End a token of one of one's bot accounts. Its open sockets are closed at once."""
        tokens.revoke_one(bots.bot_of(person(request), bot), token)


urlpatterns = [
    path("guest/", Guest.as_view()),
    path("register/", Register.as_view()),
    path("token/", SignIn.as_view()),
    path("me/", Me.as_view()),
    path("claim/", Claim.as_view()),
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
