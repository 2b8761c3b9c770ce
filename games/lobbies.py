"""The room before a game: who sits down, who hosts, what it costs, and how it becomes a game. And after it: the payout.

Functions here are synchronous and run in one transaction under the lobby's row.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import transaction
from uuid_utils.compat import uuid7

from accounts import ledger
from accounts.ledger import Posting
from accounts.models import Account, User
from accounts.problems import Problem
from games import loop, services, store
from games.audit import chain
from games.engine import BANK, Options, RuleViolation
from games.engine.server import Started
from games.models import Game, Head, Lobby, Seat
from games.registry import newest_rules
from games.rules import AnyRules
from games.store import Opened
from games.tables import Table

ENTROPY_MAX: Final = 32
BUY_IN_MAX: Final = 1_000_000_000
PAYOUT: Final = 0
"""The number of a game's payout among its postings; its commits are numbered from 1."""

BOT_NAMES: Final = ("Ada", "Blaise", "Carl", "Daniel", "Emmy", "Fermat", "Gerolamo", "Henri", "Isaac", "Jakob")


def check_options(slug: str, options: Mapping[str, Any]) -> tuple[AnyRules, Options]:
    """The rules and the options as they will be played.

    Raises msgspec.ValidationError, RuleViolation, Problem `unknown_game`.
    """
    rules = newest_rules(slug)
    checked = msgspec.convert(options, rules.options_type, strict=True)
    fitting_seats(rules, checked)
    return rules, checked


def fitting_seats(rules: AnyRules, options: Options) -> list[int]:
    """The numbers of players that these options allow, fewest first. Raises RuleViolation when there are none."""
    fitting, refusal = [], None
    for seats in rules.seats:
        try:
            rules.setup(seats, options)
            fitting.append(seats)
        except RuleViolation as violation:
            refusal = refusal or violation
    if not fitting and refusal is not None:
        raise refusal
    return fitting


def create(  # noqa: PLR0913  (the choices of a host)
    host: User,
    slug: str,
    *,
    options: Mapping[str, Any] | None = None,
    title: str = "",
    visibility: str = Lobby.Visibility.PUBLIC,
    capacity: int | None = None,
    buy_in: int = 0,
    prizes: Sequence[int] = (100,),
    entropy: bytes = b"",
) -> Lobby:
    """Open a lobby and sit its host down in the first seat. The hash of the seed is public from here on.

    Raises as `check_options`, and Problem `wrong_capacity`, `guests_cannot_stake`, `insufficient_funds`.
    """
    rules, checked = check_options(slug, options or {})
    fitting = fitting_seats(rules, checked)
    capacity = fitting[-1] if capacity is None else capacity
    if capacity not in fitting:
        raise Problem("wrong_capacity", least=fitting[0], most=fitting[-1])
    with transaction.atomic():
        lobby = Lobby.objects.create(
            title=title,
            slug=slug,
            options=msgspec.to_builtins(checked),
            host=host,
            visibility=visibility,
            capacity=capacity,
            buy_in=buy_in,
            prizes=list(prizes),
        )
        _sit(lobby, host, entropy)
    return lobby


def join(user: User, lobby_id: UUID, *, entropy: bytes = b"") -> Lobby:
    """Take the first free seat of a public lobby. Joining again changes nothing.

    Raises Problem `not_found`, `lobby_not_open`, `lobby_full`, `guests_cannot_stake`, `insufficient_funds`.
    """
    with transaction.atomic():
        lobby = _locked(lobby_id)
        seated = Seat.objects.filter(lobby=lobby, user=user).exists()
        if lobby.visibility != Lobby.Visibility.PUBLIC and not seated:
            raise Problem("not_found", what="lobby")
        if not seated:
            _sit(lobby, user, entropy)
    return lobby


def join_by_code(user: User, invite_code: str, *, entropy: bytes = b"") -> Lobby:
    """Take the first free seat of the lobby with this invite code. Raises as `join`."""
    lobby_id = Lobby.objects.filter(invite_code=invite_code).values_list("id", flat=True).first()
    if lobby_id is None:
        raise Problem("not_found", what="lobby")
    with transaction.atomic():
        lobby = _locked(lobby_id)
        if not Seat.objects.filter(lobby=lobby, user=user).exists():
            _sit(lobby, user, entropy)
    return lobby


def leave(user: User, lobby_id: UUID) -> Lobby:
    """Stand up and take the buy-in back. A host who leaves hands over to the next person; the last one closes the lobby.

    Raises Problem `not_found`, `lobby_not_open`.
    """
    with transaction.atomic():
        lobby = _open(lobby_id)
        _stand_up(lobby, _seat_of(lobby, user))
    return lobby


def set_ready(user: User, lobby_id: UUID, *, ready: bool) -> Lobby:
    """Say whether one is ready to start. Raises Problem `not_found`, `lobby_not_open`."""
    with transaction.atomic():
        lobby = _open(lobby_id)
        seat = _seat_of(lobby, user)
        seat.ready = ready
        seat.save(update_fields=["ready"])
    return lobby


def add_bot(host: User, lobby_id: UUID) -> Lobby:
    """Sit a bot down. Raises Problem `not_found`, `not_the_host`, `lobby_not_open`, `lobby_full`, `bots_cannot_stake`."""
    with transaction.atomic():
        lobby = _open(lobby_id, host)
        if lobby.buy_in:
            raise Problem("bots_cannot_stake")
        number = _free_number(lobby)
        taken = set(Seat.objects.filter(lobby=lobby).values_list("bot_name", flat=True))
        name = next((name for name in BOT_NAMES if name not in taken), f"Bot {number}")
        Seat.objects.create(lobby=lobby, number=number, bot_name=name, ready=True)
    return lobby


def remove_seat(host: User, lobby_id: UUID, number: int) -> Lobby:
    """The host asks a bot or a person to leave. Raises Problem `not_found`, `not_the_host`, `lobby_not_open`."""
    with transaction.atomic():
        lobby = _open(lobby_id, host)
        seat = Seat.objects.filter(lobby=lobby, number=number).first()
        if seat is None:
            raise Problem("not_found", what="seat")
        _stand_up(lobby, seat)
    return lobby


def start(host: User, lobby_id: UUID) -> Game:
    """Turn the lobby into a running game: seats, purses and the first commit in one transaction.

    Raises Problem `not_found`, `not_the_host`, `lobby_not_open`, `not_ready`, `wrong_number_of_seats`, or a RuleViolation
    of the game's own about its options.
    """
    with transaction.atomic():
        lobby = _open(lobby_id, host)
        rules, options = check_options(lobby.slug, lobby.options)
        seats = list(Seat.objects.filter(lobby=lobby).order_by("number"))
        if len(seats) not in rules.seats:
            raise Problem("wrong_number_of_seats", seats=len(seats), least=rules.seats[0], most=rules.seats[-1])
        waiting = [seat.number for seat in seats if not seat.ready and seat.user_id != host.id]
        if waiting:
            raise Problem("not_ready", seats=waiting)
        for number, seat in enumerate(seats):
            seat.number = number
        Seat.objects.bulk_update(seats, ["number"])
        game = _begin(lobby, rules, options, seats)
        lobby.status = Lobby.Status.STARTED
        lobby.save(update_fields=["status"])
    return game


def _begin(lobby: Lobby, rules: AnyRules, options: Options, seats: Sequence[Seat]) -> Game:
    game_id = uuid7()
    genesis = msgspec.json.encode(
        chain.Genesis(
            game=game_id,
            rules=rules.slug,
            rules_version=rules.version,
            edition=rules.edition(options),
            seats=len(seats),
            options=msgspec.Raw(msgspec.json.encode(options)),
            entropy=tuple(bytes(seat.entropy).hex() for seat in seats),
            seed_hash=lobby.seed_hash,
        )
    )
    game = Game.objects.create(id=game_id, lobby=lobby, slug=rules.slug, rules_version=rules.version, genesis=genesis)
    bots = sum(seat.user_id is None for seat in seats)
    Head.objects.create(game=game, hash=chain.genesis_hash(genesis), bots=bots)
    purses = rules.setup(len(seats), options).purses
    accounts = Account.objects.bulk_create(
        Account(book=game_id, key=purse, unit=rules.unit, overdraft=ledger.UNLIMITED if purse == BANK else 0)
        for purse in purses
    )
    opened = Opened(
        slug=rules.slug,
        rules_version=rules.version,
        genesis=genesis,
        seed=bytes(lobby.seed),
        users={seat.number: seat.user_id for seat in seats if seat.user_id is not None},
        bots=frozenset(seat.number for seat in seats if seat.user_id is None),
        accounts={account.key: account.id for account in accounts},
        spectators=lobby.visibility == Lobby.Visibility.PUBLIC,
        snapshot=None,
    )
    try:
        decided = Table(game_id, opened).decide(None, Started())
    except RuleViolation as violation:
        raise Problem(violation.code, **violation.data) from violation
    taken = store.append_here([decided.entry])
    assert game_id in taken, "the first commit of a new game was refused"
    return game


# Seats


def _locked(lobby_id: UUID) -> Lobby:
    try:
        return Lobby.objects.select_for_update().get(id=lobby_id)
    except Lobby.DoesNotExist:
        raise Problem("not_found", what="lobby") from None


def _open(lobby_id: UUID, host: User | None = None) -> Lobby:
    """An open lobby, locked; for its host only, when one is named."""
    lobby = _locked(lobby_id)
    if host is not None and lobby.host_id != host.id:
        hidden = lobby.visibility != Lobby.Visibility.PUBLIC and not Seat.objects.filter(lobby=lobby, user=host).exists()
        raise Problem("not_found", what="lobby") if hidden else Problem("not_the_host")
    if lobby.status != Lobby.Status.OPEN:
        raise Problem("lobby_not_open", status=lobby.status)
    return lobby


def _seat_of(lobby: Lobby, user: User) -> Seat:
    seat = Seat.objects.filter(lobby=lobby, user=user).first()
    if seat is None:
        raise Problem("not_found", what="lobby")
    return seat


def _free_number(lobby: Lobby) -> int:
    taken = set(Seat.objects.filter(lobby=lobby).values_list("number", flat=True))
    free = next((number for number in range(lobby.capacity) if number not in taken), None)
    if free is None:
        raise Problem("lobby_full", capacity=lobby.capacity)
    return free


def _sit(lobby: Lobby, user: User, entropy: bytes) -> None:
    if lobby.status != Lobby.Status.OPEN:
        raise Problem("lobby_not_open", status=lobby.status)
    if len(entropy) > ENTROPY_MAX:
        raise Problem("malformed", path="$.entropy", expected=f"at most {ENTROPY_MAX} bytes")
    number = _free_number(lobby)
    if lobby.buy_in:
        if user.is_guest:
            raise Problem("guests_cannot_stake")
        _post(lobby, ledger.wallet_of(user), _escrow(lobby), "buy_in")
    Seat.objects.create(lobby=lobby, number=number, user=user, entropy=entropy)


def _stand_up(lobby: Lobby, seat: Seat) -> None:
    if lobby.buy_in and seat.user is not None:
        _post(lobby, _escrow(lobby), ledger.wallet_of(seat.user), "buy_in_returned")
    seat.delete()
    if seat.user_id != lobby.host_id:
        return
    heir = Seat.objects.filter(lobby=lobby, user__isnull=False).order_by("number").first()
    if heir is None:
        Seat.objects.filter(lobby=lobby).delete()
        lobby.status = Lobby.Status.CLOSED
    else:
        assert heir.user is not None
        lobby.host = heir.user
    lobby.save(update_fields=["host", "status"])


def _escrow(lobby: Lobby) -> Account:
    return ledger.open_account(lobby.id, "escrow", ledger.COIN)


def _post(lobby: Lobby, debit: Account, credit: Account, reason: str) -> None:
    lobby.postings += 1
    lobby.save(update_fields=["postings"])
    posted = ledger.post(cause=lobby.id, number=lobby.postings, postings=[Posting(debit.id, credit.id, lobby.buy_in, reason)])
    assert posted, "a lobby's postings are numbered under its lock"


# After the game


def settle_ended(most: int = 100) -> int:
    """Pay out the games that ended, or pay back those that were voided; answers how many. Once each, whoever calls it."""
    ended = Head.objects.filter(settled=False).exclude(ended=Head.Ended.NO).order_by("ended_at")
    heads = list(ended.select_related("game__lobby")[:most])
    for head in heads:
        _settle(head)
    return len(heads)


def _settle(head: Head) -> None:
    lobby = head.game.lobby
    shares: Mapping[int, int] = {}
    seats = list(Seat.objects.filter(lobby=lobby).order_by("number").select_related("user"))
    if lobby.buy_in and head.ended == Head.Ended.VOIDED:
        shares = {seat.number: lobby.buy_in for seat in seats}
    elif lobby.buy_in:
        table = loop.call(services.at_head(head.game_id))
        result = table.rules.result(table.state)
        assert result is not None, "a finished game has a result"
        shares = share(lobby.buy_in * len(seats), lobby.prizes, result.ranking)
    with transaction.atomic():
        if shares:
            escrow = _escrow(lobby)
            people = {seat.number: seat.user for seat in seats if seat.user is not None}
            ledger.post(
                cause=head.game_id,
                number=PAYOUT,
                postings=[
                    Posting(escrow.id, ledger.wallet_of(people[number]).id, amount, "payout")
                    for number, amount in sorted(shares.items())
                    if amount
                ],
            )
        Head.objects.filter(game_id=head.game_id).update(settled=True)


def share(pot: int, prizes: Sequence[int], ranking: Sequence[Sequence[int]]) -> dict[int, int]:
    """Who gets what of the pot, all of it: `prizes` weighs the ranks, seats that tie share the prizes of the ranks they
    fill, and odd coins go by seat order, first among the best.
    """
    seats = sum(len(group) for group in ranking)
    weights = [*prizes, *([0] * seats)][:seats]
    total = sum(weights)
    shares: dict[int, int] = {}
    place = 0
    for group in ranking:
        weight = sum(weights[place : place + len(group)])
        place += len(group)
        each = pot * weight // total // len(group)
        shares.update(dict.fromkeys(group, each))
    odd = pot - sum(shares.values())
    by_rank = [seat for group in ranking for seat in sorted(group)]
    paid = [seat for seat in by_rank if shares[seat]] or by_rank
    for index in range(odd):
        shares[paid[index % len(paid)]] += 1
    return shares
