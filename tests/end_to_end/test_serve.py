"""`manage.py serve`: it starts and stops everything, and reports problems in one line."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from games.store.registry import catalogue
from gameserver.processes.children import free_port
from gameserver.processes.embedded import EmbeddedServers
from kit.installation import FOLDER as ROOT
from tests.end_to_end.commands import DEMO, check_demo
from tests.end_to_end.serving import READY, Serve, environment_with, manage
from tests.servers import copied_database
from tests.waiting import until

pytestmark = pytest.mark.xdist_group("serve")  # few first starts at a time

COUNT_USERS = "from accounts.models import User; print('users:', User.objects.count())"
ADD_USER = "from accounts.models import User; User.objects.create_user('ada')"
RESTARTING = "restarting it"


def start_and_kill_before_ready(serve: Serve) -> None:
    serve.says("Migrations applied")
    for name in ("gameserver.processes.web", "gameserver.processes.worker"):
        until(lambda name=name: serve.children(name) != [], f"the first {name}")  # type: ignore[misc]
        serve.children(name)[0].kill()
    serve.ready()
    assert serve.output.count(RESTARTING) == 2, "they were killed before they were ready"


@pytest.mark.ci
def test_everything_starts_plays_the_demo_and_stops(tmp_path: Path) -> None:
    with Serve(tmp_path, "--workers", "1", BOT_DELAY_PERCENT="3") as serve:
        serve.ready()
        check_demo(manage(tmp_path, *DEMO, "--url", serve.url))
        assert serve.output.count("migration") + serve.output.count("Migrations") == 1
        assert next(line for line in serve.lines if READY in line).endswith(f" {serve.url}/")
        assert "Revoked refresh tokens" not in serve.output
        assert serve.answers()
        serve.children()
        assert all((tmp_path / name).exists() for name in ("seed_key", "ack_key", "vapid_key"))
        assert serve.stop(signal.SIGINT) == 0
        assert serve.left_over() == []
        assert "Traceback" not in serve.output


@pytest.mark.slow
def test_everything_survives_kills_and_finds_its_data_and_port_again(tmp_path: Path) -> None:
    with Serve(tmp_path) as serve:
        start_and_kill_before_ready(serve)
        for name in (
            "gameserver.processes.web",
            "gameserver.processes.worker",
            "valkey-server",
            "bin/postgres -D",
        ):
            kill_and_await_another(serve, name)
        assert serve.answers()
        assert serve.output.count(RESTARTING) >= 6
        second = manage(tmp_path, "serve", "--port", str(free_port()))
        assert (second.returncode, second.stderr.count("\n")) == (1, 1)
        assert f"in use by process {serve.process.pid}" in second.stderr
        assert "users: 1" in manage(tmp_path, "shell", "-c", f"{ADD_USER}; {COUNT_USERS}").stdout
        assert "Traceback" not in serve.output
        assert serve.children()
        serve.process.kill()
        serve.process.wait()
        with Serve(tmp_path, port=serve.port) as again:
            again.ready()
            assert again.answers()
            again.children()
            assert again.stop(signal.SIGINT) == 0
            assert again.left_over() == []
            assert "Traceback" not in again.output
        assert serve.left_over() == []
    counted = manage(tmp_path, "shell", "-c", COUNT_USERS)
    assert "users: 1" in counted.stdout, "a command starts its own databases without a server"


def kill_and_await_another(serve: Serve, name: str) -> None:
    before, restarts = {child.pid for child in serve.children(name)}, serve.output.count(RESTARTING)
    serve.children(name)[0].kill()
    until(lambda: serve.output.count(RESTARTING) > restarts, f"the end of {name}")
    until(
        lambda: {child.pid for child in serve.children(name)} - before != set(), f"another {name}"
    )


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["Embedded", "Migrations applied"])
def test_a_stop_during_the_start_is_clean(tmp_path: Path, moment: str) -> None:
    with Serve(tmp_path) as serve:
        serve.says(moment)
        serve.children()
        assert serve.stop() == 0
        assert serve.left_over() == []
        assert "Traceback" not in serve.output
        assert serve.lines[-1] == "Stopped."


@pytest.mark.slow
def test_a_port_in_use_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = manage(tmp_path, "serve", "--port", port)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert (
        refused.stderr
        == f"manage.py: Port {port} on 127.0.0.1 is in use: end what listens there, or "
        "choose a --port.\n"
    )


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        (
            {"DATABASE_URL": "postgresql://nobody:hidden@127.0.0.1:1/nothing"},
            "DATABASE_URL does not answer",
        ),
        pytest.param(
            {"REDIS_URL": "redis://:hidden@127.0.0.1:1/0"},
            "REDIS_URL does not answer",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            {"SECRET_KEY": "change-me"},
            "SECRET_KEY must be 50 random characters or more",
            marks=pytest.mark.slow,
        ),
    ],
)
@pytest.mark.ci
def test_an_invalid_setting_is_reported_in_one_line_without_a_password(
    tmp_path: Path, variables: dict[str, str], reason: str
) -> None:
    refused = manage(tmp_path, "serve", "--port", str(free_port()), **variables)
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert reason in refused.stderr
    assert "hidden" not in refused.stderr + refused.stdout


@pytest.mark.slow
def test_a_missing_database_is_reported_in_one_line(tmp_path: Path) -> None:
    refused = manage(
        tmp_path,
        "shell",
        "-c",
        COUNT_USERS,
        DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing",
        REDIS_URL="redis://127.0.0.1:1",
    )
    assert refused.returncode == 1
    # Threads of the connection pool may still log.
    ours = [line for line in refused.stderr.splitlines() if line.startswith("manage.py: ")]
    assert len(ours) == 1
    assert ours[0].startswith("manage.py: the database does not answer")
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    "command", ["verify_all", pytest.param("createsuperuser", marks=pytest.mark.slow)]
)
@pytest.mark.ci
def test_a_folder_without_server_data_is_reported_in_one_line(tmp_path: Path, command: str) -> None:
    refused = manage(tmp_path, command)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)
    assert f"No server data in {tmp_path}" in refused.stderr
    assert "GAMESERVER_DATA_DIR" in refused.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_database_without_tables_is_reported_in_one_line(tmp_path: Path) -> None:
    urls = copied_database(f"empty_{uuid4().hex}")
    with psycopg.connect(urls["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute("ALTER SCHEMA public RENAME TO elsewhere")
        owner.execute("CREATE SCHEMA public")
    refused = manage(tmp_path, "verify_all", REDIS_URL=os.environ["REDIS_URL"], **urls)
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "run `manage.py migrate` first" in refused.stderr


FOREIGN = """
from railbird_engine.rules.carcassonne.rules import {base} as Original

class Foreign(Original):
    version = 99
"""
EXTRA_RULES = {
    "no_such_module": "EXTRA_RULES names no_such_module, which cannot be imported",
    "without_rules": "EXTRA_RULES names without_rules, which defines no rules",
    "takes_a_slug": "EXTRA_RULES names takes_a_slug, whose slug carcassonne belongs to",
}


@pytest.fixture(scope="module")
def foreign_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package without rules, and rules with a slug of the catalogue."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "without_rules").mkdir()
    (folder / "without_rules" / "__init__.py").touch()
    base = type(catalogue()["carcassonne"]).__name__
    (folder / "takes_a_slug.py").write_text(FOREIGN.format(base=base))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("module", "reason"), EXTRA_RULES.items())
def test_bad_extra_rules_stop_the_start_with_one_line(
    tmp_path: Path, foreign_modules: Path, module: str, reason: str
) -> None:
    variables = {"PYTHONPATH": str(foreign_modules), "EXTRA_RULES": module}
    refused = manage(tmp_path, "serve", "--port", str(free_port()), **variables)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)
    assert reason in refused.stderr


@pytest.mark.slow
@pytest.mark.parametrize("program", ["web", "worker"])
def test_bad_extra_rules_stop_a_process_with_one_line(tmp_path: Path, program: str) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", f"gameserver.processes.{program}"],
        cwd=ROOT,
        env=environment_with(tmp_path, EXTRA_RULES="no_such_module"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)
    assert f"{program}: {EXTRA_RULES['no_such_module']}" in refused.stderr


@pytest.mark.slow
def test_with_both_addresses_given_nothing_is_embedded(tmp_path: Path) -> None:
    urls = copied_database(f"given_{uuid4().hex}")
    with EmbeddedServers(tmp_path / "valkey", postgres=False) as embedded:
        assert embedded.redis_url
        with Serve(
            tmp_path / "here",
            "--workers",
            "1",
            DATABASE_URL=urls["DATABASE_URL"],
            DATABASE_OWNER_URL=urls["DATABASE_OWNER_URL"],
            REDIS_URL=embedded.redis_url,
            PYTHONPROFILEIMPORTTIME="1",
        ) as serve:
            serve.ready()
            assert serve.answers()
            assert not serve.children("postgres")
            assert not serve.children("valkey-server")
            assert (
                "DATABASE_OWNER_URL" not in serve.children("gameserver.processes.web")[0].environ()
            )
            assert serve.stop() == 0
            assert serve.left_over() == []
            assert "gameserver.processes.supervisor" in serve.output
            assert "gameserver.processes.embedded" not in serve.output
        assert not (tmp_path / "here" / "postgres").exists()


def test_missing_dependencies_are_reported_with_a_remedy() -> None:
    bare = subprocess.run(
        [sys.executable, "-S", "manage.py"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert bare.returncode == 1
    assert "is not installed: run `bin/uv run manage.py`" in bare.stderr
    assert bare.stderr.count("\n") == 1
