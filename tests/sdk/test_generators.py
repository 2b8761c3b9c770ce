"""Clients that other people's generators make from the published documents play a race.

Each folder of `generators` is one program. docs/generators.md lists the commands.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from kit.installation import FOLDER as ROOT
from sdk.node import NODE, Packages
from tests.sdk import scripts

pytestmark = pytest.mark.xdist_group("sdk")

FOLDER = Path(__file__).parent / "generators"
Play = Callable[[Path, str], Coroutine[Any, Any, str]]


async def run(*command: str | Path, folder: Path) -> str:
    """Return the output of a program in this folder, which is also where Python imports from."""
    variables = {**os.environ, "PYTHONPATH": str(folder)}
    return await scripts.run(*command, env=variables, cwd=folder)


def python(folder: Path) -> list[str | Path]:
    """The command that runs a program with the locked requirements of this folder."""
    uv: list[str | Path] = [ROOT / "bin" / "uv", "run", "--no-project", "--python", "3.11"]
    return [*uv, "--with-requirements", folder / "requirements.txt"]


async def openapi_fetch(folder: Path, url: str) -> str:
    packages = Packages(folder)
    packages.run("openapi-typescript/bin/cli.js", f"{url}/api/schema/", "-o", "api.ts")
    packages.run("typescript/bin/tsc", "--project", ".")
    return await run(NODE, "play.ts", url, folder=folder)


async def hey_api(folder: Path, url: str) -> str:
    packages = Packages(folder)
    plugins = ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"]
    generate = ["-i", f"{url}/api/schema/", "-o", "race", "-p", *plugins]
    packages.run("@hey-api/openapi-ts/bin/run.js", *generate)
    packages.run("typescript/bin/tsc", "--project", ".")
    return await run(NODE, "built/play.js", url, folder=folder)


async def oazapfts(folder: Path, url: str) -> str:
    packages = Packages(folder)
    packages.run("oazapfts/dist/cli.js", f"{url}/openapi.json", "race.ts")
    packages.run("typescript/bin/tsc", "--project", ".")
    return await run(NODE, "built/play.js", url, folder=folder)


async def graphql_codegen(folder: Path, url: str) -> str:
    shutil.copy(ROOT / "schema" / "schema.graphql", folder)
    packages = Packages(folder)
    packages.run("@graphql-codegen/cli/esm/bin.js")
    packages.run("typescript/bin/tsc", "--project", ".")
    return await run(NODE, "built/play.js", url, folder=folder)


async def asyncapi_modelina(folder: Path, url: str) -> str:
    packages = Packages(folder)
    packages.install()
    await run(NODE, "generate.ts", url, folder=folder)
    packages.run("typescript/bin/tsc", "--project", ".")
    return await run(NODE, "play.ts", url, folder=folder)


async def openapi_python_client(folder: Path, url: str) -> str:
    generate = ["generate", "--url", f"{url}/api/schema/", "--config", "config.yaml"]
    options = ["--meta", "none", "--fail-on-warning"]
    await run(*python(folder), "openapi-python-client", *generate, *options, folder=folder)
    return await run(*python(folder), "python", "play.py", url, folder=folder)


async def openapi_generator(folder: Path, url: str) -> str:
    await generate(folder, url, ".")
    return await run(*python(folder), "python", "play.py", url, folder=folder)


async def openapi_generator_java(folder: Path, url: str) -> str:
    compiler = installed("javac", "openjdk-17-jdk-headless libgeronimo-annotation-1.3-spec-java")
    await generate(folder, url, ".")
    # The generator itself contains the JSON library that its clients need.
    find = "import openapi_generator_cli as each; print(each.__path__[0])"
    home = (await run(*python(folder), "python", "-c", find, folder=folder)).strip()
    path = f"{home}/openapi-generator.jar:/usr/share/java/geronimo-annotation-1.3-spec.jar:."
    sources: list[str | Path] = ["Play.java", *found_in(folder, "src/main/**/*.java")]
    await run(compiler, "-nowarn", "-proc:none", "-cp", path, "-d", ".", *sources, folder=folder)
    return await run("java", "-cp", path, "Play", url, folder=folder)


async def openapi_generator_go(folder: Path, url: str) -> str:
    go = installed("go", "golang-go golang-golang-x-oauth2-dev")
    await generate(folder, url, "race")
    return await run(go, "run", ".", url, folder=folder)


async def generate(folder: Path, url: str, output: str) -> None:
    """Generate a client into `output` with openapi-generator and the configuration of a folder."""
    options = ["-c", "config.yaml", "-i", f"{url}/api/schema/", "-o", output]
    await run(*python(folder), "openapi-generator-cli", "generate", *options, folder=folder)


def found_in(folder: Path, pattern: str) -> list[Path]:
    return [*folder.glob(pattern)]


def installed(program: str, packages: str) -> str:
    """Return the path of a program. Fails with Debian's packages where it is missing."""
    path = shutil.which(program)
    assert path is not None, f"{program} is not installed: apt-get install {packages}"
    return path


async def gql_client(folder: Path, url: str) -> str:
    return await run(*python(folder), "python", "play.py", url, folder=folder)


async def apollo_client(folder: Path, url: str) -> str:
    Packages(folder).run("typescript/bin/tsc", "--project", ".")
    return await run(NODE, "built/play.js", url, folder=folder)


async def ariadne_codegen(folder: Path, url: str) -> str:
    shutil.copy(ROOT / "schema" / "schema.graphql", folder)
    await run(*python(folder), "ariadne-codegen", "client", folder=folder)
    return await run(*python(folder), "python", "play.py", url, folder=folder)


async def sgqlc(folder: Path, url: str) -> str:
    await run(
        *python(folder),
        "python",
        "-m",
        "sgqlc.introspection",
        f"{url}/graphql/",
        "schema.json",
        folder=folder,
    )
    generate = (*python(folder), "sgqlc-codegen")
    await run(*generate, "schema", "schema.json", "schema.py", folder=folder)
    operation = ("operation", "--schema", "schema.json", "schema", "operations.py", "race.graphql")
    await run(*generate, *operation, folder=folder)
    return await run(*python(folder), "python", "play.py", url, folder=folder)


PAGE = 100
"""Clients that list commits read a page of them. A long race has more."""

PLAYS = (
    # The third of .ci/run is that of C#, in test_csharp.py.
    *(pytest.param(play, marks=pytest.mark.ci) for play in (ariadne_codegen, openapi_fetch)),
    *(
        pytest.param(play, marks=pytest.mark.slow)
        for play in (
            apollo_client,
            asyncapi_modelina,
            gql_client,
            graphql_codegen,
            hey_api,
            oazapfts,
            openapi_generator,
            openapi_generator_go,
            openapi_generator_java,
            openapi_python_client,
            sgqlc,
        )
    ),
)


@pytest.mark.parametrize("play", PLAYS)
async def test_a_generated_client_plays_a_race(server: str, tmp_path: Path, play: Play) -> None:
    folder = tmp_path / "client"
    shutil.copytree(FOLDER / play.__name__, folder)
    played = json.loads(await play(folder, server))
    assert played["accepted"] >= 1
    assert 5 <= min(played["version"], PAGE) <= played["commits"] <= played["version"]
    assert played.get("lines", played["version"]) >= played["version"]


def test_the_go_generator_gets_other_names_for_what_its_constructors_are_called() -> None:
    """Its `NewLobby` makes a `Lobby`, so it cannot be a type as well."""
    document = yaml.load((ROOT / "schema" / "openapi.yaml").read_text(), yaml.CSafeLoader)
    names = document["components"]["schemas"].keys()
    taken = {name for name in names if name.removeprefix("New") in names - {name}}
    config = yaml.safe_load((FOLDER / "openapi_generator_go" / "config.yaml").read_text())
    assert config["modelNameMappings"].keys() == taken


@pytest.mark.slow
async def test_generated_csharp_has_64_bits_for_money(server: str, tmp_path: Path) -> None:
    requirements = FOLDER / "openapi_generator_go" / "requirements.txt"
    shutil.copy(requirements, tmp_path)
    (tmp_path / "config.yaml").write_text("{generatorName: csharp, packageName: Race}")
    await generate(tmp_path, server, "race")
    models = tmp_path / "race" / "src" / "Race" / "Model"
    texts = [
        (models / f"{name}.cs").read_text() for name in ("Account", "Bet", "Lobby", "Transfer")
    ]
    money = r"public (\w+)\?? (Amount|Balance|BuyIn|Payout|Stake) {"
    found = {*re.findall(money, "".join(texts))}
    assert found == {("long", name) for name in ("Amount", "Balance", "BuyIn", "Payout", "Stake")}


@pytest.mark.slow
async def test_the_document_names_the_server_that_it_comes_from(server: str) -> None:
    async with httpx.AsyncClient() as client:
        answer = await client.get(
            f"{server}/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"}
        )
    document = answer.json()
    assert document["servers"] == [{"url": server}]
    flow = document["components"]["securitySchemes"]["oauth"]["flows"]["authorizationCode"]
    assert flow["tokenUrl"] == f"{server}/oauth/token/"
    assert {tag["externalDocs"]["url"].startswith(server) for tag in document["tags"]} == {True}
