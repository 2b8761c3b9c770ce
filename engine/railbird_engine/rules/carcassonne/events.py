"""The events of Carcassonne, in addition to the common events of bets."""

from railbird_engine import BetPlaced, BetSettled, Event, Seat
from railbird_engine.rules.carcassonne.data.tiles import Kind


class BoxOpened(Event, frozen=True, kw_only=True):
    """The game began.

    `tiles` has the notes of the segments of every kind of tile, `counts` their numbers, `chips` the
    odds of the chips that every seat has, and `first` the seat that begins. The book has details.
    """

    tiles: dict[str, tuple[str, ...]]
    counts: dict[str, int]
    chips: dict[str, str]
    first: Seat


class TileDrawn(Event, frozen=True, kw_only=True):
    """A seat drew a tile, at the start of its turn or after a discard. The tile is public."""

    seat: Seat
    tile: str


class TileDiscarded(Event, frozen=True, kw_only=True):
    """The drawn tile fits nowhere and leaves the game. The same seat draws again."""

    tile: str


class TilePlaced(Event, frozen=True, kw_only=True):
    """Action 1: a seat placed its tile."""

    seat: Seat
    x: int
    y: int
    tile: str
    rotation: int


class MeeplePlaced(Event, frozen=True, kw_only=True):
    """Action 2: a seat placed a meeple."""

    seat: Seat
    x: int
    y: int
    segment: str
    kind: Kind
    feature: int


class FeatureScored(Event, frozen=True, kw_only=True):
    """A feature was scored: each winner got `points`.

    Its meeples return to their seats, except in the final scoring.
    """

    feature: int
    kind: Kind
    tiles: int
    pennants: int
    complete: bool
    points: int
    winners: tuple[Seat, ...]


class BettingOpened(Event, frozen=True, kw_only=True):
    """Action 4 began: these seats may place a chip on the office at x, y."""

    x: int
    y: int
    seats: tuple[Seat, ...]


class BetDecided(Event, frozen=True, kw_only=True):
    """A seat decided. Whether it bet becomes public when all seats have decided."""

    seat: Seat


class ChipsSealed(Event, frozen=True, kw_only=True):
    """All seats decided: chips of these seats are face down on the office at x, y."""

    x: int
    y: int
    seats: tuple[Seat, ...]


class FeatureChosen(Event, frozen=True, kw_only=True):
    """A seat chose the feature for which the chips on the office at x, y count."""

    seat: Seat
    x: int
    y: int
    feature: int


class ChipTurned(Event, frozen=True, kw_only=True):
    """A chip was turned over and returned to its seat.

    It counted for a feature of `tiles` tiles and paid `points`.
    """

    seat: Seat
    x: int
    y: int
    chip: str
    feature: int
    kind: Kind
    tiles: int
    points: int


class DeadlinePassed(Event, frozen=True, kw_only=True):
    """The time of these seats expired: the server chooses for them."""

    seats: tuple[Seat, ...]


class GameEnded(Event, frozen=True, kw_only=True):
    """The final scoring is over. `points` is in seat order."""

    points: tuple[int, ...]


CarcassonneEvent = (
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
)
