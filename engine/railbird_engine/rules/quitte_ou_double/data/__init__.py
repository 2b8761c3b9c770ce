"""The figures of the rulebook and the colours of the teams. The questions are in `bank`."""

from typing import Final

ROUNDS: Final = 7
TEAMS_MIN: Final = 3
TEAMS_MAX: Final = 6
TOKENS_PER_TEAM: Final = 2
LEVELS: Final = (1, 2, 3)

EXPERT_BONUS: Final = 3
"""Rulebook, "Pour les grosses tetes": the extra pay for an exact answer."""

UNANSWERED_MAX: Final = 2
"""Ruling Q3: the second question in a row that nobody answers ends the round."""

TEAM_COLOURS: Final = (
    {"en": "yellow", "fr": "jaune"},
    {"en": "purple", "fr": "violette"},
    {"en": "green", "fr": "verte"},
    {"en": "black", "fr": "noire"},
    {"en": "blue", "fr": "bleue"},
    {"en": "red", "fr": "rouge"},
)
"""The teams of the rulebook's examples, in the order in which it names them."""
