"""Finding moves: the SETs of a hand for the opening, and the best turns of one, two and three dice
on a board."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from operator import attrgetter
from typing import Final, NamedTuple

from railbird_engine import Chance
from railbird_engine.rules.set_dice.board import COMPLETES, LINES, LINES_THROUGH, Cell, is_set
from railbird_engine.rules.set_dice.commands import NamedDie, Placement
from railbird_engine.rules.set_dice.data import BOARD_SIZE, FACES, TURN_DICE_MAX, WILD
from railbird_engine.rules.set_dice.state import Die

Bonus = Mapping[Cell, int]


class Move(NamedTuple):
    """A turn that the rules accept, and its score."""

    points: int
    dice: tuple[Placement, ...]


class Spot(NamedTuple):
    """A die on an empty cell, as a face; its kind is what it shows in the hand."""

    cell: Cell
    kind: str
    face: str


class Group(NamedTuple):
    """Dice placed together, and their own score."""

    points: int
    spots: tuple[Spot, ...]


def opening_sets(hand: Sequence[Die]) -> list[tuple[NamedDie, ...]]:
    """Return one call for every three dice of a hand that can make a SET."""
    calls = []
    for trio in combinations(hand, 3):
        plain = [die.shows for die in trio if die.shows != WILD]
        # Where several Wilds leave a choice, three equal faces are as good as any.
        one, other = ([*plain, *plain] or [FACES[0], FACES[0]])[:2]
        missing = COMPLETES[one][other]
        if len(plain) < 3 or is_set(*plain):
            calls.append(
                tuple(NamedDie(die.number, missing if die.shows == WILD else None) for die in trio)
            )
    return calls


def best_moves(
    board: Mapping[Cell, str], hand: Sequence[Die], bonus: Bonus, *, per_size: int
) -> list[Move]:
    """Return the best turns of one, of two and of three dice, at most `per_size` of each, best
    first.

    No turn scores more. `board` maps cells to faces, `bonus` numbered squares to points. Dice that
    show the same are interchangeable; the first of the hand is named.
    """
    return _moves(hand, _Search(board, hand, bonus, per_size).run())


def single_moves(board: Mapping[Cell, str], hand: Sequence[Die], bonus: Bonus) -> list[Move]:
    """Return all turns of one die, best first."""
    return _moves(hand, _Search(board, hand, bonus).singles())


def sample_moves(
    board: Mapping[Cell, str], hand: Sequence[Die], tries: int, chance: Chance
) -> list[tuple[Placement, ...]]:
    """Return random turns of one, two and three dice, whatever their score.

    The dice are put together from single dice that complete two dice of the board, and from pairs
    that make a SET with one.
    """
    search = _Search(board, hand, {})
    kinds = [groups for groups in (list(search.singles()), list(search.pairs())) if groups]
    found: dict[tuple[Spot, ...], None] = {}
    for _ in range(tries if kinds else 0):
        spots: tuple[Spot, ...] = ()
        while len(spots) < TURN_DICE_MAX:
            spots += chance.pick(chance.pick(kinds)).spots
            if len(spots) > TURN_DICE_MAX or not search.fit(spots):
                break
            found[tuple(sorted(spots))] = None
    return [_with_dice_of(hand, spots) for spots in found]


def _moves(hand: Sequence[Die], groups: Iterable[Group]) -> list[Move]:
    ordered = sorted(groups, key=lambda group: (-group.points, group.spots))
    return [Move(group.points, _with_dice_of(hand, group.spots)) for group in ordered]


def _with_dice_of(hand: Sequence[Die], spots: Sequence[Spot]) -> tuple[Placement, ...]:
    rest = list(hand)
    placements = []
    for spot in spots:
        die = next(die for die in rest if die.shows == spot.kind)
        rest.remove(die)
        row, column = divmod(spot.cell, BOARD_SIZE)
        placements.append(
            Placement(die.number, row, column, spot.face if spot.kind == WILD else None)
        )
    return tuple(placements)


_OTHERS: Final = tuple(
    tuple(tuple(other for other in line if other != cell) for line in lines)
    for cell, lines in enumerate(LINES_THROUGH)
)
"""The other two cells of each line through a cell."""


_points: Final = attrgetter("points")


class _Best:
    """The best groups of one size; a further group must score more than `floor`."""

    def __init__(self, count: int) -> None:
        self.groups: dict[tuple[Spot, ...], int] = {}
        self.floor = -1
        self._count = count

    def offer(self, points: int, *spots: Spot) -> None:
        key = tuple(sorted(spots))
        if points <= self.groups.get(key, self.floor):
            return
        self.groups[key] = points
        if len(self.groups) > self._count:
            del self.groups[min(self.groups, key=lambda one: (self.groups[one], one))]
        if len(self.groups) == self._count:
            self.floor = min(self.groups.values())


class _Search:
    """A full search of one turn.

    Every legal turn divides into groups that share no SET: single dice that complete two dice of
    the board, pairs that make a SET with one die of the board, and triples connected by SETs with
    two or three new dice. Single dice and pairs are sorted by points, so that combining them stops
    early; triples grow from a pair or a single die."""

    def __init__(
        self, board: Mapping[Cell, str], hand: Sequence[Die], bonus: Bonus, per_size: int = 0
    ) -> None:
        self.faces = dict(board)
        self.bonus = bonus
        self.kinds = Counter(die.shows for die in hand)
        self.plain = [kind for kind in self.kinds if kind != WILD]
        self.best = {size: _Best(per_size) for size in (1, 2, 3)}
        self.demand: dict[Cell, dict[str, int]] = {}
        self.neighbours: dict[tuple[Cell, Cell], list[str]] = {}
        self.reaches: dict[tuple[Cell, Cell, int], int] = {}
        self._survey()

    def _survey(self) -> None:
        """Record the faces that complete a SET on each empty cell, and the dice in line with two
        empty cells."""
        for line in LINES:
            empty = [cell for cell in line if cell not in self.faces]
            filled = [self.faces[cell] for cell in line if cell in self.faces]
            if len(empty) == 1:
                face = COMPLETES[filled[0]][filled[1]]
                faces = self.demand.setdefault(empty[0], {})
                faces[face] = faces.get(face, 0) + 1
            elif len(empty) == 2:
                self.neighbours.setdefault((empty[0], empty[1]), []).append(filled[0])

    def run(self) -> Iterator[Group]:
        singles = sorted(self.singles(), key=_points, reverse=True)
        for single in singles:
            self.best[1].offer(single.points, *single.spots)
        self._combine_singles(singles)
        pairs = sorted(self.pairs(), key=_points, reverse=True)
        for pair in pairs:
            self.best[2].offer(pair.points, *pair.spots)
        self._combine(pairs, singles, self.best[3])
        for pair in pairs:
            if pair.points + self._reach(pair.spots) > self.best[3].floor:
                self._grow_pair(pair)
        for single in singles:
            self._grow_single(single)
        for best in self.best.values():
            for spots, points in best.groups.items():
                yield Group(points, spots)

    def singles(self) -> Iterator[Group]:
        for cell, faces in self.demand.items():
            bonus = self.bonus.get(cell, 0)
            for face, sets in faces.items():
                if self.kinds[face]:
                    yield Group(3 * sets + bonus, (Spot(cell, face, face),))
                if self.kinds[WILD]:
                    yield Group(2 * sets + bonus, (Spot(cell, WILD, face),))

    def pairs(self) -> Iterator[Group]:
        for (one, other), olds in self.neighbours.items():
            here, there = self.demand.get(one, {}), self.demand.get(other, {})
            bonus = self.bonus.get(one, 0) + self.bonus.get(other, 0)
            for old in dict.fromkeys(olds):
                sets = olds.count(old)
                for a, b in self._completions(old):
                    points = bonus + sets * (3 - (a[0] == WILD) - (b[0] == WILD))
                    points += here.get(a[1], 0) * (3 - (a[0] == WILD)) + there.get(b[1], 0) * (
                        3 - (b[0] == WILD)
                    )
                    yield Group(points, (Spot(one, *a), Spot(other, *b)))

    def _completions(self, old: str) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
        """Yield two remaining dice, kind and face, that make a SET with a face, in both orders."""
        wilds = self.kinds[WILD]
        for kind in self.plain:
            if not self.kinds[kind]:
                continue
            face = COMPLETES[old][kind]
            if self.kinds[face] > (face == kind):
                yield (kind, kind), (face, face)
            if wilds:
                yield (kind, kind), (WILD, face)
                yield (WILD, face), (kind, kind)
        if wilds >= 2:
            for face, partner in COMPLETES[old].items():
                yield (WILD, face), (WILD, partner)

    def _combine_singles(self, singles: Sequence[Group]) -> None:
        top = singles[0].points if singles else 0
        two, three = self.best[2], self.best[3]
        for a, first in enumerate(singles):
            if first.points + 2 * top <= three.floor and first.points + top <= two.floor:
                break
            for b in range(a + 1, len(singles)):
                second = singles[b]
                points = first.points + second.points
                if points <= two.floor and points + second.points <= three.floor:
                    break
                spots = first.spots + second.spots
                if not self.fit(spots):
                    continue
                two.offer(points, *spots)
                for c in range(b + 1, len(singles)):
                    third = singles[c]
                    if points + third.points <= three.floor:
                        break
                    if self.fit(spots + third.spots):
                        three.offer(points + third.points, *spots, *third.spots)

    def _combine(self, pairs: Sequence[Group], singles: Sequence[Group], best: _Best) -> None:
        for pair in pairs:
            for single in singles:
                points = pair.points + single.points
                if points <= best.floor:
                    break
                if self.fit(pair.spots + single.spots):
                    best.offer(points, *pair.spots, *single.spots)

    def fit(self, spots: tuple[Spot, ...]) -> bool:
        """Whether the hand has these dice and no two want the same cell."""
        if len({spot.cell for spot in spots}) < len(spots):
            return False
        kinds = [spot.kind for spot in spots]
        return all(self.kinds[kind] >= kinds.count(kind) for kind in kinds)

    def _grow_pair(self, pair: Group) -> None:
        """Add a third die that makes a SET with one or both dice of a pair."""
        self._lay(pair.spots)
        seen = set()
        for spot in pair.spots:
            for one, other in _OTHERS[spot.cell]:
                if (one in self.faces) == (other in self.faces):
                    continue
                cell, neighbour = (other, one) if one in self.faces else (one, other)
                face = COMPLETES[spot.face][self.faces[neighbour]]
                if (cell, face) in seen:
                    continue
                seen.add((cell, face))
                for kind in (face, WILD):
                    if self.kinds[kind]:
                        third = Spot(cell, kind, face)
                        self.best[3].offer(
                            pair.points + self._gain(third, pair.spots), *pair.spots, third
                        )
        self._take_up(pair.spots)

    def _reach(self, spots: tuple[Spot, ...]) -> int:
        """A bound: no third die that makes a SET with this pair scores more, whatever the faces of
        the pair."""
        one, other = spots[0].cell, spots[1].cell
        worth = 2 if spots[0].kind == spots[1].kind == WILD else 3
        if (one, other, worth) not in self.reaches:
            filled = self.faces.keys() | {one, other}
            near = {
                cell for spot in spots for line in LINES_THROUGH[spot.cell] for cell in line
            } - filled
            gains = [0]
            for cell in near:
                lines = [
                    line
                    for line in _OTHERS[cell]
                    if filled.issuperset(line) and (one in line or other in line)
                ]
                sets = max(self.demand.get(cell, {"": 0}).values())
                gains.append(
                    (self.bonus.get(cell, 0) + 3 * sets + worth * len(lines)) if lines else 0
                )
            self.reaches[one, other, worth] = max(gains)
        return self.reaches[one, other, worth]

    def _grow_single(self, single: Group) -> None:
        """Add two dice that make a SET with a single die, in a line that holds no die of the
        board."""
        (spot,) = single.spots
        self._lay(single.spots)
        for one, other in _OTHERS[spot.cell]:
            if one in self.faces or other in self.faces:
                continue
            for a, b in list(self._completions(spot.face)):
                second, third = Spot(one, *a), Spot(other, *b)
                points = single.points + self._gain(second, single.spots)
                self._lay((second,))
                points += self._gain(third, (spot, second))
                self._take_up((second,))
                self.best[3].offer(points, spot, second, third)
        self._take_up(single.spots)

    def _lay(self, spots: tuple[Spot, ...]) -> None:
        for spot in spots:
            self.faces[spot.cell] = spot.face
            self.kinds[spot.kind] -= 1

    def _take_up(self, spots: tuple[Spot, ...]) -> None:
        for spot in spots:
            del self.faces[spot.cell]
            self.kinds[spot.kind] += 1

    def _gain(self, spot: Spot, laid: tuple[Spot, ...]) -> int:
        """Return the score of a further die, given the board and the dice laid in this turn."""
        fresh = [other.cell for other in laid if other.kind == WILD]
        points = self.bonus.get(spot.cell, 0)
        for one, other in _OTHERS[spot.cell]:
            if (
                one in self.faces
                and other in self.faces
                and is_set(self.faces[one], self.faces[other], spot.face)
            ):
                points += 3 - (spot.kind == WILD) - (one in fresh) - (other in fresh)
        return points
