"""The pages. Each is an empty document with one script: what it shows comes from the public API."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def lobby(request: HttpRequest, lobby: UUID) -> HttpResponse:
    """Sit down at a table, and wait for its game."""
    return render(request, "web/page.html", {"script": "web/lobby.js"})


def table(request: HttpRequest, game: UUID) -> HttpResponse:
    """Play or watch a game."""
    return render(request, "web/page.html", {"script": "web/table.js"})
