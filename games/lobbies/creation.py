"""How a lobby begins: a host opens it, somebody looks for a table and finds none, or people want to
play again."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.models import User
from games.engine import RuleViolation
from games.lobbies.access import locked, record
from games.lobbies.options import check_options, fitting_seats
from games.lobbies.seats import sit, sit_bot, sit_unless_seated
from games.lobbies.starting import start_if_full
from games.models import Ban, Head, Lobby, Mute, Seat
from games.reads import selectors
from games.reads.lobby_events import LobbyOpened, RematchOpened
from kit.problems import Problem

BOTS_AFTER_MAX_S: Final = 3600

CHOICES: Final = (
    *("title", "slug", "options", "visibility", "spectators", "capacity", "absence", "absence_s"),
    *("buy_in", "prizes", "start_when_full", "admits_bot_users", "bots_after_s"),
)
"""What a host chooses, and what a rematch keeps."""


def create(  # noqa: PLR0913  (the choices of a host)
    host: User,
    slug: str,
    *,
    options: Mapping[str, Any] | None = None,
    title: str = "",
    visibility: str = Lobby.Visibility.PUBLIC,
    spectators: str = Lobby.Spectators.WATCH,
    capacity: int | None = None,
    absence: str = Lobby.Absence.WAIT,
    absence_s: int = 60,
    buy_in: int = 0,
    prizes: Sequence[int] = (100,),
    start_when_full: bool = False,
    admits_bot_users: bool = True,
    bots_after_s: int | None = None,
    entropy: bytes = b"",
) -> Lobby:
    """Open a lobby and sit its host down in the first seat. The hash of the seed is public from
    here on.

    Raises as `check_options`, and Problem `wrong_capacity`, `too_many_lobbies`,
    `guests_cannot_stake`, `bots_cannot_stake`, `bots_not_admitted`, `insufficient_funds`."""
    rules, checked = check_options(slug, options or {})
    fitting = fitting_seats(rules, checked)
    capacity = fitting[-1] if capacity is None else capacity
    if capacity not in fitting:
        raise Problem("wrong_capacity", least=fitting[0], most=fitting[-1])
    if buy_in and bots_after_s is not None:
        raise Problem("bots_cannot_stake")
    with transaction.atomic():
        lobby = Lobby(
            title=title,
            slug=slug,
            options=msgspec.to_builtins(checked),
            host=host,
            visibility=visibility,
            spectators=spectators,
            capacity=capacity,
            absence=absence,
            absence_s=absence_s,
            buy_in=buy_in,
            prizes=list(prizes),
            start_when_full=start_when_full,
            admits_bot_users=admits_bot_users,
            bots_after_s=bots_after_s,
            bots_due_at=_in(bots_after_s),
        )
        _open(lobby, entropy)
    return lobby


def _in(seconds: int | None) -> Any:
    """So long from now, by the clock of the database."""
    return None if seconds is None else Now() + timedelta(seconds=seconds)


def _open(lobby: Lobby, entropy: bytes) -> None:
    _check_may_open(lobby.host)
    lobby.save(force_insert=True)
    record(lobby, LobbyOpened(user=lobby.host_id))
    sit(lobby, lobby.host, entropy)


def _check_may_open(host: User) -> None:
    """A person and their bot users host only so many open lobbies, lest one fills the list that
    everybody reads."""
    person = User.objects.select_for_update(no_key=True).get(id=host.answerable)
    most = settings.GUEST_LOBBIES_MAX if person.is_guest else settings.LOBBIES_MAX
    theirs = User.objects.filter(Q(id=person.id) | Q(owner=person)).values("id")
    if Lobby.objects.filter(status=Lobby.Status.OPEN, host__in=theirs).count() >= most:
        raise Problem("too_many_lobbies", most=most)


def rematch(user: User, lobby_id: UUID, *, entropy: bytes = b"") -> Lobby:
    """Play again at the same table: a new lobby with the choices of the old one, hosted by who asks
    first, in which bots sit where they sat and the seats of people are kept for them for a while.
    Who asks later sits down there.

    Raises Problem `not_found`, `spectators_only_watch` for who did not sit there, `game_not_ended`,
    `rules_missing` when the game is not what it was, `too_many_lobbies`; and as `join`."""
    with transaction.atomic():
        old = locked(lobby_id)
        seats = list(Seat.objects.filter(lobby=old).select_related("user").order_by("number"))
        if all(seat.user_id != user.id for seat in seats):
            hidden = old.visibility == Lobby.Visibility.INVITE
            raise Problem("not_found", what="lobby") if hidden else Problem("spectators_only_watch")
        head = Head.objects.filter(game__lobby=old).first()
        if head is None:
            raise Problem("not_found", what="game")
        if head.ended == Head.Ended.NO:
            raise Problem("game_not_ended")
        if old.rematch_id is not None:
            lobby = locked(old.rematch_id)
            if lobby.status != Lobby.Status.CLOSED:
                sit_unless_seated(lobby, user, entropy)
                return lobby
        lobby = _open_again(user, old, seats, entropy)
        old.rematch = lobby
        old.save(update_fields=["rematch"])
        record(old, RematchOpened(user=user.id, lobby=lobby.id))
    return lobby


def _open_again(host: User, old: Lobby, seats: Sequence[Seat], entropy: bytes) -> Lobby:
    try:
        rules, options = check_options(old.slug, old.options)
    except (msgspec.ValidationError, RuleViolation):
        raise Problem("rules_missing") from None
    if old.capacity not in fitting_seats(rules, options):
        raise Problem("rules_missing")
    people = {
        seat.number: seat.user.id for seat in seats if seat.user is not None and seat.user.is_active
    }
    bots_after_s = (
        None if old.bots_after_s is None else max(old.bots_after_s, settings.SEATS_HELD_S)
    )
    lobby = Lobby(
        host=host,
        held_for=[people.get(number) for number in range(old.capacity)],
        held_until=_in(settings.SEATS_HELD_S),
        bots_due_at=_in(bots_after_s),
        **{choice: getattr(old, choice) for choice in CHOICES},
    )
    _open(lobby, entropy)
    for seat in seats:
        if seat.user is None:
            sit_bot(lobby, seat.number)
    for ban in Ban.objects.filter(lobby=old):
        Ban.objects.create(lobby=lobby, user_id=ban.user_id)
    for mute in Mute.objects.filter(lobby=old).exclude(user=host, by_operator=False):
        Mute.objects.create(lobby=lobby, user_id=mute.user_id, by_operator=mute.by_operator)
    start_if_full(lobby)
    return lobby


def quick_match(
    user: User,
    slug: str,
    *,
    options: Mapping[str, Any] | None = None,
    capacity: int | None = None,
    buy_in: int = 0,
    entropy: bytes = b"",
) -> Lobby:
    """Sit down at the oldest public table of this game, with these options, that has a free seat;
    where there is none, open one that starts when it is full. Who sits at such a table already
    stays there, so asking again changes nothing. A bot user finds those that admit it.

    Raises as `create`.
    """
    rules, checked = check_options(slug, options or {})
    if capacity is None:
        capacity = fitting_seats(rules, checked)[-1]
    wanted = {
        "slug": slug,
        "options": msgspec.to_builtins(checked),
        "capacity": capacity,
        "buy_in": buy_in,
    }
    with transaction.atomic():
        _wait_in_line(msgspec.json.encode(wanted, order="sorted"))
        tables = Lobby.objects.filter(
            **wanted, status=Lobby.Status.OPEN, visibility=Lobby.Visibility.PUBLIC
        )
        own = tables.filter(seats__user=user).first()
        if own is not None:
            return own
        if user.is_bot:
            tables = tables.filter(admits_bot_users=True)
        free = selectors.with_free_seats(
            tables.exclude(bans__user__in=(user.id, user.answerable)), 1
        )
        for lobby_id in list(free.order_by("id").values_list("id", flat=True)[:10]):
            lobby = locked(lobby_id)
            if free.filter(id=lobby_id).exists():  # still, now that it is locked
                sit(lobby, user, entropy)
                return lobby
        return create(
            user,
            slug,
            options=options,
            capacity=capacity,
            buy_in=buy_in,
            start_when_full=True,
            entropy=entropy,
        )


def _wait_in_line(wanted: bytes) -> None:
    """Those who look for the same table do so one after the other, until the transaction ends: each
    finds the seats that the one before left, and no two open a table where one would do."""
    number = int.from_bytes(
        hashlib.sha256(b"quick match" + wanted).digest()[:8], "big", signed=True
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", (number,))
