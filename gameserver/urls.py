"""Every HTTP address of the server."""

from django.contrib import admin
from django.http import HttpRequest, JsonResponse
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView
from rest_framework.permissions import AllowAny


def index(request: HttpRequest) -> JsonResponse:
    """Where to go from here."""
    return JsonResponse(
        {
            "name": "gameserver",
            "links": {
                name: request.build_absolute_uri(address)
                for name, address in {
                    "api": "/api/v1/",
                    "documentation": "/api/docs/",
                    "schema": "/api/schema/",
                    "health": "/api/v1/health",
                    "admin": "/admin/",
                }.items()
            },
        }
    )


urlpatterns = [
    path("", index, name="index"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("games.api.rest")),
    path("api/schema/", SpectacularAPIView.as_view(permission_classes=[AllowAny], authentication_classes=[]), name="schema"),
    path(
        "api/docs/",
        SpectacularSwaggerView.as_view(url_name="schema", permission_classes=[AllowAny], authentication_classes=[]),
        name="documentation",
    ),
]
