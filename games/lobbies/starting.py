"""Turn a lobby into a running game.

If neither a player nor a witness adds entropy, the game starts at once. Otherwise the seats are
frozen, and the log fixes all commitments before anybody reveals (see `docs/audit-protocol.md`).
"""

import secrets
from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import ledger
from accounts.models import Account, User
from games.lobbies.access import open_lobby, record, seat_of
from games.lobbies.attempts import (
    deadlines_of,
    draw_links,
    draw_salts,
    of_witnesses,
    promises_of,
    revealed_in,
    rows_of,
    set_stage,
    terms_of,
    uncommitted,
)
from games.lobbies.reservations import release
from games.models import Game, Lobby, LogEntry, PendingEntry, Seat, WitnessedStart
from games.reads.lobby_events import EntropyRevealed, GameStarted, Stage, StartDue
from games.store import appending, heads, seeds
from games.store.builds import build_with
from games.store.loaded_games import LoadedGame
from games.store.registry import rules_for
from games.store.rows import StoredGame
from kit.problems import Problem
from railbird_engine import BANK, AnyRules, Options, RuleViolation
from railbird_engine.kernel import chain
from railbird_engine.kernel.server_commands import Started

STAGES: Final[dict[Lobby.Stage, Stage]] = {
    Lobby.Stage.NONE: "",
    Lobby.Stage.COMMITTING: "committing",
    Lobby.Stage.REVEALING: "revealing",
    Lobby.Stage.BEGINNING: "beginning",
}
COMMIT_S: Final = {Lobby.Pace.LIVE: 10, Lobby.Pace.SLOW: 48 * 3600}
"""Seconds in which the players of a full table commit to their entropy, by its pace."""


def start(host: User, lobby_id: UUID) -> Lobby:
    """Start a lobby's game, or freeze its seats if somebody adds entropy (host only).

    A lobby whose seats are frozen stays as it is. Raises Problem `not_found`, `not_the_host`,
    `lobby_not_open`, `not_ready`, `commitments_awaited`, `wrong_number_of_seats`,
    `seed_key_missing`, or a RuleViolation of the game about its options.
    """
    with transaction.atomic():
        lobby = open_lobby(lobby_id, host)
        if lobby.status == Lobby.Status.STARTING:
            return lobby
        rules, _ = rules_for(terms_of(lobby))
        seats = _seats(lobby)
        if len(seats) not in rules.seats:
            raise Problem(
                "wrong_number_of_seats",
                seats=len(seats),
                least=rules.seats[0],
                most=rules.seats[-1],
            )
        if waiting := _not_ready(lobby, seats):
            raise Problem("not_ready", seats=waiting)
        if awaited := list(uncommitted(lobby).values_list("number", flat=True)):
            raise Problem("commitments_awaited", seats=awaited)
        _freeze(lobby, seats)
    return lobby


def start_if_full(lobby: Lobby) -> None:
    """Start the game of a locked lobby if it starts when full, is full and everybody is ready.

    If it only waits for players who add entropy, they have to commit to it within `COMMIT_S`.
    """
    if not lobby.start_when_full or lobby.status != Lobby.Status.OPEN:
        return
    seats = _seats(lobby)
    is_full = len(seats) == lobby.capacity and not _not_ready(lobby, seats)
    awaits = uncommitted(lobby).exists()
    if is_full and not awaits:
        _freeze(lobby, seats)
    elif is_full != (lobby.starts_by is not None):
        within_s = COMMIT_S[Lobby.Pace(lobby.pace)] if is_full else None
        _set_stage(lobby, Lobby.Status.OPEN, Lobby.Stage.NONE, within_s)


def _seats(lobby: Lobby) -> list[Seat]:
    return list(Seat.objects.filter(lobby=lobby).order_by("number"))


def _not_ready(lobby: Lobby, seats: Sequence[Seat]) -> list[int]:
    """Return the seats for which the start waits. The host's start counts as being ready."""
    return [seat.number for seat in seats if not seat.ready and seat.user_id != lobby.host_id]


def _set_stage(
    lobby: Lobby, status: Lobby.Status, stage: Lobby.Stage, within_s: int | None, *changed: str
) -> None:
    set_stage(lobby, status, stage, within_s, *changed)
    record(lobby, StartDue(by=lobby.starts_by, stage=STAGES[stage]))


def _freeze(lobby: Lobby, seats: Sequence[Seat]) -> None:
    """Fix the seats of a locked lobby, and wait for the log and the witnesses; or start at once."""
    draw_salts(seats)
    witnesses = of_witnesses(lobby)
    if not witnesses and not any(seat.commits for seat in seats):
        draw_links(terms_of(lobby), seats)
        begin_game(lobby, seats)
        return
    lobby.rows_salt = secrets.token_bytes(chain.SALT_LENGTH)
    lobby.bots_due_at = None
    within_s = deadlines_of(lobby).committed_s
    stage = Lobby.Stage.COMMITTING
    _set_stage(lobby, Lobby.Status.STARTING, stage, within_s, "rows_salt", "bots_due_at")
    if all(witness.promise for witness in witnesses):
        _queue_commitments(lobby, seats, witnesses)


def _queue_commitments(
    lobby: Lobby, seats: Sequence[Seat], witnesses: Sequence[WitnessedStart]
) -> None:
    """Queue the entry with all commitments of a locked lobby, which has all promises."""
    terms = terms_of(lobby)
    draw_links(terms, seats)
    salt, rows = bytes(lobby.rows_salt), rows_of(terms, seats)
    lobby.committed = chain.committed_entry(terms, salt, rows, promises_of(witnesses))
    lobby.save(update_fields=["committed"])
    PendingEntry.objects.create(name=terms.name, entry=lobby.committed)


def reveal(user: User, lobby_id: UUID, *, committed: bytes, entropy: bytes) -> Lobby:
    """Keep the entropy that a user's seat reveals, once the log has all commitments.

    `committed` is the hash of the entry with them, as the user has checked it. Raises Problem
    `not_found`, `lobby_not_open`, `attempt_over`, `not_sealed`, `commitment_required`,
    `wrong_entropy`.
    """
    with transaction.atomic():
        lobby = open_lobby(lobby_id)
        seat = seat_of(lobby, user)
        if not lobby.committed or chain.entry_hash(bytes(lobby.committed)) != committed:
            raise Problem("attempt_over")
        if lobby.stage == Lobby.Stage.COMMITTING:
            raise Problem("not_sealed")
        if seat.commitment is None:
            raise Problem("commitment_required")
        opened = chain.entry_hash(chain.opened_entry(terms_of(lobby)))
        if chain.commitment(opened, seat.number, entropy) != bytes(seat.commitment):
            raise Problem("wrong_entropy")
        if seat.entropy is None:
            seat.entropy = entropy
            seat.save(update_fields=["entropy"])
            record(lobby, EntropyRevealed(seat=seat.number))
            _close_if_all_revealed(lobby)
    return lobby


def unrevealed(lobby: Lobby) -> QuerySet[Seat]:
    """Return the seats whose entropy the start awaits, by number."""
    return Seat.objects.filter(lobby=lobby, commits=True, entropy=None).order_by("number")


def _close_if_all_revealed(lobby: Lobby) -> None:
    """Queue the entry with all reveals of a locked lobby, if none is missing."""
    if unrevealed(lobby).exists():
        return
    committed = chain.entry_hash(bytes(lobby.committed))
    lobby.revealed = chain.revealed_entry(lobby.log_name, committed, revealed_in(lobby))
    PendingEntry.objects.create(name=lobby.log_name, entry=lobby.revealed)
    within_s = deadlines_of(lobby).started_s
    _set_stage(lobby, Lobby.Status.STARTING, Lobby.Stage.BEGINNING, within_s, "revealed")


def due_starts() -> QuerySet[Lobby]:
    """Return the starting lobbies for which log and witnesses have what they wait for."""
    witnesses = WitnessedStart.objects.filter(name=OuterRef("log_name"))
    promised, answered = (
        ~Exists(witnesses.filter(**{f"{field}__isnull": True})) for field in ("promise", "entropy")
    )
    entries = LogEntry.objects.filter(name=OuterRef("log_name"))
    committed = Exists(entries.filter(kind=chain.Kind.COMMITTED))
    revealed = Exists(entries.filter(kind=chain.Kind.REVEALED))
    # The index has the lobbies that wait for something.
    starting = Lobby.objects.filter(status=Lobby.Status.STARTING, starts_by__isnull=False)
    return starting.filter(
        Q(promised, stage=Lobby.Stage.COMMITTING, committed=b"")
        | Q(committed, stage=Lobby.Stage.COMMITTING)
        | Q(revealed & answered, stage=Lobby.Stage.BEGINNING)
    )


def advance(lobby: Lobby) -> None:
    """Take the next step of a locked lobby in `due_starts`: fix the commitments, ask for reveals,
    or start."""
    if lobby.stage == Lobby.Stage.COMMITTING and not lobby.committed:
        _queue_commitments(lobby, _seats(lobby), of_witnesses(lobby))
    elif lobby.stage == Lobby.Stage.COMMITTING:
        _set_stage(
            lobby, Lobby.Status.STARTING, Lobby.Stage.REVEALING, deadlines_of(lobby).revealed_s
        )
        _close_if_all_revealed(lobby)  # at once if only witnesses add entropy
    else:
        begin_game(lobby, _seats(lobby))


def begin_game(lobby: Lobby, seats: Sequence[Seat]) -> Game:
    """Begin the game of a locked lobby with these seats, by number, and all that they add to the
    dice."""
    terms = terms_of(lobby)
    rules, options = rules_for(terms)
    rows = rows_of(terms, seats)
    reveals = tuple(
        chain.Reveal(number, bytes(seat.entropy).hex(), None)
        for number, seat in enumerate(seats)
        if seat.entropy is not None
    )
    witnesses = of_witnesses(lobby)
    for number, seat in enumerate(seats):
        seat.number = number
    Seat.objects.bulk_update(seats, ["number"])
    opening = chain.Genesis(
        **msgspec.structs.asdict(terms),
        seats=len(seats),
        rows=rows,
        rows_salt=bytes(lobby.rows_salt).hex() or None,
        promises=promises_of(witnesses),
        reveals=reveals,
        answers=tuple(
            chain.WitnessAnswer(bytes(row.entropy or b"").hex(), bytes(row.signature or b"").hex())
            for row in witnesses
        ),
        build=build_with(rules),
    )
    game = _begin(lobby, rules, options, seats, opening)
    if witnesses:
        WitnessedStart.objects.filter(name=lobby.log_name).delete()
    release(lobby, *lobby.held)
    lobby.bots_due_at = None
    set_stage(lobby, Lobby.Status.STARTED, Lobby.Stage.NONE, None, "bots_due_at")
    record(lobby, GameStarted(game=game.id))
    return game


def _begin(
    lobby: Lobby,
    rules: AnyRules,
    options: Options,
    seats: Sequence[Seat],
    opening: chain.Genesis,
) -> Game:
    game_id, genesis = opening.game, msgspec.json.encode(opening)
    game = Game.objects.create(
        id=game_id,
        lobby=lobby,
        slug=rules.slug,
        rules_version=rules.version,
        log_name=opening.name,
        genesis=genesis,
    )
    bots = sum(seat.user_id is None for seat in seats)
    heads.create_here(game, opening, bots, is_slow=lobby.is_slow)
    purses = rules.setup(len(seats), options).purses
    accounts = Account.objects.bulk_create(
        Account(
            book=game_id,
            key=purse,
            unit=rules.unit,
            overdraft=ledger.UNLIMITED if purse == BANK else 0,
        )
        for purse in purses
    )
    rows = StoredGame(
        slug=rules.slug,
        rules_version=rules.version,
        genesis=genesis,
        seed=seeds.secret_seed_of(lobby),
        has_ended=False,
        users={seat.number: seat.user_id for seat in seats if seat.user_id is not None},
        bots=frozenset(seat.number for seat in seats if seat.user_id is None),
        accounts={account.key: account.id for account in accounts},
        spectators=lobby.lets_watch,
        lobby=lobby.id,
        is_slow=lobby.is_slow,
        stand_ins=frozenset(),
        forfeited=frozenset(),
        next_at=None,
        version=0,
        damaged=None,
        snapshot=None,
    )
    try:
        first = LoadedGame(game_id, rows).decide(None, Started())
    except RuleViolation as violation:
        raise Problem(violation.code, **violation.data) from violation
    (stored,) = appending.append_here([first])
    assert stored is not None, "the first commit of a new game is stored"
    return game
