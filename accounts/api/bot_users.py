"""Operations on the bot users of a user, and on their tokens."""

from typing import Annotated, Literal, Self
from uuid import UUID

import msgspec
from msgspec import Meta

from accounts import bots, tokens
from accounts.api.tokens import NewPersonalToken, Token, check_distinct
from accounts.api.users import NAMED
from accounts.models import User
from accounts.names import DisplayName
from accounts.tokens import Caller, Scope
from kit.operations import operation
from kit.validation import Body, Moment, OneLine


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


class BotToken(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token for a bot user: its name, scopes and lifetime."""

    name: Annotated[OneLine, Meta(min_length=1, max_length=60)]
    scopes: Annotated[list[Literal["read", "play", "lobby"]], Meta(min_length=1, max_length=3)]
    days: Annotated[int, Meta(ge=1, le=366)] = 90

    def __post_init__(self) -> None:
        check_distinct(self.scopes)


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
    is_keyed=True,
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


@operation("create_bot_token", "too_many_tokens", scope=Scope.USER, status=201, is_keyed=True)
def create_bot_token(caller: Caller, bot: UUID, body: BotToken) -> NewPersonalToken:
    """Create a token with which a program signs in as one of your bot users."""
    account = bots.bot_of(caller.user, bot)
    issued = tokens.issue_for_bot(caller, account, body.name, map(Scope, body.scopes), body.days)
    return NewPersonalToken(token=issued.text, about=Token.of(issued.row, caller))


@operation("revoke_bot_token", scope=Scope.USER, status=204)
def revoke_bot_token(caller: Caller, bot: UUID, token: UUID) -> None:
    """Revoke a token of one of your bot users. Its open sockets close at once."""
    tokens.revoke_one(bots.bot_of(caller.user, bot), token)
