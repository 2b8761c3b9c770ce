"""Whole games: conformance with planted secrets, and the golden playthrough."""

from collections.abc import Iterator

import pytest

from games.engine import Seat, State
from games.engine.conformance import check_game
from games.engine.playout import ask_random
from games.rules.quitte_ou_double.bank import Bank, Question
from games.rules.quitte_ou_double.rules import QuitteOuDouble
from games.rules.quitte_ou_double.table import QuitteOuDoubleOptions, QuitteOuDoubleState
from tests.rules import playthrough
from tests.rules.quitte_ou_double import golden


def planted_bank() -> Bank:
    """Answers that nobody writes by chance, so that each would be recognised wherever it leaked."""
    cards = {
        card: tuple(
            Question(
                f"Q{card}.{level} ?",
                f"E{card}.{level}?",
                "",
                "",
                f"{900_000_000 + 10 * card + level}.125",
                f"S{card}.{level}!",
            )
            for level in (1, 2, 3)
        )
        for card in range(1, 31)
    }
    return Bank(cards, "planted")


RULES = QuitteOuDouble({"house": planted_bank()})


def secrets(state: State, viewer: Seat | None) -> Iterator[str]:
    """Before it is shown: the right answer and its source, and what other teams wrote. Numbers
    travel as JSON texts."""
    assert isinstance(state, QuitteOuDoubleState)
    own = None if viewer is None else state.teams[viewer]
    if state.phase in ("answer", "bet") and state.card is not None and state.level is not None:
        question = planted_bank().question(state.card, state.level)
        yield from (f'"{question.answer}"', question.source)
    if state.phase == "answer":
        written = {
            team: answer
            for team, answer in state.answers.items()
            if team != own and answer != state.answers.get(own or 0)
        }
        yield from (f'"{answer}"' for answer in written.values())


VARIANTS = [
    QuitteOuDoubleOptions(),
    QuitteOuDoubleOptions(
        expert_bonus=True, permanent_double=True, hourglass_s=0, level_s=0, reveal_s=0
    ),
    QuitteOuDoubleOptions(
        hidden_bets=True, tiebreak_question=True, captain_locks=True, presenter=2, team_count=3
    ),
    QuitteOuDoubleOptions(hourglass_s=2, tiebreak_question=True, permanent_double=True),
]


@pytest.mark.parametrize(("seats", "options"), list(zip((4, 5, 7, 6), VARIANTS, strict=True)))
def test_the_game_conforms(seats: int, options: QuitteOuDoubleOptions) -> None:
    check_game(RULES, seats, options, b"double", secrets=secrets)


def test_the_game_conforms_when_players_do_anything_legal() -> None:
    options = QuitteOuDoubleOptions(
        hourglass_s=8, reveal_s=2, permanent_double=True, expert_bonus=True
    )
    check_game(RULES, 4, options, b"random", ask=ask_random, secrets=secrets)


def test_a_full_table_conforms() -> None:
    check_game(QuitteOuDouble(), 20, QuitteOuDoubleOptions(), b"twenty")


def test_the_golden_game_is_played_as_ever() -> None:
    playthrough.check(QuitteOuDouble(), golden.PATH, golden.COMMAND)
