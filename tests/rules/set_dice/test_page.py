"""The page judges dice before they are played as the rules do."""

import json
import random
import subprocess
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from railbird_engine import RuleViolation
from railbird_engine.rules.set_dice.board import COMPLETES, LINES_THROUGH, judge
from railbird_engine.rules.set_dice.book import book_of
from railbird_engine.rules.set_dice.data import BOARD_SIZE, CELL_COUNT, FACES
from railbird_engine.rules.set_dice.data.printed import BOX
from railbird_engine.rules.set_dice.state import BoardDie
from sdk import node

RANDOM_CASES: Final = 4_000
DRAFTED_MAX: Final = 3
CORNERS: Final = (0, BOARD_SIZE - 1, CELL_COUNT - BOARD_SIZE, CELL_COUNT - 1)

Case = tuple[dict[int, BoardDie], list[int]]
"""A board that already holds the dice of the turn, and their cells."""

JUDGE: Final = f"""
import {{ readFileSync }} from "node:fs";
const page = "{node.ROOT.as_uri()}/web/client/set_dice";
const {{ judge }} = await import(`${{page}}/judge.ts`);
const {{ keyOf }} = await import(`${{page}}/game.ts`);
const {{ book, cases }} = JSON.parse(readFileSync(0, "utf8"));
const bonus = new Map(book.bonus.map((square) => [keyOf(square), square.points]));
const judged = cases.map(({{ board, drafted }}) => {{
  const {{ alone, ...found }} = judge({{ printed: book, bonus }}, {{ board }}, drafted);
  return {{ ...found, alone: [...alone] }};
}});
process.stdout.write(JSON.stringify(judged));
"""


def random_case(luck: random.Random) -> Case:
    """Lay dice close together at any place of the board; most fit to two neighbours in a line."""
    height, width = luck.randint(1, 5), luck.randint(1, 5)
    top, left = luck.randint(0, BOARD_SIZE - height), luck.randint(0, BOARD_SIZE - width)
    cells = [
        (top + row) * BOARD_SIZE + left + column for row in range(height) for column in range(width)
    ]
    luck.shuffle(cells)
    board: dict[int, BoardDie] = {}
    laid = cells[: luck.randint(1, len(cells))]
    for number, cell in enumerate(laid, 1):
        fitting = [
            COMPLETES[board[one].face][board[other].face]
            for line in LINES_THROUGH[cell]
            for one, other in [[each for each in line if each != cell]]
            if one in board and other in board
        ]
        face = luck.choice(fitting) if fitting and luck.random() < 0.9 else luck.choice(FACES)
        board[cell] = BoardDie(number, face, wild=luck.random() < 0.2)
    return board, laid[-luck.randint(1, min(DRAFTED_MAX, len(laid))) :]


def lines_at_the_edges() -> Iterator[Case]:
    """Lay lines of three to five dice from each corner and past each end of a row or column.

    Each die, and each two and three, is new in turn; alike, all different, and not a SET.
    """
    kinds = (("R1O",) * 5, ("R1O", "G2D", "P3S", "R1O", "G2D"), ("R1O", "R1O", "R2O", "R1O", "R1O"))
    starts = [*CORNERS, *range(BOARD_SIZE - 3, BOARD_SIZE), 5 * BOARD_SIZE - 2, CELL_COUNT // 2]
    for faces in kinds:
        for start in starts:
            for step in (1, -1, BOARD_SIZE, -BOARD_SIZE):
                for length in (3, 4, 5):
                    cells = [start + nth * step for nth in range(length)]
                    cells = [cell for cell in cells if 0 <= cell < CELL_COUNT]
                    for first in range(len(cells)):
                        for count in range(1, DRAFTED_MAX + 1):
                            board = {
                                cell: BoardDie(nth + 1, faces[nth], wild=(nth + first) % 4 == 0)
                                for nth, cell in enumerate(cells)
                            }
                            yield board, cells[first : first + count]


def as_the_rules(board: dict[int, BoardDie], new: list[int]) -> dict[str, Any]:
    """Return what the rules find, for each refusal what it tells."""
    bonus = sum(BOX.bonus.get(cell, 0) for cell in new)
    try:
        judged = judge(board, new)
    except RuleViolation as refusal:
        return {"code": refusal.code, "square": refusal.data.get("square")}
    return {"sets": len(judged.sets), "bonus": bonus, "points": judged.points + bonus}


def on_the_page(cases: list[Case]) -> list[dict[str, Any]]:
    """Return what the page finds, in the form of `as_the_rules`."""

    def squares(board: dict[int, BoardDie], cells: list[int]) -> list[dict[str, Any]]:
        places = [(*divmod(cell, BOARD_SIZE), board[cell]) for cell in cells]
        return [
            {"row": row, "column": column, "die": die.number, "face": die.face, "isWild": die.wild}
            for row, column, die in places
        ]

    written = [
        {
            "board": squares(board, [cell for cell in board if cell not in new]),
            "drafted": squares(board, new),
        }
        for board, new in cases
    ]
    text = msgspec.json.encode({"book": book_of(BOX), "cases": written}).decode()
    command = [str(node.NODE), "--input-type=module", "--eval", JUDGE]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [_refused_or_found(judged) for judged in json.loads(done.stdout)]


def _refused_or_found(judged: dict[str, Any]) -> dict[str, Any]:
    alone, joins = judged.pop("alone"), judged.pop("joins")
    if alone:  # in the order of the dice, as the rules look at them
        return {"code": "die_makes_no_set", "square": [int(part) for part in alone[0].split(":")]}
    return judged if joins else {"code": "no_set_with_the_board", "square": None}


def test_the_page_judges_placements_as_the_rules_do() -> None:
    luck = random.Random(38)
    cases = [*lines_at_the_edges(), *(random_case(luck) for _ in range(RANDOM_CASES))]
    expected = [as_the_rules(board, new) for board, new in cases]
    kinds = [found.get("code", found.get("sets")) for found in expected]
    for kind in ("die_makes_no_set", "no_set_with_the_board", 1, 2, 3, 4):
        assert kinds.count(kind) >= 10, f"{kind} is in the corpus"
    assert sum(found.get("bonus", 0) > 0 for found in expected) >= 20
    for case, rules, page in zip(cases, expected, on_the_page(cases), strict=True):
        assert page == rules, case
