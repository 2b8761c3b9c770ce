"""Exports of bets: the same rows as the lists, in three formats, made while they are read."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pyarrow import parquet

from games import loop, services
from games.api import answers, exports
from games.engine import Seat
from games.models import Game
from games.models import Seat as SeatRow
from tests.api.rest import Caller, take

ROOT = Path(__file__).parent.parent.parent
NewGame = Callable[..., Game]


def played(new_game: NewGame, spots: int = 68) -> tuple[Game, Caller, Caller]:
    """A game of one board, and both of its players."""
    game = new_game(2, boards=1)
    for spot in range(spots):
        loop.call(services.play(game.id, Seat(spot % 2), json.dumps(take(spot)).encode(), uuid4()))
    people = SeatRow.objects.select_related("user").filter(lobby=game.lobby).order_by("number")
    first, second = (Caller(seat.user) for seat in people)
    return game, first, second


def listed(caller: Caller) -> list[dict[str, Any]]:
    """One's bets as the list tells them, oldest first."""
    rows: list[dict[str, Any]] = caller.get("/bets/?limit=100").data["items"]
    return rows[::-1]


def test_a_file_holds_the_rows_of_the_list_in_every_format(new_game: NewGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "BATCH", 10)
    game, caller, _ = played(new_game)
    expected = listed(caller)
    assert len(expected) == 34
    assert {(row["outcome"], row["payout"], row["settled_version"]) for row in expected} == {("won", 1, 69)}
    assert {(row["drawn_before"], row["drawn_until"]) for row in expected} == {(0, 0)}

    lines = caller.get("/bets/export/?format=jsonl")
    assert lines.headers["Content-Disposition"].endswith('.jsonl"')
    assert [json.loads(line) for line in lines.content.splitlines()] == expected

    table = list(csv.DictReader(io.StringIO(caller.get("/bets/export/").content.decode())))
    texts = [{name: "" if value is None else str(value) for name, value in row.items()} for row in expected]
    moments = ("placed_at", "settled_at")
    assert [{name: datetime.fromisoformat(v) if name in moments else v for name, v in row.items()} for row in table] == [
        {name: datetime.fromisoformat(v) if name in moments else v for name, v in row.items()} for row in texts
    ]

    columns = parquet.read_table(io.BytesIO(caller.get("/bets/export/?format=parquet").content)).to_pylist()
    read = [{**row, **{name: row[name].isoformat().replace("+00:00", "Z") for name in moments}} for row in columns]
    assert read == expected
    assert str(game.id) in {row["game"] for row in read}


def test_a_file_is_narrowed_as_the_list_is_and_holds_nobody_elses_bets(new_game: NewGame) -> None:
    game, caller, other = played(new_game, 6)
    content = caller.get(f"/bets/export/?format=jsonl&spot_prefix=2&outcome=open&game={game.id}").content
    assert [json.loads(line)["spot"] for line in content.splitlines()] == ["2"]
    assert other.get("/bets/export/?format=jsonl&spot_prefix=2").content == b""
    assert other.get("/bets/export/?spot=none").content.decode().strip() == ",".join(exports.COLUMNS)
    empty = parquet.read_table(io.BytesIO(other.get("/bets/export/?spot=none&format=parquet").content))
    assert (empty.num_rows, tuple(empty.column_names)) == (0, exports.COLUMNS)
    assert caller.get("/bets/export/?format=xlsx").problem == (400, "malformed")
    assert caller.get("/bets/export/?limit=5").problem == (400, "malformed")


def test_a_file_is_sent_whatever_the_client_says_it_accepts(new_game: NewGame) -> None:
    _, caller, _ = played(new_game, 1)
    answer = caller.call("GET", "/bets/export/", accept="text/csv")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")


def test_a_text_that_a_spreadsheet_would_run_is_only_shown(new_game: NewGame) -> None:
    game, caller, _ = played(new_game, 1)
    (row,) = listed(caller)
    evil = answers.Bet(**{**row, "spot": "=cmd()", "game": game.id, "placed_at": datetime.fromisoformat(row["placed_at"])})
    assert b",'=cmd()," in exports.Csv().write([evil])


def test_so_many_exports_at_a_time_and_no_more(new_game: NewGame) -> None:
    _, caller, _ = played(new_game, 1)
    held = [exports.Stream(iter(())) for _ in range(exports.EXPORTS_MAX)]
    try:
        assert caller.get("/bets/export/").problem == (503, "busy")
    finally:
        for stream in held:
            stream.close()
    assert caller.get("/bets/export/").status == 200


def test_draws_are_counted_and_told_only_when_the_game_has_ended(new_game: NewGame) -> None:
    running, caller, _ = played(new_game, 2)
    for row in listed(caller):
        assert (row["drawn_before"], row["drawn_until"]) == (None, None)
    assert [bet.drawn for bet in running.bets.all()] == [0, 0]


def test_the_command_writes_what_its_options_choose(new_game: NewGame, tmp_path: Path) -> None:
    game, _, _ = played(new_game, 5)

    def export(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", "export_bets", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    target = tmp_path / "bets.jsonl"
    done = export(str(target), f"--game={game.id}", "--stake-min=1")
    assert (done.returncode, done.stderr.strip()) == (0, "5 bets written")
    assert [json.loads(line)["number"] for line in target.read_text().splitlines()] == [1, 2, 3, 4, 5]
    assert len(export("-", f"--game={game.id}").stdout.splitlines()) == 6
    wrong = export("-", "--stake-min=much")
    assert wrong.returncode == 1
    assert "stake_min" in wrong.stderr
