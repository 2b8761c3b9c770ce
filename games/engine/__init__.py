"""The engine: the contract of a game's rules, without framework, clock or random numbers.

It uses only the standard library and msgspec.
"""

from games.engine.book import Book, Call, SeatColour, Text
from games.engine.chance import Chance, Draw, ScriptedChance, SeededChance
from games.engine.contract import (
    ENGINE_REFUSALS,
    Alarm,
    AnyRules,
    Command,
    NoOptions,
    Options,
    Result,
    Rules,
    RuleViolation,
    State,
    Step,
    Turn,
    View,
    edition_of,
    opening_purses,
)
from games.engine.events import AnyServerEvent, BetPlaced, BetSettled, BetVoided, Event, Intervened
from games.engine.money import BANK, Purse, Seat, Transfer, seat_purse
from games.engine.server import VoidedBet

__all__ = [
    "BANK",
    "ENGINE_REFUSALS",
    "Alarm",
    "AnyRules",
    "AnyServerEvent",
    "BetPlaced",
    "BetSettled",
    "BetVoided",
    "Book",
    "Call",
    "Chance",
    "Command",
    "Draw",
    "Event",
    "Intervened",
    "NoOptions",
    "Options",
    "Purse",
    "Result",
    "RuleViolation",
    "Rules",
    "ScriptedChance",
    "Seat",
    "SeatColour",
    "SeededChance",
    "State",
    "Step",
    "Text",
    "Transfer",
    "Turn",
    "View",
    "VoidedBet",
    "edition_of",
    "opening_purses",
    "seat_purse",
]
