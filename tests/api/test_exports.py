"""Exports of bets and transfers: the rows of the lists, streamed in three formats."""

import csv
import io
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import msgspec
import openpyxl
import pytest
from django.contrib.auth.models import Group
from pyarrow import parquet

from accounts import tokens
from accounts.models import Transfer, User
from games.api import exports, types
from games.models import Game
from games.models import Seat as SeatRow
from games.reads.filters import BetExport
from games.store.registry import catalogue
from tests.api.rest import Caller
from tests.builders import NewGame
from tests.commands import managed
from tests.moves import take_in_turn
from tests.waiting import WITHIN_S


def as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def played(new_game: NewGame, spots: int = 68) -> tuple[Game, Caller, Caller]:
    """A game of one full board, and both players."""
    game = new_game(2, boards=1)
    for spot in range(spots):
        take_in_turn(game, spot)
    people = SeatRow.objects.select_related("user").filter(lobby=game.lobby).order_by("number")
    first, second = (Caller(seat.user) for seat in people)
    return game, first, second


def listed(caller: Caller) -> list[dict[str, Any]]:
    """The user's bets from the list, oldest first."""
    rows: list[dict[str, Any]] = caller.get("/bets/?limit=100").data["items"]
    return rows[::-1]


def test_a_file_has_the_rows_of_the_list_in_every_format(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "BATCH", 10)
    game, caller, _ = played(new_game)
    expected = listed(caller)
    assert len(expected) == 34
    assert {(row["outcome"], row["payout"], row["settled_version"]) for row in expected} == {
        ("won", 1, 69)
    }
    assert {(row["drawn_before"], row["drawn_until"]) for row in expected} == {(0, 0)}

    lines = caller.get("/bets/export/?format=jsonl")
    assert lines.headers["Content-Disposition"].endswith('.jsonl"')
    assert [json.loads(line) for line in lines.content.splitlines()] == expected

    table = list(csv.DictReader(io.StringIO(caller.get("/bets/export/").content.decode())))
    texts = [
        {name: "" if value is None else as_text(value) for name, value in row.items()}
        for row in expected
    ]
    moments = ("placed_at", "settled_at")
    assert [
        {name: datetime.fromisoformat(v) if name in moments else v for name, v in row.items()}
        for row in table
    ] == [
        {name: datetime.fromisoformat(v) if name in moments else v for name, v in row.items()}
        for row in texts
    ]

    columns = parquet.read_table(
        io.BytesIO(caller.get("/bets/export/?format=parquet").content)
    ).to_pylist()
    read = [
        {**row, **{name: row[name].isoformat().replace("+00:00", "Z") for name in moments}}
        for row in columns
    ]
    assert read == expected
    assert str(game.id) in {row["game"] for row in read}


def test_a_file_has_the_filters_of_the_list_and_no_bets_of_others(new_game: NewGame) -> None:
    game, caller, other = played(new_game, 6)
    content = caller.get(
        f"/bets/export/?format=jsonl&spot_prefix=2&outcome=open&game={game.id}"
    ).content
    assert [json.loads(line)["spot"] for line in content.splitlines()] == ["2"]
    assert other.get("/bets/export/?format=jsonl&spot_prefix=2").content == b""
    assert other.get("/bets/export/?spot=none").content.decode().strip() == ",".join(
        types.Bet.__struct_fields__
    )
    empty = parquet.read_table(
        io.BytesIO(other.get("/bets/export/?spot=none&format=parquet").content)
    )
    assert (empty.num_rows, tuple(empty.column_names)) == (0, types.Bet.__struct_fields__)
    assert caller.get("/bets/export/?format=ods").problem == (400, "malformed")
    assert caller.get("/bets/export/?limit=5").problem == (400, "malformed")


def test_a_file_is_sent_for_any_accept_header(new_game: NewGame) -> None:
    _, caller, _ = played(new_game, 1)
    answer = caller.call("GET", "/bets/export/", accept="text/csv")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")


def test_a_text_that_looks_like_a_formula_is_escaped(new_game: NewGame) -> None:
    game, caller, _ = played(new_game, 1)
    (row,) = listed(caller)
    evil = types.Bet(
        **{
            **row,
            "spot": "=cmd()",
            "game": game.id,
            "placed_at": datetime.fromisoformat(row["placed_at"]),
        }
    )
    assert b",'=cmd()," in exports.Csv(types.Bet, BetExport(), "bets").write([evil])


def test_a_spreadsheet_opens_a_file_for_people(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, caller, _ = played(new_game, 3)
    assert caller.user is not None
    caller.user.display_name = "=HYPERLINK(1)"
    caller.user.save()
    asked = "names=true&time_zone=Asia/Kolkata"
    csv_file = caller.get(f"/bets/export/?separator=semicolon&byte_order_mark=true&{asked}")
    assert csv_file.content.startswith(b"\xef\xbb\xbfgame;slug;")
    texts = list(csv.DictReader(io.StringIO(csv_file.content.decode("utf-8-sig")), delimiter=";"))
    monkeypatch.setattr(exports, "ROWS_MAX", 2)
    workbook = openpyxl.load_workbook(
        io.BytesIO(caller.get(f"/bets/export/?format=xlsx&{asked}").content)
    )
    assert workbook.sheetnames == ["bets", "bets (2)"]
    cells = [
        dict(zip(header, row, strict=True))
        for header, *rows in (list(sheet.values) for sheet in workbook.worksheets)
        for row in rows
    ]
    expected = listed(caller)
    assert len(texts) == len(cells) == len(expected) == 2
    kolkata = timezone(timedelta(hours=5, minutes=30))
    for text, cell, row in zip(texts, cells, expected, strict=True):
        assert (text["is_bot"], cell["is_bot"]) == ("false", False)
        assert text["game_name"] == cell["game_name"] == catalogue()[game.slug].title["en"]
        assert (text["user_name"], cell["user_name"]) == ("'=HYPERLINK(1)", "=HYPERLINK(1)")
        local = datetime.fromisoformat(row["placed_at"]).astimezone(kolkata).replace(tzinfo=None)
        assert text["placed_at"] == f"{local:%Y-%m-%d %H:%M:%S}"
        assert text["placed_at_offset"] == cell["placed_at_offset"] == "UTC+05:30"
        assert isinstance(cell["placed_at"], datetime)
        assert abs(cell["placed_at"] - local) < timedelta(seconds=1)
        assert cell["stake"] == row["stake"]
    kinds = {cell.data_type for sheet in workbook.worksheets for line in sheet for cell in line}
    assert "f" not in kinds, "a text has become a formula"


def test_the_hour_that_autumn_repeats_is_told_apart() -> None:
    class At(msgspec.Struct):
        at: datetime | None

    form = exports.Form(At, BetExport(time_zone="Europe/Paris"))
    rows = [(datetime(2026, 10, 25, hour, 30, tzinfo=UTC),) for hour in (0, 1)]
    lines = exports.Csv(form.kind, BetExport(time_zone="Europe/Paris"), "at").write(
        form.lines([*rows, (None,)])
    )
    assert lines.decode().splitlines() == [
        "at,at_offset",
        "2026-10-25 02:30:00,UTC+02:00",
        "2026-10-25 02:30:00,UTC+01:00",
        ",",
    ]


@pytest.mark.parametrize("zone", ["Europe/Paris/..", "Europe", "Nowhere/Town", "a" * 61])
def test_a_file_has_a_known_time_zone(new_game: NewGame, zone: str) -> None:
    _, caller, _ = played(new_game, 0)
    assert caller.get(f"/bets/export/?time_zone={zone}").problem == (400, "malformed")


def test_the_number_of_concurrent_exports_is_limited(new_game: NewGame) -> None:
    _, caller, _ = played(new_game, 1)
    held = [exports.Stream(iter(())) for _ in range(exports.EXPORTS_MAX)]
    try:
        assert caller.get("/bets/export/").problem == (503, "busy")
    finally:
        for stream in held:
            stream.close()
    assert caller.get("/bets/export/").status == 200


def test_draws_are_exported_only_after_the_end_of_the_game(new_game: NewGame) -> None:
    running, caller, _ = played(new_game, 2)
    for row in listed(caller):
        assert (row["drawn_before"], row["drawn_until"]) == (None, None)
    assert [bet.drawn for bet in running.bets.all()] == [0, 0]


def test_the_command_writes_the_rows_that_its_options_select(
    new_game: NewGame, tmp_path: Path
) -> None:
    game, _, _ = played(new_game, 5)

    target = tmp_path / "bets.jsonl"
    done = managed("export_bets", str(target), f"--game={game.id}", "--stake-min=1")
    assert (done.returncode, done.stderr.strip()) == (0, "5 bets written")
    assert [json.loads(line)["number"] for line in target.read_text().splitlines()] == [
        1,
        2,
        3,
        4,
        5,
    ]
    assert len(managed("export_bets", "-", f"--game={game.id}").stdout.splitlines()) == 6
    wrong = managed("export_bets", "-", "--stake-min=much")
    assert wrong.returncode == 1
    assert "--stake-min much" in wrong.stderr


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """Convert a transfer of the list to a line of a file."""
    sides = {
        f"{side}_{name}": row[side][name]
        for side in ("debit", "credit")
        for name in ("book", "key")
    }
    return {
        name: value for name, value in {**row, **sides}.items() if name not in {"debit", "credit"}
    }


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.splitlines()]


def test_a_user_exports_the_transfers_of_their_list_and_no_others(new_game: NewGame) -> None:
    _, caller, other = played(new_game, 1)
    own = [flat(row) for row in caller.get("/transfers/").data["items"]][::-1]
    assert lines(caller.get("/transfers/export/?format=jsonl").content) == own
    read = parquet.read_table(
        io.BytesIO(caller.get("/transfers/export/?format=parquet").content)
    ).to_pylist()
    assert [{**row, "at": row["at"].isoformat().replace("+00:00", "Z")} for row in read] == own
    (grant,) = lines(caller.get("/transfers/export/?format=jsonl&reason=opening_grant").content)
    assert caller.user is not None
    assert grant["credit_book"] == str(caller.user.id)
    assert grant not in lines(other.get("/transfers/export/?format=jsonl").content)


def test_an_auditor_streams_all_transfers_over_a_real_connection(
    address: str, new_game: NewGame, new_user: Callable[[], User]
) -> None:
    game, caller, _ = played(new_game, 5)
    auditor = new_user()
    auditor.groups.add(Group.objects.get(name=tokens.AUDITORS))
    in_game = [flat(row) for row in caller.get(f"/games/{game.id}/transfers/").data["items"]]
    connection = HTTPConnection(address, timeout=WITHIN_S)
    connection.request(
        "GET",
        "/api/v1/audit/transfers/export/?format=jsonl",
        headers={
            "Authorization": f"Bearer {tokens.begin_session(auditor).text}",
            "Accept": "text/html",
        },
    )
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Transfer-Encoding"]) == (200, "chunked")
    received = lines(answer.read())
    connection.close()
    assert len(received) == Transfer.objects.filter(id__lte=received[-1]["id"]).count()
    assert [row for row in received if row["cause"] == str(game.id)] == in_game
    assert len(in_game) == 7


def test_the_command_writes_transfers_too(new_game: NewGame, tmp_path: Path) -> None:
    game, _, _ = played(new_game, 5)
    target = tmp_path / "money.csv"
    done = managed("export_transfers", str(target), f"--cause={game.id}", "--amount-min=1")
    assert (done.returncode, done.stderr.strip()) == (0, "7 transfers written")
    table = list(csv.DictReader(io.StringIO(target.read_text())))
    assert [row["id"] for row in table] == [
        str(row.id) for row in Transfer.objects.filter(cause=game.id).order_by("id")
    ]
    assert tuple(table[0]) == types.MovedLine.__struct_fields__


def test_without_its_package_a_format_is_refused(
    new_user: Callable[[], User], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as where it is not installed
    caller, target = Caller(new_user()), tmp_path / "bets.parquet"
    for path in ("/bets/export/", "/transfers/export/"):
        assert caller.get(f"{path}?format=parquet").problem == (501, "format_not_installed")
        assert caller.get(f"{path}?format=csv").status == 200
    done = managed("export_bets", str(target))
    assert done.returncode == 1
    assert done.stderr == ("CommandError: parquet needs more packages: install railbird[parquet]\n")
    assert not target.exists()
