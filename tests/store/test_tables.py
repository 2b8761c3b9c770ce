"""`check_tables` finds each difference between the database and the migrations, and no other."""

import os
import re
import subprocess
import sys

import psycopg
import pytest

CHANGES = {
    "column games_head.extra": (
        "ALTER TABLE games_head ADD extra int",
        "ALTER TABLE games_head DROP extra",
    ),
    "column games_presence.connected": (
        "ALTER TABLE games_presence ALTER connected DROP NOT NULL",
        "ALTER TABLE games_presence ALTER connected SET NOT NULL",
    ),
    "constraint games_snapshot.more": (
        "ALTER TABLE games_snapshot ADD CONSTRAINT more CHECK (version > -1)",
        "ALTER TABLE games_snapshot DROP CONSTRAINT more",
    ),
    "index games_seat.more": ("CREATE INDEX more ON games_seat (number)", "DROP INDEX more"),
}
"""Findings, each with the change by hand that leads to it, and how that is taken back."""


@pytest.mark.slow
def test_tables_that_were_changed_by_hand_are_found() -> None:
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        for change, _ in CHANGES.values():
            owner.execute(change)
        try:
            done = subprocess.run(
                [sys.executable, "-m", "gameserver", "check_tables"],
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            for _, back in CHANGES.values():
                owner.execute(back)
    assert done.returncode == 1, done.stderr
    assert re.findall(r"^\w+ \w+\.\w+$", done.stdout, re.MULTILINE) == list(CHANGES)
