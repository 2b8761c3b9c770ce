"""The examples as a reader would run them: against a server, in their own process."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from sdk import node
from tests.sdk.scripts import run

pytestmark = pytest.mark.xdist_group("sdk")

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PROGRAMS = {"race.py": sys.executable, "race.mts": str(node.NODE)}
UTF8 = {**os.environ, "PYTHONIOENCODING": "utf-8"}
LINES_MAX = 59
SNIPPETS_SAY = {"python": ["bets", "is game"], "typescript": ["bets"]}
QUICKER = {
    "roll_ms=100": "roll_ms=50, pause_ms=50",
    "roll_ms: 100": "roll_ms: 50, pause_ms: 50",
}
COMPILED = ("sh", "typescript")


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
async def test_an_example_plays_a_race_to_its_end(server: str, name: str) -> None:
    example = EXAMPLES / name
    assert len(example.read_text().splitlines()) <= LINES_MAX
    printed = await run(PROGRAMS[name], example, server, "60", env=UTF8)
    last = printed.split("Race 2, ")[-1]
    assert last.startswith("over")
    assert "The best of all: " in last
    assert "September" in last


@pytest.mark.parametrize(
    ("language", "suffix"),
    [
        pytest.param("python", "py", marks=pytest.mark.ci),
        pytest.param("typescript", "mts", marks=pytest.mark.slow),
    ],
)
async def test_the_snippets_of_the_documentation_run(
    server: str, tmp_path: Path, language: str, suffix: str
) -> None:
    page = (EXAMPLES.parent / "docs" / "sdk.md").read_text()
    snippets = [part.split("```")[0] for part in page.split(f"```{language}\n")[1:]]
    script = tmp_path / f"snippet.{suffix}"
    for snippet, says in zip(snippets, SNIPPETS_SAY[language], strict=True):
        text = snippet.replace("http://127.0.0.1:8000", server)
        for slow, quick in QUICKER.items():
            text = text.replace(slow, quick)
        script.write_text(
            text.replace('"railbird-client"', f'"{node.TYPESCRIPT.folder}/src/index.ts"')
        )
        assert says in await run(PROGRAMS[f"race.{suffix}"], script)


@pytest.mark.slow
async def test_the_typescript_snippet_compiles_with_the_commands_of_the_documentation(
    server: str, tmp_path: Path
) -> None:
    page = (EXAMPLES.parent / "docs" / "sdk.md").read_text()
    commands, snippet = (page.split(f"```{kind}\n")[1].split("```")[0] for kind in COMPILED)
    # The packages of the lock file are installed already, without the registry.
    for asked, here in {
        "npm install &&": "",
        "typescript@5": str(node.TYPESCRIPT.modules / "typescript"),
    }.items():
        assert asked in commands
        commands = commands.replace(asked, here)
    package, program = tmp_path / "railbird" / "sdk" / "typescript", tmp_path / "program"
    ignored = shutil.ignore_patterns("node_modules", "dist")
    shutil.copytree(node.TYPESCRIPT.folder, package, ignore=ignored)
    (package / "node_modules").symlink_to(node.TYPESCRIPT.modules)
    program.mkdir()
    (program / "race.mts").write_text(snippet.replace("http://127.0.0.1:8000", server))
    offline = "export npm_config_offline=true npm_config_audit=false npm_config_fund=false"
    path = f'export PATH="{node.NODE.parent}:$PATH"'
    # The wheel of Node has no npm and npx that start.
    npm = f'npm() {{ node "{node.NPM}" "$@"; }}\nnpx() {{ npm exec --no -- "$@"; }}'
    script = f'set -euo pipefail\n{path}\n{offline}\n{npm}\ncd "{program}"\n{commands}'
    assert "bets" in await run("bash", "-c", script)


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_file()} == {*PROGRAMS, "README.md"}
