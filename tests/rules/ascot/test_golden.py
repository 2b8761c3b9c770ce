"""A replay of the golden playthrough, commit by commit."""

from games.engine.playout import Playout
from games.rules.ascot.rules import Ascot
from tests.rules.ascot import golden

ADVICE = (
    "The rules or the tables now play differently. If games in progress must go on as they began, raise Rules.version; "
    "then write the playthrough anew: python -m tests.rules.ascot.golden"
)


def test_the_golden_playthrough_still_plays_the_same() -> None:
    rules, written = Ascot(), golden.read()
    assert (rules.version, rules.printed.edition) == (written.version, written.edition), ADVICE
    playout = Playout(rules, golden.SEATS, golden.OPTIONS, golden.KEY)
    assert golden.digest(playout, playout.commits[0]) == written.opening, (
        f"The deal differs. {ADVICE}"
    )
    for number, entry in enumerate(written.entries, start=1):
        if entry.command is None or entry.seat is None:
            playout.tick()
        else:
            playout.act(entry.seat, entry.command)
        assert golden.digest(playout, playout.commits[-1]) == entry.digest, (
            f"Commit {number} differs: {entry}. {ADVICE}"
        )
    assert playout.result is not None, ADVICE
