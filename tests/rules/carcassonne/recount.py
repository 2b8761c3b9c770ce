"""A slow second count: it derives the features from the tiles after every commit, and recounts all
points."""

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from railbird_engine import seat_purse
from railbird_engine.kernel.playout import Ask, Commit, Playout, ask_bot
from railbird_engine.rules.carcassonne.board import Board, place_of
from railbird_engine.rules.carcassonne.commands import PlaceBet
from railbird_engine.rules.carcassonne.events import FeatureChosen, MeeplePlaced, TilePlaced
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from railbird_engine.rules.carcassonne.rules import Carcassonne
from railbird_engine.rules.carcassonne.state import CarcassonneState

Spot = tuple[int, int]
Part = tuple[int, int, str]  # a segment by its tile's x and y, and its name

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def read_boxes() -> tuple[dict[str, list[str]], dict[str, list[dict[str, int]]]]:
    """Read the segments of every tile and the faces of every chip without the game's own loader."""
    tiles: dict[str, list[str]] = {}
    chips: dict[str, list[dict[str, int]]] = {}
    for name in ("base", "bets"):
        box = json.loads(
            resources.files("railbird_engine.rules.carcassonne.data")
            .joinpath(f"{name}.json")
            .read_text("utf-8")
        )
        tiles |= {tile["tile"]: tile["segments"] for tile in box["tiles"]}
        chips |= {chip["chip"]: chip["faces"] for chip in box.get("chips", [])}
    return tiles, chips


TILES, CHIPS = read_boxes()


@cache
def printed(tile: str) -> dict[str, tuple[str, str]]:
    """Return edges and borders by segment name, as in the data file."""
    found = {}
    for note in TILES[tile]:
        name, _, rest = note.partition(":")
        edges, _, borders = rest.partition(">")
        found[name] = (edges, borders)
    return found


@cache
def edges_of(tile: str, turns: int) -> dict[str, list[str]]:
    """Return sides or half-sides by segment name, after this many quarter turns clockwise."""

    def turned(edge: str) -> str:
        return "NESW"[("NESW".index(edge[0]) + turns) % 4] + edge[1:]

    found = {}
    for name, (edges, _) in printed(tile).items():
        found[name] = [
            turned(edge) for edge in (edges.split() if name[0] == "G" else edges.replace("+", ""))
        ]
    return found


@dataclass
class Zone:
    """A feature as the referee derives it."""

    kind: str
    parts: frozenset[Part]
    open: int
    pennants: int
    cities: list["Zone"] = field(default_factory=list)

    @property
    def cells(self) -> set[Spot]:
        return {(x, y) for x, y, _ in self.parts}

    @property
    def complete(self) -> bool:
        return self.kind != "G" and self.open == 0


@dataclass
class Land:
    """The placed tiles: name and quarter turns by (x, y)."""

    tiles: dict[Spot, tuple[str, int]] = field(default_factory=dict)

    def notes(self, spot: Spot) -> dict[str, tuple[str, str]]:
        """Return edges and borders by segment name, as printed."""
        return printed(self.tiles[spot][0])

    def ends(self, part: Part) -> list[tuple[str, Spot]]:
        """Return the edges of a segment after turning, and the cells beyond them."""
        x, y, name = part
        edges = edges_of(*self.tiles[x, y])[name]
        return [(edge, (x + STEPS[edge[0]][0], y + STEPS[edge[0]][1])) for edge in edges]

    def across(self, edge: str, spot: Spot) -> str | None:
        """Return the segment of the tile on `spot` that meets this edge of its neighbour."""
        if spot not in self.tiles:
            return None
        side = "NESW"[("NESW".index(edge[0]) + 2) % 4]
        met = side + ("" if len(edge) == 1 else "R" if edge[1] == "L" else "L")
        for name, edges in edges_of(*self.tiles[spot]).items():
            if met in edges:
                return name
        raise AssertionError(f"{edge} of a neighbour of {spot} meets nothing")

    def zones(self) -> dict[Part, Zone]:
        """Return every segment's feature, by flood fill."""
        found: dict[Part, Zone] = {}
        for spot in self.tiles:
            for name in self.notes(spot):
                if name != "O" and (*spot, name) not in found:
                    zone = self._flood((*spot, name))
                    found |= dict.fromkeys(zone.parts, zone)
        for part, zone in found.items():
            for city in filter(None, self.notes(part[:2])[part[2]][1].split(",")):
                touched = found[part[0], part[1], city]
                if not any(other is touched for other in zone.cities):
                    zone.cities.append(touched)
        return found

    def _flood(self, start: Part) -> Zone:
        x, y, name = start
        if name == "M":
            around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            return Zone("M", frozenset({start}), sum(spot not in self.tiles for spot in around), 0)
        seen, waiting, ends = {start}, [start], 0
        while waiting:
            for edge, spot in self.ends(waiting.pop()):
                other = self.across(edge, spot)
                ends += other is None
                if other is not None and (*spot, other) not in seen:
                    assert other[0] == name[0], f"{name} meets {other} at {spot}"
                    seen.add((*spot, other))
                    waiting.append((*spot, other))
        pennants = sum(self.notes(part[:2])[part[2]][0].count("+") for part in seen)
        return Zone(name[0], frozenset(seen), ends, pennants)


def points(zone: Zone) -> int:
    """Return what a feature pays in its present state."""
    match zone.kind:
        case "R":
            return len(zone.cells)
        case "C":
            return (len(zone.cells) + zone.pennants) * (2 if zone.complete else 1)
        case "M":
            return 9 - zone.open
        case _:
            return 3 * sum(city.complete for city in zone.cities)


def pay(chip: str, size: int) -> int:
    """Return what a chip pays for a feature of this size."""
    hits = [
        face["points"]
        for face in CHIPS[chip]
        if face.get("exactly") == size or size >= face.get("at_least", 999)
    ]
    return max(hits, default=0)


class Referee:
    """Reads only the players' actions from the commits, and computes the rest."""

    def __init__(self, state: CarcassonneState) -> None:
        self.seats = state.seats
        self.land = Land({(0, 0): ("D", 0)})
        self.meeples: dict[Part, int] = {}
        self.totals = [0] * state.seats
        self.stacks: dict[Spot, dict[int, str]] = {}
        self.laid: Spot = (0, 0)
        self.placing = False
        self.settling: set[Part] | None = None
        self.sealing: dict[int, str] | None = None
        self.chosen: dict[tuple[Spot, int | None], int] = {}

    def watch(self, commit: Commit, state: CarcassonneState) -> None:
        """Check a commit and the state after it against the tiles. Raises AssertionError."""
        self._facts(commit, state)
        zones = self.land.zones()
        if self.placing and state.stage != "meeple":
            self.placing = False
            self._score(zones)
        if self.settling is not None and state.stage != "settlement":
            self._settle(zones, state)
            self.sealing = {} if any(name == "O" for name in self.land.notes(self.laid)) else None
        if self.sealing is not None and state.stage != "bets":
            if self.sealing:
                self.stacks[self.laid] = self.sealing
            self.sealing = None
        if state.stage == "over":
            self._evaluate(zones, state)
        self._compare(zones, state)

    def _facts(self, commit: Commit, state: CarcassonneState) -> None:
        if isinstance(commit.command, PlaceBet):
            assert self.sealing is not None
            assert commit.seat is not None
            self.sealing[commit.seat] = commit.command.chip
        for event in commit.events:
            match event:
                case TilePlaced():
                    self.laid = (event.x, event.y)
                    self.land.tiles[self.laid] = (event.tile, event.rotation)
                    self.placing = True
                case MeeplePlaced():
                    self.meeples[event.x, event.y, event.segment] = event.seat
                case FeatureChosen():
                    whose = None if event.only is None else event.seat
                    self.chosen[(event.x, event.y), whose] = event.feature

    def _score(self, zones: dict[Part, Zone]) -> None:
        x, y = self.laid
        done: list[Zone] = []
        for part, zone in zones.items():
            near = (
                abs(part[0] - x) <= 1 and abs(part[1] - y) <= 1
                if zone.kind == "M"
                else part[:2] == self.laid
            )
            if near and zone.complete and all(zone is not other for other in done):
                done.append(zone)
        for zone in done:
            self._pay_leaders(zone)
            for part in zone.parts:
                self.meeples.pop(part, None)
        self.settling = {part for zone in done if zone.kind in {"C", "R"} for part in zone.parts}

    def _pay_leaders(self, zone: Zone) -> None:
        count = Counter(seat for part, seat in self.meeples.items() if part in zone.parts)
        for seat, held in count.items():
            if held == max(count.values()):
                self.totals[seat] += points(zone)

    def _settle(self, zones: dict[Part, Zone], state: CarcassonneState) -> None:
        assert self.settling is not None
        for spot in list(self.stacks):
            candidates = self._candidates(
                zones, spot, state, {part for part in self.settling if part[:2] == spot}
            )
            if candidates:
                zone = self._only_or_chosen(candidates, self.chosen.pop((spot, None), None))
                for seat, chip in self.stacks.pop(spot).items():
                    self.totals[seat] += pay(chip, len(zone.cells))
        self.settling = None

    def _candidates(
        self, zones: dict[Part, Zone], spot: Spot, state: CarcassonneState, parts: set[Part]
    ) -> dict[int, Zone]:
        """Return the features of these segments by their number in the state."""
        numbers = {place_of(cell): placed for cell, placed in state.board.cells.items()}[
            spot
        ].features
        names = [name for name in self.land.notes(spot) if name != "O"]
        return {numbers[names.index(part[2])]: zones[part] for part in sorted(parts)}

    @staticmethod
    def _only_or_chosen(candidates: dict[int, Zone], chosen: int | None) -> Zone:
        if len(candidates) == 1:
            assert chosen is None, "a choice without alternatives"
            return next(iter(candidates.values()))
        assert chosen is not None, "a choice is missing"
        return candidates[chosen]

    def _evaluate(self, zones: dict[Part, Zone], state: CarcassonneState) -> None:
        for spot, stack in self.stacks.items():
            parts = {
                (*spot, name)
                for name in self.land.notes(spot)
                if name[0] in "CR" and not zones[*spot, name].complete
            }
            candidates = self._candidates(zones, spot, state, parts)
            assert candidates, f"the chips at {spot} have no candidate (ruling A16)"
            for seat, chip in stack.items():
                zone = self._only_or_chosen(candidates, self.chosen.pop((spot, seat), None))
                self.totals[seat] += pay(chip, len(zone.cells))
        self.stacks = {}
        done: list[Zone] = []
        for part in self.meeples:
            zone = zones[part]
            if all(zone is not other for other in done):
                done.append(zone)
                self._pay_leaders(zone)

    def _compare(self, zones: dict[Part, Zone], state: CarcassonneState) -> None:
        held = [state.purses[seat_purse(seat)] for seat in range(self.seats)]
        assert held == self.totals, f"points {held}, counted again {self.totals}"
        seen: dict[int, int] = {}
        for cell, placed in state.board.cells.items():
            spot = place_of(cell)
            names = [name for name in self.land.notes(spot) if name != "O"]
            for name, number in zip(names, placed.features, strict=True):
                zone = zones[*spot, name]
                assert seen.setdefault(number, id(zone)) == id(zone), (
                    f"{spot} {name} is not feature {number}"
                )
                _compare_feature(state.board, number, zone, zones)
        assert len(seen) == len(set(seen.values())) == len(state.board.features)
        standing = {
            (
                *place_of(cell),
                [name for name in self.land.notes(place_of(cell)) if name != "O"][index],
            ): seat
            for feature in state.board.features.values()
            for seat, cell, index in feature.meeples
        }
        assert standing == self.meeples
        for seat in range(self.seats):
            assert state.meeples[seat] + sum(own == seat for own in standing.values()) == 7
        if state.betting:
            stacks = {
                place_of(cell): {it.seat: it.chip for it in stack}
                for cell, stack in state.betting.stacks.items()
            }
            assert stacks == self.stacks
            for seat, supply in enumerate(state.betting.chips):
                out = [
                    chip
                    for stack in stacks.values()
                    for owner, chip in stack.items()
                    if owner == seat
                ]
                assert sorted(supply + out) == sorted(CHIPS)
        placed_tiles = (
            len(state.board.cells)
            + len(state.stack)
            + len(state.discarded)
            + (state.tile is not None)
        )
        assert placed_tiles == (82 if state.options.bets else 72)


def _compare_feature(board: Board, number: int, zone: Zone, zones: dict[Part, Zone]) -> None:
    feature = board.features[number]
    assert feature.kind == {"C": "city", "R": "road", "G": "field", "M": "monastery"}[zone.kind]
    assert len(feature.cells) == len(set(feature.cells))
    assert {place_of(cell) for cell in feature.cells} == zone.cells
    assert (feature.open, feature.pennants) == (zone.open, zone.pennants), f"feature {number}"
    assert len(feature.cities) == len(zone.cities)
    cities = {
        frozenset(place_of(cell) for cell in board.features[city].cells) for city in feature.cities
    }
    assert cities == {frozenset(city.cells) for city in zone.cities}


def recount_game(
    seats: int, options: CarcassonneOptions, key: bytes, ask: Ask = ask_bot
) -> Playout:
    """Play a game, recount it at every commit, and return the finished playout."""
    playout = Playout(Carcassonne(), seats, options, key)
    assert isinstance(playout.state, CarcassonneState)
    referee = Referee(playout.state)
    for commit in playout.run(ask):
        assert isinstance(playout.state, CarcassonneState)
        referee.watch(commit, playout.state)
    return playout
