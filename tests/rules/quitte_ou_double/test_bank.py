"""A host's own question bank: how it is read, and which faults are reported."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from railbird_engine.rules.quitte_ou_double.data.bank import (
    BankError,
    Question,
    load,
    parse_csv,
)

HEADER: Final = "card,level,fr,en,unit_fr,unit_en,answer,source"


def rows(change: Mapping[str, str] | None = None, *, cards: int = 7) -> str:
    """A small bank as CSV; `change` rewrites fields of card 3, level 2."""
    lines = [HEADER]
    for card in range(1, cards + 1):
        for level in (1, 2, 3):
            fields = {
                "fr": f"Q{card}.{level} ?",
                "en": f"E{card}.{level}?",
                "unit_fr": "m",
                "unit_en": "m",
                "answer": "12.5",
            }
            if (card, level) == (3, 2):
                fields |= change or {}
            values = [fields[name] for name in ("fr", "en", "unit_fr", "unit_en", "answer")]
            lines.append(",".join([str(card), fields.get("level", str(level)), *values, "us"]))
    return "\n".join(lines) + "\n"


def test_a_bank_is_read_from_csv() -> None:
    own = parse_csv(rows())
    assert own.question(3, 2) == Question("Q3.2 ?", "E3.2?", "m", "m", "12.5", "us")
    with_semicolons = parse_csv(rows().replace(",", ";"))
    assert with_semicolons.cards == own.cards
    assert with_semicolons.sha256 == own.sha256
    assert parse_csv(rows({"answer": "12.6"})).sha256 != own.sha256


def test_a_missing_language_is_replaced_by_the_other() -> None:
    question = parse_csv(rows({"en": "", "unit_en": ""})).question(3, 2)
    assert (question.en, question.unit_en) == ("Q3.2 ?", "m")


def test_the_longest_text_is_read() -> None:
    assert parse_csv(rows({"en": "x" * 300})).question(3, 2).en == "x" * 300


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"answer": "12;5"},
            "card 3, level 2, field answer: '12;5' is not a decimal number such as 42 or -273.15",
        ),
        (
            {"answer": ""},
            "card 3, level 2, field answer: '' is not a decimal number such as 42 or -273.15",
        ),
        (
            {"fr": "", "en": " "},
            "card 3, level 2, field fr: a question needs a text in French or in English",
        ),
        ({"fr": "q1.1 ?"}, "card 3, level 2, field fr: the same question as card 1, level 1"),
        ({"en": "x" * 301}, "card 3, level 2, field en: 301 characters are more than 300"),
        ({"level": "4"}, "card 3, level 4, field level: must be 1, 2 or 3"),
        (
            {"level": "1"},
            "card 3, level 1, field level: this card already has a question of this level",
        ),
    ],
)
def test_a_fault_is_reported_with_card_level_and_field(
    change: dict[str, str], problem: str
) -> None:
    with pytest.raises(BankError) as caught:
        parse_csv(rows(change))
    assert caught.value.problems[0] == problem


def test_all_faults_are_reported_at_once() -> None:
    text = (
        rows()
        .replace("1,1,", "one,1,")
        .replace("4,2,Q4.2 ?,E4.2?,m,m,12.5", "4,2,Q4.2 ?,E4.2?,m,m,many")
    )
    text += "8,1,Q8 ?,E8?,m,m,7,us,more\n0,1,Q0 ?,E0?,m,m,7,us\n"
    with pytest.raises(BankError) as caught:
        parse_csv(text)
    assert caught.value.problems == [
        "line 2, field card: 'one' is not a number from 1",
        "card 4, level 2, field answer: 'many' is not a decimal number such as 42 or -273.15",
        "card 8, level 1, field beyond the last column: unknown",
        "line 24, field card: '0' is not a number from 1",
        "card 1, level 1: the question is missing",
        "card 8, level 2: the question is missing",
        "card 8, level 3: the question is missing",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("card,level,fr\n", "column answer is missing"),
        (HEADER + ",note\n", "column note is unknown"),
        (HEADER + "\n", "a bank needs at least 7 cards, this one has 0"),
        (rows(cards=6), "a bank needs at least 7 cards, this one has 6"),
    ],
)
def test_csv_that_is_not_a_bank_is_rejected(text: str, problem: str) -> None:
    with pytest.raises(BankError, match=problem):
        parse_csv(text)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_bytes(b"\xef\xbb\xbf" + rows().encode())
    assert len(load(path).cards) == 7
