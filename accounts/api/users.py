"""Operations on the user: guests, registration, sign-in, recovery, second factor and erasure."""

from typing import Annotated, Self
from uuid import UUID

import msgspec
from msgspec import Meta

from accounts import addresses, people, recovery, second_factor, tasks, tokens
from accounts.models import User
from accounts.names import DisplayName
from accounts.recovery import Proof
from accounts.tokens import Caller, Origin, Scope
from kit import rate_limits
from kit.operations import operation
from kit.problems import Problem
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


class DeviceCode(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A code with which a guest moves to another device."""

    code: Annotated[str, Meta(min_length=1, max_length=200)]


class Registration(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The username, password and display name of a new user."""

    username: Username
    password: Password
    display_name: DisplayName


OptionalPassword = Annotated[str, Meta(max_length=128)]
OptionalFactor = Annotated[str, Meta(max_length=16, pattern=r"^[A-Za-z0-9]*$(?!\n)")]


class Credentials(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A username and password, and a code of the second factor for users who have one."""

    username: Annotated[str, Meta(max_length=150)]
    password: Annotated[str, Meta(max_length=128)]
    factor: OptionalFactor = ""


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


OptionalCode = Annotated[str, Meta(max_length=1000, pattern=r"^[A-Za-z0-9_.:-]*$(?!\n)")]

PROVED = (
    *("wrong_password", "wrong_code", "code_invalid", "sign_in_again", "recovery_changed", "busy"),
)
"""Problems of operations that change how an account is recovered."""


class NewPassword(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The new password, and what proves the change: the current one, or a code of the second
    factor. `mailed` is a code from `ask_for_proof_code`."""

    current: OptionalPassword = ""
    new: Password
    factor: OptionalFactor = ""
    mailed: OptionalCode = ""


class NewAddress(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The e-mail address that receives a code."""

    email: Address

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "email", addresses.canonical(self.email))


class ProofOfUser(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The user's password, or a code of the second factor; guests have neither. `mailed` is a code
    from `ask_for_proof_code`."""

    password: OptionalPassword = ""
    factor: OptionalFactor = ""
    mailed: OptionalCode = ""

    @property
    def proof(self) -> Proof:
        """The proof that this is."""
        return Proof(self.password, self.factor, self.mailed)


class AddressCode(ProofOfUser, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The code that was mailed to the new address, and what proves the change."""

    code: Code


class NewFactor(ProofOfUser, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A code of the authenticator app that has the secret, and what proves the change."""

    code: Annotated[str, Meta(min_length=6, max_length=16, pattern=r"^[A-Za-z0-9]+$(?!\n)")]


class ResetCode(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The code from the e-mail, the new password, and perhaps a code of the second factor."""

    code: Code
    password: Password
    factor: OptionalFactor = ""


class WayBack(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The code from the e-mail, and the password or a code of the second factor from before.
    Users who had neither send the token of a session that just signed in at the provider."""

    code: Code
    password: OptionalPassword = ""
    factor: OptionalFactor = ""
    session: Annotated[str, Meta(max_length=100)] = ""


class FactorSecret(msgspec.Struct, frozen=True, kw_only=True):
    """A secret to enter into an authenticator app, in Base32, and the same as an address."""

    secret: str
    uri: str


class RecoveryCodes(msgspec.Struct, frozen=True, kw_only=True):
    """Codes that each replace a code of the app once. They are shown only once."""

    recovery_codes: list[str]


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


def _session_of(user: User, *, is_proved: bool = False) -> NewToken:
    return _new(tokens.begin_session(user, is_proved=is_proved))


def _new(issued: tokens.Issued) -> NewToken:
    about = CurrentUser.of(issued.row.user)
    return NewToken(token=issued.text, expires_at=issued.row.expires_at, user=about)


@operation("create_guest", *NAMED, status=201, is_open=True, policy="guest", is_keyed=True)
def create_guest(origin: Origin, body: NewGuest) -> NewToken:
    """Create a guest and sign in.

    Guests play at tables without a buy-in. The token is their only credential: a lost one
    cannot be replaced.
    """
    return _session_of(people.new_guest(body.display_name))


@operation("create_device_code", "not_a_guest", scope=Scope.USER, status=201, is_keyed=True)
def create_device_code(caller: Caller) -> DeviceCode:
    """Create a code with which your guest moves to another device. It is valid for five minutes."""
    return DeviceCode(code=tokens.device_code(caller))


@operation(
    "change_device", "code_invalid", status=201, is_open=True, policy="sign_in", is_keyed=True
)
def change_device(origin: Origin, body: DeviceCode) -> NewToken:
    """Sign in with a code of another device, whose session ends when you first use the new one. The
    code is used up then."""
    return _new(tokens.change_device(body.code))


@operation("register", *REGISTERED, status=201, is_open=True, policy="register", is_keyed=True)
def register(origin: Origin, body: Registration) -> NewToken:
    """Register a user with a username and a password. The wallet opens with a grant."""
    address = origin.address
    return _session_of(
        people.register(body.username, body.password, body.display_name, address=address)
    )


@operation(
    "sign_in",
    *("wrong_credentials", "factor_required", "wrong_code", "suspended", "busy"),
    status=201,
    is_open=True,
    policy="sign_in",
    is_keyed=True,
)
def sign_in(origin: Origin, body: Credentials) -> NewToken:
    """Sign in with a username and a password, and the second factor if the user has one."""
    user = people.sign_in(body.username, body.password, body.factor, address=origin.address)
    return _session_of(user, is_proved=bool(body.factor))


@operation(
    "prove_second_factor",
    "wrong_code",
    scope=Scope.USER,
    status=204,
    policy="sign_in",
    is_keyed=True,
)
def prove_second_factor(caller: Caller, body: FactorCode) -> None:
    """Prove the second factor for this session.

    A session of staff has the scope `admin` from then on, and may void games and bets for ten
    minutes."""
    tokens.prove_second_factor(caller, body.code)


@operation(
    "create_factor_secret",
    "second_factor_exists",
    scope=Scope.USER,
    status=201,
    policy="sign_in",
    is_keyed=True,
)
def create_factor_secret(caller: Caller) -> FactorSecret:
    """Create a secret for your authenticator app, which replaces an unconfirmed one."""
    if second_factor.is_enrolled(caller.user):
        raise Problem("second_factor_exists")
    secret = second_factor.new_secret(caller.user)
    return FactorSecret(secret=secret, uri=second_factor.uri_of(caller.user, secret))


@operation(
    "add_second_factor",
    *("second_factor_exists", *PROVED),
    scope=Scope.USER,
    status=201,
    policy="sign_in",
    is_keyed=True,
)
def add_second_factor(caller: Caller, body: NewFactor) -> RecoveryCodes:
    """Confirm that your authenticator app has the secret. Signing in takes its codes from then on.

    Needs your password."""
    codes = people.second_factor_codes(caller, body.code, body.proof)
    return RecoveryCodes(recovery_codes=codes)


@operation(
    "remove_second_factor", *PROVED, scope=Scope.USER, status=204, policy="sign_in", is_keyed=True
)
def remove_second_factor(caller: Caller, body: ProofOfUser) -> None:
    """Remove your second factor, with a code of it or your password. Staff need the code."""
    people.remove_second_factor(caller, body.proof)


@operation("me", scope=Scope.READ)
def me(caller: Caller) -> CurrentUser:
    """Get the current user."""
    return CurrentUser.of(caller.user)


@operation(
    "register_guest", "not_a_guest", *REGISTERED, scope=Scope.USER, policy="register", is_keyed=True
)
def register_guest(caller: Caller, body: Registration) -> CurrentUser:
    """Register the current guest, who keeps seats, bets and tokens. The wallet opens with a
    grant."""
    guest, address = caller.user, caller.origin.address
    return CurrentUser.of(
        people.claim(guest, body.username, body.password, body.display_name, address=address)
    )


@operation(
    "change_password",
    *("password_too_weak", *PROVED),
    scope=Scope.USER,
    status=204,
    policy="sign_in",
    is_keyed=True,
)
def change_password(caller: Caller, body: NewPassword) -> None:
    """Change the password. All other tokens end, those of your bot users too."""
    people.change_password(caller, Proof(body.current, body.factor, body.mailed), body.new)


def _count_mail(address: str) -> None:
    """Count a mail to this mailbox, even if none is sent. Raises Problem `too_many_requests`."""
    mailbox = addresses.mailbox_of(address)
    rate_limits.spend(rate_limits.Spent("mailbox", rate_limits.digest(mailbox)))


@operation("ask_for_address_code", scope=Scope.USER, status=202, policy="mail", is_keyed=True)
def ask_for_address_code(caller: Caller, body: NewAddress) -> None:
    """Send a code to your e-mail address, which counts once the code is confirmed."""
    _count_mail(body.email)
    tasks.send_later(tasks.mail_address_code, str(caller.user.id), body.email)


@operation("ask_for_proof_code", scope=Scope.USER, status=202, policy="mail", is_keyed=True)
def ask_for_proof_code(caller: Caller) -> None:
    """Send a code to your present e-mail address.

    A change of the password, address, factor or an erasure that is proved with the second factor
    and this code is final at once."""
    if caller.user.email:
        _count_mail(caller.user.email)
        tasks.send_later(tasks.mail_proof_code, str(caller.user.id))


@operation(
    "confirm_address", *PROVED, scope=Scope.USER, status=204, policy="sign_in", is_keyed=True
)
def confirm_address(caller: Caller, body: AddressCode) -> None:
    """Confirm your e-mail address with the code sent to it. It can then reset a lost password.

    Needs your password or second factor. The server reports the change to your previous address,
    where it can be undone."""
    people.confirm_address(caller, body.code, body.proof)


@operation("ask_for_reset_code", status=202, is_open=True, policy="mail", is_keyed=True)
def ask_for_reset_code(origin: Origin, body: NewAddress) -> None:
    """Send a reset code to each user with this confirmed address. The response is the same if
    there is none."""
    _count_mail(body.email)
    tasks.send_later(tasks.mail_reset_codes, body.email)


@operation(
    "reset_password",
    *("code_invalid", "wrong_code", "password_too_weak", "recovery_changed", "busy"),
    status=204,
    is_open=True,
    policy="sign_in",
    is_keyed=True,
)
def reset_password(origin: Origin, body: ResetCode) -> None:
    """Reset the password with the code from the e-mail. All tokens end; a code works once."""
    people.reset_password(body.code, body.password, body.factor, address=origin.address)


@operation(
    "restore_user",
    *("code_invalid", "wrong_password", "wrong_code", "sign_in_again", "busy"),
    status=204,
    is_open=True,
    policy="sign_in",
    is_keyed=True,
)
def restore_user(origin: Origin, body: WayBack) -> None:
    """Undo a change of password, address or second factor, or an erasure, with the code that was
    mailed to the previous address.

    It works once within 72 hours, and ends all sessions."""
    proof = Proof(body.password, body.factor)
    recovery.restore(body.code, proof, session=body.session, address=origin.address)


@operation("erase_user", *PROVED, scope=Scope.USER, status=204, policy="sign_in")
def erase_user(caller: Caller, body: ProofOfUser) -> None:
    """Erase your name, address, password, tokens and bot users.

    With a confirmed address, you are hidden at once and erased after 72 hours; until then, the code
    that is mailed there undoes it. Your games, bets and ledger accounts remain under an opaque id.
    """
    people.erase_with_proof(caller, body.proof)
