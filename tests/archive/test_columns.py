"""Each column of the histories is bound, derived, or listed as unbound with its reason.

The owner of the database changes one column after the other. `verify_all` finds every change of a
column that is not listed, unless a constraint refuses it.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import Model
from psycopg import sql
from psycopg.types.json import Jsonb

from accounts.models import Account, OpeningBalance, Transfer
from games import lobbies
from games.log import tiles
from games.log.entries import append
from games.log.sealing import Sealer
from games.models import (
    AbandonedAttempt,
    ArchivedGame,
    Bet,
    Commit,
    Correction,
    DetachedMonth,
    Game,
    Head,
    Lobby,
    LogCheckpoint,
    LogCosignature,
    LogEntry,
    LogKey,
    LogTile,
    OperatorAction,
    Seat,
    Settlement,
)
from games.operators import actions
from games.proofs import books, sealed_log
from games.proofs.columns import UNBOUND
from games.proofs.everything import Noted, lobby_and_game_findings
from games.proofs.verification import ledger_findings
from kit import table_protection
from railbird_engine.audit.cosignatures import Cosigner
from railbird_engine.audit.merkle import Edge
from railbird_engine.audit.records import heartbeat_entry
from tests.archive.past import as_owner
from tests.archive.scene import archive
from tests.builders import NewUser, start_game
from tests.lobbies.scene import freeze
from tests.moves import take_in_turn


def columns_of(model: type[Model]) -> list[str]:
    return [str(each.column) for each in model._meta.concrete_fields if each.column is not None]


def test_every_table_of_histories_says_what_binds_its_columns() -> None:
    histories = {
        each.table
        for each in table_protection.declared()
        if any(trigger.name == "append_only_rows" for trigger in each.triggers)
    }
    assert {model._meta.db_table for model in UNBOUND} >= histories - {"django_admin_log"}
    for model, reasons in UNBOUND.items():
        assert reasons.keys() <= set(columns_of(model)), model


@pytest.fixture
def game(own_log: Path, new_user: NewUser, the_first_seat_wins: None) -> Game:
    """A finished game for coins, after an abandoned attempt to start it, with a corrected bet."""
    host, guest = new_user(), new_user()
    choices = lobbies.LobbyChoices(
        slug="free_spots", options={"boards": 1}, buy_in=100, prizes=(3, 1)
    )
    lobby = lobbies.create(host, choices)
    freeze(lobby, host, guest)
    lobbies.leave(guest, lobby.id)
    lobbies.join(guest, lobby.id)
    lobbies.set_ready(guest, lobby.id, ready=True)
    game = start_game(host, lobby.id)
    for spot in range(68):
        take_in_turn(game, spot)
    lobbies.settle_ended(most=10_000)
    actions.void_bet(host, game.id, 7, "two chips were mixed up")
    lobbies.settle_ended(most=10_000)
    return game


def of_archive() -> None:
    """Let the log have a full tile, a cosignature, and the end of the archived games."""
    Sealer().seal()
    beats = [heartbeat_entry(2**32, number) for number in range(1, 300)]
    size = tiles.newest().checkpoint.size  # type: ignore[union-attr]  # it was sealed
    with transaction.atomic(), connection.cursor() as cursor:
        append(cursor, Edge.stored(size, tiles.hashes), beats)
    newest = tiles.newest()
    assert newest is not None
    cosigner = Cosigner("witness.example", bytes(32))
    line = cosigner.cosign(newest.checkpoint.text, 1_700_000_000)
    LogCosignature.objects.create(
        size=newest.checkpoint.size, witness=cosigner.verifier.text, line=line
    )


@pytest.mark.slow
def test_a_change_of_each_column_is_found(
    game: Game, month: date, storage: Path, games: list[Game], new_user: NewUser
) -> None:
    """The finder of each change is the check that its table names."""
    archive(month, storage, games[0].lobby.host)
    of_archive()
    lobby = partial(lobby_and_game_findings, game.lobby_id)
    least, most = Account.objects.order_by("id").first(), Account.objects.order_by("id").last()
    assert least is not None and most is not None
    accounts = partial(books.account_findings, least.id, most.id)
    of_game, log = {"game_id": game.id}, sealed_log.log_findings
    scene: Mapping[type[Model], tuple[Mapping[str, object], tuple[Any, ...]]] = {
        Game: ({"id": game.id}, (lobby,)),
        Head: (of_game, (lobby,)),
        Commit: ({**of_game, "version": 9}, (lobby,)),
        Bet: ({**of_game, "number": 7}, (lobby,)),
        Settlement: ({**of_game, "number": 7}, (lobby,)),
        Correction: ({**of_game, "number": 7}, (lobby,)),
        Lobby: ({"id": game.lobby_id}, (lobby,)),
        Seat: ({"lobby_id": game.lobby_id, "number": 1}, (lobby,)),
        AbandonedAttempt: ({"lobby_id": game.lobby_id}, (lobby,)),
        Account: ({"owner_id": game.lobby.host_id}, (accounts, ledger_findings)),
        Transfer: ({"cause": game.id, "number": 9, "position": 0}, (lobby, ledger_findings)),
        OpeningBalance: ({}, (books.month_findings, ledger_findings)),
        DetachedMonth: ({"month": month}, (books.month_findings, ledger_findings)),
        ArchivedGame: ({"game_id": games[0].id}, (books.month_findings, ledger_findings)),
        OperatorAction: ({"subject": f"game {game.id} bet 7"}, (books.action_findings,)),
        LogEntry: ({"index": 5}, (log,)),
        LogTile: ({"level": 0, "number": 0}, (log,)),
        LogCheckpoint: ({"size": size_before_last()}, (log,)),
        LogCosignature: ({}, (log,)),
        LogKey: ({}, (log,)),
    }
    unread = {model for model, reasons in UNBOUND.items() if len(reasons) == len(columns_of(model))}
    assert scene.keys() == UNBOUND.keys() - unread
    missed = []
    with unprotected(*{model._meta.db_table for model in scene}) as owner:
        for model, (where, finders) in scene.items():
            before = [{*map(str, finder())} for finder in finders]
            assert not any(str(game.id) in each for each in before[0]), before
            for column in columns_of(model):
                if column in UNBOUND[model]:
                    continue
                with changed(owner, model, where, column) as is_refused:
                    if not is_refused and not any(
                        {*map(str, finder())} - known
                        for finder, known in zip(finders, before, strict=True)
                    ):
                        missed.append(f"{model._meta.db_table}.{column}")
    assert missed == []


@contextmanager
def unprotected(*tables: str) -> Iterator[psycopg.Connection]:
    """A connection of the owner, to whom these tables are not protected."""
    application = connection.settings_dict["USER"]
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"]) as owner:
        for table in tables:
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        owner.commit()
        try:
            yield owner
        finally:
            owner.rollback()
            for table in tables:
                owner.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
            owner.commit()
            with as_owner():
                table_protection.build(connection, application)


def test_a_run_continues_where_it_was_interrupted_and_says_what_it_skips(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noted = Noted(whole=5, account=2**62, lobby=UUID(int=game.lobby_id.int - 1))
    noted.findings.append(("a balance", "1", "2"))
    state = tmp_path / "state"
    state.write_bytes(msgspec.json.encode(noted))
    with pytest.raises(SystemExit, match="1"):
        call_command("verify_all", resume=state)
    said = capsys.readouterr().out
    assert ("a balance: expected 1, found 2" in said, "1 divergences" in said) == (True, True), said
    assert not state.exists()
    state.write_bytes(msgspec.json.encode(noted))
    with pytest.raises(CommandError, match="another --since"):
        call_command("verify_all", resume=state, since=date(2100, 1, 1))
    noted.since, noted.findings = datetime(2100, 1, 1, tzinfo=UTC), []
    state.write_bytes(msgspec.json.encode(noted))
    call_command("verify_all", resume=state, since=date(2100, 1, 1))
    said = capsys.readouterr().out
    skipped = Head.objects.exclude(ended="").count()
    assert f"skipped: {skipped} games that ended before 2100-01-01" in said


def size_before_last() -> int:
    return LogCheckpoint.objects.order_by("-size").values_list("size", flat=True)[1]


@contextmanager
def changed(
    owner: psycopg.Connection, model: type[Model], where: Mapping[str, object], column: str
) -> Iterator[bool]:
    """Change a column of one row, and undo that. Yields whether a constraint refuses it."""
    table, name = sql.Identifier(model._meta.db_table), sql.Identifier(column)
    which = sql.SQL(" AND ").join(
        [sql.SQL("true"), *(sql.SQL("{} = %s").format(sql.Identifier(key)) for key in where)]
    )
    found = owner.execute(
        sql.SQL("SELECT tableoid::regclass::text, ctid, {} FROM {} WHERE {} LIMIT 1").format(
            name, table, which
        ),
        [*where.values()],
    ).fetchone()
    assert found is not None, (model, where)
    partition, place, value = found
    change = sql.SQL("UPDATE {} SET {} = %s WHERE ctid = %s RETURNING ctid").format(
        sql.Identifier(*partition.split(".")), name
    )
    try:
        (new,) = owner.execute(
            change, [as_stored(NOT_NULL[column] if value is None else other(value)), place]
        ).fetchone() or ("",)
        owner.commit()
    except psycopg.IntegrityError:
        owner.rollback()
        yield True
        return
    try:
        yield False
    finally:
        owner.execute(change, [as_stored(value), new])
        owner.commit()


NOT_NULL: Mapping[str, object] = {"alarm": 1, "next_at": datetime(2021, 1, 1, tzinfo=UTC)}
"""A value for columns that are NULL in the scene."""


def other(value: Any) -> Any:
    """Return another value of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case UUID():
            return uuid4()
        case datetime():
            return value.replace(year=2021)
        case date():
            return value.replace(year=value.year + 90)
        case bytes():
            return bytes([value[0] ^ 1]) + value[1:]
        case list():
            return [*value[::-1], 1]
        case dict():
            return {**value, "more": 1}
    return value[:-1] + ("x" if value[-1:] != "x" else "y")


def as_stored(value: Any) -> Any:
    return Jsonb(value) if isinstance(value, dict) else value
