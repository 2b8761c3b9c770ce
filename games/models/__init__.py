"""Database models: lobbies, seats, games and their append-only histories. No logic."""

from games.models.archive import ArchivedGame, DetachedMonth, OperatorAction
from games.models.bets import Bet, Correction, Settlement
from games.models.games import Commit, Game, Head, OfferedRules, Snapshot
from games.models.lobbies import (
    OPEN_STATUSES,
    AbandonedAttempt,
    Ban,
    CurrentTransaction,
    Lobby,
    LobbyRequest,
    Mute,
    Presence,
    RoomEvent,
    Seat,
    new_invite_code,
    new_log_name,
)
from games.models.log import (
    OF_KEYS,
    LogCheckpoint,
    LogCosignature,
    LogEntry,
    LogKey,
    LogTile,
    LogTrouble,
    PendingEntry,
)

__all__ = [
    "OF_KEYS",
    "OPEN_STATUSES",
    "AbandonedAttempt",
    "ArchivedGame",
    "Ban",
    "Bet",
    "Commit",
    "Correction",
    "CurrentTransaction",
    "DetachedMonth",
    "Game",
    "Head",
    "Lobby",
    "LobbyRequest",
    "LogCheckpoint",
    "LogCosignature",
    "LogEntry",
    "LogKey",
    "LogTile",
    "LogTrouble",
    "Mute",
    "OfferedRules",
    "OperatorAction",
    "PendingEntry",
    "Presence",
    "RoomEvent",
    "Seat",
    "Settlement",
    "Snapshot",
    "new_invite_code",
    "new_log_name",
]
