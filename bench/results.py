"""The results of experiments as lines of JSON, in a file for each day and commit."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from gameserver.settings import build

OF_DJANGO: Final = frozenset(
    {"settings", "pythonpath", "traceback", "verbosity", "no_color", "force_color", "skip_checks"}
)


def add(folder: Path, experiment: str, options: dict[str, Any], measured: Any) -> None:
    """Append the result of one experiment, with the machine and the options of the command."""
    at, commit = datetime.now(UTC), build.commit()
    line = {
        "experiment": experiment,
        "at": at,
        "commit": commit,
        "machine": f"{platform.platform()}, {os.cpu_count()} processors, {_processor()}",
        "options": {
            name: value for name, value in options.items() if name not in {*OF_DJANGO, "json"}
        },
        "measured": measured,
    }
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{at:%Y-%m-%d}-{commit[:8]}.jsonl").open("ab") as file:
        file.write(msgspec.json.encode(line) + b"\n")


def _processor() -> str:
    """Return the processor's model where Linux tells it."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.exists() else []
    models = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return next(models, platform.processor())
