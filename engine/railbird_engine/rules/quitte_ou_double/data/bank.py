"""Question banks: cards of three questions, read from CSV and checked field by field.

The option `bank` selects a file of the folder `banks/` by its name, without extension.
"""

import csv
import io
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from railbird_engine import Text, edition_of
from railbird_engine.kernel.host_data import file_text, placed
from railbird_engine.rules.quitte_ou_double.data import LEVELS, ROUNDS
from railbird_engine.rules.quitte_ou_double.decimals import canonical

BANKS: Final = Path(__file__).with_name("banks")
TEXT_MAX: Final = 300
_TEXTS: Final = ("fr", "en", "unit_fr", "unit_en", "source")
_COLUMNS: Final = ("card", "level", "fr", "en", "unit_fr", "unit_en", "answer", "source")


class Question(msgspec.Struct, frozen=True):
    """A numeric question in two languages, its unit, its exact answer and the answer's source."""

    fr: str
    en: str
    unit_fr: str
    unit_en: str
    answer: str
    source: str

    @property
    def is_year(self) -> bool:
        """Whether the answer is a year. A bank may have only one of the languages."""
        return self.unit_en == "year" or self.unit_fr == "année"

    @property
    def unit(self) -> Text:
        """The unit in both languages; empty for a year."""
        return Text(en="", fr="") if self.is_year else Text(en=self.unit_en, fr=self.unit_fr)


class Bank(msgspec.Struct, frozen=True):
    """Cards by number, each with its questions of levels 1, 2 and 3, and the hash of them."""

    cards: Mapping[int, tuple[Question, ...]]
    sha256: str

    def question(self, card: int, level: int) -> Question:
        """The question of a card at a level."""
        return self.cards[card][level - 1]


class BankError(ValueError):
    """A bank is invalid; `problems` names card, level and field of each fault."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@cache
def installed_banks() -> Mapping[str, Bank]:
    """Return the banks of the folder by name. Raises ValueError when one of them is invalid."""
    return MappingProxyType({path.stem: load(path) for path in sorted(BANKS.glob("*.csv"))})


def load(path: Path) -> Bank:
    """Read a bank from a file. Raises ValueError with the file and all its faults."""
    with placed(path.name):
        return parse_csv(file_text(path))


def parse_csv(text: str) -> Bank:
    """Read one question per line, separated by commas or semicolons.

    Header: `card,level,fr,en,unit_fr,unit_en,answer,source`.
    """
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    reader = csv.DictReader(
        io.StringIO(text), delimiter=delimiter, restkey="beyond the last column"
    )
    columns = reader.fieldnames or []
    faults = [
        f"column {name} is missing" for name in ("card", "level", "answer") if name not in columns
    ]
    faults += [f"column {name} is unknown" for name in columns if name not in _COLUMNS]
    if faults:
        raise BankError(faults)
    return _build((row, f"line {reader.line_num}") for row in reader)


def _build(rows: Iterable[tuple[Mapping[str, str], str]]) -> Bank:
    """Check every row, then that every card is complete and no question occurs twice."""
    problems: list[str] = []
    found: dict[int, dict[int, Question]] = {}
    asked: dict[str, str] = {}
    for row, where in rows:
        card, level = _whole(row["card"]), _whole(row["level"])
        if card < 1:
            problems.append(f"{where}, field card: {row['card']!r} is not a number from 1")
            continue
        place = f"card {card}, level {row['level']}"
        if level not in LEVELS:
            problems.append(f"{place}, field level: must be 1, 2 or 3")
            continue
        if level in found.setdefault(card, {}):
            problems.append(f"{place}, field level: this card already has a question of this level")
            continue
        question, faults = _question(row)
        found[card][level] = question
        for language in ("fr", "en"):
            first = asked.setdefault(getattr(question, language).casefold(), place)
            if first != place:
                faults.append(f"field {language}: the same question as {first}")
        problems += [f"{place}, {fault}" for fault in faults]
    problems += [
        f"card {card}, level {level}: the question is missing"
        for card, levels in found.items()
        for level in LEVELS
        if level not in levels
    ]
    if len(found) < ROUNDS:
        problems.append(f"a bank needs at least {ROUNDS} cards, this one has {len(found)}")
    if problems:
        raise BankError(problems)
    cards = {card: tuple(found[card][level] for level in LEVELS) for card in sorted(found)}
    return Bank(MappingProxyType(cards), edition_of(cards))


def _question(row: Mapping[str, str]) -> tuple[Question, list[str]]:
    """Return the question of a row and its faults. One language may replace the other."""
    faults = [f"field {name}: unknown" for name in row if name not in _COLUMNS]
    plain = {name: (row.get(name) or "").strip() for name in _TEXTS}
    for name, text in plain.items():
        if len(text) > TEXT_MAX:
            faults.append(f"field {name}: {len(text)} characters are more than {TEXT_MAX}")
    if not plain["fr"] and not plain["en"]:
        faults.append("field fr: a question needs a text in French or in English")
    answer = canonical((row["answer"] or "").strip())
    if answer is None:
        faults.append(
            f"field answer: {row['answer']!r} is not a decimal number such as 42 or -273.15"
        )
    question = Question(
        fr=plain["fr"] or plain["en"],
        en=plain["en"] or plain["fr"],
        unit_fr=plain["unit_fr"] or plain["unit_en"],
        unit_en=plain["unit_en"] or plain["unit_fr"],
        answer=answer or "0",
        source=plain["source"],
    )
    return question, faults


def _whole(text: str | None) -> int:
    """Return a whole number, 0 if the text is none."""
    digits = (text or "").strip()
    return int(digits) if digits.isascii() and digits.isdigit() else 0
