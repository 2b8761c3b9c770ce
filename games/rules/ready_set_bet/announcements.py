"""What to call out: from events of a race to keys and words, in English and French. Clients may speak it, or use the keys.

Rulebook, "Le speaker": double 1 and double 6, new leaders, bonus moves, crossings of the red line and the closing are called.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

import msgspec

from games.engine import Event
from games.rules.ready_set_bet.cards import Text
from games.rules.ready_set_bet.data import HORSES, LANE_OF_HORSE
from games.rules.ready_set_bet.messages import (
    BettingClosed,
    GameEnded,
    RaceFinished,
    RaceStarted,
    RedLineCrossed,
    Rolled,
)

TEMPLATES: Final[Mapping[str, Text]] = msgspec.json.decode(
    Path(__file__).with_name("decks").joinpath("announcements.json").read_bytes(), type=dict[str, Text]
)
"""By key, the words; names in braces are the values of the announcement."""


class Announcement(msgspec.Struct, frozen=True):
    """One thing to call out."""

    key: str
    values: dict[str, str | int]

    def words(self, language: Literal["en", "fr"]) -> str:
        """The template of the key, filled in."""
        template = TEMPLATES[self.key]
        return (template.en if language == "en" else template.fr).format(**self.values)


def announcements(event: Event) -> Iterator[Announcement]:
    """What an event gives to call out, in the order in which it happened; nothing for most events."""
    match event:
        case RaceStarted():
            yield Announcement("race_started", {"race": event.race})
        case Rolled():
            yield from _of_roll(event)
        case RedLineCrossed():
            yield Announcement("crosses_red_line", {"horse": _name(event.horse), "crossed": event.crossed})
        case BettingClosed():
            yield Announcement("betting_closed", {"race": event.race})
        case RaceFinished():
            (winner,) = event.podium.win
            yield Announcement("race_finished", {"race": event.race, "horse": _name(winner)})
        case GameEnded():
            yield Announcement("game_ended", {})
        case _:
            return


def _of_roll(event: Rolled) -> Iterator[Announcement]:
    horse = _name(event.horse)
    if event.double:
        yield Announcement(f"double_{event.double}", {})
    yield Announcement("moves", {"total": sum(event.dice), "horse": horse, "position": event.position})
    if event.bonus:
        yield Announcement("bonus", {"horse": horse, "bonus": event.bonus})
    if event.takes_lead:
        yield Announcement("takes_lead", {"horse": horse})


def _name(horse: str) -> str:
    return HORSES[LANE_OF_HORSE[horse]].name
