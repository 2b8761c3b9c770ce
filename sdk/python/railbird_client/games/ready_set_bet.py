"""Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from railbird_client.types import GameTypes, Unknown, one_of


class AllMoved(Struct, kw_only=True, tag_field="type", tag="all_moved"):
    """Every horse has moved at least `spaces`."""

    spaces: int


class AnnouncerAbsent(Struct, kw_only=True, tag_field="type", tag="announcer_absent"):
    """
    The announcer missed three decisions in a row, or was named after them: the server rolls
    until the announcer acts.
    """

    race: int
    seat: int
    only: list[int] | None = None


class AnnouncerAsked(Struct, kw_only=True, tag_field="type", tag="announcer_asked"):
    """This seat is asked to announce the race."""

    race: int
    seat: int
    only: list[int] | None = None


class AnnouncerNamed(Struct, kw_only=True, tag_field="type", tag="announcer_named"):
    """
    This seat announces from this race on. `volunteered` is false if a draw or the rule
    decided.
    """

    race: int
    seat: int
    volunteered: bool
    only: list[int] | None = None


class AnnouncerPaid(Struct, kw_only=True, tag_field="type", tag="announcer_paid"):
    """
    The bank paid the announcer `amount`: the starting money, or the compensation for VIP cards
    that an announcer cannot use.
    """

    race: int
    seat: int
    amount: int
    money: int
    only: list[int] | None = None


class AnnouncerReturned(Struct, kw_only=True, tag_field="type", tag="announcer_returned"):
    """An announcer who was absent acts again."""

    race: int
    seat: int
    only: list[int] | None = None


class AnswerOffer(Struct, kw_only=True, tag_field="type", tag="answer_offer"):
    """Accept or decline the offer to announce the next race."""

    accept: bool


class Bet(Struct, kw_only=True):
    """
    A token on a spot. `bet` numbers the bets of the game from 1; `bonus` is the colour of a
    bonus token. `outcome` and `payout` are set when the race is settled; a payout above zero
    goes to the seat, below zero to the bank.
    """

    bet: int
    seat: int
    spot: str
    token: int
    bonus: str | None = None
    outcome: str | None = None
    payout: int | None = None


class BetPlaced(Struct, kw_only=True, tag_field="type", tag="bet_placed"):
    """A seat placed a bet. `bet` numbers the bets of a game from 1; `odds` are as shown."""

    bet: int
    seat: int
    spot: str
    stake: int
    odds: str
    only: list[int] | None = None


class BetSettled(Struct, kw_only=True, tag_field="type", tag="bet_settled"):
    """
    A bet was settled. `seat` and `spot` repeat its `bet_placed`.

    `payout` is what the settlement moved: above zero to the seat, below zero from it.
    """

    bet: int
    seat: int
    spot: str
    outcome: str
    payout: int
    only: list[int] | None = None


class BetVoided(Struct, kw_only=True, tag_field="type", tag="bet_voided"):
    """A bet was voided; `payout` is what went back to the seat."""

    bet: int
    payout: int
    reason: str
    only: list[int] | None = None


class BettingClosed(Struct, kw_only=True, tag_field="type", tag="betting_closed"):
    """The third horse crossed the red line; bets are closed."""

    race: int
    roll: int
    only: list[int] | None = None


class BonusToken(Struct, kw_only=True, tag_field="type", tag="bonus_token"):
    """
    One more token. A lost bet with it costs `loss` on top of the spot's loss, or nothing at all
    if it cancels the spot's loss.
    """

    colour: str
    value: int
    loss: int
    cancels_spot_loss: bool


class BonusTokenUsed(Struct, kw_only=True, tag_field="type", tag="bonus_token_used"):
    """Bet `bet` was made with the bonus token of its value and this colour."""

    bet: int
    colour: str
    only: list[int] | None = None


class Call(Struct, kw_only=True):
    """
    A sentence for events of type `event` whose fields have one of the values in `where`.

    `where` lists allowed values by field; an absent field may have any value. `key` is stable, for
    clients with words or sounds of their own.

    Braces hold a field of the event, or a path of fields with dots. Clients replace them: a text by
    its words in the language, a seat by the name of the player (`seat_fields` of the book lists the
    fields that hold seats), a value by its name in the book's `names` (by field), a list by its
    items with commas (an empty one by a dash), and anything else by itself. Lists of the fields in
    `by_seat` have an item for each seat: clients put the name of the player before it.
    """

    en: str
    fr: str
    key: str
    event: str
    where: dict[str, list[bool | int | str | None]] = field(default_factory=dict)


class DiceIncome(Struct, kw_only=True, tag_field="type", tag="dice_income"):
    """Money from the bank at each such roll of a race, also after bets are closed."""

    on: list[str]
    amount: int


class DicePickedUp(Struct, kw_only=True, tag_field="type", tag="dice_picked_up"):
    """The announcer may roll; `roll` counts the rolls made so far in this race."""

    race: int
    roll: int
    only: list[int] | None = None


class FreeChips(Struct, kw_only=True, tag_field="type", tag="free_chips"):
    """Money from the bank, once, when the card is kept."""

    amount: int


class GameEnded(Struct, kw_only=True, tag_field="type", tag="game_ended"):
    """
    The game is over. `ranking` lists seats, best first, ties together; `scores` is the money by
    seat.
    """

    ranking: list[list[int]]
    scores: list[int]
    only: list[int] | None = None


class GetReady(Struct, kw_only=True, tag_field="type", tag="get_ready"):
    """Be ready before the pause ends: it ends at once when all seats are."""


class GotReady(Struct, kw_only=True, tag_field="type", tag="got_ready"):
    """A seat is ready before the pause ends: it ends at once when all seats are."""

    race: int
    seat: int
    only: list[int] | None = None


class Insurance(Struct, kw_only=True, tag_field="type", tag="insurance"):
    """Lost bets cost nothing."""


class Intervened(Struct, kw_only=True, tag_field="type", tag="intervened"):
    """
    An operator or the server intervened in this game, for this reason.

    `by` is the operator's opaque id; null for the server itself.
    """

    by: str | None
    reason: str
    only: list[int] | None = None


class KeepVip(Struct, kw_only=True, tag_field="type", tag="keep_vip"):
    """
    Keep one of the VIP cards that you were dealt. It stays secret until all seats have
    chosen.
    """

    card: str


class LateBet(Struct, kw_only=True, tag_field="type", tag="late_bet"):
    """Tokens of this value may be placed after the closing, until the finish."""

    token: int


class MoneySettled(Struct, kw_only=True, tag_field="type", tag="money_settled"):
    """
    The result of the race for a seat: `gained` in full, `paid` as far as its money went, and the
    `money` that it holds now.
    """

    race: int
    seat: int
    gained: int
    paid: int
    money: int
    only: list[int] | None = None


class Odds(Struct, kw_only=True):
    """Multiplier and loss of one spot."""

    gain: int
    loss: int


class OfferAnswered(Struct, kw_only=True, tag_field="type", tag="offer_answered"):
    """
    A seat accepted or declined to announce. `by_default`: it did not answer, or is not asked
    because it has missed its last two decisions.
    """

    race: int
    seat: int
    accept: bool
    by_default: bool
    only: list[int] | None = None


class Overlay(Struct, kw_only=True, tag_field="type", tag="overlay"):
    """Tokens of this value may join exactly one token of another player."""

    token: int


class Place(Struct, kw_only=True):
    """A rectangle on the board; `x` and `y` are its upper left corner."""

    x: int
    y: int
    width: int
    height: int


class PlaceBet(Struct, kw_only=True, tag_field="type", tag="place_bet"):
    """
    Put one of your tokens, named by its value, on a free spot. `bonus` is the colour of a bonus
    token.
    """

    spot: str
    token: int
    bonus: Literal["black", "white"] | None = None


class Podium(Struct, kw_only=True):
    """
    The horses that won, placed and showed. The winner also places, and a horse that places also
    shows.
    """

    win: list[str]
    place: list[str]
    show: list[str]


class PropBoost(Struct, kw_only=True, tag_field="type", tag="prop_boost"):
    """Won prop bets multiply by `gain` more."""

    gain: int


class RaceFinished(Struct, kw_only=True, tag_field="type", tag="race_finished"):
    """
    A horse reached the finish; the others stay where they are, and bets are closed. `positions`
    are in the order of the lanes.
    """

    race: int
    roll: int
    horse: str
    positions: list[int]
    podium: Podium
    only: list[int] | None = None


class RacePrepared(Struct, kw_only=True, tag_field="type", tag="race_prepared"):
    """
    The board is cleared for race `race`: no bets, all tokens in hand, horses at the start. All
    cards, choices and offers that follow belong to this race.
    """

    race: int
    only: list[int] | None = None


class RaceStarted(Struct, kw_only=True, tag_field="type", tag="race_started"):
    """The horses are off; bets are open."""

    race: int
    only: list[int] | None = None


class ReadySetBetOptions(Struct, kw_only=True):
    """
    Times are in milliseconds. `roll_ms`: the time between two rolls. `pause_ms`: the pause
    before the start call and after the finish; null means two and a half rolls. `think_ms`: the
    time for a choice (a VIP card, each of the announcer's tokens, an offer to announce); null means
    fifteen rolls.

    `few_close_columns` closes columns of the board for two to four active players, as the rulebook
    advises. `many_drop_a_token` takes one 3-token from each of seven or eight active players, as
    the rulebook demands. `props`, `exotics` and `vip` put these cards into play.

    `mode` names the announcer: the server (`app`), a player who does not compete (`standard`), a
    player who bets before each race (`betting_announcer`), or one player after the other
    (`rotating_announcer`). The announcer sits at `announcer_seat`, or is drawn by lot in the last
    mode and with `announcer_by_lot`, bets with the six `announcer_tokens`, and starts with
    `announcer_money` in the third mode. The announcer may roll once every `roll_ms`; after
    `announcer_ms` without a roll (null means five rolls) the server rolls, and after three missed
    decisions it announces without waiting until the announcer acts. With `auto_roll` the server
    makes every roll.
    """

    races: int = 4
    roll_ms: int = 2000
    pause_ms: int | None = None
    think_ms: int | None = None
    few_close_columns: bool = True
    many_drop_a_token: bool = True
    props: bool = True
    exotics: bool = True
    vip: bool = True
    mode: str = "app"
    announcer_seat: int = 0
    announcer_by_lot: bool = False
    announcer_tokens: list[int] = field(default_factory=lambda: [3, 4, 4, 5, 5, 7])
    announcer_money: int = 18
    announcer_ms: int | None = None
    auto_roll: bool = False
    bots: str = "casual"


Dice: TypeAlias = tuple[int, int]


class RedLineCrossed(Struct, kw_only=True, tag_field="type", tag="red_line_crossed"):
    """A horse crossed the red line; `crossed` horses have done so in this race."""

    race: int
    horse: str
    crossed: int
    only: list[int] | None = None


class RollDice(Struct, kw_only=True, tag_field="type", tag="roll_dice"):
    """Roll the dice (announcer only)."""


class Rolled(Struct, kw_only=True, tag_field="type", tag="rolled"):
    """
    Roll number `roll` of the race, with the sum `total`, moved a horse to `position`; `bonus`
    spaces are its bonus, which ends on the finish. `double` is 1 or 6 for two ones or two sixes,
    else null. `takes_lead`: the horse has just taken the sole lead.
    """

    race: int
    roll: int
    dice: tuple[int, int]
    total: int
    horse: str
    bonus: int
    position: int
    double: int | None
    takes_lead: bool
    only: list[int] | None = None


class SecondBehind(Struct, kw_only=True, tag_field="type", tag="second_behind"):
    """The second horse is at least `spaces` behind the winner."""

    spaces: int


class SecondWithin(Struct, kw_only=True, tag_field="type", tag="second_within"):
    """The second horse is at most `spaces` behind the winner."""

    spaces: int


class SkipTokens(Struct, kw_only=True, tag_field="type", tag="skip_tokens"):
    """Leave your unplaced tokens off the board in this race (announcer only)."""


class Spot(Struct, kw_only=True):
    """
    A space that holds one token. A won bet pays `gain` times the token; a lost bet costs `loss`.

    `spot` is its name: `win:2/3:r` (kind, horse, side) in the grid, `colour:blue`, and `prop:P01`
    or `exotic:E1:l` on cards. `column` is set in the grid, `card` on a card.
    """

    spot: str
    kind: str
    horse: str | None
    colour: str | None
    column: str | None
    gain: int
    loss: int
    card: str | None = None


class StartRace(Struct, kw_only=True, tag_field="type", tag="start_race"):
    """Make the start call (announcer only)."""


class Stragglers(Struct, kw_only=True, tag_field="type", tag="stragglers"):
    """At least `horses` have moved at most `spaces`."""

    horses: int
    spaces: int


class TakeDice(Struct, kw_only=True, tag_field="type", tag="take_dice"):
    """Take the dice again, while the server rolls for you (announcer only)."""


class Text(Struct, kw_only=True):
    """A text for players, in English and French."""

    en: str
    fr: str


class ThirdWithin(Struct, kw_only=True, tag_field="type", tag="third_within"):
    """The third horse is at most `spaces` behind the winner."""

    spaces: int


class TokensSkipped(Struct, kw_only=True, tag_field="type", tag="tokens_skipped"):
    """The announcer leaves these tokens off the board in this race."""

    race: int
    seat: int
    tokens: list[int]
    only: list[int] | None = None


class Track(Struct, kw_only=True):
    """
    Horses start at 0 and run to `finish`. The red line is before space `red_line`; the
    `crossings_to_close`-th horse that crosses it closes the bets.
    """

    finish: int
    red_line: int
    crossings_to_close: int


class Twin(Struct, kw_only=True, tag_field="type", tag="twin"):
    """Money once per race, if two bets with tokens of these values win."""

    tokens: tuple[int, int]
    reward: int


class VipCard(Struct, kw_only=True):
    """A VIP card."""

    card: str
    title: Text
    text: Text
    effect: VipCardEffect | Unknown | Any

    def __post_init__(self) -> None:
        self.effect = one_of(self.effect, VipCardEffect)


class VipChosen(Struct, kw_only=True, tag_field="type", tag="vip_chosen"):
    """A seat has chosen a VIP card, which stays secret until all seats have chosen."""

    race: int
    seat: int
    only: list[int] | None = None


class VipDealt(Struct, kw_only=True, tag_field="type", tag="vip_dealt"):
    """
    The VIP cards that a seat may choose from before this race. Only that seat receives this
    event.
    """

    race: int
    seat: int
    cards: list[VipCard]
    only: list[int] | None = None


class VipKept(Struct, kw_only=True, tag_field="type", tag="vip_kept"):
    """
    A seat shows the card that it keeps to the end of the game. `by_default`: the seat did not
    choose in time.
    """

    race: int
    seat: int
    card: VipCard
    by_default: bool
    only: list[int] | None = None


class VipPaid(Struct, kw_only=True, tag_field="type", tag="vip_paid"):
    """The bank paid `amount` for a VIP card; the seat holds `money` now."""

    race: int
    seat: int
    card: str
    amount: int
    money: int
    only: list[int] | None = None


class VipView(Struct, kw_only=True):
    """
    VIP cards as a viewer sees them. By seat: the cards `kept`, and the `bonus_tokens` still in
    hand, and the money that the cards have `paid` in this race. During a draft, `hand` is what the
    viewer was dealt, `chosen` what it has chosen, and `choosing` lists the seats that have not
    chosen yet.
    """

    kept: list[list[VipCard]]
    bonus_tokens: list[list[BonusToken]]
    paid: list[int]
    hand: list[VipCard] | None
    chosen: str | None
    choosing: list[int]


Command: TypeAlias = (
    PlaceBet | KeepVip | SkipTokens | StartRace | RollDice | TakeDice | AnswerOffer | GetReady
)


Options: TypeAlias = ReadySetBetOptions


ExoticCondition: TypeAlias = SecondWithin | SecondBehind | ThirdWithin | AllMoved | Stragglers


VipCardEffect: TypeAlias = (
    BonusToken | FreeChips | DiceIncome | Overlay | LateBet | Twin | Insurance | PropBoost
)


class Exotic(Struct, kw_only=True):
    """
    An exotic finish, with three spots. Ruling 4.12: they are equal in the box; another deck may
    differ.
    """

    card: str
    title: Text
    text: Text
    condition: ExoticCondition | Unknown | Any
    spots: tuple[Odds, Odds, Odds]

    def __post_init__(self) -> None:
        self.condition = one_of(self.condition, ExoticCondition)


class ExoticRevealed(Struct, kw_only=True, tag_field="type", tag="exotic_revealed"):
    """One more exotic finish lies face up, from this race to the last."""

    race: int
    exotic: Exotic
    only: list[int] | None = None


class Horse(Struct, kw_only=True):
    """
    One lane of the track. `horse` is the number printed on it, `sums` the rolls that move it,
    `bonus` the spaces that it gains at every second roll in a row.
    """

    horse: str
    sums: list[int]
    colour: str
    bonus: int
    name: Text


class Layout(Struct, kw_only=True):
    """
    The board as a grid of `width` by `height` units. `spots` has the places of the spots, by
    name. `rows` has the places of the horses' names, by horse, where result markers lie as well.
    `props` has the places of prop bets, from left to right, and `exotics` those of exotic finishes,
    one for each race; the three spots of a card are side by side. `decks` has the places of the
    decks `props`, `exotics` and `vip`.
    """

    width: int
    height: int
    spots: dict[str, Place]
    rows: dict[str, Place]
    props: list[Place]
    exotics: list[Place]
    decks: dict[str, Place]


class Passage(Struct, kw_only=True):
    """A titled text of a guide."""

    title: Text
    text: Text


class Prop(Struct, kw_only=True):
    """A prop bet: `front` ends the race strictly ahead of every horse in `behind`."""

    card: str
    title: Text
    front: str
    behind: list[str]
    gain: int
    loss: int


class PropsRevealed(Struct, kw_only=True, tag_field="type", tag="props_revealed"):
    """These prop bets replace those of the previous race."""

    race: int
    props: list[Prop]
    only: list[int] | None = None


class ReadySetBetView(Struct, kw_only=True):
    """
    A game as one viewer sees it; `seat` is the viewer's own (null for a spectator).

    `positions` are in the order of `horses`. `tokens` are those in hand, by seat. `bets` lie on the
    board until the next race is prepared; once their race is settled, each has its outcome and
    payout. `last_horse` moved last, for the `run`-th time in a row. `podium` is set from the finish
    until the next race is prepared. `spots` are those of the board and of the cards that lie face
    up. `vip` is null without VIP cards. `asked` may answer an offer to announce, and with
    `dice_ready` the announcer may roll. `announcer_absent`: the server rolls until the announcer
    acts. `ready`: the seats that want this pause to end; null when there is none.
    `came_true`: the prop bets and exotic finishes that won, from the finish on.
    """

    seat: int | None
    options: ReadySetBetOptions
    phase: str
    race: int
    roll: int
    dice: Dice | None
    positions: list[int]
    last_horse: str | None
    run: int
    crossed: int
    podium: Podium | None
    bets: list[Bet]
    tokens: list[list[int]]
    purses: dict[str, int]
    closed_columns: list[str]
    ranking: list[list[int]] | None
    horses: list[Horse]
    spots: list[Spot]
    props: list[Prop]
    exotics: list[Exotic]
    vip: VipView | None
    announcer: int | None
    asked: int | None
    dice_ready: bool
    announcer_absent: bool
    ready: list[int] | None
    came_true: list[str]


class SeatColour(Struct, kw_only=True):
    """The colour of a seat's pieces; `hex` is the colour as CSS writes it."""

    name: Text
    hex: str


Event: TypeAlias = (
    RacePrepared
    | PropsRevealed
    | ExoticRevealed
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
    | AnnouncerAbsent
    | AnnouncerReturned
    | TokensSkipped
    | DicePickedUp
    | GotReady
    | GameEnded
    | BetVoided
    | Intervened
)


View: TypeAlias = ReadySetBetView


class Guide(Struct, kw_only=True):
    """
    Texts for a person who has never played this game.

    `summary` is one sentence, `minutes` a usual game with people, `weight` goes from 1 (light) to
    5 (heavy), and `liked_by` says who likes the game. `cards` are five passages to read in a minute
    before the first decision. `rules` are all rules, and `terms` explain symbols, cards and words
    where they are met; their keys are stable.
    """

    summary: Text
    minutes: int
    weight: int
    liked_by: Text
    cards: list[Passage]
    rules: list[Passage]
    terms: dict[str, Passage]


class ReadySetBetBook(Struct, kw_only=True):
    """
    The `track`; its `horses`, lane by lane; the betting board: its `spots` and their `layout`;
    `closed_columns` by the number of active players; all cards.
    """

    track: Track
    horses: list[Horse]
    spots: list[Spot]
    layout: Layout
    closed_columns: dict[str, list[str]]
    props: list[Prop]
    exotics: list[Exotic]
    vip: list[VipCard]
    names: dict[str, dict[str, Text]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    seat_fields: list[str] = field(default_factory=lambda: ["seat"])
    by_seat: list[str] = field(default_factory=list)
    refusals: dict[str, Text] = field(default_factory=dict)
    seat_colours: list[SeatColour] = field(default_factory=list)
    guide: Guide | None = None


Book: TypeAlias = ReadySetBetBook

TYPES: GameTypes[Command, Event, View] = GameTypes(
    "ready_set_bet", command=Command, event=Event, view=View
)
"""The types of this game, for `Client.table`."""
