"""Carcassonne: lay a tile, put a meeple, score what is complete. Here is the order of play; the
leaves are beside it.

`board` grows the features, `scoring` pays them, `betting` adds The Bets at the moments that
`expansion` names."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import assert_never

from games.engine import Alarm, Chance, Result, Rules, RuleViolation, Seat, edition_of
from games.engine.contract import opening_purses
from games.rules.carcassonne.betting import Bets
from games.rules.carcassonne.board import REACH, Land, cell_at, empty_board, place_of
from games.rules.carcassonne.bot import Bot
from games.rules.carcassonne.expansion import Expansion
from games.rules.carcassonne.messages import (
    BoxOpened,
    ChooseFeature,
    Cmd,
    DeadlinePassed,
    Ev,
    GameEnded,
    MeeplePlaced,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    PlaceTile,
    SkipMeeple,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
)
from games.rules.carcassonne.refusals import REFUSALS
from games.rules.carcassonne.scoring import points_of, score_completed, score_finally
from games.rules.carcassonne.state import MEEPLES, CarcassonneOptions, CarcassonneState, Desk, Stage
from games.rules.carcassonne.tile_set import TILES_MAX, TileSet, printed_set
from games.rules.carcassonne.tiles import SIDES, TileError
from games.rules.carcassonne.view import CarcassonneView, view_of


class Carcassonne(Rules[CarcassonneOptions, CarcassonneState, Cmd, Ev]):
    """The base game for two to six (ruling A1), with The Bets unless the host leaves them out."""

    slug = "carcassonne"
    title = {"en": "Carcassonne: The Bets", "fr": "Carcassonne : Les Paris"}
    seats = range(2, 7)
    unit = "point"
    version = 2
    refusals = REFUSALS

    def __init__(self, base: TileSet | None = None, bets: TileSet | None = None) -> None:
        """With tiles and chips of the host's own (`tile_set.load_set`), or the printed ones."""
        super().__init__()
        self._base = base or printed_set("base")
        self._bets = bets or printed_set("bets")
        if self._base.start is None:
            raise TileError("start: a base set names its start tile")
        if shared := self._base.tiles.keys() & self._bets.tiles.keys():
            raise TileError(f"tiles: both sets have {sorted(shared)}")
        if (tiles := self._base.totals.tiles + self._bets.totals.tiles) > TILES_MAX:
            raise TileError(f"totals, tiles: {tiles} tiles are more than {TILES_MAX}")
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

    def _expansions(self, state: CarcassonneState) -> list[Expansion]:
        return self._with_bets if state.options.bets else []

    # Before the first turn

    def setup(self, seats: int, options: CarcassonneOptions) -> CarcassonneState:
        """The start tile on the table, the others mixed with the bookmakers'; nobody knows their
        order, for there is none."""
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

    def deal(self, turn: Desk) -> None:
        """Whoever is first was drawn by lot: a server cannot ask who is youngest."""
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

    def play(self, turn: Desk, seat: Seat, command: Cmd) -> None:
        """One choice of one seat, and all that follows from it."""
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

    def _play_expansion(self, turn: Desk, seat: Seat, command: Cmd) -> None:
        for expansion in self._expansions(turn.state):
            if isinstance(command, expansion.commands):
                expansion.play(turn, seat, command)
                return
        raise RuleViolation("not_in_this_game")

    def _draw(self, turn: Desk) -> None:
        """A tile that fits nowhere leaves the game and the same seat draws again; an empty stack
        ends the game."""
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

    def _place_tile(self, turn: Desk, command: PlaceTile) -> None:
        """Action 1."""
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
        if not any(self._meeple_segments(state)):
            self._score(turn)

    def _meeple_segments(self, state: CarcassonneState) -> Iterator[str]:
        """The segments of the tile just laid that may take a meeple of the active seat."""
        placed = state.board.cells[state.laid]
        if not state.meeples[state.active]:
            return
        for segment, number in zip(
            self._land.tiles[placed.tile].segments, placed.features, strict=True
        ):
            playable = state.options.fields or segment.kind != "field"
            if playable and not state.board.features[number].meeples:
                yield segment.name

    def _place_meeple(self, turn: Desk, command: PlaceMeeple) -> None:
        """Action 2: on a segment of this tile whose whole feature is without meeples, own or
        foreign."""
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
        feature.meeples.append((state.active, state.laid, index))
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

    def _score(self, turn: Desk) -> None:
        """Action 3, then what an expansion adds to it (ruling A25: features first, bets second)."""
        state = turn.state
        for number in self._land.completed(state.board, state.laid):
            score_completed(turn, number)
        self._enter(turn, "settlement")

    def _enter(self, turn: Desk, stage: Stage) -> None:
        """Begin a stage of the expansions; one in which nobody has a choice is over at once."""
        state = turn.state
        state.stage = stage
        for expansion in self._expansions(state):
            expansion.begin(turn)
        # A turn has one deadline, and so has each choice that others are awaited for.
        if stage != "settlement" and self._awaited(state):
            state.deadline += 1
        self._go_on(turn)

    def _go_on(self, turn: Desk) -> None:
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
        """One deadline for all choices of a turn, one for each round of bets and for the choices at
        the end."""
        if not state.options.turn_seconds or state.stage == "over":
            return None
        return Alarm(state.deadline, timedelta(seconds=state.options.turn_seconds))

    def tick(self, turn: Desk) -> None:
        """Ruling A24: the game moves for those who are awaited, until it awaits something else."""
        state = turn.state
        number = state.deadline
        turn.emit(DeadlinePassed(seats=self._awaited(state)))
        while state.deadline == number and state.stage != "over":
            seat = self._awaited(state)[0]
            self.play(turn, seat, self._default(state, seat))

    def _default(self, state: CarcassonneState, seat: Seat) -> Cmd:
        """A choice that commits an absent player to nothing: the tile as near to the start as it
        may lie, no meeple."""
        if state.stage == "tile":
            return min(
                self._tile_choices(state),
                key=lambda at: (abs(at.x) + abs(at.y), at.y, at.x, at.rotation),
            )
        if state.stage == "meeple":
            return SkipMeeple()
        awaiting = next(
            it for it in self._expansions(state) if any(True for _ in it.choices(state, seat))
        )
        return awaiting.default(state, seat)

    def _awaited(self, state: CarcassonneState) -> tuple[Seat, ...]:
        if state.stage in {"tile", "meeple"}:
            return (state.active,)
        if state.stage == "over":
            return ()
        return tuple(
            Seat(seat)
            for seat in range(state.seats)
            if any(True for _ in self.legal(state, Seat(seat)))
        )

    # What may be done and seen

    def legal(self, state: CarcassonneState, seat: Seat) -> Iterator[Cmd]:
        """Every command that would be accepted. Each rotation of a symmetric tile is one."""
        if state.stage in {"tile", "meeple"}:
            if seat != state.active:
                return
            if state.stage == "tile":
                yield from self._tile_choices(state)
            else:
                yield from (PlaceMeeple(segment) for segment in self._meeple_segments(state))
                yield SkipMeeple()
        elif state.stage != "over":
            for expansion in self._expansions(state):
                yield from expansion.choices(state, seat)

    def _tile_choices(self, state: CarcassonneState) -> Iterator[PlaceTile]:
        assert state.tile is not None
        return (
            PlaceTile(*place_of(cell), rotation)
            for cell, rotation in self._land.placements(state.board, state.tile)
        )

    def view(self, state: CarcassonneState, viewer: Seat | None) -> CarcassonneView:
        """Everything but the faces of chips that are not the viewer's own to look at."""
        return view_of(state, viewer, self._awaited(state), self._land)

    def bot(self, view: CarcassonneView, legal: Iterable[Cmd], chance: Chance) -> Cmd | None:
        """A casual player or a keen one, as the host chose."""
        return self._bot.choose(view, legal, chance)

    def result(self, state: CarcassonneState) -> Result | None:
        """Most points win; equal points share their rank, for the rules name no tie-break."""
        if state.stage != "over":
            return None
        points = points_of(state)
        ranking = tuple(
            tuple(Seat(seat) for seat in range(state.seats) if points[seat] == held)
            for held in sorted(set(points), reverse=True)
        )
        return Result(ranking, points)
