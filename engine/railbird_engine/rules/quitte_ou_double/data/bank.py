"""Question banks: cards of three questions, read from CSV or JSON and checked field by field.

`python -m railbird_engine.rules.quitte_ou_double.data.bank FILE` checks your own bank. The option
`bank` selects a file of the folder `banks/` by its name, without extension.
"""

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from railbird_engine import Text, edition_of
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
    """Cards by number, each with its questions of levels 1, 2 and 3.

    `sha256` is the same for the same content in any format.
    """

    cards: Mapping[int, tuple[Question, ...]]
    sha256: str

    def question(self, card: int, level: int) -> Question:
        """The question of a card at a level."""
        return self.cards[card][level - 1]


class BankError(Exception):
    """A bank is invalid; `problems` names card, level and field of each fault."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@cache
def installed_banks() -> Mapping[str, Bank]:
    """Return the banks of the folder by name. Raises BankError when one of them is invalid."""
    return MappingProxyType(
        {
            path.stem: load(path)
            for path in sorted(BANKS.iterdir())
            if path.suffix in (".csv", ".json")
        }
    )


def load(path: Path) -> Bank:
    """Read a bank from a CSV or JSON file. Raises BankError with all its faults."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BankError(
            [f"{path.name}: the file is not UTF-8 ({error.reason} at byte {error.start})"]
        ) from error
    try:
        return parse_json(text) if path.suffix == ".json" else parse_csv(text)
    except BankError as error:
        raise BankError([f"{path.name}: {problem}" for problem in error.problems]) from error


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


def parse_json(text: str) -> Bank:
    """Read a list of cards, each with its questions of levels 1 to 3 in order.

    A card: `{"card": 1, "questions": [{"fr": ..., "answer": "88", ...}, ..., ...]}`.
    """
    try:
        cards = json.loads(text)
    except ValueError as error:
        raise BankError([f"not JSON: {error}"]) from error
    if not isinstance(cards, list):
        raise BankError(["a bank is a list of cards"])
    return _build(_rows_of_cards(cards))


def _rows_of_cards(cards: Iterable[object]) -> Iterator[tuple[Mapping[str, object], str]]:
    for index, card in enumerate(cards, 1):
        if not isinstance(card, dict) or not isinstance(card.get("questions"), list):
            raise BankError(
                [f"entry {index}: a card has a number, `card`, and a list of `questions`"]
            )
        for level, question in enumerate(card["questions"], 1):
            if not isinstance(question, dict):
                raise BankError([f"entry {index}, level {level}: a question is an object"])
            yield {**question, "card": card.get("card"), "level": level}, f"entry {index}"


def _build(rows: Iterable[tuple[Mapping[str, object], str]]) -> Bank:
    """Check every row, then that every card is complete and no question occurs twice."""
    problems: list[str] = []
    found: dict[int, dict[int, Question]] = {}
    asked: dict[str, str] = {}
    for row, where in rows:
        card, level = _whole(row.get("card")), _whole(row.get("level"))
        if card is None or card < 1:
            problems.append(f"{where}, field card: {row.get('card')!r} is not a number from 1")
            continue
        place = f"card {card}, level {row.get('level')}"
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


def _question(row: Mapping[str, object]) -> tuple[Question, list[str]]:
    """Return the question of a row and its faults. One language may replace the other."""
    faults = [f"field {name}: unknown" for name in row if name not in _COLUMNS]
    texts = {name: row.get(name) or "" for name in _TEXTS}
    for name, value in texts.items():
        if not isinstance(value, str):
            faults.append(f"field {name}: {value!r} is not a text")
        elif len(value) > TEXT_MAX:
            faults.append(f"field {name}: {len(value)} characters are more than {TEXT_MAX}")
    plain = {name: str(value).strip() for name, value in texts.items()}
    if not plain["fr"] and not plain["en"]:
        faults.append("field fr: a question needs a text in French or in English")
    given = row.get("answer")
    # A float would already have lost digits; a whole number has not.
    text = str(given).strip() if isinstance(given, str) or _whole(given) is not None else ""
    answer = canonical(text)
    if answer is None:
        hint = "; write it as a text" if isinstance(given, float) else ""
        faults.append(
            f"field answer: {given!r} is not a decimal number such as 42 or -273.15{hint}"
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


def _whole(value: object) -> int | None:
    """Return a whole number, given as a number or as text, else None."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def main(arguments: list[str]) -> int:
    """Check the files named on the command line; return 0 when all are valid."""
    failed = 0
    for name in arguments:
        try:
            bank = load(Path(name))
            questions = len(bank.cards) * len(LEVELS)
            sys.stdout.write(f"{name}: {len(bank.cards)} cards, {questions} questions, all valid\n")
        except BankError as error:
            failed = 1
            sys.stdout.write(f"{error}\n")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
