"""Attempts to start a lobby's game: the terms and the log name that are fixed when one opens, and
the log entries that open and abandon one.

`docs/audit-protocol.md` says in which order everybody learns what, and why.
"""

import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

import msgspec
import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.models import User
from games.keys import acknowledging
from games.lobbies.access import record
from games.models import (
    AbandonedAttempt,
    Lobby,
    PendingEntry,
    PersonLink,
    Seat,
    WitnessedStart,
    new_log_name,
)
from games.reads.lobby_events import AttemptAbandoned
from games.store import seeds
from games.store.registry import rules_for
from kit import key_files, partitions, rate_limits
from kit.problems import Problem
from kit.rate_limits import Spent
from railbird_engine import AnyRules, Options
from railbird_engine.audit.acknowledgements import Reveal
from railbird_engine.kernel import chain

log = structlog.get_logger(__name__)

REVEAL_S: Final = {Lobby.Pace.LIVE: 20, Lobby.Pace.SLOW: 48 * 3600}
"""Seconds in which players reveal their entropy, by the pace of the table."""
LOG_S: Final = 30
"""Seconds in which the log has an entry for which a start waits."""


def open_attempt(
    lobby: Lobby, rules: AnyRules, options: Options, *, abandoned: bytes | None = None
) -> None:
    """Draw a seed, fix the terms of a lobby's game, and queue its log entry.

    All attempts to start a game have its id. Does not save the lobby. Raises Problem
    `unavailable`.

    `abandoned` is the hash of the entry that ended the attempt before. Expects a transaction.
    """
    seeds.draw_seed(lobby)
    terms = chain.Terms(
        name=lobby.log_name,
        salt=secrets.token_hex(chain.SALT_LENGTH),
        game=terms_of(lobby).game if lobby.terms else partitions.new_id(),
        rules=rules.slug,
        rules_version=rules.version,
        edition=rules.edition(options),
        options=msgspec.Raw(msgspec.json.encode(options)),
        table=msgspec.Raw(msgspec.json.encode(table_of(lobby))),
        seed_hash=lobby.seed_hash,
        abandoned=None if abandoned is None else abandoned.hex(),
    )
    lobby.terms = msgspec.json.encode(terms)
    PendingEntry.objects.create(name=terms.name, entry=chain.opened_entry(terms))
    WitnessedStart.objects.bulk_create(
        WitnessedStart(name=terms.name, witness=witness.text)
        for witness in settings.START_WITNESSES
    )


def table_of(lobby: Lobby) -> chain.Table:
    """Return the terms of the lobby's game beside its rules."""
    return msgspec.convert(
        {
            "buy_in": lobby.buy_in,
            "prizes": lobby.prizes,
            "capacity": lobby.capacity,
            "absence": lobby.absence,
            "absence_s": lobby.absence_s,
            "rated": False,
            "keys": lobby.keys,
            "deadlines": chain.Deadlines(LOG_S, REVEAL_S[Lobby.Pace(lobby.pace)], LOG_S),
            "witnesses": [witness.text for witness in settings.START_WITNESSES],
        },
        chain.Table,
    )


def deadlines_of(lobby: Lobby) -> chain.Deadlines:
    """Return how long the steps of the lobby's start may take."""
    return chain.decode_table(terms_of(lobby).table).deadlines


def of_witnesses(lobby: Lobby) -> list[WitnessedStart]:
    """Return what the witnesses that the lobby's terms name promise and give, in their order."""
    named = chain.decode_table(terms_of(lobby).table).witnesses
    found = WitnessedStart.objects.filter(name=lobby.log_name) if named else ()
    rows = {row.witness: row for row in found}
    return [rows[witness] for witness in named]


def promises_of(witnesses: Iterable[WitnessedStart]) -> tuple[str, ...]:
    """Return the promises of witnesses, in hex. Expects that all of them promised."""
    return tuple(bytes(row.promise or b"").hex() for row in witnesses)


def terms_of(lobby: Lobby) -> chain.Terms:
    """Return the terms of the lobby's game."""
    return chain.decode_terms(bytes(lobby.terms))


def close_attempt(lobby: Lobby, missing: Sequence[int] = ()) -> bytes:
    """Queue the log entry that abandons this attempt, and disclose its seed.

    `missing` are the seats for which the server waited in vain. Returns the hash of the entry.
    Expects the lobby locked. Raises as `seeds.opened`.
    """
    terms = terms_of(lobby)
    committed = chain.entry_hash(bytes(lobby.committed)) if lobby.committed else bytes(32)
    given_up = chain.GivenUp(committed, missing, revealed_in(lobby))
    entry = chain.abandoned_entry(terms, seeds.secret_seed_of(lobby), given_up)
    PendingEntry.objects.create(name=terms.name, entry=entry)
    WitnessedStart.objects.filter(name=terms.name).delete()
    return chain.entry_hash(entry)


def revealed_in(lobby: Lobby) -> list[tuple[int, bytes]]:
    """Return the number and the entropy of each seat that has revealed it, by number."""
    revealed = Seat.objects.filter(lobby=lobby, entropy__isnull=False).order_by("number")
    return [(seat.number, bytes(seat.entropy or b"")) for seat in revealed]


def abandon_start(lobby: Lobby, missing: Sequence[int] = (), *, by: Iterable[User]) -> None:
    """Abandon a start whose seats were frozen, and open another attempt. Else do nothing.

    Everybody who adds entropy has to commit again, to the next attempt: it counts for the users
    `by` whose doing it is. Expects the lobby locked. Raises Problem `seed_key_missing`,
    `unavailable`.
    """
    if lobby.status != Lobby.Status.STARTING:
        return
    number = AbandonedAttempt.objects.filter(lobby=lobby).count()
    AbandonedAttempt.objects.create(name=lobby.log_name, lobby=lobby, number=number)
    ended = close_attempt(lobby, missing)
    lobby.log_name = new_log_name()
    open_attempt(lobby, *rules_for(terms_of(lobby)), abandoned=ended)
    lobby.rows_salt = lobby.committed = lobby.revealed = b""
    changed = ("seed_box", "seed_hash", "log_name", "terms", "rows_salt", "committed", "revealed")
    set_stage(lobby, Lobby.Status.OPEN, Lobby.Stage.NONE, None, *changed)
    Seat.objects.filter(lobby=lobby, commits=True).update(
        commitment=None, entropy=None, key=None, signature=None
    )
    record(lobby, AttemptAbandoned(log_name=lobby.log_name, missing=tuple(missing)))
    count_ended(lobby, by)


def count_ended(lobby: Lobby, users: Iterable[User]) -> None:
    """Count that these users ended a start, once this transaction is committed."""
    transaction.on_commit(partial(_count, lobby, tuple(users)), robust=True)


def _count(lobby: Lobby, users: Iterable[User]) -> None:
    """Count that these users ended a start, over the limit too."""
    for user in users:
        for spent in ended_starts(lobby, user):
            with suppress(Problem):
                rate_limits.spend(spent)


def ended_starts(lobby: Lobby, user: User) -> tuple[Spent, Spent]:
    """Return the counters of the starts that a user ended: in this lobby, and in all."""
    whose = str(user.answerable)
    return Spent("ended_start", f"{lobby.id} {whose}"), Spent("ended_starts", whose)


def set_stage(
    lobby: Lobby, status: Lobby.Status, stage: Lobby.Stage, within_s: int | None, *changed: str
) -> None:
    """Set how far the start of a locked lobby is, and by when its next step is due.

    Saves these other changed columns, too.
    """
    lobby.status, lobby.stage = status, stage
    lobby.starts_by = None if within_s is None else _in(within_s)
    lobby.save(update_fields=["status", "stage", "starts_by", *changed])


def _in(seconds: int) -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp() + %s * interval '1 s'", (seconds,))
        (by,) = cursor.fetchone()
    assert isinstance(by, datetime)
    return by


def uncommitted(lobby: Lobby) -> QuerySet[Seat]:
    """Return the seats that add entropy and have not committed to it, by number."""
    return Seat.objects.filter(lobby=lobby, commits=True, commitment=None).order_by("number")


def draw_salts(seats: Sequence[Seat]) -> None:
    """Draw the salts of the commitments to the users in the seats of a game, and save them."""
    for seat in seats:
        if seat.user_id is not None:
            seat.salt = secrets.token_bytes(chain.SALT_LENGTH)
    Seat.objects.bulk_update(seats, ["salt"])


def rows_of(terms: chain.Terms, seats: Sequence[Seat]) -> tuple[chain.Row, ...]:
    """Return what a start fixes of the seats of a lobby, which have salts."""
    opened = chain.entry_hash(chain.opened_entry(terms))

    def person(number: int, seat: Seat) -> str | None:
        if seat.user_id is None or seat.salt is None:
            return None
        return chain.person_commitment(opened, number, bytes(seat.salt), seat.user_id).hex()

    def hex_of(stored: bytes | memoryview | None) -> str | None:
        return None if stored is None else bytes(stored).hex()

    return tuple(
        chain.Row(
            place=seat.number,
            person=person(number, seat),
            key=hex_of(seat.key),
            commitment=hex_of(seat.commitment),
            signature=hex_of(seat.signature),
            link=hex_of(seat.link),
        )
        for number, seat in enumerate(seats)
    )


def draw_links(terms: chain.Terms, seats: Sequence[Seat]) -> None:
    """Join this start to the one before of each user in these seats, and save that.

    Nobody else does so for them until the end of the transaction, which queues the log entry: so
    the counts of a user grow in the order of the log.
    """
    users = [seat.user_id for seat in seats if seat.user_id is not None]
    list(User.objects.select_for_update(no_key=True).filter(id__in=users).order_by("id"))
    known = PersonLink.objects.filter(user__in=users).order_by("user", "-count").distinct("user")
    last = {each.user_id: (each.count, bytes(each.hash)) for each in known}
    opened = chain.entry_hash(chain.opened_entry(terms))
    made = []
    for seat in seats:
        if seat.user_id is not None:
            count, previous = last.get(seat.user_id, (0, chain.NO_LINK))
            salt = secrets.token_bytes(chain.SALT_LENGTH)
            seat.link = chain.person_link(opened, salt, count + 1, previous)
            made.append(
                PersonLink(
                    user_id=seat.user_id,
                    count=count + 1,
                    game=terms.game,
                    opened=opened,
                    salt=salt,
                    hash=seat.link,
                )
            )
    PersonLink.objects.bulk_create(made)
    Seat.objects.bulk_update(seats, ["link"])


def forget_salts_of(user: User) -> None:
    """Erase the salts of a user's seats, so that nobody can open a commitment to them any more, and
    what joins the user's starts."""
    Seat.objects.filter(user=user, salt__isnull=False).update(salt=None)
    PersonLink.objects.filter(user=user).delete()


def reveal_receipt(lobby: Lobby, user: UUID | None) -> str | None:
    """Return the signed note that says what a user has revealed before the start, if they have.

    Expects the seats prefetched. None without a key for acknowledgements.
    """
    own = (seat for seat in lobby.seats.all() if user is not None and seat.user_id == user)
    seat = next(own, None)
    if seat is None or seat.entropy is None or not lobby.is_open or not lobby.committed:
        return None
    terms = terms_of(lobby)
    said = Reveal(
        origin=settings.LOG_ORIGIN,
        name=lobby.log_name,
        game=terms.game,
        opened=chain.entry_hash(chain.opened_entry(terms)).hex(),
        committed=chain.entry_hash(bytes(lobby.committed)).hex(),
        seat=seat.number,
        commitment=bytes(seat.commitment or b"").hex(),
        entropy=bytes(seat.entropy).hex(),
    )
    try:
        return acknowledging.sign(settings.ACK_KEY_FILE, said.text)
    except key_files.UnusableKeyError as error:
        log.error("reveal_not_acknowledged", error=str(error))  # noqa: TRY400 -- one line says it
        return None
