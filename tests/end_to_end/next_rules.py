"""The next versions of two load games, which only a new build has."""

from bench.free_spots import FreeSpots
from bench.metronome import Metronome


class NextFreeSpots(FreeSpots):
    version = 2


class NextMetronome(Metronome):
    version = 2
