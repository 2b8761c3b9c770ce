"""Read the environment variables, each listed in docs/operate/settings.md.

An invalid value raises ImproperlyConfigured with one line that names the variable.
"""

import os
import re
import secrets
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

from gameserver.settings import logs
from kit import installation
from kit.database import RECONNECT_WITHIN_S, BoundedConnection
from railbird_engine.audit.cosignatures import Witness
from railbird_engine.audit.notes import NoteError

PATH = re.compile(r"(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
"""Of PUBLIC_URL: the prefix of every address."""
SECRET_LENGTH_MIN = 50  # as `check --deploy` requires
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
DATABASE_LIMITS = {
    "connect_timeout": 5,  # seconds
    # Notice within seconds that the database's machine vanished.
    "keepalives": 1,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,  # milliseconds
}
# A connection whose process vanished is closed within seconds, and its locks with it. By default it
# would take one of PostgreSQL's places for two hours.
KEEPALIVES = (
    "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
    " -c idle_session_timeout=0"
)


class SessionLimits(NamedTuple):
    """The limits of the database sessions of a kind of process."""

    settings: str
    """Of PostgreSQL, as options of libpq."""
    lent_within_s: float
    """How long a thread waits for a connection of the pool."""


OF_REQUESTS = SessionLimits(
    # A process that hangs in a transaction loses its locks.
    "-c idle_in_transaction_session_timeout=10000"
    # A page takes less time than the start of processes that help with it.
    " -c max_parallel_workers_per_gather=0",
    lent_within_s=3,
)
"""Of web and worker processes, see `processes.startup`."""
OF_COMMANDS = SessionLimits(
    # A migration may compute, and a machine may be suspended, between two statements. The roles of
    # init-roles.sh have limits for requests, which this lifts.
    "-c idle_in_transaction_session_timeout=0 -c statement_timeout=0",
    lent_within_s=30,
)
"""Of everything else: each command of an operator."""

POOLING = ("session", "transaction")

SECRET_FILES = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "STORE_DATABASE_URL",
    "DATABASE_REPLICA_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "EMAIL_PASSWORD",
    "OIDC_CLIENT_SECRET",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
)
"""Variables whose value may stand in a file that NAME_FILE names, as Docker and Kubernetes mount
secrets."""


def read_secret_files() -> None:
    """Set each variable of SECRET_FILES from the file that its NAME_FILE names."""
    for name in SECRET_FILES:
        if path := os.environ.get(f"{name}_FILE"):
            try:
                os.environ[name] = Path(path).read_text().strip()
            except OSError as error:
                raise ImproperlyConfigured(f"{name}_FILE {path}: {error.strerror}.") from error


def data_folder() -> Path:
    """Return the folder of embedded servers and generated secrets."""
    return Path(os.environ.get("GAMESERVER_DATA_DIR") or installation.FOLDER / ".data").absolute()


def flag(name: str, *, default: bool = False) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    if value:
        raise ImproperlyConfigured(f"{name} must be true or false, not {value!r}.")
    return default


def text(name: str) -> str:
    return os.environ.get(name, "")


def count(name: str, default: int) -> int:
    value = os.environ.get(name, "").strip() or str(default)
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value)


def metrics_address() -> tuple[str, int] | None:
    """Return the host and port of METRICS_ADDRESS, or None if metrics are off."""
    host, separator, port = text("METRICS_ADDRESS").rpartition(":")
    if not (host or separator or port):
        return None
    if not (host and port.isdecimal() and int(port) < 65_536):
        raise ImproperlyConfigured("METRICS_ADDRESS must look like 127.0.0.1:9464.")
    return host.strip("[]"), int(port)


def proxies() -> list[IPv4Network | IPv6Network]:
    """Return the networks of FORWARDED_ALLOW_IPS; `*` stands for all addresses."""
    return networks("FORWARDED_ALLOW_IPS") or [ip_network("127.0.0.1"), ip_network("::1")]


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Return the networks that a variable lists; `*` stands for all addresses."""
    found: list[IPv4Network | IPv6Network] = []
    for word in words(name):
        try:
            found += map(ip_network, ["0.0.0.0/0", "::/0"] if word == "*" else [word])
        except ValueError as error:
            raise ImproperlyConfigured(f"{name} must be addresses or networks: {error}.") from error
    return found


def words(name: str) -> list[str]:
    """Return a list separated by commas or spaces."""
    return os.environ.get(name, "").replace(",", " ").split()


def origins(name: str) -> list[str]:
    """Return origins of web pages, as browsers write them."""
    found = words(name)
    for origin in found:
        if not re.fullmatch(r"[a-z][a-z0-9+.-]*://[a-z0-9.-]+(:[1-9][0-9]{0,4})?", origin):
            raise ImproperlyConfigured(
                f"{name} must be origins like https://games.example.org, not {origin!r}."
            )
    return found


def rate_limits(defaults: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Return the defaults, overridden by RATE_LIMITS: words like `guest=600/60`."""
    limits = dict(defaults)
    for word in words("RATE_LIMITS"):
        found = re.fullmatch(r"(\w+)=(\d{1,9})/([1-9]\d{0,5})", word)
        if found is None or found[1] not in defaults:
            known = ", ".join(defaults)
            raise ImproperlyConfigured(
                f"RATE_LIMITS must be words like guest=600/60, with one of {known}, not {word!r}."
            )
        limits[found[1]] = int(found[2]), int(found[3])
    return limits


def log_level() -> str:
    level = os.environ.get("LOG_LEVEL", "").upper() or "INFO"
    if level not in logs.LEVELS:
        raise ImproperlyConfigured(
            f"LOG_LEVEL must be debug, info, warning or error, not {level.lower()!r}."
        )
    return level


def secret_key(*, strict: bool) -> str:
    """Return SECRET_KEY, or a random key that is created once and stored in the data folder.

    With `strict`, a short key and the placeholder of the example file are rejected.
    """
    given = os.environ.get("SECRET_KEY", "")
    if not given:
        return _kept_secret(data_folder() / "secret_key")
    if strict and (
        len(given) < SECRET_LENGTH_MIN or given.startswith(("django-insecure-", "change-me"))
    ):
        raise ImproperlyConfigured(
            f"SECRET_KEY must be {SECRET_LENGTH_MIN} random characters or more: generate one with "
            f"`python -c 'import secrets; print(secrets.token_urlsafe(64))'`, "
            "or leave it unset to have one generated."
        )
    return given


def store_nothing() -> None:
    """Generate what this process lacks for itself alone: its command serves nobody."""
    if not os.environ.get("SECRET_KEY"):
        os.environ["SECRET_KEY"] = secrets.token_urlsafe(64)


def _kept_secret(path: Path) -> str:
    """Create or read the key. The atomic link makes two simultaneous first starts agree."""
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o711, parents=True, exist_ok=True)
            draft = path.with_name(f"{path.name}.{os.getpid()}")
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:  # noqa: PTH123 -- mode at creation
                file.write(secrets.token_urlsafe(64))
            try:
                path.hardlink_to(draft)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(
            f"SECRET_KEY is not set, and no key can be stored in {path}: {error.strerror}."
        ) from error


def public_url() -> str:
    """Return PUBLIC_URL without its last slash: host, origin and path of this server, and secure
    cookies; empty for local use."""
    url = os.environ.get("PUBLIC_URL", "").rstrip("/")
    parts = urlsplit(url)
    if url and (parts.scheme not in {"http", "https"} or not parts.hostname):
        raise ImproperlyConfigured(
            f"PUBLIC_URL must look like https://games.example.org, not {url!r}."
        )
    whole = f"{parts.scheme}://{parts.netloc}{parts.path}"
    if url and (url != whole or parts.username is not None or not PATH.fullmatch(parts.path)):
        raise ImproperlyConfigured(
            f"PUBLIC_URL has more than a scheme, a host, a port and a simple path: {url!r}."
        )
    return url


def log_origin() -> str:
    """Return the permanent name of this server's log.

    LOG_ORIGIN, or by default the public address without its scheme.
    """
    given = (
        os.environ.get("LOG_ORIGIN", "") or f"{public_url().partition('://')[2] or 'localhost'}/log"
    )
    if "+" in given or any(
        character.isspace() or not character.isprintable() for character in given
    ):
        raise ImproperlyConfigured(
            f"LOG_ORIGIN must look like games.example.org/log, not {given!r}."
        )
    return given


def witnesses() -> list[tuple[Witness, str]]:
    """Return the witnesses of this server's log, each with its address: pairs of words."""
    found, given = [], words("WITNESSES")
    shape = "must be pairs of a public key and an address, name+id+base64 https://..."
    if len(given) % 2:
        raise ImproperlyConfigured(f"WITNESSES {shape}.")
    for key, address in zip(given[::2], given[1::2], strict=True):
        try:
            witness = Witness.parse(key)
        except NoteError as error:
            raise ImproperlyConfigured(f"WITNESSES {shape}: {error}.") from error
        if urlsplit(address).scheme not in {"http", "https"} or not urlsplit(address).hostname:
            raise ImproperlyConfigured(f"WITNESSES {shape}, not {address!r}.")
        found.append((witness, address.rstrip("/")))
    return found


WITNESSES_MAX = 16
"""The most witnesses that the terms of a game name."""


def start_witnesses(known: Sequence[tuple[Witness, str]]) -> list[Witness]:
    """Return the witnesses that add to the dice of games, by their names in START_WITNESSES."""
    by_name, found = {witness.name: witness for witness, _ in known}, words("START_WITNESSES")
    if unknown := [name for name in found if name not in by_name]:
        raise ImproperlyConfigured(f"START_WITNESSES names {unknown[0]}, which WITNESSES lacks.")
    if len(found) > WITNESSES_MAX or len(set(found)) != len(found):
        raise ImproperlyConfigured(
            f"START_WITNESSES names up to {WITNESSES_MAX} witnesses, each once."
        )
    return [by_name[name] for name in found]


def oidc_issuer() -> str:
    """Return the issuer of OIDC_ISSUER, exactly as its ID tokens name it, or ""."""
    issuer = text("OIDC_ISSUER")
    parts = urlsplit(issuer)
    is_local = parts.scheme == "http" and parts.hostname in LOCAL_HOSTS
    if issuer and not (parts.hostname and (parts.scheme == "https" or is_local)):
        raise ImproperlyConfigured(f"OIDC_ISSUER must begin with https://, not {issuer!r}.")
    if issuer and not text("OIDC_CLIENT_ID"):
        raise ImproperlyConfigured("OIDC_ISSUER needs OIDC_CLIENT_ID.")
    return issuer


def key_file(variable: str) -> Path:
    """Return the file of keys that a variable such as LOG_KEY_FILE names, by default `log_key` in
    the data folder. The first start of a new server creates it."""
    name = variable.removesuffix("_FILE").lower()
    return Path(text(variable) or data_folder() / name).absolute()


def archive_url() -> str:
    """Return the URL of the storage of archived games: a folder beside the data by default."""
    url = os.environ.get("ARCHIVE_URL") or (data_folder() / "archive").as_uri()
    if not re.match(r"[a-z0-9+]+://.", url):
        raise ImproperlyConfigured(
            f"ARCHIVE_URL must look like s3://bucket/games or file:///srv/archive, not {url!r}."
        )
    return url.rstrip("/")


def databases(limits: SessionLimits = OF_COMMANDS) -> dict[str, dict[str, Any]]:
    """Return the Django connections: for DATABASE_URL, and for DATABASE_REPLICA_URL if set."""
    found = {"default": database(limits)}
    if text("DATABASE_REPLICA_URL"):
        found["replica"] = database(limits, "DATABASE_REPLICA_URL")
        # One that is away delays a read once in a while, not for as long as the primary may.
        found["replica"]["OPTIONS"]["pool"] |= {"name": "replica", "timeout": 1}
    return found


def database(limits: SessionLimits = OF_COMMANDS, name: str = "DATABASE_URL") -> dict[str, Any]:
    """Return the Django connection for this variable, any URL that libpq accepts.

    Options in the URL replace the settings of the limits.
    """
    url = os.environ.get(name, "")
    parts = _libpq_parts(url, name) if url else {"dbname": "gameserver"}
    parts.setdefault("application_name", "gameserver")
    has_session = pooling() == "session"
    if has_session:
        parts.setdefault("options", f"{KEEPALIVES} {limits.settings}")
    names = {
        "NAME": "dbname",
        "USER": "user",
        "PASSWORD": "password",
        "HOST": "host",
        "PORT": "port",
    }
    connection = {name: str(parts.pop(key, "")) for name, key in names.items()}
    pool = {
        "name": "django",
        "min_size": count("DATABASE_POOL_MIN", 2),
        "max_size": count("DATABASE_POOL_MAX", 10),
        "timeout": limits.lent_within_s,
        "max_waiting": 4 * count("DATABASE_POOL_MAX", 10),
        "max_lifetime": 1800,
        "reconnect_timeout": RECONNECT_WITHIN_S,
        "connection_class": BoundedConnection,
    }
    return {
        "ENGINE": "django.db.backends.postgresql",
        **connection,
        "CONN_MAX_AGE": 0,  # required under ASGI; the pool keeps connections instead
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": not has_session,
        "OPTIONS": {**DATABASE_LIMITS, **parts, "pool": pool},
    }


def pooling() -> str:
    """Return how long a pooler such as PgBouncer lends a connection of the database, one of
    POOLING: without a pooler for a session."""
    value = text("DATABASE_POOLING") or POOLING[0]
    if value not in POOLING:
        raise ImproperlyConfigured(f"DATABASE_POOLING must be one of {', '.join(POOLING)}.")
    return value


def store_database() -> dict[str, Any]:
    """Return the parameters of libpq in STORE_DATABASE_URL, empty where it is not set."""
    url = text("STORE_DATABASE_URL")
    return _libpq_parts(url, "STORE_DATABASE_URL") if url else {}


def database_role(url: str) -> str:
    """Return the role that logs in with this URL."""
    return str(_libpq_parts(url).get("user", ""))


def _libpq_parts(url: str, name: str = "DATABASE_URL") -> dict[str, Any]:
    shape = "postgresql://user:password@host:5432/database"
    if not url.startswith(("postgres://", "postgresql://")):
        raise ImproperlyConfigured(f"{name} must look like {shape}.")
    try:
        parts = dict(conninfo_to_dict(url))
    except psycopg.ProgrammingError as error:
        raise ImproperlyConfigured(
            f"{name} must look like {shape}: {' '.join(str(error).split())}."
        ) from error
    if not parts.get("dbname"):
        raise ImproperlyConfigured(f"{name} names no database: it must look like {shape}.")
    # Servers without a port have an empty one.
    if not all(port == "" or port.isdecimal() for port in str(parts.get("port", "")).split(",")):
        raise ImproperlyConfigured(f"{name} has an invalid port: it must look like {shape}.")
    return parts


def redis_url() -> str:
    url = os.environ.get("REDIS_URL", "") or "redis://127.0.0.1:6379/0"
    if not url.startswith(("redis://", "rediss://", "unix://")):
        raise ImproperlyConfigured(
            "REDIS_URL must look like redis://:password@host:6379/0 (or rediss://, or "
            "unix:///path)."
        )
    return url


def broker_url() -> str:
    """Return REDIS_URL in Celery's syntax, which differs for Unix sockets and databases."""
    url = redis_url()
    if not url.startswith("unix://"):
        return url
    return re.sub("([?&])db=", r"\1virtual_host=", url.replace("unix://", "redis+socket://", 1))
