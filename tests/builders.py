"""Create users and games, and restart the log: what the fixtures of these names hand out."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
from django.db.models import Q

from accounts import ledger
from accounts.models import User
from games import lobbies
from games.live.signed_notes import signing
from games.models import Game, Head
from games.play import corrections
from kit import event_loop

NewUser = Callable[[], User]
NewGame = Callable[..., Game]


def new_user() -> User:
    """Create a user with an opening grant."""
    user = User.objects.create(username=f"user-{uuid4().hex}", display_name="Somebody")
    ledger.grant_opening(user)
    return user


def new_game(seats: int = 2, slug: str = "free_spots", **options: object) -> Game:
    """Start a load game with users on all seats."""
    host = new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug=slug, options=options))
    for _ in range(seats - 1):
        guest = new_user()
        lobbies.join(guest, lobby.id)
        lobbies.set_ready(guest, lobby.id, ready=True)
    return start_game(host, lobby.id)


def start_game(host: User, lobby_id: UUID) -> Game:
    """Start the game of a lobby in which nobody adds entropy, and return it."""
    return Game.objects.get(lobby=lobbies.start(host, lobby_id))


def end_games() -> None:
    """Void the games that the clock and bots would play on, while the next tests run."""
    goes_on = Q(due_at__isnull=False) | Q(bots__gt=0)
    for head in Head.objects.filter(goes_on, ended="", stalled=""):
        event_loop.call(corrections.void(head.game_id, "The test is over."))


def empty_log() -> None:
    """Restart the log with the games that start from now on, without the entries of other tests.

    The key of the test process forgets what it signed, so that workers continue the empty log.
    """
    key = Path(os.environ["LOG_KEY_FILE"])
    key.with_name(f"{key.name}.checkpoint").unlink(missing_ok=True)
    shutil.rmtree(key.with_name(f"{key.name}.entries"), ignore_errors=True)
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        for table in (
            "games_logkey",
            "games_logentry",
            "games_logtile",
            "games_logcheckpoint",
            "games_logcosignature",
        ):
            (is_used,) = owner.execute(f"SELECT EXISTS (SELECT FROM {table})").fetchone() or (True,)
            if is_used:  # A change of triggers makes each session of the database plan again.
                owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only_rows")
                owner.execute(f"DELETE FROM {table}")
                owner.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only_rows")
        owner.execute("DELETE FROM games_pendingentry")
        owner.execute("DELETE FROM games_follower")  # its positions are those of the log before
        owner.execute("UPDATE games_head SET sealed = true WHERE NOT sealed")
    event_loop.store_loop().call_soon_threadsafe(lambda: signing().forget())
