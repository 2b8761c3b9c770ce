"""The load of `moves` in turns with another server, or with this one under other variables.

A command of the user's measures another server: it prints a line of JSON for each load, such as
`{"load": "saturation", "moves_per_s": 1800, "p50_ms": 30}` and
`{"load": "200/s", "moves_per_s": 200, "p50_ms": 1.8}`.
"""

import shlex
import subprocess
from collections.abc import Mapping, Sequence
from statistics import median

import msgspec

from bench.ground import ExperimentError
from bench.meter import server_cores
from bench.moves import MovesMeasured


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """A load of the other server. Fields that are not used here are skipped."""

    load: str
    moves_per_s: float
    p50_ms: float


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One load: figures of each turn, and the medians of the turns' ratios, ours to the peer's.

    `cpu_ratio` is that of the processor time a move takes in all processes of the server, if both
    are this one. It means something on a busy machine as well.
    """

    load: str
    ours: Sequence[MovesMeasured]
    peers: Sequence[MovesMeasured | Load]
    moves_ratio: float
    p50_ratio: float
    cpu_ratio: float | None = None


def _cpu(measured: MovesMeasured) -> float:
    return server_cores(measured.cores) / measured.moves_per_s


def measured_by(command: str) -> Mapping[str, Load]:
    """Run a peer's command, and return its loads by name. Raises ExperimentError."""
    try:
        done = subprocess.run(  # noqa: S603 -- the user's own command
            shlex.split(command), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True
        )
        found = [msgspec.json.decode(line, type=Load) for line in done.stdout.splitlines()]
    except (OSError, ValueError, subprocess.CalledProcessError, msgspec.MsgspecError) as error:
        raise ExperimentError(f"--peer {command}: {error}") from error
    return {each.load: each for each in found}


def compared(
    turns: Sequence[tuple[Sequence[MovesMeasured], Mapping[str, MovesMeasured | Load]]],
) -> list[Compared]:
    """Compare our loads with the peer's of the same names. Raises ExperimentError if it lacks
    one."""
    results = []
    for place, first in enumerate(turns[0][0]):
        ours = [measured[place] for measured, _ in turns]
        if missing := [peer for _, peer in turns if first.load not in peer]:
            raise ExperimentError(f"--peer measured {sorted(missing[0])}, not {first.load}")
        peers = [peer[first.load] for _, peer in turns]
        pairs = list(zip(ours, peers, strict=True))
        costs = [_cpu(own) / _cpu(it) for own, it in pairs if isinstance(it, MovesMeasured)]
        results.append(
            Compared(
                load=first.load,
                ours=ours,
                peers=peers,
                moves_ratio=round(median(own.moves_per_s / it.moves_per_s for own, it in pairs), 2),
                p50_ratio=round(median(own.p50_ms / it.p50_ms for own, it in pairs), 2),
                cpu_ratio=round(median(costs), 2) if costs else None,
            )
        )
    return results
