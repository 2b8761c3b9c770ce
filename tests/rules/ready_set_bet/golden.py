"""The golden playthroughs: the core game, and the whole box in each mode, one commit per line.

`python -m tests.rules.ready_set_bet.golden` rewrites them. Do so only together with a new
`ReadySetBet.version`."""

from pathlib import Path
from typing import Any

import msgspec

from railbird_engine.kernel.playout import Commit, Playout, play_out
from railbird_engine.rules.ready_set_bet.options import ReadySetBetOptions
from railbird_engine.rules.ready_set_bet.rules import ReadySetBet

FOLDER = Path(__file__).with_name("playthroughs")
KEY = "the golden playthrough of Ready Set Bet"
SEATS = 4
GAMES = {
    "core": ReadySetBetOptions(races=2, props=False, exotics=False, vip=False),
    "app": ReadySetBetOptions(races=2),
    "standard": ReadySetBetOptions(races=2, mode="standard"),
    "betting_announcer": ReadySetBetOptions(races=2, mode="betting_announcer", auto_roll=True),
    "rotating_announcer": ReadySetBetOptions(races=2, mode="rotating_announcer"),
}


class Golden(msgspec.Struct):
    """The content of a file; commits as plain values, as they were written."""

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


def read(game: str) -> Golden:
    return msgspec.json.decode((FOLDER / f"{game}.json").read_bytes(), type=Golden)


def write(game: str) -> None:
    commits = play_out(ReadySetBet(), SEATS, GAMES[game], KEY.encode()).commits
    head = Golden(ReadySetBet.version, SEATS, GAMES[game], KEY, [])
    opening = msgspec.json.encode(head).decode().removesuffix("]}")
    lines = [msgspec.json.encode(commit).decode() for commit in commits]
    (FOLDER / f"{game}.json").write_text(opening + "\n" + ",\n".join(lines) + "\n]}\n")


if __name__ == "__main__":
    for game in GAMES:
        write(game)
