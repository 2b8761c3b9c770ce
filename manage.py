#!/usr/bin/env python
"""The server's commands: `manage.py help` lists them, `manage.py serve` brings everything up."""

import gc
import os
import sys


def main() -> None:
    gc.set_threshold(50_000)  # loading the server leaves hardly any garbage
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings.base")
    try:
        from gameserver.processes.commands import run  # noqa: PLC0415 -- packages may be missing
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith(("gameserver", "games", "accounts", "kit")):
            raise
        sys.exit(
            f"manage.py: the package {missing.name!r} is not installed: "
            "run `bin/uv run manage.py`, or `uv sync` first."
        )
    run(sys.argv)


if __name__ == "__main__":
    main()
