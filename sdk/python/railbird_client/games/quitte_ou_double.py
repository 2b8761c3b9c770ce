"""Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, field

from railbird_client.types import GameTypes


class AnswerWritten(Struct, kw_only=True, tag_field="type", tag="answer_written"):
    """A seat wrote the answer of its team. Only the team may read it."""

    seat: int
    answer: Annotated[
        str,
        Meta(
            description="A decimal number: up to 15 digits, a point and up to 10 decimals. No unit."
        ),
    ]
    only: list[int] | None = None


class BetPlaced(Struct, kw_only=True, tag_field="type", tag="bet_placed"):
    """A seat placed a bet. `bet` numbers the bets of a game from 1; `odds` are as shown."""

    bet: int
    seat: int
    spot: str
    stake: int
    odds: str
    only: list[int] | None = None


class BetSettled(Struct, kw_only=True, tag_field="type", tag="bet_settled"):
    """
    A bet was settled. `seat` and `spot` repeat its `bet_placed`.

    `payout` is what the settlement moved: above zero to the seat, below zero from it.
    """

    bet: int
    seat: int
    spot: str
    outcome: str
    payout: int
    only: list[int] | None = None


class BetVoided(Struct, kw_only=True, tag_field="type", tag="bet_voided"):
    """A bet was voided; `payout` is what went back to the seat."""

    bet: int
    payout: int
    reason: str
    only: list[int] | None = None


class Call(Struct, kw_only=True):
    """
    A sentence for events of type `event` whose fields have one of the values in `where`.

    `where` lists allowed values by field; an absent field may have any value. `key` is stable, for
    clients with words or sounds of their own.

    Braces hold a field of the event, or a path of fields with dots. Clients replace them: a text by
    its words in the language, a seat by the name of the player (`seat_fields` of the book lists the
    fields that hold seats), a value by its name in the book's `names` (by field), a list by its
    items with commas (an empty one by a dash), and anything else by itself. Lists of the fields in
    `by_seat` have an item for each seat: clients put the name of the player before it.
    """

    en: str
    fr: str
    key: str
    event: str
    where: dict[str, list[bool | int | str | None]] = field(default_factory=dict)


class ChooseLevel(Struct, kw_only=True, tag_field="type", tag="choose_level"):
    """Choose which question of each card this game asks (presenter only)."""

    level: Annotated[int, Meta(description="Which of the three questions of every card is asked.")]


class GameEnded(Struct, kw_only=True, tag_field="type", tag="game_ended"):
    """The game is over: the winners, and the scores by team."""

    winners: list[int]
    scores: list[int]
    only: list[int] | None = None


class GameOpened(Struct, kw_only=True, tag_field="type", tag="game_opened"):
    """The game begins: teams, roles, and the question bank with the SHA-256 of its content."""

    teams: list[list[int]]
    presenter: int
    banker: int
    bank: str
    bank_sha256: str
    only: list[int] | None = None


class Intervened(Struct, kw_only=True, tag_field="type", tag="intervened"):
    """
    An operator or the server intervened in this game, for this reason.

    `by` is the operator's opaque id; null for the server itself.
    """

    by: str | None
    reason: str
    only: list[int] | None = None


class LevelChosen(Struct, kw_only=True, tag_field="type", tag="level_chosen"):
    """The whole game asks questions of this level. `timed_out`: the clock chose it."""

    level: Annotated[int, Meta(description="Which of the three questions of every card is asked.")]
    timed_out: bool
    only: list[int] | None = None


class LockAnswer(Struct, kw_only=True, tag_field="type", tag="lock_answer"):
    """Lock the team's answer: it can no longer change."""


class LockBets(Struct, kw_only=True, tag_field="type", tag="lock_bets"):
    """Lock both bet tokens: they can no longer move."""


class NextQuestion(Struct, kw_only=True, tag_field="type", tag="next_question"):
    """Continue with the next question after the answer was shown (presenter only)."""


class PlaceToken(Struct, kw_only=True, tag_field="type", tag="place_token"):
    """Place a bet token between two tiles, or move it, with `stake` gain tokens under it."""

    token: Annotated[int, Meta(description="Which of a team's two bet tokens.")]
    zone: Annotated[int, Meta(description="0: below the first tile; n: just above the n-th tile.")]
    stake: Annotated[int, Meta(description="Gain tokens under the bet token.")] = 0


class QuestionDiscarded(Struct, kw_only=True, tag_field="type", tag="question_discarded"):
    """Nobody answered the question, so it is discarded and its answer shown."""

    card: int
    answer: Annotated[
        str,
        Meta(
            description="A decimal number: up to 15 digits, a point and up to 10 decimals. No unit."
        ),
    ]
    only: list[int] | None = None


class QuitteOuDoubleOptions(Struct, kw_only=True):
    """
    `teams` gives the team of each seat. If it is empty, the server makes balanced teams:
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

    teams: list[int] = field(default_factory=list)
    team_count: int | None = None
    presenter: int = 0
    banker: int = 1
    captain_locks: bool = False
    hourglass_s: Annotated[int, Meta(description="0: no limit.")] = 30
    level_s: Annotated[int, Meta(description="0: no limit.")] = 60
    reveal_s: Annotated[int, Meta(description="0: no limit.")] = 20
    expert_bonus: bool = False
    permanent_double: bool = False
    hidden_bets: bool = False
    tiebreak_question: bool = False
    left_out: list[int] = field(default_factory=list)
    bank: str = "house"
    bots: str = "casual"


class Reveal(Struct, kw_only=True):
    """The right answer, the zones that pay, and the gains and losses by team."""

    answer: Annotated[
        str,
        Meta(
            description="A decimal number: up to 15 digits, a point and up to 10 decimals. No unit."
        ),
    ]
    source: str
    paying_zones: list[int]
    gains: list[int]


class RoundSkipped(Struct, kw_only=True, tag_field="type", tag="round_skipped"):
    """The round counts as played, without payment."""

    round: int
    reason: str
    only: list[int] | None = None


class TeamLocked(Struct, kw_only=True, tag_field="type", tag="team_locked"):
    """A team locked its answer or its bets."""

    team: Annotated[int, Meta(description="A team, numbered from 0.")]
    seat: int
    only: list[int] | None = None


class Text(Struct, kw_only=True):
    """A text for players, in English and French."""

    en: str
    fr: str


class TiebreakStarted(Struct, kw_only=True, tag_field="type", tag="tiebreak_started"):
    """These teams lead together and answer one more question; the closest answer wins."""

    teams: list[int]
    only: list[int] | None = None


class Tile(Struct, kw_only=True):
    """An answer in the row, and the teams that wrote it."""

    value: str
    teams: list[int]


class TilePaid(Struct, kw_only=True, tag_field="type", tag="tile_paid"):
    """A team got gain tokens for its tile; `is_exact`: its answer was exactly right."""

    team: Annotated[int, Meta(description="A team, numbered from 0.")]
    amount: int
    is_exact: bool
    only: list[int] | None = None


class TilesRevealed(Struct, kw_only=True, tag_field="type", tag="tiles_revealed"):
    """The answers of all teams are shown, sorted and stacked."""

    tiles: list[Tile]
    only: list[int] | None = None


class Token(Struct, kw_only=True):
    """A bet token in a zone, the gain tokens under it, and the seat that placed it."""

    number: Annotated[int, Meta(description="Which of a team's two bet tokens.")]
    zone: Annotated[int, Meta(description="0: below the first tile; n: just above the n-th tile.")]
    stake: Annotated[int, Meta(description="Gain tokens under the bet token.")]
    seat: int


class TokenPlaced(Struct, kw_only=True, tag_field="type", tag="token_placed"):
    """A bet token was placed or moved. Where bets are hidden, only the team may read it."""

    seat: int
    team: Annotated[int, Meta(description="A team, numbered from 0.")]
    token: Annotated[int, Meta(description="Which of a team's two bet tokens.")]
    zone: Annotated[int, Meta(description="0: below the first tile; n: just above the n-th tile.")]
    stake: Annotated[int, Meta(description="Gain tokens under the bet token.")]
    only: list[int] | None = None


class WriteAnswer(Struct, kw_only=True, tag_field="type", tag="write_answer"):
    """Write the team's answer, or replace it: the last one counts."""

    answer: Annotated[
        str,
        Meta(
            description="A decimal number: up to 15 digits, a point or a comma and up to 10 decimals. No unit. Surrounding spaces are ignored."
        ),
    ]


Command: TypeAlias = ChooseLevel | WriteAnswer | LockAnswer | PlaceToken | LockBets | NextQuestion


Options: TypeAlias = QuitteOuDoubleOptions


class AnswerRevealed(Struct, kw_only=True, tag_field="type", tag="answer_revealed"):
    """The right answer is shown, with the zones that pay and the teams whose tiles do."""

    round: int
    answer: Annotated[
        str,
        Meta(
            description="A decimal number: up to 15 digits, a point and up to 10 decimals. No unit."
        ),
    ]
    unit: Text
    source: str
    paying_zones: list[int]
    paid_tiles: list[int]
    exact_tiles: list[int]
    only: list[int] | None = None


class Passage(Struct, kw_only=True):
    """A titled text of a guide."""

    title: Text
    text: Text


class QuestionView(Struct, kw_only=True):
    """The question being asked and its unit, in both languages; a year has no unit."""

    card: int
    fr: str
    en: str
    unit: Text


class SeatColour(Struct, kw_only=True):
    """The colour of a seat's pieces; `hex` is the colour as CSS writes it."""

    name: Text
    hex: str


class TeamView(Struct, kw_only=True):
    """
    A team as one viewer sees it. Only its own members see `answer` and, where bets are hidden,
    `tokens`.
    """

    team: Annotated[int, Meta(description="A team, numbered from 0.")]
    colour: dict[str, str]
    seats: list[int]
    score: int
    locked: bool
    answer: str | None
    tokens: list[Token] | None


class Guide(Struct, kw_only=True):
    """
    Texts for a person who has never played this game.

    `summary` is one sentence, `minutes` a usual game with people, `weight` goes from 1 (light) to
    5 (heavy), and `liked_by` says who likes the game. `cards` are five passages to read in a minute
    before the first decision. `rules` are all rules, and `terms` explain symbols, cards and words
    where they are met; their keys are stable.
    """

    summary: Text
    minutes: int
    weight: int
    liked_by: Text
    cards: list[Passage]
    rules: list[Passage]
    terms: dict[str, Passage]


class QuestionAsked(Struct, kw_only=True, tag_field="type", tag="question_asked"):
    """
    A question is asked and the hourglass runs. A round above seven is the tie-break.

    With `stakes_allowed`, gain tokens may be staked.
    """

    round: int
    question: QuestionView
    has_unit: bool
    stakes_allowed: bool
    only: list[int] | None = None


class QuitteOuDoubleBook(Struct, kw_only=True):
    """
    The texts of Quitte ou double. The questions stay secret, and there are no other cards.

    `team_colours` has a colour for each team; a seat has the colour of its team. The game has
    `rounds`, and each team has `tokens_per_team` bet tokens.
    """

    team_colours: list[SeatColour]
    rounds: int
    tokens_per_team: int
    names: dict[str, dict[str, Text]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    seat_fields: list[str] = field(default_factory=lambda: ["seat"])
    by_seat: list[str] = field(default_factory=list)
    refusals: dict[str, Text] = field(default_factory=dict)
    seat_colours: list[SeatColour] = field(default_factory=list)
    guide: Guide | None = None


class QuitteOuDoubleView(Struct, kw_only=True):
    """The game as one viewer sees it. `reveal` is null until the right answer is shown."""

    phase: str
    round: int
    options: QuitteOuDoubleOptions
    presenter: int
    banker: int
    teams: list[TeamView]
    level: int | None
    question: QuestionView | None
    tiles: list[Tile]
    stakes_allowed: bool
    reveal: Reveal | None
    tiebreak: list[int]
    winners: list[int]
    you: int | None
    your_team: int | None


Book: TypeAlias = QuitteOuDoubleBook


Event: TypeAlias = (
    GameOpened
    | LevelChosen
    | QuestionAsked
    | AnswerWritten
    | TeamLocked
    | TilesRevealed
    | QuestionDiscarded
    | RoundSkipped
    | TokenPlaced
    | AnswerRevealed
    | TilePaid
    | TiebreakStarted
    | GameEnded
    | BetPlaced
    | BetSettled
    | BetVoided
    | Intervened
)


View: TypeAlias = QuitteOuDoubleView

TYPES: GameTypes[Command, Event, View] = GameTypes(
    "quitte_ou_double", command=Command, event=Event, view=View
)
"""The types of this game, for `Client.table`."""
