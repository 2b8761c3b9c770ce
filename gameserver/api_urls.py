"""The addresses under `/api/`: the REST face, its OpenAPI document and the page that shows it."""

from django.urls import include, path
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

urlpatterns = [
    path("v1/", include("games.api.rest.urls")),
    path(
        "schema/",
        SpectacularAPIView.as_view(renderer_classes=[OpenApiYamlRenderer, OpenApiJsonRenderer]),
        name="schema",
    ),
    path("docs/", SpectacularSwaggerView.as_view(), name="documentation"),
]
