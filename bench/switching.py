"""Experiments that switch something off and on at saturation, in one run."""

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from statistics import median
from typing import Final

import msgspec

from bench.moves import AtTables, Moves, MovesMeasured
from bench.players import Player, Tally

SERVER: Final = ("web", "worker")


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """Moves per second without and with something, one right after the other.

    `off_us` and `on_us` are the processor time of web and worker for a move, in microseconds, which
    others on the machine disturb less.
    """

    off: float
    on: float
    off_us: float
    on_us: float

    @property
    def ratio(self) -> float:
        """The rate with it relative to the rate without."""
        return self.on / self.off

    @property
    def cpu_ratio(self) -> float:
        """The processor time with it relative to that without."""
        return self.on_us / self.off_us


class SwitchingMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """The results of all turns. `ratio` is the median; least and most are its spread. `cpu_ratio`
    is that of the processor time for a move."""

    tables: int
    players: int
    turns: list[Turn]
    ratio: float
    ratio_least: float
    ratio_most: float
    cpu_ratio: float
    cpu_ratio_least: float
    cpu_ratio_most: float
    unanswered: int
    lost: int
    cores: dict[str, dict[str, float]]


class Switching(AtTables, frozen=True, kw_only=True):
    """`turns` pairs of windows at saturation, without and with something.

    The order alternates, so that neither a drift of the machine nor growing tables favour one.
    """

    port: int
    turns: int

    @abstractmethod
    def switched(self, tally: Tally, *, is_on: bool) -> AbstractAsyncContextManager[None]:
        """Switch it on or off for one window."""

    def run(self) -> SwitchingMeasured:
        """Run in a process with Django set up."""
        moves = Moves.at_saturation(self, self.port)

        async def measure(players: Sequence[Player], tally: Tally) -> SwitchingMeasured:
            return await self._measure(moves, players, tally)

        return moves.at_tables(measure)

    async def _measure(
        self, moves: Moves, players: Sequence[Player], tally: Tally
    ) -> SwitchingMeasured:
        windows = []
        for turn in range(self.turns):
            found = {}
            for is_on in (False, True) if turn % 2 == 0 else (True, False):
                async with self.switched(tally, is_on=is_on):
                    found[is_on] = await moves.window(None, players, tally)
            windows.append(found)
        turns = [
            Turn(
                off=found[False].moves_per_s,
                on=found[True].moves_per_s,
                off_us=_cpu_us(found[False]),
                on_us=_cpu_us(found[True]),
            )
            for found in windows
        ]
        ratios, last = sorted(turn.ratio for turn in turns), windows[-1]
        cpu_ratios = sorted(turn.cpu_ratio for turn in turns)
        return SwitchingMeasured(
            tables=self.tables,
            players=len(players),
            turns=turns,
            ratio=round(median(ratios), 4),
            ratio_least=round(ratios[0], 4),
            ratio_most=round(ratios[-1], 4),
            cpu_ratio=round(median(cpu_ratios), 4),
            cpu_ratio_least=round(cpu_ratios[0], 4),
            cpu_ratio_most=round(cpu_ratios[-1], 4),
            unanswered=last[True].unanswered + last[False].unanswered,
            lost=last[True].lost + last[False].lost,
            cores={"off": last[False].cores, "on": last[True].cores},
        )


def _cpu_us(measured: MovesMeasured) -> float:
    """Return the processor time of web and worker for a move, in microseconds."""
    cores = sum(measured.cores.get(name, 0.0) for name in SERVER)
    return round(1e6 * cores / measured.moves_per_s, 1)
