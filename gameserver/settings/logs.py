"""Logging: one line per event without secrets, plain text for developers, JSON in production."""

import logging
import re
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from kit.draining import draining

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
SECRET_NAMES = frozenset(
    {"authorization", "cookie", "password", "secret", "seed", "ticket"}
    | {"token", "access_token", "refresh_token", "id_token", "code_verifier", "sessionid"}
)
_NAMES = "|".join(sorted(SECRET_NAMES, key=len, reverse=True))
SECRET_IN_TEXT = re.compile(
    # name=value, as in URLs and forms; "name": "value", as in JSON and in reprs
    rf"(?i)((?<![a-z0-9])(?:{_NAMES})(?:=|\\*[\"']\s*[:,]\s*b?\\*[\"']))"
    r"(?:(?:bearer|token|basic)\s+)?[^\s&\"'\\]+"
    # an authorization code in a URL or a form; elsewhere `code` is the code of a problem
    r"|((?:[?&]|^|[\"'])(?:code|invite)=)[^\s&\"'\\]+"
    # an Authorization header
    r"|(\b(?:token|bearer|basic)\s+)[\w.~+/-]{16,}=*"
    # the texts of this server's tokens, wherever they stand
    r"|(\bgs[a-z]_)[\w-]{8,}"
)


def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace the values of fields that are named like a secret."""
    for name in event:
        if name.lower() in SECRET_NAMES:
            event[name] = "[redacted]"
    return event


def redact_text(_logger: WrappedLogger, _method: str, line: str) -> str:
    """Replace secrets inside a rendered line, whichever field or traceback they came from."""
    return SECRET_IN_TEXT.sub(lambda found: next(filter(None, found.groups())) + "[redacted]", line)


def is_real_error(record: logging.LogRecord) -> bool:
    """Whether a record is a real error: uvicorn reports every refused handshake as one."""
    return record.msg != "ASGI callable returned without completing handshake."


def expect_refusals_while_draining(record: logging.LogRecord) -> bool:
    """Log that a process that is about to end answered 503 as information: it means to."""
    if draining.is_set() and getattr(record, "status_code", None) == 503:
        record.levelno, record.levelname = logging.INFO, logging.getLevelName(logging.INFO)
    return True


SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    redact,
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
    renderer: list[Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if as_json
        # The default formatter prints local variables: secrets, at a second of CPU each.
        else [
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            )
        ]
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
                    *renderer,
                    redact_text,
                ],
                "foreign_pre_chain": SHARED,
            }
        },
        "filters": {
            "is_real_error": {"()": lambda: is_real_error},
            "while_draining": {"()": lambda: expect_refusals_while_draining},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.request": {"filters": ["while_draining"]},
            "django.server": {"handlers": [], "propagate": True},
            "uvicorn.error": {"filters": ["is_real_error"]},
            # These log every connection, task and sweep: too much by default.
            **{
                name: {"level": quiet}
                for name in ("celery", "kombu", "oauth2_provider", "psycopg.pool", "uvicorn")
            },
        },
    }
