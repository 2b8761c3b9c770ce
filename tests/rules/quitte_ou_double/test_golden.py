"""The golden playthroughs replay commit by commit."""

import pytest

from railbird_engine.kernel import playthroughs
from railbird_engine.rules.quitte_ou_double.rules import QuitteOuDouble
from tests.rules.quitte_ou_double import golden


@pytest.mark.parametrize("game", golden.GAMES)
def test_a_golden_playthrough_replays_to_the_same_bytes(game: str) -> None:
    playthroughs.check(QuitteOuDouble(), golden.FOLDER / f"{game}.json", golden.COMMAND)
