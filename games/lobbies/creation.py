"""Create lobbies: by a host, for a quick match, or for a rematch."""

import hashlib
import secrets
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import close_old_connections, connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from accounts.models import User
from games.lobbies.access import locked, once, record
from games.lobbies.attempts import open_attempt
from games.lobbies.choices import LobbyChoices, TableChoices
from games.lobbies.options import check_options, fitting_seats
from games.lobbies.seats import sit, sit_bot, sit_unless_seated
from games.lobbies.starting import start_if_full
from games.models import OPEN_STATUSES, Ban, Game, Head, Lobby, Mute, Seat
from games.reads.lobbies import may_see, with_free_seats
from games.reads.lobby_events import LobbyOpened, RematchOpened
from kit.problems import Problem
from railbird_engine import SLOW_LIMITS_S, AnyRules, Options, RuleViolation

Choices = TypeVar("Choices", bound=TableChoices)

SEEK_FOR_S: Final = 10.0
SEEK_AGAIN_S: Final = 0.02
"""Seconds that a quick match waits in the queue, and roughly between two checks."""
USUAL_SEATS: Final = 4
"""The seats of a table that a quick match opens if the user names no number."""


def create(
    host: User, choices: LobbyChoices, *, commits: bool = False, request: UUID | None = None
) -> Lobby:
    """Create a lobby and seat its host. The seed hash is public from now on.

    A repeated `request` of a user creates one lobby. Raises as `check_options`, and Problem
    `wrong_capacity`, `prizes_rise`, `forfeit_required`, `unfit_for_coins`, `too_many_lobbies`,
    `guests_cannot_stake`, `bots_cannot_stake`,
    `bots_not_admitted`, `insufficient_funds`, `request_id_reused`.
    """
    choices = _checked(choices)
    if choices.buy_in and choices.bots_after_s is not None:
        raise Problem("bots_cannot_stake")
    with transaction.atomic():
        return once(
            host, request, (choices, commits), lambda: _create(host, choices, commits=commits)
        )


def _create(host: User, choices: LobbyChoices, *, commits: bool) -> Lobby:
    lobby = Lobby(host=host, bots_due_at=_in(choices.bots_after_s), **_columns(choices))
    _open(lobby, commits=commits)
    return lobby


def _columns(choices: TableChoices) -> dict[str, Any]:
    return {**msgspec.structs.asdict(choices), "prizes": list(choices.prizes)}


def _checked(choices: Choices, usual: int | None = None) -> Choices:
    """Return the effective settings: those of the row, with all options and the capacity.

    If none is named, it is the largest, up to the `usual` one where the game allows that.

    Raises as `check_options`, and Problem `wrong_capacity`, `prizes_rise`, `forfeit_required`,
    `unfit_for_coins`, `pace_not_offered`, `limit_not_slow`, `vacations_need_slow_pace`.
    """
    rules, options = check_options(choices.slug, choices.options)
    _check_pace(choices, rules, options)
    fitting = fitting_seats(rules, options)
    largest = [seats for seats in fitting if usual is None or seats <= usual] or fitting[:1]
    capacity = largest[-1] if choices.capacity is None else choices.capacity
    if capacity not in fitting:
        raise Problem("wrong_capacity", least=fitting[0], most=fitting[-1])
    return msgspec.structs.replace(
        choices,
        options=msgspec.to_builtins(options),
        capacity=capacity,
        absence=_absence(choices, rules.unfit_for_coins(options)),
    )


def _check_pace(choices: TableChoices, rules: AnyRules, options: Options) -> None:
    """Raises Problem `pace_not_offered`, `limit_not_slow`, `vacations_need_slow_pace`."""
    if choices.pace == "live":
        if choices.vacations:
            raise Problem("vacations_need_slow_pace")
        return
    if not rules.limits:
        raise Problem("pace_not_offered", paces=["live"])
    for name in rules.limits:
        if getattr(options, name) not in SLOW_LIMITS_S:
            least, most = SLOW_LIMITS_S[0], SLOW_LIMITS_S[-1]
            raise Problem("limit_not_slow", option=name, least=least, most=most)


def _absence(choices: TableChoices, fault: str | None) -> str:
    """Return what follows an absence, and check the terms of a lobby with a buy-in.

    They leave nobody a way to lock the buy-ins, or to be paid for a worse rank.
    """
    if list(choices.prizes) != sorted(choices.prizes, reverse=True):
        raise Problem("prizes_rise")
    if not choices.buy_in:
        return choices.absence or Lobby.Absence.WAIT
    if choices.absence not in (None, Lobby.Absence.FORFEIT):
        raise Problem("forfeit_required")
    if fault is not None:
        raise Problem("unfit_for_coins", reason=fault)
    return Lobby.Absence.FORFEIT


def _in(seconds: int | None) -> Any:
    """Return the database time in so many seconds."""
    return None if seconds is None else Now() + timedelta(seconds=seconds)


def _open(lobby: Lobby, *, commits: bool, old: Lobby | None = None) -> None:
    """Open a lobby, as the rematch of an old one if there is one, and seat its host."""
    _check_may_open(lobby.host)
    if lobby.is_slow:
        lobby.fills_by = _in(settings.SLOW_FILL_DAYS * 86_400)
    open_attempt(lobby, *check_options(lobby.slug, lobby.options))
    lobby.save(force_insert=True)
    if old is not None:
        old.rematch = lobby
        old.save(update_fields=["rematch"])
    lobby.refresh_from_db(fields=["bots_due_at", "fills_by", "held_until", "created_at"])
    record(lobby, LobbyOpened(user=lobby.host_id))
    sit(lobby, lobby.host, commits=commits)


def _check_may_open(host: User) -> None:
    """Limit the open lobbies of a user and their bot users. Raises Problem `too_many_lobbies`.

    Otherwise one user could fill the list that everybody reads.
    """
    person = User(id=host.answerable).locked()
    most = settings.GUEST_LOBBIES_MAX if person.is_guest else settings.LOBBIES_MAX
    theirs = User.objects.filter(Q(id=person.id) | Q(owner=person)).values("id")
    if Lobby.objects.filter(status__in=OPEN_STATUSES, host__in=theirs).count() >= most:
        raise Problem("too_many_lobbies", most=most)


def rematch(user: User, lobby_id: UUID, *, commits: bool = False) -> Lobby:
    """Create a lobby for a rematch with the settings of the old one, or join the existing rematch.

    The first user to ask becomes host. Bots get their old seats, and the seats of users are
    reserved for them for a while. Raises Problem `not_found`, `spectators_only_watch` for a user
    who did not play, `game_not_ended`, `rules_missing` if the game has changed, `too_many_lobbies`;
    and as `join`.
    """
    with transaction.atomic():
        old = locked(lobby_id)
        seats = list(Seat.objects.filter(lobby=old).select_related("user").order_by("number"))
        if all(seat.user_id != user.id for seat in seats):
            if may_see(user.id, old):
                raise Problem("spectators_only_watch")
            raise Problem("not_found", what="lobby")
        game = Game.objects.select_related("head").filter(lobby=old).first()
        if game is None:
            raise Problem("not_found", what="game")
        if game.head.ended == Head.Ended.NO:
            raise Problem("game_not_ended")
        if old.rematch_id is not None:
            lobby = locked(old.rematch_id)
            if lobby.status != Lobby.Status.CLOSED:
                sit_unless_seated(lobby, user, commits=commits)
                return lobby
        lobby = _open_again(user, old, seats, commits=commits)
        record(old, RematchOpened(user=user.id, lobby=lobby.id))
    return lobby


def _open_again(host: User, old: Lobby, seats: Sequence[Seat], *, commits: bool) -> Lobby:
    try:
        rules, options = check_options(old.slug, old.options)
    except (Problem, RuleViolation):
        raise Problem("rules_missing") from None
    if old.capacity not in fitting_seats(rules, options):
        raise Problem("rules_missing")
    people = {
        seat.number: seat.user.id for seat in seats if seat.user is not None and seat.user.is_active
    }
    held_s = settings.SLOW_FILL_DAYS * 86_400 if old.is_slow else settings.SEATS_HELD_S
    bots_after_s = None if old.bots_after_s is None else max(old.bots_after_s, held_s)
    lobby = Lobby(
        host=host,
        held_for=[people.get(number) for number in range(old.capacity)],
        held_until=_in(held_s),
        bots_due_at=_in(bots_after_s),
        **{name: getattr(old, name) for name in LobbyChoices.__struct_fields__},
    )
    _open(lobby, commits=commits, old=old)
    for seat in seats:
        if seat.user is None:
            sit_bot(lobby, seat.number, seat.colour)
    for ban in Ban.objects.filter(lobby=old):
        Ban.objects.create(lobby=lobby, user_id=ban.user_id)
    for mute in Mute.objects.filter(lobby=old).exclude(user=host, by_operator=False):
        Mute.objects.create(lobby=lobby, user_id=mute.user_id, by_operator=mute.by_operator)
    start_if_full(lobby)
    return lobby


def quick_match(
    user: User, wanted: TableChoices, *, commits: bool = False, request: UUID | None = None
) -> Lobby:
    """Take a free seat in a public lobby with this game and these options: the one with the fewest
    free seats, and the oldest of these.

    If the user names no capacity, any will do. With a buy-in, prizes and absence are those named,
    or the default ones.

    Without a lobby, create one that starts when it is full. A user who has a seat in such a lobby
    keeps it, so repeating changes nothing. A bot user gets lobbies that admit bot users.

    Users who look for the same kind of lobby are served one after the other, so that no two create
    a lobby where one is enough. A waiting user holds no database connection. Raises as `create`,
    and Problem `busy` when the queue is too long.
    """
    table = _checked(wanted, USUAL_SEATS)
    asked = msgspec.structs.replace(table, capacity=wanted.capacity)
    line = _line_of(asked)
    give_up_at = time.monotonic() + SEEK_FOR_S
    while True:
        with transaction.atomic():
            if _is_first(line):
                return once(
                    user,
                    request,
                    (asked, commits),
                    lambda: _match(user, asked, table, commits=commits),
                )
        close_old_connections()
        if time.monotonic() > give_up_at:
            raise Problem("busy")
        time.sleep(SEEK_AGAIN_S * (0.5 + secrets.randbelow(1000) / 1000))


def _match(user: User, asked: TableChoices, new: TableChoices, *, commits: bool) -> Lobby:
    """Take a seat at a table as it is asked for, or else at a new one."""
    compared = _columns(asked)
    if asked.capacity is None:
        del compared["capacity"]
    if not asked.buy_in:
        for name in ("prizes", "absence", "absence_s"):
            del compared[name]
    listed = Lobby.objects.filter(**compared, visibility=Lobby.Visibility.PUBLIC)
    own = listed.filter(status__in=OPEN_STATUSES, seats__user=user).first()
    if own is not None:
        return own
    tables = listed.filter(status=Lobby.Status.OPEN, keys=False)
    if user.is_bot:
        tables = tables.filter(admits_bot_users=True)
    free = with_free_seats(tables.exclude(bans__user__in=(user.id, user.answerable)), 1)
    fullest = free.order_by(F("capacity") - F("taken"), "id")
    for lobby_id in list(fullest.values_list("id", flat=True)[:10]):
        lobby = locked(lobby_id)
        if free.filter(id=lobby_id).exists():  # still, now that it is locked
            try:
                sit(lobby, user, commits=commits)
            except Problem as problem:
                if problem.data.get("policy") != "ended_start":
                    raise
                continue  # the user ended a start there
            return lobby
    named = msgspec.structs.asdict(new)
    return _create(user, LobbyChoices(**named, start_when_full=True), commits=commits)


def _line_of(wanted: TableChoices) -> int:
    """Return the number of the lock that requests for the same kind of lobby, of any capacity,
    share."""
    kind = msgspec.structs.replace(wanted, capacity=None)
    text = b"quick match" + msgspec.json.encode(kind, order="sorted")
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big", signed=True)


def _is_first(line: int) -> bool:
    """Try to take the lock until the end of the transaction; return whether it succeeded."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", (line,))
        (first,) = cursor.fetchone()
    return bool(first)
