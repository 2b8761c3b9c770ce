"""Damaged histories are found by the pass, and put back from a backup."""

import os
import subprocess
import sys
from urllib.parse import urlencode

import psycopg
import pytest
from django.db import connection

from games import lobbies
from games.log.sealing import Sealer
from games.models import Game, Head
from games.proofs.verification import verify_game
from games.store import hashing
from games.store.commits import DamagedError
from railbird_engine.kernel.chain import Kind
from tests import builders
from tests.builders import NewGame, NewUser
from tests.lobbies.scene import freeze, revealed
from tests.log.scene import logged
from tests.moves import forget, take_in_turn
from tests.play.damaged import CHANGES, played
from tests.processes import ROOT, environment_with
from tests.store.tampering import damage


def backed_up(game: Game) -> str:
    """A copy of the commits of a game, as if in another database. Return its URL."""
    schema = f"kept_{game.id.hex}"
    url = os.environ["DATABASE_OWNER_URL"]
    with psycopg.connect(url) as owner:
        owner.execute(f"CREATE SCHEMA {schema}")
        owner.execute(
            f"CREATE TABLE {schema}.games_commit AS SELECT * FROM games_commit WHERE game_id = %s",
            [game.id],
        )
    mark = "&" if "?" in url else "?"
    return f"{url}{mark}{urlencode({'options': f'-csearch_path={schema}'})}"


def restored(game: Game, backup: str, new_user: NewUser) -> tuple[int, str]:
    operator = new_user()
    operator.is_staff = True
    operator.save()
    by = ("--reason", "a disk failed", "--by", operator.username)
    command = [sys.executable, "manage.py", "restore_history", str(game.id), "--backup", backup]
    done = subprocess.run(
        [*command, *by],
        cwd=ROOT,
        env=environment_with({}),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("kind", [kind for kind in CHANGES if kind != "gap"])
def test_the_pass_finds_a_damaged_row(new_game: NewGame, kind: str) -> None:
    change, version = CHANGES[kind]
    game, other = played(new_game), played(new_game)
    looking = hashing.Pass()
    looking._from = (game.id, 0)
    assert looking.hash_next().suspect == []
    damage(game, change)
    looking._from = (game.id, 0)
    assert looking.hash_next().suspect == [game.id]
    assert Head.objects.get(game=game).damaged == version
    assert Head.objects.get(game=other).damaged is None


def test_a_pass_does_not_begin_again_at_once(new_game: NewGame) -> None:
    played(new_game)
    looking = hashing.Pass()
    while looking.hash_next().rows == hashing.ROWS_AT_ONCE:
        pass
    assert looking.hash_next().rows == 0
    looking._begin_at = 0.0
    assert looking.hash_next().rows


def game_with_entropy(seats: int) -> Game:
    """A game of two whose guest adds entropy."""
    assert seats == 2
    host, guest = builders.new_user(), builders.new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", capacity=seats))
    entropy = freeze(lobby, host, guest)
    return revealed(lobby, {guest: entropy})


@pytest.mark.parametrize(
    "make", [builders.new_game, pytest.param(game_with_entropy, marks=pytest.mark.slow)]
)
def test_a_history_is_put_back_from_a_backup(
    make: NewGame, new_user: NewUser, own_log: object
) -> None:
    game = played(make)
    Sealer().seal()
    backup = backed_up(game)
    take_in_turn(game, 10)
    damage(game, CHANGES["body"][0])
    damage(game, CHANGES["last"][0])
    forget(game)
    with pytest.raises(DamagedError):
        take_in_turn(game, 20)
    assert restored(game, backup, new_user) == (0, "2 commits are back: [3, 5]\n")
    forget(game)
    assert take_in_turn(game, 20) == 7
    Sealer().seal()
    assert (logged(game)[-1].kind, logged(game)[-1].version) == (Kind.ADVANCED, 7)
    assert verify_game(game.id).findings == []


def test_a_backup_with_another_history_repairs_nothing(
    new_game: NewGame, new_user: NewUser
) -> None:
    game = played(new_game)
    backup = backed_up(game)
    with psycopg.connect(backup) as other:
        other.execute("UPDATE games_commit SET body = body || 'x' WHERE version = 3")
    damage(game, CHANGES["body"][0])
    code, said = restored(game, backup, new_user)
    assert (code, "lacks the right commit 3" in said) == (1, True)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_trigger WHERE tgname = 'append_only_rows' "
            "AND tgrelid = 'games_commit'::regclass AND tgenabled = 'A'"
        )
        assert cursor.fetchone() == (1,)
