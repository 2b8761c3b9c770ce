"""Operations on the user: guests, registration, sign-in, password, mail address and erasure."""

from typing import Annotated, Self
from uuid import UUID

import msgspec
from msgspec import Meta

from accounts import addresses, people, tasks, tokens
from accounts.models import User
from accounts.names import DisplayName
from accounts.tokens import Caller, Origin, Scope
from kit import rate_limits
from kit.operations import operation
from kit.validation import Body, Moment

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

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "email", addresses.canonical(self.email))


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
    mailbox = addresses.mailbox_of(address)
    rate_limits.spend(rate_limits.Spent("mailbox", rate_limits.digest(mailbox)))


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
