"""The golden playthroughs replay byte for byte."""

import pytest

from tests.rules import playthrough
from tests.rules.carcassonne import golden
from tests.rules.carcassonne.scene import RULES


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_playthrough_replays_to_the_same_bytes(name: str) -> None:
    playthrough.check(RULES, golden.FOLDER / f"{name}.json", golden.COMMAND)
