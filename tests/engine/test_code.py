"""The hash of a game's code is what find, sort and sha256sum give anyone who has the files."""

import subprocess

import pytest

from games.engine import AnyRules
from games.engine.code import code_hash, package_of
from games.rules import load_rules, registry
from tests.audit.test_verify import ROOT

SHELL = (
    "find games/engine {} -type f ! -path '*/__pycache__/*' ! -path '*/.*' "
    "| LC_ALL=C sort | xargs sha256sum | sha256sum"
)
EVERY = [*registry().values(), *load_rules("bench.free_spots")]


@pytest.mark.parametrize("rules", EVERY, ids=[rules.slug for rules in EVERY])
def test_a_shell_computes_the_same_hash(rules: AnyRules) -> None:
    folder = package_of(rules).replace(".", "/")
    printed = subprocess.run(
        SHELL.format(folder), shell=True, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert printed.split()[0] == code_hash(rules)


def test_games_have_different_hashes() -> None:
    assert len({code_hash(rules) for rules in EVERY}) == len({package_of(each) for each in EVERY})
