"""The responses of the API, made from rows as one user may see them."""

from games.api.types.audit import Checkpoint, LogSigner, LogWitness, PersonLink, SeatProof
from games.api.types.games import (
    CommandSignature,
    Commits,
    Committed,
    Game,
    GameInFull,
    Genesis,
    LegalCommands,
    Result,
    ViewAtVersion,
    Views,
    commit_of_row,
)
from games.api.types.histories import (
    Account,
    ArchivedMonth,
    Balance,
    Bet,
    MovedLine,
    OperatorAction,
    Transfer,
)
from games.api.types.lobbies import (
    BannedUser,
    Commitments,
    Lobby,
    LobbyEvents,
    MutedUser,
    Start,
)
from games.api.types.parts import AnyBook, AnyCommand, Page, RawCommand
from games.api.types.rules import Rules, RulesInFull

__all__ = [
    "Account",
    "AnyBook",
    "AnyCommand",
    "ArchivedMonth",
    "Balance",
    "BannedUser",
    "Bet",
    "Checkpoint",
    "CommandSignature",
    "Commitments",
    "Commits",
    "Committed",
    "Game",
    "GameInFull",
    "Genesis",
    "LegalCommands",
    "Lobby",
    "LobbyEvents",
    "LogSigner",
    "LogWitness",
    "MovedLine",
    "MutedUser",
    "OperatorAction",
    "Page",
    "PersonLink",
    "RawCommand",
    "Result",
    "Rules",
    "RulesInFull",
    "SeatProof",
    "Start",
    "Transfer",
    "ViewAtVersion",
    "Views",
    "commit_of_row",
]
