"""Carcassonne: place a tile, place a meeple, score completed features. This module is the order of
play.

`board` merges the features, `scoring` pays them, and `betting` adds The Bets in the stages of
`expansion`."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import assert_never

from railbird_engine import (
    Alarm,
    Chance,
    Cue,
    Result,
    Rules,
    RuleViolation,
    Seat,
    edition_of,
    opening_purses,
)
from railbird_engine.kernel.host_data import placed, require, require_once
from railbird_engine.rules.carcassonne.betting import Bets
from railbird_engine.rules.carcassonne.board import REACH, Land, cell_at, empty_board, place_of
from railbird_engine.rules.carcassonne.book import CarcassonneBook, book_of
from railbird_engine.rules.carcassonne.bot import Bot, cue
from railbird_engine.rules.carcassonne.commands import (
    CarcassonneCommand,
    ChooseFeature,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    PlaceTile,
    SkipMeeple,
)
from railbird_engine.rules.carcassonne.data import TILES_MAX, TileSet, printed_set
from railbird_engine.rules.carcassonne.data.tiles import SIDES
from railbird_engine.rules.carcassonne.events import (
    BoxOpened,
    CarcassonneEvent,
    DeadlinePassed,
    GameEnded,
    MeeplePlaced,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
)
from railbird_engine.rules.carcassonne.expansion import Expansion
from railbird_engine.rules.carcassonne.legal import (
    awaited_seats,
    default_command,
    legal_commands,
    meeple_segments,
)
from railbird_engine.rules.carcassonne.options import GUIDE, CarcassonneOptions
from railbird_engine.rules.carcassonne.refusals import REFUSALS
from railbird_engine.rules.carcassonne.scoring import points_of, score_completed, score_finally
from railbird_engine.rules.carcassonne.state import (
    MEEPLES,
    CarcassonneState,
    CarcassonneTurn,
    Stage,
)
from railbird_engine.rules.carcassonne.view import CarcassonneView, view_of


class Carcassonne(
    Rules[CarcassonneOptions, CarcassonneState, CarcassonneCommand, CarcassonneEvent]
):
    """The base game for two to six seats (ruling A1), by default with The Bets."""

    slug = "carcassonne"
    title = {"en": "Carcassonne: The Bets", "fr": "Carcassonne : Les Paris"}
    seats = range(2, 7)
    unit = "point"
    version = 2
    limits = ("turn_seconds",)
    options_guide = GUIDE
    steps_max = 2_000  # Each of 82 tiles: two actions, and at most two rounds of bets.
    example_options = ({"turn_seconds": 60},)
    sole_commands = {PlaceTile: "a player places the tile, even if it fits in one way only"}
    refusals = frozenset(REFUSALS)

    def __init__(self, base: TileSet | None = None, bets: TileSet | None = None) -> None:
        """Use the host's own tiles and chips (`data.read_set`), or the printed ones."""
        super().__init__()
        self._base = base or printed_set("base")
        self._bets = bets or printed_set("bets")
        if self._base.start is None:
            raise ValueError("base: the set names no start tile")
        tiles = (*self._base.tiles.values(), *self._bets.tiles.values())
        with placed("base and bets"):
            require_once(tile.name for tile in tiles)
            count = sum(tile.count for tile in tiles)
            require(count <= TILES_MAX, f"{count} tiles are more than {TILES_MAX}")
        self._start = self._base.start
        self._land = Land({**self._base.tiles, **self._bets.tiles})
        self._with_bets: list[Expansion] = [Bets(self._bets, self._land)]
        self._bot = Bot(self._land, self._bets.chips)
        self._editions = {
            False: edition_of(self._base.content),
            True: edition_of((self._base.content, self._bets.content)),
        }

    def edition(self, options: CarcassonneOptions) -> str:
        return self._editions[options.bets]

    @property
    def editions(self) -> frozenset[str]:
        return frozenset(self._editions.values())

    def _expansions(self, state: CarcassonneState) -> list[Expansion]:
        return self._with_bets if state.options.bets else []

    # Before the first turn

    def setup(self, seats: int, options: CarcassonneOptions) -> CarcassonneState:
        """Put the start tile on the table and all other tiles in the stack, which has no order."""
        state = CarcassonneState(
            purses=opening_purses(seats),
            options=options,
            seats=seats,
            stack=[name for name, tile in self._base.tiles.items() for _ in range(tile.count)],
            meeples=[MEEPLES] * seats,
            board=empty_board(),
            betting=None,
        )
        state.stack.remove(self._start)
        for expansion in self._expansions(state):
            expansion.prepare(state)
        self._land.place(state.board, cell_at(0, 0), self._start, 0)
        return state

    def deal(self, turn: CarcassonneTurn) -> None:
        """Draw the first player by lot: a server does not know the youngest player."""
        state = turn.state
        state.active = Seat(turn.chance.below(state.seats))
        counts = Counter([self._start, *state.stack])
        turn.emit(
            BoxOpened(
                tiles={name: self._land.tiles[name].notes for name in counts},
                counts=dict(counts),
                chips={chip.chip: chip.odds for chip in self._bets.chips.values()}
                if state.betting
                else {},
                first=state.active,
            )
        )
        self._draw(turn)

    # A turn

    def play(self, turn: CarcassonneTurn, seat: Seat, command: CarcassonneCommand) -> None:
        """Carry out one choice of one seat and its consequences."""
        state = turn.state
        match command:
            case PlaceTile():
                self._require_turn(state, seat, "tile")
                self._place_tile(turn, command)
            case PlaceMeeple() | SkipMeeple():
                self._require_turn(state, seat, "meeple")
                if isinstance(command, PlaceMeeple):
                    self._place_meeple(turn, command)
                self._score(turn)
            case PlaceBet() | PassBet() | ChooseFeature():
                self._play_expansion(turn, seat, command)
                self._go_on(turn)
            case _:
                assert_never(command)

    def _require_turn(self, state: CarcassonneState, seat: Seat, stage: Stage) -> None:
        if state.stage != stage:
            raise RuleViolation("not_now", stage=state.stage)
        if seat != state.active:
            raise RuleViolation("not_your_turn", active=state.active)

    def _play_expansion(
        self, turn: CarcassonneTurn, seat: Seat, command: CarcassonneCommand
    ) -> None:
        for expansion in self._expansions(turn.state):
            if isinstance(command, expansion.commands):
                expansion.play(turn, seat, command)
                return
        raise RuleViolation("not_in_this_game")

    def _draw(self, turn: CarcassonneTurn) -> None:
        """Draw a tile. A tile that fits nowhere leaves the game; an empty stack ends the game."""
        state = turn.state
        while state.stack:
            tile = turn.chance.take(state.stack)
            turn.emit(TileDrawn(seat=state.active, tile=tile))
            if next(self._land.placements(state.board, tile), None) is not None:
                state.tile, state.stage = tile, "tile"
                state.deadline += 1
                return
            state.discarded.append(tile)
            turn.emit(TileDiscarded(tile=tile))
        self._enter(turn, "evaluation")

    def _place_tile(self, turn: CarcassonneTurn, command: PlaceTile) -> None:
        """Place a tile (action 1)."""
        state = turn.state
        board, tile = state.board, state.tile
        x, y, rotation = command.x, command.y, command.rotation
        assert tile is not None
        if not 0 <= rotation < 4:
            raise RuleViolation("unknown_rotation", rotation=rotation)
        within = abs(x) <= REACH and abs(y) <= REACH
        if within and cell_at(x, y) in board.cells:
            raise RuleViolation("cell_taken", x=x, y=y)
        mismatches = (
            self._land.mismatches(board, cell_at(x, y), self._land.turned(tile, rotation))
            if within
            else None
        )
        if mismatches is None:
            raise RuleViolation("cell_not_adjacent", x=x, y=y)
        if mismatches:
            raise RuleViolation(
                "sides_do_not_match", x=x, y=y, sides=[SIDES[side] for side in mismatches]
            )
        state.laid, state.tile = cell_at(x, y), None
        self._land.place(board, state.laid, tile, rotation)
        turn.emit(TilePlaced(seat=state.active, x=x, y=y, tile=tile, rotation=rotation))
        state.stage = "meeple"
        if not any(meeple_segments(state, self._land)):
            self._score(turn)

    def _place_meeple(self, turn: CarcassonneTurn, command: PlaceMeeple) -> None:
        """Place a meeple on a segment of this tile whose feature has no meeple yet (action 2)."""
        state = turn.state
        placed = state.board.cells[state.laid]
        tile = self._land.tiles[placed.tile]
        index = tile.index(command.segment)
        if index is None:
            raise RuleViolation(
                "unknown_segment",
                segment=command.segment,
                segments=list(self._land.names(placed.tile)),
            )
        number = placed.features[index]
        feature = state.board.features[number]
        if feature.kind == "field" and not state.options.fields:
            raise RuleViolation("played_without_fields", segment=command.segment)
        if holders := sorted({seat for seat, _, _ in feature.meeples}):
            raise RuleViolation("feature_occupied", segment=command.segment, seats=holders)
        state.meeples[state.active] -= 1
        feature.meeples += ((state.active, state.laid, index),)
        x, y = place_of(state.laid)
        turn.emit(
            MeeplePlaced(
                seat=state.active,
                x=x,
                y=y,
                segment=command.segment,
                kind=feature.kind,
                feature=number,
            )
        )

    def _score(self, turn: CarcassonneTurn) -> None:
        """Score completed features (action 3), then settle the bets on them (ruling A25)."""
        state = turn.state
        for number in self._land.completed(state.board, state.laid):
            score_completed(turn, number)
        self._enter(turn, "settlement")

    def _enter(self, turn: CarcassonneTurn, stage: Stage) -> None:
        """Begin a stage of the expansions. It ends at once if no seat has a choice."""
        state = turn.state
        state.stage = stage
        for expansion in self._expansions(state):
            expansion.begin(turn)
        # A turn has one deadline, and so does each choice of the other seats.
        if stage != "settlement" and self._awaited(state):
            state.deadline += 1
        self._go_on(turn)

    def _go_on(self, turn: CarcassonneTurn) -> None:
        state = turn.state
        if self._awaited(state):
            return
        for expansion in self._expansions(state):
            expansion.finish(turn)
        match state.stage:
            case "settlement":
                self._enter(turn, "bets")
            case "bets":
                state.active = Seat((state.active + 1) % state.seats)
                self._draw(turn)
            case "evaluation":
                score_finally(turn)
                state.stage = "over"
                turn.emit(GameEnded(points=points_of(state)))
            case "tile" | "meeple" | "over":
                raise AssertionError(f"stage {state.stage} is not one of an expansion")
            case _:
                assert_never(state.stage)

    # Deadlines

    def alarm(self, state: CarcassonneState) -> Alarm | None:
        """Return a deadline for each turn, each round of bets, and the choices at the end."""
        if not state.options.turn_seconds or state.stage == "over":
            return None
        return Alarm(state.deadline, timedelta(seconds=state.options.turn_seconds))

    def tick(self, turn: CarcassonneTurn) -> None:
        """Choose for the late seats until the game awaits something else (ruling A24)."""
        state = turn.state
        number = state.deadline
        turn.emit(DeadlinePassed(seats=self._awaited(state)))
        while state.deadline == number and state.stage != "over":
            seat = self._awaited(state)[0]
            expansions = self._expansions(state)
            self.play(turn, seat, default_command(state, seat, self._land, expansions))

    def _awaited(self, state: CarcassonneState) -> tuple[Seat, ...]:
        return awaited_seats(state, self._land, self._expansions(state))

    # What may be done and seen

    def legal(self, state: CarcassonneState, seat: Seat) -> Iterator[CarcassonneCommand]:
        """Return every command that the rules accept."""
        return legal_commands(state, seat, self._land, self._expansions(state))

    def awaited(self, state: CarcassonneState) -> frozenset[Seat]:
        """The seats that have a choice now."""
        return frozenset(self._awaited(state))

    def view(self, state: CarcassonneState, viewer: Seat | None) -> CarcassonneView:
        """Return the view, without the faces of chips that the viewer may not see."""
        return view_of(state, viewer, self._awaited(state), self._land)

    def bot(
        self, view: CarcassonneView, legal: Iterable[CarcassonneCommand], chance: Chance
    ) -> CarcassonneCommand | None:
        """Ask a bot of the strength that the host chose."""
        return self._bot.choose(view, legal, chance)

    def bot_cue(self, state: CarcassonneState, seat: Seat) -> Cue | None:
        """A bot reacts to a choice of its seat."""
        return cue(state) if seat in self._awaited(state) else None

    def book(self) -> CarcassonneBook:
        """Return all tiles, with their drawings, and the chips."""
        return book_of(self._base, self._bets)

    def result(self, state: CarcassonneState) -> Result | None:
        """Rank seats by points. Equal points share a rank: the rulebook has no tie-break."""
        if state.stage != "over":
            return None
        points = points_of(state)
        ranking = tuple(
            tuple(Seat(seat) for seat in range(state.seats) if points[seat] == held)
            for held in sorted(set(points), reverse=True)
        )
        return Result(ranking, points)
