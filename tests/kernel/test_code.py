"""The hash of a game's code is what find, sort and sha256sum give anyone who has the files."""

import subprocess
from pathlib import Path

import pytest

from railbird_engine import AnyRules
from railbird_engine.kernel.code import code_hash, package_of
from railbird_engine.rules import load_rules, registry

ENGINE = Path(__file__).parents[2] / "engine"

SHELL = (
    "find railbird_engine/kernel {} -type f ! -path '*/__pycache__/*' ! -path '*/.*' "
    "| LC_ALL=C sort | xargs sha256sum | sha256sum"
)
EVERY = [*registry().values(), *load_rules("railbird_engine.skeleton.coin_toss")]


@pytest.mark.parametrize("rules", EVERY, ids=[rules.slug for rules in EVERY])
def test_a_shell_computes_the_same_hash(rules: AnyRules) -> None:
    folder = package_of(rules).replace(".", "/")
    printed = subprocess.run(
        SHELL.format(folder), shell=True, cwd=ENGINE, capture_output=True, text=True, check=True
    ).stdout
    assert printed.split()[0] == code_hash(rules)


def test_games_have_different_hashes() -> None:
    assert len({code_hash(rules) for rules in EVERY}) == len({package_of(each) for each in EVERY})
