"""The opponents. A casual bot plays at random with some sense; an expert takes the option with the
most expected points.

All see only the view of their seat. As the rules demand, they do not remember where they placed
which chip."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeVar, assert_never

from railbird_engine import Chance, Cue
from railbird_engine.rules.carcassonne.board import Board, Feature, Joint, Land, Placed, cell_at
from railbird_engine.rules.carcassonne.bot_forecast import closing, expected_worth, sizes
from railbird_engine.rules.carcassonne.commands import (
    CarcassonneCommand,
    ChooseFeature,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    PlaceTile,
    SkipMeeple,
)
from railbird_engine.rules.carcassonne.data import Chip
from railbird_engine.rules.carcassonne.scoring import FIELD_POINTS
from railbird_engine.rules.carcassonne.state import MEEPLES, CarcassonneState, Stage
from railbird_engine.rules.carcassonne.view import CarcassonneView, FeatureView, TileView

T = TypeVar("T")

_MEEPLE_COST: Final = 1.2
_MEEPLE_COST_GROWTH: Final = 0.5
_FARMER_COST: Final = 2.5
_REGULAR_CONSIDERS: Final = 3
"""A regular bot compares this many options, drawn by lot."""
_BET_LEAST: Final = 0.25
"""With a lower expectation, a chip is worth more in the supply."""


REACTION_MS: Final[Mapping[Stage, tuple[int, int]]] = {
    "tile": (2_500, 5_000),
    "meeple": (1_500, 3_000),
    "settlement": (1_500, 3_000),
    "bets": (2_000, 5_000),
    "evaluation": (1_500, 3_000),
}
"""The time that a bot takes for a choice."""


def cue(state: CarcassonneState) -> Cue:
    """Return what a bot with a choice reacts to. A turn has up to three choices."""
    what = state.stage, state.deadline, state.laid, len(state.stack)
    return Cue(what, *REACTION_MS[state.stage]).within(state.options.turn_seconds / 3)


class Bot:
    """Plays any seat, from its view alone."""

    def __init__(self, land: Land, chips: Mapping[str, Chip]) -> None:
        self._land = land
        self._chips = chips

    def choose(
        self, view: CarcassonneView, legal: Iterable[CarcassonneCommand], chance: Chance
    ) -> CarcassonneCommand | None:
        """Return a legal command, or None while the seat has no choice."""
        if view.seat not in view.awaited:
            return None
        options = list(legal)
        if view.options.bots == "casual":
            return _casual(view, options, chance)
        if view.options.bots == "regular":
            options = [chance.take(options) for _ in range(min(len(options), _REGULAR_CONSIDERS))]
        return _Player(self._land, self._chips, view).choose(options, chance)


def _casual(
    view: CarcassonneView, options: Sequence[CarcassonneCommand], chance: Chance
) -> CarcassonneCommand:
    """Place the tile anywhere, then a meeple where it scores at once, or at random elsewhere."""
    if view.stage == "meeple":
        laid = next(tile for tile in view.board if (tile.x, tile.y) == view.laid)
        features = {feature.feature: feature for feature in view.features}
        segments = [option for option in options if isinstance(option, PlaceMeeple)]
        on = {option: features[laid.segments[option.segment]] for option in segments}
        at_once = [
            option for option in segments if on[option].open == 0 and on[option].kind != "field"
        ]
        fair = [option for option in segments if on[option].kind != "field" or chance.below(8) == 0]
        if at_once or (fair and chance.below(MEEPLES) < view.meeples[view.active]):
            return chance.pick(at_once or fair)
        return SkipMeeple()
    if view.stage == "bets" and chance.below(4) == 0:
        return PassBet()
    return chance.pick(options)


class _Player:
    """A bot's evaluation of one view."""

    def __init__(self, land: Land, chips: Mapping[str, Chip], view: CarcassonneView) -> None:
        assert view.seat is not None
        self._land = land
        self._chips = chips
        self._view = view
        self._me = view.seat
        self._left = sum(view.stack.values())
        self._before: dict[int, float] = {}
        self._of_places: dict[tuple[int, int, int], float] = {}
        own = view.chips[self._me] if view.chips else None
        self._missing = [
            chip for name, chip in chips.items() if own is not None and name not in own
        ]

    @cached_property
    def _board(self) -> Board:
        """Return the board as the view shows it."""
        view = self._view
        board = Board({}, {}, 0)
        cells: dict[int, list[int]] = {it.feature: [] for it in view.features}
        for tile in view.board:
            cell = cell_at(tile.x, tile.y)
            numbers = tuple(tile.segments.values())
            board.cells[cell] = Placed(tile.tile, tile.rotation, numbers)
            for number in numbers:
                # Two segments of a tile may be one feature.
                if cells[number][-1:] != [cell]:
                    cells[number].append(cell)
        for it in view.features:
            meeples = tuple((one.seat, cell_at(one.x, one.y), 0) for one in it.meeples)
            board.features[it.feature] = Feature(
                it.kind, tuple(cells[it.feature]), it.open, it.pennants, meeples, it.cities
            )
        return board

    def choose(self, options: Sequence[CarcassonneCommand], chance: Chance) -> CarcassonneCommand:
        """Return the option with the highest expectation."""
        promises = [self._expectation(option) for option in options]
        most = max(promises)
        return chance.pick(
            [
                option
                for option, promise in zip(options, promises, strict=True)
                if promise >= most - 1e-9
            ]
        )

    def _expectation(self, option: CarcassonneCommand) -> float:
        match option:
            case PlaceTile():
                return self._of_place(option)
            case PlaceMeeple():
                return self._of_meeple(option)
            case PlaceBet():
                return self._of_bet(option)
            case ChooseFeature():
                return self._of_feature(option)
            case SkipMeeple():
                return 0.0
            case PassBet():
                return _BET_LEAST
            case _:
                assert_never(option)

    # Tiles and meeples

    def _of_place(self, option: PlaceTile) -> float:
        """Return the expectation of a placement, computed once for rotations that look alike."""
        assert self._view.tile is not None
        alike = self._land.tiles[self._view.tile].alike[option.rotation]
        place = option.x, option.y, alike
        if place not in self._of_places:
            self._of_places[place] = self._of_placement(option)
        return self._of_places[place]

    def _of_placement(self, option: PlaceTile) -> float:
        """Return the change of expected points by this placement and the best meeple after it."""
        view, board = self._view, self._board
        assert view.tile is not None
        cell = cell_at(option.x, option.y)
        total = best = 0.0
        for joint in self._land.joints(board, cell, view.tile, option.rotation):
            joined = [board.features[number] for number in joint.features]
            meeples = [meeple[0] for feature in joined for meeple in feature.meeples]
            is_field = joint.kind == "field"
            done = joint.open == 0 and not is_field
            if done:
                total += self._hits(joint, joined)
            if meeples:
                total += self._swing(meeples, self._worth_of_joint(joint, joined))
                total -= sum(self._swing_before(number) for number in joint.features)
                total += self._freed_meeples(meeples) if done else 0.0
            elif view.meeples[self._me] and (view.options.fields or not is_field):
                cost = 0.0 if done else self._meeple_cost[is_field]
                best = max(best, self._worth_of_joint(joint, joined) - cost)
        for number in self._land.monasteries_around(board, cell):
            share = 1 - closing("monastery", 1, self._left)
            total += self._swing([meeple[0] for meeple in board.features[number].meeples], share)
        return total + best

    def _of_meeple(self, option: PlaceMeeple) -> float:
        feature = self._shown[self._laid.segments[option.segment]]
        is_field = feature.kind == "field"
        cost = 0.0 if feature.open == 0 and not is_field else self._meeple_cost[is_field]
        return self._worth(feature) - cost

    @cached_property
    def _shown(self) -> dict[int, FeatureView]:
        return {feature.feature: feature for feature in self._view.features}

    @cached_property
    def _laid(self) -> TileView:
        """Return the last placed tile."""
        return next(tile for tile in self._view.board if (tile.x, tile.y) == self._view.laid)

    def _worth(self, feature: FeatureView) -> float:
        if feature.kind == "field":
            return self._worth_of_field(feature.cities)
        return expected_worth(
            feature.kind,
            feature.tiles,
            feature.pennants,
            open_ends=feature.open,
            left=self._left,
        )

    def _worth_of_field(self, cities: Iterable[int]) -> float:
        return FIELD_POINTS * sum(
            closing("city", self._shown[city].open, self._left) for city in cities
        )

    def _worth_of_joint(self, joint: Joint, joined: Sequence[Feature]) -> float:
        if joint.kind == "field":
            return self._worth_of_field({city for feature in joined for city in feature.cities})
        assert self._view.tile is not None
        segments = self._land.tiles[self._view.tile].segments
        pennants = 0
        if joint.kind == "city":
            pennants = sum(segments[index].pennants for index in joint.segments)
            pennants += sum(feature.pennants for feature in joined)
        return expected_worth(
            joint.kind, _size(joined), pennants, open_ends=joint.open, left=self._left
        )

    def _swing_before(self, number: int) -> float:
        if number not in self._before:
            feature = self._shown[number]
            seats = [meeple.seat for meeple in feature.meeples]
            self._before[number] = self._swing(seats, self._worth(feature)) if seats else 0.0
        return self._before[number]

    def _swing(self, meeples: Sequence[int], worth: float) -> float:
        """Return the points of a feature for this seat, less the average for the others."""
        if not meeples:
            return 0.0
        count = Counter(meeples)
        most = max(count.values())
        mine = count[self._me] == most
        others = sum(held == most for held in count.values()) - mine
        return worth * (mine - others / (len(self._view.points) - 1))

    def _freed_meeples(self, meeples: Sequence[int]) -> float:
        mine = sum(seat == self._me for seat in meeples)
        return self._meeple_cost[False] * (
            mine - (len(meeples) - mine) / (len(self._view.points) - 1)
        )

    @cached_property
    def _meeple_cost(self) -> dict[bool, float]:
        """Return the cost of a meeple, for farmers and others.

        The fewer meeples are left, the more they cost; at the end of the game they cost nothing.
        """
        used = MEEPLES - self._view.meeples[self._me]
        cost = _MEEPLE_COST + _MEEPLE_COST_GROWTH * used
        share = self._left / (self._left + 2 * len(self._view.points))
        return {False: cost * share, True: (cost + _FARMER_COST) * share}

    # Bets

    def _hits(self, joint: Joint, joined: Sequence[Feature]) -> float:
        """Return the expected pay of own chips on this feature if it is completed now. The bot does
        not know which chips these are."""
        if not self._missing or joint.kind not in {"road", "city"}:
            return 0.0
        cells = {cell for feature in joined for cell in feature.cells}
        mine = sum(
            self._me in office.seats and cell_at(office.x, office.y) in cells
            for office in self._view.offices
        )
        return mine * self._mean_pay(_size(joined))

    def _mean_pay(self, tiles: int) -> float:
        return (
            sum(chip.pays(tiles) for chip in self._missing) / len(self._missing)
            if self._missing
            else 0.0
        )

    def _of_bet(self, option: PlaceBet) -> float:
        """The chip counts for the road or city of this tile that closes first."""
        touched = [self._shown[number] for number in sorted(set(self._laid.segments.values()))]
        features = [it for it in touched if it.kind in {"road", "city"} and it.open]
        chances = [closing(feature.kind, feature.open, self._left) + 0.01 for feature in features]
        chip = self._chips[option.chip]
        promise = 0.0
        for feature, chance in zip(features, chances, strict=True):
            ahead = sizes(feature.kind, feature.tiles, open_ends=feature.open, left=self._left)
            paid = sum(chip.pays(tiles) * often for tiles, often in ahead.items())
            promise += chance / sum(chances) * paid
        return promise

    def _of_feature(self, option: ChooseFeature) -> float:
        """Return the expectation of a feature for the chips on an office.

        At the end only the bot's own chip counts. In a turn the whole stack counts, and the chips
        of others are unknown.
        """
        tiles = self._shown[option.feature].tiles
        if self._view.stage == "evaluation":
            return self._mean_pay(tiles)
        seats = next(
            office.seats
            for office in self._view.offices
            if (office.x, office.y) == (option.x, option.y)
        )
        theirs = sum(chip.pays(tiles) for chip in self._chips.values()) / len(self._chips)
        others = sum(seat != self._me for seat in seats)
        return (self._mean_pay(tiles) if self._me in seats else 0.0) - theirs * others / (
            len(self._view.points) - 1
        )


def _size(joined: Sequence[Feature]) -> int:
    """Return the number of distinct tiles after a merger, including the new one."""
    if len(joined) <= 1:
        return 1 + sum(len(feature.cells) for feature in joined)
    return len({cell for feature in joined for cell in feature.cells}) + 1
