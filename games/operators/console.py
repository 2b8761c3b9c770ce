"""The operator's console: live figures, search, and actions on games, lobbies and users.

Each action, search and look is in the operators' log before it happens.
"""

import time
from math import inf
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
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
from kit.metrics import Figure
from kit.problems import Problem

STALLED_MAX: Final = 50
ALARMS: Final = {
    "database_connections_share": 0.85,
    "standby_missing": 0,
    "standby_lag_bytes": 100_000_000,
    "games_diverged": 0,
    "games_damaged": 0,
    "log_troubles": 0,
    "witnesses_silent": 0,
    "games_stalled": 0,
    "oldest_due_seconds": 5,
    "seal_lag_seconds": 60,
    "oldest_unsettled_seconds": 60,
    "oldest_late_start_seconds": 60,
}
"""The values above which a figure is an alarm, as in the alert rules of the deployment."""
ALARMS_BELOW: Final = {"months_ahead": 2}
"""The values below which a figure is an alarm, as in those rules."""
WHOLE_FROM: Final = 1000
"""Figures from this on are shown without decimals."""
UNITS: Final = {"seconds": "s", "bytes": "bytes", "coins": "coins", "ahead": "months"}
"""The unit of a figure, by the last word of its name."""


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


class Line(NamedTuple):
    """A figure in words: with its unit, and `good` or `bad` if a value of it is an alarm."""

    text: str
    value: str
    state: str = ""


def _figures() -> list[Line]:
    try:
        live, found = figures.live(), figures.of_database()
    except DatabaseError:
        return [Line("The database does not answer.", "", "bad")]
    rate = _rate.of(live.commits)
    return [
        Line("Open lobbies.", str(live.lobbies)),
        Line("Connected users, once for each lobby and process.", str(live.connections)),
        Line("Commits per second since the last look.", "-" if rate is None else f"{rate:.1f}"),
        *map(line_of, found),
    ]


def line_of(figure: Figure) -> Line:
    """Return a figure in words."""
    name, value = figure.name, figure.value
    is_alarm = value > ALARMS.get(name, inf) or value < ALARMS_BELOW.get(name, -inf)
    is_good = name in ALARMS or name in ALARMS_BELOW
    state = "bad" if is_alarm else "good" if is_good else ""
    *_, last = name.split("_")
    if last == "share":
        return Line(figure.text, f"{value:.0%}", state)
    is_whole = value % 1 == 0 or abs(value) >= WHOLE_FROM
    number = f"{value:,.0f}" if is_whole else f"{value:.4g}"
    return Line(figure.text, f"{number} {UNITS.get(last, '')}".strip(), state)


def watch(site: AdminSite, request: HttpRequest, game: UUID) -> HttpResponse:
    """Show a game as its spectators would see it, after the reason is in the log."""
    operator, row = operator_of(request), get_object_or_404(Game, id=game)
    form = Reasoned(request)
    if form.carried_out(
        lambda data: actions.watch(operator, game, data["reason"]), "Your look is in the log."
    ):
        try:
            return _watched(request, row, event_loop.call(service.view(game, None)))
        except Problem as problem:
            form.add_error(None, f"Refused: {problem.code}")
    context = {
        "title": f"Watch game {row.id}",
        "form": form,
        "about": "You see what a spectator would see; the players are not notified.",
    }
    return _page(site, request, "act", context)


def _watched(request: HttpRequest, game: Game, seen: service.Seen) -> HttpResponse:
    """Return the page that draws a view. It asks the server for nothing secret."""
    seats = game.lobby.seats.select_related("user").order_by("number")
    watched = {
        "game": {
            "slug": game.slug,
            "seats": [{"number": seat.number, "name": seat.name} for seat in seats],
            "your_seat": None,
        },
        "version": seen.version,
        "ended": seen.ended,
        "view": msgspec.to_builtins(seen.view),
    }
    return render(request, "web/page.html", {"script": "web/watch.js", "watched": watched})


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
