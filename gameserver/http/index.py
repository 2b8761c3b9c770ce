"""Entry pages: `/` for people and programs, and `/api/v1/` for programs."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from gameserver.http.static import SITE


class Link(NamedTuple):
    """A link on the start page."""

    name: str
    address: str
    title: str
    subject: str


LINKS: Final = (
    Link("documentation", "/docs/", "Documentation", "guides for clients, hosts and auditors"),
    Link("reference", "/api/docs/", "REST reference", "every operation, to try in the browser"),
    Link("graphql", "/graphql/", "GraphQL", "an editor for queries and subscriptions"),
    Link("api", "/api/v1/", "REST API", "its first addresses"),
    Link("schema", "/api/schema/", "OpenAPI document", "for generators of clients"),
    Link("health", "/api/v1/health/ready/", "Health", "whether the server can work"),
    Link("oauth", "/.well-known/oauth-authorization-server", "OAuth", "metadata for apps"),
    Link("admin", "/admin/", "Admin", "for operators"),
)

FIRST_ADDRESSES: Final = {
    "reference": "/api/docs/",
    "schema": "/api/schema/",
    "rules": "/api/v1/rules/",
    "me": "/api/v1/auth/me/",
    "lobbies": "/api/v1/lobbies/",
    "games": "/api/v1/games/",
    "bets": "/api/v1/bets/",
    "accounts": "/api/v1/accounts/",
    "transfers": "/api/v1/transfers/",
    "health": "/api/v1/health/ready/",
}


def index(request: HttpRequest) -> HttpResponse:
    """Show a browser a page of links, and give a program the same links as JSON."""
    links = [link for link in LINKS if link.name != "documentation" or SITE.is_dir()]
    if prefers_html(request):
        response = render(request, "index.html", {"links": links})
    else:
        response = _links(request, {link.name: link.address for link in links})
    patch_vary_headers(response, ["Accept"])
    return response


def api(request: HttpRequest) -> HttpResponse:
    """Give a program the first addresses of the REST API."""
    return _links(request, FIRST_ADDRESSES)


def prefers_html(request: HttpRequest) -> bool:
    """Tell whether a browser asks for a page."""
    return "text/html" in request.headers.get("Accept", "")


def _links(request: HttpRequest, addresses: Mapping[str, str]) -> JsonResponse:
    links = {name: request.build_absolute_uri(address) for name, address in addresses.items()}
    return JsonResponse({"name": "Railbird", "links": links})
