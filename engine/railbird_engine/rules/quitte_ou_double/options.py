"""The options of Quitte ou double."""

from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from railbird_engine import SLOW_LIMITS_S, BotLevel, Options, OptionsGuide
from railbird_engine.rules.quitte_ou_double.data import TEAMS_MAX, TEAMS_MIN

Seconds = Annotated[int, Meta(ge=0, le=SLOW_LIMITS_S[-1], description="0: no limit.")]
Team = Annotated[int, Meta(ge=0, lt=TEAMS_MAX, description="A team, numbered from 0.")]
CardNumber = Annotated[int, Meta(ge=1, le=100_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=19)]


class QuitteOuDoubleOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`teams` gives the team of each seat. If it is empty, the server makes balanced teams:
    `team_count` of them, or as many as the seats allow. `presenter` and `banker` are seats. With
    `captain_locks`, only the first seat of a team locks.

    `hourglass_s` limits both answering and betting, `level_s` the choice of the level, `reveal_s`
    the pause before the next question, all in seconds; 0 means no limit.

    `expert_bonus` adds three gain tokens for an exact answer. With `permanent_double`, teams may
    stake gain tokens from round two on. `hidden_bets` hides tokens from other teams until the
    reveal. With `tiebreak_question`, leaders who are tied answer one more question (ruling Q16).
    `bank` names the questions, and the cards `left_out` of it are not drawn. `bots` sets how close
    to the truth bots guess.
    """

    teams: Annotated[tuple[Team, ...], Meta(max_length=20)] = ()
    team_count: Annotated[int, Meta(ge=TEAMS_MIN, le=TEAMS_MAX)] | None = None
    presenter: SeatNumber = 0
    banker: SeatNumber = 1
    captain_locks: bool = False
    hourglass_s: Seconds = 30
    level_s: Seconds = 60
    reveal_s: Seconds = 20
    expert_bonus: bool = False
    permanent_double: bool = False
    hidden_bets: bool = False
    tiebreak_question: bool = False
    left_out: Annotated[tuple[CardNumber, ...], Meta(max_length=100)] = ()
    bank: Annotated[str, Meta(pattern=r"^[a-z0-9_-]{1,40}$(?!\n)")] = "house"
    bots: BotLevel = "casual"


GUIDE: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "options.json").read_bytes(), type=OptionsGuide
)
"""Texts for a form of these options."""
