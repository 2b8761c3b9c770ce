"""REST views of operations: `address` makes a DRF view of the operations that one address has.

DRF parses HTTP, negotiates content, renders responses and hands errors to `gameserver.errors`. What
an operation reads, who may call it and what it answers is the operation's (`kit.operations`).
"""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final

from django.db import close_old_connections
from django.http import HttpRequest, UnreadablePostError
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from django.utils.http import parse_header_parameters
from django.views.decorators.http import conditional_page
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.keyed_requests import answered_once, check_key
from accounts.models import User
from accounts.operations import admit
from accounts.tokens import Caller, Origin, caller_of
from kit import event_loop, rate_limits, validation
from kit.operations import Operation
from kit.problems import Problem

BODY_MAX: Final = 65_536


class TokenAuthentication(BaseAuthentication):
    """Authentication by access token: `request.auth` is the Caller."""

    def authenticate(self, request: Request) -> tuple[User, Caller] | None:
        """Raises Problem `unauthenticated` for an invalid token."""
        authorization = request.META.get("HTTP_AUTHORIZATION", "")
        caller = caller_of(authorization, origin_of(request))
        return None if caller is None else (caller.user, caller)

    def authenticate_header(self, request: Request) -> str:
        """Return the scheme that clients use."""
        return "Bearer"


class AnyRenderer(DefaultContentNegotiation):
    """Content negotiation for files, whose type the query chooses: `Accept` is ignored."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the only renderer, which renders problems."""
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class Address(APIView):
    """The operations of one address, by method."""

    operations: ClassVar[dict[str, Operation]] = {}
    authentication_classes = (TokenAuthentication,)


def address(**operations: Operation) -> Callable[..., HttpResponseBase]:
    """Return a view with one operation for each of these methods (`get=`, `post=`, ...)."""
    first = next(iter(operations.values()))
    assert all(each.is_open == first.is_open for each in operations.values())
    body: dict[str, Any] = {method: _handler(each) for method, each in operations.items()}
    body["operations"] = operations
    body["permission_classes"] = (AllowAny,) if first.is_open else (IsAuthenticated,)
    if first.is_open:
        body["authentication_classes"] = ()
    if first.media:
        body["content_negotiation_class"] = AnyRenderer
    view: Any = type(first.name, (Address,), body)
    if first.is_cached:
        view = method_decorator(conditional_page, name="dispatch")(view)
    made: Callable[..., HttpResponseBase] = view.as_view()
    return made


def operation_of(view: object, method: str) -> Operation | None:
    """Return the operation that a view has for a method."""
    found: Operation | None = getattr(view, "operations", {}).get(method.lower())
    return found


def origin_of(request: HttpRequest | Request) -> Origin:
    """Return the address that a request comes from."""
    return Origin(rate_limits.address_of(request))


def _handler(operation: Operation) -> Callable[..., HttpResponseBase]:
    def handle(view: APIView, request: Request, **arguments: Any) -> HttpResponseBase:
        if operation.deprecated is not None:
            view.headers |= operation.deprecated.headers
        caller = request.auth
        asker = caller if isinstance(caller, Caller) else origin_of(request)
        admit(asker, operation, view.headers)
        given = {**arguments, **_read(request, operation)}
        key = request.META.get("HTTP_IDEMPOTENCY_KEY")
        if key is not None and operation.is_keyed:
            answer = answered_once(asker, operation, check_key(key), given)
        else:
            answer = operation.run(asker, **given)
        if operation.is_async:
            answer = _wait_for(answer, operation)
        if isinstance(answer, HttpResponseBase):
            return answer
        return Response(answer, operation.status)

    handle.__doc__ = operation.text
    return handle


def _read(request: Request, operation: Operation) -> dict[str, Any]:
    """Read the input of a request.

    Raises Problem `malformed`, `too_large`, UnsupportedMediaType.
    """
    if repeated := [key for key, values in request.query_params.lists() if len(values) > 1]:
        raise Problem("malformed", path=f"$.{repeated[0]}", reason="given more than once")
    query = validation.read_query(request.query_params.dict(), operation.query or validation.Query)
    read: dict[str, Any] = {} if operation.query is None else {"query": query}
    if operation.body is not None:
        read["body"] = validation.decode(read_body(request) or b"{}", operation.body)
    return read


def _wait_for(answer: Any, operation: Operation) -> Any:
    """Wait for a result of the store loop, without holding a database connection meanwhile."""
    close_old_connections()
    try:
        return event_loop.call(answer)
    except TimeoutError:
        is_command = "outcome_unknown" in operation.problems
        raise Problem("outcome_unknown" if is_command else "unavailable") from None


def read_body(request: Request) -> bytes:
    """Return the JSON text of a request, empty if it has none.

    Raises Problem `too_large`, UnsupportedMediaType.
    """
    if int(request.META.get("CONTENT_LENGTH") or 0) > BODY_MAX:
        raise Problem("too_large", most=BODY_MAX)
    try:
        body: bytes = request.read(BODY_MAX + 1)
    except UnreadablePostError:
        raise Problem("malformed", path="$", reason="the body ended early") from None
    if len(body) > BODY_MAX:
        raise Problem("too_large", most=BODY_MAX)
    media, parameters = parse_header_parameters(request.content_type)
    charset = parameters.get("charset", "utf-8")
    if body and (media != "application/json" or charset.lower() not in {"utf-8", "utf8"}):
        raise UnsupportedMediaType(request.content_type)
    return body
