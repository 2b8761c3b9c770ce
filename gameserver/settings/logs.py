"""Logging: one line per event, for eyes on one's own machine and JSON elsewhere, and never a secret
in it."""

import logging
import re
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
SECRET_NAMES = frozenset(
    {"authorization", "cookie", "password", "secret", "seed", "ticket", "token"}
)
SECRET_IN_TEXT = re.compile(
    r"(?i)\b((?:ticket|token|password|secret|seed)=)[^\s&\"']+|((?:token|bearer)\s+)[\w.-]{16,}"
)


def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replaces values with a secret's name, and secrets inside texts such as URLs."""
    for name, value in event.items():
        if name.lower() in SECRET_NAMES:
            event[name] = "[redacted]"
        elif isinstance(value, str):
            event[name] = SECRET_IN_TEXT.sub(
                lambda found: (found[1] or found[2]) + "[redacted]", value
            )
    return event


def is_so(record: logging.LogRecord) -> bool:
    """uvicorn calls every handshake an error that was refused with an answer; without one there was
    a traceback before."""
    return record.msg != "ASGI callable returned without completing handshake."


SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    redact,
]


def configuration(*, as_json: bool, level: str) -> dict[str, Any]:
    """The value of Django's LOGGING; structlog's own loggers go the same way."""
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
        else [structlog.dev.ConsoleRenderer(colors=False)]
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
                ],
                "foreign_pre_chain": SHARED,
            }
        },
        "filters": {"is_so": {"()": lambda: is_so}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            "uvicorn.error": {"filters": ["is_so"]},
            # Their news is every connection and every task: too much by default.
            **{name: {"level": quiet} for name in ("celery", "kombu", "uvicorn", "psycopg.pool")},
        },
    }
