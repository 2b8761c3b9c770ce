"""Admin pages for bets and commits, whose composite keys Django's lists do not support.

They read as the API does: same filters, same cursor pages, no counting, no bodies.
"""

from collections.abc import Callable, Collection
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse

from accounts.models import User
from games.archive.reading import opened
from games.models import Game
from games.reads.filters import PAGED, AnyBetFilter, CommitFilter
from games.reads.histories import all_bets, commits_in_all, with_results
from kit import validation
from kit.paging import page_of
from kit.problems import Problem

Filter = TypeVar("Filter", AnyBetFilter, CommitFilter)


def bets(site: AdminSite, request: HttpRequest) -> HttpResponse:
    """List all bets with their results."""
    _check(request, "games.view_bet")
    found = _found(
        request,
        AnyBetFilter,
        lambda query: with_results(query.narrow(all_bets())),
        lambda query: query.only_game,
    )
    return TemplateResponse(
        request, "admin/games/bets.html", {**site.each_context(request), **found, "title": "Bets"}
    )


def commits(site: AdminSite, request: HttpRequest, game: UUID) -> HttpResponse:
    """List the commits of a game: seat, time and hash."""
    _check(request, "games.view_commit")
    rows = commits_in_all([get_object_or_404(Game, id=game).id]).defer("body")
    found = _found(request, CommitFilter, lambda query: query.narrow(rows), lambda _: [game])
    title = f"Commits of game {game}"
    return TemplateResponse(
        request, "admin/games/commits.html", {**site.each_context(request), **found, "title": title}
    )


def _check(request: HttpRequest, permission: str) -> None:
    if not (isinstance(request.user, User) and request.user.has_perm(permission)):
        raise PermissionDenied


def _found(
    request: HttpRequest,
    kind: type[Filter],
    read: Callable[[Filter], QuerySet[Any, Any]],
    games: Callable[[Filter], Collection[UUID]],
) -> dict[str, Any]:
    """Return the context of a page of rows, of archived `games` too.

    With an invalid filter, or an archive that cannot be read: the first page of all rows, and the
    error.
    """
    given = {name: value.strip() for name, value in request.GET.dict().items() if value.strip()}
    if (user := User.objects.filter(username=given.get("user")).first()) is not None:
        given["user"] = str(user.id)
    try:
        query, problem = validation.read_query(given, kind), ""
        with opened(games(query)):
            page = page_of(read(query), query)
    except Problem as error:
        is_filter = error.code == "malformed"
        problem = (
            f"{str(error.data['path'])[2:]}: {error.data['reason']}" if is_filter else error.code
        )
        query = kind()
        page = page_of(read(query), query)
    following = request.GET.copy()
    if page.next is not None:
        following["cursor"] = page.next
    return {
        "rows": page.rows,
        "next": page.next and following.urlencode(),
        "fields": [
            (name, given.get(name, "")) for name in kind.__struct_fields__ if name not in PAGED
        ],
        "problem": problem,
        "transfers": reverse("admin:accounts_transfer_changelist"),
    }
