"""What travels between a table of Ready Set Bet and its players: options, the command, events and
the view."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from games.engine import BetPlaced, BetSettled, Command, Event, Options, Purse, Seat, View
from games.rules.ready_set_bet.board import Spot
from games.rules.ready_set_bet.cards import BonusToken, Exotic, Prop, VipCard
from games.rules.ready_set_bet.data import (
    ANNOUNCER_MONEY,
    ANNOUNCER_TOKENS,
    RACES,
    Horse,
    Mode,
    TokenColour,
)
from games.rules.ready_set_bet.race import Podium
from games.rules.ready_set_bet.settlement import Bet

Phase = Literal["paddock", "open", "closed", "finished", "draft", "offer", "over"]
"""Horses at the start, a race whose bets are open, one whose bets are closed, a race just run, the
choice of VIP cards, the choice of an announcer, the end of the game."""

AnnouncerToken = Annotated[int, Meta(ge=1, le=10)]

PAUSE_MS_MAX = 120_000
THINK_MS_MAX = 600_000


class ReadySetBetOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`roll_ms` is the time between rolls. `pause_ms` is the time to look, before the start call
    and again after the finish; null means two and a half rolls. `think_ms` is the time to choose: a
    VIP card, an announcer's tokens, whether to announce; null means fifteen rolls. The next two are
    the rulebook's advice for two to four players (closed columns) and its rule for seven and eight
    (one 3-token less). `props`, `exotics` and `vip` put these cards into play.

    `mode` says who announces: the server as the rulebook's application; somebody neutral; somebody
    who bets before each race; or one player after the other. The announcer sits at `announcer_seat`
    (the last mode draws who begins), bets with `announcer_tokens`, and starts with
    `announcer_money` in the third mode. An announcer rolls at most every `roll_ms`; one who lets
    `announcer_ms` pass (null means five rolls) is rolled for. With `auto_roll` the server rolls
    all."""

    races: Annotated[int, Meta(ge=1, le=RACES)] = RACES
    roll_ms: Annotated[int, Meta(ge=50, le=60_000)] = 2_000
    pause_ms: Annotated[int, Meta(ge=0, le=PAUSE_MS_MAX)] | None = None
    think_ms: Annotated[int, Meta(ge=0, le=THINK_MS_MAX)] | None = None
    few_close_columns: bool = True
    many_drop_a_token: bool = True
    props: bool = True
    exotics: bool = True
    vip: bool = True
    mode: Mode = "app"
    announcer_seat: Annotated[int, Meta(ge=0, le=8)] = 0
    announcer_tokens: Annotated[tuple[AnnouncerToken, ...], Meta(max_length=10)] = ANNOUNCER_TOKENS
    announcer_money: Annotated[int, Meta(ge=0, le=100)] = ANNOUNCER_MONEY
    announcer_ms: Annotated[int, Meta(ge=0, le=THINK_MS_MAX)] | None = None
    auto_roll: bool = False

    @property
    def server_rolls(self) -> bool:
        """Whether the clock makes the start call and rolls."""
        return self.auto_roll or self.mode == "app"

    @property
    def absent_ms(self) -> int:
        """How long these options wait for an announcer whose dice are ready."""
        return (
            min(self.roll_ms * 5, THINK_MS_MAX) if self.announcer_ms is None else self.announcer_ms
        )

    @property
    def choose_ms(self) -> int:
        """The time to choose that these options give."""
        return min(self.roll_ms * 15, THINK_MS_MAX) if self.think_ms is None else self.think_ms

    @property
    def look_ms(self) -> int:
        """The pause that these options ask for."""
        return min(self.roll_ms * 5 // 2, PAUSE_MS_MAX) if self.pause_ms is None else self.pause_ms


class PlaceBet(Command, frozen=True):
    """Put one of your tokens, named by its value, on a free spot. `bonus` is the colour of a bonus
    token."""

    spot: Annotated[str, Meta(max_length=32)]
    token: int
    bonus: TokenColour | None = None


class KeepVip(Command, frozen=True):
    """Keep this one of the VIP cards that you were dealt. Nobody learns which until all have
    chosen."""

    card: Annotated[str, Meta(max_length=16)]


class SkipTokens(Command, frozen=True):
    """As the announcer, leave the tokens that you have not placed off the board in this race."""


class StartRace(Command, frozen=True):
    """As the announcer, make the start call."""


class RollDice(Command, frozen=True):
    """As the announcer, roll."""


class AnswerOffer(Command, frozen=True):
    """Announce the next race, or do not."""

    accept: bool


RaceCommand = PlaceBet | KeepVip | SkipTokens | StartRace | RollDice | AnswerOffer


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


class VipDealt(Event, frozen=True, kw_only=True):
    """The VIP cards that a seat may choose from after this race. For its eyes only."""

    race: int
    seat: Seat
    cards: tuple[VipCard, ...]


class VipChosen(Event, frozen=True, kw_only=True):
    """A seat has chosen; nobody else knows what."""

    race: int
    seat: Seat


class VipKept(Event, frozen=True, kw_only=True):
    """A seat shows the card it keeps to the end of the game; `by_default` if it did not choose in
    time."""

    race: int
    seat: Seat
    card: VipCard
    by_default: bool


class VipPaid(Event, frozen=True, kw_only=True):
    """A VIP card brought money to its owner, who holds `money` now."""

    race: int
    seat: Seat
    card: str
    amount: int
    money: int


class BonusTokenUsed(Event, frozen=True, kw_only=True):
    """This bet was made with the bonus token of its value and this colour."""

    bet: int
    colour: TokenColour


class AnnouncerNamed(Event, frozen=True, kw_only=True):
    """Who announces, from this race on until somebody else is named; not `volunteered` if chance or
    duty decided."""

    race: int
    seat: Seat
    volunteered: bool


class AnnouncerPaid(Event, frozen=True, kw_only=True):
    """The bank gives the announcer the money to start with, or makes up for VIP cards that sleep in
    this race."""

    race: int
    seat: Seat
    amount: int
    money: int


class AnnouncerAsked(Event, frozen=True, kw_only=True):
    """Will this seat announce the coming race?"""

    race: int
    seat: Seat


class OfferAnswered(Event, frozen=True, kw_only=True):
    """It will, or it will not; who lets the time pass will not."""

    race: int
    seat: Seat
    accept: bool


class TokensSkipped(Event, frozen=True, kw_only=True):
    """The announcer leaves these tokens off the board in this race."""

    race: int
    seat: Seat
    tokens: tuple[int, ...]


class DicePickedUp(Event, frozen=True, kw_only=True):
    """The announcer has the dice in hand again and may roll."""

    race: int
    roll: int


class RaceStarted(Event, frozen=True, kw_only=True):
    """They are off: from now on bets are taken."""

    race: int


class Rolled(Event, frozen=True, kw_only=True):
    """Roll `roll` of the race, `total` in sum, moved a horse to `position`, `bonus` spaces
    included. What an announcer would call out besides: `double` (two ones or two sixes) and
    `takes_lead` (the horse has just come to lead alone)."""

    race: int
    roll: int
    dice: tuple[int, int]
    total: int
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
    """The horse has reached the finish; all others stay where they are. Bets are closed, if they
    were not. `positions` are in the order of the lanes."""

    race: int
    roll: int
    horse: str
    positions: tuple[int, ...]
    podium: Podium


class MoneySettled(Event, frozen=True, kw_only=True):
    """What a race brought to a seat: all its gains, then its losses as far as they could be paid,
    and what it holds now."""

    race: int
    seat: Seat
    gained: int
    paid: int
    money: int


class GameEnded(Event, frozen=True, kw_only=True):
    """The last race is settled. `ranking` lists seats, best first, ties together; `scores` is money
    by seat."""

    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[int, ...]


RaceEvent = (
    PropsRevealed
    | ExoticRevealed
    | RacePrepared
    | RaceStarted
    | BetPlaced
    | BonusTokenUsed
    | Rolled
    | RedLineCrossed
    | BettingClosed
    | RaceFinished
    | BetSettled
    | MoneySettled
    | VipDealt
    | VipChosen
    | VipKept
    | VipPaid
    | AnnouncerNamed
    | AnnouncerPaid
    | AnnouncerAsked
    | OfferAnswered
    | TokensSkipped
    | DicePickedUp
    | GameEnded
)


class VipView(msgspec.Struct, frozen=True):
    """VIP cards as a viewer sees them. By seat: `kept` cards, `bonus_tokens` still in hand. During
    a draft `hand` is what the viewer was dealt, `chosen` what it has chosen, and `choosing` lists
    who has not yet."""

    kept: tuple[tuple[VipCard, ...], ...]
    bonus_tokens: tuple[tuple[BonusToken, ...], ...]
    hand: tuple[VipCard, ...] | None
    chosen: str | None
    choosing: tuple[Seat, ...]


class ReadySetBetView(View, frozen=True, kw_only=True):
    """The table as everyone sees it; only `seat` is the viewer's own (null for a spectator).

    `positions` follow `horses`; `tokens` (still in hand) are by seat; `bets` lie on the board until
    it is cleaned for the next race; `last_horse` moved last, for the `run`-th time in a row;
    `podium` is set from finish to next race; `spots` are those of the board and of the cards that
    lie face up; `vip` is null where no VIP cards are in play. Where somebody announces, `asked` may
    answer an offer, and with `dice_ready` the announcer may roll."""

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
    vip: VipView | None
    announcer: Seat | None
    asked: Seat | None
    dice_ready: bool
