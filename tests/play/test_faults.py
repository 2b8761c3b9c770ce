"""Faults that must not stop games: dead connections, frozen processes, late copies of commands."""

import asyncio
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit, urlunsplit
from uuid import uuid4

import psycopg
import pytest
from asgiref.sync import sync_to_async
from celery.concurrency.thread import TaskPool
from django.conf import settings
from django.db import connection
from django.test import override_settings
from websockets.exceptions import ConnectionClosed

from games.api.sockets.frames import CloseCode
from games.models import Commit, Game, Head
from games.play import commit, service
from games.play.commit import RefusedError
from games.proofs.verification import verify_game
from games.store.commits import store
from games.store.connections import conninfo
from games.store.heads import HeldHead
from games.store.rows import NewCommit
from games.store.statements import append_query
from games.workers.standby_clock import StandbyClock
from kit import event_loop
from kit.problems import Problem
from railbird_engine import Seat
from tests.api.sockets import Client, joined, seated
from tests.builders import NewGame
from tests.moves import take
from tests.processes import running, web_process, worker
from tests.store.scene import Contender
from tests.waiting import somebody_waits, until
from tests.workers.scene import make_due, race, ticks

pytestmark = pytest.mark.xdist_group("clock")


def test_a_connection_that_dies_while_it_holds_a_head_does_not_stall_the_game(
    new_game: NewGame,
) -> None:
    game = new_game()

    async def write() -> None:
        loaded = await service.at_head(game.id)
        command = loaded.decode_command(b'{"type":"take_spot","spot":1}')

        async def die_and_decide(head: HeldHead) -> NewCommit:
            backend = head._connection.info.backend_pid
            with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as admin:
                admin.execute("SELECT pg_terminate_backend(%s, 5000)", (backend,))
            return commit.decide(loaded, Seat(0), command)

        async with loaded.lock:
            await commit.write_held(loaded, die_and_decide)

    with pytest.raises(Problem, match="outcome_unknown"):
        event_loop.call(write())
    assert take(game, 1, 0) == 2
    assert Head.objects.get(game=game).stalled == ""
    assert verify_game(game.id).findings == []


def test_connections_that_the_database_ended_while_idle_cost_no_command_its_answer(
    new_game: NewGame,
) -> None:
    """As after a restart or a failover of the database."""
    game = new_game()
    assert take(game, 1, 0) == 2
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as admin:
        ended = admin.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE application_name = 'gameserver-store' AND datname = current_database()"
        ).fetchall()
    assert ended
    assert take(game, 2, 1) == 3
    event_loop.call(service.at_head(game.id))


def test_a_process_that_freezes_while_it_holds_a_head_gives_it_back(new_game: NewGame) -> None:
    """The database sees a frozen process only as an open, silent transaction."""
    game = new_game()
    with psycopg.connect(conninfo()) as frozen:
        frozen.execute("SELECT 1 FROM games_head WHERE game_id = %s FOR NO KEY UPDATE", (game.id,))
        assert take(game, 1, 0) == 2, "it is committed while the other still holds on"
        with pytest.raises(psycopg.Error):
            frozen.execute("SELECT 1")


@pytest.mark.parametrize("hold", [False, True])
def test_a_database_that_accepts_no_writes_stalls_no_game(new_game: NewGame, hold: bool) -> None:
    game = new_game()

    async def write() -> None:
        loaded = await service.at_head(game.id)
        command = loaded.decode_command(b'{"type":"take_spot","spot":1}')
        await commit.write(
            loaded, lambda after: commit.decide(loaded, Seat(0), command, after=after), hold=hold
        )

    async def write_in_vain() -> None:
        try:
            with pytest.raises(Problem, match="busy"):
                await write()
        finally:
            await store().close()

    read_only = {"options": "-c default_transaction_read_only=on"}
    with override_settings(STORE_DATABASE=settings.STORE_DATABASE | read_only):
        asyncio.run(write_in_vain())
    event_loop.call(write())
    head = Head.objects.get(game=game)
    assert (head.version, head.stalled) == (2, "")


@contextmanager
def revoked(privilege: str) -> Iterator[None]:
    """The server lacks a privilege, as while a migration that gives it has not run."""
    role = urlsplit(os.environ["DATABASE_URL"]).username
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        owner.execute(f"REVOKE {privilege} FROM {role}")
        try:
            yield
        finally:
            owner.execute(f"GRANT {privilege} TO {role}")


def test_a_statement_that_the_database_refuses_stalls_no_game(new_game: NewGame) -> None:
    game = new_game()
    with revoked("SELECT ON games_game"), pytest.raises(Problem, match="unavailable"):
        take(game, 1, 0)
    assert take(game, 1, 0) == 2
    with revoked("INSERT ON games_commit"), pytest.raises(Problem, match="unavailable"):
        take(game, 2, 0)
    assert take(game, 2, 0) == 3
    assert Head.objects.get(game=game).stalled == ""


class Line:
    """A connection to the test's database, or to its Valkey, that can fall silent.

    Existing connections then stay open without any traffic. Later connections work.
    """

    def __init__(self, variable: str) -> None:
        parts = urlsplit(os.environ[variable])
        folder = parse_qs(parts.query).get("host")
        self._target: Any = f"{folder[0]}/.s.PGSQL.5432" if folder else (parts.hostname, parts.port)
        if parts.scheme == "unix":
            number = parse_qs(parts.query).get("db", ["0"])[0]
            self._target, parts = parts.path, urlsplit(f"redis://valkey/{number}")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._silent: list[threading.Event] = []
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        port = self._listener.getsockname()[1]
        who = f"{parts.username}:{parts.password or ''}@" if parts.username else ""
        self.url = urlunsplit(parts._replace(netloc=f"{who}127.0.0.1:{port}", query=""))
        self._start(self._accept)

    def fall_silent(self) -> None:
        for silent in self._silent:
            silent.set()

    def close(self) -> None:
        for each in (self._listener, *self._sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in (self._listener, *self._sockets):
            each.close()

    def _start(self, run: Callable[..., None], *arguments: object) -> None:
        self._threads.append(threading.Thread(target=run, args=arguments))
        self._threads[-1].start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX if isinstance(self._target, str) else socket.AF_INET)
            self._sockets += near, far
            far.connect(self._target)
            silent = threading.Event()
            self._silent.append(silent)
            self._start(self._pass_on, near, far, silent)
            self._start(self._pass_on, far, near, silent)

    @staticmethod
    def _pass_on(source: socket.socket, target: socket.socket, silent: threading.Event) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not silent.is_set():
                    target.sendall(data)
            if not silent.is_set():
                target.shutdown(socket.SHUT_WR)


@contextmanager
def line(variable: str = "DATABASE_URL") -> Iterator[Line]:
    made = Line(variable)
    try:
        yield made
    finally:
        made.close()


@pytest.mark.slow
def test_a_half_open_connection_stops_the_clock_only_for_seconds(new_game: NewGame) -> None:
    game = race(new_game, roll_ms=100)
    with line() as to_database, running(worker({"DATABASE_URL": to_database.url})):
        until(lambda: len(ticks(game)) > 3, "the first rolls")
        to_database.fall_silent()
        time.sleep(0.2)  # pending data has arrived
        count, since = len(ticks(game)), time.monotonic()
        until(lambda: len(ticks(game)) > count + 3, "rolls on new connections")
        assert time.monotonic() - since < 10.0, "the longest pause that a host is promised"
    assert verify_game(game.id).findings == []


@pytest.mark.slow
@pytest.mark.parametrize("variable", ["DATABASE_URL", "REDIS_URL"])
def test_a_worker_behind_half_open_connections_still_ends(
    variable: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with line(variable) as to_server, running(worker({variable: to_server.url})) as child:
        to_server.fall_silent()
        child.ask_to_stop()
        assert child.wait(30) is not None, "it waits for the server"
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.slow
async def test_behind_half_open_connections_every_player_gets_a_response_in_time(
    new_game: NewGame,
) -> None:
    """Some players are connected, others connect. A response may ask them to try again."""
    game, tokens = await seated(new_game, 9)
    later = tokens[5:]
    with line() as to_database:
        async with AsyncExitStack() as stack:
            web = web_process({"DATABASE_URL": to_database.url})
            _, address = await asyncio.to_thread(stack.enter_context, web)
            clients = [
                await stack.enter_async_context(joined(address, game.id, token))
                for token in tokens[:5]
            ]
            for spot, client in enumerate(clients):
                await client.play(spot)
                await client.next("accepted")
            to_database.fall_silent()
            async with asyncio.timeout(60), asyncio.TaskGroup() as playing:
                for spot, client in enumerate(clients, 10):
                    playing.create_task(response(client, spot))
                for spot, token in enumerate(later, 20):
                    playing.create_task(response_on_connect(address, game, token, spot))
    assert (await sync_to_async(verify_game)(game.id)).findings == []


async def response(client: Client, spot: int) -> None:
    """Play until the response is not `outcome_unknown`."""
    command_id = str(uuid4())
    while True:
        await client.play(spot, command_id)
        while (frame := await client.frame())["type"] not in {"accepted", "refused"}:
            pass
        if frame["type"] == "accepted":
            return
        assert frame["code"] in {"outcome_unknown", "busy", "unavailable"}


async def response_on_connect(address: str, game: Game, token: str, spot: int) -> None:
    """Connect until the server does not close the connection, and play."""
    while True:
        async with joined(address, game.id, token) as client:
            try:
                await response(client, spot)
            except ConnectionClosed:
                assert client.connection.close_code == CloseCode.UNAVAILABLE
            else:
                return


def test_a_web_process_steps_games_while_no_worker_runs(new_game: NewGame) -> None:
    game = race(new_game, roll_ms=300)
    with web_process({"STANDBY_CLOCK": "1"}):
        until(lambda: len(ticks(game)) > 5, "rolls without a worker")
    assert verify_game(game.id).findings == []


def test_a_game_that_a_worker_may_still_step_is_left_to_it(new_game: NewGame) -> None:
    game = race(new_game, roll_ms=60_000)
    make_due(game, late=timedelta(seconds=1))

    async def look() -> None:
        await StandbyClock().look()

    event_loop.call(look())
    assert ticks(game) == []
    make_due(game, late=timedelta(seconds=2))
    event_loop.call(look())
    assert Head.objects.get(game=game).version > 1


def database_now() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    assert isinstance(now, datetime)
    return now


def played(contender: Contender, game: Game, *play: Any) -> tuple[str, int | None]:
    answers = contender.play(game, [play])
    assert answers is not None
    ((_, code, version),) = answers
    return code, version


def test_a_delayed_copy_of_a_refused_command_is_never_carried_out(
    contender: Contender, new_game: NewGame
) -> None:
    """A process freezes while it holds a copy. Another process rejects the command.

    The first continues on the next board, where the copy would be legal.
    """
    game = new_game(2, boards=2)
    command_id = str(uuid4())
    slow, quick = Contender(), contender
    try:
        slow.wait_until_ready()
        take(game, 5, 1)
        not_after = database_now() + timedelta(seconds=1)
        copy = (0, 5, command_id, not_after.isoformat())
        slow.begin(game, [copy], freeze=True)
        assert played(quick, game, *copy) == ("spot_taken", None), "refused, but not finally yet"
        for spot in range(68):
            if spot != 5:
                take(game, spot, 1)
        until(lambda: database_now() > not_after, "the time after which no copy counts")
        slow.thaw()
        ((_, code, _),) = slow.answers() or []
        assert code == "too_late"
        assert played(quick, game, *copy) == ("too_late", None), "refused finally"
    finally:
        slow.stop()
    assert not Commit.objects.filter(game=game, command_id=command_id).exists()
    assert verify_game(game.id).findings == []


def test_a_command_in_time_is_committed_and_known_after_its_time(new_game: NewGame) -> None:
    game, command_id = new_game(), uuid4()
    not_after = database_now() + timedelta(seconds=1)

    def play() -> int:
        command = b'{"type":"take_spot","spot":7}'
        return event_loop.call(
            service.play(game.id, Seat(0), command, command_id, not_after=not_after)
        ).version

    assert play() == 2
    until(lambda: database_now() > not_after, "its time to pass")
    assert play() == 2, "asked again, it is answered as the first time"


def test_a_late_command_gets_the_time_of_the_server(new_game: NewGame) -> None:
    game = new_game()
    command, before = b'{"type":"take_spot","spot":7}', database_now()
    with pytest.raises(RefusedError) as refused:
        event_loop.call(service.play(game.id, Seat(0), command, uuid4(), not_after=before))
    assert (refused.value.code, refused.value.version) == ("too_late", 1)
    now = datetime.fromisoformat(str(refused.value.data["now"]))
    assert before < now.astimezone(UTC) <= database_now()


def test_a_final_refusal_waits_for_a_copy_that_holds_the_head(new_game: NewGame) -> None:
    """A copy is in time and about to be committed.

    A later request waits for it and gets its result.
    """
    game, command_id = new_game(), uuid4()
    command, not_after = b'{"type":"take_spot","spot":7}', database_now() + timedelta(seconds=0.5)

    async def decide() -> NewCommit:
        loaded = await service.at_head(game.id)
        return commit.decide(loaded, Seat(0), loaded.decode_command(command), command_id, not_after)

    new = event_loop.call(decide())
    with psycopg.connect(os.environ["DATABASE_URL"]) as copy, ThreadPoolExecutor(1) as pool:
        taken = copy.execute(*append_query([new])).fetchall()
        assert len(taken) == 1
        until(lambda: database_now() > not_after, "its time to pass")
        asked = service.play(game.id, Seat(0), command, command_id, not_after=not_after)
        answer = pool.submit(event_loop.call, asked)
        until(lambda: somebody_waits(copy.info.backend_pid), "somebody who waits for the head")
        copy.commit()
        assert answer.result().version == 2


def test_threads_are_never_asked_to_cancel_their_tasks() -> None:
    assert settings.CELERY_WORKER_POOL == "threads"
    cancels = settings.CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS
    assert hasattr(TaskPool, "terminate_job") or not cancels
