"""The server's commands: `railbird help` lists them, `railbird serve` starts everything.

In a clone, `manage.py` does the same.
"""

import gc
import os
import sys
from pathlib import Path


def main() -> None:
    gc.set_threshold(500_000)  # loading the server leaves hardly any garbage
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings.base")
    try:
        from gameserver.processes.commands import run  # noqa: PLC0415 -- packages may be missing
        from railbird_engine.pipes import reader_may_leave  # noqa: PLC0415 -- the same
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith(("gameserver", "games", "accounts", "kit", "notices")):
            raise
        sys.exit(
            f"{Path(sys.argv[0]).name}: the package {missing.name!r} is not installed: "
            "run `bin/uv run manage.py`, or `uv sync` first."
        )
    try:
        with reader_may_leave():
            run(sys.argv)
    finally:
        gc.freeze()  # else Python would search all that is loaded for garbage before it exits


if __name__ == "__main__":
    main()
