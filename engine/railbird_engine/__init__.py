"""The games of Railbird without the server: the contract of a game, five games, and the verifiers.

A game imports everything from here. `kernel` has no framework, clock or random numbers, `rules` has
one folder per game, and `audit` verifies histories offline.
"""

from railbird_engine.kernel.book import (
    Book,
    Call,
    Guide,
    OptionsGuide,
    Passage,
    Preset,
    SeatColour,
    Text,
)
from railbird_engine.kernel.chance import Chance, Draw, ScriptedChance, SeededChance
from railbird_engine.kernel.contract import (
    ENGINE_REFUSALS,
    SLOW_LIMITS_S,
    Alarm,
    AnyRules,
    BotLevel,
    CoinFault,
    Command,
    Cue,
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
from railbird_engine.kernel.events import (
    AnyServerEvent,
    BetPlaced,
    BetSettled,
    BetVoided,
    Event,
    Intervened,
)
from railbird_engine.kernel.money import BANK, Purse, Seat, Transfer, seat_purse
from railbird_engine.kernel.server_commands import VoidedBet

__all__ = [
    "BANK",
    "ENGINE_REFUSALS",
    "SLOW_LIMITS_S",
    "Alarm",
    "AnyRules",
    "AnyServerEvent",
    "BetPlaced",
    "BetSettled",
    "BetVoided",
    "Book",
    "BotLevel",
    "Call",
    "Chance",
    "CoinFault",
    "Command",
    "Cue",
    "Draw",
    "Event",
    "Guide",
    "Intervened",
    "NoOptions",
    "Options",
    "OptionsGuide",
    "Passage",
    "Preset",
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
