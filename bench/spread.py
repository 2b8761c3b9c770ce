"""Moves on several web processes: all players of a table on one of them, or on any."""

import random
from collections.abc import Sequence
from typing import Final
from urllib.request import urlopen

import msgspec
from prometheus_client.parser import text_string_to_metric_families

from bench.moves import AtTables, Moves, MovesMeasured
from bench.players import Player, Tally

APPENDED: Final = "railbird_append_commits_sum"
ACCEPTED: Final = "railbird_commands_total"


class SpreadMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """The results of one placement of players. `lost_share` is the share of appended commits that
    another commit of the same game preceded, so that they were decided again."""

    web: int
    by_table: bool
    saturation: MovesMeasured
    steady: MovesMeasured
    lost_share: float


class Spread(AtTables, frozen=True, kw_only=True):
    """The load of `Moves`. `ports` and `metrics` are those of the web processes."""

    ports: tuple[int, ...]
    metrics: tuple[int, ...]
    by_table: bool
    rate: float

    def run(self) -> SpreadMeasured:
        """Run in a process with Django set up."""
        moves = Moves.at_saturation(self, self.ports[0])

        async def measure(players: Sequence[Player], tally: Tally) -> SpreadMeasured:
            before = self._counted()
            saturation = await moves.window(None, players, tally)
            after = self._counted()
            appended, accepted = (late - early for early, late in zip(before, after, strict=True))
            return SpreadMeasured(
                web=len(self.ports),
                by_table=self.by_table,
                saturation=saturation,
                steady=await moves.window(self.rate, players, tally),
                lost_share=round(1 - accepted / appended, 4),
            )

        return moves.at_tables(measure, self._port_of)

    def _port_of(self, player: Player) -> int:
        if self.by_table:
            return self.ports[player.game.int % len(self.ports)]
        return random.choice(self.ports)  # noqa: S311 -- a load, not luck

    def _counted(self) -> tuple[float, float]:
        """Return the appended commits and the accepted commands of all processes so far."""
        found = {APPENDED: 0.0, ACCEPTED: 0.0}
        for port in self.metrics:
            with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
                text = answer.read().decode()
            for family in text_string_to_metric_families(text):
                for sample in family.samples:
                    if sample.name == APPENDED or (
                        sample.name == ACCEPTED and sample.labels["code"] == "ok"
                    ):
                        found[sample.name] += sample.value
        return found[APPENDED], found[ACCEPTED]
