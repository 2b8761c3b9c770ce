"""All queries of readable data, limited to what the user may read."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import msgspec
import structlog
from django.db import connection
from django.db.models import (
    Case,
    Count,
    F,
    Func,
    IntegerField,
    Manager,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    prefetch_related_objects,
)
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce

from accounts import ledger
from accounts.models import Account, Transfer, User
from accounts.tokens import Caller, Scope
from games.models import Ban, Bet, Commit, Game, Lobby, Mute, OperatorAction, RoomEvent, Seat
from games.reads.lobby_events import AnyLobbyFact
from kit.problems import Problem

log = structlog.get_logger(__name__)


def lobbies_for(user: User) -> QuerySet[Lobby]:
    """Return the lobbies that a user finds: public ones, and their own. Newest first."""
    return in_full(
        Lobby.objects.filter(Q(visibility=Lobby.Visibility.PUBLIC) | _is_theirs(user))
    ).order_by("-id")


def lobbies_open_to(user: User) -> QuerySet[Lobby]:
    """Return the lobbies that a user may read if they know the id."""
    return in_full(Lobby.objects.filter(~Q(visibility=Lobby.Visibility.INVITE) | _is_theirs(user)))


def _is_theirs(user: User) -> Q:
    mine = Seat.objects.filter(user=user).values("lobby_id")
    return Q(host=user) | Q(id__in=mine) | Q(held_for__contains=[user.id])


def in_full(lobbies: QuerySet[Lobby]) -> QuerySet[Lobby]:
    """Return lobbies with all related rows that responses contain."""
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    return lobbies.select_related("host", "game__head").prefetch_related(seats)


def as_changed(lobby: Lobby) -> Lobby:
    """Return a lobby that this transaction has changed, with related rows, without a new read."""
    getattr(lobby, "_prefetched_objects_cache", {}).pop("seats", None)
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    prefetch_related_objects([lobby], seats)
    return lobby


def with_free_seats(lobbies: QuerySet[Lobby], least: int) -> QuerySet[Lobby]:
    """Return the lobbies with at least this many seats that are neither taken nor reserved."""
    seats = (
        Seat.objects.filter(lobby=OuterRef("id"))
        .order_by()
        .values("lobby")
        .annotate(n=Count("*"))
        .values("n")
    )
    kept = Func(
        Func(F("held_for"), None, function="array_remove"),
        function="cardinality",
        output_field=IntegerField(),
    )
    return lobbies.alias(taken=Coalesce(Subquery(seats), 0) + kept).filter(
        capacity__gte=F("taken") + least
    )


def all_lobbies() -> QuerySet[Lobby]:
    """Return all lobbies, newest first (operators only)."""
    return in_full(Lobby.objects.all()).order_by("-id")


def lobby_for(user: User, lobby_id: UUID) -> Lobby:
    """Return a lobby that a user may read. Raises Problem `not_found`."""
    lobby = lobbies_open_to(user).filter(id=lobby_id).first()
    if lobby is None:
        raise Problem("not_found", what="lobby")
    return lobby


def bans_in(lobby_id: UUID, host: User) -> QuerySet[Ban]:
    """Return the bans of a lobby, oldest first. Raises Problem `not_found`, `not_the_host`."""
    return _hosted(lobby_id, host).bans.select_related("user").order_by("id")


def mutes_in(lobby_id: UUID, host: User) -> QuerySet[Mute]:
    """Return the mutes of a lobby, oldest first. Raises Problem `not_found`, `not_the_host`."""
    return _hosted(lobby_id, host).mutes.select_related("user").order_by("id")


def _hosted(lobby_id: UUID, host: User) -> Lobby:
    lobby = lobby_for(host, lobby_id)
    if lobby.host_id != host.id:
        raise Problem("not_the_host")
    return lobby


def belongs_to(user: UUID, lobby: Lobby) -> bool:
    """Whether a user has a seat or a reservation in a lobby, or hosts it.

    Queries the database unless the seats are prefetched.
    """
    return (
        lobby.host_id == user
        or user in lobby.held_for
        or any(seat.user_id == user for seat in lobby.seats.all())
    )


def waits_in(user: UUID, lobby: Lobby) -> bool:
    """Whether a user has a seat in an open lobby. Expects the seats prefetched."""
    return lobby.status == Lobby.Status.OPEN and any(
        seat.user_id == user for seat in lobby.seats.all()
    )


def where_waits(user: UUID) -> set[UUID]:
    """Return the open lobbies in which a user has a seat."""
    return set(
        Seat.objects.filter(user=user, lobby__status=Lobby.Status.OPEN).values_list(
            "lobby_id", flat=True
        )
    )


def may_see(user: UUID, lobby: Lobby) -> bool:
    """Whether a user may read a lobby whose id they know. Queries as `belongs_to` does."""
    return lobby.visibility != Lobby.Visibility.INVITE or belongs_to(user, lobby)


def is_listed_for(user: UUID, lobby: Lobby) -> bool:
    """Whether lobby lists show this lobby to a user. Queries as `belongs_to` does."""
    return lobby.visibility == Lobby.Visibility.PUBLIC or belongs_to(user, lobby)


# Changes of lobbies


class LobbyEvent(msgspec.Struct, frozen=True):
    """A numbered event of a lobby. `name` is the current display name of its `user`, if any."""

    version: int
    at: datetime
    event: AnyLobbyFact
    name: str | None


class RoomNews(NamedTuple):
    """A lobby and the events that led to it. `encoded` caches frames by audience."""

    lobby: Lobby
    events: list[LobbyEvent]
    encoded: dict[UUID | None, bytes]


class Changes(NamedTuple):
    """Changed lobbies. Later changes have `cursor` or a higher one.

    `departed` are former players of those that are not public. `encoded` caches frames by audience.
    """

    cursor: int
    lobbies: list[Lobby]
    departed: set[tuple[UUID, UUID]]
    encoded: dict[tuple[UUID, UUID | None], bytes]


_decode_happening = msgspec.json.Decoder(AnyLobbyFact).decode


def lobby_events_in(lobby: Lobby, after: int, most: int) -> list[LobbyEvent]:
    """Return the first events of a lobby after a version, in order, up to the lobby's version."""
    known = RoomEvent.objects.filter(lobby=lobby, version__gt=after, version__lte=lobby.version)
    rows = known.select_related("user").order_by("version")
    return [event for row in rows[:most] if (event := readable_event(row)) is not None]


def lobby_event_of(row: RoomEvent) -> LobbyEvent:
    """Decode the event of a row."""
    name = None if row.user is None else row.user.display_name
    return LobbyEvent(row.version, row.at, _decode_happening(bytes(row.body)), name)


def readable_event(row: RoomEvent) -> LobbyEvent | None:
    """The event in a row; None, and an entry in the log, for one that this build cannot decode: the
    others are shown without it."""
    try:
        return lobby_event_of(row)
    except msgspec.MsgspecError:
        log.exception("lobby_event_unreadable", lobby=str(row.lobby_id), version=row.version)
        return None


def news_of_rooms(known: Mapping[UUID, int]) -> list[RoomNews]:
    """Return the events of these lobbies after known versions. Unchanged lobbies are left out."""
    heads = Lobby.objects.filter(id__in=known).values_list("id", "version")
    behind = [lobby for lobby, version in heads if version > known[lobby]]
    news = {
        lobby.id: RoomNews(lobby, [], {}) for lobby in in_full(Lobby.objects.filter(id__in=behind))
    }
    wanted = Q()
    for lobby, found in news.items():
        wanted |= Q(lobby_id=lobby, version__gt=known[lobby], version__lte=found.lobby.version)
    if news:
        for row in (
            RoomEvent.objects.filter(wanted).select_related("user").order_by("lobby_id", "version")
        ):
            event = readable_event(row)
            if event is not None:
                news[row.lobby_id].events.append(event)
    return list(news.values())


DisconnectReason = Literal["left", "lost", "closed", "silent"]
"""Why a user is gone.

They closed their last connection (`left`); it broke, or its process died (`lost`); the server
closed it (`closed`); or they had none and stopped sending requests (`silent`).
"""


class Present(msgspec.Struct, frozen=True):
    """The presence of a player. If not connected, `gone_since` is when they were last seen, if
    ever, and `disconnect_reason` says why. A bot may play for them."""

    user: UUID
    seat: int
    connected: bool
    gone_since: datetime | None
    disconnect_reason: DisconnectReason | None
    bot_plays: bool


LEASE_S: Final = 45
"""A connection renews its row every 15 s; after this many seconds without renewal it is gone."""

SEEN: Final = f"""
LEFT JOIN LATERAL (
    SELECT bool_or(connected AND seen_at > now() - {LEASE_S} * interval '1 s') AS connected,
        max(seen_at) AS seen_at, (array_agg(disconnect_reason ORDER BY seen_at DESC))[1] AS
          disconnect_reason
    FROM games_presence WHERE lobby_id = s.lobby_id AND user_id = s.user_id
) p ON true
"""  # noqa: S608  (a number)
"""Joins `p`: whether the user in seat `s` is connected, when last seen, and the reason."""

PEOPLE: Final = f"""
SELECT s.lobby_id, s.user_id, s.number, coalesce(p.connected, false), p.seen_at,
  p.disconnect_reason,
    coalesce(s.number = ANY(h.stand_ins), false)
FROM games_seat s
LEFT JOIN games_game g ON g.lobby_id = s.lobby_id
LEFT JOIN games_head h ON h.game_id = g.id {SEEN}
WHERE s.lobby_id = ANY(%s) AND s.user_id IS NOT NULL ORDER BY s.lobby_id, s.number
"""  # noqa: S608  (constants)


def people_in(lobbies: Sequence[UUID]) -> dict[UUID, tuple[Present, ...]]:
    """Return the presence of the players in these lobbies, by seat."""
    found: dict[UUID, tuple[Present, ...]] = {}
    with connection.cursor() as cursor:
        cursor.execute(PEOPLE, [list(lobbies)])
        for lobby, user, seat, connected, seen_at, why, bot_plays in cursor.fetchall():
            since, because = (None, None) if connected else (seen_at, why)
            present = Present(user, seat, connected, since, because, bot_plays)
            found[lobby] = (*found.get(lobby, ()), present)
    return found


def feed_cursor() -> int:
    """Return the oldest running transaction: all later changes have this cursor or above."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
        ((number,),) = cursor.fetchall()
    return int(number)


def changes_since(cursor: int) -> Changes:
    """Return the lobbies that changed at `cursor` or later, oldest change first.

    Transactions end in another order than they begin. The cursor waits for those that end late, so
    some changes are found twice and none is missed.
    """
    upcoming = feed_cursor()
    # A restored database contains transaction ids that the new server has not reached: ignore them.
    reached = Q(changed_in__gte=cursor) & Q(
        changed_in__lt=RawSQL("pg_snapshot_xmax(pg_current_snapshot())::text::bigint", ())
    )
    lobbies = list(in_full(Lobby.objects.filter(reached)).order_by("changed_in", "id"))
    hidden = [lobby.id for lobby in lobbies if lobby.visibility != Lobby.Visibility.PUBLIC]
    left = RoomEvent.objects.filter(
        lobby_id__in=hidden, kind__in=("seat_left", "seat_released"), user__isnull=False
    )
    return Changes(
        upcoming, lobbies, set(left.values_list("lobby_id", "user_id")) if hidden else set(), {}
    )


def games_for(user: User) -> QuerySet[Game]:
    """Return the games that a user finds: of public lobbies, and their own. Newest first."""
    listed = Q(lobby__visibility=Lobby.Visibility.PUBLIC) & ~Q(
        lobby__spectators=Lobby.Spectators.NONE
    )
    return _games(listed | _plays(user)).order_by("-id")


def all_games() -> QuerySet[Game]:
    """Return all games, newest first (operators only)."""
    return _games(Q()).order_by("-id")


def games_open_to(user: User) -> QuerySet[Game]:
    """Return the games that a user plays, or may watch if they know the id."""
    return _games(_open_to(user))


def game_for(user: User, game_id: UUID) -> Game:
    """Return a game that a user plays, or may watch. Raises Problem `not_found`."""
    game = games_open_to(user).filter(id=game_id).first()
    if game is None:
        raise Problem("not_found", what="game")
    return game


def open_to(user: User, games: Collection[UUID]) -> QuerySet[Game, Any]:
    """Return the ids of those games that a user plays, or may watch."""
    return Game.objects.filter(_open_to(user), id__in=games).values("id")


def _open_to(user: User) -> Q:
    watched = ~Q(lobby__visibility=Lobby.Visibility.INVITE) & ~Q(
        lobby__spectators=Lobby.Spectators.NONE
    )
    return watched | _plays(user)


def game_to_audit(caller: Caller, game_id: UUID) -> Game:
    """Return a game that the caller may audit: any with scope `audit`, else visible ones.

    Raises Problem `not_found`.
    """
    if Scope.AUDIT not in caller.scopes:
        return game_for(caller.user, game_id)
    game = Game.objects.filter(id=game_id).select_related("head", "lobby").first()
    if game is None:
        raise Problem("not_found", what="game")
    return game


def _plays(user: User) -> Q:
    return Q(lobby_id__in=Seat.objects.filter(user=user).values("lobby_id"))


def _games(visible: Q) -> QuerySet[Game]:
    seats = Prefetch("lobby__seats", Seat.objects.select_related("user").order_by("number"))
    return Game.objects.filter(visible).select_related("head", "lobby").prefetch_related(seats)


def all_bets() -> QuerySet[Bet]:
    """Return the bets of all games, newest first (auditors only)."""
    return Bet.objects.order_by("-at", "-game_id", "-number")


def bets_of(user: User) -> QuerySet[Bet]:
    """Return a user's own bets, newest first."""
    return all_bets().filter(user=user)


def bets_in(game: Game) -> QuerySet[Bet]:
    """Return the bets of a game that the caller may see, in the order in which they were placed."""
    return bets_in_all([game.id])


def bets_in_all(games: Collection[UUID] | QuerySet[Game, Any]) -> QuerySet[Bet]:
    """Return the bets of games that the caller may see, by game in placing order."""
    return Bet.objects.filter(game__in=games).order_by("game_id", "number")


def with_fates(bets: QuerySet[Bet]) -> QuerySet[Bet, Any]:
    """Return bets as named rows with their results, in the columns of the bet histories.

    The counts of draws are secret until the game has ended, as the draws are.
    """
    is_over = ~Q(game__head__ended="")
    return bets.annotate(
        slug=F("game__slug"),
        is_bot=Q(user=None) | Q(user__owner__isnull=False),
        outcome=Case(
            When(corrections__version__isnull=False, then=Value("void")),
            default=Coalesce("settlements__outcome", Value("open")),
        ),
        payout=F("settlements__payout") + Coalesce("corrections__payout", 0),
        settled_version=Coalesce("corrections__version", "settlements__version"),
        settled_at=Coalesce("corrections__at", "settlements__at"),
        drawn_before=Case(When(is_over, then="drawn")),
        drawn_until=Case(When(is_over, then="settlements__drawn")),
    ).values_list(
        "game_id",
        "slug",
        "number",
        "user_id",
        "is_bot",
        "seat",
        "spot",
        "stake",
        "odds",
        "version",
        "at",
        "outcome",
        "payout",
        "settled_version",
        "settled_at",
        "drawn_before",
        "drawn_until",
        named=True,
    )


def accounts_of(user: User) -> QuerySet[Account]:
    """Return a user's own accounts."""
    return Account.objects.filter(owner=user).order_by("id")


def transfers_of(user: User) -> QuerySet[Transfer]:
    """Return the transfers of a user's own accounts, newest first."""
    own = Account.objects.filter(owner=user).values("id")
    return _transfers(Transfer.objects.filter(Q(debit__in=own) | Q(credit__in=own))).order_by("-id")


def all_transfers() -> QuerySet[Transfer]:
    """Return all transfers, newest first (auditors only)."""
    return _transfers(Transfer.objects).order_by("-id")


def with_sides(transfers: QuerySet[Transfer]) -> QuerySet[Transfer, Any]:
    """Return transfers as named rows with their accounts, in the columns of the exports."""
    sides = ("debit__book", "debit__key", "credit__book", "credit__key")
    columns = ("id", "cause", "number", "position", *sides, "amount", "debit__unit", "reason", "at")
    return transfers.values_list(*columns, named=True)


def commits_in_all(games: Collection[UUID]) -> QuerySet[Commit]:
    """Return the commits of games that the caller may see, by game in order.

    The caller of this function filters their content.
    """
    return Commit.objects.filter(game__in=games).order_by("game_id", "version")


def transfers_in(game: Game) -> QuerySet[Transfer]:
    """Return the transfers between the purses of a game, by version and position."""
    return transfers_in_all([game.id])


def transfers_in_all(games: Collection[UUID] | QuerySet[Game, Any]) -> QuerySet[Transfer]:
    """Return the transfers between the purses of games, by game, version and position."""
    return _transfers(Transfer.objects.filter(cause__in=games, number__gt=0)).order_by(
        "cause", "number", "position"
    )


def purses_at(game: Game, version: int | None) -> Sequence[tuple[Account, int]]:
    """Return the purses of a game with their balances after a version, or now."""
    purses = list(Account.objects.filter(book=game.id).order_by("id"))
    if version is None:
        return [(purse, purse.balance) for purse in purses]
    balances = ledger.balances(
        Transfer.objects.filter(cause=game.id, number__gt=0, number__lte=version)
    )
    return [(purse, balances.get(purse.id, 0)) for purse in purses]


def balance_of(user: User, account: int, at: datetime | None) -> tuple[Account, int]:
    """Return one of a user's own accounts with its balance at a moment, or now.

    Raises Problem `not_found`.
    """
    own = accounts_of(user).filter(id=account).first()
    if own is None:
        raise Problem("not_found", what="account")
    return own, own.balance if at is None else ledger.balance_at(own, at)


def _transfers(transfers: QuerySet[Transfer] | Manager[Transfer]) -> QuerySet[Transfer]:
    return transfers.select_related("debit", "credit")


def operator_actions() -> QuerySet[OperatorAction]:
    """Return the actions of operators, newest first (operators only)."""
    return OperatorAction.objects.order_by("-id")
