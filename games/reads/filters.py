"""Filters of lists, the same for every API."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar
from uuid import UUID

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from msgspec import Meta

from accounts.models import Account, Transfer, User
from games.models import Bet, Commit, Correction, Game, Lobby, OperatorAction
from games.reads.lobbies import with_free_seats
from games.store.commits import VERSION_MAX
from kit.validation import Count, Moment, Query

PAGE_MAX: Final = 100
PAGE: Final = 50

Slug = Annotated[str, Meta(max_length=40, pattern=r"^[a-z0-9_]+$(?!\n)")]
Cursor = Annotated[str, Meta(max_length=400)] | None
Limit = Annotated[int, Meta(ge=1, le=PAGE_MAX)]
SeatNumber = Annotated[int, Meta(ge=0, le=999)]
Version = Annotated[int, Meta(ge=0, le=VERSION_MAX)]
Word = Annotated[str, Meta(min_length=1, max_length=80)]

Format = Literal["csv", "jsonl", "parquet", "xlsx"]
Separator = Literal["comma", "semicolon", "tab"]
TimeZone = Annotated[
    str, Meta(max_length=60, pattern=r"^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$(?!\n)")
]
BetOutcome = Literal["open", "won", "lost", "void"]

Row = TypeVar("Row", bound=Model)


class Choice(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Filters of a list."""

    lookups: ClassVar[Mapping[str, str]] = {}
    """The column of each filter."""

    @property
    def only_game(self) -> Collection[UUID]:
        """The id of the game that the rows have to belong to, if the filter names one."""
        return []

    def _matching(self, rows: QuerySet[Row], of: str = "") -> QuerySet[Row]:
        wanted = {f"{of}{lookup}": getattr(self, name) for name, lookup in self.lookups.items()}
        return rows.filter(
            **{lookup: value for lookup, value in wanted.items() if value is not None}
        )


PAGED: Final = frozenset({"cursor", "limit"})
"""The fields that select the page, not the rows."""


class Listing(Choice, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of a list: `cursor` is the `next` of the page before it."""

    cursor: Cursor = None
    limit: Limit = PAGE


class LobbyListing(Listing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Filters of any list of lobbies."""

    slug: Slug | None = None
    status: Literal["open", "starting", "started", "closed"] | None = None
    free_seats_min: SeatNumber | None = None
    buy_in_min: Count | None = None
    buy_in_max: Count | None = None
    admits_bot_users: bool | None = None
    text: Word | None = None

    lookups: ClassVar[Mapping[str, str]] = {
        "slug": "slug",
        "status": "status",
        "buy_in_min": "buy_in__gte",
        "buy_in_max": "buy_in__lte",
        "admits_bot_users": "admits_bot_users",
        "text": "title__icontains",
    }

    def _found(self, lobbies: QuerySet[Lobby]) -> QuerySet[Lobby]:
        if self.free_seats_min is not None:
            lobbies = with_free_seats(lobbies, self.free_seats_min)
        return self._matching(lobbies)


class LobbyFilter(LobbyListing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lobbies by game, status, free seats, buy-in, whether bot users may join, and part of the
    title (case-insensitive). `mine` selects lobbies in which you sit, or do not."""

    mine: bool | None = None

    def narrow(self, lobbies: QuerySet[Lobby], user: User) -> QuerySet[Lobby]:
        """Return the matching lobbies."""
        return _seated(self._found(lobbies), "seats__user", user, self.mine)


class AnyLobbyFilter(LobbyListing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everybody's lobbies, also by visibility, host and player."""

    visibility: Literal["public", "unlisted", "invite"] | None = None
    host: UUID | None = None
    user: UUID | None = None

    lookups: ClassVar[Mapping[str, str]] = {
        **LobbyListing.lookups,
        "visibility": "visibility",
        "host": "host_id",
        "user": "seats__user",
    }

    def narrow(self, lobbies: QuerySet[Lobby]) -> QuerySet[Lobby]:
        """Return the matching lobbies."""
        return self._found(lobbies)


class GameListing(Listing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Filters of any list of games."""

    slug: Slug | None = None
    status: Literal["running", "finished", "voided"] | None = None

    lookups: ClassVar[Mapping[str, str]] = {"slug": "slug"}

    def _found(self, games: QuerySet[Game]) -> QuerySet[Game]:
        if self.status is not None:
            games = games.filter(head__ended="" if self.status == "running" else self.status)
        return self._matching(games)


class GameFilter(GameListing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Games by rules and status. `mine` selects games in which you play, or do not; `awaits` slow
    games that wait for your decision."""

    mine: bool | None = None
    awaits: Literal["me"] | None = None

    def narrow(self, games: QuerySet[Game], user: User) -> QuerySet[Game]:
        """Return the matching games."""
        if self.awaits is not None:
            games = games.filter(head__awaits__contains=[user.id])
        return _seated(self._found(games), "lobby__seats__user", user, self.mine)


class AnyGameFilter(GameListing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everybody's games, also by visibility of their lobby, player, failure and start. Bounds are
    inclusive, except `started_before`."""

    visibility: Literal["public", "unlisted", "invite"] | None = None
    user: UUID | None = None
    is_stalled: bool | None = None
    started_after: Moment | None = None
    started_before: Moment | None = None

    lookups: ClassVar[Mapping[str, str]] = {
        **GameListing.lookups,
        "visibility": "lobby__visibility",
        "user": "lobby__seats__user",
        "started_after": "started_at__gte",
        "started_before": "started_at__lt",
    }

    def narrow(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """Return the matching games."""
        if self.is_stalled is not None:
            games = (
                games.exclude(head__stalled="")
                if self.is_stalled
                else games.filter(head__stalled="")
            )
        return self._found(games)


def _seated(rows: QuerySet[Row], column: str, user: User, seated: bool | None) -> QuerySet[Row]:
    if seated is None:
        return rows
    return rows.filter(**{column: user}) if seated else rows.exclude(**{column: user})


class CommitFilter(Listing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Commits by version and by the seat that sent the command. Bounds are inclusive."""

    version_min: Version | None = None
    version_max: Version | None = None
    seat: SeatNumber | None = None

    lookups: ClassVar[Mapping[str, str]] = {
        "version_min": "version__gte",
        "version_max": "version__lte",
        "seat": "seat",
    }

    def narrow(self, commits: QuerySet[Commit]) -> QuerySet[Commit]:
        """Return the matching commits."""
        return self._matching(commits)


class BetChoice(Choice, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bets by game, rules, seat, spot, outcome (`open`: not settled yet), stake and time.
    `spot_prefix` matches the start of a spot. Bounds are inclusive, except `placed_before`."""

    game: UUID | None = None
    slug: Slug | None = None
    seat: SeatNumber | None = None
    spot: Word | None = None
    spot_prefix: Word | None = None
    outcome: BetOutcome | None = None
    stake_min: Count | None = None
    stake_max: Count | None = None
    placed_after: Moment | None = None
    placed_before: Moment | None = None

    @property
    def given(self) -> frozenset[str]:
        """The names of the filters that are given."""
        return frozenset(
            name for name in (*self.lookups, "outcome") if getattr(self, name) is not None
        )

    @property
    def only_game(self) -> Collection[UUID]:
        """The id of the game, if the filter names one."""
        return [] if self.game is None else [self.game]

    lookups: ClassVar[Mapping[str, str]] = {
        "game": "game_id",
        "slug": "game__slug",
        "seat": "seat",
        "spot": "spot",
        "spot_prefix": "spot__startswith",
        "stake_min": "stake__gte",
        "stake_max": "stake__lte",
        "placed_after": "at__gte",
        "placed_before": "at__lt",
    }

    def bounds(self, column: str) -> Mapping[str, Any]:
        """Return the bounds of the time of the bet, as lookups of this column."""
        bounds = {"gte": self.placed_after, "lt": self.placed_before}
        return {f"{column}__{name}": bound for name, bound in bounds.items() if bound is not None}

    def narrow(self, bets: QuerySet[Bet]) -> QuerySet[Bet]:
        """Return the matching bets."""
        bets = self._matching(bets)
        # The planner estimates joins well that ask for nulls in their own columns.
        match self.outcome:
            case None:
                return bets
            case "open":
                # The second condition is redundant, but an index can use it: no bet is open after
                # the end of its game.
                return bets.filter(settlements__number__isnull=True, game__head__ended="")
            case "void":
                corrected = Q(corrections__number__isnull=False)
                return bets.filter(corrected | Q(settlements__outcome="void"))
        return bets.filter(settlements__outcome=self.outcome, corrections__number__isnull=True)

    def narrow_settled(self, rows: QuerySet[Row]) -> QuerySet[Row]:
        """Return the matching settlements, or corrections, of those that have the outcome."""
        rows = self._matching(rows, of="bet__")
        if self.outcome == "void":
            return rows
        bet = {"game": OuterRef("game"), "number": OuterRef("number")}
        return rows.exclude(Exists(Correction.objects.filter(**bet)))


class BetFilter(BetChoice, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of bets."""

    cursor: Cursor = None
    limit: Limit = PAGE


class BetExport(BetChoice, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bets as a file. With `names`, each column of ids has its names in another one. `separator`
    and `byte_order_mark` are for CSV. With a `time_zone` such as `Europe/Paris`, times in CSV and
    xlsx are local, and other columns have their offsets."""

    format: Format = "csv"
    separator: Separator = "comma"
    byte_order_mark: bool = False
    names: bool = False
    time_zone: TimeZone | None = None


class AnyBetChoice(BetChoice, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everybody's bets, also by user."""

    user: UUID | None = None

    lookups: ClassVar[Mapping[str, str]] = {**BetChoice.lookups, "user": "user_id"}


class AnyBetFilter(AnyBetChoice, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of everybody's bets."""

    cursor: Cursor = None
    limit: Limit = PAGE


class AnyBetExport(AnyBetChoice, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everybody's bets as a file, with the layouts of your own."""

    format: Format = "csv"
    separator: Separator = "comma"
    byte_order_mark: bool = False
    names: bool = False
    time_zone: TimeZone | None = None


class AccountFilter(Listing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Accounts by unit and key."""

    unit: Word | None = None
    key: Word | None = None

    lookups: ClassVar[Mapping[str, str]] = {"unit": "unit", "key": "key"}

    def narrow(self, accounts: QuerySet[Account]) -> QuerySet[Account]:
        """Return the matching accounts."""
        return self._matching(accounts)


class TransferChoice(Choice, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Transfers by cause (a game, lobby or user), reason, amount and time. Bounds are inclusive,
    except `posted_before`."""

    cause: UUID | None = None
    reason: Word | None = None
    amount_min: Count | None = None
    amount_max: Count | None = None
    posted_after: Moment | None = None
    posted_before: Moment | None = None

    @property
    def only_game(self) -> Collection[UUID]:
        """The id of the cause, which may be a game, if the filter names one."""
        return [] if self.cause is None else [self.cause]

    lookups: ClassVar[Mapping[str, str]] = {
        "cause": "cause",
        "reason": "reason",
        "amount_min": "amount__gte",
        "amount_max": "amount__lte",
        "posted_after": "at__gte",
        "posted_before": "at__lt",
    }

    def narrow(self, transfers: QuerySet[Transfer]) -> QuerySet[Transfer]:
        """Return the matching transfers."""
        return self._matching(transfers)


class TransferFilter(TransferChoice, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of transfers."""

    cursor: Cursor = None
    limit: Limit = PAGE


class TransferExport(TransferChoice, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Transfers as a file, with the layouts of bets."""

    format: Format = "csv"
    separator: Separator = "comma"
    byte_order_mark: bool = False
    names: bool = False
    time_zone: TimeZone | None = None


Action = Literal[
    "void_game",
    "void_bet",
    "annotate",
    "watch",
    "mute",
    "unmute",
    "retitle_lobby",
    "close_lobby",
    "suspend",
    "list_lobbies",
    "list_games",
    "search",
    "restore_history",
    "restore_log",
    "archive_month",
    "edit",
]
"""The actions of operators; `edit` is a change in the admin."""


class ActionFilter(Listing, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Operators' actions by operator, action, game or lobby, and time. Bounds are inclusive, except
    `asked_before`."""

    operator: UUID | None = None
    action: Action | None = None
    game: UUID | None = None
    lobby: UUID | None = None
    asked_after: Moment | None = None
    asked_before: Moment | None = None

    lookups: ClassVar[Mapping[str, str]] = {
        "operator": "operator_id",
        "action": "action",
        "asked_after": "at__gte",
        "asked_before": "at__lt",
    }

    def narrow(self, actions: QuerySet[OperatorAction]) -> QuerySet[OperatorAction]:
        """Return the matching actions."""
        actions = self._matching(actions)
        for kind, subject in (("game", self.game), ("lobby", self.lobby)):
            if subject is not None:
                actions = actions.filter(subject__startswith=f"{kind} {subject}")
        return actions
