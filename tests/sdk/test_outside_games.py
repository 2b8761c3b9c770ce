"""Types of a game from outside, generated from the document of a server that offers it."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from packages import build
from railbird_client import Client, Commit
from railbird_client.models import NewLobby
from sdk import mono, node
from tests.processes import web_process
from tests.sdk.scene import enter

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("sdk")]


@pytest.fixture(scope="module")
def offering() -> Iterator[str]:
    """The URL of a server that offers the example game."""
    with web_process({"EXTRA_RULES": "railbird_engine.skeleton.coin_toss"}) as (_, host):
        yield f"http://{host}"


@pytest.fixture(scope="module")
def generated(offering: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the generated types."""
    folder = tmp_path_factory.mktemp("generated")
    asked = ("--schema", f"{offering}/api/schema/", "--output", str(folder))
    told = build.run(sys.executable, "-m", "sdk.generate", *asked)
    assert str(folder / "python" / "coin_toss.py") in told.splitlines()
    return folder


async def test_the_types_for_python_play_the_game(offering: str, generated: Path) -> None:
    game = module(generated / "python" / "coin_toss.py")
    async with Client(offering, entropy=False) as client:
        await enter(client)
        options = game.CoinTossOptions(rounds=1, round_s=0)
        lobby = await client.create_lobby(NewLobby(slug=game.TYPES.slug, options=options))
        await client.add_bot(lobby.id)
        started = await client.start_game(lobby.id)
        async with client.table(started.id, game.TYPES, after=0) as table:
            await table.play(game.PlaceBet(side="heads", stake=3))
            async for news in table:
                assert isinstance(news, Commit)
                if any(isinstance(event, game.BetPlaced) for event in news.events):
                    return


def module(file: Path) -> Any:
    """Import a file as a module."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def test_the_types_for_typescript_compile(generated: Path) -> None:
    use = generated / "typescript" / "use.ts"
    use.write_text(
        'import type { Command, Game } from "./coin_toss.ts";\n'
        'export const slug: Game["slug"] = "coin_toss";\n'
        'export const bet: Command = { type: "place_bet", side: "heads", stake: 3 };\n'
    )
    options = ("--strict", "--noEmit", "--allowImportingTsExtensions", "--module", "nodenext")
    node.TYPESCRIPT.run("typescript/bin/tsc", *options, "--target", "es2022", str(use))


def test_the_types_for_csharp_compile(generated: Path, csharp: list[Path], tmp_path: Path) -> None:
    use = tmp_path / "Use.cs"
    use.write_text(
        "using Railbird.Games.CoinToss;\n"
        "class Use { static void Main() { System.Console.WriteLine(Game.Types.Slug\n"
        '    + new PlaceBet { Side = "heads", Stake = 3 }.ToJson().Count); } }\n'
    )
    game = generated / "csharp" / "CoinToss.cs"
    mono.find().compile([*csharp, game, use], tmp_path / "use.exe")


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("nowhere.yaml", "cannot be read"),
        ("pyproject.toml", "cannot be read"),
        ("bench/__init__.py", "is not an OpenAPI document"),
        ("mkdocs.yml", "describes no games"),
    ],
)
def test_a_wrong_document_is_reported_in_one_line(tmp_path: Path, where: str, reason: str) -> None:
    command = [sys.executable, "-m", "sdk.generate", "--schema", where, "--output", str(tmp_path)]
    done = subprocess.run(command, cwd=build.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert reason in done.stderr
    assert len(done.stderr.splitlines()) == 1
