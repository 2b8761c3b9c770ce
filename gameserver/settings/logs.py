"""Logging: one line per event without secrets, plain text for developers, JSON in production."""

import logging
import re
from collections.abc import Mapping
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from kit.draining import draining

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


def expect_refusals_while_draining(record: logging.LogRecord) -> bool:
    """Log that a process that is about to end answered 503 as information: it means to."""
    if draining.is_set() and getattr(record, "status_code", None) == 503:
        record.levelno, record.levelname = logging.INFO, logging.getLevelName(logging.INFO)
    return True


def without_traceback(record: logging.LogRecord) -> bool:
    """Log in one line that a client named a host that is not ours."""
    record.exc_info = record.exc_text = None
    return True


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
            "while_draining": {"()": lambda: expect_refusals_while_draining},
            "without_traceback": {"()": lambda: without_traceback},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.request": {"filters": ["while_draining"]},
            "django.security.DisallowedHost": {"filters": ["without_traceback"]},
            "django.server": {"handlers": [], "propagate": True},
            "uvicorn.error": {"filters": ["is_real_error"]},
            # These log every connection, task and sweep: too much by default.
            **{
                name: {"level": quiet}
                for name in ("celery", "kombu", "oauth2_provider", "psycopg.pool", "uvicorn")
            },
        },
    }
