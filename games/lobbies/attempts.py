"""Attempts to start a lobby's game: the terms and the log name that are fixed when one opens, and
the log entries that open and abandon one.

The game's dice follow from the `opened` entry, so it stands in the log before anybody's entropy is
known.
"""

import secrets
from typing import Final

import msgspec
from uuid_utils.compat import uuid7

from games.engine import AnyRules, Options, chain
from games.models import Lobby, PendingEntry
from games.store import seeds
from games.store.heads import ABANDONED_AT, OPENED_AT

SALT_LENGTH: Final = 32


def open_attempt(
    lobby: Lobby, rules: AnyRules, options: Options, *, abandoned: bytes | None = None
) -> None:
    """Draw a seed, fix the terms of a lobby's game, and have the log say so.

    Does not save the lobby. Raises Problem `unavailable`.

    `abandoned` is the hash of the entry that ended the attempt before. Expects a transaction.
    """
    seeds.draw_seed(lobby)
    terms = chain.Terms(
        name=lobby.log_name,
        salt=secrets.token_hex(SALT_LENGTH),
        game=uuid7(),
        rules=rules.slug,
        rules_version=rules.version,
        edition=rules.edition(options),
        options=msgspec.Raw(msgspec.json.encode(options)),
        seed_hash=lobby.seed_hash,
        abandoned=None if abandoned is None else abandoned.hex(),
    )
    lobby.terms = msgspec.json.encode(terms)
    PendingEntry.objects.create(name=terms.name, version=OPENED_AT, entry=chain.opened_entry(terms))


def terms_of(lobby: Lobby) -> chain.Terms:
    """Return the terms of the lobby's game."""
    return chain.decode_terms(bytes(lobby.terms))


def abandon_attempt(lobby: Lobby) -> bytes:
    """Have the log say that the game will not start under this name, and disclose its seed.

    Returns the hash of the entry. Expects the lobby locked. Raises as `seeds.seed_of`.
    """
    terms = terms_of(lobby)
    entry = chain.abandoned_entry(terms, seeds.seed_of(lobby), ())
    PendingEntry.objects.create(name=terms.name, version=ABANDONED_AT, entry=entry)
    return chain.entry_hash(entry)
