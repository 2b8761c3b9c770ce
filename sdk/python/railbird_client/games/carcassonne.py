"""Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field

from railbird_client.types import GameTypes


class BetDecided(Struct, kw_only=True, tag_field="type", tag="bet_decided"):
    """A seat decided. Whether it bet becomes public when all seats have decided."""

    seat: int
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


class BettingOpened(Struct, kw_only=True, tag_field="type", tag="betting_opened"):
    """Action 4 began: these seats may place a chip on the office at x, y."""

    x: int
    y: int
    seats: list[int]
    only: list[int] | None = None


class BoxOpened(Struct, kw_only=True, tag_field="type", tag="box_opened"):
    """
    The game began.

    `tiles` has the notes of the segments of every kind of tile, `counts` their numbers, `chips` the
    odds of the chips that every seat has, and `first` the seat that begins. The book has details.
    """

    tiles: dict[str, list[str]]
    counts: dict[str, int]
    chips: dict[str, str]
    first: int
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


class CarcassonneOptions(Struct, kw_only=True):
    """
    `bets`: play with The Bets. `fields`: meeples may be placed in fields (ruling A2).

    `turn_seconds` limits each turn, each round of bets and the final choices; then the server
    chooses. 0 means no limit. `bots` is the strength of the bots.
    """

    bets: bool = True
    fields: bool = True
    turn_seconds: int = 0
    bots: str = "casual"


class ChipTurned(Struct, kw_only=True, tag_field="type", tag="chip_turned"):
    """
    A chip was turned over and returned to its seat.

    It counted for a feature of `tiles` tiles and paid `points`.
    """

    seat: int
    x: int
    y: int
    chip: str
    feature: int
    kind: str
    tiles: int
    points: int
    only: list[int] | None = None


class ChipsSealed(Struct, kw_only=True, tag_field="type", tag="chips_sealed"):
    """All seats decided: chips of these seats are face down on the office at x, y."""

    x: int
    y: int
    seats: list[int]
    only: list[int] | None = None


class ChooseFeature(Struct, kw_only=True, tag_field="type", tag="choose_feature"):
    """
    Choose the feature for which the chips on the office at x, y count. Final.

    In a turn the choice applies to all chips on the office, at the end to the seat's own chip.
    """

    x: int
    y: int
    feature: int


class DeadlinePassed(Struct, kw_only=True, tag_field="type", tag="deadline_passed"):
    """The time of these seats expired: the server chooses for them."""

    seats: list[int]
    only: list[int] | None = None


class Face(Struct, kw_only=True):
    """
    One number on a chip: features of `exactly`, or `at_least`, this many tiles hit it and pay
    `points`.
    """

    points: int
    exactly: int | None = None
    at_least: int | None = None


class FeatureChosen(Struct, kw_only=True, tag_field="type", tag="feature_chosen"):
    """A seat chose the feature for which the chips on the office at x, y count."""

    seat: int
    x: int
    y: int
    feature: int
    only: list[int] | None = None


class FeatureScored(Struct, kw_only=True, tag_field="type", tag="feature_scored"):
    """
    A feature was scored: each winner got `points`.

    Its meeples return to their seats, except in the final scoring.
    """

    feature: int
    kind: str
    tiles: int
    pennants: int
    complete: bool
    points: int
    winners: list[int]
    only: list[int] | None = None


class GameEnded(Struct, kw_only=True, tag_field="type", tag="game_ended"):
    """The final scoring is over. `points` is in seat order."""

    points: list[int]
    only: list[int] | None = None


class Intervened(Struct, kw_only=True, tag_field="type", tag="intervened"):
    """
    An operator or the server intervened in this game, for this reason.

    `by` is the operator's opaque id; null for the server itself.
    """

    by: str | None
    reason: str
    only: list[int] | None = None


class MeeplePlaced(Struct, kw_only=True, tag_field="type", tag="meeple_placed"):
    """Action 2: a seat placed a meeple."""

    seat: int
    x: int
    y: int
    segment: str
    kind: str
    feature: int
    only: list[int] | None = None


class MeepleView(Struct, kw_only=True):
    """A meeple on a segment of the tile at x, y."""

    seat: int
    x: int
    y: int
    segment: str


class OfficeView(Struct, kw_only=True):
    """
    Chips face down on the office at x, y.

    The view shows their owners but never their faces (ruling A9: not even to their owners).
    """

    x: int
    y: int
    seats: list[int]


class PassBet(Struct, kw_only=True, tag_field="type", tag="pass_bet"):
    """Action 4: place no chip. Final."""


class PlaceBet(Struct, kw_only=True, tag_field="type", tag="place_bet"):
    """Action 4: place a chip face down on the office of the tile just placed. Final."""

    chip: str


class PlaceMeeple(Struct, kw_only=True, tag_field="type", tag="place_meeple"):
    """
    Action 2: place a meeple on a segment of the tile just placed.

    The segment goes by its name: `C1`, `R2`, `G1`, `M`.
    """

    segment: str


class PlaceTile(Struct, kw_only=True, tag_field="type", tag="place_tile"):
    """Action 1: place the drawn tile on an empty cell after `rotation` quarter turns clockwise."""

    x: int
    y: int
    rotation: int


class Point(Struct, kw_only=True):
    """A place on a tile: x grows to the right and y downwards, 0 to 100."""

    x: float
    y: float


class PrintedChip(Struct, kw_only=True):
    """A betting chip; every seat has one of each. `odds` gives its faces as `size:points`."""

    chip: str
    faces: list[Face]
    odds: str


class PrintedSegment(Struct, kw_only=True):
    """
    A part of a tile: a road, city, field or monastery.

    `sides` are the sides of a road or city (`NW`), `halves` the half-sides of a field (`EL`: the
    left half of the east side as seen from the middle), and `borders` the cities that the field
    touches, by name. `path` is an SVG path: a line for a road, else an area to fill. `meeple` is
    the place of a meeple.
    """

    name: str
    kind: str
    sides: str
    halves: list[str]
    borders: list[str]
    path: str
    meeple: Point
    pennants: list[Point]


class PrintedTile(Struct, kw_only=True):
    """
    A kind of tile, `count` times in its box.

    `sides` are north, east, south and west (`C` city, `R` road, `F` field).
    `start`: one of these is the start tile. `office` is the place of the betting office, if the
    tile has one.
    """

    tile: str
    box: str
    count: int
    start: bool
    sides: str
    segments: list[PrintedSegment]
    office: Point | None


class SkipMeeple(Struct, kw_only=True, tag_field="type", tag="skip_meeple"):
    """Action 2: place no meeple."""


class Text(Struct, kw_only=True):
    """A text for players, in English and French."""

    en: str
    fr: str


class TileDiscarded(Struct, kw_only=True, tag_field="type", tag="tile_discarded"):
    """The drawn tile fits nowhere and leaves the game. The same seat draws again."""

    tile: str
    only: list[int] | None = None


class TileDrawn(Struct, kw_only=True, tag_field="type", tag="tile_drawn"):
    """A seat drew a tile, at the start of its turn or after a discard. The tile is public."""

    seat: int
    tile: str
    only: list[int] | None = None


class TilePlaced(Struct, kw_only=True, tag_field="type", tag="tile_placed"):
    """Action 1: a seat placed its tile."""

    seat: int
    x: int
    y: int
    tile: str
    rotation: int
    only: list[int] | None = None


class TileView(Struct, kw_only=True):
    """A tile on the board. `segments` gives the feature of each of its segments."""

    x: int
    y: int
    tile: str
    rotation: int
    segments: dict[str, int]


Command: TypeAlias = PlaceTile | PlaceMeeple | SkipMeeple | PlaceBet | PassBet | ChooseFeature


Event: TypeAlias = (
    BoxOpened
    | TileDrawn
    | TileDiscarded
    | TilePlaced
    | MeeplePlaced
    | FeatureScored
    | BettingOpened
    | BetDecided
    | ChipsSealed
    | FeatureChosen
    | ChipTurned
    | DeadlinePassed
    | GameEnded
    | BetPlaced
    | BetSettled
    | BetVoided
    | Intervened
)


Options: TypeAlias = CarcassonneOptions


class FeatureView(Struct, kw_only=True):
    """
    A road, city, field or monastery.

    `open` counts its open ends, or the empty cells around a monastery. `cities` are the cities
    that a field borders.
    """

    feature: int
    kind: str
    tiles: int
    open: int
    pennants: int
    meeples: list[MeepleView]
    cities: list[int]


class Passage(Struct, kw_only=True):
    """A titled text of a guide."""

    title: Text
    text: Text


class SeatColour(Struct, kw_only=True):
    """The colour of a seat's pieces; `hex` is the colour as CSS writes it."""

    name: Text
    hex: str


class CarcassonneView(Struct, kw_only=True):
    """
    The game as a viewer sees it.

    `active` places `tile`; once the tile is at `laid`, `tile` is null. `stack` counts the tiles
    that can still be drawn. `chips` has the viewer's own supply, and null for every other seat.
    During action 4, the supply still includes a chip that its seat has chosen.
    """

    seat: int | None
    options: CarcassonneOptions
    stage: str
    active: int
    awaited: list[int]
    tile: str | None
    laid: tuple[int, int]
    stack: dict[str, int]
    discarded: list[str]
    points: list[int]
    meeples: list[int]
    board: list[TileView]
    features: list[FeatureView]
    offices: list[OfficeView]
    chip_counts: list[int]
    chips: list[list[str] | None]


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


View: TypeAlias = CarcassonneView


class CarcassonneBook(Struct, kw_only=True):
    """
    All tiles and chips, `meeples` per seat, and sizes and colours for drawing.

    Tiles are drawn in a box of `tile_size` by `tile_size`, north at the top, and then turned
    clockwise. Draw fields first, then roads (lines of `road_width`), cities, monasteries, pennants
    and the office. `colours` has a screen colour for each of them.
    """

    tiles: list[PrintedTile]
    chips: list[PrintedChip]
    meeples: int
    tile_size: int
    road_width: int
    colours: dict[str, str]
    names: dict[str, dict[str, Text]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    seat_fields: list[str] = field(default_factory=lambda: ["seat"])
    by_seat: list[str] = field(default_factory=list)
    refusals: dict[str, Text] = field(default_factory=dict)
    seat_colours: list[SeatColour] = field(default_factory=list)
    guide: Guide | None = None


Book: TypeAlias = CarcassonneBook

TYPES: GameTypes[Command, Event, View] = GameTypes(
    "carcassonne", command=Command, event=Event, view=View
)
"""The types of this game, for `Client.table`."""
