"""Steps of tables that several tests of lobbies take."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest
from django.db import connection

from accounts import ledger
from accounts.models import User
from games import lobbies
from games.lobbies.attempts import terms_of
from games.log.sealing import Sealer
from games.models import Game, Lobby, Seat
from kit.problems import Problem
from railbird_engine.kernel import chain


def current(lobby: Lobby) -> Lobby:
    return Lobby.objects.get(id=lobby.id)


def seat_of(lobby: Lobby, user: User) -> Seat:
    return Seat.objects.get(lobby=lobby, user=user)


def opened_hash(lobby: Lobby) -> bytes:
    return chain.entry_hash(chain.opened_entry(terms_of(current(lobby))))


def committed(user: User, lobby: Lobby) -> bytes:
    """Commit to fresh entropy, as a client does."""
    entropy, opening = os.urandom(32), opened_hash(lobby)
    commitment = chain.commitment(opening, seat_of(lobby, user).number, entropy)
    lobbies.commit(user, lobby.id, lobbies.Commitment(opening, commitment))
    return entropy


def ready(user: User, lobby: Lobby) -> None:
    lobbies.set_ready(user, lobby.id, ready=True)


def freeze(lobby: Lobby, host: User, guest: User) -> bytes:
    """Let a guest sit down and commit to entropy, and the host start; return the entropy."""
    lobbies.join(guest, lobby.id)
    entropy = committed(guest, lobby)
    ready(guest, lobby)
    lobbies.start(host, lobby.id)
    return entropy


def committed_hash(lobby: Lobby) -> bytes:
    return chain.entry_hash(bytes(current(lobby).committed))


def reveal(user: User, lobby: Lobby, entropy: bytes) -> Lobby:
    return lobbies.reveal(user, lobby.id, committed=committed_hash(lobby), entropy=entropy)


def seal() -> None:
    """Let the log have what the lobbies wait for, and let them go on."""
    Sealer().seal()
    lobbies.advance_starts()


def revealed(lobby: Lobby, entropies: Mapping[User, bytes]) -> Game:
    """Take a frozen lobby to its game, as its players and the sealer do."""
    seal()
    for user, entropy in entropies.items():
        reveal(user, lobby, entropy)
    seal()
    return Game.objects.get(lobby=lobby)


def balance(user: User) -> int:
    return ledger.wallet_of(user).balance


def in_threads(calls: list[Callable[[], object]]) -> list[object]:
    """Run the calls at the same time. Return the results, or the codes of the problems."""

    def run(call: Callable[[], object]) -> object:
        try:
            return call()
        except Problem as problem:
            return problem.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(Problem) as problem:
        call()
    return problem.value.code


def seats_of(lobby: Lobby) -> dict[int, UUID | None]:
    return dict(Seat.objects.filter(lobby=lobby).order_by("number").values_list("number", "user"))
