"""What `verify_all` compares of the tables of histories, and what it cannot.

Every column of these models is bound by the public log, or derived from columns that are, or listed
here with the reason why nothing stands behind it.
"""

from collections.abc import Mapping
from typing import Final

from django.db.models import Model

from accounts.models import Account, OpeningBalance, Transfer
from games.models import (
    AbandonedAttempt,
    ArchivedGame,
    Bet,
    Commit,
    Correction,
    DetachedMonth,
    Game,
    Head,
    Lobby,
    LogCheckpoint,
    LogCosignature,
    LogEntry,
    LogKey,
    LogTile,
    OperatorAction,
    RoomEvent,
    Seat,
    Settlement,
    Snapshot,
)

ROOM: Final = "a wish of the host about the room, which decides no money"
MARK: Final = "a mark of progress; what it stands for is compared"
MOMENT: Final = "when this server stored it; the log's heartbeats and cosignatures have times"
TALK: Final = "what was said and done in a room; no money and no game follows from it"
CACHE: Final = "a cache with a digest, rebuilt from the commits"
BEFORE_START: Final = "needed until the game starts; its genesis has what counts"

UNBOUND: Final[Mapping[type[Model], Mapping[str, str]]] = {
    Game: {},
    Head: {
        "wakes_bots": MARK,
        "due_at": "when the clock acts next: an operator can always stop the clock",
        "stalled": "why the game stands still: an operator can always stop a game",
        "damaged": "the first damaged commit that a process found; every commit is compared",
        "settled": MARK,
        "sealed": "a mark of progress; that the log has what is marked is compared",
        "told": MARK,
        "is_slow": MARK,
        "awaits": "who is awaited, for lists: the rules say it of the state",
        "agreed": "who wants to void the game; that it was voided is a commit",
    },
    Commit: {
        "command_id": "chosen by the client, whose acknowledgement holds it",
    },
    Bet: {},
    Settlement: {},
    Correction: {},
    Transfer: {"id": "a number for pages of lists"},
    Account: {},
    OpeningBalance: {},
    Lobby: {
        **dict.fromkeys(
            (
                *("title", "host_id", "visibility", "invite_code", "spectators"),
                *("start_when_full", "admits_bot_users", "bots_after_s", "vacations", "fills_by"),
                *("bots_due_at", "held_for", "held_until", "rematch_id"),
            ),
            ROOM,
        ),
        **dict.fromkeys(("starts_by", "stage", "rows_salt", "committed", "revealed"), BEFORE_START),
        "version": TALK,
        "changed_in": "a cursor for lists",
        "created_at": MOMENT,
        "seed_box": "the seed, encrypted; the seed in plain is compared once the game has ended",
    },
    Seat: {
        "id": "a number of the row",
        "bot_name": "a name to show",
        "colour": "a colour to show; no rule knows it",
        "ready": BEFORE_START,
        "commits": BEFORE_START,
        "commitment": BEFORE_START,
        "entropy": BEFORE_START,
        "key": BEFORE_START,
        "signature": BEFORE_START,
        "taken_at": MOMENT,
    },
    AbandonedAttempt: {},
    OperatorAction: {"id": "a number of the row"},
    DetachedMonth: {},
    ArchivedGame: {},
    LogKey: {"at": MOMENT},
    LogEntry: {},
    LogTile: {},
    LogCheckpoint: {"at": MOMENT},
    LogCosignature: {"at": MOMENT},
    Snapshot: dict.fromkeys(("game_id", "version", "hash", "drawn", "state", "digest"), CACHE),
    RoomEvent: dict.fromkeys(
        ("lobby_id", "version", "at", "kind", "user_id", "message", "readers", "body"), TALK
    ),
}
"""The columns that nothing binds, by model. All others are compared."""
