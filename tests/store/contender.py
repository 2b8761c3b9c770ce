"""A process that plays commands from standard input, one JSON job per line, and prints the results.

A job: {"game": id, "plays": [[seat, spot, command id, not after], ...], "die": "after_commit" or
null, "freeze": bool}. All plays of a job start at once. `die` ends the process, as kill -9 would,
when the database has committed and nobody has an answer yet. `freeze` stops the process while it
holds the job, until somebody continues it.
"""

import asyncio
import gc
import json
import os
import signal
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import django

gc.disable()  # a short life leaves little garbage, and imports hardly any
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from games.play import service  # noqa: E402
from games.store.appending import Appends  # noqa: E402
from games.store.rows import NewCommit  # noqa: E402
from kit import event_loop  # noqa: E402
from kit.database import Rows  # noqa: E402
from kit.problems import Problem  # noqa: E402  (Django first)
from railbird_engine import Seat  # noqa: E402


async def play(
    game: str, seat: int, spot: int, command_id: str, not_after: str | None = None
) -> tuple[str, str, int | None]:
    """Return the command id, "accepted" or the code of the rejection, and the version."""
    command = json.dumps({"type": "take_spot", "spot": spot}).encode()
    try:
        record = await service.play(
            UUID(game),
            Seat(seat),
            command,
            UUID(command_id),
            not_after=None if not_after is None else datetime.fromisoformat(not_after),
        )
    except Problem as problem:
        return command_id, problem.code, None
    return command_id, "accepted", record.version


async def carry_out(job: dict[str, Any]) -> list[tuple[str, str, int | None]]:
    """Start all plays of a job at once."""
    return await asyncio.gather(*(play(job["game"], *wanted) for wanted in job["plays"]))


def die_after_commit() -> None:
    """Make this process die right after its next append."""
    send = Appends.send

    async def send_and_die(appends: Appends, commits: Sequence[NewCommit]) -> Rows:
        await send(appends, commits)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("This process lives on.")

    Appends.send = send_and_die  # type: ignore[method-assign, assignment]  # a coroutine will do


def main() -> None:
    print("ready", flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        if job.get("die"):
            die_after_commit()
        if job.get("freeze"):
            os.kill(os.getpid(), signal.SIGSTOP)
        print(json.dumps(event_loop.call(carry_out(job))), flush=True)


main()
