"""The addresses under `/api/`: the REST API, its OpenAPI document and the page that shows it; and
the AsyncAPI document with the page that shows it.

drf-spectacular imports Django's test client and takes half a second of CPU: it is imported when
the first client asks for a document. The documents are made once: another half a second each.
"""

import json
from functools import cache, lru_cache, partial
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page, require_safe

from gameserver.errors import page
from gameserver.http import index
from gameserver.http.texts import Text, made_once, serve, text
from gameserver.settings.rest import HERE
from kit.problems import Problem

YAML: Final = "application/vnd.oai.openapi"
JSON: Final = "application/json"


@cache
def _page() -> Any:
    from drf_spectacular.views import SpectacularSwaggerSplitView  # noqa: PLC0415 -- see above

    return SpectacularSwaggerSplitView.as_view()


@cache
def _rendered() -> dict[str, bytes]:
    """Return the OpenAPI document by media type, of a server at HERE."""
    from drf_spectacular.generators import SchemaGenerator  # noqa: PLC0415 -- see above
    from drf_spectacular.renderers import (  # noqa: PLC0415 -- see above
        OpenApiJsonRenderer,
        OpenApiYamlRenderer,
    )

    document = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return {
        each.media_type: each().render(document, None, {})
        for each in (OpenApiYamlRenderer, OpenApiJsonRenderer)
    }


@lru_cache(maxsize=8)
def _openapi(origin: str) -> dict[str, Text]:
    """Return the OpenAPI document of the server at this address, by media type."""
    made = {
        kind: rendered.replace(HERE.encode(), origin.encode())
        for kind, rendered in _rendered().items()
    }
    made[JSON] = made[f"{YAML}+json"]
    return {kind: text(kind, rendered) for kind, rendered in made.items()}


def origin_of(request: HttpRequest) -> str:
    """Return the address of this server as its clients know it."""
    return settings.PUBLIC_URL or request.build_absolute_uri("/")[:-1]


@csrf_exempt  # no cookie authenticates anybody here
@conditional_page
def schema(request: HttpRequest) -> HttpResponse:
    """Answer with the OpenAPI document, as YAML or JSON."""
    if request.method not in {"GET", "HEAD"}:
        return page(Problem("method_not_allowed"))
    made = made_once(partial(_openapi, origin_of(request)))
    accepted = request.get_preferred_type([*made])
    return page(Problem("not_acceptable")) if accepted is None else serve(request, made[accepted])


@conditional_page
@require_safe
def openapi_json(request: HttpRequest) -> HttpResponse:
    """Answer with the OpenAPI document as JSON, for tools that cannot ask for it."""
    return serve(request, made_once(partial(_openapi, origin_of(request)))[JSON])


@lru_cache(maxsize=8)
def _asyncapi(origin: str) -> tuple[Text, Text]:
    """Return the AsyncAPI document of the server at this address as YAML and as JSON."""
    from gameserver.documents import asyncapi  # noqa: PLC0415 -- see above

    made = asyncapi.document(origin)
    packed = json.dumps(made).encode()
    return text("application/yaml", asyncapi.text(made)), text(JSON, packed)


@conditional_page
@require_safe
def asyncapi(request: HttpRequest) -> HttpResponse:
    """Answer with the AsyncAPI document of the WebSockets, as YAML."""
    return serve(request, made_once(partial(_asyncapi, origin_of(request)))[0])


@conditional_page
@require_safe
def asyncapi_json(request: HttpRequest) -> HttpResponse:
    """Answer with the AsyncAPI document of the WebSockets, as JSON."""
    return serve(request, made_once(partial(_asyncapi, origin_of(request)))[1])


def sockets(request: HttpRequest) -> HttpResponse:
    """Show the AsyncAPI document as a page on which frames can be tried."""
    return render(request, "web/page.html", {"script": "web/sockets.js"})


@csrf_exempt
def documentation(request: HttpRequest) -> HttpResponseBase:
    """Show the OpenAPI document as a page on which requests can be tried."""
    response: HttpResponseBase = _page()(request)
    return response


urlpatterns = [
    path("v1/", index.api),
    path("v1/", include("games.api.rest.urls")),
    path("schema/", schema, name="schema"),
    path("docs/", documentation, name="documentation"),
    path("sockets/", sockets, name="sockets"),
]
