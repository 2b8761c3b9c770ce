"""Requests get an id and are counted by operation and code.

Each request that is refused has one line in the log, and with LOG_REQUESTS each other, too;
commands that an overload refuses have only its first line and its last. Django logs those that fail
by a fault of the server, with their traceback."""

import re
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, cast
from uuid import uuid4

import msgspec
import structlog
from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponse, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from accounts.models import User
from accounts.rest import operation_of
from gameserver.errors import MEDIA_TYPE
from kit import metrics, tracing

log = structlog.get_logger(__name__)

HEADER: Final = "X-Request-ID"
GIVEN: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""The form of an id that a proxy may assign."""

REFUSED: Final = 400
SERVER_ERROR: Final = 500

View = Callable[[HttpRequest], HttpResponseBase]
AsyncView = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


class _Coded(msgspec.Struct):
    code: str


@sync_and_async_middleware
def observe(get_response: View | AsyncView) -> View | AsyncView:
    """Observe each request. The first middleware, so that it sees every response."""
    if iscoroutinefunction(get_response):
        answer_later = cast("AsyncView", get_response)

        async def observed_later(request: HttpRequest) -> HttpResponseBase:
            with _identified(request) as answered:
                return answered(await answer_later(request))

        return observed_later
    answer = cast("View", get_response)

    def observed(request: HttpRequest) -> HttpResponseBase:
        with _identified(request) as answered:
            return answered(answer(request))

    return observed


def id_of(given: str) -> str:
    """Return the id that a proxy gave to a request, or a new one."""
    return given if GIVEN.fullmatch(given) else uuid4().hex


@contextmanager
def _identified(
    request: HttpRequest,
) -> Iterator[Callable[[HttpResponseBase], HttpResponseBase]]:
    """Bind the id to what is logged. Yields the function that receives the response."""
    request_id = id_of(request.headers.get(HEADER, ""))
    started = time.perf_counter()

    def answered(response: HttpResponseBase) -> HttpResponseBase:
        operation, code = _operation(request), _code(response)
        metrics.REQUESTS.labels(operation, code).inc()
        refusals: list[str] = vars(request).get("refusals", [])  # of GraphQL
        if response.status_code == SERVER_ERROR:
            metrics.ERRORS.inc()
        elif settings.LOG_REQUESTS or refusals or response.status_code >= REFUSED:
            ms = round((time.perf_counter() - started) * 1000, 1)
            code, *further = dict.fromkeys(refusals or [code])
            more = {"further": further} if further else {}
            log.info("request", code=code, ms=ms, **facts_of(request), **more)
        response.headers[HEADER] = request_id
        return response

    bound = structlog.contextvars.bound_contextvars(request_id=request_id)
    with bound, tracing.span("request") as span:
        yield answered
        if span is not None:
            span.update_name(_operation(request))
            span.set_attribute("request_id", request_id)


def facts_of(request: HttpRequest) -> dict[str, str]:
    """Return the facts to log about a request: its operation, user, and why Django refused it."""
    facts = {"operation": _operation(request)}
    user = vars(request).get("user")
    if type(user) is User:  # named by a token: that of a session would have to be read
        facts["user"] = str(user.id)
    if (why := vars(request).get("refused_because")) is not None:
        facts["reason"] = why
    return facts


def _operation(request: HttpRequest) -> str:
    """Return the name of the operation or page, from a bounded set."""
    found = request.resolver_match
    if found is None:
        return "unknown"
    operation = operation_of(getattr(found.func, "cls", None), request.method or "")
    return found.view_name or "unnamed" if operation is None else operation.name


def _code(response: HttpResponseBase) -> str:
    if isinstance(response, HttpResponse) and response.headers.get("Content-Type") == MEDIA_TYPE:
        return msgspec.json.decode(response.content, type=_Coded).code
    return "ok" if response.status_code < 400 else f"http_{response.status_code}"
