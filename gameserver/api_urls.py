"""The addresses under `/api/`: the REST API, its OpenAPI document and the page that shows it.

drf-spectacular imports Django's test client and takes half a second of CPU: it is imported when
the first client asks for the document.
"""

from functools import cache
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

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
]
