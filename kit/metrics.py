"""The metrics of this process, each declared once. A label never names a person or a game.

`serve` answers Prometheus on a port of its own. Figures that need a query or a look at the store
loop are collected on each scrape, by collectors that the floors above register. Recording a command
that is appended alone takes 2.9 µs.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import TracebackType
from typing import Final, NamedTuple

from prometheus_client import REGISTRY, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import start_http_server
from prometheus_client.registry import Collector

disable_created_metrics()  # type: ignore[no-untyped-call]  # it is

REQUESTS: Final = Counter(
    "railbird_requests",
    "Operations over REST and GraphQL. `code` is that of a problem, or `ok`.",
    ["operation", "code"],
)
ERRORS: Final = Counter("railbird_errors", "Requests that failed by a fault of the server.")
COMMANDS: Final = Counter(
    "railbird_commands",
    "Commands of players and bots. `code` is that of a refusal, or `ok`.",
    ["game", "code"],
)
APPEND_COMMITS: Final = Histogram(
    "railbird_append_commits",
    "Commits in one append statement.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
APPEND_SECONDS: Final = Histogram(
    "railbird_append_seconds",
    "Time of one append statement, with the wait for a connection.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
TICK_LATE_SECONDS: Final = Histogram(
    "railbird_tick_late_seconds",
    "How late the clock claimed a due game.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30),
)
CLAIMS_LOST: Final = Counter(
    "railbird_claims_lost", "Claimed games whose alarm another process had answered."
)
BOT_SECONDS: Final = Histogram(
    "railbird_bot_seconds",
    "Time in which the bots of a game chose a move.",
    ["game"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
SOCKETS_CLOSED: Final = Counter(
    "railbird_sockets_closed",
    "Closed connections. `reason` is why the server closed one, or how the client left.",
    ["reason"],
)
SIGN_INS: Final = Counter(
    "railbird_sign_ins", "Attempts to sign in. `code` is that of a problem, or `ok`.", ["code"]
)
MAILS: Final = Counter(
    "railbird_mails",
    "Mails. `code` is `ok`, `refused` by the recipient's server, or `failed`, to be tried again.",
    ["code"],
)
DELIVERIES: Final = Counter(
    "railbird_deliveries",
    "Attempts to deliver a notice. `code` is `ok`, or how one failed.",
    ["channel", "code"],
)
HISTORIES_LOST: Final = Counter(
    "railbird_histories_lost",
    "Games of which this process knew commits that the database has no more.",
)
PROTECTIONS_MISSING: Final = Gauge(
    "railbird_protections_missing",
    "Triggers and privileges that protect histories and were missing at the last check.",
)
REPLICA_READS: Final = Counter(
    "railbird_replica_reads",
    "Reads offered to the replica. `outcome` is `ok`, or why the primary answers instead: `stale`, "
    "`no_standby` or `unavailable`.",
    ["outcome"],
)
ARCHIVE_FAILURES: Final = Counter(
    "railbird_archive_failures",
    "Failed reads of archived games. `reason` is `missing`, `changed`, `unreachable` and others.",
    ["reason"],
)


class counted:  # noqa: N801  (used like a function; a generator would cost twice as much)
    """Count what the block does, by the code of the problem that it raises.

    Any other exception counts as `failed`, and a cancelled block not at all.
    """

    __slots__ = ("_counter", "_labels")

    def __init__(self, counter: Counter, *labels: str) -> None:
        self._counter = counter
        self._labels = labels

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Count."""
        if error is None:
            count(self._counter, *self._labels, "ok")
        elif isinstance(error, Exception):
            count(self._counter, *self._labels, getattr(error, "code", "failed"))


def count(counter: Counter, *labels: str) -> None:
    """Count one of the series with these labels."""
    _series(counter, *labels).inc()


@cache
def _series(counter: Counter, *labels: str) -> Counter:
    """Return the series with these labels, without the lookup of the counter."""
    return counter.labels(*labels)


class Figure(NamedTuple):
    """One value of a gauge that is collected on each scrape."""

    name: str
    text: str
    value: float
    labels: Mapping[str, str] = {}


class Collected(Collector):
    """A collector that asks a function for figures, at most every `every_s` seconds."""

    def __init__(self, look: Callable[[], list[Figure]], *, every_s: float = 0.0) -> None:
        self._look = look
        self._every_s = every_s
        self._found: list[Figure] = []
        self._until = 0.0

    def describe(self) -> list[Metric]:
        """Return nothing, so that registration looks at nothing."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the figures as gauges."""
        if time.monotonic() >= self._until:
            self._found = self._look()
            self._until = time.monotonic() + self._every_s
        families: dict[str, GaugeMetricFamily] = {}
        for name, text, value, labels in self._found:
            if name not in families:
                families[name] = GaugeMetricFamily(f"railbird_{name}", text, labels=list(labels))
            families[name].add_metric(list(labels.values()), value)
        yield from families.values()


def serve(host: str, port: int) -> int:
    """Answer scrapes on this address from a thread, and return the port. Raises OSError."""
    server, _ = start_http_server(port, host)
    return server.server_port


def register(look: Callable[[], list[Figure]], *, every_s: float = 0.0) -> None:
    """Collect these figures on each scrape."""
    REGISTRY.register(Collected(look, every_s=every_s))
