"""The settings of the database on which the promises of this server depend."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core import checks
from django.db import DatabaseError, connection

from games.store.connections import READERS_MAX

VERSION_LEAST: Final = 15
VERSION_TESTED: Final = 18
STATEMENT_LEAST_MS: Final = 4000
"""The least limit of statements under which every request can be answered."""
PROCESSES_LEAST: Final = 2
"""A web process and a worker."""

SETTINGS: Final = """
SELECT current_user, pg_is_in_recovery(), name, setting FROM unnest(%s::text[]) AS asked(name)
CROSS JOIN LATERAL current_setting(name, true) AS setting
"""
NAMES: Final = (
    *("server_version_num", "server_encoding", "fsync", "full_page_writes", "synchronous_commit"),
    *("max_connections", "superuser_reserved_connections"),
    *("idle_session_timeout", "statement_timeout"),
)
TIMEOUT: Final = "SELECT extract(epoch FROM %s::interval) * 1000"


class Finding(NamedTuple):
    """A setting that keeps a promise from being kept. `text` is one line that says what to do. With
    one that `is_fatal`, no process starts."""

    name: str
    text: str
    is_fatal: bool = False


def findings() -> Sequence[Finding]:
    """Examine the database of Django's connection. Raises DatabaseError."""
    with connection.cursor() as cursor:
        cursor.execute(SETTINGS, [list(NAMES)])
        rows = cursor.fetchall()
        found: dict[str, str] = {name: setting or "" for _, _, name, setting in rows}
        role, is_standby = rows[0][:2]
        limits_ms: dict[str, float] = {}
        for name in ("idle_session_timeout", "statement_timeout"):
            cursor.execute(TIMEOUT, [found[name] or "0"])
            limits_ms[name] = float(cursor.fetchone()[0])
    return [
        *_of_server(found, is_standby=is_standby),
        *_of_durability(found, role),
        *_of_limits(found, limits_ms, role),
    ]


def _of_server(found: Mapping[str, str], *, is_standby: bool) -> list[Finding]:
    faults = []
    if (version := int(found["server_version_num"]) // 10_000) < VERSION_LEAST:
        text = f"PostgreSQL {version} is too old: upgrade to {VERSION_TESTED}."
        faults.append(Finding("version", text, is_fatal=True))
    elif version < VERSION_TESTED:
        text = (
            f"PostgreSQL {version} was never tested with this server: "
            f"upgrade to {VERSION_TESTED}, with which it is."
        )
        faults.append(Finding("version", text))
    if (encoding := found["server_encoding"]) != "UTF8":
        text = (
            f"The database has the encoding {encoding}: create one with ENCODING 'UTF8' "
            "TEMPLATE template0, and restore into it."
        )
        faults.append(Finding("encoding", text, is_fatal=True))
    if is_standby:
        text = (
            "The database is a standby, which accepts no writes: name the primary in DATABASE_URL."
        )
        faults.append(Finding("standby", text))
    return faults


def _of_durability(found: Mapping[str, str], role: str) -> list[Finding]:
    faults = [
        Finding(
            name,
            f"{name} is off, so a crash can lose or damage what was acknowledged: set {name} = on.",
        )
        for name in ("fsync", "full_page_writes")
        if found[name] == "off"
    ]
    if (commits := found["synchronous_commit"]) not in {"on", "remote_apply"}:
        text = (
            f"synchronous_commit is {commits}, so a crash or a failover can lose what was "
            f"acknowledged: ALTER ROLE {role} SET synchronous_commit = on."
        )
        faults.append(Finding("synchronous_commit", text))
    return faults


def _of_limits(
    found: Mapping[str, str], limits_ms: Mapping[str, float], role: str
) -> list[Finding]:
    faults = []
    per_process = settings.DATABASES["default"]["OPTIONS"]["pool"]["max_size"] + READERS_MAX + 1
    offered = int(found["max_connections"]) - int(found["superuser_reserved_connections"])
    if offered < (needed := PROCESSES_LEAST * per_process):
        text = (
            f"max_connections leaves {offered}, and a web process and a worker need {needed}: "
            "raise max_connections, or lower DATABASE_POOL_MAX."
        )
        faults.append(Finding("max_connections", text))
    if limits_ms["idle_session_timeout"]:
        text = (
            "idle_session_timeout ends the connections that wait in pools: "
            f"ALTER ROLE {role} SET idle_session_timeout = 0."
        )
        faults.append(Finding("idle_session_timeout", text))
    if 0 < limits_ms["statement_timeout"] < STATEMENT_LEAST_MS:
        text = (
            f"statement_timeout is {found['statement_timeout']}, and some requests need more: "
            f"ALTER ROLE {role} SET statement_timeout = {STATEMENT_LEAST_MS}."
        )
        faults.append(Finding("statement_timeout", text))
    return faults


def check_fitness(databases: Sequence[str] | None, **_: Any) -> list[checks.CheckMessage]:
    """Refuse to migrate a database that no process would start with, and warn of an untested
    version. One that does not answer is not checked."""
    if not databases:
        return []
    try:
        found = findings()
    except DatabaseError:
        return []
    return [
        (checks.Error if each.is_fatal else checks.Warning)(each.text, id=f"games.{each.name}")
        for each in found
        if each.is_fatal or each.name == "version"
    ]


def check_deployment(databases: Sequence[str] | None, **_: Any) -> list[checks.CheckMessage]:
    """Report the settings of the database to `check --deploy --database default`."""
    if not databases:
        return []
    try:
        found = findings()
    except DatabaseError as error:
        return [checks.Warning(f"The database was not examined: {error}", id="games.W001")]
    return [checks.Error(each.text, id=f"games.{each.name}") for each in found]
