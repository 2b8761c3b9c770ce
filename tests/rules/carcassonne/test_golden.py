"""The golden playthroughs replay to the last byte, or the rules have changed."""

import msgspec
import pytest

from games.engine import RuleViolation, Seat
from games.engine.playout import Playout
from tests.rules.carcassonne.golden import FILE, Golden, digest, followed
from tests.rules.carcassonne.table import RULES

GAMES = msgspec.json.decode(FILE.read_bytes(), type=list[Golden])

ADVICE = (
    "A replay differs from golden.json. If games were ever played by these rules, raise Carcassonne.version (and keep the old "
    "rules registered); then, or if they never left your machine, run: python -m tests.rules.carcassonne.golden"
)


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.key)
def test_a_golden_playthrough_replays_byte_for_byte(golden: Golden) -> None:
    assert golden.rules_version == RULES.version, ADVICE
    playout = Playout(RULES, golden.seats, golden.options, golden.key.encode())
    assert followed(playout.commits[0]) == golden.start, ADVICE
    for number, act in enumerate(golden.acts, 1):
        try:
            if act.command is None:
                playout.tick()
            else:
                playout.act(Seat(act.seat or 0), act.command)
        except RuleViolation as violation:
            pytest.fail(f"Commit {number}, {act.command}, was refused ({violation.code}). {ADVICE}")
        assert followed(playout.commits[-1]) == act.followed, (
            f"Commit {number}, {act.command}: {ADVICE}"
        )
    assert playout.result is not None, ADVICE
    assert playout.result.scores == golden.points, ADVICE
    assert digest(playout.state) == golden.state, ADVICE
