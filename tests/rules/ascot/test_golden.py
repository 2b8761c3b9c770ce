"""The golden playthroughs are replayed commit by commit and must give the same digests."""

import pytest

from railbird_engine.rules.ascot.rules import Ascot
from tests.rules.ascot import golden

ADVICE = (
    "The rules or the printed content play differently now. Raise Ascot.version if that version "
    "was released, then rewrite the playthroughs: python -m tests.rules.ascot.golden"
)


@pytest.mark.parametrize("game", golden.GAMES)
def test_a_golden_playthrough_replays_the_same(game: str) -> None:
    stored = golden.read(game)
    edition = Ascot().printed.edition
    assert (Ascot.version, edition) == (stored.version, stored.edition), ADVICE
    playout = golden.begin(game)
    opening = golden.digest(playout, playout.commits[0])
    assert opening == stored.opening, f"The deal differs. {ADVICE}"
    for number, entry in enumerate(stored.entries, start=1):
        if entry.command is None or entry.seat is None:
            playout.tick()
        else:
            playout.act(entry.seat, entry.command)
        found = golden.digest(playout, playout.commits[-1])
        assert found == entry.digest, f"Commit {number} differs: {entry}. {ADVICE}"
    assert playout.result is not None, ADVICE
