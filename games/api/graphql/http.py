"""GraphQL over HTTP: queries and mutations by POST."""

from typing import Any, Final

import msgspec
from cross_web import HTTPException
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from strawberry.django.views import AsyncGraphQLView

from accounts.rest import BODY_MAX, origin_of
from accounts.tokens import Caller
from games.api.graphql.context import Context
from games.api.graphql.schema import Schema
from kit import validation
from kit.problems import Problem

CODES: Final = {405: "method_not_allowed", 415: "unsupported_media_type"}


class GraphQLView(AsyncGraphQLView[Context, None]):
    """The view of a schema. Requests that are not GraphQL get the problem documents of REST."""

    schema: Schema

    async def get_context(self, request: HttpRequest, response: HttpResponse) -> Context:
        """Return the context of the request."""
        authorization = request.META.get("HTTP_AUTHORIZATION", "")

        def note_caller(caller: Caller) -> None:
            request.user = caller.user

        refusals: list[str] = vars(request).setdefault("refusals", [])

        return Context(
            authorization,
            origin_of(request),
            response.headers,
            note_caller=note_caller,
            note_refusal=refusals.append,
            idempotency_key=request.META.get("HTTP_IDEMPOTENCY_KEY", ""),
        )

    def decode_json(self, data: str | bytes) -> object:
        """Parse the body. Raises Problem `malformed`."""
        return validation.load(data)

    async def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]  # it is async
        """Answer a request."""
        try:
            return await self.run(request=request)
        except RequestDataTooBig:
            problem = Problem("too_large", most=BODY_MAX)
        except HTTPException as error:
            problem = Problem(CODES.get(error.status_code, "not_graphql"))
        except Problem as error:
            problem = error
        document = self.schema.document(problem)
        return HttpResponse(
            msgspec.json.encode(document),
            status=document.status,
            content_type="application/problem+json",
        )
