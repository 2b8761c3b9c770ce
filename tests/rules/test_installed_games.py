"""Packages register games by entry points."""

from importlib.metadata import Distribution, PathDistribution
from pathlib import Path

import pytest

from railbird_engine import rules
from railbird_engine.rules import GROUP, WALLET_UNIT, BadGameError, load_games, registry

GAME = """
from bench.free_spots import FreeSpots

class CoinToss(FreeSpots):
    slug = {slug!r}
    version = {version}
"""


def package(folder: Path, name: str, game: str, module: str) -> Distribution:
    """Install the metadata of a package that registers one game."""
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{game} = {module}\n")
    return PathDistribution(metadata)


def loaded(*packages: Distribution) -> dict[tuple[str, int], str]:
    entries = [entry for found in packages for entry in found.entry_points]
    return {(rules.slug, rules.version): type(rules).__module__ for rules in load_games(entries)}


def test_the_games_of_the_engine_are_registered_like_all_others() -> None:
    folder = Path(rules.__file__).parent
    folders = {found.parent.name for found in folder.glob("*/rules.py")}
    assert {slug for slug, _ in registry()} == folders


def test_a_package_registers_the_current_and_the_superseded_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tossing").mkdir()
    for module, version in {"__init__": 9, "rules": 2, "rules_v1": 1, "legal": 3}.items():
        text = "" if module == "__init__" else GAME.format(slug="coin_toss", version=version)
        (tmp_path / "tossing" / f"{module}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    assert loaded(package(tmp_path, "tossing-game", "coin_toss", "tossing")) == {
        ("coin_toss", 1): "tossing.rules_v1",
        ("coin_toss", 2): "tossing.rules",
    }


def test_two_packages_cannot_register_the_same_game(tmp_path: Path) -> None:
    one = package(tmp_path, "one", "free_spots", "bench.free_spots")
    two = package(tmp_path, "two", "free_spots", "bench.free_spots")
    with pytest.raises(
        BadGameError, match=r"^the packages one and two both register the game free_sp"
    ):
        loaded(one, two)


def test_a_game_cannot_count_in_the_unit_of_wallets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAME.format(slug="coin_toss", version=1)
    (tmp_path / "minting.py").write_text(f"{game}    unit = {WALLET_UNIT!r}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(
        BadGameError, match="minting, whose unit coin is that of wallets: choose anoth"
    ):
        loaded(package(tmp_path, "minting-game", "coin_toss", "minting"))


@pytest.mark.parametrize(
    ("game", "module", "reason"),
    [
        ("free_spots", "nowhere_at_all", "registers the game nowhere_at_all, which cannot be imp"),
        ("free_spots", "json", "registers the game json, which defines no rules"),
        ("other_spots", "bench.free_spots", "but the slug of its rules is free_spots"),
    ],
)
def test_a_package_that_registers_a_game_wrongly_is_named(
    tmp_path: Path, game: str, module: str, reason: str
) -> None:
    with pytest.raises(BadGameError) as refused:
        loaded(package(tmp_path, "wrong", game, module))
    assert str(refused.value).startswith("the package wrong registers the game")
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
