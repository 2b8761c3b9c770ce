"""Attempts to start a lobby's game: the terms and the log name that are fixed when one opens, and
the log entries that open and abandon one.

The game's dice follow from the `opened` entry, so it stands in the log before anybody's entropy is
known.
"""

import secrets
from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
import structlog
from django.conf import settings
from django.db.models import QuerySet

from accounts.models import User
from games.keys import acknowledging
from games.lobbies.access import record
from games.models import AbandonedAttempt, Lobby, PendingEntry, Seat, new_log_name
from games.reads.lobby_events import AttemptAbandoned
from games.store import seeds
from games.store.registry import rules_for
from kit import partitions
from kit.problems import Problem
from railbird_engine import AnyRules, Options
from railbird_engine.kernel import chain

log = structlog.get_logger(__name__)

RECEIPT_TITLE: Final = "Railbird reveal 1"
"""The first line of a signed receipt, which no checkpoint and no acknowledgement has."""


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
        seed_hash=lobby.seed_hash,
        abandoned=None if abandoned is None else abandoned.hex(),
    )
    lobby.terms = msgspec.json.encode(terms)
    PendingEntry.objects.create(name=terms.name, entry=chain.opened_entry(terms))


def terms_of(lobby: Lobby) -> chain.Terms:
    """Return the terms of the lobby's game."""
    return chain.decode_terms(bytes(lobby.terms))


def close_attempt(lobby: Lobby) -> bytes:
    """Queue the log entry that abandons this attempt, and disclose its seed.

    Returns the hash of the entry. Expects the lobby locked. Raises as `seeds.opened`.
    """
    terms = terms_of(lobby)
    revealed = Seat.objects.filter(lobby=lobby, entropy__isnull=False).order_by("number")
    reveals = [(seat.number, bytes(seat.entropy or b"")) for seat in revealed]
    entry = chain.abandoned_entry(terms, seeds.secret_seed_of(lobby), reveals)
    PendingEntry.objects.create(name=terms.name, entry=entry)
    return chain.entry_hash(entry)


def end_attempt_if_revealed(lobby: Lobby) -> None:
    """Abandon the attempt to start if a seat has revealed its entropy, and open another one.

    Called before seats or commitments change. Everybody who has committed has to commit again, to
    the next attempt. Expects the lobby locked. Raises Problem `seed_key_missing`, `unavailable`.
    """
    seats = Seat.objects.filter(lobby=lobby)
    if not seats.filter(entropy__isnull=False).exists():
        return
    number = AbandonedAttempt.objects.filter(lobby=lobby).count()
    AbandonedAttempt.objects.create(name=lobby.log_name, lobby=lobby, number=number)
    ended = close_attempt(lobby)
    lobby.log_name = new_log_name()
    open_attempt(lobby, *rules_for(terms_of(lobby)), abandoned=ended)
    # A start that was under way waits again.
    lobby.status, lobby.starts_by = Lobby.Status.OPEN, None
    lobby.save(update_fields=["seed_box", "seed_hash", "log_name", "terms", "status", "starts_by"])
    seats.filter(commits=True).update(commitment=None, entropy=None, ready=False)
    record(lobby, AttemptAbandoned(log_name=lobby.log_name))


def reveal(lobby: Lobby, seat: Seat, entropy: bytes | None) -> None:
    """Keep the entropy that a seat reveals, if it has committed to one. Saves the seat.

    Nobody reveals before everybody at the table who adds entropy has committed, because a later
    commitment would end the attempt. Raises Problem `commitment_required`, `commitments_awaited`,
    `entropy_required`, `wrong_entropy`.
    """
    if not seat.commits and entropy is None:
        return
    if seat.commitment is None:
        raise Problem("commitment_required")
    if entropy is None:
        if seat.entropy is None:
            raise Problem("entropy_required")
        return
    opened = chain.entry_hash(chain.opened_entry(terms_of(lobby)))
    if chain.commitment(opened, seat.number, entropy) != bytes(seat.commitment):
        raise Problem("wrong_entropy")
    if awaited := list(uncommitted(lobby).values_list("number", flat=True)):
        raise Problem("commitments_awaited", seats=awaited)
    seat.entropy = entropy
    seat.save(update_fields=["entropy"])


def uncommitted(lobby: Lobby) -> QuerySet[Seat]:
    """Return the seats that add entropy and have not committed to it, by number."""
    return Seat.objects.filter(lobby=lobby, commits=True, commitment=None).order_by("number")


def reveals_of(seats: Sequence[Seat]) -> tuple[chain.Reveal, ...]:
    """Return what the seats of a game have revealed, as in its genesis, which numbers them without
    gaps."""
    return tuple(
        chain.Reveal(
            number, seat.number, bytes(seat.commitment or b"").hex(), bytes(seat.entropy).hex()
        )
        for number, seat in enumerate(seats)
        if seat.entropy is not None
    )


def commit_to_people(terms: chain.Terms, seats: Sequence[Seat]) -> tuple[str | None, ...]:
    """Return the commitments to the users in the seats of a game, as in its genesis. Each salt is
    drawn here and kept with the seat. Does not save the seats."""
    opened = chain.entry_hash(chain.opened_entry(terms))
    people: list[str | None] = []
    for number, seat in enumerate(seats):
        if seat.user_id is None:
            people.append(None)
            continue
        seat.salt = secrets.token_bytes(chain.SALT_LENGTH)
        people.append(chain.person_commitment(opened, number, seat.salt, seat.user_id).hex())
    return tuple(people)


def forget_salts_of(user: User) -> None:
    """Erase the salts of a user's seats, so that nobody can open a commitment to them any more."""
    Seat.objects.filter(user=user, salt__isnull=False).update(salt=None)


def reveal_receipt(lobby: Lobby, user: UUID | None) -> str | None:
    """Return the signed note that says what a user has revealed before the start, if they have.

    Expects the seats prefetched. None without a key for acknowledgements.
    """
    own = (seat for seat in lobby.seats.all() if user is not None and seat.user_id == user)
    seat = next(own, None)
    if seat is None or seat.entropy is None or not lobby.is_open:
        return None
    terms = terms_of(lobby)
    opened = chain.entry_hash(chain.opened_entry(terms))
    text = (
        f"{RECEIPT_TITLE}\norigin {settings.LOG_ORIGIN}\nname {lobby.log_name}\n"
        f"game {terms.game}\nopened {opened.hex()}\nseat {seat.number}\n"
        f"commitment {bytes(seat.commitment or b'').hex()}\nentropy {bytes(seat.entropy).hex()}\n"
    )
    try:
        return acknowledging.sign(settings.ACK_KEY_FILE, text)
    except acknowledging.UnusableKeyError as error:
        log.error("reveal_not_acknowledged", error=str(error))  # noqa: TRY400 -- one line says it
        return None
