"""The seeds of games: encrypted in the database until nothing depends on them, then disclosed."""

import secrets
from collections import Counter
from typing import Final
from uuid import UUID

import structlog
from django.conf import settings

from games.engine import chain
from games.keys import encryption
from games.models import Lobby
from kit.problems import Problem

log = structlog.get_logger(__name__)

SEED_LENGTH: Final = 32
LOBBIES_PER_QUERY: Final = 1000

_reported: Final[set[str]] = set()
"""The errors of seed keys that this process has logged: clients and clocks repeat them."""


def draw_seed(lobby: Lobby) -> None:
    """Draw the seed of a new lobby's game. Raises Problem `unavailable`."""
    seed = secrets.token_bytes(SEED_LENGTH)
    try:
        lobby.seed_box = encryption.encrypt(settings.SEED_KEY_FILE, seed, lobby.id)
    except encryption.Unusable as error:
        log.error("seed_keys_unusable", error=str(error))  # noqa: TRY400 -- one line says it
        raise Problem("unavailable") from error
    lobby.seed_hash = chain.seed_hash(seed)


def seed_of(lobby: Lobby) -> bytes:
    """Return the seed of a lobby, disclosed or not. Raises as `opened`."""
    disclosed = None if lobby.seed is None else bytes(lobby.seed)
    return opened(disclosed, bytes(lobby.seed_box), lobby.seed_hash, lobby.id)


def opened(seed: bytes | None, box: bytes, seed_hash: str, lobby: UUID) -> bytes:
    """Return a lobby's seed from its stored fields.

    Raises Problem `seed_key_missing`, Altered if it does not match the published hash.
    """
    if seed is None:
        try:
            seed = encryption.decrypt(settings.SEED_KEY_FILE, box, lobby)
        except (encryption.Unusable, encryption.KeyMissing) as error:
            if str(error) not in _reported:
                _reported.add(str(error))
                log.error("seed_key_missing", lobby=str(lobby), error=str(error))  # noqa: TRY400
            raise Problem("seed_key_missing") from error
    if chain.seed_hash(seed) != seed_hash:
        raise encryption.Altered(f"the seed of lobby {lobby} does not match its published hash")
    return seed


def disclosed(lobby: Lobby) -> bytes | None:
    """Return the seed of an ended game, or None without its key."""
    try:
        return seed_of(lobby)
    except (Problem, encryption.Altered):
        return None


def encrypt_again() -> Counter[str]:
    """Encrypt every secret seed with the first key, and count the lost ones by key id.

    A seed is lost if no key in the file decrypts it. Raises Unusable.
    """
    first, lost = encryption.keys_in(settings.SEED_KEY_FILE)[0].id, Counter[str]()
    rows = Lobby.objects.filter(seed=None).values_list("id", "seed_box")
    for lobby, stored in rows.iterator(LOBBIES_PER_QUERY):
        box = bytes(stored)
        if box.startswith(first):
            continue
        try:
            seed = encryption.decrypt(settings.SEED_KEY_FILE, box, lobby)
        except (encryption.KeyMissing, encryption.Altered):
            lost[box[: encryption.ID_LENGTH].hex()] += 1
            continue
        again = encryption.encrypt(settings.SEED_KEY_FILE, seed, lobby)
        Lobby.objects.filter(id=lobby, seed_box=box).update(seed_box=again)
    return lost


def in_use() -> Counter[str]:
    """Count the secret seeds by the id of the key that encrypts them."""
    boxes = Lobby.objects.filter(seed=None).values_list("seed_box", flat=True)
    return Counter(bytes(box)[: encryption.ID_LENGTH].hex() for box in boxes.iterator(10_000))
