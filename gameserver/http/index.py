"""Entry pages: `/` for people and programs, and `/api/v1/` for programs."""

from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from gameserver.errors import page
from gameserver.http.slashes import SERVED
from gameserver.http.static import SITE
from kit.problems import Problem

LINKS: Final = {
    "documentation": "/docs/",
    "sdks": "/docs/sdk/",
    "disputes": "/docs/dispute/",
    "reference": "/api/docs/",
    "sockets": "/api/sockets/",
    "graphql": "/graphql/",
    "api": "/api/v1/",
    "schema": "/api/schema/",
    "asyncapi": "/asyncapi.yaml",
    "health": "/api/v1/health/ready/",
    "oauth": "/.well-known/oauth-authorization-server",
    "admin": "/admin/",
}

FIRST_ADDRESSES: Final = {
    "reference": "/api/docs/",
    "schema": "/api/schema/",
    "asyncapi": "/asyncapi.yaml",
    "rules": "/api/v1/rules/",
    "me": "/api/v1/auth/me/",
    "lobbies": "/api/v1/lobbies/",
    "games": "/api/v1/games/",
    "notices": "/api/v1/notices/",
    "bets": "/api/v1/bets/",
    "accounts": "/api/v1/accounts/",
    "transfers": "/api/v1/transfers/",
    "health": "/api/v1/health/ready/",
}


def index(request: HttpRequest) -> HttpResponse:
    """Show a browser the start page, and give a program links as JSON."""
    if prefers_html(request):
        response: HttpResponse = render(request, "web/page.html", {"script": "web/start.js"})
    else:
        has_site = SITE.is_dir()
        links = {name: to for name, to in LINKS.items() if has_site or not to.startswith("/docs/")}
        if settings.OIDC_ISSUER:
            links["openid"] = reverse("oauth2_provider:openid").removeprefix(settings.PUBLIC_PATH)
        response = _links(request, links)
    patch_vary_headers(response, ["Accept"])
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response for handler404: a page for a browser that asks for one."""
    if prefers_html(request) and not request.path_info.startswith(SERVED):
        response: HttpResponse = render(request, "web/nowhere.html", status=404)
    else:
        response = page(Problem("not_found"))
    patch_vary_headers(response, ["Accept"])
    return response


def api(request: HttpRequest) -> HttpResponse:
    """Give a program the first addresses of the REST API."""
    return _links(request, FIRST_ADDRESSES)


def prefers_html(request: HttpRequest) -> bool:
    """Tell whether a browser asks for a page."""
    return "text/html" in request.headers.get("Accept", "")


def _links(request: HttpRequest, addresses: Mapping[str, str]) -> JsonResponse:
    path = settings.PUBLIC_PATH
    links = {name: request.build_absolute_uri(path + to) for name, to in addresses.items()}
    provider = settings.OIDC_NAME if settings.OIDC_ISSUER else None
    return JsonResponse({"name": "Railbird", "links": links, "provider": provider})
