"""Seats of a lobby: joining, leaving, readiness, bots, bans.

Each function runs in one transaction that locks the lobby's row.
"""

from contextlib import suppress
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction

from accounts.models import User
from games.lobbies.access import (
    changeable_lobby,
    check_changeable,
    check_few,
    hosted_lobby,
    locked,
    open_lobby,
    record,
    seat_of,
)
from games.lobbies.attempts import (
    abandon_start,
    close_attempt,
    ended_starts,
    set_stage,
    terms_of,
)
from games.lobbies.money import return_buy_in, take_buy_in
from games.lobbies.reservations import drop, number_for, release
from games.lobbies.starting import start_if_full
from games.models import OPEN_STATUSES, Ban, Lobby, Seat
from games.reads.lobbies import may_see
from games.reads.lobby_events import (
    Banned,
    ColourChanged,
    Departure,
    EntropyCommitted,
    HostChanged,
    LobbyClosed,
    ReadyChanged,
    SeatLeft,
    SeatsSwapped,
    SeatTaken,
    Unbanned,
)
from games.store import seeds
from games.store.registry import book_of, rules_for
from kit import event_loop, pubsub, rate_limits
from kit.problems import Problem
from kit.signature_checker import Check
from railbird_engine.kernel import chain

BOT_NAMES: Final = (
    *("Ada", "Blaise", "Carl", "Daniel", "Emmy"),
    *("Fermat", "Gerolamo", "Henri", "Isaac", "Jakob"),
)


def join(user: User, lobby_id: UUID, *, commits: bool = False) -> Lobby:
    """Take the seat reserved for the user, or the first free seat of a lobby without invitation.

    Joining again changes nothing. Raises Problem `not_found`, `lobby_not_open`, `lobby_full`,
    `banned`, `bots_not_admitted`, `guests_cannot_stake`, `bots_cannot_stake`, `insufficient_funds`,
    and `too_many_requests` for a user who ended starts.
    """
    with transaction.atomic():
        lobby = locked(lobby_id)
        if not may_see(user.id, lobby):
            raise Problem("not_found", what="lobby")
        sit_unless_seated(lobby, user, commits=commits)
    return lobby


def join_by_code(user: User, invite_code: str, *, commits: bool = False) -> Lobby:
    """Take the first free seat of the lobby with this invite code. Raises as `join`."""
    lobby_id = Lobby.objects.filter(invite_code=invite_code).values_list("id", flat=True).first()
    if lobby_id is None:
        raise Problem("not_found", what="lobby")
    with transaction.atomic():
        lobby = locked(lobby_id)
        sit_unless_seated(lobby, user, commits=commits)
    return lobby


def leave(user: User, lobby_id: UUID) -> Lobby:
    """Leave the seat and return the buy-in, or decline a reserved seat.

    When the host leaves, the next user becomes host; when the last user leaves, the lobby closes.
    Raises Problem `not_found`, `lobby_not_open`.
    """
    with transaction.atomic():
        lobby = open_lobby(lobby_id)
        kept = number_for(lobby, user.id)
        if kept is not None:
            release(lobby, kept)
        else:
            empty_seat(lobby, seat_of(lobby, user), "left", by=user)
    return lobby


def leave_all(user: User) -> None:
    """Remove a user from every open lobby, and return their buy-ins."""
    seated = Lobby.objects.filter(status__in=OPEN_STATUSES, seats__user=user)
    for lobby_id in seated.order_by("id").values_list("id", flat=True):
        # A lobby that starts meanwhile has become a game, whose history keeps the seat.
        with suppress(Problem):
            leave(user, lobby_id)


class Commitment(NamedTuple):
    """A commitment to entropy, for the attempt to start with this `opened` entry. A player who
    signs commands has a `key`, and signed the seat with it."""

    opened: bytes
    commitment: bytes
    key: bytes | None = None
    signature: bytes | None = None

    def check(self, place: int, *, needs_key: bool) -> None:
        """Check the signature for a seat with this number. Raises Problem `signature_refused`."""
        if self.key is None and self.signature is None:
            if needs_key:
                raise Problem("signature_refused", reason="missing")
            return
        if self.key is not None and self.signature is not None and chain.is_key(self.key):
            text = chain.seat_text(self.opened.hex(), place, self.key.hex(), self.commitment.hex())
            if Check(self.key, text, self.signature).is_right():
                return
        raise Problem("signature_refused", reason="wrong")


def commit(user: User, lobby_id: UUID, said: Commitment) -> Lobby:
    """Commit the user's seat to entropy.

    Raises Problem `not_found`, `lobby_not_open`, `attempt_over`, `signature_refused`.
    """
    with transaction.atomic():
        lobby = open_lobby(lobby_id)
        seat = seat_of(lobby, user)
        if chain.entry_hash(chain.opened_entry(terms_of(lobby))) != said.opened:
            raise Problem("attempt_over")
        if (seat.commitment, seat.key) == (said.commitment, said.key):
            return lobby
        check_changeable(lobby)
        said.check(seat.number, needs_key=lobby.keys)
        seat.commits, seat.commitment = True, said.commitment
        seat.key, seat.signature = said.key, said.signature
        seat.save(update_fields=["commits", "commitment", "key", "signature"])
        record(lobby, EntropyCommitted(seat=seat.number, commitment=said.commitment.hex()))
        start_if_full(lobby)
    return lobby


def set_ready(user: User, lobby_id: UUID, *, ready: bool) -> Lobby:
    """Set whether the user is ready to start. Raises Problem `not_found`, `lobby_not_open`."""
    with transaction.atomic():
        lobby = open_lobby(lobby_id)
        seat = seat_of(lobby, user)
        if seat.ready != ready:
            check_changeable(lobby)
            seat.ready = ready
            seat.save(update_fields=["ready"])
            record(lobby, ReadyChanged(seat=seat.number, ready=ready))
            start_if_full(lobby)
    return lobby


def add_bot(host: User, lobby_id: UUID) -> Lobby:
    """Seat a bot (host only).

    Raises Problem `not_found`, `not_the_host`, `lobby_not_open`, `lobby_full`, `bots_cannot_stake`.
    """
    with transaction.atomic():
        lobby = changeable_lobby(lobby_id, host)
        if lobby.buy_in:
            raise Problem("bots_cannot_stake")
        sit_bot(lobby, _free_number(lobby))
        start_if_full(lobby)
    return lobby


def sit_bot(lobby: Lobby, number: int, colour: int | None = None) -> None:
    """Seat a bot on this free seat of a locked lobby, with this colour if it is free."""
    taken = set(Seat.objects.filter(lobby=lobby).values_list("bot_name", flat=True))
    name = next((name for name in BOT_NAMES if name not in taken), f"Bot {number}")
    colour = _free_colour(lobby, number if colour is None else colour)
    Seat.objects.create(lobby=lobby, number=number, colour=colour, bot_name=name, ready=True)
    record(lobby, SeatTaken(seat=number, user=None))


def fill_with_bots(lobby: Lobby) -> None:
    """Fill all free seats of a locked lobby with bots."""
    lobby.bots_due_at = None
    lobby.save(update_fields=["bots_due_at"])
    taken = set(Seat.objects.filter(lobby=lobby).values_list("number", flat=True))
    for number in set(range(lobby.capacity)) - taken - lobby.held.keys():
        sit_bot(lobby, number)
    start_if_full(lobby)


def remove_seat(host: User, lobby_id: UUID, number: int) -> Lobby:
    """Remove a player or bot from a seat, or drop the seat's reservation (host only).

    Raises Problem `not_found`, `not_the_host`, `lobby_not_open`, and `too_many_requests` for a host
    who would end another start after the freeze.
    """
    with transaction.atomic():
        lobby = open_lobby(lobby_id, host)
        seat = Seat.objects.filter(lobby=lobby, number=number).first()
        if seat is not None:
            _check_may_end(lobby, host)
            empty_seat(lobby, seat, "kicked", by=host)
        elif number in lobby.held:
            release(lobby, number)
        else:
            raise Problem("not_found", what="seat")
    return lobby


def _check_may_end(lobby: Lobby, host: User) -> None:
    """Check that a host has not ended too many starts: a host who removes players keeps the own
    seat. Raises Problem `too_many_requests`."""
    if lobby.status == Lobby.Status.STARTING:
        for ended in ended_starts(lobby, host):
            rate_limits.check(ended)


def take_seat(user: User, lobby_id: UUID, number: int) -> Lobby:
    """Move to a free seat. Raises Problem `not_found`, `lobby_not_open`, `seat_taken`."""
    with transaction.atomic():
        lobby = changeable_lobby(lobby_id)
        seat = seat_of(lobby, user)
        if number != seat.number:
            if number in lobby.held or Seat.objects.filter(lobby=lobby, number=number).exists():
                raise Problem("seat_taken", seat=number)
            _swap(lobby, seat.number, number)
    return lobby


def swap_seats(host: User, lobby_id: UUID, one: int, other: int) -> Lobby:
    """Swap two seats, one of which may be empty (host only).

    Raises Problem `not_found`, `not_the_host`, `lobby_not_open`.
    """
    with transaction.atomic():
        lobby = changeable_lobby(lobby_id, host)
        if one != other:
            _swap(lobby, one, other)
    return lobby


def _swap(lobby: Lobby, one: int, other: int) -> None:
    seats = list(Seat.objects.filter(lobby=lobby, number__in=(one, other)))
    kept = lobby.held.keys() & {one, other}
    if not (seats or kept) or max(one, other) >= lobby.capacity:
        raise Problem("not_found", what="seat")
    for seat in seats:
        seat.number = other if seat.number == one else one
        seat.commitment = seat.key = seat.signature = None
    # Both seats have the same number for a moment; PostgreSQL checks the constraint at commit.
    Seat.objects.bulk_update(seats, ["number", "commitment", "key", "signature"])
    if kept:
        held = lobby.held_for
        held[one], held[other] = held[other], held[one]
        lobby.save(update_fields=["held_for"])
    record(lobby, SeatsSwapped(seats=(one, other)))
    lobby.starts_by = None  # they have as long as others to commit again
    start_if_full(lobby)


def take_colour(user: User, lobby_id: UUID, colour: int) -> Lobby:
    """Give the user's seat a colour of the game's book. A bot that has it gets the user's.

    Raises Problem `not_found`, `lobby_not_open`, `colour_taken`, `rules_missing`.
    """
    with transaction.atomic():
        lobby = open_lobby(lobby_id)
        seat = seat_of(lobby, user)
        rules, _ = rules_for(terms_of(lobby))
        if colour >= len(book_of(rules).seat_colours):
            raise Problem("not_found", what="colour")
        other = Seat.objects.filter(lobby=lobby, colour=colour).exclude(id=seat.id).first()
        if other is not None and other.user_id is not None:
            raise Problem("colour_taken", colour=colour)
        changed = [(seat, colour)] if other is None else [(seat, colour), (other, seat.colour)]
        if colour != seat.colour:
            for one, new in changed:
                one.colour = new
                one.save(update_fields=["colour"])  # the constraint is checked at commit
                record(lobby, ColourChanged(seat=one.number, colour=new))
    return lobby


def _free_colour(lobby: Lobby, wanted: int) -> int:
    """Return this colour or, if another seat has it, the first free one."""
    taken = set(Seat.objects.filter(lobby=lobby).values_list("colour", flat=True))
    free = (colour for colour in range(lobby.capacity) if colour not in taken)
    return next(free) if wanted in taken else wanted


def hand_over(host: User, lobby_id: UUID, user_id: UUID) -> Lobby:
    """Make another seated user the host (host only).

    Raises Problem `not_found`, `not_the_host`, `lobby_not_open`.
    """
    with transaction.atomic():
        lobby = open_lobby(lobby_id, host)
        heir = Seat.objects.filter(lobby=lobby, user=user_id).select_related("user").first()
        if heir is None:
            raise Problem("not_found", what="user")
        if user_id != host.id:
            _hand_over(lobby, heir)
    return lobby


def _hand_over(lobby: Lobby, heir: Seat) -> None:
    assert heir.user is not None, "a bot cannot be host"
    lobby.host = heir.user
    lobby.save(update_fields=["host"])
    record(lobby, HostChanged(user=heir.user.id))


BANNED: Final = "bans"
"""The pub/sub group that announces a new ban."""


def _lobby_with_bans(lobby_id: UUID, host: User) -> Lobby:
    """Lock a lobby that has not closed, for its host. Raises as `ban`."""
    lobby = hosted_lobby(lobby_id, host)
    if lobby.status == Lobby.Status.CLOSED:
        raise Problem("lobby_not_open", status=lobby.status)
    return lobby


def ban(host: User, lobby_id: UUID, user_id: UUID) -> Lobby:
    """Ban a user permanently, seated or not (host only). It also ends watching the game.

    Raises Problem `not_found`, `not_the_host`, `lobby_not_open` for a closed lobby and for players
    of a game that has started, `too_many_barred`, `forbidden` for the host, and as `remove_seat`.
    """
    with transaction.atomic():
        lobby = _lobby_with_bans(lobby_id, host)
        if user_id == host.id:
            raise Problem("forbidden")
        if not User.objects.filter(id=user_id).exists():
            raise Problem("not_found", what="user")
        _, is_new = lobby.bans.get_or_create(user_id=user_id)
        if is_new:
            check_few(lobby.bans.all())
            record(lobby, Banned(user=user_id))
        kept = number_for(lobby, user_id)
        if kept is not None:
            release(lobby, kept)
        seat = Seat.objects.filter(lobby=lobby, user=user_id).first()
        if seat is not None and not lobby.is_open:
            raise Problem("lobby_not_open", status=lobby.status)
        if seat is not None:
            _check_may_end(lobby, host)
            empty_seat(lobby, seat, "banned", by=host)
        transaction.on_commit(lambda: event_loop.call(pubsub.publish(BANNED, {})), robust=True)
    return lobby


def unban(host: User, lobby_id: UUID, user_id: UUID) -> Lobby:
    """Lift a ban (host only). Raises Problem `not_found`, `not_the_host`, `lobby_not_open`."""
    with transaction.atomic():
        lobby = _lobby_with_bans(lobby_id, host)
        lifted, _ = lobby.bans.filter(user=user_id).delete()
        if lifted:
            record(lobby, Unbanned(user=user_id))
    return lobby


def _free_number(lobby: Lobby) -> int:
    taken = (
        set(Seat.objects.filter(lobby=lobby).values_list("number", flat=True)) | lobby.held.keys()
    )
    free = next((number for number in range(lobby.capacity) if number not in taken), None)
    if free is None:
        raise Problem("lobby_full", capacity=lobby.capacity)
    return free


def sit(lobby: Lobby, user: User, *, commits: bool) -> None:
    """Give a user their reserved seat or the first free seat of a locked lobby. Raises as `join`.

    In a lobby that starts when full, a seated user is ready at once.
    """
    for ended in ended_starts(lobby, user):
        rate_limits.check(ended)
    check_changeable(lobby)
    if Ban.objects.filter(lobby=lobby, user__in=(user.id, user.answerable)).exists():
        raise Problem("banned")
    if user.is_bot and not lobby.admits_bot_users:
        raise Problem("bots_not_admitted")
    kept = number_for(lobby, user.id)
    number = _free_number(lobby) if kept is None else kept
    take_buy_in(lobby, user)
    if kept is not None:
        drop(lobby, [kept])
    before = Seat.objects.filter(lobby__rematch=lobby, user=user).first()
    Seat.objects.create(
        lobby=lobby,
        number=number,
        colour=_free_colour(lobby, number if before is None else before.colour),
        user=user,
        commits=commits or lobby.keys,
        ready=lobby.start_when_full,
    )
    record(lobby, SeatTaken(seat=number, user=user.id))
    start_if_full(lobby)


def sit_unless_seated(lobby: Lobby, user: User, *, commits: bool) -> None:
    """Seat a user as `sit` does, unless they have a seat."""
    if not Seat.objects.filter(lobby=lobby, user=user).exists():
        sit(lobby, user, commits=commits)


def empty_seat(lobby: Lobby, seat: Seat, reason: Departure, *, by: User | None) -> None:
    """Empty a seat of a locked lobby. A start whose seats were frozen is abandoned `by` a user, or
    by nobody whom it counts for.

    Passes the host role on if needed, and closes the lobby after its last user.
    """
    if seat.user is not None:
        return_buy_in(lobby, seat.user)
    abandon_start(lobby, by=[] if by is None else [by])
    seat.delete()
    record(lobby, SeatLeft(seat=seat.number, user=seat.user_id, reason=reason))
    start_if_full(lobby)
    if seat.user_id != lobby.host_id:
        return
    heir = (
        Seat.objects.filter(lobby=lobby, user__isnull=False)
        .order_by("number")
        .select_related("user")
        .first()
    )
    if heir is not None:
        _hand_over(lobby, heir)
        return
    _close(lobby)


def give_up(lobby: Lobby) -> None:
    """Close a locked lobby whose game can no longer start, and return all buy-ins."""
    for seat in Seat.objects.filter(lobby=lobby, user__isnull=False).select_related("user"):
        assert seat.user is not None
        return_buy_in(lobby, seat.user)
    _close(lobby)


def _close(lobby: Lobby) -> None:
    release(lobby, *lobby.held)
    lobby.bots_due_at = None
    box = bytes(lobby.seed_box)
    lobby.seed = seeds.to_disclose(None, box, lobby.seed_hash, lobby.id, lobby.log_name)
    if lobby.seed is not None:
        close_attempt(lobby)
    set_stage(lobby, Lobby.Status.CLOSED, Lobby.Stage.NONE, None, "bots_due_at", "seed")
    Seat.objects.filter(lobby=lobby).delete()
    record(lobby, LobbyClosed())
