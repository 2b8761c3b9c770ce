"""The golden playthroughs replay byte for byte."""

import pytest

from railbird_engine.kernel import playthroughs
from tests.rules.carcassonne import golden
from tests.rules.carcassonne.scene import RULES


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_playthrough_replays_to_the_same_bytes(name: str) -> None:
    playthroughs.check(RULES, golden.FOLDER / f"{name}.json", golden.COMMAND)
