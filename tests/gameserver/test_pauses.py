"""Pauses of a process that plays games."""

import subprocess
import sys

AFTER_START = """
import gc, sys
from gameserver.processes.startup import limit_pauses
gc.disable()
limit_pauses()
young, middle, _ = gc.get_threshold()
print(gc.isenabled(), gc.get_freeze_count() > 0, young * middle <= 20_000, sys.getswitchinterval())
"""


def test_a_ready_process_collects_little_at_a_time_and_lets_threads_take_short_turns() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AFTER_START], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "True", "True", "0.0005"]
