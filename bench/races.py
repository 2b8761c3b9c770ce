"""Concurrent races on one worker: measure how late the rolls are.

The lateness of a roll is the time of its commit minus its due time, both by the database's clock.
The due time is not stored, but follows from the log: a race that rolls every `beat` keeps its
phase, so every due time lies on the grid of whole beats around `Head.due_at`, and the roll after a
commit is due at the first grid point after it. The append statement uses the same rule, so a roll
that missed its beat counts with all of its lateness.
"""

import time
from typing import Final

import msgspec
from django.db import connection

from bench.ground import Experiment
from bench.meter import Meter
from bench.seating import seat_tables

WARM_S: Final = 6.0
"""Long enough to catch up with races that fell due while others were still starting."""

LATENESS: Final = """
WITH roll AS (
    SELECT c.at, h.due_at, lag(c.at) OVER (PARTITION BY c.game_id ORDER BY c.version) AS before
    FROM games_commit c JOIN games_head h USING (game_id)
    WHERE c.seat IS NULL AND c.at > now() - %(reach_s)s * interval '1 second'
), late AS (
    SELECT extract(epoch FROM at - due_at + floor(extract(epoch FROM due_at - before) / %(beat_s)s)
        * %(beat_s)s * interval '1 second') * 1000 AS ms
    FROM roll WHERE at > now() - %(seconds)s * interval '1 second' AND before IS NOT NULL
)
SELECT count(*), coalesce(percentile_cont(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (ORDER BY ms),
    '{0,0,0}') FROM late
"""


class RacesMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """`rolls_per_s` equals one per race and beat if the worker keeps up."""

    races: int
    beat_ms: int
    seconds: float
    rolls_per_s: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    cores: dict[str, float]


class Races(Experiment, frozen=True, kw_only=True):
    """`races` games of the metronome, each rolling a die every `beat_ms`."""

    races: int
    beat_ms: int
    seconds: float

    def run(self) -> RacesMeasured:
        """Run in a process with Django set up, next to one worker."""
        seat_tables([1] * self.races, "metronome", {"beat_ms": self.beat_ms})
        time.sleep(WARM_S)
        meter = Meter(self.processes)
        time.sleep(self.seconds)
        cores = meter.cores()
        beat_s = self.beat_ms / 1000
        with connection.cursor() as cursor:
            reach_s = self.seconds + min(WARM_S, 3 * beat_s)
            cursor.execute(
                LATENESS, {"seconds": self.seconds, "reach_s": reach_s, "beat_s": beat_s}
            )
            rolls, (p50, p99, worst) = cursor.fetchone()
        return RacesMeasured(
            races=self.races,
            beat_ms=self.beat_ms,
            seconds=self.seconds,
            rolls_per_s=round(rolls / self.seconds, 1),
            p50_ms=round(p50, 2),
            p99_ms=round(p99, 2),
            max_ms=round(worst, 2),
            cores=cores,
        )
