"""Terms of games in the database, as its administrator can change them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import msgspec
import psycopg

from games import lobbies
from games.models import Lobby, LogEntry
from railbird_engine.audit.log import Entry
from railbird_engine.kernel import chain

TABLE = lobbies.LobbyChoices(slug="free_spots")


@contextmanager
def owner() -> Iterator[psycopg.Connection]:
    """The owner of the database, without the triggers of lobbies."""
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as connection:
        connection.execute("ALTER TABLE games_lobby DISABLE TRIGGER attempt_stays")
        try:
            yield connection
        finally:
            connection.execute("ALTER TABLE games_lobby ENABLE ALWAYS TRIGGER attempt_stays")


def logged(name: UUID) -> list[Entry]:
    rows = LogEntry.objects.filter(name=name).order_by("index").values_list("entry", flat=True)
    return [Entry.decode(bytes(row)) for row in rows]


def change_terms(lobby: Lobby, drawn: Lobby, **fields: object) -> None:
    terms = msgspec.structs.replace(chain.decode_terms(bytes(lobby.terms)), **fields)
    with owner() as connection:
        connection.execute(
            "UPDATE games_lobby SET seed_box = %s, seed_hash = %s, terms = %s WHERE id = %s",
            [drawn.seed_box, drawn.seed_hash, msgspec.json.encode(terms), lobby.id],
        )
