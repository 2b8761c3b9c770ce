"""Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, field

from railbird_client.types import GameTypes


class BetVoided(Struct, kw_only=True, tag_field="type", tag="bet_voided"):
    """A bet was voided; `payout` is what went back to the seat."""

    bet: int
    payout: int
    reason: str
    only: list[int] | None = None


class BonusSquare(Struct, kw_only=True):
    """A numbered square: the first die on it scores `points`."""

    row: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    column: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    points: int


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


class DeclareNoSet(Struct, kw_only=True, tag_field="type", tag="declare_no_set"):
    """Opening: declare that the hand holds no SET. The seat may still call one later."""


class DiceKept(Struct, kw_only=True, tag_field="type", tag="dice_kept"):
    """A seat kept its dice, by choice or because its time expired."""

    seat: int
    timed_out: bool
    only: list[int] | None = None


class Die(Struct, kw_only=True):
    """A thrown die in a player's hand: its number and what it shows."""

    number: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    shows: Annotated[str, Meta(description="What a die shows: a face, or WILD.")]


class GameEnded(Struct, kw_only=True, tag_field="type", tag="game_ended"):
    """
    The game ended.

    `hand_empty`: a hand was empty at the end of a round. `rounds_passed`: every seat passed in
    three rounds in a row (ruling D14, ours). `openings_unanswered`: no seat answered three openings
    in a row, `openings_uncalled`: no seat called a SET in ten openings (ruling D23, ours).
    """

    ending: str
    only: list[int] | None = None


class Intervened(Struct, kw_only=True, tag_field="type", tag="intervened"):
    """
    An operator or the server intervened in this game, for this reason.

    `by` is the operator's opaque id; null for the server itself.
    """

    by: str | None
    reason: str
    only: list[int] | None = None


class KeepDice(Struct, kw_only=True, tag_field="type", tag="keep_dice"):
    """Between rounds: keep all dice as they are."""


class MadeSet(Struct, kw_only=True):
    """A SET that a turn made, and the points it scored."""

    squares: list[list[int]]
    points: int


class NamedDie(Struct, kw_only=True):
    """A die of the seat's hand. `wild_as` announces the face of a Wild, and only of a Wild."""

    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    wild_as: str | None = None


class NoSetDeclared(Struct, kw_only=True, tag_field="type", tag="no_set_declared"):
    """A seat declared that its hand holds no SET."""

    seat: int
    only: list[int] | None = None


class PassTurn(Struct, kw_only=True, tag_field="type", tag="pass_turn"):
    """Place no dice in this round."""


class Placement(Struct, kw_only=True):
    """
    A die of the seat's hand and the empty square it goes to.

    `wild_as` announces the face of a Wild, and only of a Wild.
    """

    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    row: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    column: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    wild_as: str | None = None


class Position(Struct, kw_only=True):
    """A square of the board; row 0, column 0 is at the top left."""

    row: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    column: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]


class PrintedDie(Struct, kw_only=True):
    """A die and its six sides."""

    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    sides: list[str]


class PrintedFace(Struct, kw_only=True):
    """A face: `number` symbols of one `shape` in one `colour`. The colours are for screens."""

    face: Annotated[
        str, Meta(description="Colour, number and shape, for example R2S: two red squiggles.")
    ]
    colour: str
    number: int
    shape: str


class ReplaceWild(Struct, kw_only=True, tag_field="type", tag="replace_wild"):
    """
    Before placing: replace a Wild on the board by a die that shows its announced face.

    The recovered die joins the hand and is thrown.
    """

    row: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    column: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]


class Reroll(Struct, kw_only=True, tag_field="type", tag="reroll"):
    """Between rounds: throw some or all dice of the hand again, once."""

    dice: list[int]


class RoundStarted(Struct, kw_only=True, tag_field="type", tag="round_started"):
    """A round began with the turn of seat `first`."""

    round: int
    first: int
    only: list[int] | None = None


class SetDiceOptions(Struct, kw_only=True):
    """
    `opening_s`, `turn_s` and `reroll_s` limit the opening, a turn and the reroll, in seconds; 0
    means no limit.

    `refill` sets how the last dice are drawn: hand by hand (ruling D22), or one die each in turn.
    `reroll` sets whether hands are refilled before or after dice are thrown again (ruling D13).
    `bots` is the strength of the bots.
    """

    opening_s: Annotated[int, Meta(description="0: no limit.")] = 60
    turn_s: Annotated[int, Meta(description="0: no limit.")] = 90
    reroll_s: Annotated[int, Meta(description="0: no limit.")] = 30
    refill: str = "by_hand"
    reroll: str = "after_refill"
    bots: str = "casual"


class Square(Struct, kw_only=True):
    """An occupied square of the board. A Wild shows the face that was announced for it."""

    row: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    column: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    face: Annotated[
        str, Meta(description="Colour, number and shape, for example R2S: two red squiggles.")
    ]
    wild: bool


class Text(Struct, kw_only=True):
    """A text for players, in English and French."""

    en: str
    fr: str


class TurnPassed(Struct, kw_only=True, tag_field="type", tag="turn_passed"):
    """A seat placed no dice, by choice or because its time expired."""

    seat: int
    timed_out: bool
    only: list[int] | None = None


class WildAnnounced(Struct, kw_only=True, tag_field="type", tag="wild_announced"):
    """A seat places this Wild, next, as this face."""

    seat: int
    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    face: Annotated[
        str, Meta(description="Colour, number and shape, for example R2S: two red squiggles.")
    ]
    only: list[int] | None = None


class WildReplaced(Struct, kw_only=True, tag_field="type", tag="wild_replaced"):
    """
    A die that shows the announced face replaced a Wild on the board. Nothing is scored.

    `die` now lies on the square; `recovered` is the Wild, which the seat throws next.
    """

    seat: int
    row: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    column: Annotated[int, Meta(description="Row or column of the board, 0 to 10.")]
    die: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    recovered: Annotated[int, Meta(description="The number of a die, 1 to 42.")]
    only: list[int] | None = None


Options: TypeAlias = SetDiceOptions


class CallSet(Struct, kw_only=True, tag_field="type", tag="call_set"):
    """
    Opening: call a SET of three dice of the hand. The first valid call wins the race.

    The dice are placed on the logo in the order given, left to right. The caller plays first in
    every round. In the list of legal commands `dice` is empty: a call may be made, of any dice.
    """

    dice: list[NamedDie]


class DicePlaced(Struct, kw_only=True, tag_field="type", tag="dice_placed"):
    """A seat placed dice, which made `made` SETs. `points` is the sum of the SETs and the bonus."""

    seat: int
    dice: list[Square]
    made: int
    sets: list[MadeSet]
    bonus: int
    points: int
    only: list[int] | None = None


class DiceThrown(Struct, kw_only=True, tag_field="type", tag="dice_thrown"):
    """
    A seat threw dice.

    `cause`: the dice were drawn from the bag (`drawn`), chosen for the reroll (`rerolled`) or
    recovered from the board (`recovered`), or every seat throws all its dice again (`all_again`).
    """

    seat: int
    dice: list[Die]
    cause: str
    only: list[int] | None = None


class Passage(Struct, kw_only=True):
    """A titled text of a guide."""

    title: Text
    text: Text


class PlaceDice(Struct, kw_only=True, tag_field="type", tag="place_dice"):
    """Place one to three dice, which are judged together, and end the turn."""

    dice: list[Placement]


class SeatColour(Struct, kw_only=True):
    """The colour of a seat's pieces; `hex` is the colour as CSS writes it."""

    name: Text
    hex: str


class SetCalled(Struct, kw_only=True, tag_field="type", tag="set_called"):
    """A seat won the race: its three dice are on the logo, and it plays first in every round."""

    seat: int
    dice: list[Square]
    points: int
    only: list[int] | None = None


class SetDiceView(Struct, kw_only=True):
    """
    The game as every viewer sees it. `scores` and `hands` are in seat order.

    `bag` counts the dice that can still be drawn. `first` begins every round. `answered` lists the
    seats that saw no SET in this opening, or that have decided in this reroll.
    """

    phase: str
    round: int
    options: SetDiceOptions
    scores: list[int]
    hands: list[list[Die]]
    board: list[Square]
    bag: int
    first: int | None
    on_turn: int | None
    wild_replaced: bool
    answered: list[int]
    ending: str | None
    you: int | None


Command: TypeAlias = CallSet | DeclareNoSet | ReplaceWild | PlaceDice | PassTurn | Reroll | KeepDice


Event: TypeAlias = (
    DiceThrown
    | NoSetDeclared
    | SetCalled
    | RoundStarted
    | WildReplaced
    | WildAnnounced
    | DicePlaced
    | TurnPassed
    | DiceKept
    | GameEnded
    | BetVoided
    | Intervened
)


View: TypeAlias = SetDiceView


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


class SetDiceBook(Struct, kw_only=True):
    """
    The board (`size` squares on each side), the squares of the logo from left to right, the
    numbered squares, all faces and all dice.

    `colours` gives a screen colour for each colour of a face. `shapes` gives each shape as an SVG
    path in a box of 100 by 50; `fill_opacity` fills the shapes of each colour differently,
    for players who do not see colours. The symbols of a face lie in a column. A Wild on the board
    has a dashed edge.
    """

    size: int
    logo: list[Position]
    bonus: list[BonusSquare]
    faces: list[PrintedFace]
    dice: list[PrintedDie]
    colours: dict[str, str]
    fill_opacity: dict[str, float]
    shapes: dict[str, str]
    names: dict[str, dict[str, Text]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    seat_fields: list[str] = field(default_factory=lambda: ["seat"])
    by_seat: list[str] = field(default_factory=list)
    refusals: dict[str, Text] = field(default_factory=dict)
    seat_colours: list[SeatColour] = field(default_factory=list)
    guide: Guide | None = None


Book: TypeAlias = SetDiceBook

TYPES: GameTypes[Command, Event, View] = GameTypes(
    "set_dice", command=Command, event=Event, view=View
)
"""The types of this game, for `Client.table`."""
