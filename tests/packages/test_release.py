"""The checks that a release turns on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from packages import build

SCHEMA = Path("schema/schema.graphql")


@pytest.mark.slow
def test_after_a_release_a_breaking_change_fails(tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", build.ROOT, tmp_path / "clone"], check=True)
    clone = tmp_path / "clone"
    variables = {
        **os.environ,
        "PATH": f"{build.ROOT / '.uv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "UV_NO_SYNC": "1",
        "UV_PROJECT_ENVIRONMENT": sys.prefix,
    }

    def git(*arguments: str) -> None:
        author = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
        subprocess.run(["git", *author, *arguments], cwd=clone, check=True)

    def compatibility() -> tuple[int, str]:
        done = subprocess.run(
            [".ci/run", "compatibility"],
            cwd=clone,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    git("tag", "--annotate", "v0.1.0", "--message", "Railbird 0.1.0")
    assert compatibility()[0] == 0
    text = (clone / SCHEMA).read_text()
    assert "  displayName: String!" in text
    (clone / SCHEMA).write_text(text.replace("  displayName: String!", "  shownName: String!"))
    code, told = compatibility()
    assert code == 1
    assert "displayName" in told
