"""Each alert rule fires when its cause occurs, and the dashboard shows only metrics that exist."""

import asyncio
import json
import os
import re
import resource
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, AsyncExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import httpx
import psycopg
import pytest
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path
from django.utils import timezone
from prometheus_client import REGISTRY, Counter, generate_latest

from accounts import people, tasks
from games.api.sockets.frames import CloseCode
from games.api.sockets.websocket_connection import ClosedError, WebSocketConnection
from games.archive import reading
from games.keys import acknowledging
from games.log import troubles
from games.models import ArchivedGame, Game, Head, Lobby, LogEntry, PendingEntry, Schedule
from games.play.commit import RefusedError
from games.reads import figures
from games.store import database_checks
from games.store.commits import store
from games.workers import periodic
from games.workers.clock import Clock
from gameserver.processes import metrics as process
from gameserver.processes.children import free_port
from gameserver.processes.startup import raise_file_limit
from kit import background, event_loop, metrics, table_protection
from kit.installation import FOLDER as ROOT
from kit.partitions import MONTHS_AHEAD, make_months
from kit.problems import Problem
from notices.models import Delivery
from railbird_engine.audit.cosignatures import Cosigner
from railbird_engine.kernel.chain import Kind
from tests.api.rest import Caller
from tests.builders import NewGame, new_user
from tests.gameserver import promql
from tests.gameserver.promql import ALERTS, MONITORING, Series
from tests.moves import take
from tests.processes import UNSEALED, running, web_process, worker
from tests.store.tampering import take_back

pytestmark = [pytest.mark.ci, pytest.mark.usefixtures("database")]

DASHBOARD = json.loads((MONITORING / "dashboard.json").read_text())
LOGGED = re.compile(
    r"(?:log\.(?:warning|error|critical|exception)|(?<![.\w])write)\(\s*\"([a-z_]+)\""
)
AN_ID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{32}")


@cache
def _registered() -> None:
    metrics.register(process.of_process)
    metrics.register(process.of_servers)
    process.begin_series()


def scrape() -> Series:
    _registered()
    return promql.parse(generate_latest(REGISTRY).decode())


def check_fires(alert: str, cause: AbstractContextManager[Any]) -> None:
    """Check that an alert fires because of this, and not without it."""
    before = scrape()
    assert not promql.fires(ALERTS[alert], before, before)
    with cause:
        assert promql.fires(ALERTS[alert], before, scrape())


class _UndoneError(Exception):
    """Ends a transaction, so that no other test sees its changes."""


@contextmanager
def undone() -> Iterator[None]:
    """Begin without games that wait for something, and undo all changes at the end."""
    with suppress(_UndoneError), transaction.atomic():
        Head.objects.update(stalled="", due_at=None, settled=True, sealed=True)
        PendingEntry.objects.all().delete()
        Lobby.objects.update(starts_by=None)
        yield
        raise _UndoneError


@contextmanager
def changed(game: Game, changes: dict[str, object]) -> Iterator[None]:
    Head.objects.filter(game=game).update(**changes)
    yield


def minutes_ago(minutes: int) -> datetime:
    return timezone.now() - timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("alert", "changes"),
    [
        ("RailbirdGameStalled", {"stalled": "a fault"}),
        ("RailbirdClockLate", {"due_at": minutes_ago(1)}),
        ("RailbirdUnsettled", {"ended": "finished", "ended_at": minutes_ago(5), "settled": False}),
    ],
)
def test_a_game_that_waits_raises_the_alarm(
    new_game: NewGame, alert: str, changes: dict[str, object]
) -> None:
    game = new_game(2)
    with undone():
        check_fires(alert, changed(game, changes))


@pytest.mark.parametrize("stage", Lobby.Stage.values)
def test_a_start_whose_deadline_passed_in_any_stage_raises_the_alarm(
    new_game: NewGame, stage: str
) -> None:
    """Outsiders notice only the last two, in the log."""
    lobby = Lobby.objects.filter(id=new_game(2).lobby_id)

    @contextmanager
    def late() -> Iterator[None]:
        lobby.update(status="starting" if stage else "open", stage=stage, starts_by=minutes_ago(2))
        yield

    with undone():
        check_fires("RailbirdStartLate", late())


def test_a_history_that_diverged_raises_the_alarm(new_game: NewGame) -> None:
    game = new_game(2)

    @contextmanager
    def diverged() -> Iterator[None]:
        index = 1 + max(LogEntry.objects.values_list("index", flat=True), default=0)
        LogEntry.objects.create(
            index=index, name=game.log_name, place=9, kind=Kind.DIVERGED, version=1, entry=b""
        )
        yield

    with undone(), connection.cursor() as cursor:
        # A table of this connection alone hides the entries that other tests left.
        cursor.execute("CREATE TEMP TABLE games_logentry (LIKE games_logentry INCLUDING ALL)")
        check_fires("RailbirdGameDiverged", diverged())


def test_a_setting_that_endangers_promises_raises_the_alarm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @contextmanager
    def relaxed() -> Iterator[None]:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit = off")
        yield

    durability = database_checks._of_durability
    of_tests = {"fsync": "on", "full_page_writes": "on"}  # whose server may lose everything
    monkeypatch.setattr(
        database_checks,
        "_of_durability",
        lambda found, role: durability({**found, **of_tests}, role),
    )
    # The figures limit their own statements.
    monkeypatch.setattr(database_checks, "_of_limits", lambda *_: [])
    with undone():
        check_fires("RailbirdDatabaseUnsafe", relaxed())


def test_a_damaged_history_raises_the_alarm(new_game: NewGame) -> None:
    with undone():
        Head.objects.update(damaged=None)  # those of other tests
        check_fires("RailbirdHistoryDamaged", changed(new_game(2), {"damaged": 1}))


def test_a_log_that_cannot_be_signed_raises_the_alarm() -> None:
    @contextmanager
    def troubled() -> Iterator[None]:
        troubles.note("a sealer", "the key is missing")
        yield

    with undone():
        check_fires("RailbirdLogStopped", troubled())


def test_a_silent_witness_raises_the_alarm() -> None:
    witness = Cosigner("silent.example", bytes(32)).verifier
    check_fires("RailbirdWitnessSilent", override_settings(WITNESSES=[(witness, "http://nowhere")]))


def test_a_database_that_went_back_raises_the_alarm(new_game: NewGame) -> None:
    game = new_game(2)
    before = Head.objects.get(game=game)

    @contextmanager
    def gone_back() -> Iterator[None]:
        take(game, 1)
        take_back(game, before)
        take(game, 2)
        yield

    check_fires("RailbirdHistoryLost", gone_back())


def test_a_commit_that_is_not_sealed_raises_the_alarm(new_game: NewGame) -> None:
    game = new_game(2)
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"]) as owner:
        owner.execute("ALTER TABLE games_commit DISABLE TRIGGER append_only_rows")
        owner.execute(
            "UPDATE games_commit SET at = at - interval '5 min' WHERE game_id = %s", [game.id]
        )
        owner.execute("ALTER TABLE games_commit ENABLE ALWAYS TRIGGER append_only_rows")
    with undone():
        with changed(game, {"sealed": False, "damaged": 1}):
            assert not promql.fires(ALERTS["RailbirdUnsealed"], scrape(), scrape())
        check_fires("RailbirdUnsealed", changed(game, {"damaged": None}))
    Head.objects.filter(game=game).update(sealed=True)


def test_a_month_without_partitions_raises_the_alarm() -> None:
    @contextmanager
    def missing() -> Iterator[None]:
        with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
            for month in range(1, MONTHS_AHEAD + 1):
                row = owner.execute(NAME_OF_MONTH, [month]).fetchone()
                assert row is not None
                owner.execute(f"DROP TABLE {row[0]}")
            yield
            assert make_months(connection) == MONTHS_AHEAD

    check_fires("RailbirdMonthsMissing", missing())


NAME_OF_MONTH = """SELECT 'games_correction'
    || to_char(now() AT TIME ZONE 'UTC' + %s * interval '1 month', '_YYYY_MM')"""


def test_a_database_that_does_not_answer_raises_the_alarm() -> None:
    @contextmanager
    def locked() -> Iterator[None]:
        with psycopg.connect(os.environ["DATABASE_OWNER_URL"]) as other:
            other.execute("LOCK TABLE games_head IN ACCESS EXCLUSIVE MODE")
            yield

    check_fires("RailbirdDatabaseAway", locked())


def test_a_lost_valkey_raises_the_alarm() -> None:
    check_fires("RailbirdValkeyAway", override_settings(REDIS_URL="redis://127.0.0.1:1/0"))


def test_late_ticks_raise_the_alarm(new_game: NewGame) -> None:
    game = new_game(2)

    @contextmanager
    def late() -> Iterator[None]:
        Head.objects.filter(game=game).update(alarm=1)
        Schedule.objects.filter(game=game).update(due_at=minutes_ago(1))
        event_loop.call(_step())
        Schedule.objects.filter(game=game).update(due_at=None)
        yield

    check_fires("RailbirdTicksLate", late())


async def _step() -> None:
    await Clock().step()


def test_slow_appends_raise_the_alarm(new_game: NewGame) -> None:
    game = new_game(2)

    @contextmanager
    def slow() -> Iterator[None]:
        holding = threading.Event()

        def hold() -> None:
            with psycopg.connect(os.environ["DATABASE_OWNER_URL"]) as other:
                other.execute("LOCK TABLE games_bet IN SHARE ROW EXCLUSIVE MODE")
                holding.set()
                other.execute("SELECT pg_sleep(1.4)")

        holder = threading.Thread(target=hold)
        holder.start()
        assert holding.wait(30)
        take(game, 1)
        holder.join()
        yield

    check_fires("RailbirdAppendSlow", slow())


def test_a_loop_that_fails_raises_the_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def failing() -> Iterator[None]:
        loop = background.Loop("a loop of this test")
        loop.failed(OSError("away"))
        monkeypatch.setattr(background, "STUCK_AFTER_S", 0.0)
        yield
        loop.worked()

    check_fires("RailbirdLoopStuck", failing())


def test_an_event_loop_that_does_not_answer_raises_the_alarm() -> None:
    @contextmanager
    def blocked() -> Iterator[None]:
        event_loop.store_loop().call_soon_threadsafe(time.sleep, 2.5)
        yield

    check_fires("RailbirdLoopSlow", blocked())


def test_requests_that_wait_for_a_connection_raise_the_alarm() -> None:
    free = asyncio.Event()

    async def take_all(taken: threading.Event) -> None:
        async with AsyncExitStack() as stack:
            for _ in range(7):
                await stack.enter_async_context(store().connections.lent())
            waiting = asyncio.create_task(stack.enter_async_context(store().connections.lent()))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            taken.set()
            await free.wait()
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)

    @contextmanager
    def exhausted() -> Iterator[None]:
        taken = threading.Event()
        loop = event_loop.store_loop()
        holder = asyncio.run_coroutine_threadsafe(take_all(taken), loop)
        assert taken.wait(30)
        yield
        loop.call_soon_threadsafe(free.set)
        holder.result(30)

    check_fires("RailbirdPoolExhausted", exhausted())


def fail(_request: HttpRequest) -> HttpResponse:
    raise ValueError("a fault")


urlpatterns = [path("fault/", fail)]
handler500 = "gameserver.errors.internal_error"


def test_an_internal_error_raises_the_alarm_and_is_found_by_its_request_id(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @contextmanager
    def failed() -> Iterator[None]:
        with override_settings(ROOT_URLCONF=__name__):
            browser = Client(raise_request_exception=False)
            answer = browser.get("/fault/", headers={"X-Request-ID": "of-the-proxy-1"})
        assert answer.status_code == 500
        assert answer.headers["X-Request-ID"] == answer.json()["request_id"] == "of-the-proxy-1"
        yield

    check_fires("RailbirdErrors", failed())


async def stall(game: Game) -> None:
    await store().stall(game.id, "a fault")


def test_an_archive_that_cannot_be_read_raises_the_alarm(new_game: NewGame, tmp_path: Path) -> None:
    place = ArchivedGame(game=new_game(2), object="a", start=0, length=1, digest=b"")

    @contextmanager
    def missing() -> Iterator[None]:
        with pytest.raises(Problem, match="archive_damaged"):
            reading.read(place)
        yield

    reading.objects.cache_clear()
    with override_settings(ARCHIVE_URL=tmp_path.as_uri()):
        check_fires("RailbirdArchiveDamaged", missing())
    reading.objects.cache_clear()


def test_a_key_of_acknowledgements_that_expires_raises_the_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def expiring() -> Iterator[None]:
        monkeypatch.setattr(acknowledging, "VALID_S", acknowledging.WARN_S - 1)
        acknowledging.add(tmp_path / "ack_key", "localhost/log")
        yield

    acknowledging.add(tmp_path / "ack_key", "localhost/log")
    with override_settings(ACK_KEY_FILE=tmp_path / "ack_key"):
        check_fires("RailbirdAckKeyExpires", expiring())


def test_commands_that_cannot_be_stored_raise_the_alarm(new_game: NewGame) -> None:
    game = new_game(2)

    @contextmanager
    def refused() -> Iterator[None]:
        event_loop.call(stall(game))
        for spot in range(11):
            with pytest.raises(RefusedError, match="game_stalled"):
                take(game, spot)
        Head.objects.filter(game=game).update(stalled="")
        yield

    check_fires("RailbirdCommandsUnavailable", refused())


class Slow(WebSocketConnection):
    """A connection that the server closes at once."""

    async def accept(self) -> bool:
        return True

    async def serve(self) -> None:
        raise ClosedError(CloseCode.TOO_SLOW, "too_slow")

    async def say_goodbye(self, closed: ClosedError) -> None:
        pass

    def leave(self) -> None:
        pass


def test_slow_clients_raise_the_alarm() -> None:
    async def connect() -> None:
        async def receive() -> dict[str, str]:
            return {"type": "websocket.connect"}

        async def send(_message: object) -> None:
            pass

        for _ in range(101):
            await Slow({}, receive, send).run()

    @contextmanager
    def cut() -> Iterator[None]:
        event_loop.call(connect())
        yield

    check_fires("RailbirdSlowClients", cut())


def test_a_full_disk_and_old_backups_raise_the_alarm(settings: Any, tmp_path: Path) -> None:
    own, copy = tmp_path / "log_key.checkpoint", tmp_path / "copy"
    for file in (own, copy, tmp_path / "dump-1"):
        file.write_text("1")
    settings.LOG_KEY_FILE, settings.CHECKPOINT_COPY = tmp_path / "log_key", str(copy)
    settings.BACKUP_FOLDER = str(tmp_path)

    @contextmanager
    def full() -> Iterator[None]:
        with patch.object(shutil, "disk_usage", return_value=shutil._ntuple_diskusage(100, 95, 5)):
            yield

    @contextmanager
    def forgotten() -> Iterator[None]:
        os.utime(tmp_path / "dump-1", (0, time.time() - 200_000))
        yield

    @contextmanager
    def behind() -> Iterator[None]:
        own.write_text("2")
        os.utime(copy, (0, time.time() - 7200))
        yield

    check_fires("RailbirdDiskLow", full())
    check_fires("RailbirdBackupOld", forgotten())
    check_fires("RailbirdCheckpointCopyOld", behind())


def test_missing_protections_raise_the_alarm() -> None:
    @contextmanager
    def unprotected() -> Iterator[None]:
        with patch.object(table_protection, "gaps", return_value=["games_commit has no trigger"]):
            periodic.check_protections()
        yield

    periodic.check_protections()
    check_fires("RailbirdProtectionsMissing", unprotected())
    periodic.check_protections()


def test_overload_and_refused_sockets_raise_the_alarm() -> None:
    @contextmanager
    def counted(counter: Counter, *labels: str) -> Iterator[None]:
        counter.labels(*labels).inc(101)
        yield

    check_fires("RailbirdOverloaded", counted(metrics.REQUESTS, "play", "busy"))
    check_fires("RailbirdSocketsRefused", counted(metrics.SOCKETS_CLOSED, "busy"))


def test_guessed_passwords_raise_the_alarm() -> None:
    @contextmanager
    def guessed() -> Iterator[None]:
        name = uuid4().hex
        for _ in range(101):
            with pytest.raises(Problem):
                people.sign_in(name, "not the password", address="192.0.2.1")
        yield

    check_fires("RailbirdPasswordGuessing", guessed())


def test_a_mail_server_that_is_away_raises_the_alarm(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()

    @contextmanager
    def away() -> Iterator[None]:
        with pytest.raises(ConnectionRefusedError):
            tasks.send("A subject", "A text", "ann@example.org")
        yield

    check_fires("RailbirdMailFails", away())


def test_deliveries_that_wait_raise_the_alarm() -> None:
    @contextmanager
    def waiting() -> Iterator[None]:
        due_at = minutes_ago(11)
        Delivery.objects.create(user=new_user(), kind="test", host="away.example", due_at=due_at)
        yield

    with undone():
        Delivery.objects.all().delete()
        check_fires("RailbirdDeliveriesLate", waiting())


@pytest.mark.slow
def test_metrics_are_served_until_a_process_ends_which_raises_the_alarm() -> None:
    address, other = (f"127.0.0.1:{free_port()}" for _ in range(2))

    def up(job: str, at: str) -> Series:
        try:
            found = promql.parse(httpx.get(f"http://{at}/metrics").text)
            assert any(("__name__", "railbird_database_up") in labels for labels in found)
            is_up = 1.0
        except httpx.TransportError:
            is_up = 0.0
        return {(("__name__", "up"), ("job", job)): is_up}

    with web_process({"METRICS_ADDRESS": address}):
        web = up("railbird-web", address)
        assert not promql.fires(ALERTS["RailbirdWebGone"], web, web)
    web = up("railbird-web", address)
    assert promql.fires(ALERTS["RailbirdWebGone"], web, web)
    with running(worker({**UNSEALED, "METRICS_ADDRESS": other})):
        workers = up("railbird-worker", other)
        assert not promql.fires(ALERTS["RailbirdWorkersGone"], workers, workers)
    workers = up("railbird-worker", other)
    assert promql.fires(ALERTS["RailbirdWorkersGone"], workers, workers)
    assert promql.fires(ALERTS["RailbirdProcessLost"], workers, workers)


def test_few_files_that_can_be_opened_raise_the_alarm() -> None:
    @contextmanager
    def few() -> Iterator[None]:
        limit, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 90, hard))  # noqa: PTH208
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))

    raise_file_limit()
    check_fires("RailbirdFilesLow", few())


def test_memory_and_connections_that_are_almost_used_up_raise_the_alarm(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, text in (("max", "1000"), ("current", "910"), ("stat", "anon 890\ninactive_file 20")):
        (tmp_path / f"memory.{name}").write_text(text)
    monkeypatch.setattr(process, "CONTAINER", str(tmp_path))

    @contextmanager
    def full() -> Iterator[None]:
        (tmp_path / "memory.current").write_text("930")
        yield

    @contextmanager
    def taken() -> Iterator[None]:
        with monkeypatch.context() as patched:
            few = figures.QUERY.replace("current_setting('max_connections')", "'4'")
            patched.setattr(figures, "QUERY", few)
            yield

    check_fires("RailbirdMemoryLow", full())
    check_fires("RailbirdConnectionsLow", taken())


def test_the_runbook_explains_every_alarm_and_every_event() -> None:
    text = (ROOT / "docs" / "operate" / "runbook.md").read_text("utf-8")
    explained = set(re.findall(r"`([A-Za-z_]+)`", text))
    events = {
        event
        for folder in ("accounts", "games", "gameserver", "kit", "notices")
        for path in (ROOT / folder).rglob("*.py")
        for event in LOGGED.findall(path.read_text("utf-8"))
    }
    assert {"loop_failed", "history_damaged", "archive_damaged"} <= events
    assert sorted((events | ALERTS.keys()) - explained) == []
    rows = re.findall(r"^- `(Railbird\w+)`", text, re.MULTILINE)
    assert rows == list(ALERTS), "in the order of the rules, and no other"


def test_every_alarm_has_a_test() -> None:
    files = [Path(__file__), ROOT / "tests" / "deploy" / "test_failover.py"]
    source = "".join(file.read_text() for file in files)
    assert [alert for alert in ALERTS if f'"{alert}"' not in source] == []


def test_alerts_and_dashboard_read_metrics_that_exist(new_game: NewGame) -> None:
    take(new_game(2), 1)
    known = {dict(labels)["__name__"] for labels in scrape()} | {"up"}
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    read = set().union(*(promql.names(expression) for expression in [*ALERTS.values(), *panels]))
    without_events = {
        "railbird_bot_seconds_bucket",
        "railbird_requests_total",
        "railbird_loop_failures",
        # Only where the settings name them.
        "railbird_backup_age_seconds",
        "railbird_checkpoint_copy_age_seconds",
    }
    assert read - known <= without_events


def test_no_label_names_a_person_or_a_game(new_game: NewGame) -> None:
    game = new_game(2)
    take(game, 1)
    caller = Caller(game.lobby.host)
    assert caller.get(f"/games/{game.id}/").status == 200
    assert caller.get(f"/games/{game.id}/nothing/").status == 404
    allowed = {
        *("__name__", "le", "operation", "code", "game", "reason", "loop", "pool", "folder"),
        *("channel", "outcome"),  # of deliveries and replicas in tests before this one
    }
    ours = [dict(labels) for labels in scrape() if dict(labels)["__name__"].startswith("railbird")]
    assert {name for labels in ours for name in labels} <= allowed
    values = {value for labels in ours for value in labels.values()}
    assert "get_game" in values
    assert not any(map(AN_ID.search, values))
    assert game.lobby.host.username not in values
