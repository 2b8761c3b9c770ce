"""The admin of games and money: read, search, and intervene with a logged reason.

Nothing is edited here. Bodies of commits and seeds, which are secret during a game, are not shown.
"""

from functools import partial
from typing import Any, ClassVar, Final

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.core.validators import RegexValidator
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

from accounts.models import Account, Transfer, User
from accounts.oauth.second_factor import is_recent, prove
from games.models import Game, OperatorAction
from games.operators import actions, admin_pages
from kit.problems import Problem
from kit.validation import ONE_LINE


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


ACTIONS = (
    ("annotate", "Add a note"),
    ("void_bet", "Void one bet"),
    ("void_game", "Void the game"),
)


class Intervention(forms.Form):
    """The form of an operator action."""

    action = forms.ChoiceField(choices=ACTIONS)
    bet = forms.IntegerField(
        min_value=1, required=False, help_text="The number of the bet to void."
    )
    reason = forms.CharField(
        min_length=actions.REASON_MIN,
        max_length=actions.REASON_MAX,
        validators=[RegexValidator(ONE_LINE)],
        widget=forms.TextInput(attrs={"size": 70, "style": "max-width: 60vw"}),
        help_text="The players read this.",
    )
    code = forms.CharField(
        max_length=16, help_text="Of your second factor, which you proved a while ago."
    )

    def clean(self) -> dict[str, Any]:
        """Require a bet number for `void_bet`, and only then."""
        found: dict[str, Any] = super().clean() or {}
        if (found.get("action") == "void_bet") != (found.get("bet") is not None):
            self.add_error("bet", "Enter a bet number to void one bet, and only then.")
        return found


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
        """A link to the operator actions."""
        return format_html(
            '<a href="{}">Void, or add a note</a>',
            reverse("admin:games_game_intervene", args=[game.id]),
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
        operator = request.user
        if not (isinstance(operator, User) and operator.is_superuser):
            raise PermissionDenied
        row = get_object_or_404(Game.objects.select_related("head"), id=game)
        form = Intervention(request.POST or None)
        if is_recent(request):
            del form.fields["code"]
        if request.method == "POST" and form.is_valid():
            data = form.cleaned_data
            try:
                if not is_recent(request):
                    prove(request, data["code"])
                if data["action"] == "void_bet":
                    actions.void_bet(operator, row.id, data["bet"], data["reason"])
                else:
                    {"void_game": actions.void_game, "annotate": actions.annotate}[data["action"]](
                        operator, row.id, data["reason"]
                    )
            except Problem as problem:
                form.add_error(None, f"Refused: {problem.code}")
            else:
                messages.success(request, "Done: it is in the log of the game.")
                return HttpResponseRedirect(reverse("admin:games_game_change", args=[row.id]))
        context = {
            **self.admin_site.each_context(request),
            "title": f"Game {row.id}",
            "form": form,
            "game": row,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/games/intervene.html", context)


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
    OperatorAction.objects.create(
        operator=instance.user, action="edit", subject=subject, reason=str(instance)[:500]
    )


@admin.register(OperatorAction)
class OperatorActAdmin(History):
    list_display = ("at", "operator", "action", "subject", "reason")
    list_filter = ("action", "at")
    list_select_related = ("operator",)
    search_fields = ("subject", "reason", "operator__username")
    ordering = ("-id",)
    fields: ClassVar = ("at", "operator", "action", "subject", "reason")
