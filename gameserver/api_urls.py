"""The addresses under `/api/`: the REST API, its OpenAPI document and the page that shows it; and
the AsyncAPI document with the page that shows it.

drf-spectacular imports Django's test client and takes half a second of CPU: it is imported when
the first client asks for a document.
"""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page, require_safe

from gameserver.http import index


@cache
def _views() -> tuple[Any, Any]:
    from drf_spectacular import renderers, views  # noqa: PLC0415 -- see above

    formats = [renderers.OpenApiYamlRenderer, renderers.OpenApiJsonRenderer]
    document = views.SpectacularAPIView.as_view(renderer_classes=formats)
    return document, views.SpectacularSwaggerSplitView.as_view()


@csrf_exempt  # no cookie authenticates anybody here
def schema(request: HttpRequest) -> HttpResponseBase:
    """Answer with the OpenAPI document, as YAML or JSON."""
    document, _ = _views()
    response: HttpResponseBase = document(request)
    return response


@conditional_page
@require_safe
def asyncapi(request: HttpRequest) -> HttpResponse:
    """Answer with the AsyncAPI document of the WebSockets, as YAML."""
    from gameserver.documents.asyncapi import text  # noqa: PLC0415 -- see above

    return HttpResponse(text(), content_type="application/yaml")


@conditional_page
@require_safe
def asyncapi_json(request: HttpRequest) -> HttpResponse:
    """Answer with the AsyncAPI document of the WebSockets, as JSON."""
    from gameserver.documents.asyncapi import document  # noqa: PLC0415 -- see above

    return JsonResponse(document())


def sockets(request: HttpRequest) -> HttpResponse:
    """Show the AsyncAPI document as a page on which frames can be tried."""
    return render(request, "web/page.html", {"script": "web/sockets.js"})


@csrf_exempt
def documentation(request: HttpRequest) -> HttpResponseBase:
    """Show the OpenAPI document as a page on which requests can be tried."""
    _, page = _views()
    response: HttpResponseBase = page(request)
    return response


urlpatterns = [
    path("v1/", index.api),
    path("v1/", include("games.api.rest.urls")),
    path("schema/", schema, name="schema"),
    path("docs/", documentation, name="documentation"),
    path("sockets/", sockets, name="sockets"),
]
