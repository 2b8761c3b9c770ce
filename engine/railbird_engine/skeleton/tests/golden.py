"""The golden playthroughs of coin toss.

`python -m railbird_engine.skeleton.tests.golden` rewrites them.
"""

from pathlib import Path

from railbird_engine.kernel import playthroughs
from railbird_engine.skeleton.coin_toss.options import CoinTossOptions
from railbird_engine.skeleton.coin_toss.rules import CoinToss

COMMAND = "python -m railbird_engine.skeleton.tests.golden"
FOLDER = Path(__file__).with_name("playthroughs")
GAMES = {"default": (3, CoinTossOptions()), "no_clock": (2, CoinTossOptions(round_s=0))}

if __name__ == "__main__":
    for name, (seats, options) in GAMES.items():
        playthroughs.record(CoinToss(), seats, options, "golden", FOLDER / f"{name}.json")
