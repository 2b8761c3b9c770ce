"""Notices of moves: whose turn it is, who was replaced, and which bets were corrected.

The position is an index of the public log: its entries have one writer, so none appears before
another that has a higher index. Most moves tell nothing, and the database passes over their games.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now

from accounts.models import Vacation
from games.models import Bet, Game, LogEntry, Reminder, Seat
from games.reads.histories import with_results
from games.reads.moved_games import MovedGame, moved_since
from games.reads.players import LEASE_S
from games.store.commits import DamagedError, store
from games.store.rows import StoredCommit
from kit import event_loop
from notices.kinds import Fact
from notices.models import Notice
from railbird_engine.kernel import chain
from railbird_engine.kernel.server_commands import SeatReplaced

ENTRIES_MAX: Final = 1_000
REMINDERS_MAX: Final = 500

# Requests alone are no connection: who sent the last one a moment ago may have gone.
CONNECTED: Final = f"""
SELECT lobby_id, user_id FROM games_presence
WHERE lobby_id = ANY(%(lobbies)s) AND connected AND seen_at > now() - {LEASE_S} * interval '1 s'
    AND disconnect_reason <> 'silent'
"""  # noqa: S608  (a number)

# The second is due when a quarter of the time from now is left.
REMIND: Final = """
INSERT INTO games_reminder (user_id, game_id, kind, alarm, at)
SELECT r.user_id, r.game_id, k.kind, r.alarm,
    CASE k.kind WHEN 'your_turn' THEN now() ELSE r.due_at - (r.due_at - now()) / 4 END
FROM unnest(%(user)s::uuid[], %(game)s::uuid[], %(alarm)s::int[], %(due_at)s::timestamptz[])
    AS r(user_id, game_id, alarm, due_at)
CROSS JOIN (VALUES ('your_turn'), ('deadline_near')) AS k(kind)
ON CONFLICT (user_id, game_id, kind) DO UPDATE SET alarm = excluded.alarm, at = excluded.at
"""


def start() -> int:
    """Return the position of what happens from now on."""
    newest = LogEntry.objects.order_by("-index").values_list("index", flat=True).first()
    return -1 if newest is None else newest


def read(position: int) -> tuple[int, list[Fact], bool]:
    """Return what games that moved after a position tell, the next position, and whether there may
    be more. Sets reminders of turns."""
    until, is_full, moved = moved_since(position, ENTRIES_MAX)
    _remind_of_turns(moved)
    facts: list[Fact] = []
    for each in moved:
        if each.has_stand_ins:
            facts += _replaced(each)
        if each.is_corrected:
            facts += _corrected(each)
    return until, facts, is_full


def _remind_of_turns(moved: Sequence[MovedGame]) -> None:
    awaited = [
        (user, each.game, each.alarm, each.due_at)
        for each in moved
        if each.alarm is not None and each.due_at is not None
        for user in each.awaits
    ]
    if awaited:
        columns = map(list, zip(*awaited, strict=True))
        with connection.cursor() as cursor:
            names = ("user", "game", "alarm", "due_at")
            cursor.execute(REMIND, dict(zip(names, columns, strict=True)))


def _connected(lobbies: Collection[UUID]) -> set[tuple[UUID, UUID]]:
    """Return who is connected to these lobbies or their games: lobby and user."""
    with connection.cursor() as cursor:
        cursor.execute(CONNECTED, {"lobbies": [*lobbies]})
        return set(cursor.fetchall())


def is_still_open(notice: Notice) -> bool:
    """Whether the decision that a notice asks for is still to be made."""
    return Game.objects.filter(
        id=notice.subject,
        head__ended="",
        head__alarm=notice.version,
        head__awaits__contains=[notice.user_id],
    ).exists()


def drop_vain_reminders() -> None:
    """Drop due reminders of deadlines that have passed, or at which all whom the game awaits are on
    vacation: a pause or the next turn follows, with reminders of its own."""
    due_at = OuterRef("lobby__game__head__due_at")
    away = Vacation.objects.filter(user=OuterRef("user"), starts_at__lte=due_at, ends_at__gt=due_at)
    awaited = Seat.objects.filter(
        lobby__game=OuterRef("game"), lobby__game__head__awaits__contains=[F("user")]
    )
    no_pause = Exists(awaited.filter(~Exists(away)))
    in_vain = Q(game__head__due_at__lte=Now()) | Q(~no_pause, game__lobby__vacations=True)
    Reminder.objects.filter(in_vain, kind="deadline_near", at__lte=Now()).delete()


def reminders(due: Sequence[Reminder]) -> tuple[list[Fact], list[Reminder]]:
    """Return what to tell of turns that are still open, and the reminders of users who are
    connected, so that they see it. A connection may be dead, which shows later."""
    connected = _connected([each.game.lobby_id for each in due])
    facts, kept = list[Fact](), list[Reminder]()
    for each in due:
        head = each.game.head
        if head.ended or head.alarm != each.alarm or each.user_id not in (head.awaits or ()):
            continue
        if (each.game.lobby_id, each.user_id) in connected:
            kept.append(each)
        elif head.due_at is not None:
            data = {"lobby": str(each.game.lobby_id), "game": str(each.game_id)}
            data["due_at"] = head.due_at.isoformat()
            kind: Any = each.kind  # one of TURNS
            facts.append(Fact(each.user_id, kind, each.game_id, each.alarm, data))
    return facts, kept


def _replaced(moved: MovedGame) -> list[Fact]:
    """Return the users for whom bots play since these moves; none of a damaged history."""
    try:
        commits = event_loop.call(_commits_in(moved))
    except DamagedError:
        return []
    users = _users_of(moved.lobby)
    facts: list[Fact] = []
    for commit in commits:
        if commit.seat is not None:
            continue
        command = chain.decode_server_command(chain.decode_body(commit.body).command)
        if isinstance(command, SeatReplaced) and command.seat in users:
            data = {**moved.ids, "seat": command.seat}
            user = users[command.seat]
            facts.append(Fact(user, "seat_replaced", moved.game, commit.version, data))
    return facts


async def _commits_in(moved: MovedGame) -> list[StoredCommit]:
    return await store().commits(moved.game, moved.known, moved.version)


def _users_of(lobby: UUID) -> dict[int, UUID]:
    seats = Seat.objects.filter(lobby=lobby, user__isnull=False)
    return {seat: user for seat, user in seats.values_list("number", "user") if user is not None}


def _corrected(moved: MovedGame) -> list[Fact]:
    """Return the users whose settled bets were voided in these moves."""
    versions = (moved.known + 1, moved.version)
    found = Bet.objects.filter(
        game=moved.game,
        user__isnull=False,
        settlements__isnull=False,
        corrections__version__range=versions,
    )
    return [
        Fact(
            bet.user_id,
            "bet_corrected",
            moved.game,
            bet.settled_version,
            {**moved.ids, "bet": bet.number, "payout": bet.payout},
        )
        for bet in with_results(found)
    ]
