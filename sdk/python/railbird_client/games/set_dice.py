"""Generated from schema/games/set_dice.json by `python -m sdk.generate`: do not edit."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from railbird_client.types import GameTypes


class BetVoided(Struct, kw_only=True, tag_field="type", tag="bet_voided"):
    """A bet was called off; `payout` is what went back to the seat."""

    bet: int
    payout: int
    reason: str
    only: list[int] | None = None


class Call(Struct, kw_only=True):
    """
    What to say, in English and French, when an event of type `event` has, in each field that
    `where` names, one of the values listed there. `key` is stable, for clients with words or sounds
    of their own.

    Braces hold a field of the event, or, after dots, a field of that. A text is said in the
    language; a value that the book's `names` know, by the name of the field, is called so; `seat`
    is who sits there; all else is said as it is.
    """

    en: str
    event: str
    fr: str
    key: str
    where: dict[str, list[bool | int | str]] = field(default_factory=dict)


class DeclareNoSet(Struct, kw_only=True, tag_field="type", tag="declare_no_set"):
    """Opening: I see no SET among my dice. It does not bind: a later call still counts."""


class DiceKept(Struct, kw_only=True, tag_field="type", tag="dice_kept"):
    """A seat throws nothing again, by choice or because the time was up."""

    seat: int
    timed_out: bool
    only: list[int] | None = None


class Die(Struct, kw_only=True):
    """A thrown die before a player: its number and what it shows."""

    number: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    shows: Annotated[str, Meta(description="What a die shows: a face, or WILD.")]


class GameEnded(Struct, kw_only=True, tag_field="type", tag="game_ended"):
    """The last turn is over: a hand is empty, or nobody plays any more."""

    ending: Literal["hand_empty", "openings_unanswered", "rounds_passed"]
    only: list[int] | None = None


class Intervened(Struct, kw_only=True, tag_field="type", tag="intervened"):
    """
    Who runs the server did something about this game, for this reason. `by` is who, in no more
    than an opaque id; nobody: the server itself.
    """

    by: str | None
    reason: str
    only: list[int] | None = None


class KeepDice(Struct, kw_only=True, tag_field="type", tag="keep_dice"):
    """Between rounds: throw nothing again."""


class MadeSet(Struct, kw_only=True):
    """A SET that a turn made, and its worth."""

    points: int
    squares: list[list[int]]


class NamedDie(Struct, kw_only=True):
    """A die of one's hand; `wild_as` announces the face of a Wild, and only of a Wild."""

    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    wild_as: str | None = None


class NoSetDeclared(Struct, kw_only=True, tag_field="type", tag="no_set_declared"):
    """A seat sees no SET among its dice."""

    seat: int
    only: list[int] | None = None


class PassTurn(Struct, kw_only=True, tag_field="type", tag="pass_turn"):
    """Play nothing this round."""


class Placement(Struct, kw_only=True):
    """
    A die of one's hand and the empty square it goes to; `wild_as` announces the face of a Wild,
    and only of a Wild.
    """

    column: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    row: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    wild_as: str | None = None


class ReplaceWild(Struct, kw_only=True, tag_field="type", tag="replace_wild"):
    """
    Before placing: swap a Wild on the board for a die that shows its face, and throw the
    recovered die.
    """

    column: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    row: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]


class Reroll(Struct, kw_only=True, tag_field="type", tag="reroll"):
    """Between rounds: throw some or all of one's dice again, once."""

    dice: list[int]


class RoundStarted(Struct, kw_only=True, tag_field="type", tag="round_started"):
    """A new round; `first` begins it."""

    first: int
    round: int
    only: list[int] | None = None


class SetDiceOptions(Struct, kw_only=True):
    """
    `refill`: hand by hand (ruling D22), or one die each in turn. `bots`: how well the bots
    play.
    """

    bots: Literal["casual", "expert"] = "casual"
    opening_s: Annotated[int, Meta(description="0: no limit.")] = 60
    refill: Literal["by_hand", "one_each"] = "by_hand"
    reroll_s: Annotated[int, Meta(description="0: no limit.")] = 30
    turn_s: Annotated[int, Meta(description="0: no limit.")] = 90


class Square(Struct, kw_only=True):
    """An occupied square, as views and events show it."""

    column: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    face: Annotated[
        str, Meta(description="Colour, number and shape, for example R2S: two red squiggles.")
    ]
    row: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    wild: bool


class Text(Struct, kw_only=True):
    """Words for players, in English and French."""

    en: str
    fr: str


class TurnPassed(Struct, kw_only=True, tag_field="type", tag="turn_passed"):
    """A turn without dice, by choice or because the time was up."""

    seat: int
    timed_out: bool
    only: list[int] | None = None


class WildReplaced(Struct, kw_only=True, tag_field="type", tag="wild_replaced"):
    """A Wild left the board for a die that shows its face; nothing is scored."""

    column: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    recovered: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    row: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    seat: int
    only: list[int] | None = None


class Book(Struct, kw_only=True):
    """
    The printed matter of a game. `names` say what values are called, by field; of `calls` all
    that fit an event are said, in their order. A game adds its cards and boards.
    """

    calls: list[Call] = field(default_factory=list)
    names: dict[str, dict[str, Text]] = field(default_factory=dict)


Options: TypeAlias = SetDiceOptions


class CallSet(Struct, kw_only=True, tag_field="type", tag="call_set"):
    """
    Opening: "SET!" The first valid call takes the logo with its three dice, from left to right,
    and plays first.
    """

    dice: list[NamedDie]


class DicePlaced(Struct, kw_only=True, tag_field="type", tag="dice_placed"):
    """A turn was played. `points` holds the SETs and the bonus."""

    bonus: int
    dice: list[Square]
    points: int
    seat: int
    sets: list[MadeSet]
    only: list[int] | None = None


class DiceThrown(Struct, kw_only=True, tag_field="type", tag="dice_thrown"):
    """
    A seat threw dice: drawn from the bag, chosen for the reroll, recovered from the board, or
    all of them again.
    """

    cause: Literal["all_again", "drawn", "recovered", "rerolled"]
    dice: list[Die]
    seat: int
    only: list[int] | None = None


class PlaceDice(Struct, kw_only=True, tag_field="type", tag="place_dice"):
    """Play one to three dice, judged together, and end the turn."""

    dice: list[Placement]


class SetCalled(Struct, kw_only=True, tag_field="type", tag="set_called"):
    """The race is won: three dice lie on the logo and this seat plays first in every round."""

    dice: list[Square]
    points: int
    seat: int
    only: list[int] | None = None


class SetDiceView(Struct, kw_only=True):
    """What everybody sees. `scores` and `hands` are in seat order."""

    answered: list[int]
    bag: int
    board: list[Square]
    ending: Literal["hand_empty", "openings_unanswered", "rounds_passed"] | None
    first: int | None
    hands: list[list[Die]]
    on_turn: int | None
    options: SetDiceOptions
    phase: Literal["finished", "opening", "reroll", "turns"]
    round: int
    scores: list[int]
    wild_replaced: bool
    you: int | None


Command: TypeAlias = CallSet | DeclareNoSet | ReplaceWild | PlaceDice | PassTurn | Reroll | KeepDice


Event: TypeAlias = (
    DiceThrown
    | NoSetDeclared
    | SetCalled
    | RoundStarted
    | WildReplaced
    | DicePlaced
    | TurnPassed
    | DiceKept
    | GameEnded
    | BetVoided
    | Intervened
)


View: TypeAlias = SetDiceView

TYPES: GameTypes[Command, Event, View] = GameTypes(
    "set_dice", command=Command, event=Event, view=View
)
"""What `Client.table` wants to know of this game."""
