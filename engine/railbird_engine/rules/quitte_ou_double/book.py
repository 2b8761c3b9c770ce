"""The book of Quitte ou double: the colours of the teams, and names and events in words."""

from pathlib import Path
from typing import Final

import msgspec

from railbird_engine import Book, Call, Guide, SeatColour, Text
from railbird_engine.rules.quitte_ou_double.data import ROUNDS, TEAM_COLOURS, TOKENS_PER_TEAM
from railbird_engine.rules.quitte_ou_double.refusals import REFUSALS


class QuitteOuDoubleBook(Book, frozen=True, kw_only=True):
    """The texts of Quitte ou double. The questions stay secret, and there are no other cards.

    `team_colours` has a colour for each team; a seat has the colour of its team. The game has
    `rounds`, and each team has `tokens_per_team` bet tokens.
    """

    team_colours: tuple[SeatColour, ...]
    rounds: int
    tokens_per_team: int


_HEX: Final = ("#e3b505", "#7b3fa0", "#2e8b4f", "#2b2b2b", "#1f5fa8", "#c62f3b")
_TEAMS: Final = tuple(Text(**colour) for colour in TEAM_COLOURS)
_TEAM_NAMES: Final = {str(team): name for team, name in enumerate(_TEAMS)}
_WINNER_NAMES: Final = {
    team: Text(name.en, f"l’équipe {name.fr}") for team, name in _TEAM_NAMES.items()
}
"""In French, each winner is named as a team: the colour alone would need a plural."""
_PHASES: Final = {
    "level": Text(en="the presenter chooses the level", fr="le présentateur choisit le niveau"),
    "answer": Text(en="write your answer", fr="écrivez votre réponse"),
    "bet": Text(en="place your bets", fr="placez vos mises"),
    "reveal": Text(en="the right answer", fr="la bonne réponse"),
    "finished": Text(en="the game is over", fr="la partie est finie"),
}
_REASONS: Final = {
    "unanswered": Text(en="nobody answered", fr="personne n’a répondu"),
    "no_cards": Text(en="no card is left", fr="il ne reste pas de carte"),
}

BOOK: Final = QuitteOuDoubleBook(
    names={
        "phase": _PHASES,
        "reason": _REASONS,
        "outcome": {"won": Text(en="won", fr="gagné"), "lost": Text(en="lost", fr="perdu")},
        "team": _TEAM_NAMES,
        "teams": _TEAM_NAMES,
        "winners": _WINNER_NAMES,
    },
    calls=msgspec.json.decode(
        (Path(__file__).with_name("data") / "calls.json").read_bytes(), type=tuple[Call, ...]
    ),
    guide=msgspec.json.decode(
        (Path(__file__).with_name("data") / "guide.json").read_bytes(), type=Guide
    ),
    seat_fields=("seat", "presenter", "banker"),
    refusals=REFUSALS,
    team_colours=tuple(map(SeatColour, _TEAMS, _HEX)),
    rounds=ROUNDS,
    tokens_per_team=TOKENS_PER_TEAM,
)
