"""Logging: one line per event without secrets, plain text for developers, JSON in production."""

import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

log = structlog.get_logger(__name__)

QUIET_S: Final = 10.0
OF_OUTAGES: Final = frozenset(
    {"unavailable", "overloaded", "hub_cannot_catch_up", "socket_without_database"}
    | {
        "archive_unreachable",
        "message_not_stored",
        "hint_not_sent",
        "limits_not_counted",
        "not_acknowledged",
    }
)
"""Events that each request or game logs while something is away."""
OF_WITNESSES: Final = frozenset({"not_cosigned", "start_not_witnessed"})
"""The same of one witness, every two seconds."""
UNCONNECTED: Final = "consumer: Cannot connect to"
"""The beginning of what Celery logs at each attempt."""
QUIET_OF_CELERY_S: Final = 45.0
"""It waits for up to 32 seconds between two attempts."""
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
SECRET_NAMES = frozenset(
    {"authorization", "cookie", "invite_code", "password", "secret", "seed", "ticket"}
    | {"token", "access_token", "refresh_token", "id_token", "code_verifier", "sessionid"}
    | {"factor", "mailed", "recovery_codes"}
)
_NAMES = "|".join(sorted(SECRET_NAMES, key=len, reverse=True))
SECRET_IN_TEXT = re.compile(
    # "name": "value", as in JSON and in reprs, to the closing quote
    rf"(?is)((?<![a-z0-9])(?:{_NAMES})\\*[\"']\s*[:,=]\s*b?(?P<quote>\\*[\"']))"
    r"(?:(?!(?<!\\)(?P=quote)).)*"
    # name=value, as in URLs and forms, and name='value'
    rf"|((?<![a-z0-9])(?:{_NAMES})=)(?:(?P<mark>[\"'])(?:\\.|(?!(?P=mark)).)*|[^\s&\"'\\]+)"
    # a code or state in a URL or a form; elsewhere `code` is the code of a problem
    r"|((?:[?&]|^|[\"'])(?:code|invite|state|nonce)=)[^\s&\"'\\]+"
    # an Authorization header
    r"|(\b(?:token|bearer|basic)\s+)[\w.~+/-]{16,}=*"
    # the texts of this server's tokens, wherever they stand
    r"|(\bgs[a-z]_)[\w-]{8,}"
)
DEPTH_MAX = 20
"""How deep values are looked through; what is deeper is rendered as text."""


def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace secrets in all values: those named like a secret, and those that stand in texts.

    It reads values before they are rendered, so that no name is ever replaced.
    """
    return {name: _redacted(value, name) for name, value in event.items()}


def _redacted(value: Any, name: object = None, depth: int = 0) -> Any:
    if isinstance(name, str) and name.lower() in SECRET_NAMES:
        return "[redacted]"
    if value is None or isinstance(value, int | float):
        return value
    if depth < DEPTH_MAX:
        if isinstance(value, Mapping):
            return {
                key if isinstance(key, str) else repr(key): _redacted(each, key, depth + 1)
                for key, each in value.items()
            }
        if isinstance(value, list | tuple | set | frozenset):
            return [_redacted(each, None, depth + 1) for each in value]
    return redact_text(value if isinstance(value, str) else repr(value))


def redact_text(text: str) -> str:
    """Replace secrets inside a text that is a message, a traceback or the repr of an object."""
    return SECRET_IN_TEXT.sub(
        lambda found: next(filter(None, found.group(1, 3, 5, 6, 7))) + "[redacted]", text
    )


def is_real_error(record: logging.LogRecord) -> bool:
    """Whether a record is a real error: uvicorn reports every refused handshake as one."""
    return record.msg != "ASGI callable returned without completing handshake."


def one_line_per_request(record: logging.LogRecord) -> bool:
    """Leave one line of Django for a request that failed, and none for others, which have the line
    of `gameserver.http.requests`."""
    request = vars(record).pop("request", None)
    if request is None or not record.name.startswith(("django.request", "django.security")):
        return True
    if record.name != "django.request":
        request.refused_because = record.getMessage()
        return False
    if vars(record).pop("status_code", None) != 500:
        return False
    from gameserver.http.requests import facts_of  # noqa: PLC0415 -- needs the settings

    record.msg, record.args = "request_failed", ()
    vars(record).update(facts_of(request))
    return True


class Outages(logging.Filter):
    """Log something that fails again and again once at its start, and once at its end with the
    number of failures. It has ended when it has not happened for `QUIET_S`, or of Celery for
    `QUIET_OF_CELERY_S`."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._failures: Counter[str] = Counter()
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record begins an outage, or belongs to none."""
        what = _outage_of(record)
        if what is None:
            return True
        with self._lock:
            self._failures[what] += 1
            self._last[what] = time.monotonic()
            is_first = self._failures[what] == 1
        if is_first:
            self._look_again(what, _quiet_s(what))
        return is_first

    def _look_again(self, what: str, after_s: float) -> None:
        timer = threading.Timer(after_s, self._look, [what])
        timer.daemon = True
        timer.start()

    def _look(self, what: str) -> None:
        with self._lock:
            left_s = self._last[what] + _quiet_s(what) - time.monotonic()
            failures = self._failures.pop(what) if left_s <= 0 else 0
        if failures:
            log.info("outage_over", outage=what, failures=failures)
        else:
            self._look_again(what, left_s)


def _quiet_s(what: str) -> float:
    return QUIET_OF_CELERY_S if what == UNCONNECTED else QUIET_S


def _outage_of(record: logging.LogRecord) -> str | None:
    """Return the name of the outage that a record belongs to, if it does."""
    if isinstance(record.msg, dict):  # of structlog
        event = str(record.msg.get("event"))
        if event in OF_WITNESSES:
            return f"{event} {record.msg.get('witness')}"
        return event if event in OF_OUTAGES else None
    text = record.getMessage()
    if record.name == "psycopg.pool" and record.levelno >= logging.WARNING:
        record.msg, record.args = " ".join(text.split()), ()  # libpq writes several lines
        return text.partition(": ")[0]
    return UNCONNECTED if text.startswith(UNCONNECTED) else None


SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configuration(*, as_json: bool, level: str) -> dict[str, Any]:
    """Return Django's LOGGING. structlog's loggers use the same handlers."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.processors.StackInfoRenderer(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    # Both renderers get tracebacks as text. The default of the console prints local variables:
    # secrets, at a second of CPU each.
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    quiet = max(level, "WARNING", key=LEVELS.index)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    redact,
                    renderer,
                ],
                "foreign_pre_chain": SHARED,
            }
        },
        "filters": {
            "is_real_error": {"()": lambda: is_real_error},
            "one_line_per_request": {"()": lambda: one_line_per_request},
            "outages": {"()": Outages},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["one_line_per_request", "outages"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            "uvicorn.error": {"filters": ["is_real_error"]},
            # These log every connection, task and sweep: too much by default.
            **{
                name: {"level": quiet}
                for name in ("celery", "kombu", "oauth2_provider", "psycopg.pool", "uvicorn")
            },
        },
    }
