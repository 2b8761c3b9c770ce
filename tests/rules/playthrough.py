"""Golden playthroughs: one whole game per folder, stored commit by commit, that later rules must
play the same way.

A folder's `golden.py` says which game; running it as a module writes the file anew.
"""

from pathlib import Path
from typing import Any

import msgspec

from games.engine import Options, Seat
from games.engine.playout import AnyRules, Playout, play_out


class Head(msgspec.Struct):
    """The first line of the file: how the game began."""

    slug: str
    version: int
    seats: int
    options: Any  # as the rules at hand declare them
    key: str


class Asked(msgspec.Struct):
    """Of a stored commit, what a seat asked for; the clock asks for nothing."""

    seat: Seat | None
    command: Any  # as the rules at hand declare it


def record(rules: AnyRules, seats: int, options: Options, key: str, path: Path) -> None:
    """Play one game with bots and write it down: a head, then one line per commit."""
    head = Head(rules.slug, rules.version, seats, options, key)
    playout = play_out(rules, seats, options, key.encode())
    lines = [head, *playout.commits, playout.result]
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def check(rules: AnyRules, path: Path, command: str) -> None:
    """Play the stored commands again and compare every draw, event and transfer; `command` is what
    writes the file anew."""
    first, *commits, result = path.read_bytes().splitlines()
    head = msgspec.json.decode(first, type=Head)
    advice = f"raise {type(rules).__name__}.version if version {head.version} was released, then regenerate: {command}"
    assert (rules.slug, rules.version) == (head.slug, head.version), (
        f"the golden game is {head.slug} {head.version}; {advice}"
    )
    options = msgspec.convert(head.options, type=rules.options_type)
    playout = Playout(rules, head.seats, options, head.key.encode())
    for number, line in enumerate(commits):
        if number:
            _follow(playout, line)
        assert msgspec.json.encode(playout.commits[-1]) == line, (
            f"commit {number} plays differently; {advice}"
        )
    assert msgspec.json.encode(playout.result) == result, f"the game ends differently; {advice}"


def _follow(playout: Playout, line: bytes) -> None:
    asked = msgspec.json.decode(line, type=Asked)
    if asked.seat is None:
        playout.tick()
    else:
        playout.act(asked.seat, msgspec.convert(asked.command, type=playout.rules.command_type))
