"""Buy-ins: take them into escrow, return them, and pay them out after the game."""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Q

from accounts import ledger
from accounts.ledger import Posting
from accounts.models import Account, Transfer, User
from games.models import Head, Lobby, Seat
from games.play import service
from games.store import heads
from kit import event_loop
from kit.problems import Problem
from railbird_engine.kernel.chain import Ranking
from railbird_engine.kernel.payouts import owed

BUY_IN_MAX: Final = 1_000_000_000
DEBT_BOOK: Final = UUID(int=1)
"""The book of what corrections could not take from wallets; the keys are the ids of users."""
COLLECTED: Final = "owed_collected"
CORRECTION: Final = "correction"
PAYOUT: Final = 0
"""The posting number of a game's payout. Commits are numbered from 1."""


def take_buy_in(lobby: Lobby, user: User) -> None:
    """Move the buy-in from the wallet into escrow.

    Raises Problem `guests_cannot_stake`, `bots_cannot_stake`, `email_required`,
    `insufficient_funds`.
    """
    if lobby.buy_in:
        if user.is_guest:
            raise Problem("guests_cannot_stake")
        if user.is_bot:
            raise Problem("bots_cannot_stake")
        if settings.GRANT_REQUIRES_EMAIL and not user.email:
            raise Problem("email_required")
        _post(lobby, ledger.wallet_of(user), _escrow(lobby), "buy_in")


def return_buy_in(lobby: Lobby, user: User) -> None:
    """Move the buy-in from escrow back into the wallet, less what the user owes."""
    if lobby.buy_in:
        wallet = ledger.wallet_of(user)
        debt = _lock([wallet]).debts.get(wallet.id)
        owed = [] if debt is None else debt.collected(lobby.buy_in)
        _post(lobby, _escrow(lobby), wallet, "buy_in_returned", *owed)


def _escrow(lobby: Lobby) -> Account:
    return ledger.open_account(lobby.id, "escrow", ledger.COIN)


def _post(lobby: Lobby, debit: Account, credit: Account, reason: str, *others: Posting) -> None:
    lobby.postings += 1
    lobby.save(update_fields=["postings"])
    posted = ledger.post(
        cause=lobby.id,
        number=lobby.postings,
        postings=[Posting(debit.id, credit.id, lobby.buy_in, reason), *others],
    )
    assert posted, "a lobby's postings are numbered under its lock"


# Debts: what a correction could not take from a wallet


class _Debt(NamedTuple):
    """The account of what a user owes, below zero, beside the wallet."""

    account: int
    wallet: int
    amount: int

    def collected(self, credited: int) -> list[Posting]:
        """Return the posting that pays the debt from what the wallet is credited."""
        paid = min(credited, self.amount)
        return [Posting(self.wallet, self.account, paid, COLLECTED)] if paid else []


class _Locked(NamedTuple):
    """Locked wallets: their balances, and the debts of their users, by wallet."""

    held: Mapping[int, int]
    debts: Mapping[int, _Debt]


def _lock(wallets: Collection[Account]) -> _Locked:
    """Lock wallets and the debts of their users, in the order of their ids."""
    wallet_of = {str(wallet.book): wallet.id for wallet in wallets}
    accounts = Account.objects.select_for_update(no_key=True).order_by("id")
    debts = Q(book=DEBT_BOOK, key__in=wallet_of)
    found = list(accounts.filter(Q(id__in=wallet_of.values()) | debts))
    return _Locked(
        {account.id: account.balance for account in found if account.book != DEBT_BOOK},
        {
            wallet_of[account.key]: _Debt(account.id, wallet_of[account.key], -account.balance)
            for account in found
            if account.book == DEBT_BOOK
        },
    )


def owed_by(user: User) -> Account:
    """Return the account of what a user owes; it has no limit."""
    return ledger.open_account(
        DEBT_BOOK, str(user.id), ledger.COIN, overdraft=ledger.UNLIMITED, owner=user
    )


# Payouts


class NotSettledError(Exception):
    """Games could not be paid out. The message counts them, and names one and why."""


def settle_ended(most: int = 100) -> int:
    """Pay out up to `most` finished games and refund voided ones, each once. Return how many.

    Safe to call from several processes. Raises NotSettledError after the others were settled: a
    game whose rules or seed this build lacks keeps nobody else from the payout.
    """
    settled = failed = 0
    example: tuple[UUID, Exception] | None = None
    for head in heads.ended_and_unsettled(most):
        try:
            _settle(head)
        except DatabaseError:
            raise  # the others would fail as well, each after a long wait
        except Exception as error:  # noqa: BLE001  (raised below)
            failed += 1
            example = example or (head.game_id, error)
        else:
            settled += 1
            if settled == most:
                break
    if example:
        game, why = example
        reason = f"{type(why).__name__} {why}"
        raise NotSettledError(f"{failed} games, such as {game}: {reason}") from why
    return settled


def _settle(head: Head) -> None:
    lobby = head.game.lobby
    seats = list(Seat.objects.filter(lobby=lobby).order_by("number").select_related("user"))
    people = [seat.number for seat in seats]
    ranking: Ranking | None = None
    if lobby.buy_in and head.ended != Head.Ended.VOIDED:
        loaded = event_loop.call(service.at_head(head.game_id))
        result = loaded.rules.result(loaded.state)
        assert result is not None, "a finished game has a result"
        ranking = result.ranking
    shares = owed(lobby.buy_in, lobby.prizes, people, ranking, head.forfeited)
    users = {seat.number: seat.user for seat in seats if seat.user is not None and shares}
    wallets = {number: ledger.wallet_of(user) for number, user in users.items()}
    with transaction.atomic():
        if not heads.settle_here(head):
            return
        if shares and not _is_paid_out(head):
            debts, escrow = _lock(wallets.values()).debts, _escrow(lobby)
            postings = [
                Posting(escrow.id, wallets[number].id, amount, "payout")
                for number, amount in sorted(shares.items())
                if amount
            ]
            for posting in postings.copy():
                if debt := debts.get(posting.credit):
                    postings += debt.collected(posting.amount)
            ledger.post(cause=head.game_id, number=PAYOUT, postings=postings)
        elif shares:
            _pay_difference(head, users, wallets, shares)


def _is_paid_out(head: Head) -> bool:
    return Transfer.objects.filter(cause=head.game_id, number=PAYOUT).exists()


def _pay_difference(
    head: Head, users: Mapping[int, User], wallets: Mapping[int, Account], shares: Mapping[int, int]
) -> None:
    """Settle the difference after a correction: the house pays what is missing.

    Players return what they received in excess. They owe what their wallets lack, and their next
    payouts and returned buy-ins pay it.
    """
    locked = _lock(wallets.values())
    received = received_from(head.game_id)
    house = ledger.house()
    postings: list[Posting] = []
    for number, share_ in sorted(shares.items()):
        wallet, debt = wallets[number].id, locked.debts.get(wallets[number].id)
        got = received.get(wallet, 0) + (received.get(debt.account, 0) if debt else 0)
        due = share_ - got
        if due > 0:
            postings.append(Posting(house.id, wallet, due, CORRECTION))
            postings += debt.collected(due) if debt else []
        elif due < 0:
            paid = min(-due, locked.held[wallet])
            if paid:
                postings.append(Posting(wallet, house.id, paid, CORRECTION))
            if paid < -due:
                owed = owed_by(users[number]).id
                postings.append(Posting(owed, house.id, -due - paid, CORRECTION))
    # The number is the negated version of the correction, below that of the payout: numbers above
    # it are commits that move the game's own money.
    ledger.post(cause=head.game_id, number=-head.version, postings=postings)


def received_from(game: UUID) -> dict[int, int]:
    """Return what accounts received from the payout of a game and its corrections, by account id.

    Coins that debts collected of it count as received.
    """
    moved = Transfer.objects.filter(cause=game, number__lte=PAYOUT)
    return ledger.balances(moved.exclude(reason=COLLECTED))
