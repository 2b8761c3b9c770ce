"""The games that can be played here, as responses."""

from typing import Any, Self

from games.api.types.lobbies import LobbyPace
from games.api.types.parts import Answer
from games.store.registry import book_of
from railbird_engine import AnyRules


class Title(Answer, frozen=True, kw_only=True):
    """The title of a game."""

    en: str
    fr: str


class SeatRange(Answer, frozen=True, kw_only=True):
    """The fewest and most seats of a game."""

    least: int
    most: int


class Rules(Answer, frozen=True, kw_only=True):
    """A game that can be played here. `unit` is the currency of its purses. `paces` are those of
    its lobbies: a game that a clock drives is played live only. `summary`, `minutes` and `weight`
    are from the guide in its book, and null without one."""

    slug: str
    title: Title
    seats: SeatRange
    unit: str
    version: int
    paces: list[LobbyPace]
    summary: Title | None
    minutes: int | None
    weight: int | None

    @classmethod
    def of(cls, rules: AnyRules) -> Self:
        """Summarize the rules."""
        guide = book_of(rules).guide
        return cls(
            slug=rules.slug,
            title=Title(en=rules.title["en"], fr=rules.title["fr"]),
            seats=SeatRange(least=rules.seats[0], most=rules.seats[-1]),
            unit=rules.unit,
            version=rules.version,
            paces=["live", "slow"] if rules.limits else ["live"],
            summary=Title(en=guide.summary.en, fr=guide.summary.fr) if guide else None,
            minutes=guide.minutes if guide else None,
            weight=guide.weight if guide else None,
        )


class RulesInFull(Rules, frozen=True, kw_only=True):
    """A game with the JSON Schema of its options, commands, events, views and book."""

    json_schema: dict[str, Any]
