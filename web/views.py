"""Views that serve the pages: empty documents with one script, which uses the public API."""

from pathlib import Path
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie


def lobby(request: HttpRequest, lobby: UUID) -> HttpResponse:
    """The page of a lobby."""
    return render(request, "web/page.html", {"script": "web/lobby.js"})


def table(request: HttpRequest, game: UUID) -> HttpResponse:
    """The page of a game, for players and spectators."""
    return render(request, "web/page.html", {"script": "web/table.js"})


def replay(request: HttpRequest, game: UUID) -> HttpResponse:
    """The page that replays a game."""
    return render(request, "web/page.html", {"script": "web/replay.js"})


def open_table(request: HttpRequest) -> HttpResponse:
    """The page that opens a table."""
    return render(request, "web/page.html", {"script": "web/open.js"})


def verify(request: HttpRequest) -> HttpResponse:
    """The page that verifies a game in the browser."""
    return render(request, "web/page.html", {"script": "web/verify.js"})


def profile(request: HttpRequest) -> HttpResponse:
    """The page of the current user: money, bets and transfers."""
    return render(request, "web/page.html", {"script": "web/profile.js"})


def notices(request: HttpRequest) -> HttpResponse:
    """The page of the current user's notices, their settings and webhooks."""
    return render(request, "web/page.html", {"script": "web/notices.js"})


def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that shows notices. At the root, so that it may open all pages."""
    script = (Path(__file__).parent / "static" / "web" / "service_worker.js").read_bytes()
    return HttpResponse(script, content_type="text/javascript")


@ensure_csrf_cookie
def signed_in(request: HttpRequest) -> HttpResponse:
    """The page to which a user returns from the OpenID Connect provider: it asks for a token."""
    return render(request, "web/page.html", {"script": "web/signed_in.js"})
