"""The Bets (Les Paris): chips face down on bookmaker tiles, on how many tiles a road or city will
have.

Rulebook, "Placement de paris", "Règlement des paris" and "Évaluation finale".
"""

from collections.abc import Iterator

from railbird_engine import BANK, BetPlaced, BetSettled, RuleViolation, Seat, seat_purse
from railbird_engine.rules.carcassonne.board import Cell, Land, place_of
from railbird_engine.rules.carcassonne.commands import (
    CarcassonneCommand,
    ChooseFeature,
    PassBet,
    PlaceBet,
)
from railbird_engine.rules.carcassonne.data import TileSet
from railbird_engine.rules.carcassonne.events import (
    BetDecided,
    BettingOpened,
    ChipsSealed,
    ChipTurned,
    FeatureChosen,
)
from railbird_engine.rules.carcassonne.expansion import Expansion
from railbird_engine.rules.carcassonne.state import (
    Betting,
    CarcassonneState,
    CarcassonneTurn,
    Sealed,
)


class Bets(Expansion):
    """The expansion, with the tiles and chips of one set."""

    commands = (PlaceBet, PassBet, ChooseFeature)

    def __init__(self, bets: TileSet, land: Land) -> None:
        self._set = bets
        self._land = land
        self._order = {chip: position for position, chip in enumerate(bets.chips)}

    def prepare(self, state: CarcassonneState) -> None:
        """Give every seat one chip of each kind."""
        state.stack += [name for name, tile in self._set.tiles.items() for _ in range(tile.count)]
        state.betting = Betting([list(self._set.chips) for _ in range(state.seats)], {}, {})

    def begin(self, turn: CarcassonneTurn) -> None:
        """Open the bets of action 4, or decide for every chip that has only one candidate."""
        state = turn.state
        if state.stage == "bets":
            self._open_office(turn)
            return
        for cell, stack in _betting(state).stacks.items():
            candidates = self._candidates(state, cell)
            if len(candidates) == 1:
                for sealed in stack:
                    sealed.counts_for = candidates[0]

    def _open_office(self, turn: CarcassonneTurn) -> None:
        """Ask for bets unless the tile is the last one or has no open feature (A3, A18)."""
        state = turn.state
        betting = _betting(state)
        tile = self._land.tiles[state.board.cells[state.laid].tile]
        opens = tile.office and state.stack and self._open_features(state, state.laid)
        able = tuple(Seat(seat) for seat in range(state.seats) if opens and betting.chips[seat])
        betting.decided = {Seat(seat): None for seat in range(state.seats) if seat not in able}
        if able:
            x, y = place_of(state.laid)
            turn.emit(BettingOpened(x=x, y=y, seats=able))

    def choices(self, state: CarcassonneState, seat: Seat) -> Iterator[CarcassonneCommand]:
        """Return the choices of a seat: a chip or a pass in action 4, else features.

        In a settlement the active seat chooses for all chips. At the end each owner chooses for its
        own chip.
        """
        betting = _betting(state)
        if state.stage == "bets":
            if seat not in betting.decided:
                yield from (PlaceBet(chip) for chip in betting.chips[seat])
                yield PassBet()
            return
        for cell, _ in self._undecided(state, seat):
            x, y = place_of(cell)
            yield from (ChooseFeature(x, y, feature) for feature in self._candidates(state, cell))

    def _undecided(
        self, state: CarcassonneState, seat: Seat
    ) -> Iterator[tuple[Cell, list[Sealed]]]:
        """Return the offices where this seat must choose a feature, each with the affected chips.

        Ruling A12: in a turn the active seat decides for a whole stack. At the end each owner
        decides for its own chip."""
        for cell, stack in _betting(state).stacks.items():
            if state.stage == "settlement":
                mine = stack if seat == state.active else []
            else:
                mine = [sealed for sealed in stack if sealed.seat == seat]
            if mine and mine[0].counts_for is None and len(self._candidates(state, cell)) > 1:
                yield cell, mine

    def _candidates(self, state: CarcassonneState, cell: Cell) -> list[int]:
        """Return the features that chips on this office may count for now, each once (rulings A6,
        A14, A15)."""
        if state.stage == "settlement":
            completed = self._land.completed(state.board, state.laid)
            return [feature for feature in self._features(state, cell) if feature in completed]
        return self._open_features(state, cell) if state.stage == "evaluation" else []

    def _features(self, state: CarcassonneState, cell: Cell) -> list[int]:
        """Return every road and city with a segment on the tile, whether or not it touches the
        office (ruling A5)."""
        placed = state.board.cells[cell]
        return list(
            dict.fromkeys(
                placed.features[index] for index in self._land.tiles[placed.tile].bets_on()
            )
        )

    def _open_features(self, state: CarcassonneState, cell: Cell) -> list[int]:
        return [
            feature
            for feature in self._features(state, cell)
            if not state.board.features[feature].complete
        ]

    def play(self, turn: CarcassonneTurn, seat: Seat, command: CarcassonneCommand) -> None:
        """Carry out a bet or a choice, which is secret and final (rulings A7, A8)."""
        state = turn.state
        betting = _betting(state)
        match command:
            case PlaceBet() | PassBet() if state.stage == "bets":
                if seat in betting.decided:
                    raise RuleViolation("bet_already_decided")
                chip = command.chip if isinstance(command, PlaceBet) else None
                if chip is not None and chip not in self._set.chips:
                    raise RuleViolation("unknown_chip", chip=chip, chips=list(self._set.chips))
                if chip is not None and chip not in betting.chips[seat]:
                    raise RuleViolation("chip_not_in_supply", chip=chip)
                betting.decided[seat] = chip
                turn.emit(BetDecided(seat=seat))
            case ChooseFeature() if state.stage in {"settlement", "evaluation"}:
                self._choose(turn, seat, command)
            case _:
                raise RuleViolation("not_now", stage=state.stage)

    def _choose(self, turn: CarcassonneTurn, seat: Seat, command: ChooseFeature) -> None:
        state = turn.state
        offices = {place_of(cell): (cell, chips) for cell, chips in self._undecided(state, seat)}
        if (command.x, command.y) not in offices:
            raise RuleViolation(
                "no_chips_to_decide", x=command.x, y=command.y, offices=list(offices)
            )
        cell, chips = offices[command.x, command.y]
        candidates = self._candidates(state, cell)
        if command.feature not in candidates:
            raise RuleViolation(
                "feature_not_eligible", feature=command.feature, eligible=candidates
            )
        for sealed in chips:
            sealed.counts_for = command.feature
        # Ruling A17: at the end, choices stay secret until all seats have chosen.
        only = (seat,) if state.stage == "evaluation" else None
        turn.emit(
            FeatureChosen(seat=seat, x=command.x, y=command.y, feature=command.feature, only=only)
        )

    def default(self, state: CarcassonneState, seat: Seat) -> CarcassonneCommand:
        """Pass, or take the feature with most tiles (ruling A24).

        Among equals, a city comes first, then the feature with the smallest coordinates.
        """
        if state.stage == "bets":
            return PassBet()
        features = state.board.features

        def preference(choice: CarcassonneCommand) -> tuple[int, bool, list[tuple[int, int]], int]:
            assert isinstance(choice, ChooseFeature)
            feature = features[choice.feature]
            places = sorted(place_of(cell) for cell in feature.cells)
            return -len(places), feature.kind != "city", places, choice.feature

        offices: dict[tuple[int, int], list[CarcassonneCommand]] = {}
        for choice in self.choices(state, seat):
            assert isinstance(choice, ChooseFeature)
            offices.setdefault((choice.x, choice.y), []).append(choice)
        return min(next(iter(offices.values())), key=preference)

    def finish(self, turn: CarcassonneTurn) -> None:
        """Seal the chips of action 4, or turn over every chip with a chosen feature (ruling
        A10)."""
        state = turn.state
        betting = _betting(state)
        if state.stage == "bets":
            self._seal(turn)
            return
        # A chip has a feature only in these two stages: it is turned before they end.
        for cell, stack in list(betting.stacks.items()):
            if stack[0].counts_for is not None:
                del betting.stacks[cell]
                for sealed in stack:
                    self._turn_over(turn, cell, sealed)

    def _seal(self, turn: CarcassonneTurn) -> None:
        betting = _betting(turn.state)
        stack = [
            Sealed(seat, chip) for seat, chip in sorted(betting.decided.items()) if chip is not None
        ]
        betting.decided = {}
        if stack:
            for sealed in stack:
                betting.chips[sealed.seat].remove(sealed.chip)
            betting.stacks[turn.state.laid] = stack
            x, y = place_of(turn.state.laid)
            turn.emit(ChipsSealed(x=x, y=y, seats=tuple(sealed.seat for sealed in stack)))

    def _turn_over(self, turn: CarcassonneTurn, cell: Cell, sealed: Sealed) -> None:
        """Pay for a hit, in addition to the score of the feature, and return the chip (A4, A25)."""
        state = turn.state
        betting = _betting(state)
        assert sealed.counts_for is not None
        feature = state.board.features[sealed.counts_for]
        chip = self._set.chips[sealed.chip]
        points = chip.pays(len(feature.cells))
        x, y = place_of(cell)
        turn.emit(
            ChipTurned(
                seat=sealed.seat,
                x=x,
                y=y,
                chip=chip.chip,
                feature=sealed.counts_for,
                kind=feature.kind,
                tiles=len(feature.cells),
                points=points,
            )
        )
        betting.turned += 1
        spot = f"{state.board.cells[cell].tile} {chip.chip}"
        turn.emit(
            BetPlaced(bet=betting.turned, seat=sealed.seat, spot=spot, stake=0, odds=chip.odds)
        )
        if points:
            turn.pay(BANK, seat_purse(sealed.seat), points, "bet")
        turn.emit(
            BetSettled(
                bet=betting.turned,
                seat=sealed.seat,
                spot=spot,
                outcome="won" if points else "lost",
                payout=points,
            )
        )
        betting.chips[sealed.seat] = sorted(
            [*betting.chips[sealed.seat], chip.chip], key=self._order.__getitem__
        )


def _betting(state: CarcassonneState) -> Betting:
    assert state.betting is not None, "this game is played without The Bets"
    return state.betting
