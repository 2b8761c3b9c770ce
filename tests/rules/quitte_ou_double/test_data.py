"""Printed figures: the house bank and the contents of the box."""

import re
from collections import Counter
from fractions import Fraction

import pytest

from railbird_engine.rules.quitte_ou_double.data import (
    LEVELS,
    TEAM_COLOURS,
    TEAMS_MAX,
    TOKENS_PER_TEAM,
)
from railbird_engine.rules.quitte_ou_double.data.bank import Bank, Question, installed_banks
from railbird_engine.rules.quitte_ou_double.decimals import canonical


def house() -> Bank:
    return installed_banks()["house"]


def questions() -> list[Question]:
    return [question for card in house().cards.values() for question in card]


def test_the_house_bank_has_100_cards_of_three_questions() -> None:
    """Rulebook, "Materiel"."""
    assert list(house().cards) == [*range(1, 101)]
    assert len(questions()) == 300


def test_every_question_is_unique_in_both_languages_and_names_its_source() -> None:
    for language in ("fr", "en"):
        texts = Counter(getattr(question, language) for question in questions())
        assert max(texts.values()) == 1
    for question in questions():
        assert question.fr.endswith((" ?", "»."))
        assert question.en.endswith(("?", "BC."))
        assert question.source
        assert bool(question.unit_fr) == bool(question.unit_en)
        asks_year = question.en.startswith("In which year")
        assert (question.unit.en, question.unit.fr) == ("", "") or not asks_year
        assert question.answer == canonical(question.answer)


def test_calculated_answers_are_right() -> None:
    checked = 0
    for question in questions():
        formula = re.fullmatch(r"Calculation: ([0-9x+/(). -]+)", question.source)
        if formula:
            exact = re.sub(
                r"[0-9.]+", lambda number: f"Fraction('{number[0]}')", formula[1].replace("x", "*")
            )
            assert eval(exact, {"Fraction": Fraction}) == Fraction(question.answer), question.en
            checked += 1
    assert checked


@pytest.mark.parametrize("level", LEVELS)
def test_most_questions_are_estimates_and_no_sums_or_constants(level: int) -> None:
    """An exact answer is "rather rare" (rulebook 4)."""
    asked = [card[level - 1] for card in house().cards.values()]
    assert sum(question.source.startswith("Calculation") for question in asked) <= 4
    assert sum(question.en.startswith("Exactly") for question in asked) <= 3


def test_some_answers_are_decimals_negatives_and_long_numbers() -> None:
    answers = [question.answer for question in questions()]
    assert {"-273.15", "1609.344", "9460730472580.8", "-38.8344"} <= set(answers)
    assert len(set(answers)) > 200, "few numbers occur twice"


def test_the_box_has_six_teams_with_two_bet_tokens_each() -> None:
    """Rulebook, "Materiel": 12 bet tokens."""
    assert TEAMS_MAX * TOKENS_PER_TEAM == 12
    assert len(TEAM_COLOURS) == TEAMS_MAX
    assert len(LEVELS) == 3


@pytest.mark.parametrize(
    ("card", "level", "said"),
    [
        (23, 1, "pawns included"),
        (38, 2, "map of 2002"),
        (40, 3, "three-dimensional"),
        (59, 1, "traditional Fahrenheit scale"),
        (72, 3, "ISO/IEC 7810"),
        (83, 1, "each former half-canton as one"),
        (83, 3, "records of the race"),
    ],
)
def test_a_question_with_two_defensible_answers_says_which_one_counts(
    card: int, level: int, said: str
) -> None:
    assert said in house().question(card, level).en
