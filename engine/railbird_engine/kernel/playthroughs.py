"""Golden playthroughs: whole games, stored commit by commit, which the rules must reproduce.

A module `golden` beside the tests lists the playthroughs; running it rewrites the files.
"""

from pathlib import Path
from typing import Any

import msgspec

from railbird_engine.kernel.contract import AnyRules, Options
from railbird_engine.kernel.money import Seat
from railbird_engine.kernel.playout import Ask, Playout, ask_bot, play_out


class Head(msgspec.Struct):
    """The first entry of a file: the start of the game."""

    slug: str
    version: int
    seats: int
    options: Any  # as the rules at hand declare them
    key: str


class Asked(msgspec.Struct):
    """The command of a stored commit, and its seat; a tick has neither."""

    seat: Seat | None
    command: Any  # as the rules at hand declare it


def record(
    rules: AnyRules, seats: int, options: Options, key: str, path: Path, ask: Ask = ask_bot
) -> None:
    """Play one game and store it: a head, the commits and the result, each on a line."""
    head = Head(rules.slug, rules.version, seats, options, key)
    playout = play_out(rules, seats, options, key.encode(), ask)
    entries = [head, *playout.commits, playout.result]
    lines = b",\n".join(msgspec.json.encode(entry) for entry in entries)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"[\n" + lines + b"\n]\n")


def check(rules: AnyRules, path: Path, command: str) -> None:
    """Replay the stored commands and compare every draw, event and transfer.

    `command` is the shell command that rewrites the file.
    """
    first, *commits, result = msgspec.json.decode(path.read_bytes(), type=list[msgspec.Raw])
    head = msgspec.json.decode(first, type=Head)
    advice = (
        f"raise {type(rules).__name__}.version if version {head.version} was released, "
        f"then regenerate: {command}"
    )
    found = f"the playthrough is of {head.slug} {head.version}"
    assert (rules.slug, rules.version) == (head.slug, head.version), f"{found}; {advice}"
    options = msgspec.convert(head.options, type=rules.options_type)
    playout = Playout(rules, head.seats, options, head.key.encode())
    for number, line in enumerate(commits):
        if number:
            _follow(playout, line)
        replayed = msgspec.json.encode(playout.commits[-1])
        assert replayed == bytes(line), f"commit {number} replays differently; {advice}"
    ended = msgspec.json.encode(playout.result)
    assert ended == bytes(result), f"the game ends differently; {advice}"


def _follow(playout: Playout, line: msgspec.Raw) -> None:
    asked = msgspec.json.decode(line, type=Asked)
    if asked.seat is None:
        playout.tick()
    else:
        playout.act(asked.seat, msgspec.convert(asked.command, type=playout.rules.command_type))
