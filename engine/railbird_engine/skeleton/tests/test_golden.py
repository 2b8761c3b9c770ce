"""The golden playthroughs replay byte for byte."""

import pytest

from railbird_engine.kernel import playthroughs
from railbird_engine.skeleton.coin_toss.rules import CoinToss
from railbird_engine.skeleton.tests import golden


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_playthrough_replays_to_the_same_bytes(name: str) -> None:
    playthroughs.check(CoinToss(), golden.FOLDER / f"{name}.json", golden.COMMAND)
