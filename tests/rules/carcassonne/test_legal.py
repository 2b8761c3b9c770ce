"""`legal` lists exactly the accepted commands: the tests try every possible command."""

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from railbird_engine import RuleViolation, Seat, SeededChance
from railbird_engine.kernel.playout import Playout
from railbird_engine.rules.carcassonne.board import place_of
from railbird_engine.rules.carcassonne.commands import (
    CarcassonneCommand,
    ChooseFeature,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    PlaceTile,
    SkipMeeple,
)
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from railbird_engine.rules.carcassonne.state import CarcassonneState
from tests.rules.carcassonne.planted import short_base
from tests.rules.carcassonne.scene import RULES, A, board_b8, two_choices

CHIPS = ["b4", "b28", "b37", "b36", "b45", "b56", "b9"]
SEGMENTS = [kind + digit for kind in "CRG" for digit in "12345"] + ["M", "O"]


def possible_commands(state: CarcassonneState) -> Iterator[CarcassonneCommand]:
    """Yield every plausible command on this board, and many others."""
    places = [place_of(cell) for cell in state.board.cells]
    columns = range(min(x for x, _ in places) - 2, max(x for x, _ in places) + 3)
    rows = range(min(y for _, y in places) - 2, max(y for _, y in places) + 3)
    yield from (PlaceTile(x, y, rotation) for x in columns for y in rows for rotation in range(4))
    yield from (PlaceMeeple(segment) for segment in SEGMENTS)
    yield from (PlaceBet(chip) for chip in CHIPS)
    yield SkipMeeple()
    yield PassBet()
    offices = [place_of(cell) for cell in state.betting.stacks] if state.betting else []
    yield from (
        ChooseFeature(x, y, feature)
        for x, y in [*offices, (0, 0)]
        for feature in state.board.features
    )


def assert_legal_is_complete(state: CarcassonneState, seats: int) -> None:
    for seat in range(seats):
        accepted = []
        for command in possible_commands(state):
            try:
                RULES.apply(state, Seat(seat), command, SeededChance(b"try"))
            except RuleViolation:
                continue
            accepted.append(command)
        legal = list(RULES.legal(state, Seat(seat)))
        assert Counter(legal) == Counter(accepted)


@pytest.mark.parametrize("bets", [True, False])
def test_every_command_is_legal_or_refused_all_through_a_game(bets: bool) -> None:
    rules = type(RULES)(base=short_base())
    playout = Playout(rules, 2, CarcassonneOptions(bets=bets), b"legal")
    stages: Counter[str] = Counter()
    for _ in playout.run():
        state = playout.state
        assert isinstance(state, CarcassonneState)
        stages[state.stage] += 1
        if stages[state.stage] % 9 == 1:
            assert_legal_is_complete(state, 2)
    assert {"tile", "meeple", "over"} <= set(stages)
    assert ("bets" in stages) == bets


def test_the_choices_of_a_settlement_and_of_the_evaluation_are_complete() -> None:
    scene = two_choices()
    assert scene.state.stage == "settlement"
    assert_legal_is_complete(scene.state, 2)
    ending = board_b8()
    assert ending.state.stage == "evaluation"
    assert_legal_is_complete(ending.state, 3)
    ending.choose(A, 1, 0, "C1")
    assert_legal_is_complete(ending.state, 3)


@pytest.mark.parametrize(
    "words",
    [
        {"type": "place_tile", "x": 128, "y": 0, "rotation": 0},
        {"type": "place_tile", "x": 0, "y": 0, "rotation": 4},
        {"type": "place_tile", "x": 0, "y": 0},
        {"type": "place_meeple", "segment": "C" * 17},
        {"type": "choose_feature", "x": 0, "y": 0, "feature": 10**20},
        {"type": "pass_bet", "chip": "b4"},
        {"type": "look_at_chip"},
    ],
)
def test_an_impossible_command_does_not_decode(words: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(words, RULES.command_type)
