"""The embedded PostgreSQL and Valkey, started and killed for real."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from gameserver.processes.embedded import (
    EmbeddedError,
    EmbeddedServers,
    Urls,
    identity,
    urls_of_running,
)
from gameserver.processes.embedded.postgres import Postgres
from kit.installation import FOLDER as ROOT

pytestmark = pytest.mark.ci

QUICK = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
HOLDER = """
import json, pathlib, signal, sys
from gameserver.processes.embedded import EmbeddedServers
servers = EmbeddedServers(pathlib.Path(sys.argv[1]))
servers.start()
print(json.dumps([child.pid for child in servers.children]), flush=True)
signal.pause()
"""

Make = Callable[[], EmbeddedServers]


@pytest.fixture
def servers(tmp_path: Path) -> Make:
    return lambda: EmbeddedServers(tmp_path / "data", settings=QUICK)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Servers that hold a word, after a first start that had been interrupted before.

    The path of their folder is too long for a socket. Each test stops them again, and leaves them
    as they were.
    """
    folder = tmp_path_factory.mktemp("stopped") / ("long" * 20) / ("longer" * 10)
    draft = folder / "postgres.new"
    draft.mkdir(parents=True)
    (draft / "PG_VERSION").write_text("18")
    with EmbeddedServers(folder, settings=QUICK) as urls:
        assert not draft.exists(), "an interrupted first start leaves no incomplete cluster"
        remember(urls, "before")
    return lambda: EmbeddedServers(folder, settings=QUICK)


def remember(urls: Urls, word: str) -> None:
    assert urls.owner_url is not None
    with psycopg.connect(urls.owner_url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS memory (word text)")
        connection.execute("INSERT INTO memory VALUES (%s)", [word])


def memories(urls: Urls) -> list[str]:
    assert urls.database_url is not None
    with psycopg.connect(urls.database_url) as connection:
        return [word for (word,) in connection.execute("SELECT word FROM memory ORDER BY word")]


def test_a_first_start_gives_servers_that_only_one_process_holds(servers: Make) -> None:
    first = servers()
    assert urls_of_running(first.folder) is None
    with first as urls:
        with pytest.raises(EmbeddedError, match=f"in use by process {os.getpid()}"):
            servers().start()
        assert urls_of_running(first.folder) == urls
        assert (first.folder / "servers.json").stat().st_mode & 0o777 == 0o600
        remember(urls, "still here")
        assert memories(urls) == ["still here"]
        check_rights(urls)
        assert urls.redis_url
        with redis.Redis.from_url(urls.redis_url) as client:
            assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
            assert client.config_get("save") == {"save": ""}
    assert urls_of_running(first.folder) is None


def check_rights(urls: Urls) -> None:
    """The application reads and writes but owns nothing, also in a database that is made later."""
    assert urls.database_url
    assert urls.owner_url
    with psycopg.connect(urls.database_url, autocommit=True) as application:
        application.execute("INSERT INTO memory VALUES ('mine')")
        application.execute("UPDATE memory SET word = upper(word)")
        application.execute("DELETE FROM memory WHERE word = 'MINE'")
        for forbidden in (
            "DROP TABLE memory",
            "TRUNCATE memory",
            "CREATE TABLE other ()",
            "SET ROLE gameserver_owner",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                application.execute(forbidden)
    with psycopg.connect(urls.owner_url, autocommit=True) as owner:
        owner.execute("CREATE DATABASE another")
    with psycopg.connect(urls.owner_url, dbname="another") as owner:
        owner.execute("CREATE TABLE things (id bigserial, name text)")
    with psycopg.connect(urls.database_url, dbname="another") as application:
        application.execute("INSERT INTO things (name) VALUES ('a thing')")


@pytest.mark.slow
def test_a_server_that_is_not_wanted_is_not_started(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path, postgres=False) as urls:
        assert (urls.database_url, urls.owner_url) == (None, None)
        assert urls.redis_url
    assert not (tmp_path / "postgres").exists()


@pytest.mark.parametrize(
    "victims", [pytest.param("the holder", marks=pytest.mark.slow), "everyone"]
)
def test_a_start_recovers_from_kill_nine(stopped: Make, victims: str) -> None:
    folder = stopped().folder
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, folder], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout
        children = [psutil.Process(pid) for pid in json.loads(holder.stdout.readline())]
        holder.kill()
        if victims == "everyone":
            for child in children:
                child.kill()
    with stopped() as urls:
        assert memories(urls) == ["before"]
        assert not [
            child
            for child in children
            if child.is_running() and child.status() != psutil.STATUS_ZOMBIE
        ]


@pytest.mark.slow
def test_a_postgres_that_outlived_its_holder_is_stopped_first(stopped: Make) -> None:
    folder = stopped().folder
    with tempfile.TemporaryDirectory() as runtime:
        (Path(runtime) / "postgres").mkdir()
        left_over = Postgres(
            folder / "postgres",
            runtime=Path(runtime, "postgres"),
            log=folder / "log" / "left_over.log",
            settings=QUICK,
        )
        left_over.start()
        with stopped() as urls:
            assert memories(urls) == ["before"]
            assert left_over.child.exit_code == 0


@pytest.mark.slow
def test_a_reused_pid_is_ignored(stopped: Make) -> None:
    folder = stopped().folder
    stranger = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE)
    try:
        (folder / "postgres" / "postmaster.pid").write_text(
            f"{stranger.pid}\n{folder}/postgres\n1\n5432\n/tmp\n\n\nready\n"
        )
        with stopped() as urls:
            assert memories(urls) == ["before"]
        assert stranger.poll() is None
    finally:
        stranger.communicate()


def test_a_broken_cluster_is_one_line_with_the_reason(stopped: Make) -> None:
    version = stopped().folder / "postgres" / "PG_VERSION"
    whole = version.read_text()
    version.write_text("9\n")
    with pytest.raises(EmbeddedError, match=r"\APostgreSQL did not start: .*incompatible.*\Z"):
        stopped().start()
    version.write_text(whole)


def test_an_unusable_folder_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedError, match=r"\A.*cannot be used.*GAMESERVER_DATA_DIR.*\Z"):
        EmbeddedServers(tmp_path / "file" / "data").start()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root hands PostgreSQL to somebody else")
def test_root_gets_advice_when_the_user_nobody_cannot_read_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "_traversal_capability", lambda: None)
    (tmp_path / "closed").mkdir(mode=0o700)
    with pytest.raises(
        EmbeddedError, match=r"\APostgreSQL does not run as root.*set DATABASE_URL.*\Z"
    ):
        EmbeddedServers(tmp_path / "closed" / "data").start()


def test_missing_wheels_are_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gameserver.processes.embedded.programs.find_spec", lambda _name: None)
    with pytest.raises(
        EmbeddedError,
        match=r"\A.*not installed: run `uv sync`, or set DATABASE_URL.*\Z",
    ):
        EmbeddedServers(tmp_path).start()
