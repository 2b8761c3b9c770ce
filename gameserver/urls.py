"""All HTTP routes of the server."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path, re_path

from accounts.oauth.pages import ChangePassword, StaffSignIn
from accounts.oauth.second_factor import SecondFactor
from gameserver.api_urls import asyncapi, asyncapi_json, openapi_json
from gameserver.http.graphql import graphql, sdl
from gameserver.http.index import index
from kit.installation import IS_CLONE

admin.site.site_header = admin.site.site_title = "Railbird"
admin.site.index_title = "Game server"


def documentation(request: HttpRequest) -> HttpResponse:
    """Explain a page that is missing. Files of the built documentation are served before Django."""
    build = " To build the documentation, run `.ci/run docs` and restart the server."
    how = f"No such page.{build if IS_CLONE else ' The documentation begins at /docs/.'}\n"
    return HttpResponse(how, status=404, content_type="text/plain")


urlpatterns = [
    path("", index, name="index"),
    path("admin/login/", StaffSignIn.as_view()),
    path("admin/second-factor/", SecondFactor.as_view(), name="second-factor"),
    path("admin/password_change/", admin.site.admin_view(ChangePassword.as_view())),
    path("admin/", admin.site.urls),
    path("api/", include("gameserver.api_urls")),
    path("asyncapi.yaml", asyncapi, name="asyncapi"),
    path("asyncapi.json", asyncapi_json, name="asyncapi-json"),
    path("openapi.json", openapi_json, name="openapi-json"),
    re_path(r"^docs(?:/|$)", documentation),
    path("log/", include("games.api.rest.log")),
    path("graphql/", graphql, name="graphql"),
    path("graphql/schema.graphql", sdl, name="sdl"),
    path("notices/", include("notices.pages")),
    path("", include("accounts.oauth.urls")),
    path("", include("web.urls")),
]
handler400 = "gameserver.errors.bad_request"
handler403 = "gameserver.errors.forbidden"
handler404 = "gameserver.http.index.not_found"
handler500 = "gameserver.errors.internal_error"
