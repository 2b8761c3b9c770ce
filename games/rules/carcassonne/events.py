"""The events of Carcassonne, besides the common events of bets."""

from games.engine import BetPlaced, BetSettled, Event, Seat
from games.rules.carcassonne.data.tiles import Kind


class BoxOpened(Event, frozen=True, kw_only=True):
    """The game begins: every kind of tile with the notes of its segments, how many there are of
    each, the chips that every seat has and what they promise, and who is first. README.md explains
    the notes."""

    tiles: dict[str, tuple[str, ...]]
    counts: dict[str, int]
    chips: dict[str, str]
    first: Seat


class TileDrawn(Event, frozen=True, kw_only=True):
    """A seat drew a tile. It is public; its turn begins."""

    seat: Seat
    tile: str


class TileDiscarded(Event, frozen=True, kw_only=True):
    """The drawn tile fits nowhere and leaves the game; the same seat draws again."""

    tile: str


class TilePlaced(Event, frozen=True, kw_only=True):
    """Action 1."""

    seat: Seat
    x: int
    y: int
    tile: str
    rotation: int


class MeeplePlaced(Event, frozen=True, kw_only=True):
    """Action 2."""

    seat: Seat
    x: int
    y: int
    segment: str
    kind: Kind
    feature: int


class FeatureScored(Event, frozen=True, kw_only=True):
    """A feature was evaluated: each of the winners got the points. While the game goes on, its
    meeples went home."""

    feature: int
    kind: Kind
    tiles: int
    pennants: int
    complete: bool
    points: int
    winners: tuple[Seat, ...]


class BettingOpened(Event, frozen=True, kw_only=True):
    """Action 4 began: these seats may put a chip on the office at x, y."""

    x: int
    y: int
    seats: tuple[Seat, ...]


class BetDecided(Event, frozen=True, kw_only=True):
    """A seat made up its mind; whether it bet is seen when all have."""

    seat: Seat


class ChipsSealed(Event, frozen=True, kw_only=True):
    """All have decided: the chips of these seats lie face down on the office at x, y."""

    x: int
    y: int
    seats: tuple[Seat, ...]


class FeatureChosen(Event, frozen=True, kw_only=True):
    """The seat said for which feature chips on the office at x, y count."""

    seat: Seat
    x: int
    y: int
    feature: int


class ChipTurned(Event, frozen=True, kw_only=True):
    """A chip was turned over, paid `points` for a feature of so many tiles, and went back to its
    seat."""

    seat: Seat
    x: int
    y: int
    chip: str
    feature: int
    kind: Kind
    tiles: int
    points: int


class DeadlinePassed(Event, frozen=True, kw_only=True):
    """These seats were awaited for too long: the game moves for them."""

    seats: tuple[Seat, ...]


class GameEnded(Event, frozen=True, kw_only=True):
    """The final evaluation is over; points by seat."""

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
