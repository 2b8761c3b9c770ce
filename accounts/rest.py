"""What every REST view of this server is made of: operations that declare once, in their signature,
what they take and answer.

The same declaration reads requests, writes answers, and describes both in the OpenAPI document.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from functools import wraps
from typing import Any, Final, NamedTuple, TypeVar, get_type_hints

from django.http import UnreadablePostError
from django.http.response import HttpResponseBase
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from accounts.tokens import Caller, Scope, require
from kit import validation
from kit.problems import Problem

BODY_MAX: Final = 65_536
NOTICE: Final = timedelta(days=182)
"""How long an operation is served after it was said that it will go."""

Method = TypeVar("Method", bound=Callable[..., Any])


@dataclass(frozen=True)
class Deprecated:
    """That an operation is going to go: since when that is known, when it will be gone at the
    earliest, and the name of the operation that does instead."""

    since: date
    sunset: date
    instead: str

    def __post_init__(self) -> None:
        assert self.sunset - self.since >= NOTICE, "docs/versioning.md promises six months"

    @property
    def reason(self) -> str:
        """What people are told."""
        return f"Use {self.instead} instead: this one goes on {self.sunset} at the earliest."

    @property
    def headers(self) -> dict[str, str]:
        """What every answer says: since when (RFC 9745), and until when (RFC 8594)."""
        since, sunset = (datetime.combine(day, time(), UTC) for day in (self.since, self.sunset))
        return {
            "Deprecation": f"@{int(since.timestamp())}",
            "Sunset": format_datetime(sunset, usegmt=True),
        }


class Operation(NamedTuple):
    """What a method of a view takes and answers. `problems` are the codes of its own, besides those
    that any may answer.

    `scope` is what the caller's token must be for; None where any token will do, or none is asked
    for."""

    name: str
    scope: Scope | None
    status: int
    problems: tuple[str, ...]
    body: type[validation.Body] | None
    query: type[validation.Query] | None
    answer: Any
    """The type of the answer; NoneType when there is nothing to say."""
    media: tuple[str, ...]
    """The media types of a file that is answered, instead of JSON."""
    deprecated: Deprecated | None


def operation(
    name: str,
    *problems: str,
    scope: Scope | None,
    status: int = 200,
    media: tuple[str, ...] = (),
    deprecated: Deprecated | None = None,
) -> Callable[[Method], Callable[..., HttpResponseBase]]:
    """Make a method of a view an operation of the API, under a stable name, for tokens with this
    scope.

    A parameter `body` is read from the request's JSON, a parameter `query` from its query string,
    both as their types say; what the method returns is the answer."""

    def decorate(method: Method) -> Callable[..., HttpResponseBase]:
        hints = get_type_hints(method, include_extras=True)
        body, query, answered = hints.get("body"), hints.get("query"), hints["return"]
        declared = Operation(
            name, scope, status, problems, body, query, answered, media, deprecated
        )

        @wraps(method)
        def handled(view: APIView, request: Request, **arguments: Any) -> HttpResponseBase:
            if deprecated is not None:
                view.headers |= deprecated.headers
            check_scope(request, declared)
            if repeated := [key for key, values in request.query_params.lists() if len(values) > 1]:
                raise Problem("malformed", path=f"$.{repeated[0]}", reason="given more than once")
            query = validation.convert(
                request.query_params.dict(), declared.query or validation.Query
            )
            if declared.query is not None:
                arguments["query"] = query
            if declared.body is not None:
                arguments["body"] = validation.decode(read_body(request) or b"{}", declared.body)
            answer = method(view, request, **arguments)
            return answer if isinstance(answer, HttpResponseBase) else Response(answer, status)

        handled.operation = declared  # type: ignore[attr-defined]  # read by operation_of
        return handled

    return decorate


def operation_of(method: object) -> Operation | None:
    """What was declared about a method of a view."""
    return getattr(method, "operation", None)


def read_body(request: Request) -> bytes:
    """The JSON text that a request carries, empty when it carries nothing.

    Raises Problem `too_large`, UnsupportedMediaType.
    """
    http = request._request
    if int(http.META.get("CONTENT_LENGTH") or 0) > BODY_MAX:
        raise Problem("too_large", most=BODY_MAX)
    try:
        body: bytes = http.read(BODY_MAX + 1)
    except UnreadablePostError:
        raise Problem("malformed", path="$", reason="the body ended early") from None
    if len(body) > BODY_MAX:
        raise Problem("too_large", most=BODY_MAX)
    charset = (http.content_params or {}).get("charset", "utf-8")
    if body and (
        http.content_type != "application/json" or charset.lower() not in {"utf-8", "utf8"}
    ):
        raise UnsupportedMediaType(request.content_type)
    return body


def caller(request: Request) -> Caller:
    """Who asks, and what for they may. For views that want a token, as views do unless they say
    otherwise."""
    assert isinstance(request.auth, Caller)
    return request.auth


def check_scope(request: Request, asked: Operation) -> None:
    """Raises Problem `scope_missing` when the caller's token is not for this operation."""
    if asked.scope is not None:
        require(caller(request), asked.scope)


def person(request: Request) -> User:
    """Who asks. For views that want a token."""
    return caller(request).user


class WhateverIsAccepted(DefaultContentNegotiation):
    """For files, whose kind the query says: what the client accepts is not asked."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The one there is; problems are told by it."""
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
