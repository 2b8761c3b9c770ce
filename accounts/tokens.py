"""Access tokens: authentication and scopes for every part of the API.

The server shows a token's text once and stores its SHA-256. The text holds 256 random bits, so
guessing is hopeless and a salt unnecessary. Sessions and personal tokens are rows of this app;
tokens of OAuth apps are rows of django-oauth-toolkit.
"""

import hashlib
import secrets
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.backends.db import SessionStore
from django.core import signing
from django.db import connection, transaction
from django.db.models import BooleanField, CharField, Exists, F, Func, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Now
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils import timezone
from oauth2_provider.models import (
    AccessToken,
    Grant,
    RefreshToken,
    clear_expired,
    refresh_token_expire_timedelta,
    revoke_access_token,
)

from accounts import second_factor
from accounts.models import Token, User
from kit import event_loop, pubsub, row_batches
from kit.problems import Problem

log = structlog.get_logger(__name__)

PREFIX: Final = "gst_"
"""The prefix of sessions and personal tokens. Scanners for leaked secrets recognize it."""

APP_PREFIX: Final = "gsa_"
"""The prefix of access tokens of apps."""

SESSION_DAYS: Final = 30
IDLE: Final = timedelta(days=14)
"""How long a session lasts that nobody uses."""
USE_NOTED_EVERY: Final = timedelta(hours=1)
NEW: Final = timedelta(minutes=10)
"""How long a session counts as a new sign-in."""
DEVICE_SALT: Final = "device"
DEVICE_CODE_LASTS: Final = timedelta(minutes=5)
SESSIONS_MAX: Final = 20
"""The number of sessions per user. A new one ends the oldest beyond it."""

PERSONAL_MAX: Final = 50
REVOKED: Final = "revoked-tokens"
"""The pub/sub group that announces revoked tokens."""

AUDITORS: Final = "auditors"
"""The Django group of users who may have the scope `audit`. Staff may have every scope."""


class Scope(StrEnum):
    """A permission of an access token."""

    READ = "read"
    PLAY = "play"
    LOBBY = "lobby"
    AUDIT = "audit"
    NOTICES = "notices"
    """An app's webhooks receive the notices of the users who granted it this."""
    ADMIN = "admin"
    USER = "user"
    """The password, e-mail address, tokens, apps and bot users. Only sessions have it; it cannot be
    delegated."""


GRANTABLE: Final = (Scope.READ, Scope.PLAY, Scope.LOBBY, Scope.NOTICES, Scope.AUDIT)
"""The scopes that users can grant to apps. The words of the consent page describe them."""


FOR_BOTS: Final = frozenset({Scope.READ, Scope.PLAY, Scope.LOBBY})
"""The scopes that tokens of bot users can have."""


class Origin(NamedTuple):
    """The address that a request comes from."""

    address: str = ""


NOWHERE: Final = Origin()


class Caller(NamedTuple):
    """An authenticated user: their token's scopes and digest, and where the request comes from."""

    user: User
    scopes: frozenset[Scope]
    token: str
    origin: Origin = NOWHERE


class Issued(NamedTuple):
    """A new token with its text, which is not stored."""

    text: str
    row: Token


# Authentication


def caller_of(authorization: str, origin: Origin = NOWHERE) -> Caller | None:
    """Return the caller with this `Authorization` header; None if it has no token at all.

    `Bearer <token>` and `Token <token>` mean the same. Raises Problem `unauthenticated` for an
    invalid token, without the reason."""
    scheme, _, text = authorization.partition(" ")
    if scheme.lower() not in {"bearer", "token"}:
        return None
    caller = caller_with(text.strip())
    if caller is None:
        raise Problem("unauthenticated")
    return caller._replace(origin=origin)


def caller_with(text: str) -> Caller | None:
    """Return the caller for the text of a token; None if the token is invalid."""
    digest = digest_of(text)
    row = _row_of(digest, AccessToken if text.startswith(APP_PREFIX) else Token)
    if row is None:
        return None
    if isinstance(row, Token) and row.replaces is not None:
        _end_replaced(row, row.replaces)
    reach = _scopes_within_reach(
        row.user, is_auditor=row.is_auditor, is_proved=getattr(row, "proved_at", None) is not None
    )
    if isinstance(row, Token):
        _note_use([(row.id, row.used_at)])
    return Caller(row.user, _scopes_of(row) & reach, digest)


def _row_of(digest: str, model: type[Token | AccessToken]) -> Any:
    """Return a valid token by its digest, with its `user` and whether that `is_auditor`."""
    sql, parameters, own, of_user = _compiled(model)  # type: ignore[arg-type]  # classes are hashable
    with connection.cursor() as cursor:
        cursor.execute(sql, [digest if each == _DIGEST else each for each in parameters])
        found = cursor.fetchone()
    if found is None:
        return None
    row: Any = model.from_db("default", own, found[: len(own)])
    row.user = User.from_db("default", of_user, found[-len(of_user) :])
    row.is_auditor = found[len(own)]
    return row


_DIGEST: Final = "the digest"
"""Stands for the digest among the parameters of a compiled query."""


@cache
def _compiled(
    model: type[Token | AccessToken],
) -> tuple[str, Sequence[Any], Sequence[str], Sequence[str]]:
    """Return the query for a token by its digest: SQL, parameters, fields of token and of user.

    Django would compile it for each request, which takes four times as long as all the rest.
    """
    is_auditor = User.groups.through.objects.filter(
        user_id=OuterRef("user_id"), group__name=AUDITORS
    )
    own, rows = (
        (
            ("id", "kind", "scopes", "used_at", "proved_at", "replaces"),
            _live().filter(digest=_DIGEST),
        )
        if model is Token
        else (("id", "scope"), _app_tokens().filter(token_checksum=_DIGEST))
    )
    of_user = [field.attname for field in User._meta.concrete_fields]
    columns = (*own, "is_auditor", *(f"user__{name}" for name in of_user))
    rows = rows.annotate(is_auditor=Exists(is_auditor)).values_list(*columns)
    return *rows.query.sql_with_params(), own, of_user


def _end_replaced(row: Token, replaced: UUID) -> None:
    """End the session that this one replaces, unless the code has issued another one meanwhile."""
    with transaction.atomic():
        row.user.locked()
        if Token.objects.filter(id=row.id, replaces=replaced).update(replaces=None):
            _revoke(row.user, Token.objects.filter(id=replaced))


def _note_use(used: Iterable[tuple[UUID, datetime]]) -> None:
    """Note that sessions are used, by their ids and when they were used last, once an hour each."""
    late = timezone.now() - USE_NOTED_EVERY
    if found := [id_ for id_, used_at in used if used_at < late]:
        Token.objects.filter(id__in=found).update(used_at=timezone.now())


def _scopes_of(row: Any) -> frozenset[Scope]:
    """Return the scopes that a row of either kind grants."""
    if isinstance(row, AccessToken):
        granted = row.scope.split()
        return frozenset(scope for scope in GRANTABLE if scope in granted)
    return frozenset(Scope) if row.kind == Token.Kind.SESSION else frozenset(map(Scope, row.scopes))


def grantable_by(user: User) -> frozenset[Scope]:
    """Return the scopes that this user can grant to an app."""
    is_auditor = user.groups.filter(name=AUDITORS).exists()
    return frozenset(GRANTABLE) & _scopes_within_reach(user, is_auditor=is_auditor, is_proved=False)


def _scopes_within_reach(user: User, *, is_auditor: bool, is_proved: bool) -> frozenset[Scope]:
    """Return the scopes that tokens of this user can have. `is_proved`: with the second factor.

    Looked up at every use, so that withdrawing a right takes effect at once.
    """
    if user.is_bot:
        return FOR_BOTS
    if user.is_staff:
        lacks_proof = settings.STAFF_SECOND_FACTOR and not is_proved
        return frozenset(Scope) - ({Scope.ADMIN} if lacks_proof else frozenset())
    return frozenset(Scope) - {Scope.ADMIN} - (frozenset() if is_auditor else {Scope.AUDIT})


def require(caller: Caller | None, scope: Scope) -> Caller:
    """Return the caller if it has this scope. Raises Problem `unauthenticated`, `scope_missing`."""
    if caller is None:
        raise Problem("unauthenticated")
    if scope not in caller.scopes:
        raise Problem("scope_missing", scope=scope.value)
    return caller


def prove_second_factor(caller: Caller, code: str) -> None:
    """Prove the second factor for the caller's token.

    Raises Problem `wrong_code`, `too_many_requests`.
    """
    second_factor.prove(caller.user, code, address=caller.origin.address)
    Token.objects.filter(digest=caller.token).update(proved_at=timezone.now())


def require_recent_proof(caller: Caller) -> None:
    """Check that this session itself proved the second factor in the last minutes (`RECENT`).

    Tokens that a session issues never count, however fresh. Raises Problem
    `second_factor_required`.
    """
    if not settings.STAFF_SECOND_FACTOR:
        return
    recent = Token.objects.filter(
        digest=caller.token,
        kind=Token.Kind.SESSION,
        proved_at__gt=timezone.now() - second_factor.RECENT,
    )
    if not recent.exists():
        raise Problem("second_factor_required")


def require_new_session(user: User, digest: str) -> None:
    """Check that this token is a session of a user who just signed in. Raises Problem
    `sign_in_again`."""
    started = timezone.now() - NEW
    sessions = _live().filter(user=user, kind=Token.Kind.SESSION)
    if not sessions.filter(digest=digest, created_at__gt=started).exists():
        raise Problem("sign_in_again")


def still_valid(pairs: Collection[tuple[str, Scope]]) -> set[tuple[str, Scope]]:
    """Return those of these pairs of token digest and scope that are still valid.

    The scope `admin` is valid while the user is staff.
    """
    # Of each of thousands of connections, again and again: one parameter, and no models.
    digests = {digest for digest, _ in pairs}
    columns = ("id", "used_at", "digest", "user__is_staff")
    rows = list(_live().filter(_is_any("digest", digests)).values_list(*columns))
    _note_use((id_, used_at) for id_, used_at, _, _ in rows)
    found = {digest: is_staff for _, _, digest, is_staff in rows}
    if of_apps := digests - found.keys():
        app_tokens = _app_tokens().filter(_is_any("token_checksum", of_apps))
        found |= dict(app_tokens.values_list("token_checksum", "user__is_staff"))
    return {
        (digest, scope)
        for digest, scope in pairs
        if digest in found and (scope != Scope.ADMIN or found[digest])
    }


def _is_any(column: str, digests: Collection[str]) -> Func:
    """The condition that a column has one of these values, which are one parameter."""
    values = Value([*digests], output_field=ArrayField(CharField()))
    return Func(
        F(column),
        values,
        template="%(expressions)s)",
        arg_joiner=" = ANY(",
        output_field=BooleanField(),
    )


def check_valid(caller: Caller) -> None:
    """Check that the caller's token is still valid, now that their user is locked.

    Every end of tokens locks the user first. Raises Problem `unauthenticated`.
    """
    if not still_valid({(caller.token, Scope.READ)}):
        raise Problem("unauthenticated")


def digest_of(text: str) -> str:
    """Hash a token's text for storage."""
    return hashlib.sha256(text.encode()).hexdigest()


def _live() -> QuerySet[Token]:
    answered_for = Q(user__owner=None) | _may_act("user__owner__")
    is_used = ~Q(kind=Token.Kind.SESSION) | Q(used_at__gt=Now() - IDLE)
    return Token.objects.filter(answered_for, is_used, _may_act("user__"), expires_at__gt=Now())


def _app_tokens() -> Any:
    """The valid access tokens of apps."""
    return AccessToken.objects.filter(_may_act("user__"), expires__gt=Now())


def _may_act(path: str) -> Q:
    """A user who is neither erased, disabled nor suspended."""
    until = f"{path}suspended_until"
    is_free = Q(**{f"{until}__isnull": True}) | Q(**{f"{until}__lte": Now()})
    return is_free & Q(**{f"{path}is_active": True})


# Issuing and revoking


def begin_session(user: User, *, is_proved: bool = False, replaces: UUID | None = None) -> Issued:
    """Create a session token for a user who signed in, with every scope that the user may have.

    `is_proved`: they also proved the second factor. `replaces`: the session that ends at the first
    use of this one.

    Raises Problem `wrong_credentials` if the password was changed or the user erased after the
    sign-in, because that has ended all tokens.
    """
    with transaction.atomic():
        now = User.lock(id=user.id, is_active=True)
        if now is None or now.password != user.password:
            raise Problem("wrong_credentials")
        proved_at = timezone.now() if is_proved else None
        lifetime = timedelta(days=SESSION_DAYS)
        issued = _issue(user, Token.Kind.SESSION, lifetime, proved_at=proved_at, replaces=replaces)
        sessions = Token.objects.filter(user=user, kind=Token.Kind.SESSION)
        kept = list(
            sessions.order_by("-created_at", "-id").values_list("id", flat=True)[:SESSIONS_MAX]
        )
        _revoke(user, sessions.exclude(id__in=kept))
    return issued


def device_code(caller: Caller) -> str:
    """Create the code with which a guest's session moves to another device. Nothing is stored.

    Raises Problem `not_a_guest`: other users sign in there, and `unauthenticated` if the session
    has ended meanwhile.
    """
    if not caller.user.is_guest:
        raise Problem("not_a_guest")
    session = Token.objects.filter(digest=caller.token).first()
    if session is None:
        raise Problem("unauthenticated")
    return signing.dumps(session.id.hex, salt=DEVICE_SALT)


def change_device(code: str) -> Issued:
    """Create a session in place of the one that this code is for, which ends at the first use of
    the new one. Until then, as an answer may be lost, the code works again, and only its last
    session counts.

    Raises Problem `code_invalid`.
    """
    try:
        session = UUID(signing.loads(code, salt=DEVICE_SALT, max_age=DEVICE_CODE_LASTS))
    except signing.BadSignature:
        raise Problem("code_invalid") from None
    with transaction.atomic():
        # Users are locked before their tokens.
        user = User.lock(tokens=session)
        if user is None or not user.is_guest or not _live().filter(id=session).exists():
            raise Problem("code_invalid")
        _revoke(user, Token.objects.filter(user=user, replaces=session))
        return begin_session(user, replaces=session)


def issue_personal(caller: Caller, name: str, scopes: Iterable[Scope], days: int) -> Issued:
    """Create a personal token for a program, with some of the caller's scopes.

    Raises Problem `scope_missing`, `too_many_tokens`.
    """
    wanted = sorted(set(scopes))
    assert Scope.USER not in wanted, "only sessions have it"
    for scope in wanted:
        require(caller, scope)
    return _issue_named(caller, caller.user, name, wanted, days)


def issue_for_bot(
    caller: Caller, bot: User, name: str, scopes: Iterable[Scope], days: int
) -> Issued:
    """Create a token for a bot user of the caller, who gives it to a program.

    Raises Problem `too_many_tokens`.
    """
    wanted = sorted(set(scopes))
    assert bot.is_bot and FOR_BOTS.issuperset(wanted)
    return _issue_named(caller, bot, name, wanted, days)


def _issue_named(
    caller: Caller, user: User, name: str, scopes: Collection[Scope], days: int
) -> Issued:
    with transaction.atomic():
        caller.user.locked()
        check_valid(caller)
        of_caller = Token.objects.filter(digest=caller.token, user=user)
        if tokens_of(user).filter(kind=Token.Kind.PERSONAL).count() >= PERSONAL_MAX:
            raise Problem("too_many_tokens", most=PERSONAL_MAX)
        return _issue(
            user,
            Token.Kind.PERSONAL,
            timedelta(days=days),
            name=name,
            scopes=[scope.value for scope in scopes],
            proved_at=of_caller.values_list("proved_at", flat=True).first(),
        )


def _issue(user: User, kind: Token.Kind, lifetime: timedelta, **fields: Any) -> Issued:
    text = PREFIX + secrets.token_urlsafe(32)
    row = Token.objects.create(
        user=user,
        digest=digest_of(text),
        kind=kind,
        expires_at=timezone.now() + lifetime,
        **fields,
    )
    return Issued(text, row)


def tokens_of(user: User) -> QuerySet[Token]:
    """Return a user's valid tokens, newest first."""
    return _live().filter(user=user).order_by("-created_at", "-id")


def revoke(caller: Caller) -> None:
    """End the caller's token. For an app, end all tokens of the same consent."""
    with transaction.atomic():
        caller.user.locked()
        _revoke(caller.user, Token.objects.filter(digest=caller.token))
        for row in _app_tokens().filter(token_checksum=caller.token):
            revoke_access_token(row)


def revoke_one(user: User, token: UUID) -> None:
    """End one token of this user or revoke the consent for an app. Raises Problem `not_found`."""
    with transaction.atomic():
        user.locked()
        if _revoke(user, Token.objects.filter(user=user, id=token)):
            return
        if not consents_of(user).filter(token_family=token).exists():
            raise Problem("not_found", what="token")
        RefreshToken.revoke_family(token)


@transaction.atomic
def revoke_all(user: User, *, but: str = "") -> None:
    """End all tokens, consents and browser sessions of this user and their bot users.

    `but` is the digest of a token to keep. The user stays locked until the transaction ends.
    """
    User.objects.filter(id=user.id).update(browser_epoch=F("browser_epoch") + 1)
    _revoke(user, Token.objects.filter(Q(user=user) | Q(user__owner=user)).exclude(digest=but))
    Grant.objects.filter(user=user).delete()
    for family in consents_of(user).values_list("token_family", flat=True):
        RefreshToken.revoke_family(family)


def _revoke(user: User, tokens: QuerySet[Token]) -> int:
    """Delete these tokens of a user and their bot users.

    Their sockets are closed when the pub/sub hint arrives, or else at the next periodic check.
    """
    gone, _ = tokens.delete()
    if gone:
        log.info("tokens_revoked", user=str(user.id), tokens=gone)
        _announce_revocation()
    return gone


def _announce_revocation() -> None:
    transaction.on_commit(lambda: event_loop.call(pubsub.publish(REVOKED, {})), robust=True)


# Consents for apps


def consents_of(user: User) -> Any:
    """Return the newest refresh token of each valid consent of this user, newest first."""
    open_until = timezone.now() - refresh_token_expire_timedelta()
    rows = RefreshToken.objects.filter(
        user=user, revoked=None, access_token__expires__gt=open_until
    )
    return rows.select_related("application", "access_token").order_by("-created", "-id")


@receiver(post_delete, sender=AccessToken)
def _announce_end_of_consent(instance: Any, **_: Any) -> None:
    """Announce the end of an app's token, whatever ended it.

    The user, the app or staff can revoke it, and so does reuse of a refresh token.
    """
    if instance.expires > timezone.now():
        log.info("app_token_revoked", user=str(instance.user_id))
        _announce_revocation()


# Cleanup

EXPIRED: Final = """
DELETE FROM accounts_token WHERE id IN (
    SELECT id FROM accounts_token WHERE expires_at <= now() LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
"""


def sweep() -> None:
    """Delete expired tokens and sessions, a bounded number in each statement."""
    row_batches.repeat(EXPIRED)
    clear_expired()
    SessionStore.clear_expired()
