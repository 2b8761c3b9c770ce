"""The golden playthroughs are played again from their commands and keys, and must come out the
same."""

import msgspec
import pytest

from railbird_engine import Seat
from railbird_engine.rules.ready_set_bet.commands import RaceCommand
from railbird_engine.rules.ready_set_bet.rules import ReadySetBet
from tests.rules.ready_set_bet import golden

REGENERATE = "rewrite the playthroughs with `python -m tests.rules.ready_set_bet.golden`"


@pytest.mark.parametrize("game", golden.GAMES)
def test_a_golden_playthrough_replays_commit_by_commit(game: str) -> None:
    stored = golden.read(game)
    if stored.version != ReadySetBet.version:
        pytest.fail(
            f"the playthrough has version {stored.version}, the rules have version "
            f"{ReadySetBet.version}: {REGENERATE}"
        )
    playout = golden.playout(stored)
    for number, expected in enumerate(stored.commits):
        if number and expected["command"] is None:
            playout.tick()
        elif number:
            playout.act(Seat(expected["seat"]), msgspec.convert(expected["command"], RaceCommand))
        if golden.plain(playout.commits[-1]) != expected:
            pytest.fail(
                f"commit {number} replays differently: running games and bundles of version "
                f"{stored.version} would break. "
                f"Raise ReadySetBet.version, then {REGENERATE}\n"
                f"stored:   {expected}\nreplayed: {golden.plain(playout.commits[-1])}"
            )
    assert playout.result is not None
