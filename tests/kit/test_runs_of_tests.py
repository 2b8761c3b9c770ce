"""A run of the tests itself: it starts servers on demand, and stops where they do not start."""

import os
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from tests import servers
from tests.run import ROOT

OF_A_RUN = ("TESTS_FOLDER", "TESTS_TEMPLATE_URL", "TESTS_EMBED")


def pytest_alone(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run other tests as a run of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in OF_A_RUN}
    kept.pop("PYTEST_XDIST_WORKER", None)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT,
        env={**kept, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("processes", ["-n0", "-n2"])
def test_a_migration_that_fails_stops_the_run_with_its_reason(processes: str) -> None:
    urls = servers.copied_database(f"unmigrated_{uuid4().hex}")
    with psycopg.connect(urls["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute("DELETE FROM django_migrations")
    done = pytest_alone(processes, "tests/lobbies", "tests/kit/test_round_robin.py", **urls)
    assert done.returncode != 0
    assert "there is no database" in done.stdout
    assert "The migration failed:" in done.stdout
    assert 'relation "' in done.stdout, "its reason"
    assert done.stdout.count("ERROR at setup") <= 2, "one for each process"


@pytest.mark.slow
def test_tests_of_rules_kernel_and_audit_run_where_no_server_is_installed(tmp_path: Path) -> None:
    for name in ("django", "psycopg", "redis"):
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('{name} is not installed')")
    folders = [f"tests/{name}" for name in ("rules", "kernel", "audit")]
    done = pytest_alone("-n2", *folders, PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "code"), [("", 0), ("1", 1)])
def test_a_skip_fails_the_slow_set(tmp_path: Path, asked: str, code: int) -> None:
    skipped = tmp_path / "test_skipped.py"
    skipped.write_text("import pytest\n\n@pytest.mark.slow\ndef test(): pytest.skip('no tool')\n")
    settings = ("-p", "tests.conftest", "-c", "pyproject.toml", "-n0", "-m", "slow")
    done = pytest_alone(*settings, str(skipped), SKIPS_FAIL=asked)
    assert done.returncode == code, done.stdout
    assert "no tool" in done.stdout or code == 0
