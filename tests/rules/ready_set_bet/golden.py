"""The golden playthrough: two races of four bots, every commit on a line of its own.

`python -m tests.rules.ready_set_bet.golden` writes it anew. Do so only together with a new `ReadySetBet.version`.
"""

from pathlib import Path
from typing import Any

import msgspec

from games.engine.playout import Commit, Playout, play_out
from games.rules.ready_set_bet.messages import ReadySetBetOptions
from games.rules.ready_set_bet.rules import ReadySetBet

FILE = Path(__file__).with_name("golden.json")
KEY = b"the golden playthrough of Ready Set Bet"
SEATS = 4
OPTIONS = ReadySetBetOptions(races=2, props=False, exotics=False, vip=False)


class Golden(msgspec.Struct):
    """What the file holds; commits as plain values, as they were written."""

    version: int
    seats: int
    options: ReadySetBetOptions
    key: str
    commits: list[Any]  # plain JSON values


def plain(commit: Commit) -> Any:  # plain JSON values
    return msgspec.json.decode(msgspec.json.encode(commit))


def playout(golden: Golden) -> Playout:
    """The game of the file, at its first commit."""
    return Playout(ReadySetBet(), golden.seats, golden.options, golden.key.encode())


def read() -> Golden:
    return msgspec.json.decode(FILE.read_bytes(), type=Golden)


def write() -> None:
    commits = [msgspec.json.encode(commit).decode() for commit in play_out(ReadySetBet(), SEATS, OPTIONS, KEY).commits]
    head = Golden(ReadySetBet.version, SEATS, OPTIONS, KEY.decode(), [])
    opening = msgspec.json.encode(head).decode().removesuffix("]}")
    FILE.write_text(opening + "\n" + ",\n".join(commits) + "\n]}\n")


if __name__ == "__main__":
    write()
