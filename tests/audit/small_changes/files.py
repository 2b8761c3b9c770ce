"""Honest files, and how to change them."""

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from bench.free_spots import FreeSpotsOptions
from tests.audit.honest import Honest, Log, honest_game, written

Case = tuple[bytes, int]
Edit = Callable[[Any], object]


@cache
def dice() -> Honest:
    """A game with draws and transfers."""
    return honest_game("set_dice", 2)


@cache
def board() -> Honest:
    """A game with settled bets and without draws, so that it stays valid under another genesis."""
    return honest_game("free_spots", 5, options=FreeSpotsOptions(boards=1, spots=12))


@cache
def stopped() -> Honest:
    """A game with bets that was voided."""
    return honest_game("ready_set_bet", 3, voided_after=40)


def games() -> list[Honest]:
    return [dice(), board(), stopped()]


@cache
def lines() -> list[bytes]:
    return written(Log(games()).bundle(games())).splitlines()


def line_with(text: bytes) -> int:
    return next(place for place, line in enumerate(lines()) if text in line)


def joined(changed: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in changed)


def rewrite(place: int, new: bytes) -> bytes:
    """Return the bundle with another line in this place."""
    return joined([*lines()[:place], new, *lines()[place + 1 :]])


def replaced(place: int, pattern: bytes, new: bytes) -> bytes:
    line, count = re.subn(pattern, new, lines()[place], count=1)
    assert count
    return rewrite(place, line)


def edited(line: bytes, edit: Edit) -> bytes:
    part = json.loads(line)
    edit(part)
    return json.dumps(part, separators=(",", ":"), ensure_ascii=False).encode()


def edit_line(place: int, edit: Edit) -> bytes:
    return rewrite(place, edited(lines()[place], edit))


def bundle_of(game: Honest) -> bytes:
    return written(Log([game]).bundle([game]))
