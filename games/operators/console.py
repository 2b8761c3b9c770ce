"""The operator's console: live figures, search, and actions on games, lobbies and users.

Each action, search and look is in the operators' log before it happens.
"""

import time
from typing import Any, Final
from uuid import UUID

import msgspec
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse

from accounts.models import User
from games.log import troubles
from games.models import Game, Lobby
from games.operators import actions
from games.operators.forms import LobbyAct, Reasoned, Suspension, operator_of
from games.play import service
from games.reads import figures
from kit import event_loop
from kit.problems import Problem

STALLED_MAX: Final = 50


class _Rate:
    """Commits per second since this process was asked before."""

    def __init__(self) -> None:
        self._before: tuple[float, int] | None = None

    def of(self, commits: int) -> float | None:
        """Return the rate; None for the first look."""
        now, before = time.monotonic(), self._before
        self._before = (now, commits)
        if before is None:
            return None
        return max(0, commits - before[1]) / max(now - before[0], 0.001)


_rate = _Rate()


def console(site: AdminSite, request: HttpRequest) -> HttpResponse:
    """Show live figures and stalled games, or the rows that a search found."""
    if not (isinstance(request.user, User) and request.user.has_perm("games.view_game")):
        raise PermissionDenied
    text = request.GET.get("q", "").strip()
    context = {
        "title": "Console",
        "figures": _figures(),
        "log_troubles": troubles.texts(),
        "stalled": figures.stalled_heads()[:STALLED_MAX],
        "q": text,
        "found": actions.search(request.user, text) if text else None,
    }
    return _page(site, request, "console", context)


def _figures() -> list[tuple[str, str]]:
    try:
        live, found = figures.live(), figures.of_database()
    except DatabaseError:
        return [("The database does not answer.", "")]
    rate = _rate.of(live.commits)
    return [
        ("Open lobbies.", str(live.lobbies)),
        ("Connected users, once for each lobby and process.", str(live.connections)),
        ("Commits per second since the last look.", "-" if rate is None else f"{rate:.1f}"),
        *((figure.text, f"{figure.value:g}") for figure in found),
    ]


def watch(site: AdminSite, request: HttpRequest, game: UUID) -> HttpResponse:
    """Show what spectators of a game would see, after the reason is in the log."""
    operator, row = operator_of(request), get_object_or_404(Game, id=game)
    form = Reasoned(request)
    seen = None
    if form.carried_out(
        lambda data: actions.watch(operator, game, data["reason"]), "Your look is in the log."
    ):
        try:
            seen = event_loop.call(service.view(game, None))
        except Problem as problem:
            form.add_error(None, f"Refused: {problem.code}")
    view = None if seen is None else msgspec.json.format(msgspec.json.encode(seen.view)).decode()
    context = {
        "title": f"Watch game {row.id}",
        "form": form,
        "version": seen and seen.version,
        "view": view,
        "about": "You see what a spectator would see; the players are not notified.",
    }
    return _page(site, request, "act", context)


def act_on_lobby(site: AdminSite, request: HttpRequest, lobby: UUID) -> HttpResponse:
    """Mute, unmute, retitle or close."""
    operator, row = operator_of(request), get_object_or_404(Lobby, id=lobby)

    def act(data: dict[str, Any]) -> None:
        reason = data["reason"]
        match data["action"]:
            case "mute":
                actions.mute(operator, lobby, data["user"], reason)
            case "unmute":
                actions.unmute(operator, lobby, data["user"], reason)
            case "retitle":
                actions.retitle_lobby(operator, lobby, data["title"], reason)
            case "close":
                actions.close_lobby(operator, lobby, reason)

    form = LobbyAct(request)
    if form.carried_out(act, "Done: it is in the events of the lobby."):
        return HttpResponseRedirect(request.path)
    seats = row.seats.select_related("user").order_by("number")
    about = ", ".join(
        f"{seat.number}: {seat.user.display_name} {seat.user.id}"
        if seat.user
        else f"{seat.number}: {seat.bot_name} (bot)"
        for seat in seats
    )
    context = {
        "title": f"Lobby {row}",
        "form": form,
        "about": f"{row.slug}, {row.visibility}, {row.status}. Seats: {about or 'none'}.",
    }
    return _page(site, request, "act", context)


def suspend(site: AdminSite, request: HttpRequest, user: UUID) -> HttpResponse:
    """Suspend a user until a time, or end the suspension."""
    operator, row = operator_of(request), get_object_or_404(User, id=user)
    form = Suspension(request)
    if form.carried_out(
        lambda data: actions.suspend(operator, user, data["until"], data["reason"]),
        "Done: it is in the operators' log.",
    ):
        return HttpResponseRedirect(request.path)
    until = row.suspended_until
    context = {
        "title": f"Suspend {row.display_name}",
        "form": form,
        "about": "Not suspended." if until is None else f"Suspended until {until:%Y-%m-%d %H:%M}.",
    }
    return _page(site, request, "act", context)


def _page(
    site: AdminSite, request: HttpRequest, template: str, context: dict[str, Any]
) -> HttpResponse:
    everywhere = {**site.each_context(request), "console": reverse("admin:games_console")}
    return TemplateResponse(request, f"admin/games/{template}.html", {**everywhere, **context})
