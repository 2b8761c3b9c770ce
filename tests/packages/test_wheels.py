"""The packages: what they contain, and that they work in empty environments."""

import json
import subprocess
import tomllib
import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from websockets.sync.client import connect

from packages import build
from sdk import node
from tests.packages.installed import environment, said, serving
from tests.waiting import WITHIN_S

pytestmark = pytest.mark.xdist_group("packages")  # they share the wheels

IMPORT_ALL = """
import importlib, os, sys
from importlib.metadata import files

if sys.argv[1] == "railbird":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "gameserver.settings.base"
    django.setup()
for file in files(sys.argv[1]):
    # The skeleton is the text of a project of its own, with tests.
    if file.suffix == ".py" and file.stem != "__main__" and "skeleton" not in file.parts:
        name = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        importlib.import_module(name)
        print(name)
"""
QUICK_START = (build.ROOT / "docs" / "quick-start.md").read_text()


def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_the_packages_have_one_version() -> None:
    assert len(build.versions()) == 1


@pytest.mark.parametrize("package", [".", "engine", "sdk/python"])
def test_every_dependency_has_an_upper_bound(package: str) -> None:
    project = tomllib.loads((build.ROOT / package / "pyproject.toml").read_text())["project"]
    extras = project.get("optional-dependencies", {}).values()
    asked = [name for names in (project["dependencies"], *extras) for name in names]
    assert [name for name in asked if "<" not in name and "==" not in name] == []


@pytest.mark.slow
def test_no_file_belongs_to_two_packages(wheels: Mapping[str, Path]) -> None:
    owners = Counter(name for wheel in wheels.values() for name in contents(wheel))
    assert [name for name, count in owners.items() if count > 1] == []


@pytest.mark.slow
def test_the_packages_contain_the_whole_server_and_nothing_else(
    wheels: Mapping[str, Path],
) -> None:
    folders = (
        "accounts",
        "bench",
        "demo",
        "engine",
        "games",
        "gameserver",
        "kit",
        "notices",
        "web",
    )
    tracked = subprocess.run(
        ["git", "ls-files", *folders], cwd=build.ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    of_bench = ("bench/pages.py", "bench/table.py")
    left_out = (*of_bench, "bench/results/", "web/client/", "web/build.py", "web/management/")
    beside = ("engine/LICENSE", "engine/README.md", "engine/pyproject.toml")
    expected = {
        name.removeprefix("engine/")
        for name in tracked
        if not name.startswith(left_out) and name not in beside
    }
    found = contents(wheels["railbird"]) | contents(wheels["railbird_engine"])
    assert {name for name in found if not name.startswith("gameserver/site/")} == expected


def owned_twice(programs: Path) -> list[str]:
    """Return the installed files that the records of two of our packages list."""
    records = [*programs.parent.glob("lib/python*/site-packages/railbird*.dist-info/RECORD")]
    assert len(records) == 2
    owners = Counter(
        line.partition(",")[0] for record in records for line in record.read_text().splitlines()
    )
    assert {"games/__init__.py", "railbird_engine/__init__.py"} <= owners.keys()
    return [name for name, count in owners.items() if count > 1]


def bundle_of(programs: Path, folder: Path, url: str) -> list[str | Path]:
    """Write a bundle of all games that ended. Return the arguments that verify it."""
    said([programs / "railbird", "bundle", "--output", "game.bundle"], folder)
    keys = httpx.get(f"{url}/api/v1/audit/checkpoint/", timeout=WITHIN_S).json()["keys"]
    return ["-m", "railbird_engine.audit", "verify", folder / "game.bundle", "--key", keys[0]]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["railbird", "railbird_engine", "railbird_client"])
def test_every_module_of_a_package_can_be_imported_where_nothing_else_is_installed(
    name: str, wheels: Mapping[str, Path], tmp_path: Path
) -> None:
    needed = {"railbird": ["railbird", "railbird_engine"]}.get(name, [name])
    programs = environment(tmp_path / "environment", *(wheels[each] for each in needed))
    imported = said([programs / "python", "-c", IMPORT_ALL, name], tmp_path).splitlines()
    expected = {part for part in contents(wheels[name]) if part.endswith(".py")}
    assert len(imported) > 0.8 * len(expected), "modules were passed over"


@pytest.mark.slow
def test_an_installed_server_plays_the_quick_start_and_an_installed_auditor_verifies_it(
    wheels: Mapping[str, Path], tmp_path: Path
) -> None:
    server = environment(tmp_path / "server", wheels["railbird"], wheels["railbird_engine"])
    client = environment(tmp_path / "client", wheels["railbird_client"])
    auditor = environment(tmp_path / "auditor", wheels["railbird_engine"])
    assert owned_twice(server) == []
    (tmp_path / "race.py").write_text(QUICK_START.partition("```python\n")[2].partition("```")[0])
    with serving(server, tmp_path / "empty") as url:
        assert [path.name for path in (tmp_path / "empty").iterdir()] == [".data"]
        assert ">" in said([client / "python", "race.py", url], tmp_path)
        load = ("load", "--url", url, "--tables", "1", "--seconds", "6", "--bots", "1")
        assert "Most tables held" in said([server / "railbird", *load], tmp_path)
        verify = bundle_of(server, tmp_path / "empty", url)
    assert "verified: 1 game (" in said([auditor / "python", *verify], tmp_path)
    django = "import importlib.util as found; print(found.find_spec('django'))"
    assert said([auditor / "python", "-c", django], tmp_path) == "None\n"


@pytest.mark.slow
def test_a_game_from_outside_is_played_over_three_transports_and_verified(
    wheels: Mapping[str, Path], tmp_path: Path
) -> None:
    engine = wheels["railbird_engine"]
    author = environment(tmp_path / "author", engine)
    said([author / "railbird-new-game", "coin_toss", "--outside", "game"], tmp_path)
    game = str(tmp_path / "game")
    build.run(build.UV, "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), game)
    (game_wheel,) = tmp_path.glob("*.whl")
    server = environment(tmp_path / "server", wheels["railbird"], engine, game_wheel)
    auditor = environment(tmp_path / "auditor", engine, game_wheel)
    with serving(server, tmp_path / "empty") as url:
        play_coin_toss(url)
        verify = bundle_of(server, tmp_path / "empty", url)
        document = httpx.get(f"{url}/api/schema/", timeout=WITHIN_S).text
    assert "CoinToss" in document
    assert "verified: 1 game (" in said([auditor / "python", *verify], tmp_path)


def play_coin_toss(url: str) -> None:
    """Play a whole game against two bots: open it over REST, bet over GraphQL and the socket."""
    with httpx.Client(base_url=url, timeout=WITHIN_S) as http:
        http.event_hooks["response"] = [httpx.Response.raise_for_status]
        token = http.post("/api/v1/auth/guest/", json={"display_name": "Ann"}).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        slugs = {row["slug"] for row in http.get("/api/v1/rules/").json()}
        assert "coin_toss" in slugs
        options = {"rounds": 2, "round_s": 0}
        wanted = {"id": str(uuid4()), "slug": "coin_toss", "options": options}
        lobby = http.post("/api/v1/lobbies/", json=wanted).json()["id"]
        for _ in range(2):
            http.post(f"/api/v1/lobbies/{lobby}/bots/")
        game = http.post(f"/api/v1/lobbies/{lobby}/start/").json()["id"]
        bet = """mutation Bet($game: UUID!, $id: UUID!) { play(game: $game, id: $id,
            command: {coinToss: {placeBet: {side: heads, stake: 3}}}) {
            ... on Committed { accepted: version events { ... on BetPlaced { spot stake } } }
            ... on Problem { code } } }"""
        variables = {"game": game, "id": str(uuid4())}
        told = http.post("/graphql/", json={"query": bet, "variables": variables}).json()
        assert {"spot": "heads", "stake": 3} in told["data"]["play"]["events"], told
    address = f"{url.replace('http', 'ws', 1)}/ws/v1/games/{game}?after=0"
    with connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        tossed = 0
        for text in socket:
            for commit in json.loads(text).get("commits", []):
                if "coin_tossed" in {event["type"] for event in commit["events"]}:
                    tossed += 1
                    if tossed == options["rounds"]:
                        return
                    command = {"type": "pass_round"}
                    play = {"type": "play", "id": str(uuid4()), "command": command}
                    socket.send(json.dumps(play))


@pytest.mark.slow
def test_the_npm_package_works_in_an_empty_folder(tmp_path: Path) -> None:
    package = build.npm_package(tmp_path)
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    install = (str(node.NODE), str(node.NPM), "install", "--silent", "--offline", str(package))
    subprocess.run(install, cwd=tmp_path, env=node.environment(), check=True)
    script = "import * as client from 'railbird-client'; console.log(Object.keys(client).join())"
    told = said([node.NODE, "--input-type=module", "--eval", script], tmp_path)
    assert "Table" in told


def test_the_list_of_components_names_the_dependencies(tmp_path: Path) -> None:
    listed = json.loads(build.components(tmp_path).read_text())
    assert {"django", "psycopg", "msgspec"} <= {part["name"] for part in listed["components"]}
