"""The golden playthroughs of coin toss.

`python -m games.skeleton.tests.golden` rewrites them.
"""

from pathlib import Path

from games.engine import playthroughs
from games.skeleton.coin_toss.options import CoinTossOptions
from games.skeleton.coin_toss.rules import CoinToss

COMMAND = "python -m games.skeleton.tests.golden"
FOLDER = Path(__file__).with_name("playthroughs")
GAMES = {"default": (3, CoinTossOptions()), "no_clock": (2, CoinTossOptions(round_s=0))}

if __name__ == "__main__":
    for name, (seats, options) in GAMES.items():
        playthroughs.record(CoinToss(), seats, options, "golden", FOLDER / f"{name}.json")
