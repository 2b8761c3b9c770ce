"""Lobbies: create, join, configure, chat, start and rematch."""

from typing import Annotated, Any, Final, TypeVar
from uuid import UUID

from django.db.models import QuerySet
from msgspec import Meta

from accounts.models import User
from accounts.tokens import Caller, Scope
from games import lobbies, models
from games.api import types
from games.api.operations.games import AfterVersion
from games.api.operations.lists import row_list
from games.api.sockets.frames import MESSAGE_PROBLEMS, MessageText
from games.live import presence
from games.lobbies import LobbyChoices, TableChoices
from games.proofs.commitments import commitments_of
from games.reads.changes import LobbyEvent, lobby_events_in
from games.reads.filters import LobbyFilter, SeatNumber
from games.reads.lobbies import (
    as_changed,
    bans_in,
    lobbies_for,
    lobby_for,
    mutes_in,
    room_for,
)
from games.reads.lobby_events import Audience
from kit.operations import operation
from kit.validation import Body, Query
from railbird_engine.kernel.chain import Bytes64

Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
"""32 bytes in hex."""

TERMS_PROBLEMS: Final = (
    *("prizes_rise", "forfeit_required", "unfit_for_coins"),
    *("pace_not_offered", "limit_not_slow", "vacations_need_slow_pace"),
)
JOIN_PROBLEMS: Final = (
    "lobby_not_open",
    "lobby_full",
    "banned",
    "bots_not_admitted",
    "guests_cannot_stake",
    "email_required",
    "bots_cannot_stake",
    "insufficient_funds",
)


Chosen = TypeVar("Chosen", bound=TableChoices)


class SitDown(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a seat. With `commits`, you will commit to entropy, and the start waits for
    it."""

    commits: bool = False


class Invitation(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for a seat by invite code. `commits` as in SitDown."""

    invite_code: Annotated[str, Meta(pattern=r"^[0-9A-Za-z]{1,12}$(?!\n)")]
    commits: bool = False


class NewLobby(LobbyChoices, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of a host. `prizes` weighs the ranks that share the buy-ins, best first; weights
    never rise. Without `capacity`, the lobby seats as many as the game allows.

    An unlisted lobby is open to all who know its id, an invite-only one to those who know its code.
    Spectators see nothing (`none`), may `watch`, or may also `chat`. Free seats are filled by bots
    after `bots_after_s`; bot users, which are programs of users, may join if `admits_bot_users`.
    With `start_when_full` the game starts by itself, and players are ready when they sit down. When
    the game awaits a player who was gone for `absence_s`, it will `wait`; or a `bot` plays until
    they return; or a bot plays to the end and the seat will `forfeit` its share of the buy-ins. The
    default, null, is `forfeit` with a buy-in, which allows nothing else, and `wait` without one.

    A game of the `slow` pace is played over days: the options limit each decision to between an
    hour and 14 days (`x-presets` in their schema), nobody needs to be present, seats last until
    they are left, and a player is absent whose own time has passed. With `vacations`, time does not
    pass while all whom the game awaits are on vacation.

    `id` is chosen by the client: requests with the same id create one lobby. `commits` as in
    SitDown.
    """

    id: UUID | None = None
    commits: bool = False


class WantedTable(TableChoices, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game to find or create. Without `capacity`, any will do, and a new lobby has up to four
    seats, or as few as the game allows. With a buy-in, `prizes`, `absence` and `absence_s` are
    compared as well.

    `id` is chosen by the client: requests with the same id are carried out once. `commits` as in
    SitDown.
    """

    id: UUID | None = None
    commits: bool = False


class Swap(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two seats to swap."""

    seats: tuple[SeatNumber, SeatNumber]


class NewHost(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The user who becomes the host."""

    user: UUID


class NewMessage(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A chat message under an id chosen by the client. A message with the same id is sent once.
    With the audience `team`, only those who play in your team now receive it."""

    id: UUID
    text: MessageText
    audience: Audience = "everyone"


class NewCommitment(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Your commitment to 32 random bytes of entropy: SHA-256 over `entropy`, a zero byte, the hash
    of the lobby's opening (`opened`), the number of your seat in 2 bytes, and the entropy.

    With a `key` (Ed25519), you sign every command of the game, and the seat first: `signature` is
    that of the text on the page on formats."""

    opened: Hash
    commitment: Hash
    key: Hash | None = None
    signature: Bytes64 | None = None


class Readiness(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether you are ready to start."""

    ready: bool


class NewReveal(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The entropy to which you have committed. `committed` is the hash of the log entry with all
    commitments, which you have checked before."""

    committed: Hash
    entropy: Hash


class SinceSize(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of log entries in the newest checkpoint that you know."""

    since: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


def _looked_up(user: User, lobby: UUID) -> models.Lobby:
    found = lobby_for(user, lobby)
    presence.record_lobby_request(user.id, found)
    return found


def _changed(user: User, lobby: models.Lobby) -> types.Lobby:
    """Return the lobby after a change."""
    presence.record_lobby_request(user.id, as_changed(lobby))
    return types.Lobby.of(lobby, user.id)


LOBBY_ORDER: Final = {"created_at": "created_at", "buy_in": "buy_in", "capacity": "capacity"}


@row_list(
    "list_lobbies",
    types.Lobby,
    lambda lobby, user: types.Lobby.of(lobby, user.id),
    order=LOBBY_ORDER,
    is_live=True,
)
def list_lobbies(caller: Caller, query: LobbyFilter) -> QuerySet[models.Lobby]:
    """List public lobbies and your own, newest first."""
    return query.narrow(lobbies_for(caller.user), caller.user)


@operation(
    "create_lobby",
    "unknown_game",
    "wrong_capacity",
    *TERMS_PROBLEMS,
    "too_many_lobbies",
    "guests_cannot_stake",
    "email_required",
    "bots_cannot_stake",
    "bots_not_admitted",
    "insufficient_funds",
    "request_id_reused",
    scope=Scope.LOBBY,
    status=201,
)
def create_lobby(caller: Caller, body: NewLobby) -> types.Lobby:
    """Create a lobby and take its first seat. From now on the hash of the game's seed is
    public."""
    lobby = lobbies.create(
        caller.user, _choices(body, LobbyChoices), commits=body.commits, request=body.id
    )
    return _changed(caller.user, lobby)


def _choices(body: Any, kind: type[Chosen]) -> Chosen:
    """Return the choices of a request, without its id and `commits`."""
    return kind(**{name: getattr(body, name) for name in kind.__struct_fields__})


@operation(
    "quick_match",
    "unknown_game",
    "wrong_capacity",
    *TERMS_PROBLEMS,
    "too_many_lobbies",
    "guests_cannot_stake",
    "email_required",
    "bots_cannot_stake",
    "insufficient_funds",
    "request_id_reused",
    "busy",
    scope=Scope.LOBBY,
)
def quick_match(caller: Caller, body: WantedTable) -> types.Lobby:
    """Join a public lobby of this game with these options, or create one that starts when it is
    full.

    A repeated request while you sit there returns the same lobby.
    """
    lobby = lobbies.quick_match(
        caller.user, _choices(body, TableChoices), commits=body.commits, request=body.id
    )
    return _changed(caller.user, lobby)


@operation("get_lobby", scope=Scope.READ)
def get_lobby(caller: Caller, lobby: UUID) -> types.Lobby:
    """Get one lobby."""
    return types.Lobby.of(_looked_up(caller.user, lobby), caller.user.id)


@operation("join_lobby", *JOIN_PROBLEMS, scope=Scope.LOBBY)
def join_lobby(caller: Caller, lobby: UUID, body: SitDown) -> types.Lobby:
    """Take the first free seat of a lobby that is not by invitation, and pay its buy-in.
    Joining again changes nothing."""
    user = caller.user
    return _changed(user, lobbies.join(user, lobby, commits=body.commits))


@operation("join_by_code", "not_found", *JOIN_PROBLEMS, scope=Scope.LOBBY, policy="invite")
def join_by_code(caller: Caller, body: Invitation) -> types.Lobby:
    """Take the first free seat of the lobby with this invite code."""
    user = caller.user
    lobby = lobbies.join_by_code(user, body.invite_code.upper(), commits=body.commits)
    return _changed(user, lobby)


@operation("leave_lobby", "lobby_not_open", scope=Scope.LOBBY, status=204, is_keyed=True)
def leave_lobby(caller: Caller, lobby: UUID) -> None:
    """Leave a lobby and get the buy-in back. When the host leaves, another player becomes the
    host; the lobby closes with its last player."""
    lobbies.leave(caller.user, lobby)


@operation("commit", "lobby_not_open", "attempt_over", "signature_refused", scope=Scope.LOBBY)
def commit(caller: Caller, lobby: UUID, body: NewCommitment) -> types.Lobby:
    """Commit to entropy, which nobody knows before the start.

    After a start that was abandoned, the lobby has another `opening`, to which everybody commits
    again.
    """
    said = lobbies.Commitment(
        opened=bytes.fromhex(body.opened),
        commitment=bytes.fromhex(body.commitment),
        key=None if body.key is None else bytes.fromhex(body.key),
        signature=None if body.signature is None else bytes.fromhex(body.signature),
    )
    return _changed(caller.user, lobbies.commit(caller.user, lobby, said))


@operation("get_commitments", "attempt_over", "not_sealed", "malformed", scope=Scope.LOBBY)
def get_commitments(caller: Caller, lobby: UUID, query: SinceSize) -> types.Commitments:
    """Get the log entry with all seats and commitments of a start, with its proof.

    Check it, and store it, before you reveal your entropy.
    """
    found = _looked_up(caller.user, lobby)
    return types.Commitments.of(commitments_of(found, caller.user.id, since=query.since))


@operation(
    "reveal",
    "lobby_not_open",
    "attempt_over",
    "not_sealed",
    "commitment_required",
    "wrong_entropy",
    scope=Scope.LOBBY,
)
def reveal(caller: Caller, lobby: UUID, body: NewReveal) -> types.Lobby:
    """Reveal your entropy, once the log has all commitments. `your_reveal` of the response is the
    signed receipt of it."""
    committed, entropy = bytes.fromhex(body.committed), bytes.fromhex(body.entropy)
    user = caller.user
    return _changed(user, lobbies.reveal(user, lobby, committed=committed, entropy=entropy))


@operation("set_ready", "lobby_not_open", scope=Scope.LOBBY)
def set_ready(caller: Caller, lobby: UUID, body: Readiness) -> types.Lobby:
    """Set whether you are ready to start."""
    user = caller.user
    return _changed(user, lobbies.set_ready(user, lobby, ready=body.ready))


@operation(
    "add_bot",
    "not_the_host",
    "lobby_not_open",
    "lobby_full",
    "bots_cannot_stake",
    scope=Scope.LOBBY,
    status=201,
    is_keyed=True,
)
def add_bot(caller: Caller, lobby: UUID) -> types.Lobby:
    """Add a bot to a free seat (host only)."""
    user = caller.user
    return _changed(user, lobbies.add_bot(user, lobby))


@operation("take_seat", "lobby_not_open", "seat_taken", scope=Scope.LOBBY)
def take_seat(caller: Caller, lobby: UUID, number: int) -> types.Lobby:
    """Move to this seat, which must be free."""
    user = caller.user
    return _changed(user, lobbies.take_seat(user, lobby, number))


@operation("take_colour", "lobby_not_open", "colour_taken", "rules_missing", scope=Scope.LOBBY)
def take_colour(caller: Caller, lobby: UUID, colour: int) -> types.Lobby:
    """Give your seat this colour: a place in `seat_colours` of the game's book. A bot that has it
    gets yours."""
    user = caller.user
    return _changed(user, lobbies.take_colour(user, lobby, colour))


@operation("remove_seat", "not_the_host", "lobby_not_open", scope=Scope.LOBBY, status=204)
def remove_seat(caller: Caller, lobby: UUID, number: int) -> None:
    """Remove a bot or a player from a seat (host only). The buy-in is returned."""
    lobbies.remove_seat(caller.user, lobby, number)


@operation("swap_seats", "not_the_host", "lobby_not_open", scope=Scope.LOBBY, is_keyed=True)
def swap_seats(caller: Caller, lobby: UUID, body: Swap) -> types.Lobby:
    """Swap two seats (host only). One of them may be empty."""
    user = caller.user
    return _changed(user, lobbies.swap_seats(user, lobby, *body.seats))


@operation("hand_over", "not_the_host", "lobby_not_open", scope=Scope.LOBBY)
def hand_over(caller: Caller, lobby: UUID, body: NewHost) -> types.Lobby:
    """Make another player of this lobby its host (host only)."""
    user = caller.user
    return _changed(user, lobbies.hand_over(user, lobby, body.user))


@operation("list_bans", "not_the_host", scope=Scope.READ)
def list_bans(caller: Caller, lobby: UUID) -> list[types.BannedUser]:
    """List the users that you banned from this lobby (host only)."""
    return [types.BannedUser.of(ban) for ban in bans_in(lobby, caller.user)]


@operation(
    "ban",
    "not_the_host",
    "lobby_not_open",
    "too_many_barred",
    "forbidden",
    scope=Scope.LOBBY,
    status=204,
)
def ban(caller: Caller, lobby: UUID, user: UUID) -> None:
    """Ban a user from this lobby, whether or not they sit in it (host only). The buy-in is
    returned. During the game, hosts can ban spectators, who then see nothing more of it."""
    lobbies.ban(caller.user, lobby, user)


@operation("unban", "not_the_host", "lobby_not_open", scope=Scope.LOBBY, status=204)
def unban(caller: Caller, lobby: UUID, user: UUID) -> None:
    """Lift a ban (host only)."""
    lobbies.unban(caller.user, lobby, user)


@operation("list_mutes", "not_the_host", scope=Scope.READ)
def list_mutes(caller: Caller, lobby: UUID) -> list[types.MutedUser]:
    """List the users who are muted in this lobby (host only)."""
    return [types.MutedUser.of(mute) for mute in mutes_in(lobby, caller.user)]


@operation("mute", "not_the_host", "too_many_barred", "forbidden", scope=Scope.LOBBY, status=204)
def mute(caller: Caller, lobby: UUID, user: UUID) -> None:
    """Mute a user in this lobby: before, during and after its game (host only)."""
    lobbies.mute(caller.user, lobby, user)


@operation("unmute", "not_the_host", "forbidden", scope=Scope.LOBBY, status=204)
def unmute(caller: Caller, lobby: UUID, user: UUID) -> None:
    """Unmute a user in this lobby (host only). An operator's mute is lifted by an operator."""
    lobbies.unmute(caller.user, lobby, user)


@operation("list_lobby_events", scope=Scope.READ)
def list_lobby_events(caller: Caller, lobby: UUID, query: AfterVersion) -> types.LobbyEvents:
    """List lobby events and chat messages after a version, oldest first."""
    room = room_for(caller.user, lobby)
    presence.record_lobby_request(caller.user.id, room)
    found = lobby_events_in(room, query.after, query.limit, caller.user.id)
    return types.LobbyEvents(events=found, next_after=found[-1].version if found else query.after)


@operation("send_message", *MESSAGE_PROBLEMS, scope=Scope.LOBBY, status=201)
def send_message(caller: Caller, lobby: UUID, body: NewMessage) -> LobbyEvent:
    """Send a chat message to all who can see the lobby, or to your team. Spectators may if
    `spectators` is `chat`."""
    return lobbies.send_message(caller.user, lobby, body.id, body.text, audience=body.audience)


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
    "email_required",
    "insufficient_funds",
    scope=Scope.LOBBY,
)
def rematch(caller: Caller, lobby: UUID, body: SitDown) -> types.Lobby:
    """Play again with the same table, after the game has ended.

    The first request creates a lobby with the same choices, hosted by its sender. Later
    requests of other players take the seats that are reserved for them there. Repeating a
    request changes nothing.
    """
    user = caller.user
    return _changed(user, lobbies.rematch(user, lobby, commits=body.commits))


@operation(
    "start_game",
    "not_the_host",
    "lobby_not_open",
    "not_ready",
    "commitments_awaited",
    "wrong_number_of_seats",
    "seed_key_missing",
    scope=Scope.LOBBY,
    status=201,
    is_keyed=True,
)
def start_game(caller: Caller, lobby: UUID) -> types.Start:
    """Start the game of this lobby (host only).

    If players add entropy, the seats are frozen, and the game starts once all have revealed it.
    """
    return types.Start.of(lobbies.start(caller.user, lobby))
