"""Resource use of processes: processor time in cores, memory in megabytes."""

import os
import time
from collections.abc import Mapping
from typing import Final

import psutil

MEGABYTE: Final = 1_000_000
GENERATOR: Final = "generator"
OTHERS: Final = "others"


class Meter:
    """Processor time since creation, by process. A process that forks counts with its children."""

    def __init__(self, processes: Mapping[str, int]) -> None:
        self._processes = {name: psutil.Process(pid) for name, pid in processes.items()}
        self._processes[GENERATOR] = psutil.Process(os.getpid())
        self._began = time.monotonic()
        self._before = self._used()

    def cores(self) -> dict[str, float]:
        """Return the average number of cores in use since the start, by process.

        `others` is the rest of the machine.
        """
        elapsed = time.monotonic() - self._began
        used = {name: seconds - self._before[name] for name, seconds in self._used().items()}
        others = used.pop(OTHERS) - sum(used.values())
        return {
            name: round(seconds / elapsed, 4)
            for name, seconds in {**used, OTHERS: max(0.0, others)}.items()
        }

    def _used(self) -> dict[str, float]:
        machine = psutil.cpu_times()
        used = {name: _with_children(process) for name, process in self._processes.items()}
        return {**used, OTHERS: machine.user + machine.nice + machine.system}


def server_cores(cores: Mapping[str, float]) -> float:
    """Return the cores that all processes of the server used together."""
    return sum(used for name, used in cores.items() if name not in {GENERATOR, OTHERS})


def _with_children(process: psutil.Process) -> float:
    own = process.cpu_times()
    seconds = own.user + own.system + own.children_user + own.children_system
    for child in process.children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.NoSuchProcess:
            continue
        seconds += times.user + times.system
    return float(seconds)


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process, in megabytes."""
    return float(psutil.Process(pid).memory_info().rss) / MEGABYTE


def quantile_ms(sorted_seconds: list[float], share: float) -> float:
    """Return a quantile of sorted durations in seconds, in milliseconds; 0 if there are none."""
    if not sorted_seconds:
        return 0.0
    return round(
        1000 * sorted_seconds[min(len(sorted_seconds) - 1, int(len(sorted_seconds) * share))], 2
    )
