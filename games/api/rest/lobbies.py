"""Lobbies: open one, sit down, get ready, start."""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal
from uuid import UUID

import msgspec
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.models import User
from accounts.rest import operation, person
from accounts.tokens import Scope
from games import lobbies, models
from games.api import types
from games.api.rest.games import AfterVersion
from games.api.sockets.frames import TALK_PROBLEMS, Line
from games.live import presence
from games.reads import selectors
from games.reads.filters import LobbyFilter, SeatNumber, Slug
from games.reads.selectors import Happened
from kit import validation
from kit.paging import page_of
from kit.validation import Body, OneLine

Entropy = Annotated[
    str, Meta(max_length=2 * lobbies.ENTROPY_MAX, pattern=r"^([0-9a-fA-F]{2})*$(?!\n)")
]
"""One's own part of the game's luck: up to 32 bytes, in hex."""

Weight = Annotated[int, Meta(ge=1, le=1000)]

JOIN_PROBLEMS: Final = (
    "lobby_not_open",
    "lobby_full",
    "banned",
    "bots_not_admitted",
    "guests_cannot_stake",
    "bots_cannot_stake",
    "insufficient_funds",
)


class SitDown(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one takes a seat."""

    entropy: Entropy = ""


class Invitation(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one takes a seat where one was invited."""

    invite_code: Annotated[str, Meta(pattern=r"^[0-9A-Za-z]{1,12}$(?!\n)")]
    entropy: Entropy = ""


class NewLobby(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a host chooses. `prizes` weighs the ranks among which the buy-ins are shared; without
    `capacity`, the most that the game seats.

    An unlisted lobby is open to all who know its id, one by invitation to those who know its code.
    Without a seat one may do nothing at the game, `watch` it, or `talk` as well. Bots of the server
    take the seats that are free after `bots_after_s`; bot accounts, which are programs of people,
    sit down as people do where a lobby `admits_bot_accounts`. A game that is to `start_when_full`
    does so when nobody is awaited any more, and who sits down is ready. When the game awaits
    somebody who was gone for `absence_s`, it will `wait`; or a `bot` plays on until they return; or
    it plays on to the end, and the seat is to `forfeit` its share of the buy-ins."""

    slug: Slug
    options: types.AnyOptions = {}
    title: Annotated[OneLine, Meta(max_length=60)] = ""
    visibility: Literal["public", "unlisted", "invite"] = "public"
    spectators: Literal["none", "watch", "talk"] = "watch"
    absence: Literal["wait", "bot", "forfeit"] = "wait"
    absence_s: Annotated[int, Meta(ge=5, le=86_400)] = 60
    start_when_full: bool = False
    admits_bot_accounts: bool = True
    bots_after_s: Annotated[int, Meta(ge=0, le=lobbies.BOTS_AFTER_MAX_S)] | None = None
    capacity: Annotated[int, Meta(ge=1, le=999)] | None = None
    buy_in: Annotated[int, Meta(ge=0, le=lobbies.BUY_IN_MAX)] = 0
    prizes: Annotated[tuple[Weight, ...], Meta(min_length=1, max_length=20)] = (100,)
    entropy: Entropy = ""


class WantedTable(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one would like to play. Without `capacity`, with as many as the game seats."""

    slug: Slug
    options: types.AnyOptions = {}
    capacity: Annotated[int, Meta(ge=1, le=999)] | None = None
    buy_in: Annotated[int, Meta(ge=0, le=lobbies.BUY_IN_MAX)] = 0
    entropy: Entropy = ""


class Swap(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two seats that change places."""

    seats: tuple[SeatNumber, SeatNumber]


class Heir(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is to host."""

    user: UUID


class NewLine(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something to say, under an id of the caller's choice. The same id is said once, however often
    it is sent."""

    id: UUID
    text: Line


class Readiness(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether one is ready to start."""

    ready: bool


def _looked_up(user: User, lobby: UUID) -> models.Lobby:
    found = selectors.lobby_for(user, lobby)
    presence.see_asking(user.id, found)
    return found


def _seen(user: User, lobby: UUID) -> types.Lobby:
    return types.Lobby.of(_looked_up(user, lobby), user.id)


class Lobbies(APIView):
    @operation("list_lobbies", scope=Scope.READ)
    def get(self, request: Request, query: LobbyFilter) -> types.Page[types.Lobby]:
        """The lobbies that one may see, newest first: public ones and one's own."""
        user = person(request)
        found = page_of(query.narrow(selectors.lobbies_for(user), user), query)
        return types.Page(
            items=[types.Lobby.of(lobby, user.id) for lobby in found.rows], next=found.next
        )

    @operation(
        "create_lobby",
        "unknown_game",
        "wrong_capacity",
        "too_many_lobbies",
        "guests_cannot_stake",
        "bots_cannot_stake",
        "bots_not_admitted",
        "insufficient_funds",
        scope=Scope.LOBBY,
        status=201,
    )
    def post(self, request: Request, body: NewLobby) -> types.Lobby:
        """Open a lobby and take its first seat. From here on the hash of the seed is public."""
        user = person(request)
        return _seen(user, _with_options(lobbies.create, user, body).id)


def _with_options(
    service: Callable[..., models.Lobby], user: User, body: NewLobby | WantedTable
) -> models.Lobby:
    chosen: dict[str, Any] = msgspec.structs.asdict(body) | {"entropy": bytes.fromhex(body.entropy)}
    try:
        return service(user, **chosen)
    except msgspec.ValidationError as error:
        raise validation.malformed(error, "$.options") from error


class QuickMatch(APIView):
    @operation(
        "quick_match",
        "unknown_game",
        "wrong_capacity",
        "too_many_lobbies",
        "guests_cannot_stake",
        "bots_cannot_stake",
        "insufficient_funds",
        scope=Scope.LOBBY,
    )
    def post(self, request: Request, body: WantedTable) -> types.Lobby:
        """Sit down at a public table of this game with these options, or open one that starts when
        it is full.

        Asking again while one sits there changes nothing.
        """
        user = person(request)
        return _seen(user, _with_options(lobbies.quick_match, user, body).id)


class Lobby(APIView):
    @operation("get_lobby", scope=Scope.READ)
    def get(self, request: Request, lobby: UUID) -> types.Lobby:
        """One lobby."""
        return _seen(person(request), lobby)


class Join(APIView):
    @operation("join_lobby", *JOIN_PROBLEMS, scope=Scope.LOBBY)
    def post(self, request: Request, lobby: UUID, body: SitDown) -> types.Lobby:
        """Take the first free seat of a lobby that is not by invitation, and pay its buy-in.
        Joining again changes nothing."""
        user = person(request)
        lobbies.join(user, lobby, entropy=bytes.fromhex(body.entropy))
        return _seen(user, lobby)


class JoinByCode(APIView):
    throttle_scope = "invite"

    @operation("join_by_code", "not_found", *JOIN_PROBLEMS, scope=Scope.LOBBY)
    def post(self, request: Request, body: Invitation) -> types.Lobby:
        """Take the first free seat of the lobby with this invite code."""
        user = person(request)
        lobby = lobbies.join_by_code(
            user, body.invite_code.upper(), entropy=bytes.fromhex(body.entropy)
        )
        return _seen(user, lobby.id)


class Leave(APIView):
    @operation("leave_lobby", "lobby_not_open", scope=Scope.LOBBY, status=204)
    def post(self, request: Request, lobby: UUID) -> None:
        """Stand up and take the buy-in back. A host who leaves hands over; the last person closes
        the lobby."""
        lobbies.leave(person(request), lobby)


class Ready(APIView):
    @operation("set_ready", "lobby_not_open", scope=Scope.LOBBY)
    def put(self, request: Request, lobby: UUID, body: Readiness) -> types.Lobby:
        """Say whether one is ready to start."""
        user = person(request)
        lobbies.set_ready(user, lobby, ready=body.ready)
        return _seen(user, lobby)


class Bots(APIView):
    @operation(
        "add_bot",
        "not_the_host",
        "lobby_not_open",
        "lobby_full",
        "bots_cannot_stake",
        scope=Scope.LOBBY,
        status=201,
    )
    def post(self, request: Request, lobby: UUID) -> types.Lobby:
        """Sit a bot down, as the host."""
        user = person(request)
        lobbies.add_bot(user, lobby)
        return _seen(user, lobby)


class Seat(APIView):
    @operation("take_seat", "lobby_not_open", "seat_taken", scope=Scope.LOBBY)
    def put(self, request: Request, lobby: UUID, number: int) -> types.Lobby:
        """Move to this seat, which is free."""
        user = person(request)
        lobbies.take_seat(user, lobby, number)
        return _seen(user, lobby)

    @operation("remove_seat", "not_the_host", "lobby_not_open", scope=Scope.LOBBY, status=204)
    def delete(self, request: Request, lobby: UUID, number: int) -> None:
        """Send a bot or a person away, as the host. A buy-in goes back."""
        lobbies.remove_seat(person(request), lobby, number)


class Swapping(APIView):
    @operation("swap_seats", "not_the_host", "lobby_not_open", scope=Scope.LOBBY)
    def post(self, request: Request, lobby: UUID, body: Swap) -> types.Lobby:
        """Have two seats change places, as the host. One of them may be empty."""
        user = person(request)
        lobbies.swap_seats(user, lobby, *body.seats)
        return _seen(user, lobby)


class Host(APIView):
    @operation("hand_over", "not_the_host", "lobby_not_open", scope=Scope.LOBBY)
    def put(self, request: Request, lobby: UUID, body: Heir) -> types.Lobby:
        """Let another person who sits here host, as the host."""
        user = person(request)
        lobbies.hand_over(user, lobby, body.user)
        return _seen(user, lobby)


class Bans(APIView):
    @operation("list_bans", "not_the_host", scope=Scope.READ)
    def get(self, request: Request, lobby: UUID) -> list[types.BannedPerson]:
        """Whom one has banned as the host."""
        return [types.BannedPerson.of(ban) for ban in selectors.bans_in(lobby, person(request))]


class Ban(APIView):
    @operation(
        "ban",
        "not_the_host",
        "lobby_not_open",
        "too_many_barred",
        "forbidden",
        scope=Scope.LOBBY,
        status=204,
    )
    def put(self, request: Request, lobby: UUID, user: UUID) -> None:
        """Send a person away for good, as the host; or before they come. A buy-in goes back."""
        lobbies.ban(person(request), lobby, user)

    @operation("unban", "not_the_host", "lobby_not_open", scope=Scope.LOBBY, status=204)
    def delete(self, request: Request, lobby: UUID, user: UUID) -> None:
        """Let a person come again, as the host."""
        lobbies.unban(person(request), lobby, user)


class Mutes(APIView):
    @operation("list_mutes", "not_the_host", scope=Scope.READ)
    def get(self, request: Request, lobby: UUID) -> list[types.MutedPerson]:
        """Who may not talk, for the host."""
        return [types.MutedPerson.of(mute) for mute in selectors.mutes_in(lobby, person(request))]


class Mute(APIView):
    @operation(
        "mute", "not_the_host", "too_many_barred", "forbidden", scope=Scope.LOBBY, status=204
    )
    def put(self, request: Request, lobby: UUID, user: UUID) -> None:
        """Let a person talk no more, before the game, at it and after, as the host."""
        lobbies.mute(person(request), lobby, user)

    @operation("unmute", "not_the_host", "forbidden", scope=Scope.LOBBY, status=204)
    def delete(self, request: Request, lobby: UUID, user: UUID) -> None:
        """Let a person talk again, as the host, unless it was an operator who muted them."""
        lobbies.unmute(person(request), lobby, user)


class Events(APIView):
    @operation("list_room_events", scope=Scope.READ)
    def get(self, request: Request, lobby: UUID, query: AfterVersion) -> types.RoomEvents:
        """What happened in a room after a version of its lobby, and what was said, in order."""
        found = selectors.happened_in(_looked_up(person(request), lobby), query.after, query.limit)
        return types.RoomEvents(
            events=found, next_after=found[-1].version if found else query.after
        )


class Lines(APIView):
    @operation("say", *TALK_PROBLEMS, scope=Scope.LOBBY, status=201)
    def post(self, request: Request, lobby: UUID, body: NewLine) -> Happened:
        """Say something to everybody who may look into the room, before the game, at it and after.
        Without a seat one may where `spectators` may `talk`."""
        return lobbies.say(person(request), lobby, body.id, body.text)


class Rematch(APIView):
    @operation(
        "rematch",
        "spectators_only_watch",
        "game_not_ended",
        "rules_missing",
        "unknown_game",
        "too_many_lobbies",
        "lobby_not_open",
        "lobby_full",
        "banned",
        "guests_cannot_stake",
        "insufficient_funds",
        scope=Scope.LOBBY,
    )
    def post(self, request: Request, lobby: UUID, body: SitDown) -> types.Lobby:
        """Play again at the same table, when the game has ended.

        Whoever asks first opens a lobby with the same choices and hosts it; others who ask sit down
        there, in the seats that are kept for them for a while. Asking again changes nothing."""
        user = person(request)
        return _seen(user, lobbies.rematch(user, lobby, entropy=bytes.fromhex(body.entropy)).id)


class Start(APIView):
    @operation(
        "start_game",
        "not_the_host",
        "lobby_not_open",
        "not_ready",
        "wrong_number_of_seats",
        scope=Scope.LOBBY,
        status=201,
    )
    def post(self, request: Request, lobby: UUID) -> types.Game:
        """Turn the lobby into a running game, as the host."""
        user = person(request)
        game = lobbies.start(user, lobby)
        return types.Game.of(selectors.game_for(user, game.id), user)
