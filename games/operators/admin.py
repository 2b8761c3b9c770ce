"""The admin of games and money: read, search, and intervene with a logged reason.

Nothing is edited here. Bodies of commits and seeds, which are secret during a game, are not shown.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from accounts.models import Account, Transfer
from games.models import ArchivedGame, Bet, Game, OperatorAction, Seat
from games.operators import actions, admin_pages, console
from games.operators.forms import Intervention, operator_of
from games.reads.histories import with_results
from games.store.operator_log import record_action
from games.store.registry import all_rules
from railbird_engine import seat_purse


def link_to(model: str, text: str, **query: str) -> SafeString:
    """Link to a filtered list of the admin."""
    address = reverse(f"admin:{model}_changelist")
    return format_html('<a href="{}?{}">{}</a>', address, urlencode(query), text)


COUNT_MAX: Final = 10_000


class UncountedPages(Paginator):  # type: ignore[type-arg]  # of any model
    """A paginator that stops counting at `COUNT_MAX` rows."""

    @cached_property
    def count(self) -> int:
        """The number of rows, up to `COUNT_MAX`."""
        assert isinstance(self.object_list, QuerySet)
        return self.object_list[:COUNT_MAX].count()


class History(admin.ModelAdmin):  # type: ignore[type-arg]  # of any model
    """Rows that the admin shows and never adds, changes or deletes."""

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = UncountedPages
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False."""
        return False


@admin.register(Game)
class GameAdmin(History):
    list_display = ("id", "slug", "players", "version", "ended", "stalled", "started_at")
    list_filter = ("slug", "head__ended", "started_at")
    list_select_related = ("head",)
    search_fields = ("id", "lobby__title", "lobby__seats__user__username")
    ordering = ("-id",)
    fields = (
        "id",
        "lobby",
        "slug",
        "players",
        "rules_version",
        "started_at",
        "version",
        "head_hash",
        "ended",
        "stalled",
        "archived_in",
        "its_rows",
        "operate",
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Games with their players."""
        return super().get_queryset(request).prefetch_related("lobby__seats__user")

    @admin.display
    def players(self, game: Game) -> str:
        """List the players by seat."""
        seats = sorted(game.lobby.seats.all(), key=lambda seat: seat.number)
        return ", ".join(
            f"{seat.bot_name} (bot)" if seat.user is None else seat.user.display_name
            for seat in seats
        )

    @admin.display(ordering="head__version")
    def version(self, game: Game) -> int:
        """The number of commits."""
        return game.head.version

    @admin.display
    def head_hash(self, game: Game) -> str:
        """The newest hash, in hex."""
        return bytes(game.head.hash).hex()

    @admin.display
    def ended(self, game: Game) -> str:
        """How the game ended, or "-"."""
        return game.head.ended or "-"

    @admin.display
    def stalled(self, game: Game) -> str:
        """The reason why the game is stalled, or "-"."""
        return game.head.stalled or "-"

    @admin.display(description="archived in")
    def archived_in(self, game: Game) -> str:
        """Return where the history of the game is archived: object and byte range; or "-"."""
        place = ArchivedGame.objects.filter(game=game).first()
        if place is None:
            return "-"
        return f"{place.object}, {place.length} bytes from {place.start}; transfers are only there"

    @admin.display(description="its rows")
    def its_rows(self, game: Game) -> SafeString:
        """Links to the commits, bets, transfers and purses of the game."""
        links = [
            format_html(
                '<a href="{}">commits</a>', reverse("admin:games_game_commits", args=[game.id])
            ),
            format_html(
                '<a href="{}?game={}">bets and settlements</a>',
                reverse("admin:games_game_bets"),
                game.id,
            ),
            link_to("accounts_transfer", "transfers", cause=str(game.id)),
            link_to("accounts_account", "purses", book=str(game.id)),
        ]
        return format_html(" &middot; ".join(["{}"] * len(links)), *links)

    @admin.display(description="operate")
    def operate(self, game: Game) -> SafeString:
        """Links to the operator actions."""
        return format_html(
            '<a href="{}">Void, or add a note</a> &middot; <a href="{}">Watch</a>'
            ' &middot; <a href="{}">Its lobby</a>',
            reverse("admin:games_game_intervene", args=[game.id]),
            reverse("admin:games_game_watch", args=[game.id]),
            reverse("admin:games_lobby_act", args=[game.lobby_id]),
        )

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of bets, commits and operator actions."""
        site = self.admin_site
        return [
            path("bets/", site.admin_view(partial(admin_pages.bets, site)), name="games_game_bets"),
            path(
                "<uuid:game>/commits/",
                site.admin_view(partial(admin_pages.commits, site)),
                name="games_game_commits",
            ),
            path(
                "<uuid:game>/intervene/",
                site.admin_view(self.intervene),
                name="games_game_intervene",
            ),
            *super().get_urls(),
        ]

    def intervene(self, request: HttpRequest, game: Any) -> HttpResponse:
        """Show the form of operator actions and carry one out (superusers only)."""
        operator = operator_of(request)
        row = get_object_or_404(Game.objects.select_related("head"), id=game)

        def act(data: dict[str, Any]) -> None:
            match data["action"]:
                case "void_bet":
                    actions.void_bet(operator, row.id, data["bet"], data["reason"])
                case "void_game":
                    actions.void_game(operator, row.id, data["reason"])
                case "annotate":
                    actions.annotate(operator, row.id, data["reason"])

        bet = _bet_of(row, request.GET.get("bet", ""))
        cost = _cost_of(bet) if bet else 0
        rules = all_rules().get((row.slug, row.rules_version))
        chosen = {"action": "void_bet", "bet": bet.number} if bet else {}
        form = Intervention(request, initial=chosen)
        if form.carried_out(act, "Done: it is in the log of the game."):
            return HttpResponseRedirect(reverse("admin:games_game_change", args=[row.id]))
        context = {
            **self.admin_site.each_context(request),
            "title": f"Game {row.id}",
            "form": form,
            "game": row,
            "bet": bet,
            "cost": cost,
            "gained": -cost,
            "seat": bet and Seat.objects.get(lobby=row.lobby_id, number=bet.seat),
            "unit": rules.unit if rules else "",
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/games/intervene.html", context)


def _bet_of(game: Game, number: str) -> Any:
    """Return the bet of this number with its result, or None."""
    if not number.isdecimal():
        return None
    return with_results(Bet.objects.filter(game=game, number=number)).first()


def _cost_of(bet: Any) -> int:
    """Return the money that a bet has cost its seat so far; below zero, what it has gained.

    A token is no money, and the stake of a bet that its own commit settles is in its payout.
    """
    is_paid = (
        bet.settled_version != bet.version
        and Transfer.objects.filter(
            book=bet.game_id,
            cause=bet.game_id,
            number=bet.version,
            debit__key=seat_purse(bet.seat),
            amount=bet.stake,
        ).exists()
    )
    return (bet.stake if is_paid else 0) - (bet.payout or 0)


@admin.register(Transfer)
class TransferAdmin(History):
    list_display = (
        "id",
        "origin",
        "number",
        "position",
        "debit_key",
        "credit_key",
        "amount",
        "unit",
        "reason",
        "at",
    )
    list_filter = ("at",)
    list_select_related = ("debit", "credit")
    search_fields = ("=cause", "=reason")
    ordering = ("-id",)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow filtering by cause, which the links of games use."""
        return lookup == "cause" or super().lookup_allowed(lookup, value, request)

    @admin.display(description="cause")
    def origin(self, transfer: Transfer) -> SafeString | str:
        """The cause of the transfer; for money within a game, a link to the game."""
        if transfer.cause != transfer.debit.book:
            return str(transfer.cause)
        address = reverse("admin:games_game_change", args=[transfer.cause])
        return format_html('<a href="{}">{}</a>', address, transfer.cause)

    @admin.display(description="from")
    def debit_key(self, transfer: Transfer) -> str:
        """The account that paid."""
        return transfer.debit.key

    @admin.display(description="to")
    def credit_key(self, transfer: Transfer) -> str:
        """The account that was paid."""
        return transfer.credit.key

    @admin.display
    def unit(self, transfer: Transfer) -> str:
        """The unit of the amount."""
        return transfer.debit.unit


@admin.register(Account)
class AccountAdmin(History):
    list_display = ("id", "book", "key", "unit", "owner", "balance")
    list_select_related = ("owner",)
    search_fields = ("=book", "key", "owner__username")
    ordering = ("-id",)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow filtering by book, which the links of games use."""
        return lookup == "book" or super().lookup_allowed(lookup, value, request)


@receiver(post_save, sender=LogEntry)
def _note(instance: LogEntry, **_: Any) -> None:
    """Copy changes that staff make in the admin to the log of operators."""
    kind = instance.content_type
    assert kind is not None
    subject = f"{kind.app_label}.{kind.model} {instance.object_id}"
    record_action(instance.user, "edit", subject, str(instance)[:500])


@admin.register(OperatorAction)
class OperatorActionAdmin(History):
    list_display = ("at", "operator", "action", "subject", "reason")
    list_filter = ("action", "at")
    list_select_related = ("operator",)
    search_fields = ("subject", "reason", "operator__username")
    ordering = ("-id",)
    fields: ClassVar = ("at", "operator", "action", "subject", "reason")

    def get_urls(self) -> list[URLPattern]:
        """Add the console and its pages."""
        site = self.admin_site
        pages: dict[str, tuple[Callable[..., HttpResponse], str]] = {
            "console/": (console.console, "games_console"),
            "games/<uuid:game>/watch/": (console.watch, "games_game_watch"),
            "lobbies/<uuid:lobby>/": (console.act_on_lobby, "games_lobby_act"),
            "users/<uuid:user>/": (console.suspend, "games_user_suspend"),
        }
        return [
            *(
                path(address, site.admin_view(partial(page, site)), name=name)
                for address, (page, name) in pages.items()
            ),
            *super().get_urls(),
        ]
