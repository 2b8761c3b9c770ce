"""What travels between a table of Ready Set Bet and its players: options, the command, events and the view."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from games.engine import BetPlaced, BetSettled, Command, Event, Options, Purse, Seat, View
from games.rules.ready_set_bet.board import Spot
from games.rules.ready_set_bet.cards import Exotic, Prop
from games.rules.ready_set_bet.data import RACES, Horse
from games.rules.ready_set_bet.race import Podium
from games.rules.ready_set_bet.settlement import Bet

Phase = Literal["paddock", "open", "closed", "finished", "over"]
"""Horses at the start, a race whose bets are open, one whose bets are closed, a race just run, the end of the game."""

Mode = Literal["app", "standard", "betting_announcer", "rotating_announcer"]

PAUSE_MS_MAX = 120_000


class ReadySetBetOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`roll_ms` is the time between rolls. `pause_ms` is the time to look, before the start call and again after the finish;
    null means two and a half rolls. The next two are the rulebook's advice for two to four players (closed columns) and its
    rule for seven and eight (one 3-token less). The rest belongs to the full box and is refused until it is built.
    """

    races: Annotated[int, Meta(ge=1, le=RACES)] = RACES
    roll_ms: Annotated[int, Meta(ge=50, le=60_000)] = 2_000
    pause_ms: Annotated[int, Meta(ge=0, le=PAUSE_MS_MAX)] | None = None
    few_close_columns: bool = True
    many_drop_a_token: bool = True
    mode: Mode = "app"
    props: bool = False
    exotics: bool = False
    vip: bool = False

    @property
    def look_ms(self) -> int:
        """The pause that these options ask for."""
        return min(self.roll_ms * 5 // 2, PAUSE_MS_MAX) if self.pause_ms is None else self.pause_ms


class PlaceBet(Command, frozen=True):
    """Put one of your tokens, named by its value, on a free spot."""

    spot: Annotated[str, Meta(max_length=32)]
    token: int


class RacePrepared(Event, frozen=True, kw_only=True):
    """The horses stand at the start of the next race, and everyone has all tokens back."""

    race: int


class PropsRevealed(Event, frozen=True, kw_only=True):
    """These prop bets lie face up for this race; those of the race before are gone."""

    race: int
    props: tuple[Prop, ...]


class ExoticRevealed(Event, frozen=True, kw_only=True):
    """One more exotic finish lies face up, from this race to the last."""

    race: int
    exotic: Exotic


class RaceStarted(Event, frozen=True, kw_only=True):
    """They are off: from now on bets are taken."""

    race: int


class Rolled(Event, frozen=True, kw_only=True):
    """Roll `roll` of the race moved a horse to `position`, `bonus` spaces included. What an announcer would call out:
    `double` (two ones or two sixes) and `takes_lead` (the horse has just come to lead alone).
    """

    race: int
    roll: int
    dice: tuple[int, int]
    horse: str
    bonus: int
    position: int
    double: Literal[1, 6] | None
    takes_lead: bool


class RedLineCrossed(Event, frozen=True, kw_only=True):
    """A horse crossed the red line, as number `crossed` of this race."""

    race: int
    horse: str
    crossed: int


class BettingClosed(Event, frozen=True, kw_only=True):
    """The third horse has crossed: no more bets in this race."""

    race: int
    roll: int


class RaceFinished(Event, frozen=True, kw_only=True):
    """A horse has reached the finish; all others stay where they are. Bets are closed, if they were not. `positions` are in
    the order of the lanes.
    """

    race: int
    roll: int
    positions: tuple[int, ...]
    podium: Podium


class MoneySettled(Event, frozen=True, kw_only=True):
    """What a race brought to a seat: all its gains, then its losses as far as they could be paid, and what it holds now."""

    race: int
    seat: Seat
    gained: int
    paid: int
    money: int


class GameEnded(Event, frozen=True, kw_only=True):
    """The last race is settled. `ranking` lists seats, best first, ties together; `scores` is money by seat."""

    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[int, ...]


RaceEvent = (
    PropsRevealed
    | ExoticRevealed
    | RacePrepared
    | RaceStarted
    | BetPlaced
    | Rolled
    | RedLineCrossed
    | BettingClosed
    | RaceFinished
    | BetSettled
    | MoneySettled
    | GameEnded
)


class ReadySetBetView(View, frozen=True, kw_only=True):
    """The table as everyone sees it; only `seat` is the viewer's own (null for a spectator).

    `positions` follow `horses`; `tokens` (still in hand) are by seat; `bets` lie on the board until it is cleaned for the next
    race; `last_horse` moved last, for the `run`-th time in a row; `podium` is set from finish to next race; `spots` are
    those of the board and of the cards that lie face up.
    """

    seat: Seat | None
    options: ReadySetBetOptions
    phase: Phase
    race: int
    roll: int
    dice: tuple[int, int] | None
    positions: tuple[int, ...]
    last_horse: str | None
    run: int
    crossed: int
    podium: Podium | None
    bets: tuple[Bet, ...]
    tokens: tuple[tuple[int, ...], ...]
    purses: Mapping[Purse, int]
    closed_columns: tuple[str, ...]
    ranking: tuple[tuple[Seat, ...], ...] | None
    horses: tuple[Horse, ...]
    spots: tuple[Spot, ...]
    props: tuple[Prop, ...]
    exotics: tuple[Exotic, ...]
