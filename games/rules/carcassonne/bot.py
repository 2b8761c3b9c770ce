"""Opponents. The casual one plays at random with some sense; the keen one takes what promises most
points.

Both see only the view of their seat. What a chip of their own lies on they have to forget, as the
rules demand."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeVar, assert_never

from games.engine import Chance
from games.rules.carcassonne.board import Board, Feature, Joint, Land, Placed, cell_at
from games.rules.carcassonne.bot_forecast import closing, expected_worth, sizes
from games.rules.carcassonne.commands import (
    CarcassonneCommand,
    ChooseFeature,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    PlaceTile,
    SkipMeeple,
)
from games.rules.carcassonne.data import Chip
from games.rules.carcassonne.scoring import FIELD_POINTS
from games.rules.carcassonne.state import MEEPLES
from games.rules.carcassonne.view import CarcassonneView

T = TypeVar("T")

_MEEPLE_COST: Final = 1.2
_MEEPLE_COST_GROWTH: Final = 0.5
_FARMER_COST: Final = 2.5
_BET_LEAST: Final = 0.25
"""Below this expectation a chip is worth more in the supply."""


class Bot:
    """Plays any seat, from its view alone."""

    def __init__(self, land: Land, chips: Mapping[str, Chip]) -> None:
        self._land = land
        self._chips = chips

    def choose(
        self, view: CarcassonneView, legal: Iterable[CarcassonneCommand], chance: Chance
    ) -> CarcassonneCommand | None:
        """A legal command, or None while the seat is not awaited."""
        if view.seat not in view.awaited:
            return None
        options = list(legal)
        if view.options.bots == "casual":
            return _casual(view, options, chance)
        return _Player(self._land, self._chips, view).choose(options, chance)


def _casual(
    view: CarcassonneView, options: Sequence[CarcassonneCommand], chance: Chance
) -> CarcassonneCommand:
    """Any place for the tile; then a meeple where it scores at once, or now and then one that is not a farmer for ever."""
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
    """A keen bot's thoughts about one view."""

    def __init__(self, land: Land, chips: Mapping[str, Chip], view: CarcassonneView) -> None:
        assert view.seat is not None
        self._land = land
        self._chips = chips
        self._view = view
        self._me = view.seat
        self._left = sum(view.stack.values())
        self._before: dict[int, float] = {}
        own = view.chips[self._me] if view.chips else None
        self._missing = [
            chip for name, chip in chips.items() if own is not None and name not in own
        ]

    @cached_property
    def _board(self) -> Board:
        """The board, put together from what the view shows."""
        view = self._view
        cells: dict[int, list[int]] = {}
        board = Board({}, {}, 0)
        for tile in view.board:
            cell = cell_at(tile.x, tile.y)
            board.cells[cell] = Placed(tile.tile, tile.rotation, list(tile.segments.values()))
            for number in dict.fromkeys(tile.segments.values()):
                cells.setdefault(number, []).append(cell)
        for it in view.features:
            meeples = [(meeple.seat, cell_at(meeple.x, meeple.y), 0) for meeple in it.meeples]
            board.features[it.feature] = Feature(
                it.kind, cells[it.feature], it.open, it.pennants, meeples, list(it.cities)
            )
        return board

    def choose(self, options: Sequence[CarcassonneCommand], chance: Chance) -> CarcassonneCommand:
        """The option that promises most."""
        promises = [self._promise(option) for option in options]
        most = max(promises)
        return chance.pick(
            [
                option
                for option, promise in zip(options, promises, strict=True)
                if promise >= most - 1e-9
            ]
        )

    def _promise(self, option: CarcassonneCommand) -> float:
        match option:
            case PlaceTile():
                return self._of_placement(option)
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

    def _of_placement(self, option: PlaceTile) -> float:
        """What changes hands on the board by this placement, and the best meeple that could
        follow."""
        view, board = self._view, self._board
        assert view.tile is not None
        cell = cell_at(option.x, option.y)
        total = best = 0.0
        for joint in self._land.joints(board, cell, view.tile, option.rotation):
            joined = [board.features[number] for number in joint.features]
            worth = self._worth_of_joint(joint, joined)
            meeples = [meeple[0] for feature in joined for meeple in feature.meeples]
            total += self._swing(meeples, worth) - sum(
                self._swing_before(number) for number in joint.features
            )
            done = joint.open == 0 and joint.kind != "field"
            if done:
                total += self._homecoming(meeples) + self._hits(joint, joined)
            playable = view.options.fields or joint.kind != "field"
            if playable and not meeples and view.meeples[self._me]:
                best = max(
                    best, worth - (0.0 if done else self._meeple_cost(farmer=joint.kind == "field"))
                )
        for number in self._land.monasteries_around(board, cell):
            share = 1 - closing("monastery", 1, self._left)
            total += self._swing([meeple[0] for meeple in board.features[number].meeples], share)
        return total + best

    def _of_meeple(self, option: PlaceMeeple) -> float:
        tile = self._board.cells[cell_at(*self._view.laid)]
        index = self._land.tiles[tile.tile].index(option.segment)
        assert index is not None
        feature = self._board.features[tile.features[index]]
        return self._worth(feature) - (
            0.0 if feature.complete else self._meeple_cost(farmer=feature.kind == "field")
        )

    def _worth(self, feature: Feature) -> float:
        if feature.kind == "field":
            return self._worth_of_field(feature.cities)
        tiles = len(feature.cells)
        return expected_worth(
            feature.kind, tiles, feature.pennants, open_ends=feature.open, left=self._left
        )

    def _worth_of_field(self, cities: Iterable[int]) -> float:
        return FIELD_POINTS * sum(
            closing("city", self._board.features[city].open, self._left) for city in cities
        )

    def _worth_of_joint(self, joint: Joint, joined: Sequence[Feature]) -> float:
        if joint.kind == "field":
            return self._worth_of_field({city for feature in joined for city in feature.cities})
        assert self._view.tile is not None
        segments = self._land.tiles[self._view.tile].segments
        pennants = sum(segments[index].pennants for index in joint.segments) + sum(
            feature.pennants for feature in joined
        )
        return expected_worth(
            joint.kind, _size(joined), pennants, open_ends=joint.open, left=self._left
        )

    def _swing_before(self, number: int) -> float:
        if number not in self._before:
            feature = self._board.features[number]
            self._before[number] = self._swing(
                [meeple[0] for meeple in feature.meeples], self._worth(feature)
            )
        return self._before[number]

    def _swing(self, meeples: Sequence[int], worth: float) -> float:
        """What a feature brings this seat, less what it brings the others on average."""
        if not meeples:
            return 0.0
        count = Counter(meeples)
        most = max(count.values())
        mine = count[self._me] == most
        others = sum(held == most for held in count.values()) - mine
        return worth * (mine - others / (len(self._view.points) - 1))

    def _homecoming(self, meeples: Sequence[int]) -> float:
        mine = sum(seat == self._me for seat in meeples)
        return self._meeple_cost() * (mine - (len(meeples) - mine) / (len(self._view.points) - 1))

    def _meeple_cost(self, farmer: bool = False) -> float:
        """The fewer meeples are left, the dearer they are; at the end of the game they are free."""
        used = MEEPLES - self._view.meeples[self._me]
        cost = _MEEPLE_COST + _MEEPLE_COST_GROWTH * used + (_FARMER_COST if farmer else 0.0)
        return cost * self._left / (self._left + 2 * len(self._view.points))

    # Bets

    def _hits(self, joint: Joint, joined: Sequence[Feature]) -> float:
        """What own chips on this feature may pay when it is completed now; which ones they are, the
        bot may not know."""
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
        board = self._board
        placed = board.cells[cell_at(*self._view.laid)]
        numbers = {placed.features[index] for index in self._land.tiles[placed.tile].bets_on()}
        features = [
            board.features[number]
            for number in sorted(numbers)
            if not board.features[number].complete
        ]
        chances = [closing(feature.kind, feature.open, self._left) + 0.01 for feature in features]
        chip = self._chips[option.chip]
        promise = 0.0
        for feature, chance in zip(features, chances, strict=True):
            ahead = sizes(feature.kind, len(feature.cells), open_ends=feature.open, left=self._left)
            promise += (
                chance
                / sum(chances)
                * sum(chip.pays(tiles) * often for tiles, often in ahead.items())
            )
        return promise

    def _of_feature(self, option: ChooseFeature) -> float:
        """At the end only the own chip is at stake; in a turn the whole stack is, and of others'
        chips nothing is known."""
        tiles = len(self._board.features[option.feature].cells)
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
    """The distinct tiles of what is joined, the new one included."""
    if len(joined) == 1:
        return len(joined[0].cells) + 1
    return len({cell for feature in joined for cell in feature.cells}) + 1
