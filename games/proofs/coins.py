"""Cross-checks of coins: buy-ins, escrow, payouts and corrections, against the games' logs."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from django.db.models import F, Q, QuerySet

from accounts import ledger
from accounts.models import Account, Transfer
from games.lobbies.money import COLLECTED, DEBT_BOOK, PAYOUT
from games.models import Game, Lobby, Seat
from games.proofs.findings import Finding, differences
from games.proofs.verification import Verified
from railbird_engine.kernel.payouts import owed
from railbird_engine.kernel.server_commands import SeatReplaced, Voided


def stray_findings() -> Iterator[Finding]:
    """Report transfers of coins that are neither an opening grant, nor a buy-in, nor a payout."""
    money = Lobby.objects.filter(buy_in__gt=0)
    grant = Q(
        number=0,
        position=0,
        reason="opening_grant",
        debit__key="mint",
        credit__key=ledger.WALLET,
        credit__book=F("cause"),
    )
    strays = Transfer.objects.filter(
        Q(debit__unit=ledger.COIN) | Q(credit__unit=ledger.COIN)
    ).exclude(grant)
    strays = strays.exclude(cause__in=money.values("id")).exclude(
        cause__in=Game.objects.filter(lobby__in=money).values("id")
    )
    for row in strays.order_by("id").iterator(2000):
        yield Finding(
            f"transfer {row.id} of {row.amount} coins",
            "a cause",
            f"{row.reason} of {row.cause} number {row.number}",
        )


def wallets_of(lobby: Lobby) -> dict[int, int]:
    """Return the wallet of each seat's user, by seat number."""
    seats = dict(
        Seat.objects.filter(lobby=lobby, user__isnull=False).values_list("user_id", "number")
    )
    accounts = Account.objects.filter(book__in=seats, key=ledger.WALLET).values_list("book", "id")
    return {seats[book]: account for book, account in accounts}


def buy_in_findings(lobby: Lobby, wallets: Mapping[int, int]) -> Iterator[Finding]:
    """Check the buy-ins: whole amounts, numbered without gaps, one in escrow per seated user."""
    posted = Transfer.objects.filter(cause=lobby.id)
    yield from _collection_findings(f"lobby {lobby.id}", posted)
    rows = list(posted.exclude(reason=COLLECTED).order_by("number", "position"))
    numbers = [(row.number, row.position) for row in rows]
    wanted = [(number, 0) for number in range(1, lobby.postings + 1)]
    yield from differences(f"lobby {lobby.id}: posting", wanted, numbers)
    for row in rows:
        if (row.amount, row.reason) not in {
            (lobby.buy_in, "buy_in"),
            (lobby.buy_in, "buy_in_returned"),
        }:
            yield Finding(
                f"lobby {lobby.id}: posting {row.number}",
                lobby.buy_in,
                f"{row.amount} as {row.reason}",
            )
    escrow = _account(lobby.id, "escrow")
    expected = {
        **dict.fromkeys(wallets.values(), -lobby.buy_in),
        escrow: lobby.buy_in * len(wallets),
    }
    found = ledger.balances(posted.exclude(reason=COLLECTED))
    yield from _balance_findings(f"lobby {lobby.id}: buy-ins", expected, found)


def payout_findings(verified: Verified, wallets: Mapping[int, int]) -> Iterator[Finding]:
    """Check the payout and all corrections of a game that its log verifies.

    The payout must share the pot as of some version that ended the game. Each correction must move
    the difference that its version made, from the wallet or as a debt. After the last correction
    nothing may be due.
    """
    game = verified.game
    shares = _shares(verified, wallets)
    posted: dict[int, list[Transfer]] = {}
    coins = Transfer.objects.filter(cause=game.id, number__lte=PAYOUT)
    yield from _collection_findings(f"game {game.id}", coins)
    for row in coins.exclude(reason=COLLECTED).order_by("-number", "position"):
        posted.setdefault(-row.number, []).append(row)
    escrow = _account(game.lobby_id, "escrow")
    received: dict[int, int] = {}
    paid = posted.pop(PAYOUT, None)
    if paid is not None:
        received = _moved(paid, "payout")
        before = {at: shared for at, shared in shares.items() if at <= min(posted, default=at)}
        pot = {escrow: -game.lobby.buy_in * len(wallets)}
        possible = [_without_zeros({**shared, **pot}) for shared in before.values()]
        if _without_zeros(received) not in possible:
            yield Finding(f"game {game.id}: payout", possible[-1] if possible else None, received)
    for version, rows in posted.items():
        moved = _with_debts(_moved(rows, "correction"), wallets)
        due = {
            account: amount - received.get(account, 0)
            for account, amount in shares.get(version, {}).items()
        }
        expected = _without_zeros({**due, _account(ledger.MINT_BOOK, "house"): -sum(due.values())})
        yield from _balance_findings(
            f"game {game.id}: correction after version {version}", expected, moved
        )
        for account, amount in moved.items():
            received[account] = received.get(account, 0) + amount
    head = game.head
    if head.settled and head.ended and head.version not in posted:
        for account, amount in shares.get(head.version, {}).items():
            got = received.get(account, 0)
            if got != amount:
                yield Finding(f"game {game.id}: what account {account} got", amount, got)


def _shares(verified: Verified, wallets: Mapping[int, int]) -> dict[int, dict[int, int]]:
    """Return what each wallet was due, for every version at which the game had ended."""
    lobby, found, forfeited = verified.game.lobby, {}, set[int]()
    for commit in verified.replayed:
        if isinstance(commit.command, SeatReplaced) and commit.command.forfeits:
            forfeited.add(commit.command.seat)
        ranking = commit.body.ranking
        if ranking is not None or isinstance(commit.command, Voided):
            by_seat = owed(lobby.buy_in, lobby.prizes, wallets, ranking, forfeited)
            found[commit.version] = {wallets[seat]: amount for seat, amount in by_seat.items()}
    return found


def _moved(rows: Sequence[Transfer], reason: str) -> dict[int, int]:
    """Return the net amount in each account of those transfers that have this reason."""
    return ledger.balances(
        Transfer.objects.filter(id__in=[row.id for row in rows if row.reason == reason])
    )


def _with_debts(moved: Mapping[int, int], wallets: Mapping[int, int]) -> dict[int, int]:
    """Return the amounts with what a debt took added to what the wallet did."""
    books = dict(Account.objects.filter(id__in=wallets.values()).values_list("book", "id"))
    owed = Account.objects.filter(book=DEBT_BOOK, key__in=map(str, books))
    wallet_of = {account: books[UUID(key)] for account, key in owed.values_list("id", "key")}
    found: dict[int, int] = {}
    for account, amount in moved.items():
        wallet = wallet_of.get(account, account)
        found[wallet] = found.get(wallet, 0) + amount
    return found


def _collection_findings(what: str, posted: QuerySet[Transfer]) -> Iterator[Finding]:
    """Report collections that do not pay a user's debt from the user's wallet."""
    for row in posted.filter(reason=COLLECTED).select_related("debit", "credit"):
        expected = (ledger.WALLET, DEBT_BOOK, str(row.debit.book))
        paid = (row.debit.key, row.credit.book, row.credit.key)
        if paid != expected:
            yield Finding(f"{what}: collection {row.id}", expected, paid)


def _account(book: UUID, key: str) -> int:
    """Return the id of an account, or 0 if it does not exist."""
    return Account.objects.filter(book=book, key=key).values_list("id", flat=True).first() or 0


def _without_zeros(amounts: Mapping[int, int]) -> dict[int, int]:
    return {account: amount for account, amount in amounts.items() if amount}


def _balance_findings(
    what: str, expected: Mapping[int, int], found: Mapping[int, int]
) -> Iterator[Finding]:
    """Report accounts whose amounts differ."""
    for account in sorted({*expected, *found}):
        if expected.get(account, 0) != found.get(account, 0):
            yield Finding(
                f"{what}, account {account}", expected.get(account, 0), found.get(account, 0)
            )
