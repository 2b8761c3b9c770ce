"""GraphQL over HTTP: one address, and a page to try it on while developing."""

from typing import Any

import msgspec
from cross_web import HTTPException
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from strawberry.django.views import AsyncGraphQLView

from accounts.rest import BODY_MAX, origin_of
from games.api.graphql.calls import Context
from games.api.graphql.telling import Document
from kit.problems import Problem

CODES = {405: "method_not_allowed", 415: "unsupported_media_type"}


class GraphQLView(AsyncGraphQLView[Context, None]):
    """Queries and mutations, by POST alone. What is no GraphQL request is answered as REST
    would."""

    document: Document = staticmethod(lambda _: None)
    allow_queries_via_get = False

    def __init__(self, *, document: Document, **more: Any) -> None:
        super().__init__(**more)
        self.document = document

    async def get_context(self, request: HttpRequest, response: HttpResponse) -> Context:
        """Who asks."""
        authorization = request.META.get("HTTP_AUTHORIZATION", "")
        return Context(authorization, origin_of(request), headers=response.headers)

    async def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:  # type: ignore[override]  # it is async
        """Answer, whatever it is."""
        try:
            return await self.run(request=request)
        except RequestDataTooBig:
            return self._problem("too_large", most=BODY_MAX)
        except HTTPException as error:
            return self._problem(CODES.get(error.status_code, "bad_request"))

    def decode_json(self, data: str | bytes) -> object:
        """The JSON of a request. Raises HTTPException for what is nested too deep."""
        try:
            return super().decode_json(data)
        except RecursionError:
            raise HTTPException(400, "nested too deep") from None

    def _problem(self, code: str, **data: object) -> HttpResponse:
        found = self.document(Problem(code, **data))
        return HttpResponse(
            msgspec.json.encode(found), status=found.status, content_type="application/problem+json"
        )
