"""Commands whose output is not read to the end, and the help of exports."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, load_command_class

from railbird_engine.pipes import GONE
from tests.processes import ROOT

PRINTING = [
    ["manage.py", "export_bets", "-"],
    ["-m", "railbird_engine.audit", "verify", "none.bundle"],
    ["-m", "railbird_engine.audit", "--help"],
    ["-m", "railbird_engine.check_game", "--help"],
    ["-m", "railbird_engine.new_game", "--help"],
]


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("command", PRINTING, ids=" ".join)
def test_a_command_ends_quietly_when_nobody_reads_its_output(command: list[str]) -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=buffered,
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    told = done.stderr.decode()
    assert done.returncode == GONE, told
    assert "Traceback" not in told and "Broken" not in told


@pytest.mark.parametrize("name", ["export_bets", "export_transfers", "person_data"])
def test_each_option_of_an_export_is_explained(name: str) -> None:
    parser = load_command_class("games", name).create_parser("railbird", name)
    for action in parser._actions:
        assert action.help, action.option_strings
    assert parser._option_string_actions["--names"].nargs == 0, "a flag"


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("time_zone", "Mars/Olympus", "--time-zone Mars/Olympus: is no time zone"),
        ("outcome", "drawn", "--outcome drawn: .* allowed: lost, open, void, won"),
    ],
)
def test_a_refused_option_is_named_with_its_value(
    tmp_path: Path, option: str, value: str, reason: str
) -> None:
    with pytest.raises(CommandError, match=reason):
        call_command("export_bets", str(tmp_path / "bets.csv"), **{f"asked_{option}": value})
