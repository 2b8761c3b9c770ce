"""Personal data: the tables that hold data about users, and which columns a user's file shows.

The games add their tables (`games.reads.personal`). A test looks up every table that refers to
users and fails if one is missing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.db.models import Model, Q, QuerySet
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from oauth2_provider.models import AccessToken, Application, DeviceGrant, Grant, RefreshToken

from accounts.models import (
    Account,
    ExternalIdentity,
    RecoveryChange,
    Token,
    Transfer,
    User,
    Vacation,
)

SECRET: Final = "a secret"  # noqa: S105  (a reason)
PARAMETER: Final = "a parameter of the second factor"
PROTOCOL: Final = "a detail of the OAuth protocol"


def the_id(user: UUID) -> object:
    """Return the id of a user as most columns hold it."""
    return user


@dataclass(frozen=True, kw_only=True)
class Section:
    """One kind of line in a user's file: the rows of a table in which `whose` is the user.

    All columns of a table are either shown by one of its sections or left out with a reason.
    `order` begins with a column that an index finds together with `whose`, so that no batch reads
    the whole table; without one, rows are in the order of the primary key.
    """

    name: str
    model: type[Model]
    whose: str
    columns: tuple[str, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    value: Callable[[UUID], object] = the_id
    within: Q = Q()  # noqa: RUF009  (never changed)
    """A condition that lets an index find the rows."""
    shape: Callable[[QuerySet[Any]], QuerySet[Any, Any]] | None = None
    """Selects columns that the table does not have itself."""

    def rows(self, user: UUID) -> QuerySet[Any, Any]:
        """Return the rows about a user as named tuples, in a total order."""
        chosen = self.model._default_manager.filter(self.within, **{self.whose: self.value(user)})
        ordered = chosen.order_by(*(self.order or self._key()))
        return (
            ordered.values_list(*self.columns, named=True)
            if self.shape is None
            else self.shape(ordered)
        )

    def _key(self) -> tuple[str, ...]:
        return tuple(part.attname for part in self.model._meta.pk_fields)


DEVICE: Final = (
    *("id", "user_id", "name", "confirmed", "throttling_failure_timestamp"),
    *("throttling_failure_count", "created_at", "last_used_at"),
)
TRANSFER: Final = (
    *("id", "book", "cause", "number", "position", "debit_id", "credit_id", "amount"),
    *("reason", "at"),
)

SECTIONS: Final = (
    Section(
        name="user",
        model=User,
        whose="id",
        columns=(
            *("id", "username", "display_name", "name_key", "email", "first_name", "last_name"),
            *("is_guest", "is_active", "is_staff", "is_superuser", "date_joined", "last_login"),
            *("suspended_until", "owner_id", "browser_epoch"),
        ),
        left_out={"password": SECRET},
    ),
    Section(
        name="group",
        model=User.groups.through,
        whose="user",
        columns=("id", "user_id", "group_id", "group__name"),
    ),
    Section(
        name="permission",
        model=User.user_permissions.through,
        whose="user",
        columns=("id", "user_id", "permission_id", "permission__codename"),
    ),
    Section(
        name="identity",
        model=ExternalIdentity,
        whose="user",
        columns=("id", "user_id", "issuer", "subject"),
    ),
    Section(
        name="token",
        model=Token,
        whose="user",
        columns=(
            *("id", "user_id", "kind", "name", "scopes", "created_at", "expires_at"),
            *("used_at", "proved_at", "replaces"),
        ),
        left_out={"digest": SECRET},
    ),
    Section(
        name="vacation",
        model=Vacation,
        whose="user",
        columns=("id", "user_id", "starts_at", "ends_at", "at"),
    ),
    Section(
        name="recovery_change",
        model=RecoveryChange,
        whose="user",
        columns=("id", "user_id", "kind", "email", "display_name", "at", "ends_at", "is_told"),
        left_out={"password": SECRET, "factors": SECRET},
    ),
    Section(
        name="app",
        model=Application,
        whose="user",
        columns=(
            *("id", "user_id", "client_id", "name", "redirect_uris", "created", "updated"),
            *("client_type", "authorization_grant_type"),
        ),
        left_out={
            "client_secret": SECRET,
            **dict.fromkeys(
                (
                    *("post_logout_redirect_uris", "hash_client_secret", "skip_authorization"),
                    *("algorithm", "allowed_origins", "registration_source", "cimd_expires_at"),
                ),
                PROTOCOL,
            ),
        },
    ),
    Section(
        name="app_code",
        model=Grant,
        whose="user",
        columns=(
            *("id", "user_id", "application_id", "application__name", "redirect_uri", "scope"),
            *("created", "updated", "expires"),
        ),
        left_out={
            "code": SECRET,
            **dict.fromkeys(
                ("code_challenge", "code_challenge_method", "nonce", "claims", "resource"), PROTOCOL
            ),
        },
    ),
    Section(
        name="app_token",
        model=AccessToken,
        whose="user",
        columns=(
            *("id", "user_id", "application_id", "application__name", "scope", "created"),
            *("updated", "expires"),
        ),
        left_out={
            **dict.fromkeys(("token", "token_checksum"), SECRET),
            **dict.fromkeys(("source_refresh_token", "id_token", "resource"), PROTOCOL),
        },
    ),
    Section(
        name="app_consent",
        model=RefreshToken,
        whose="user",
        columns=(
            *("id", "user_id", "application_id", "application__name", "token_family", "created"),
            *("updated", "revoked"),
        ),
        left_out={
            **dict.fromkeys(("token", "token_checksum"), SECRET),
            **dict.fromkeys(("access_token", "resource"), PROTOCOL),
        },
    ),
    Section(
        name="device_code",
        model=DeviceGrant,
        whose="user",
        columns=("id", "user_id", "client_id", "scope", "expires", "status", "last_checked"),
        left_out={**dict.fromkeys(("device_code", "user_code"), SECRET), "interval": PROTOCOL},
    ),
    Section(
        name="authenticator",
        model=TOTPDevice,
        whose="user",
        columns=DEVICE,
        left_out={
            "key": SECRET,
            **dict.fromkeys(("step", "t0", "digits", "tolerance", "drift", "last_t"), PARAMETER),
        },
    ),
    Section(name="recovery_codes", model=StaticDevice, whose="user", columns=DEVICE),
    Section(
        name="account",
        model=Account,
        whose="owner",
        columns=("id", "owner_id", "book", "key", "unit", "overdraft", "debits", "credits"),
    ),
    Section(name="transfer_paid", model=Transfer, whose="debit__owner", columns=TRANSFER),
    Section(name="transfer_received", model=Transfer, whose="credit__owner", columns=TRANSFER),
    Section(
        name="admin_entry",
        model=LogEntry,
        whose="user",
        columns=(
            *("id", "user_id", "action_time", "content_type_id", "object_id", "object_repr"),
            *("action_flag", "change_message"),
        ),
    ),
    Section(
        name="admin_entry_about_user",
        model=LogEntry,
        whose="object_id",
        value=str,
        columns=("id", "action_time", "action_flag", "change_message"),
    ),
)

ELSEWHERE: Final[Mapping[str, str]] = {
    "oauth2_provider.IDToken": "The server issues no ID tokens to apps: the table is empty.",
    "accounts.GrantedMailbox": (
        "A keyed hash of each mailbox that received an opening grant, without a user: nobody can "
        "find the rows of a person."
    ),
    "sessions.Session": (
        "A sign-in on the pages of the server: a random key and the user's id, until it expires."
    ),
    "otp_static.StaticToken": "Recovery codes are secrets.",
}
"""Tables with data about people that the file does not contain, and why."""
