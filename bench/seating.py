"""Fill tables for an experiment through the services: users, tokens and started games."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction
from uuid_utils.compat import uuid7

from accounts.models import User
from accounts.tokens import begin_session
from games import lobbies
from games.lobbies import starting
from games.lobbies.access import locked
from games.lobbies.attempts import draw_links, draw_salts, terms_of
from games.models import Lobby, Seat
from railbird_engine.kernel import chain

GAMES_PER_TRANSACTION = 50


class Seated(NamedTuple):
    """A started game, its name in the log, and one token per seat; with players who sign, one key
    per seat, and the hash of the genesis."""

    game: UUID
    tokens: Sequence[str]
    name: UUID
    keys: Sequence[bytes] = ()
    genesis: bytes = b""


def seat_tables(
    sizes: Sequence[int],
    slug: str,
    options: Mapping[str, Any] | None = None,
    *,
    bots: int = 0,
    signing: bool = False,
) -> list[Seated]:
    """Start one game per size, with that many users and `bots` bots at its table. With `signing`,
    the users have keys, and the log knows nothing of their commitments."""
    everybody = User.objects.bulk_create(
        User(username=(name := uuid7().hex), display_name=name[:8], is_guest=True)
        for _ in range(sum(sizes))
    )
    waiting = iter(everybody)
    seated: list[Seated] = []
    for first in range(0, len(sizes), GAMES_PER_TRANSACTION):
        with transaction.atomic():
            for size in sizes[first : first + GAMES_PER_TRANSACTION]:
                people = [next(waiting) for _ in range(size)]
                seated += [_seat(people, slug, options, bots, signing=signing)]
    return seated


def _seat(
    people: Sequence[User],
    slug: str,
    options: Mapping[str, Any] | None,
    bots: int,
    *,
    signing: bool,
) -> Seated:
    host, *others = people
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug=slug, options=dict(options or {})))
    for person in others:
        lobbies.join(person, lobby.id)
        lobbies.set_ready(person, lobby.id, ready=True)
    for _ in range(bots):
        lobbies.add_bot(host, lobby.id)
    tokens = [begin_session(person).text for person in people]
    terms = terms_of(lobby)
    if signing:
        return Seated(terms.game, tokens, terms.name, *_start_signed(locked(lobby.id), terms))
    lobbies.start(host, lobby.id)
    return Seated(terms.game, tokens, terms.name)


def _start_signed(lobby: Lobby, terms: chain.Terms) -> tuple[list[bytes], bytes]:
    """Start the game of a locked lobby as if everybody had committed with a key, and revealed.
    Return the private keys by seat, and the hash of the genesis."""
    opened = chain.entry_hash(chain.opened_entry(terms))
    seats, keys = list(Seat.objects.filter(lobby=lobby).order_by("number")), list[bytes]()
    draw_salts(seats)
    draw_links(terms, seats)
    for seat in seats:
        private = Ed25519PrivateKey.generate()
        seat.entropy = secrets.token_bytes(32)
        seat.commitment = chain.commitment(opened, seat.number, seat.entropy)
        seat.key = private.public_key().public_bytes_raw()
        text = chain.seat_text(opened.hex(), seat.number, seat.key.hex(), seat.commitment.hex())
        seat.signature = private.sign(text)
        keys.append(private.private_bytes_raw())
    lobby.rows_salt = secrets.token_bytes(chain.SALT_LENGTH)
    game = starting.begin_game(lobby, seats)
    return keys, chain.genesis_hash(bytes(game.genesis))
