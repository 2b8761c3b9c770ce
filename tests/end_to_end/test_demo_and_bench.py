"""The commands that start a server themselves, on given databases and as on a fresh clone."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from gameserver.processes.embedded import EmbeddedServers
from tests.commands import managed
from tests.end_to_end.commands import DEMO, check_demo, measured, run_alone
from tests.servers import copied_database


@contextmanager
def given_servers(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A migrated database, a Valkey and a key file that nobody else uses."""
    with EmbeddedServers(tmp_path / "valkey", postgres=False) as embedded:
        assert embedded.redis_url
        yield {
            **copied_database(f"demo_{uuid4().hex}"),
            "REDIS_URL": embedded.redis_url,
            "LOG_KEY_FILE": str(tmp_path / "log_key"),
        }


@contextmanager
def no_servers(tmp_path: Path) -> Iterator[dict[str, str]]:
    """None, as on a fresh clone. The key file belongs to another log, so nobody may use it."""
    yield {"LOG_KEY_FILE": str(tmp_path / "nobody" / "asks" / "for" / "it")}


@pytest.mark.slow
@pytest.mark.parametrize("servers", [given_servers, no_servers])
def test_the_demo_starts_servers_for_its_game(
    tmp_path: Path, servers: Callable[[Path], AbstractContextManager[dict[str, str]]]
) -> None:
    with servers(tmp_path) as variables:
        check_demo(run_alone(*DEMO, BOT_DELAY_PERCENT="3", **variables))


def test_the_demo_reports_an_unknown_game_in_one_line() -> None:
    done = managed("demo", "no_such_game", "--url", "http://127.0.0.1:9")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_bench_measures_moves_in_turns_under_other_variables(tmp_path: Path) -> None:
    load = ("--tables", "2", "--seconds", "1", "--rate", "20", "--turns", "1")
    found = measured(tmp_path, "moves", *load, "--against", "LOG_LEVEL=info")
    saturation, steady = found["moves"]
    for turn in (*saturation["ours"], *saturation["peers"]):
        assert turn["moves_per_s"] > steady["ours"][0]["moves_per_s"] > 10
        assert not (turn["unanswered"] or turn["lost"])
    assert len(found["limits"]) == 4
