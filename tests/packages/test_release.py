"""The checks that a release turns on."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from packages import build

SCHEMA = Path("schema/schema.graphql")
IN_A_NEW_SERIES = "Nothing has been released in this series.\n"
DOCUMENTS = ("openapi.yaml", "asyncapi.yaml", "schema.graphql", "games")


@pytest.mark.slow
@pytest.mark.parametrize("release", ["a tag", "a folder of the tree"])
def test_after_a_release_a_breaking_change_fails(release: str, tmp_path: Path) -> None:
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
        told = re.sub(r"(?m)^==> .*\n", "", done.stdout + done.stderr)
        return done.returncode, told

    (version,) = build.versions()
    assert compatibility() == (0, IN_A_NEW_SERIES)
    if release == "a tag":
        git("tag", "--annotate", f"v{version}", "--message", f"Railbird {version}")
    else:
        folder = clone / "schema" / "releases" / version
        folder.mkdir()
        for name in DOCUMENTS:
            document = clone / "schema" / name
            copy = shutil.copytree if document.is_dir() else shutil.copy
            copy(document, folder / name)
    code, told = compatibility()
    assert (code, "No change breaks clients" in told) == (0, True), told
    text = (clone / SCHEMA).read_text()
    assert "  displayName: String!" in text
    (clone / SCHEMA).write_text(text.replace("  displayName: String!", "  shownName: String!"))
    code, told = compatibility()
    assert code == 1
    assert "displayName" in told
