"""Lobbies: open one, sit down, get ready, start."""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts import strict
from accounts.models import User
from accounts.rest import AddressThrottle, operation, person
from accounts.strict import Body, OneLine
from accounts.tokens import Scope
from games import lobbies, selectors
from games.api import answers
from games.filters import LobbyFilter, Slug
from games.paging import page_of

Entropy = Annotated[str, Meta(max_length=2 * lobbies.ENTROPY_MAX, pattern=r"^([0-9a-fA-F]{2})*$")]
"""One's own part of the game's luck: up to 32 bytes, in hex."""

Weight = Annotated[int, Meta(ge=1, le=1000)]


class SitDown(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one takes a seat."""

    entropy: Entropy = ""


class Invitation(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one takes a seat where one was invited."""

    invite_code: Annotated[str, Meta(pattern=r"^[0-9A-Za-z]{1,12}$")]
    entropy: Entropy = ""


class NewLobby(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a host chooses. `prizes` weighs the ranks among which the buy-ins are shared; without `capacity`, the most that
    the game seats.
    """

    slug: Slug
    options: answers.AnyOptions = {}
    title: Annotated[OneLine, Meta(max_length=60)] = ""
    visibility: Literal["public", "invite"] = "public"
    capacity: Annotated[int, Meta(ge=1, le=999)] | None = None
    buy_in: Annotated[int, Meta(ge=0, le=lobbies.BUY_IN_MAX)] = 0
    prizes: Annotated[tuple[Weight, ...], Meta(min_length=1, max_length=20)] = (100,)
    entropy: Entropy = ""


class Readiness(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether one is ready to start."""

    ready: bool


def _seen(user: User, lobby: UUID) -> answers.Lobby:
    return answers.Lobby.of(selectors.lobby_for(user, lobby), user.id)


class Lobbies(APIView):
    @operation("list_lobbies", scope=Scope.READ)
    def get(self, request: Request, query: LobbyFilter) -> answers.Page[answers.Lobby]:
        """The lobbies that one may see, newest first: public ones and one's own."""
        user = person(request)
        found = page_of(query.narrow(selectors.lobbies_for(user), user), query)
        return answers.Page(items=[answers.Lobby.of(lobby, user.id) for lobby in found.rows], next=found.next)

    @operation(
        "create_lobby",
        "unknown_game",
        "wrong_capacity",
        "guests_cannot_stake",
        "insufficient_funds",
        scope=Scope.LOBBY,
        status=201,
    )
    def post(self, request: Request, body: NewLobby) -> answers.Lobby:
        """Open a lobby and take its first seat. From here on the hash of the seed is public."""
        user = person(request)
        chosen: dict[str, Any] = msgspec.structs.asdict(body) | {"entropy": bytes.fromhex(body.entropy)}
        try:
            lobby = lobbies.create(user, **chosen)
        except msgspec.ValidationError as error:
            raise strict.malformed(error, "$.options") from error
        return _seen(user, lobby.id)


class Lobby(APIView):
    @operation("get_lobby", scope=Scope.READ)
    def get(self, request: Request, lobby: UUID) -> answers.Lobby:
        """One lobby."""
        return _seen(person(request), lobby)


class Join(APIView):
    @operation("join_lobby", "lobby_not_open", "lobby_full", "guests_cannot_stake", "insufficient_funds", scope=Scope.LOBBY)
    def post(self, request: Request, lobby: UUID, body: SitDown) -> answers.Lobby:
        """Take the first free seat of a public lobby, and pay its buy-in. Joining again changes nothing."""
        user = person(request)
        lobbies.join(user, lobby, entropy=bytes.fromhex(body.entropy))
        return _seen(user, lobby)


class JoinByCode(APIView):
    throttle_classes = (AddressThrottle,)
    throttle_scope = "invite"

    @operation(
        "join_by_code",
        "not_found",
        "lobby_not_open",
        "lobby_full",
        "guests_cannot_stake",
        "insufficient_funds",
        scope=Scope.LOBBY,
    )
    def post(self, request: Request, body: Invitation) -> answers.Lobby:
        """Take the first free seat of the lobby with this invite code."""
        user = person(request)
        lobby = lobbies.join_by_code(user, body.invite_code.upper(), entropy=bytes.fromhex(body.entropy))
        return _seen(user, lobby.id)


class Leave(APIView):
    @operation("leave_lobby", "lobby_not_open", scope=Scope.LOBBY, status=204)
    def post(self, request: Request, lobby: UUID) -> None:
        """Stand up and take the buy-in back. A host who leaves hands over; the last person closes the lobby."""
        lobbies.leave(person(request), lobby)


class Ready(APIView):
    @operation("set_ready", "lobby_not_open", scope=Scope.LOBBY)
    def put(self, request: Request, lobby: UUID, body: Readiness) -> answers.Lobby:
        """Say whether one is ready to start."""
        user = person(request)
        lobbies.set_ready(user, lobby, ready=body.ready)
        return _seen(user, lobby)


class Bots(APIView):
    @operation("add_bot", "not_the_host", "lobby_not_open", "lobby_full", "bots_cannot_stake", scope=Scope.LOBBY, status=201)
    def post(self, request: Request, lobby: UUID) -> answers.Lobby:
        """Sit a bot down, as the host."""
        user = person(request)
        lobbies.add_bot(user, lobby)
        return _seen(user, lobby)


class Seat(APIView):
    @operation("remove_seat", "not_the_host", "lobby_not_open", scope=Scope.LOBBY, status=204)
    def delete(self, request: Request, lobby: UUID, number: int) -> None:
        """Send a bot or a person away, as the host. A buy-in goes back."""
        lobbies.remove_seat(person(request), lobby, number)


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
    def post(self, request: Request, lobby: UUID) -> answers.Game:
        """Turn the lobby into a running game, as the host."""
        user = person(request)
        game = lobbies.start(user, lobby)
        return answers.Game.of(selectors.game_for(user, game.id), user)
