"""The golden playthroughs replay byte for byte."""

import pytest

from railbird_engine.kernel import playthroughs
from railbird_engine.rules.set_dice.rules import SetDice
from tests.rules.set_dice import golden


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_playthrough_replays_to_the_same_bytes(name: str) -> None:
    playthroughs.check(SetDice(), golden.FOLDER / f"{name}.json", golden.COMMAND)
