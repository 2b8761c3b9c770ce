"""A database that was restored to an earlier state: the signed log is continued, and says so."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections, transaction
from django.db.backends.postgresql.base import DatabaseWrapper
from django.test import override_settings
from psycopg import sql

from accounts import ledger
from accounts.models import User
from games import lobbies
from games.keys import acknowledging
from games.lobbies.money import settle_ended
from games.log import restoring, signing
from games.log.sealing import ForkedError, Sealer
from games.models import Game, Head, Lobby, LogEntry, OperatorAction
from games.play import service
from games.proofs.acknowledgements import acknowledge
from games.proofs.sealed_log import log_findings
from games.proofs.verification import verify_game
from games.store.commits import store
from games.store.loaded_games import loaded_games
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.audit.acknowledgements import said_in
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.histories import Histories, Restored
from railbird_engine.audit.log import Entry
from railbird_engine.kernel.chain import Kind
from tests.builders import NewGame, NewUser, start_game
from tests.commands import managed
from tests.deploy.backups import run, superuser
from tests.log.scene import check_whole_log, checkpoints, logged, queue_entries, shorten_log
from tests.moves import take
from tests.proofs.scene import bundled, results, verified


class Backup:
    """A dump of the test's database, made now."""

    def __init__(self, folder: Path) -> None:
        self._url = os.environ["DATABASE_OWNER_URL"]
        self._dump = run("backup", "dump", folder, BACKUP_URL=superuser(self._url))

    def restore(self) -> None:
        """Put the dump in the place of the database, as after a lost disk."""
        name = sql.Identifier(urlsplit(self._url).path[1:])
        elsewhere = superuser(self._url, "postgres")
        connections.close_all()
        event_loop.call(sync_to_async(connections.close_all)())  # of the thread of async tests
        default = connections["default"]
        assert isinstance(default, DatabaseWrapper)
        default.close_pool()
        with psycopg.connect(elsewhere, autocommit=True) as server:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
        run("restore", "dump", self._dump, RESTORE_URL=elsewhere)
        event_loop.call(_forget(list(Game.objects.values_list("id", flat=True))))


async def _forget(games: Iterable[UUID]) -> None:
    """Forget what this process knows of the database before."""
    await store().close()
    for game in games:
        loaded_games().forget(game)


def staff(new_user: NewUser) -> User:
    user = new_user()
    user.is_staff = True
    user.save()
    return user


@pytest.fixture
def operator(new_user: NewUser) -> User:
    return staff(new_user)


def log_restore(operator: User, *more: object) -> tuple[int, str]:
    done = managed(
        "log_restore", "--reason", "the disk was lost", "--by", operator.username, *map(str, more)
    )
    return done.returncode, done.stdout + done.stderr


class Lost(NamedTuple):
    """Losses: commits of a running game, of an ended one, a game whose lobby is left, and
    a game and its lobby. `said` acknowledges the commit that was lost first."""

    running: Game
    finished: Game
    lobby: Lobby
    gone: Game
    untouched: Game
    host: User
    said: str


@pytest.fixture
def lost(
    own_log: Path, tmp_path: Path, new_game: NewGame, new_user: NewUser
) -> Iterator[tuple[Lost, Backup]]:
    with override_settings(ACK_KEY_FILE=tmp_path / "ack"):
        acknowledging.add(tmp_path / "ack", settings.LOG_ORIGIN)
        running, finished, untouched = new_game(2), new_game(1, boards=1, spots=12), new_game(2)
        host = new_user()
        lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", buy_in=100))
        for game in (running, finished, untouched):
            take(game, 0)
        Sealer().seal()
        take(running, 1)
        backup = Backup(tmp_path / "backups")

        async def play() -> str:
            id_ = uuid4()
            command = b'{"type":"take_spot","spot":2}'
            return await acknowledge(
                Seat(0), id_, await service.play(running.id, Seat(0), command, id_)
            )

        said = event_loop.call(play())
        Sealer().seal()
        take(running, 3)
        for spot in range(1, 12):
            take(finished, spot)
        start_game(host, lobby.id)
        gone = new_game(1)
        Sealer().seal()
        backup.restore()
        yield Lost(running, finished, lobby, gone, untouched, host, said), backup


def walked(*notes: str) -> Histories:
    """Read all entries as a monitor does."""
    histories = Histories(said=[said_in(note) for note in notes])
    for row in LogEntry.objects.order_by("index").values_list("entry", flat=True):
        histories.take(Entry.decode(bytes(row)))
    return histories


def test_the_signed_log_is_continued_and_names_what_was_lost(
    own_log: Path, lost: tuple[Lost, Backup], operator: User, tmp_path: Path
) -> None:
    what, _ = lost
    signed = signing.last_signed(own_log)
    assert signed is not None
    with pytest.raises(ForkedError, match="log_restore"):
        Sealer().seal()
    before = ledger.wallet_of(what.host).balance
    code, said = log_restore(operator)
    assert code == 0, said
    assert "4 games and lobbies lost something" in said
    for each in (what.lobby, what.gone):
        assert f"the game with the log name {each.log_name} is gone altogether" in said
    assert f"game {what.running.id} lost its versions after 2, and is voided" in said
    actions = OperatorAction.objects.filter(operator=operator).order_by("id")
    assert [action.action for action in actions] == ["restore_log", "void_game", "void_game"]
    Sealer().seal()
    check_whole_log()

    entries = logged(what.running)
    restored, voided = entries[-2:]
    assert (restored.kind, restored.version, voided.kind) == (Kind.RESTORED, 2, Kind.VOIDED)
    assert restored.sealed == (entries[-3].version, entries[-3].hash)
    assert (entries[-3].version, voided.version) == (5, 4)
    assert [entry.kind for entry in logged(what.untouched)][2:] == [Kind.ADVANCED]
    assert Head.objects.get(game=what.running).ended == "voided"
    found = walked().counted().restored
    assert found == {
        what.running.log_name: Restored(2, 5, started=True),
        what.finished.log_name: Restored(2, 13, started=True),
        what.lobby.log_name: Restored(None, 1, started=True),
        what.gone.log_name: Restored(None, 1, started=True),
    }
    lobby = Lobby.objects.get(id=what.lobby.id)
    assert (lobby.status, lobby.seed is not None) == (Lobby.Status.CLOSED, True)
    assert ledger.wallet_of(what.host).balance == before + 100
    settle_ended()
    take(what.untouched, 1, seat=1)

    code, said = log_restore(operator)
    assert (code, said.count("gone altogether")) == (0, 2)
    assert said.startswith("the database has every signed entry\n")
    assert Sealer().seal() == 1
    for game in (what.running, what.finished):
        checked = verify_game(game.id)
        assert (checked.findings, checked.lost > 0) == ([], True)
    content = bundled(what.running, what.finished)
    assert verified(content).games == 2
    assert [code for code, _ in results(tmp_path, content, [])] == [0, 0]


@pytest.mark.slow
def test_an_acknowledgement_of_a_lost_commit_stays_evidence(
    lost: tuple[Lost, Backup], operator: User, tmp_path: Path
) -> None:
    what, _ = lost
    assert log_restore(operator)[0] == 0
    Sealer().seal()
    with pytest.raises(DivergenceError, match="restored to 2"):
        walked(what.said).fits(what.said, said_in(what.said))
    for code, lines in results(tmp_path, bundled(what.running), [what.said]):
        assert (code, "version 4" in lines[0]) == (1, True), lines


@contextmanager
def changed(path: Path, content: bytes | None) -> Iterator[None]:
    """Replace or remove a file for a while."""
    before = path.read_bytes()
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    yield
    path.write_bytes(before)


@pytest.mark.ci
def test_only_the_signed_entries_are_put_back_and_a_crash_in_between_continues(
    own_log: Path, lost: tuple[Lost, Backup], operator: User, tmp_path: Path
) -> None:
    what, _ = lost
    (copy,) = signing.copies(own_log).iterdir()
    content = copy.read_bytes()
    beside = own_log.with_name("key.checkpoint")
    stored = LogEntry.objects.count()

    *earlier, last = map(msgspec.json.decode, filter(None, content.splitlines()))
    first, second, *others = last["entries"]
    encode = msgspec.json.encode
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    rounds = [
        *earlier,
        {**last, "entries": [second], "after": last["before"]},  # was rolled back
        last,
    ]
    cut = encode(last)[:50]  # by a crash
    (elsewhere / copy.name).write_bytes(b"\n".join([*map(encode, rounds), cut]))
    with changed(copy, None):
        code, said = log_restore(operator)
        assert (code, f"lack entries {stored} to" in said, "--from" in said) == (1, True, True)
        key = own_log.read_bytes()
        own_log.unlink()
        signing.add(own_log, settings.LOG_ORIGIN)
        assert "none of the keys" in log_restore(operator, "--from", elsewhere)[1]
        own_log.write_bytes(key)
    for forged in ([second, first, *others], [first, first, *others], [second, *others]):
        with changed(copy, encode({**last, "first": stored, "entries": forged})):
            code, said = log_restore(operator)
            assert (code, said.count("\n")) == (1, 1), said
    with changed(beside, b"\n".join([*beside.read_bytes().split(b"\n")[:1], b"9999", b"", b""])):
        assert "not signed by the log's key" in log_restore(operator)[1]
    assert LogEntry.objects.count() == stored
    assert not OperatorAction.objects.filter(operator=operator).exists()

    # The command is killed after the log is continued, before any game is voided.
    with changed(copy, None), transaction.atomic():
        behind = restoring.missing([elsewhere], [])
        assert behind is not None
        restoring.restore(behind)
    Sealer().seal()
    assert Head.objects.get(game=what.running).ended == ""
    code, said = log_restore(operator)
    assert (code, said.count("and is voided")) == (0, 2), said
    assert Sealer().seal() == 3, "two games were voided, by an operator"
    check_whole_log()


def test_nothing_is_called_complete_whose_end_is_unknown(
    own_log: Path, operator: User, tmp_path: Path
) -> None:
    """The database was restored, and of the key's folder each part was, or was not, with it."""
    beside, folder = signing.checkpoint_file(own_log), signing.copies(own_log)
    saved = []
    for _ in range(4):
        queue_entries(3)
        Sealer().seal()
        saved.append(beside.read_bytes())
    elsewhere, newest = shutil.copytree(folder, tmp_path / "elsewhere"), tmp_path / "newest"
    newest.write_bytes(saved[-1])
    signed, old = checkpoints()[-1].size, checkpoints()[0].size
    shorten_log(old)

    def check_refused(words: str, *more: object) -> None:
        code, said = log_restore(operator, *more)
        assert (code, words in said, "--checkpoint" in said) == (1, True, True), said

    def found() -> str:
        return "\n".join(f"{each.what}: {each.found}" for each in log_findings())

    assert f"has {old} entries of the log, {signed} were signed: run manage.py log_res" in found()
    beside.write_bytes(saved[0])
    assert f"has {old} entries of the log, the copies have more" in found()
    check_refused(f"entries {old} to {signed - 1}, which are newer")
    shutil.rmtree(folder)
    check_refused(f"entries {old} to {signed - 1}, which are newer", "--from", elsewhere)
    beside.unlink()
    assert f"{beside}: None" in found()
    check_refused("is missing")
    check_refused("is missing", "--from", elsewhere)
    shutil.copytree(elsewhere, folder)
    check_refused("is missing")
    assert LogEntry.objects.count() == old
    code, said = log_restore(operator, "--checkpoint", newest)
    assert (code, f"entries {old} to {signed - 1} are back" in said) == (0, True), said
    check_whole_log()
    assert not any(each in found() for each in ("log_restore", beside.name)), found()


def test_the_last_round_is_continued_whose_checkpoint_a_crash_left_unsaved(
    own_log: Path, operator: User
) -> None:
    """It was published, and then lost with the database."""
    Sealer().seal()
    beside = signing.checkpoint_file(own_log)
    earlier, old = beside.read_bytes(), checkpoints()[-1].size
    queue_entries(3)
    Sealer().seal()
    published = checkpoints()[-1]
    shorten_log(old)
    beside.write_bytes(earlier)
    assert log_restore(operator)[0] == 0
    assert published in checkpoints()


@pytest.mark.slow
def test_the_same_dump_can_be_restored_twice(
    lost: tuple[Lost, Backup], new_user: NewUser, tmp_path: Path
) -> None:
    what, backup = lost
    assert log_restore(staff(new_user))[0] == 0
    Sealer().seal()
    backup.restore()
    with pytest.raises(ForkedError):
        Sealer().seal()
    code, said = log_restore(staff(new_user))
    assert (code, "2 games and lobbies lost something" in said) == (0, True), said
    Sealer().seal()
    check_whole_log()
    kinds = [entry.kind for entry in logged(what.running)]
    assert kinds[-4:] == [Kind.RESTORED, Kind.VOIDED, Kind.RESTORED, Kind.VOIDED]
    assert walked().counted().restored[what.running.log_name] == Restored(2, 5, started=True)
    assert [code for code, _ in results(tmp_path, bundled(what.running), [])] == [0, 0]
    assert verify_game(what.running.id).findings == []
