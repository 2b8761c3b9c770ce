"""The events of Ready Set Bet."""

from typing import Literal

from railbird_engine import BetPlaced, BetSettled, Event, Seat
from railbird_engine.rules.ready_set_bet.data import TokenColour
from railbird_engine.rules.ready_set_bet.data.cards import Exotic, Prop, VipCard
from railbird_engine.rules.ready_set_bet.race import Podium


class RacePrepared(Event, frozen=True, kw_only=True):
    """The board is cleared for race `race`: no bets, all tokens in hand, horses at the start. All
    cards, choices and offers that follow belong to this race."""

    race: int


class PropsRevealed(Event, frozen=True, kw_only=True):
    """These prop bets replace those of the previous race."""

    race: int
    props: tuple[Prop, ...]


class ExoticRevealed(Event, frozen=True, kw_only=True):
    """One more exotic finish lies face up, from this race to the last."""

    race: int
    exotic: Exotic


class VipDealt(Event, frozen=True, kw_only=True):
    """The VIP cards that a seat may choose from before this race. Only that seat receives this
    event."""

    race: int
    seat: Seat
    cards: tuple[VipCard, ...]


class VipChosen(Event, frozen=True, kw_only=True):
    """A seat has chosen a VIP card, which stays secret until all seats have chosen."""

    race: int
    seat: Seat


class VipKept(Event, frozen=True, kw_only=True):
    """A seat shows the card that it keeps to the end of the game. `by_default`: the seat did not
    choose in time."""

    race: int
    seat: Seat
    card: VipCard
    by_default: bool


class VipPaid(Event, frozen=True, kw_only=True):
    """The bank paid `amount` for a VIP card; the seat holds `money` now."""

    race: int
    seat: Seat
    card: str
    amount: int
    money: int


class BonusTokenUsed(Event, frozen=True, kw_only=True):
    """Bet `bet` was made with the bonus token of its value and this colour."""

    bet: int
    colour: TokenColour


class AnnouncerNamed(Event, frozen=True, kw_only=True):
    """This seat announces from this race on. `volunteered` is false if a draw or the rule
    decided."""

    race: int
    seat: Seat
    volunteered: bool


class AnnouncerPaid(Event, frozen=True, kw_only=True):
    """The bank paid the announcer `amount`: the starting money, or the compensation for VIP cards
    that an announcer cannot use."""

    race: int
    seat: Seat
    amount: int
    money: int


class AnnouncerAsked(Event, frozen=True, kw_only=True):
    """This seat is asked to announce the race."""

    race: int
    seat: Seat


class OfferAnswered(Event, frozen=True, kw_only=True):
    """A seat accepted or declined to announce. `by_default`: it did not answer, or is not asked
    because it has missed its last two decisions."""

    race: int
    seat: Seat
    accept: bool
    by_default: bool


class AnnouncerAbsent(Event, frozen=True, kw_only=True):
    """The announcer missed three decisions in a row, or was named after them: the server rolls
    until the announcer acts."""

    race: int
    seat: Seat


class AnnouncerReturned(Event, frozen=True, kw_only=True):
    """An announcer who was absent acts again."""

    race: int
    seat: Seat


class TokensSkipped(Event, frozen=True, kw_only=True):
    """The announcer leaves these tokens off the board in this race."""

    race: int
    seat: Seat
    tokens: tuple[int, ...]


class DicePickedUp(Event, frozen=True, kw_only=True):
    """The announcer may roll; `roll` counts the rolls made so far in this race."""

    race: int
    roll: int


class GotReady(Event, frozen=True, kw_only=True):
    """A seat is ready before the pause ends: it ends at once when all seats are."""

    race: int
    seat: Seat


class RaceStarted(Event, frozen=True, kw_only=True):
    """The horses are off; bets are open."""

    race: int


class Rolled(Event, frozen=True, kw_only=True):
    """Roll number `roll` of the race, with the sum `total`, moved a horse to `position`; `bonus`
    spaces are its bonus, which ends on the finish. `double` is 1 or 6 for two ones or two sixes,
    else null. `takes_lead`: the horse has just taken the sole lead."""

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
    """A horse crossed the red line; `crossed` horses have done so in this race."""

    race: int
    horse: str
    crossed: int


class BettingClosed(Event, frozen=True, kw_only=True):
    """The third horse crossed the red line; bets are closed."""

    race: int
    roll: int


class RaceFinished(Event, frozen=True, kw_only=True):
    """A horse reached the finish; the others stay where they are, and bets are closed. `positions`
    are in the order of the lanes."""

    race: int
    roll: int
    horse: str
    positions: tuple[int, ...]
    podium: Podium


class MoneySettled(Event, frozen=True, kw_only=True):
    """The result of the race for a seat: `gained` in full, `paid` as far as its money went, and the
    `money` that it holds now."""

    race: int
    seat: Seat
    gained: int
    paid: int
    money: int


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over. `ranking` lists seats, best first, ties together; `scores` is the money by
    seat."""

    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[int, ...]


RaceEvent = (
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
)
