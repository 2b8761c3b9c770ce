"""Calls of what REST declares: the same views, with their tokens, scopes, throttles and strictness,
without HTTP in between.

So nothing can be asked through GraphQL that REST would refuse, and a new operation of REST is one
of GraphQL at once."""

import asyncio
import inspect
import io
import json
from collections.abc import Awaitable, Callable, Hashable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlencode
from uuid import UUID

from channels.db import database_sync_to_async
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from django.http.response import ResponseHeaders
from django.urls import URLPattern, URLResolver
from django.urls.converters import IntConverter, UUIDConverter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from strawberry.dataloader import DataLoader

from accounts import tokens
from accounts.models import User
from accounts.rest import Operation, check_scope, operation_of, person
from accounts.tokens import Caller
from games.api.rest.urls import urlpatterns
from games.reads.selectors import DisconnectReason

T = TypeVar("T")

LIMITS: Final = frozenset({"RateLimit-Policy", "RateLimit", "Retry-After"})
METHODS: Final = ("get", "post", "put", "patch", "delete")


class Refusal(Exception):
    """An operation was not carried out. `problem` is the document that says why, as REST answers
    it."""

    def __init__(self, problem: Any) -> None:
        super().__init__(problem.code)
        self.problem = problem


class Served(NamedTuple):
    """An operation that is served: its declaration, its view, the arguments that its address
    takes."""

    declared: Operation
    view: type[APIView]
    method: str
    route: str
    arguments: Mapping[str, type]
    summary: str


def served_operations() -> dict[str, Served]:
    """Every operation of the REST face, by name."""
    return {served.declared.name: served for served in _operations(urlpatterns, "", {})}


def _operations(patterns: list[Any], prefix: str, above: Mapping[str, type]) -> Iterator[Served]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        arguments = {
            **above,
            **{name: _kind(converter) for name, converter in pattern.pattern.converters.items()},
        }
        if isinstance(pattern, URLResolver):
            yield from _operations(pattern.url_patterns, route, arguments)
        elif isinstance(pattern, URLPattern):
            view = getattr(pattern.callback, "cls", None)
            for method in METHODS:
                handler = getattr(view, method, None)
                declared = operation_of(handler)
                if declared is not None and view is not None:
                    yield Served(
                        declared,
                        view,
                        method.upper(),
                        route,
                        arguments,
                        inspect.getdoc(handler) or "",
                    )


def _kind(converter: object) -> type:
    return (
        UUID
        if isinstance(converter, UUIDConverter)
        else int
        if isinstance(converter, IntConverter)
        else str
    )


class Context:
    """Who sends a request, or holds a connection: `environ` is what HTTP said about them.

    `headers` of the answer, where there is one, are told which limits the calls came near.
    """

    def __init__(
        self,
        environ: Mapping[str, Any],
        *,
        headers: ResponseHeaders | None = None,
        own_thread: bool = True,
        cut: Callable[[], None] = lambda: None,
        disconnect_reason: Callable[[], DisconnectReason] = lambda: "left",
    ) -> None:
        self._environ = environ
        self._headers = headers
        self._own_thread = own_thread
        self.cut = cut
        """Ends the connection of one who does not keep up."""
        self.disconnect_reason = disconnect_reason
        """Why the connection ended, or who asked follows nothing any more."""
        self._admitted: dict[str, asyncio.Future[User]] = {}
        self._loaders: dict[Any, DataLoader[Any, Any]] = {}

    def in_thread(self, work: Callable[..., T]) -> Callable[..., Awaitable[T]]:
        """The same, away from the loop: an HTTP request has a thread of its own, sockets share the
        loop's."""
        return database_sync_to_async(work, thread_sensitive=self._own_thread)  # type: ignore[no-any-return]

    async def call(
        self,
        served: Served,
        arguments: Mapping[str, Any],
        *,
        query: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> Any:
        """What the operation answers. Raises Refusal."""
        response: Response = await self.in_thread(self._respond)(
            served, arguments, query or {}, body
        )
        if response.exception:
            raise Refusal(response.data)
        return response.data

    async def admitted(self, served: Served) -> User:
        """The person who asks, if they may ask for this operation: looked up, and counted, once for
        all rows that ask at the same time or later. Raises Refusal."""
        name = served.declared.name
        if name not in self._admitted:
            self._admitted[name] = asyncio.ensure_future(self.in_thread(self._admit)(served))
        try:
            return await self._admitted[name]
        except BaseException:
            self._admitted.pop(
                name, None
            )  # Who follows something may be admitted when it is told of next.
            raise

    async def caller(self) -> Caller | None:
        """Who sends this, whatever they want: nothing is counted yet. Raises Problem
        `unauthenticated`."""
        return await self.in_thread(tokens.caller_of)(self._environ.get("HTTP_AUTHORIZATION", ""))

    def loader(
        self, name: Hashable, read: Callable[[list[Any]], list[Any]]
    ) -> DataLoader[Any, Any]:
        """What reads for all the rows of an answer at once, by name; `read` runs in a thread of its
        own."""
        if name not in self._loaders:
            self._loaders[name] = DataLoader(self.in_thread(read))
        return self._loaders[name]

    def look_again(self) -> None:
        """From here on the loaders read anew: what an operation follows goes on, and its rows with
        it."""
        self._loaders.clear()

    def _respond(
        self, served: Served, arguments: Mapping[str, Any], query: Mapping[str, str], body: Any
    ) -> Any:
        content = b"" if body is None else json.dumps(body).encode()
        request = self._request(served, query, content)
        response = served.view.as_view()(request, **arguments)
        self._tell_limits(response.headers)
        return response

    def _admit(self, served: Served) -> User:
        view = served.view()
        request: Request = view.initialize_request(self._request(served, {}, b""))
        view.request, view.headers = request, {}
        try:
            view.initial(request)
            check_scope(request, served.declared)
        except Exception as error:
            refused = view.handle_exception(error)
            self._tell_limits({**view.headers, **refused.headers})
            raise Refusal(refused.data) from error
        self._tell_limits(view.headers)
        return person(request)

    def _tell_limits(self, headers: Mapping[str, str]) -> None:
        if self._headers is not None:
            for name in LIMITS & headers.keys():
                self._headers[name] = headers[name]

    def _request(self, served: Served, query: Mapping[str, str], content: bytes) -> HttpRequest:
        return WSGIRequest(
            {
                **self._environ,
                "REQUEST_METHOD": served.method,
                "PATH_INFO": f"/api/v1/{served.route}",
                "QUERY_STRING": urlencode(query),
                "HTTP_ACCEPT": "application/json",
                "CONTENT_TYPE": "application/json",
                "CONTENT_LENGTH": str(len(content)),
                "wsgi.input": io.BytesIO(content),
            }
        )


def environ_of(request: HttpRequest) -> dict[str, Any]:
    """What HTTP said about who sent a request: where from, and with which token."""
    return {
        name: value
        for name, value in request.META.items()
        if name.startswith(("HTTP_", "REMOTE_", "SERVER_"))
    }
