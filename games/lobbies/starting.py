"""Turn a lobby into a running game."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from django.db import transaction

from accounts import ledger
from accounts.models import Account, User
from games.engine import BANK, AnyRules, Options, RuleViolation, chain
from games.engine.server import Started
from games.lobbies.access import open_lobby, record
from games.lobbies.attempts import terms_of
from games.lobbies.reservations import release
from games.models import Game, Lobby, Seat
from games.reads.lobby_events import GameStarted
from games.store import commits, heads, seeds
from games.store.commits import StoredGame
from games.store.loaded_games import LoadedGame
from games.store.registry import rules_for
from kit.problems import Problem


def start(host: User, lobby_id: UUID) -> Game:
    """Start a lobby's game: seats, purses and the first commit in one transaction (host only).

    Raises Problem `not_found`, `not_the_host`, `lobby_not_open`, `not_ready`,
    `wrong_number_of_seats`, `seed_key_missing`, or a RuleViolation of the game about its options.
    """
    with transaction.atomic():
        lobby = open_lobby(lobby_id, host)
        seats = _seats(lobby)
        rules, _ = rules_for(terms_of(lobby))
        if len(seats) not in rules.seats:
            raise Problem(
                "wrong_number_of_seats",
                seats=len(seats),
                least=rules.seats[0],
                most=rules.seats[-1],
            )
        if waiting := _not_ready(lobby, seats):
            raise Problem("not_ready", seats=waiting)
        return _start(lobby, seats)


def start_if_full(lobby: Lobby) -> None:
    """Start the game of a locked lobby if it starts when full, is full and everybody is ready."""
    if lobby.start_when_full:
        seats = _seats(lobby)
        if len(seats) == lobby.capacity and not _not_ready(lobby, seats):
            _start(lobby, seats)


def _seats(lobby: Lobby) -> list[Seat]:
    return list(Seat.objects.filter(lobby=lobby).order_by("number"))


def _not_ready(lobby: Lobby, seats: Sequence[Seat]) -> list[int]:
    return [seat.number for seat in seats if not seat.ready and seat.user_id != lobby.host_id]


def _start(lobby: Lobby, seats: Sequence[Seat]) -> Game:
    rules, options = rules_for(terms_of(lobby))
    for number, seat in enumerate(seats):
        seat.number = number
    Seat.objects.bulk_update(seats, ["number"])
    game = _begin(lobby, rules, options, seats)
    release(lobby, *lobby.held)
    lobby.status = Lobby.Status.STARTED
    lobby.bots_due_at = None
    lobby.save(update_fields=["status", "bots_due_at"])
    record(lobby, GameStarted(game=game.id))
    return game


def _begin(lobby: Lobby, rules: AnyRules, options: Options, seats: Sequence[Seat]) -> Game:
    terms = terms_of(lobby)
    game_id = terms.game
    genesis = msgspec.json.encode(
        chain.Genesis(**msgspec.structs.asdict(terms), seats=len(seats), reveals=())
    )
    game = Game.objects.create(
        id=game_id,
        lobby=lobby,
        slug=rules.slug,
        rules_version=rules.version,
        log_name=terms.name,
        genesis=genesis,
    )
    bots = sum(seat.user_id is None for seat in seats)
    heads.create_here(game, terms, bots)
    purses = rules.setup(len(seats), options).purses
    accounts = Account.objects.bulk_create(
        Account(
            book=game_id,
            key=purse,
            unit=rules.unit,
            overdraft=ledger.UNLIMITED if purse == BANK else 0,
        )
        for purse in purses
    )
    rows = StoredGame(
        slug=rules.slug,
        rules_version=rules.version,
        genesis=genesis,
        seed=seeds.seed_of(lobby),
        users={seat.number: seat.user_id for seat in seats if seat.user_id is not None},
        bots=frozenset(seat.number for seat in seats if seat.user_id is None),
        accounts={account.key: account.id for account in accounts},
        spectators=lobby.lets_watch,
        lobby=lobby.id,
        stand_ins=frozenset(),
        forfeited=frozenset(),
        next_at=None,
        snapshot=None,
    )
    try:
        first = LoadedGame(game_id, rows).decide(None, Started())
    except RuleViolation as violation:
        raise Problem(violation.code, **violation.data) from violation
    (stored,) = commits.append_here([first])
    assert stored is not None, "the first commit of a new game is stored"
    return game
