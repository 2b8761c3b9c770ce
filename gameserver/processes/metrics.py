"""The metrics endpoint of a web or worker process, and the figures that each scrape collects."""

import os
import resource
import shutil
import time
from collections import Counter
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection

from games.api.operations.health import valkey_answers
from games.api.sockets.connection_registry import connection_registry
from games.keys import acknowledging
from games.reads import figures
from games.store import database_checks
from games.store.commits import store
from games.store.registry import catalogue
from kit import background, event_loop, key_files, metrics
from kit.metrics import Figure
from notices import deliveries

log = structlog.get_logger()

LOOP_ANSWERS_WITHIN_S: Final = 2.0
FILES: Final = "/proc/self/fd"
MEMORY: Final = "/proc/meminfo"
CONTAINER: Final = "/sys/fs/cgroup"
QUERY_EVERY_S: Final = 15.0
LATE: Final = "For how long a delivery has been due that waits for no other of its host or user."
TROUBLE: Final = ("busy", "unavailable", "outcome_unknown", "failed", "game_stalled")
"""Codes of commands that the server cannot store."""


def start(program: str) -> None:
    """Serve metrics if METRICS_ADDRESS is set. An address in use is logged: the process runs on."""
    address = settings.METRICS_ADDRESS
    if address is None:
        return
    metrics.register(of_process)
    metrics.register(_of_servers_in_a_thread, every_s=QUERY_EVERY_S)
    begin_series()
    try:
        metrics.serve(*address)
    except OSError as error:
        at = f"{address[0]}:{address[1]}"
        log.error("metrics_not_served", process=program, address=at, error=error.strerror)  # noqa: TRY400 -- its place says nothing


def of_process() -> list[Figure]:
    """Return the figures of the store loop, its connections and the pools."""
    started = time.monotonic()
    found = [
        Figure("loops_stuck", "Loops that have failed for 10 seconds.", len(background.stuck())),
        *_failures(background.failures),
        *_ack_key(),
        Figure("files_left", "Files and sockets that this process may still open.", _files_left()),
    ]
    found += _disks()
    with suppress(OSError):
        text = "The part of the memory of the container, or else of the machine, that is free."
        found.append(Figure("memory_free_share", text, _memory_free()))
    with suppress(OSError):  # a backup that is pruned meanwhile, or that this user may not read
        found += _backups()
    with suppress(TimeoutError):  # the next figure says it
        found += event_loop.call(_on_the_loop(), LOOP_ANSWERS_WITHIN_S)
    waited = time.monotonic() - started
    found.append(Figure("loop_answer_seconds", "Time for an answer of the store loop.", waited))
    pool = connection.pool  # type: ignore[attr-defined]  # django-stubs lacks it
    found += _pool("django", pool.get_stats() if pool else {})
    return found


async def _on_the_loop() -> list[Figure]:
    waiting = [outbox.waiting for outbox in connection_registry().outboxes()]
    frames = [count for count, _ in waiting]
    return [
        Figure("sockets", "Open authenticated connections.", len(waiting)),
        Figure("outbox_frames", "Frames that wait in all outboxes.", sum(frames)),
        Figure("outbox_frames_most", "Frames in the fullest outbox.", max(frames, default=0)),
        Figure(
            "outbox_bytes", "Bytes that wait in all outboxes.", sum(size for _, size in waiting)
        ),
        *chain.from_iterable(_pool(*each) for each in store().connections.stats().items()),
    ]


def _files_left() -> int:
    """Return how many more files this process may open; a million where that cannot be counted."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        return limit - len(os.listdir(FILES))  # noqa: PTH208 -- a list of names is what is needed
    except OSError:
        return 1_000_000


def _memory_free() -> float:
    """Return the part of the memory that is free or holds caches."""
    container = Path(CONTAINER)
    with suppress(OSError, ValueError):  # without a container, or one without a limit
        most = int((container / "memory.max").read_text())
        taken = int((container / "memory.current").read_text())
        return 1.0 - (taken - _counted(container / "memory.stat", "inactive_file")) / most
    return _counted(Path(MEMORY), "MemAvailable:") / _counted(Path(MEMORY), "MemTotal:")


def _counted(file: Path, name: str) -> int:
    """Return the number in the line of a file that begins with this name."""
    lines = file.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


def _disks() -> list[Figure]:
    """Return how full the disks are to which this process, or the operator's backup, writes."""
    archive = urlsplit(settings.ARCHIVE_URL)
    folders = {
        "keys": settings.LOG_KEY_FILE.parent,
        "archive": Path(archive.path) if archive.scheme == "file" else None,
        "backups": settings.BACKUP_FOLDER and Path(settings.BACKUP_FOLDER),
    }
    text = "The part of the disk of a folder that is free."
    found = []
    for name, folder in folders.items():
        with suppress(OSError):
            if folder:
                disk = shutil.disk_usage(folder)
                found.append(
                    Figure("disk_free_share", text, disk.free / disk.total, {"folder": name})
                )
    return found


def _backups() -> list[Figure]:
    """Return the ages of what the operator copies, as far as this process sees the copies."""
    found = []
    if settings.BACKUP_FOLDER:
        folder = Path(settings.BACKUP_FOLDER)
        backups = chain.from_iterable(map(folder.glob, ("dump-*", "base-*")))
        made = [each.stat().st_mtime for each in backups]
        age_s = time.time() - max(made, default=0.0)
        found.append(Figure("backup_age_seconds", "Age of the newest backup.", age_s))
    copy, own = Path(settings.CHECKPOINT_COPY), Path(f"{settings.LOG_KEY_FILE}.checkpoint")
    if settings.CHECKPOINT_COPY and own.exists():
        is_new = copy.exists() and copy.read_bytes() == own.read_bytes()
        since = copy.stat().st_mtime if copy.exists() else 0.0
        behind_s = 0.0 if is_new else time.time() - since
        text = "Age of the copy of the log's checkpoint, 0 while it is the newest."
        found.append(Figure("checkpoint_copy_age_seconds", text, behind_s))
    return found


def _failures(failures: Counter[str]) -> list[Figure]:
    text = "Failures of each loop since the start."
    return [
        Figure("loop_failures", text, count, {"loop": loop}) for loop, count in failures.items()
    ]


def _ack_key() -> list[Figure]:
    """Return for how long the key of acknowledgements is valid, in a process that has it."""
    try:
        left_s = acknowledging.valid_until(settings.ACK_KEY_FILE) - time.time()
    except key_files.UnusableKeyError:
        return []
    text = "Time until the key that signs acknowledgements expires."
    return [Figure("ack_key_seconds_left", text, left_s)]


def _pool(name: str, stats: dict[str, int]) -> list[Figure]:
    named = {
        "pool_size": "Connections to PostgreSQL in the pool.",
        "pool_available": "Connections that nobody uses.",
        "requests_waiting": "Requests that wait for a connection.",
    }
    return [
        Figure(f"pool_{key.removeprefix('pool_')}", text, stats.get(key, 0), {"pool": name})
        for key, text in named.items()
    ]


def of_servers() -> list[Figure]:
    """Return whether PostgreSQL and Valkey answer, and the figures of all games."""
    try:
        found = figures.of_database()
        unsafe = len(database_checks.findings())
        late_s = deliveries.late_s()
        found.append(Figure("delivery_late_seconds", LATE, late_s))
    except DatabaseError:
        found, unsafe = [], 0
    return [
        Figure("database_up", "Whether PostgreSQL answers the query for figures.", bool(found)),
        Figure("database_unsafe_settings", "Settings that endanger promises.", unsafe),
        Figure("valkey_up", "Whether Valkey answers.", valkey_answers()),
        *found,
    ]


def _of_servers_in_a_thread() -> list[Figure]:
    """Return `of_servers`, and give the connection of this thread back."""
    close_old_connections()
    try:
        return of_servers()
    finally:
        connection.close()


def begin_series() -> None:
    """Begin the counters that alert rules watch at zero. A series that appears with its first event
    would hide this event from `increase`."""
    for slug in catalogue():
        for code in TROUBLE:
            metrics.COMMANDS.labels(slug, code)
    for code in ("wrong_credentials", "too_many_requests"):
        metrics.SIGN_INS.labels(code)
    for reason in ("missing", "changed", "unreachable"):
        metrics.ARCHIVE_FAILURES.labels(reason)
    metrics.MAILS.labels("failed")
    metrics.REQUESTS.labels("play", "busy")
    for reason in ("too_slow", "busy", "unavailable"):
        metrics.SOCKETS_CLOSED.labels(reason)
