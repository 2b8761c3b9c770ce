"""Backups made by `backup` are restored by `restore`, on another server."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from games.log.sealing import Sealer
from gameserver.management.commands.deploy_files import FILES
from gameserver.processes.embedded import EmbeddedServers
from tests.builders import NewGame
from tests.deploy.backups import run, superuser
from tests.moves import take
from tests.processes import ROOT

pytestmark = pytest.mark.usefixtures("database")

FAST = {"fsync": "off", "full_page_writes": "off"}
EVERYTHING = """
SELECT (SELECT string_agg(encode(hash, 'hex'), '' ORDER BY game_id, version) FROM games_commit),
    (SELECT string_agg(encode(entry, 'hex'), '' ORDER BY index) FROM games_logentry),
    (SELECT string_agg(note, '' ORDER BY size) FROM games_logcheckpoint),
    (SELECT string_agg(t::text, '' ORDER BY t.id) FROM accounts_transfer t),
    (SELECT string_agg(a::text, '' ORDER BY a.id) FROM accounts_account a)
"""


@pytest.mark.slow
def test_a_dump_is_restored_on_another_server_to_the_last_hash(
    own_log: Path, new_game: NewGame, tmp_path: Path
) -> None:
    game = new_game(2, boards=1)
    for spot in range(3):
        take(game, spot)
    Sealer().seal()
    here = os.environ["DATABASE_OWNER_URL"]
    backup = run("backup", "dump", tmp_path / "backups", BACKUP_URL=superuser(here))
    with EmbeddedServers(tmp_path / "other", valkey=False, settings=FAST) as urls:
        assert urls.owner_url and urls.database_url
        there = superuser(urls.owner_url, "postgres")
        run("restore", "dump", backup, RESTORE_URL=there)
        copies = {
            name: urlunsplit(urlsplit(url)._replace(path=urlsplit(here).path))
            for name, url in {
                "DATABASE_URL": urls.database_url,
                "DATABASE_OWNER_URL": urls.owner_url,
            }.items()
        }
        with psycopg.connect(here) as ours, psycopg.connect(copies["DATABASE_OWNER_URL"]) as copy:
            assert copy.execute(EVERYTHING).fetchone() == ours.execute(EVERYTHING).fetchone()
        for check in (["protect_tables", "--check"], ["verify_game", str(game.id)]):
            verified = subprocess.run(
                [sys.executable, "manage.py", *check],
                cwd=ROOT,
                env={**os.environ, **copies},
                capture_output=True,
                text=True,
                check=False,
            )
            assert verified.returncode == 0, verified.stdout + verified.stderr


@pytest.mark.slow
def test_a_base_backup_continues_to_the_last_archived_write(tmp_path: Path) -> None:
    wal = tmp_path / "wal"
    wal.mkdir()
    wal.chmod(0o777)
    tmp_path.chmod(0o755)
    archive = {"archive_mode": "on", "archive_command": f"cp %p {wal}/%f"}
    with EmbeddedServers(tmp_path / "first", valkey=False, settings={**FAST, **archive}) as urls:
        assert urls.owner_url
        with psycopg.connect(superuser(urls.owner_url), autocommit=True) as database:
            database.execute("CREATE TABLE written AS SELECT 'before' AS how")
            backup = run(
                "backup", "base", tmp_path / "backups", BACKUP_URL=superuser(urls.owner_url)
            )
            database.execute("INSERT INTO written VALUES ('after')")
            database.execute("SELECT pg_switch_wal()")
    second = tmp_path / "second"
    run("restore", "base", backup, second / "postgres", wal)
    # Root restores it here, and hands it to the user that runs PostgreSQL.
    owner = f"--reference={tmp_path / 'first' / 'postgres'}"
    subprocess.run(["chown", "--recursive", owner, second / "postgres"], check=True)
    with EmbeddedServers(second, valkey=False, settings=FAST) as urls:
        assert urls.owner_url
        with psycopg.connect(superuser(urls.owner_url)) as database:
            found = database.execute("SELECT how FROM written ORDER BY how").fetchall()
    assert found == [("after",), ("before",)]


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the operator's private key and certificate."""
    folder = tmp_path_factory.mktemp("operator")
    made = "req -x509 -newkey rsa:3072 -noenc -days 1 -subj /CN=me -keyout key -out pem"
    subprocess.run(["openssl", *made.split()], cwd=folder, check=True, capture_output=True)
    return folder


def test_keys_are_archived_for_the_operator_alone_and_never_beside_a_dump(
    operator: Path, tmp_path: Path
) -> None:
    key, certificate = operator / "key", operator / "pem"
    names = ("log_key", "seed_key", "ack_key", ".env", "log_key.entries/0.jsonl")
    (tmp_path / "log_key.entries").mkdir()
    for name in names:
        (tmp_path / name).write_text(f"the secret of {name}")
    files = [tmp_path / name.partition("/")[0] for name in names]
    archive = Path(run("backup", "keys", tmp_path / "keys", certificate, *files))
    assert b"the secret" not in archive.read_bytes()
    assert [path.name for path in archive.parent.iterdir()] == [archive.name]
    assert archive.stat().st_mode & 0o077 == 0
    run("restore", "keys", archive, key, tmp_path / "restored")
    for name in names:
        assert (tmp_path / "restored" / name).read_text() == f"the secret of {name}"
    with pytest.raises(AssertionError, match="env exists"):
        run("restore", "keys", archive, key, tmp_path / "restored")
    run("restore", "keys", archive, key, tmp_path / "restored", "overwrite")
    (tmp_path / "dumps" / "dump-20260101T000000Z").mkdir(parents=True)
    with pytest.raises(AssertionError, match="keep the keys elsewhere"):
        run("backup", "keys", tmp_path / "dumps", certificate, *files)


def test_an_archive_of_keys_that_cannot_be_written_leaves_nothing(
    operator: Path, tmp_path: Path
) -> None:
    failing = tmp_path / "programs" / "tar"
    failing.parent.mkdir()
    failing.write_text("#!/bin/sh\nexit 2\n")
    failing.chmod(0o755)
    script, seed_key = FILES / "backup", tmp_path / "seed_key"
    seed_key.write_text("the secret of seed_key")
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run(
            [script, "keys", tmp_path / "keys", operator / "pem", seed_key],
            env={"PATH": f"{failing.parent}:{os.environ['PATH']}"},
            capture_output=True,
            check=True,
        )
    assert list((tmp_path / "keys").iterdir()) == []


@pytest.fixture
def other_disk() -> Iterator[Path]:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


def test_the_log_is_copied_to_another_disk_and_an_older_one_replaces_nothing(
    tmp_path: Path, other_disk: Path
) -> None:
    key, entries = tmp_path / "log_key", tmp_path / "log_key.entries"
    key.write_text("the secret")
    entries.mkdir()

    def signed(size: int, root: str = "root") -> None:
        (tmp_path / "log_key.checkpoint").write_text(f"example/log\n{size}\n{root}\n\nsigned\n")
        (entries / "0.jsonl").write_text("entry\n" * size)

    def copied() -> list[str]:
        files = (each for each in other_disk.rglob("*") if each.is_file())
        return sorted(f"{each.relative_to(other_disk)}: {each.read_text()}" for each in files)

    for size in (9, 10, 10):
        signed(size)
        run("backup", "log", other_disk, key)
        assert copied() == [
            f"log_key.checkpoint: example/log\n{size}\nroot\n\nsigned\n",
            "log_key.entries/0.jsonl: " + "entry\n" * size,
        ]
    before = copied()
    for size, root, refusal in ((9, "root", "only 9"), (10, "other", "two logs")):
        signed(size, root)
        with pytest.raises(AssertionError, match=refusal):
            run("backup", "log", other_disk, key)
    for folder, refusal in ((tmp_path, "is on the disk of"), (other_disk / "none", "is missing")):
        with pytest.raises(AssertionError, match=refusal):
            run("backup", "log", folder, key)
    assert copied() == before
