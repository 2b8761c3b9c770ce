"""Users and the double-entry ledger: accounts with running totals, and immutable transfers."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final
from uuid import UUID

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import CheckConstraint, F, Index, Q, UniqueConstraint
from django.db.models.functions import Now
from django.utils import timezone
from uuid_utils.compat import uuid7

from accounts.addresses import canonical
from kit.problems import Problem


class Users(UserManager["User"]):
    """All users."""

    use_in_migrations = False

    def create_superuser(
        self,
        username: str,
        email: str | None = None,
        password: str | None = None,
        **fields: Any,
    ) -> "User":
        """Create a superuser, displayed by the username unless `display_name` says otherwise."""
        address = canonical(email) if email else ""
        return super().create_superuser(
            username, address, password, **{"display_name": username, **fields}
        )


class User(AbstractUser):
    """A person, or a bot user: a program that plays under its own name and has an `owner`.

    A guest has no password and no grant until they register; a bot user never has either. `email`
    is a confirmed address or empty. Until `suspended_until`, no token of the user is valid.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    display_name = models.CharField(max_length=40)
    # The skeleton of a registered user's username, against imitation; empty for others.
    name_key = models.CharField(max_length=40, blank=True, default="", db_index=True)
    is_guest = models.BooleanField(default=False)
    suspended_until = models.DateTimeField(null=True, blank=True)
    owner = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="bots"
    )
    # Raised to end all sessions in browsers.
    browser_epoch = models.IntegerField(default=0, editable=False)

    objects: ClassVar[Users] = Users()

    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            CheckConstraint(
                name="bot_without_rights",
                condition=Q(owner=None)
                | Q(is_guest=False, is_staff=False, is_superuser=False, email=""),
            )
        ]

    def get_session_auth_hash(self) -> str:
        """Return what a browser's session contains as long as it is valid."""
        return f"{self.browser_epoch}:{super().get_session_auth_hash()}"

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Return the same under the earlier secret keys."""
        for found in super().get_session_auth_fallback_hash():
            yield f"{self.browser_epoch}:{found}"

    @property
    def is_bot(self) -> bool:
        """Whether this is a bot user."""
        return self.owner_id is not None

    @property
    def is_suspended(self) -> bool:
        """Whether no token of this user is valid now."""
        return self.suspended_until is not None and self.suspended_until > timezone.now()

    @property
    def answerable(self) -> UUID:
        """The id of the person responsible for this user: its owner, or the user itself."""
        return self.owner_id or self.id

    def locked(self) -> "User":
        """Lock this user, before their tokens if those are locked too, and return them as they are
        now. Raises Problem `unauthenticated` if they were erased meanwhile."""
        user = User.lock(id=self.id)
        if user is None or not user.is_active:
            raise Problem("unauthenticated")
        return user

    @classmethod
    def lock(cls, **conditions: Any) -> "User | None":
        """Lock the user that meets these conditions, and return them as they are now."""
        found = cls.objects.select_for_update(no_key=True, of=("self",))
        return found.filter(**conditions).first()

    def __str__(self) -> str:
        """Return the id, because log entries outlive the name."""
        return str(self.id)


class ExternalIdentity(models.Model):
    """A user at an OpenID Connect provider. The provider's mail address is no part of it."""

    issuer = models.CharField(max_length=300)
    subject = models.CharField(max_length=255)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["issuer", "subject"], name="identity_once")
        ]

    def __str__(self) -> str:
        """Return the issuer."""
        return self.issuer


class GrantedMailbox(models.Model):
    """A mailbox that received its opening grant, as a keyed hash without a user."""

    digest = models.CharField(max_length=64, primary_key=True)


class RecoveryChange(models.Model):
    """The state of a user before a change of how the account is recovered, until `ends_at`.

    While it is open, the way back restores the state and nothing else can change. Its code is
    derived from the id and mailed to `email`; nothing of it is stored.
    """

    class Kind(models.TextChoices):
        PASSWORD = "password"  # noqa: S105  (a word)
        ADDRESS = "address"
        FACTOR = "factor"
        ERASURE = "erasure"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recovery_changes")
    kind = models.CharField(max_length=10, choices=Kind)
    email = models.CharField(max_length=254)
    password = models.CharField(max_length=128)
    display_name = models.CharField(max_length=40)
    factors = models.JSONField()
    is_told = models.BooleanField(default=False)
    """Whether the mail is in the queue."""
    at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField(db_index=True)


class Token(models.Model):
    """The digest of a session or personal token, its expiry and scopes.

    A session has every scope that its user may have; `name` and `scopes` belong to personal tokens.
    """

    class Kind(models.TextChoices):
        SESSION = "session"
        PERSONAL = "personal"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=60, blank=True)
    scopes = ArrayField(models.CharField(max_length=10), default=list, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(default=timezone.now)
    """When the token was last used, to the hour."""
    proved_at = models.DateTimeField(null=True)
    """When the session last proved the second factor: this one, or for a personal token the session
    that issued it, until then. The time of issue is `created_at`."""
    replaces = models.UUIDField(null=True)
    """The session on another device that ends when this one is first used."""


class Vacation(models.Model):
    """Days on which slow tables that allow it do not go on without the user."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="vacations")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            CheckConstraint(name="vacation_ends", condition=Q(ends_at__gte=F("starts_at"))),
        ]
        indexes: ClassVar = [Index(fields=["user", "ends_at"], name="vacation_of_user")]

    def __str__(self) -> str:
        """When it starts and ends."""
        return f"{self.starts_at:%Y-%m-%d} to {self.ends_at:%Y-%m-%d}"


WITHIN_OVERDRAFT: Final = "account_within_overdraft"


class Account(models.Model):
    """An account of one holder in one unit. `book` and `key` identify the holder and are opaque.

    The balance is `credits - debits`; the database rejects a balance below `-overdraft`.
    """

    book = models.UUIDField()
    key = models.CharField(max_length=64)
    unit = models.CharField(max_length=32)
    owner = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="accounts")
    overdraft = models.BigIntegerField(default=0)
    debits = models.BigIntegerField(default=0)
    credits = models.BigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["book", "key"], name="account_book_key"),
            CheckConstraint(
                name=WITHIN_OVERDRAFT,
                condition=Q(credits__gte=F("debits") - F("overdraft"), debits__gte=0),
            ),
        ]

    @property
    def balance(self) -> int:
        """The balance in the account's unit."""
        return self.credits - self.debits

    def __str__(self) -> str:
        """The key in its book."""
        return f"{self.key} of {self.book}"


BETWEEN_BOOKS: Final = UUID(int=0)
"""The book of transfers between accounts of two books, such as wallets."""


class Transfer(models.Model):
    """One movement of money from the debited to the credited account. The database forbids changes.

    `cause` and `number` identify the origin, `position` orders its transfers; they are unique
    together, so a transfer cannot be posted twice. `book` is that of both accounts, or
    `BETWEEN_BOOKS`: the table is partitioned by its month, and the transfers between books stay in
    one partition for ever.
    """

    book = models.UUIDField(db_default=BETWEEN_BOOKS)
    cause = models.UUIDField()
    number = models.BigIntegerField()
    position = models.IntegerField()
    debit = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="+", db_constraint=False
    )
    credit = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="+", db_constraint=False
    )
    amount = models.BigIntegerField()
    reason = models.CharField(max_length=64)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(
                fields=["cause", "number", "position", "book"], name="transfer_posted_once"
            ),
            CheckConstraint(
                name="transfer_in_book", condition=Q(book=F("cause")) | Q(book=BETWEEN_BOOKS)
            ),
            CheckConstraint(
                name="transfer_amount", condition=Q(amount__gt=0, amount__lte=2**53 - 1)
            ),
            CheckConstraint(name="transfer_between_two", condition=~Q(debit=F("credit"))),
        ]

    def __str__(self) -> str:
        """The number, the amount and the reason."""
        return f"{self.pk}: {self.amount}, {self.reason}"


class KeyedRequest(models.Model):
    """A request under an idempotency key. See `accounts.keyed_requests`.

    `id` is a hash of the user and the key, `digest` one of the operation and its input. `answer` is
    encrypted, and null until the request has been carried out.
    """

    id = models.BinaryField(primary_key=True)
    digest = models.BinaryField()
    answer = models.BinaryField(null=True)
    at = models.DateTimeField(db_default=Now(), db_index=True)


class OpeningBalance(models.Model):
    """The totals of an account's transfers that left the database, when its book was archived.

    The ledger continues from these totals. The transfers were posted from `since` to `until`.
    """

    account = models.OneToOneField(
        Account, primary_key=True, on_delete=models.PROTECT, related_name="opening"
    )
    debits = models.BigIntegerField()
    credits = models.BigIntegerField()
    since = models.DateTimeField()
    until = models.DateTimeField()
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        """The account and its balance."""
        return f"{self.account_id}: {self.credits - self.debits}"
