"""Turn a lobby into a running game."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection, transaction

from accounts import ledger
from accounts.models import Account, User
from games.lobbies.access import open_lobby, record
from games.lobbies.attempts import commit_to_people, reveal, reveals_of, terms_of
from games.lobbies.reservations import release
from games.models import Game, Lobby, Seat
from games.reads.lobby_events import GameStarted, StartDue
from games.store import appending, heads, seeds
from games.store.builds import build_with
from games.store.loaded_games import LoadedGame
from games.store.registry import rules_for
from games.store.rows import StoredGame
from kit.problems import Problem
from railbird_engine import BANK, AnyRules, Options, RuleViolation
from railbird_engine.kernel import chain
from railbird_engine.kernel.server_commands import Started

REVEAL_S: Final = {Lobby.Pace.LIVE: 10, Lobby.Pace.SLOW: 48 * 3600}
"""Seconds in which the players of a full table reveal their entropy, by its pace."""


def start(host: User, lobby_id: UUID, *, entropy: bytes | None = None) -> Game:
    """Start a lobby's game: seats, purses and the first commit in one transaction (host only).

    A host who has committed reveals the entropy here. Raises Problem `not_found`, `not_the_host`,
    `lobby_not_open`, `not_ready`, `wrong_number_of_seats`, `seed_key_missing`, or a RuleViolation
    of the game about its options; and as `reveal`.
    """
    with transaction.atomic():
        lobby = open_lobby(lobby_id, host)
        rules, _ = rules_for(terms_of(lobby))
        if own := Seat.objects.filter(lobby=lobby, user=host).first():
            reveal(lobby, own, entropy)
        seats = _seats(lobby)
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
    """Start the game of a locked lobby if it starts when full, is full and everybody is ready.

    If it only waits for players who commit to entropy, they have to reveal it within `REVEAL_S`.
    """
    if not lobby.start_when_full or not lobby.is_open:
        return
    seats = _seats(lobby)
    waiting = _not_ready(lobby, seats)
    is_full = len(seats) == lobby.capacity
    if is_full and not waiting:
        _start(lobby, seats)
        return
    is_due = is_full and all(
        seat.commits and seat.entropy is None for seat in seats if seat.number in waiting
    )
    if is_due != (lobby.status == Lobby.Status.STARTING):
        status, by = (
            (Lobby.Status.STARTING, _in_a_while(REVEAL_S[Lobby.Pace(lobby.pace)]))
            if is_due
            else (Lobby.Status.OPEN, None)
        )
        lobby.status, lobby.starts_by = status, by
        lobby.save(update_fields=["status", "starts_by"])
        record(lobby, StartDue(by=by))


def _in_a_while(seconds: int) -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp() + %s * interval '1 s'", (seconds,))
        (by,) = cursor.fetchone()
    assert isinstance(by, datetime)
    return by


def _seats(lobby: Lobby) -> list[Seat]:
    return list(Seat.objects.filter(lobby=lobby).order_by("number"))


def _not_ready(lobby: Lobby, seats: Sequence[Seat]) -> list[int]:
    """Return the seats for which the start waits. The host's start counts as being ready."""
    return [
        seat.number
        for seat in seats
        if (not seat.ready and seat.user_id != lobby.host_id)
        or (seat.commits and seat.entropy is None)
    ]


def _start(lobby: Lobby, seats: Sequence[Seat]) -> Game:
    rules, options = rules_for(terms_of(lobby))
    reveals = reveals_of(seats)
    for number, seat in enumerate(seats):
        seat.number = number
    people = commit_to_people(terms_of(lobby), seats)
    Seat.objects.bulk_update(seats, ["number", "salt"])
    game = _begin(lobby, rules, options, seats, reveals, people)
    release(lobby, *lobby.held)
    lobby.status = Lobby.Status.STARTED
    lobby.bots_due_at = lobby.starts_by = None
    lobby.save(update_fields=["status", "bots_due_at", "starts_by"])
    record(lobby, GameStarted(game=game.id))
    return game


def _begin(
    lobby: Lobby,
    rules: AnyRules,
    options: Options,
    seats: Sequence[Seat],
    reveals: tuple[chain.Reveal, ...],
    people: tuple[str | None, ...],
) -> Game:
    terms = terms_of(lobby)
    game_id = terms.game
    genesis = msgspec.json.encode(
        chain.Genesis(
            **msgspec.structs.asdict(terms),
            seats=len(seats),
            reveals=reveals,
            people=people,
            build=build_with(rules),
        )
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
    heads.create_here(game, terms, bots, is_slow=lobby.is_slow)
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
        seed=seeds.secret_seed_of(lobby),
        has_ended=False,
        users={seat.number: seat.user_id for seat in seats if seat.user_id is not None},
        bots=frozenset(seat.number for seat in seats if seat.user_id is None),
        accounts={account.key: account.id for account in accounts},
        spectators=lobby.lets_watch,
        lobby=lobby.id,
        is_slow=lobby.is_slow,
        stand_ins=frozenset(),
        forfeited=frozenset(),
        next_at=None,
        version=0,
        damaged=None,
        snapshot=None,
    )
    try:
        first = LoadedGame(game_id, rows).decide(None, Started())
    except RuleViolation as violation:
        raise Problem(violation.code, **violation.data) from violation
    (stored,) = appending.append_here([first])
    assert stored is not None, "the first commit of a new game is stored"
    return game
