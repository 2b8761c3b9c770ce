"""The points of features, the seats that get them, and the scoring of action 3 and of the end."""

from collections import Counter
from typing import Final

from railbird_engine import BANK, Seat, seat_purse
from railbird_engine.rules.carcassonne.board import Board, Feature
from railbird_engine.rules.carcassonne.data.tiles import Kind
from railbird_engine.rules.carcassonne.events import FeatureScored
from railbird_engine.rules.carcassonne.state import CarcassonneState, CarcassonneTurn

MONASTERY_CELLS: Final = 9
CITY_POINTS: Final = 2
FIELD_POINTS: Final = 3

FINAL_ORDER: Final[tuple[Kind, ...]] = ("road", "city", "monastery", "field")


def worth(board: Board, feature: Feature) -> int:
    """Return the points of a feature in its current form (base rules; ruling A22: a city of two
    tiles pays 4 like any other)."""
    match feature.kind:
        case "road":
            return len(feature.cells)
        case "city":
            return (CITY_POINTS if feature.complete else 1) * (
                len(feature.cells) + feature.pennants
            )
        case "monastery":
            return MONASTERY_CELLS - feature.open
        case "field":
            return FIELD_POINTS * sum(board.features[city].complete for city in feature.cities)


def leaders(feature: Feature) -> tuple[Seat, ...]:
    """Return the seats with the most meeples in the feature: each of them gets all its points."""
    count = Counter(seat for seat, _, _ in feature.meeples)
    most = max(count.values(), default=0)
    return tuple(Seat(seat) for seat in sorted(count) if count[seat] == most)


def score_completed(turn: CarcassonneTurn, number: int) -> None:
    """Pay a completed feature, and send its meeples home."""
    state = turn.state
    feature = state.board.features[number]
    _score(turn, number, feature.kind)
    for seat, _, _ in feature.meeples:
        state.meeples[seat] += 1
    feature.meeples = ()


def score_finally(turn: CarcassonneTurn) -> None:
    """Score open roads and cities, monasteries and fields. Their meeples stay on the board."""
    board = turn.state.board
    for kind in FINAL_ORDER:
        for number, feature in board.features.items():
            if feature.kind == kind and feature.meeples:
                _score(
                    turn,
                    number,
                    f"{'unfinished ' if not feature.complete and kind != 'field' else ''}{kind}",
                )


def _score(turn: CarcassonneTurn, number: int, reason: str) -> None:
    board = turn.state.board
    feature = board.features[number]
    points, winners = worth(board, feature), leaders(feature)
    turn.emit(
        FeatureScored(
            feature=number,
            kind=feature.kind,
            tiles=len(feature.cells),
            pennants=feature.pennants,
            complete=feature.complete,
            points=points,
            winners=winners,
        )
    )
    for seat in winners:
        if points > 0:
            turn.pay(BANK, seat_purse(seat), points, reason)


def points_of(state: CarcassonneState) -> tuple[int, ...]:
    """Return the points so far, by seat."""
    return tuple(state.purses[seat_purse(seat)] for seat in range(state.seats))
