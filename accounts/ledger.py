"""The only module that writes money: open accounts and post transfers.

The store posts transfers of games in the statement that appends commits, with `POSTING` or
`GROUPED_POSTING`.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import F, QuerySet, Sum
from psycopg.errors import CheckViolation, UniqueViolation

from accounts.models import (
    BETWEEN_BOOKS,
    WITHIN_OVERDRAFT,
    Account,
    OpeningBalance,
    Transfer,
    User,
)
from kit.parameters import Rows
from kit.problems import Problem

COIN: Final = "coin"
WALLET: Final = "wallet"
UNLIMITED: Final = 2**53 - 1
MINT_BOOK: Final = UUID(int=0)


class Posting(NamedTuple):
    """A transfer to post: `amount`, in the unit of both accounts, from debited to credited."""

    debit: int
    credit: int
    amount: int
    reason: str


def open_account(
    book: UUID, key: str, unit: str, *, overdraft: int = 0, owner: User | None = None
) -> Account:
    """Return this account; create it if it does not exist."""
    account, _ = Account.objects.get_or_create(
        book=book, key=key, defaults={"unit": unit, "overdraft": overdraft, "owner": owner}
    )
    return account


def wallet_of(user: User) -> Account:
    """Return a user's wallet, in `coin`."""
    return open_account(user.id, WALLET, COIN, owner=user)


def grant_opening(user: User) -> None:
    """Post the opening grant for a user, at most once ever."""
    mint = open_account(MINT_BOOK, "mint", COIN, overdraft=UNLIMITED)
    posting = Posting(mint.id, wallet_of(user).id, settings.OPENING_GRANT, "opening_grant")
    post(cause=user.id, number=0, postings=[posting])


def has_opening_grant(user: User) -> bool:
    """Whether this user ever received the opening grant."""
    return Transfer.objects.filter(cause=user.id, number=0, reason="opening_grant").exists()


def house() -> Account:
    """Return the account that bears the cost of corrections."""
    return open_account(MINT_BOOK, "house", COIN, overdraft=UNLIMITED)


def post(*, cause: UUID, number: int, postings: Sequence[Posting]) -> bool:
    """Post all transfers or none. Return False if this cause and number were posted before.

    Accounts are locked in the order of their ids. Raises Problem `insufficient_funds`. Inside a
    caller's transaction, the transaction stays usable after that.
    """
    if not postings:
        return True
    touched = sorted(
        {account for posting in postings for account in (posting.debit, posting.credit)}
    )
    try:
        with transaction.atomic():
            list(
                Account.objects.select_for_update(no_key=True).filter(id__in=touched).order_by("id")
            )
            Transfer.objects.bulk_create(
                Transfer(
                    cause=cause,
                    number=number,
                    position=position,
                    debit_id=posting.debit,
                    credit_id=posting.credit,
                    amount=posting.amount,
                    reason=posting.reason,
                )
                for position, posting in enumerate(postings)
            )
            for account in touched:
                debits = sum(posting.amount for posting in postings if posting.debit == account)
                credits_ = sum(posting.amount for posting in postings if posting.credit == account)
                Account.objects.filter(id=account).update(
                    debits=F("debits") + debits, credits=F("credits") + credits_
                )
    except IntegrityError as error:
        match error.__cause__:
            case UniqueViolation():
                return False
            case CheckViolation(diag=diag) if diag.constraint_name == WITHIN_OVERDRAFT:
                raise Problem("insufficient_funds") from error
        raise
    return True


def balances(transfers: QuerySet[Transfer]) -> dict[int, int]:
    """Return the net amount of these transfers in each account, by account id."""
    found: dict[int, int] = {}
    for side, sign in (("debit_id", -1), ("credit_id", 1)):
        for account, total in transfers.values_list(side).annotate(total=Sum("amount")).order_by():
            found[account] = found.get(account, 0) + sign * int(total)
    return found


def balance_at(account: Account, at: datetime) -> int:
    """Return the balance of an account at a moment: the sum of its transfers up to then.

    Of transfers that left the database, all count from the last of them.
    """
    opening = OpeningBalance.objects.filter(account=account, until__lte=at).first()
    left = 0 if opening is None else opening.credits - opening.debits
    touching = Transfer.objects.filter(at__lte=at)
    debited = touching.filter(debit=account).aggregate(total=Sum("amount"))["total"] or 0
    credited = touching.filter(credit=account).aggregate(total=Sum("amount"))["total"] or 0
    return int(left + credited - debited)


class Divergence(NamedTuple):
    """Two figures of the ledger that should be equal."""

    what: str
    expected: int
    found: int


def divergences() -> Iterable[Divergence]:
    """Find accounts whose totals differ from their transfers and their opening balance, units that
    do not sum to zero, and transfers with the wrong accounts."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT * FROM (
                SELECT a.id, a.book, a.key, a.debits, a.credits,
                    coalesce(d.total, 0) + coalesce(o.debits, 0) AS debited,
                    coalesce(c.total, 0) + coalesce(o.credits, 0) AS credited
                FROM accounts_account a
                LEFT JOIN (
                    SELECT debit_id, sum(amount) total FROM accounts_transfer GROUP BY 1
                ) d ON d.debit_id = a.id
                LEFT JOIN (
                    SELECT credit_id, sum(amount) total FROM accounts_transfer GROUP BY 1
                ) c ON c.credit_id = a.id
                LEFT JOIN accounts_openingbalance o ON o.account_id = a.id
            ) compared
            WHERE debits <> debited OR credits <> credited
            """
        )
        for number, book, key, debits, credits_, debited, credited in cursor.fetchall():
            if debits != debited:
                yield Divergence(f"debits of account {number} ({book} {key})", int(debited), debits)
            if credits_ != credited:
                yield Divergence(
                    f"credits of account {number} ({book} {key})", int(credited), credits_
                )
        cursor.execute(
            "SELECT unit, sum(credits - debits) FROM accounts_account GROUP BY unit "
            "HAVING sum(credits - debits) <> 0"
        )
        for unit, total in cursor.fetchall():
            yield Divergence(f"sum of all balances in {unit}", 0, int(total))
        cursor.execute(
            """
            SELECT t.id, d.unit, c.unit, t.book, CASE WHEN d.book = c.book THEN d.book ELSE %s END
            FROM accounts_transfer t
            LEFT JOIN accounts_account d ON d.id = t.debit_id
            LEFT JOIN accounts_account c ON c.id = t.credit_id
            WHERE d.id IS NULL OR c.id IS NULL OR d.unit <> c.unit
                OR t.book <> CASE WHEN d.book = c.book THEN d.book ELSE %s END
            """,
            [BETWEEN_BOOKS, BETWEEN_BOOKS],
        )
        for number, debit_unit, credit_unit, book, expected in cursor.fetchall():
            if missing := (debit_unit, credit_unit).count(None):
                yield Divergence(f"accounts of transfer {number}", 2, 2 - missing)
                continue
            if debit_unit != credit_unit:
                yield Divergence(f"units of transfer {number} ({debit_unit}, {credit_unit})", 1, 2)
            if book != expected:
                yield Divergence(f"books of transfer {number} ({book}, {expected})", 1, 2)


TRANSFERS: Final = Rows(
    "transfer",
    cause="uuid",
    number="bigint",
    position="int",
    debit="bigint",
    credit="bigint",
    amount="bigint",
    reason="text",
)
"""The transfers that a statement of the store posts. The cause is the book of both accounts."""


def _posted(rows: str) -> str:
    return f"""
posted AS (
    INSERT INTO accounts_transfer
        (book, cause, number, position, debit_id, credit_id, amount, reason)
    SELECT cause, cause, number, position, debit, credit, amount, reason FROM {rows}
)
"""  # noqa: S608  (of constants)


# The part of a statement of the store that posts transfers. It expects a CTE `won(game_id,
# version)` of the accepted commits, whose heads are locked. Games never share an account, so the
# accounts need no lock order.
GROUPED_POSTING: Final = f"""
posting AS MATERIALIZED (
    SELECT transfer.* FROM {TRANSFERS.source("many")}
    JOIN won ON won.game_id = transfer.cause AND won.version = transfer.number
),
{_posted("posting")},
movement AS (
    SELECT account, sum(debit) AS debits, sum(credit) AS credits FROM (
        SELECT debit AS account, amount AS debit, 0 AS credit FROM posting
        UNION ALL SELECT credit, 0, amount FROM posting
    ) AS side GROUP BY account
),
balanced AS (
    UPDATE accounts_account a SET debits = a.debits + m.debits, credits = a.credits + m.credits
    FROM movement m WHERE a.id = m.account
)
"""  # noqa: S608  (of constants)

# The same for the one transfer of one commit.
POSTING: Final = f"""
{_posted(f"{TRANSFERS.source('one')} CROSS JOIN won")},
balanced AS (
    UPDATE accounts_account a SET
        debits = a.debits + CASE a.id
            WHEN {TRANSFERS.parameter("debit")} THEN {TRANSFERS.parameter("amount")} ELSE 0 END,
        credits = a.credits + CASE a.id
            WHEN {TRANSFERS.parameter("credit")} THEN {TRANSFERS.parameter("amount")} ELSE 0 END
    FROM won
    WHERE a.id IN ({TRANSFERS.parameter("debit")}, {TRANSFERS.parameter("credit")})
)
"""  # noqa: S608  (of constants)
