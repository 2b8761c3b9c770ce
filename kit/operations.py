"""Operations: what the API does, independent of the transport.

An operation is a function with a declaration: its name, what it reads and answers, which problems
it may meet, and what a caller needs to be admitted. REST views and GraphQL fields are adapters
around it. This module knows neither users nor games; higher floors define the caller.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from typing import Any, Final, get_type_hints

from kit import validation

NOTICE: Final = timedelta(days=182)
"""The least time between the announcement that an operation will go and its removal."""


OF_KEYS: Final = ("request_id_reused", "outcome_unknown")
"""The codes of operations that take an idempotency key."""


@dataclass(frozen=True)
class Deprecated:
    """The removal of an operation: announced when, earliest when, and what to use instead."""

    since: date
    sunset: date
    instead: str

    def __post_init__(self) -> None:
        assert self.sunset - self.since >= NOTICE, "docs/versioning.md promises six months"

    @property
    def reason(self) -> str:
        """The text for authors of clients."""
        return f"Use {self.instead} instead: this operation ends on {self.sunset} or later."

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every response: since when (RFC 9745) and until when (RFC 8594)."""
        since, sunset = (datetime.combine(day, time(), UTC) for day in (self.since, self.sunset))
        return {
            "Deprecation": f"@{int(since.timestamp())}",
            "Sunset": format_datetime(sunset, usegmt=True),
        }


@dataclass(frozen=True, kw_only=True)
class Operation:
    """A declared operation. `run` takes the caller, or the origin of the request if `is_open`; the
    arguments of the address by name; and `query` and `body` where the operation reads them."""

    name: str
    run: Callable[..., Any]
    """The work itself, in a thread with a database connection; a coroutine function runs on the
    store loop."""
    problems: tuple[str, ...]
    """The codes of its own, in addition to those that any operation may answer."""
    scope: str | None
    """The scope that the caller's token needs; None where any token will do."""
    is_open: bool
    """Whether clients need no token."""
    policy: str | None
    """The rate limit of its own, counted by address."""
    is_unlimited: bool
    """Whether no rate limit counts it."""
    is_cached: bool
    """Whether the response only changes with the server, and has an ETag."""
    is_keyed: bool
    """Whether an idempotency key lets it be carried out once. Operations that change nothing when
    they are repeated, or whose body has an id, take none."""
    status: int
    media: tuple[str, ...]
    """The media types of a file; an operation without them answers JSON."""
    deprecated: Deprecated | None
    body: type[validation.Body] | None
    query: type[validation.Query] | None
    arguments: Mapping[str, Any]
    """The types of the arguments of the address, by name."""
    answer: Any
    """The type of the response; NoneType where there is none."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.run(*arguments, **named)

    @property
    def text(self) -> str:
        """The docstring: a summary, and perhaps a description after a blank line."""
        return inspect.getdoc(self.run) or ""

    @property
    def is_async(self) -> bool:
        """Whether `run` is a coroutine function."""
        return inspect.iscoroutinefunction(self.run)

    def read(self, query: Mapping[str, Any], body: Any) -> dict[str, Any]:
        """Return the arguments `query` and `body` of `run`, from values that JSON could hold.

        Raises Problem `malformed`.
        """
        read: dict[str, Any] = {}
        if self.query is not None:
            read["query"] = validation.convert(query, self.query)
        if self.body is not None:
            read["body"] = validation.convert(body, self.body)
        return read


def operation(  # noqa: PLR0913  (a declaration names each property)
    name: str,
    *problems: str,
    scope: str | None = None,
    is_open: bool = False,
    policy: str | None = None,
    is_unlimited: bool = False,
    is_cached: bool = False,
    is_keyed: bool = False,
    status: int = 200,
    media: tuple[str, ...] = (),
    deprecated: Deprecated | None = None,
) -> Callable[[Callable[..., Any]], Operation]:
    """Declare a function to be an operation of the API, under a stable name.

    Its parameters `query` and `body` are read from the request as their types say. Its docstring is
    the text of the OpenAPI document, the GraphQL schema and the SDKs."""

    def declare(run: Callable[..., Any]) -> Operation:
        hints = get_type_hints(run, include_extras=True)
        _, *taken = inspect.signature(run).parameters
        assert not (is_keyed and inspect.iscoroutinefunction(run)), "a key needs a thread"
        return Operation(
            name=name,
            run=run,
            problems=(*problems, *(OF_KEYS if is_keyed else ())),
            scope=scope,
            is_open=is_open,
            policy=policy,
            is_unlimited=is_unlimited,
            is_cached=is_cached,
            is_keyed=is_keyed,
            status=status,
            media=media,
            deprecated=deprecated,
            body=hints.get("body"),
            query=hints.get("query"),
            arguments={name: hints[name] for name in taken if name not in {"query", "body"}},
            answer=hints["return"],
        )

    return declare
