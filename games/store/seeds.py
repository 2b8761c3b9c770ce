"""The seeds of games: encrypted in the database until nothing depends on them, then disclosed.

A seed is encrypted for one lobby and one log name, so a row of the database cannot lend it to
another game or to a later attempt. A game that has not ended takes its seed from nowhere else.
"""

import secrets
from collections import Counter
from typing import Final
from uuid import UUID

import structlog
from django.conf import settings

from games.models import Lobby
from kit import encryption, key_files
from kit.problems import Problem
from railbird_engine.kernel import chain

log = structlog.get_logger(__name__)

SEED_LENGTH: Final = 32
LOBBIES_PER_QUERY: Final = 1000

_reported: Final[set[str]] = set()
"""The errors of seed keys that this process has logged: clients and clocks repeat them."""


def draw_seed(lobby: Lobby) -> None:
    """Draw the seed of a lobby's game under its log name. Raises Problem `unavailable`."""
    seed = secrets.token_bytes(SEED_LENGTH)
    owner = owner_of(lobby.id, lobby.log_name)
    try:
        lobby.seed_box = encryption.encrypt(settings.SEED_KEY_FILE, seed, owner)
    except key_files.UnusableKeyError as error:
        log.error("seed_keys_unusable", error=str(error))  # noqa: TRY400 -- one line says it
        raise Problem("unavailable") from error
    lobby.seed_hash = chain.seed_hash(seed)


def owner_of(lobby: UUID, name: UUID) -> bytes:
    """Return the associated data of an encrypted seed."""
    return lobby.bytes + name.bytes


def seed_of(lobby: Lobby) -> bytes:
    """Return the seed of a lobby, disclosed or not. Raises as `opened`."""
    disclosed = None if lobby.seed is None else bytes(lobby.seed)
    box = bytes(lobby.seed_box)
    return opened(disclosed, box, lobby.seed_hash, lobby.id, lobby.log_name)


def secret_seed_of(lobby: Lobby) -> bytes:
    """Return the seed of a lobby whose game has not ended. Raises as `opened`."""
    return opened(None, bytes(lobby.seed_box), lobby.seed_hash, lobby.id, lobby.log_name)


def opened(seed: bytes | None, box: bytes, seed_hash: str, lobby: UUID, name: UUID) -> bytes:
    """Return a lobby's seed from its stored fields.

    `seed` is the disclosed one, which only serves games that have ended. Raises Problem
    `seed_key_missing`, AlteredError if it does not match the published hash.
    """
    if seed is None:
        try:
            seed = encryption.decrypt(settings.SEED_KEY_FILE, box, owner_of(lobby, name))
        except (key_files.UnusableKeyError, encryption.KeyMissingError) as error:
            if str(error) not in _reported:
                _reported.add(str(error))
                log.error("seed_key_missing", lobby=str(lobby), error=str(error))  # noqa: TRY400
            raise Problem("seed_key_missing") from error
    if chain.seed_hash(seed) != seed_hash:
        raise encryption.AlteredError(
            f"the seed of lobby {lobby} does not match its published hash"
        )
    return seed


def to_disclose(
    seed: bytes | None, box: bytes, seed_hash: str, lobby: UUID, name: UUID
) -> bytes | None:
    """Return what `opened` does; None without the key, and for a seed that was altered."""
    try:
        return opened(seed, box, seed_hash, lobby, name)
    except Problem:
        return None
    except encryption.AlteredError as error:
        log.critical("seed_altered", lobby=str(lobby), error=str(error))
        return None


def encrypt_again() -> None:
    """Encrypt every secret seed with the first key. Those of missing keys stay. Raises
    UnusableKeyError."""
    rows = Lobby.objects.filter(seed=None).values_list("id", "log_name", "seed_box")
    for lobby, name, stored in rows.iterator(LOBBIES_PER_QUERY):
        box, owner = bytes(stored), owner_of(lobby, name)
        again = encryption.encrypt_again(settings.SEED_KEY_FILE, box, owner)
        if again is not None:
            Lobby.objects.filter(id=lobby, seed_box=box).update(seed_box=again)


def in_use() -> Counter[str]:
    """Count the secret seeds by the id of the key that encrypts them."""
    boxes = Lobby.objects.filter(seed=None).values_list("seed_box", flat=True)
    return Counter(bytes(box)[: encryption.ID_LENGTH].hex() for box in boxes.iterator(10_000))
