"""Bets, accounts, transfers, actions of operators and archived months, as rows of histories."""

from typing import Any, Self
from uuid import UUID

from accounts import models as ledger
from games import models
from games.api.types.parts import Answer, Signed
from games.reads.filters import BetOutcome
from kit.validation import Count, Moment


class Bet(Answer, frozen=True, kw_only=True):
    """A bet and its outcome: the stake, the spot, the odds as shown, the commit that placed it
    (`version`) and the one that settled it. `payout` is what settling moved: positive to the seat,
    negative from it.

    The draws from `drawn_before` up to, not including, `drawn_until` fell between the two; they are
    published when the game has ended. Bets of the server's bots have no `user`.
    """

    game: UUID
    slug: str
    number: int
    user: UUID | None
    is_bot: bool
    seat: int
    spot: str
    stake: Count
    odds: str
    version: int
    placed_at: Moment
    outcome: BetOutcome
    payout: Signed | None
    settled_version: int | None
    settled_at: Moment | None
    drawn_before: Count | None
    drawn_until: Count | None

    @classmethod
    def of(cls, row: tuple[Any, ...]) -> Self:
        """A row of `with_results`, whose columns stand in the order of these fields."""
        return cls(**dict(zip(cls.__struct_fields__, row, strict=True)))


class Account(Answer, frozen=True, kw_only=True):
    """One of your ledger accounts."""

    id: int
    key: str
    unit: str
    balance: Signed

    @classmethod
    def of(cls, account: ledger.Account) -> Self:
        """Return an account with its current balance."""
        return cls(id=account.id, key=account.key, unit=account.unit, balance=account.balance)


class Balance(Answer, frozen=True, kw_only=True):
    """The balance of an account at the requested version or moment."""

    account: int
    key: str
    unit: str
    balance: Signed

    @classmethod
    def of(cls, account: ledger.Account, balance: int) -> Self:
        """Return an account with an earlier balance."""
        return cls(account=account.id, key=account.key, unit=account.unit, balance=balance)


class Side(Answer, frozen=True, kw_only=True):
    """One side of a transfer: an account by its book (a game, lobby or user) and its key there."""

    book: UUID
    key: str

    @classmethod
    def of(cls, account: ledger.Account) -> Self:
        """Return an account without its balance."""
        return cls(book=account.book, key=account.key)


class Transfer(Answer, frozen=True, kw_only=True):
    """An amount moved from the debited to the credited account."""

    id: int
    cause: UUID
    number: int
    position: int
    debit: Side
    credit: Side
    amount: Count
    unit: str
    reason: str
    at: Moment

    @classmethod
    def of(cls, transfer: ledger.Transfer) -> Self:
        """Return a transfer. Expects both accounts fetched."""
        return cls(
            id=transfer.id,
            cause=transfer.cause,
            number=transfer.number,
            position=transfer.position,
            debit=Side.of(transfer.debit),
            credit=Side.of(transfer.credit),
            amount=transfer.amount,
            unit=transfer.debit.unit,
            reason=transfer.reason,
            at=transfer.at,
        )


class MovedLine(Answer, frozen=True, kw_only=True):
    """A line of a file of transfers: a `Transfer` with the columns of both accounts."""

    id: int
    cause: UUID
    number: int
    position: int
    debit_book: UUID
    debit_key: str
    credit_book: UUID
    credit_key: str
    amount: Count
    unit: str
    reason: str
    at: Moment


class OperatorAction(Answer, frozen=True, kw_only=True):
    """An operator's request: its subject and its reason."""

    id: int
    at: Moment
    operator: UUID
    action: str
    subject: str
    reason: str

    @classmethod
    def of(cls, action: models.OperatorAction) -> Self:
        """Return an action as it was requested."""
        return cls(
            id=action.id,
            at=action.at,
            operator=action.operator_id,
            action=action.action,
            subject=action.subject,
            reason=action.reason,
        )


class ArchivedMonth(Answer, frozen=True, kw_only=True):
    """A month, such as `2026-04`, whose histories are archived: how many games, and since when."""

    month: str
    games: Count
    archived_at: Moment

    @classmethod
    def of(cls, row: Any) -> Self:
        """Return a row of `archived_months`."""
        return cls(month=f"{row.month:%Y-%m}", games=row.count, archived_at=row.at)
