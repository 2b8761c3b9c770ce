"""The supervisor of `serve`: start servers, migrations, web and workers, and keep them running."""

import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn, Self

import psycopg
import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry
from rich.markup import escape

from games.keys import acknowledging
from gameserver.processes.children import (
    STOP_SIGNALS,
    Child,
    StartError,
    before_exec,
    stop_signals_held,
)
from gameserver.processes.proxy import caddyfile
from gameserver.settings import environment
from kit import encryption, installation, key_files
from kit.draining import DRAIN_WITHIN_S
from notices import vapid

BIND_WITHIN_S = 2.0  # a server that was killed a moment ago may still hold the port
READY_WITHIN_S = 300.0  # a busy machine imports slowly
LOOK_EVERY_S = 0.1
BACKOFF_MIN_S, BACKOFF_MAX_S = 0.25, 10.0
STABLE_AFTER_S = 30.0

Say = Callable[[str], None]


class Stopped(BaseException):
    """A stop signal arrived."""


@dataclass(frozen=True)
class Plan:
    """The processes to run. Web processes share one port, or listen on ports from `port` on."""

    host: str
    port: int
    web: int
    workers: int
    separate_ports: bool = False

    @property
    def ports(self) -> range:
        return range(self.port, self.port + (self.web if self.separate_ports else 1))

    @property
    def url(self) -> str:
        return f"http://{self.addresses[0]}"

    @property
    def addresses(self) -> list[str]:
        """Where this machine reaches the ports."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 -- compared, not bound
        return [f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for port in self.ports]


@dataclass
class Guard:
    """Restart a child after it died: at once the first time, then with growing delays."""

    child: Child
    say: Say
    started_at: float = field(default_factory=time.monotonic)
    failures: int = 0
    restart_at: float | None = None

    def look(self) -> None:
        now = time.monotonic()
        if self.restart_at is None and self.child.exit_code is not None:
            self.failures = 0 if now - self.started_at > STABLE_AFTER_S else self.failures
            delay_s = min(BACKOFF_MIN_S * 2**self.failures, BACKOFF_MAX_S)
            self.failures += 1
            self.restart_at = now + delay_s
            reason = _meaning(self.child.exit_code)
            self.say(f"[yellow]{self.child.name} ended ({reason}): restarting it in {delay_s:g} s.")
        if self.restart_at is not None and now >= self.restart_at:
            self.restart_at, self.started_at = None, now
            self.child.start()


class Supervisor:
    """Run a plan until a stop signal arrives. Raises StartError when it cannot start."""

    def __init__(self, plan: Plan, *, say: Say) -> None:
        self.plan, self.say, self.signals = plan, say, StopSignals()

    def run(self) -> None:
        try:
            with self.signals, ExitStack() as stack:
                listeners = [
                    stack.enter_context(listen(self.plan.host, port)) for port in self.plan.ports
                ]
                servers = self._servers(stack)
                variables = {**os.environ, **servers.variables}
                self.signals.check()
                self._migrate(variables)
                make_seed_key(variables["DATABASE_URL"])
                make_ack_key()
                make_vapid_key(self.say)
                # The processes that players reach do not need the owner's password.
                variables.pop("DATABASE_OWNER_URL", None)
                children = [*self._web(variables, listeners), *self._workers(variables)]
                stack.callback(self._stop, children)
                self._start(children)
                self._greet()
                self._watch([*servers.children, *children])
        except Stopped:
            self.say("Stopped.")

    def _servers(self, stack: ExitStack) -> "Servers":
        given = {
            name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL") if os.environ.get(name)
        }
        variables = {"GAMESERVER_DATA_DIR": str(environment.data_folder())}
        children: list[Child] = []
        if len(given) < 2:
            from gameserver.processes.embedded import EmbeddedServers  # noqa: PLC0415 -- production is without

            embedded = EmbeddedServers(
                environment.data_folder(),
                postgres="DATABASE_URL" not in given,
                valkey="REDIS_URL" not in given,
            )
            urls = stack.enter_context(embedded)
            children = embedded.children
            if urls.database_url and urls.owner_url:
                variables |= {
                    "DATABASE_URL": urls.database_url,
                    "DATABASE_OWNER_URL": urls.owner_url,
                }
            if urls.redis_url:
                variables["REDIS_URL"] = urls.redis_url
            names = " and ".join(child.name for child in children)
            self.say(f"Embedded {names} in {escape(str(environment.data_folder()))}")
        check_database("DATABASE_URL", given.get("DATABASE_URL"))
        if "DATABASE_URL" in given:
            check_database("DATABASE_OWNER_URL", os.environ.get("DATABASE_OWNER_URL"))
        check_redis(given.get("REDIS_URL"))
        return Servers(variables, children)

    def _migrate(self, variables: Mapping[str, str]) -> None:
        last_lines: deque[str] = deque(["no output"], maxlen=1)
        applied = 0
        with stop_signals_held() as mask:
            process = subprocess.Popen(
                [sys.executable, "-m", "gameserver", "migrate", "--no-color"],
                cwd=installation.FOLDER,
                env={**variables, "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
                preexec_fn=before_exec(None, signal.SIGKILL, mask),  # noqa: PLW1509 -- no threads here
            )
        with process:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    self.signals.check()
                    if line.strip():
                        last_lines.append(line.strip())
                    if "Applying" in line:
                        applied += 1
            except BaseException:
                process.kill()
                raise
        if applied:
            self.say(f"Migrations applied: {applied}")
        if process.returncode != 0:
            raise StartError(
                f"The migrations failed: {last_lines[0]} "
                f"(`{installation.NAME} migrate --traceback` shows more)."
            )

    def _web(
        self, variables: Mapping[str, str], listeners: Sequence[socket.socket]
    ) -> Iterator[Child]:
        hosts = f"{variables.get('ALLOWED_HOSTS', '')} {self.plan.host}"
        for number in range(1, self.plan.web + 1):
            listener = listeners[(number - 1) % len(listeners)]
            yield Child(
                "Web" if self.plan.web == 1 else f"Web {number}",
                [sys.executable, "-m", "gameserver.processes.web", "--fd", str(listener.fileno())],
                environment={**_with_metrics(variables, number - 1), "ALLOWED_HOSTS": hosts},
                folder=installation.FOLDER,
                inherited=[listener.fileno()],
                stop_within_s=settings.DRAIN_NOTICE_S + DRAIN_WITHIN_S + 1,
                announces=True,
            )

    def _workers(self, variables: Mapping[str, str]) -> Iterator[Child]:
        for number in range(1, self.plan.workers + 1):
            yield Child(
                "Worker" if self.plan.workers == 1 else f"Worker {number}",
                [sys.executable, "-m", "gameserver.processes.worker", f"worker{number}"],
                environment=_with_metrics(variables, self.plan.web + number - 1),
                folder=installation.FOLDER,
                force_signal=signal.SIGQUIT,
                announces=True,
            )

    def _start(self, children: list[Child]) -> None:
        for child in children:
            self.signals.check()
            child.start()
        for child in children:
            self._await_ready(child)

    def _await_ready(self, child: Child) -> None:
        """Wait for a child that starts. Restart it if a signal killed it."""
        deadline = time.monotonic() + READY_WITHIN_S
        while True:
            self.signals.check()
            if child.is_ready(within_s=max(0.0, deadline - time.monotonic())):
                return
            exit_code = child.wait(1.0)
            if exit_code is None:
                raise StartError(f"{child.name} did not become ready; see its output above.")
            reason = f"ended ({_meaning(exit_code)})"
            if exit_code >= 0:
                raise StartError(f"{child.name} {reason}; see its output above.")
            self.say(f"[yellow]{child.name} {reason}: restarting it.")
            child.start()

    @staticmethod
    def _stop(children: list[Child]) -> None:
        for child in children:
            child.ask_to_stop()
        for child in children:
            child.stop()

    def _greet(self) -> None:
        url = self.plan.url
        self.say(f"  REST     {url}/api/docs/")
        self.say(f"  GraphQL  {url}/graphql/")
        self.say(f"  Admin    {url}/admin/")
        self.say(f"  Docs     {url}/docs/")
        if self.plan.separate_ports:
            self.say("  A Caddyfile that sends each game to one of the web processes:")
            self.say(escape(caddyfile(self.plan.addresses, settings.PUBLIC_URL)))
        self.say(f"[bold green]Ready[/] (Ctrl-C stops everything): [bold]{url}/[/]")

    def _watch(self, children: list[Child]) -> NoReturn:
        guards = [Guard(child, self.say) for child in children]
        while True:
            self.signals.check()
            for guard in guards:
                guard.look()
            time.sleep(LOOK_EVERY_S)


def _with_metrics(variables: Mapping[str, str], number: int) -> Mapping[str, str]:
    """Return the variables of a process, whose metrics are `number` ports after the first."""
    address = settings.METRICS_ADDRESS
    if address is None:
        return variables
    host, port = address
    return {**variables, "METRICS_ADDRESS": f"{host}:{port + number}"}


@dataclass(frozen=True)
class Servers:
    """The variables that locate PostgreSQL and Valkey, and the embedded servers to supervise."""

    variables: Mapping[str, str]
    children: list[Child]


class StopSignals:
    """A context in which the first stop signal raises Stopped; later signals are ignored.

    Python swallows exceptions raised inside a destructor, so `check` raises Stopped again.
    """

    def __init__(self) -> None:
        self.received = False

    def check(self) -> None:
        if self.received:
            raise Stopped

    def _stop(self, _number: int, _frame: FrameType | None) -> NoReturn:
        self.received = True
        for each in STOP_SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped

    def __enter__(self) -> Self:
        self._before = {each: signal.signal(each, self._stop) for each in STOP_SIGNALS}
        return self

    def __exit__(self, *_error: object) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler)


@contextmanager
def listen(host: str, port: int) -> Iterator[socket.socket]:
    """Open the socket that web processes share. Connections wait in it during a restart."""
    deadline = time.monotonic() + BIND_WITHIN_S
    while True:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listener = socket.create_server((host, port), family=family, backlog=2048)
            break
        except (OSError, OverflowError) as error:
            if getattr(error, "errno", None) != errno.EADDRINUSE:
                raise StartError(f"Cannot listen on {host} port {port}: {error}.") from error
            if time.monotonic() > deadline:
                raise StartError(
                    f"Port {port} on {host} is in use: end what listens there, or choose a --port."
                ) from error
            time.sleep(0.05)
    with listener:
        yield listener


def check_database(name: str, url: str | None) -> None:
    if not url:
        return
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.Error as error:
        reason = " ".join(str(error).split())
        raise StartError(f"The PostgreSQL of {name} does not answer: {reason}") from error


def make_seed_key(database_url: str) -> None:
    """Create the key that encrypts seeds, unless seeds are encrypted with a key that is missing."""
    path = environment.key_file("SEED_KEY_FILE")
    if path.exists():
        return
    with psycopg.connect(database_url, connect_timeout=5) as connection:
        query = "SELECT EXISTS (SELECT FROM games_lobby WHERE seed IS NULL)"
        (is_used,) = connection.execute(query).fetchone() or (False,)
    if is_used:
        raise StartError(
            f"{path} is missing, and the database has seeds encrypted with it: restore it or set "
            "SEED_KEY_FILE. To give up all running games, create a new key with "
            f"`{installation.NAME} keys seeds --add`."
        )
    try:
        encryption.add(path)
    except key_files.UnusableKeyError as error:
        raise StartError(str(error)) from error


def make_ack_key() -> None:
    """Create the key that signs acknowledgements, unless there is one or was one."""
    path = environment.key_file("ACK_KEY_FILE")
    try:
        if not path.exists() and not acknowledging.public(path):
            acknowledging.add(path, environment.log_origin())
    except key_files.UnusableKeyError as error:
        raise StartError(str(error)) from error


def make_vapid_key(say: Say) -> None:
    """Create the key by which push services know this server, unless there is one. Nothing else
    needs it.
    """
    path = environment.key_file("VAPID_KEY_FILE")
    try:
        if not path.exists():
            vapid.add(path)
    except key_files.UnusableKeyError as error:
        say(f"[yellow]Web Push is off: {escape(str(error))}.")


def check_redis(url: str | None) -> None:
    if not url:
        return
    try:
        with redis.Redis.from_url(
            url, retry=Retry(NoBackoff(), 0), socket_connect_timeout=5, socket_timeout=5
        ) as client:
            client.ping()
    except (redis.RedisError, ValueError, OSError) as error:
        raise StartError(f"The Redis or Valkey of REDIS_URL does not answer: {error}") from error


def _meaning(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        return signal.Signals(-exit_code).name
    return f"exit code {exit_code}"
