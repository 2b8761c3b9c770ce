"""The contract of a game: rules turn a state, a command and chance into the next step."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import timedelta
from functools import wraps
from types import UnionType
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from railbird_engine.kernel.book import Book, OptionsGuide, Preset
from railbird_engine.kernel.chance import Chance, Draw, SeededChance
from railbird_engine.kernel.drafts import copier_of
from railbird_engine.kernel.events import BetVoided, Event, snake_case
from railbird_engine.kernel.money import AMOUNT_MAX, BANK, Purse, Seat, Transfer, seat_purse
from railbird_engine.kernel.server_commands import VoidedBet

BotLevel = Literal["casual", "regular", "expert"]
"""The strength of bots. A person who knows the rules is a match for `casual` bots and can beat
`regular` ones; each level beats the one below it."""


class RuleViolation(Exception):  # noqa: N818  (the word of every game)
    """A command was rejected and nothing changed.

    `code` is stable snake_case; `data` has the details that a client needs.
    """

    def __init__(self, code: str, **data: object) -> None:
        super().__init__(code)
        self.code = code
        self.data = data


ENGINE_REFUSALS: Final = frozenset(
    {"bet_not_voidable", "insufficient_funds", "not_at_the_table", "wrong_number_of_seats"}
)
"""All codes with which the engine itself rejects commands, in any game."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The host's choices before the game. Every field has a default and a bounded type."""


class NoOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a game without options."""


class Command(
    msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True
):
    """A request of a seat, in the imperative."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The visible part of the state for one seat or for spectators."""


class State(msgspec.Struct, kw_only=True):
    """The whole state of a game, as plain values that survive JSON and MessagePack unchanged.

    Sets are not allowed: their order differs between processes. `purses` sums to zero and changes
    only through `Turn.pay`. It holds one purse per seat, even where teams hold the money: these
    purses show the engine which seats the game has.
    """

    purses: dict[Purse, int]


class Alarm(msgspec.Struct, frozen=True):
    """A wait for the clock: a number that identifies it, and a delay.

    While the number stays the same, so does the due time; commands do not change it. A new number
    is due `after` the old due time if the clock answered, else `after` the commit that set it.
    """

    number: int
    after: timedelta


class Cue(msgspec.Struct, frozen=True):
    """A reason for a bot to act, and the least and most time from its appearance to the command.

    A cue with another `what` is a new one. Delays are drawn evenly, for each bot and decision.
    """

    what: Hashable
    least_ms: int
    most_ms: int

    def within(self, limit_s: float) -> "Cue":
        """Return the cue with delays of at most half of a time limit. 0 means no limit."""
        half_ms = round(limit_s * 500)
        if not limit_s or self.most_ms <= half_ms:
            return self
        return Cue(self.what, self.least_ms * half_ms // self.most_ms, half_ms)


_LOOKS_AGAIN: Final = Cue(None, 1_500, 4_000)


class Result(msgspec.Struct, frozen=True):
    """How a game ended: seats by rank, best first; tied seats share a rank."""

    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[int, ...]
    """One score per seat, in seat order."""


CoinFault = Literal["no_deadline", "collusion"]
"""The reasons for which a table cannot be played for coins."""

HOUR_S: Final = 3600
DAY_S: Final = 24 * HOUR_S

SLOW_LIMITS_S: Final = range(HOUR_S, 14 * DAY_S + 1)
"""The limits, in seconds, that a decision may have at a slow table."""


_PACES: Final = {
    12 * HOUR_S: {"en": "Twelve hours a decision", "fr": "Douze heures par décision"},
    DAY_S: {"en": "A day a decision", "fr": "Un jour par décision"},
    3 * DAY_S: {"en": "Three days a decision", "fr": "Trois jours par décision"},
    7 * DAY_S: {"en": "A week a decision", "fr": "Une semaine par décision"},
}

OptionsT = TypeVar("OptionsT", bound=Options)
StateT = TypeVar("StateT", bound=State)
CommandT = TypeVar("CommandT")
EventT = TypeVar("EventT", bound=Event)


class Step(msgspec.Struct, Generic[StateT], frozen=True):
    """The result of the rules: the new state, and its events, transfers and draws."""

    state: StateT
    events: tuple[Event, ...]
    transfers: tuple[Transfer, ...]
    draws: tuple[Draw, ...]


class Turn(Generic[StateT, EventT]):
    """A private draft of the state that a rule modifies. A rejection discards it."""

    def __init__(self, state: StateT, chance: Chance) -> None:
        self.state: StateT = state
        self.chance = chance
        self.events: list[Event] = []
        self.transfers: list[Transfer] = []

    def emit(self, event: EventT) -> None:
        """Record an event; its `only` names the seats that may read it."""
        self.events.append(event)

    def pay(self, source: Purse, target: Purse, amount: int, reason: str) -> None:
        """Move `amount` (above zero) between two purses that the game opened at its start.

        Raises RuleViolation `insufficient_funds` when the source, unless it is the bank, holds
        less."""
        assert 0 < amount <= AMOUNT_MAX, f"a transfer needs an amount above zero, not {amount}"
        assert source != target, f"{source} cannot pay itself"
        purses = self.state.purses
        held = purses[source]
        if source != BANK and held < amount:
            raise RuleViolation("insufficient_funds", purse=source, held=held, needed=amount)
        purses[source] = held - amount
        purses[target] += amount
        self.transfers.append(Transfer(source, target, amount, reason))

    def give_back(self, purse: Purse, amount: int) -> int:
        """Move `amount` from the bank to a purse for a voided bet, or back if it is below zero.

        A purse pays no more than it holds. Returns the amount that moved.
        """
        amount = max(amount, -self.state.purses[purse])
        if amount > 0:
            self.pay(BANK, purse, amount, "bet_void")
        elif amount < 0:
            self.pay(purse, BANK, -amount, "bet_void")
        return amount

    def step(self) -> Step[StateT]:
        """Return what was written, as a step."""
        return Step(self.state, tuple(self.events), tuple(self.transfers), tuple(self.chance.draws))


class Rules(ABC, Generic[OptionsT, StateT, CommandT, EventT]):
    """The immutable rules of one game: subclass it with the game's four types.

    `class MyGame(Rules[MyOptions, MyState, MyCommand, MyEvent])`, where the last two are unions of
    structs. `version` rises when a replay would differ. `unit` is what purses count (`euro`).
    """

    slug: ClassVar[str]
    title: ClassVar[Mapping[str, str]]
    seats: ClassVar[range]
    unit: ClassVar[str]
    version: ClassVar[int]
    legal_is_complete: ClassVar[bool] = True
    """Whether `legal` lists every command that would be accepted, or a fair sample of too many."""

    steps_max: ClassVar[int] = 10_000
    """The most steps of a game with any players: commits that set another alarm, or all commits
    while the clock is not set.
    """

    sole_commands: ClassVar[Mapping[type, str]] = {}
    """Types of commands for which the game waits although a seat has no other, with the reason:
    the players set the pace, or to act for the seat would tell what it hides.
    """

    refusals: ClassVar[frozenset[str]] = frozenset()
    """Every code of the game's own RuleViolations; clients receive the list."""

    demo_options: ClassVar[Mapping[str, Any] | None] = None
    """Options for a short game that a person watches. A game that has them may stand for any game:
    in the demonstration and in examples.
    """

    example_options: ClassVar[tuple[Mapping[str, Any], ...]] = ({},)
    """Options under which games show all commands and events, for the generated documentation."""

    hides_money: ClassVar[Mapping[str, Any] | None] = None
    """Options with which seats hide their money: the ledger of such a game opens when it ends."""

    limits: ClassVar[tuple[str, ...]] = ()
    """The options that limit a decision, in seconds. A table that is played over days needs a value
    of `SLOW_LIMITS_S` in each; a game without such options is played live only.
    """
    options_guide: ClassVar[OptionsGuide] = OptionsGuide()
    """Texts for a form of the options."""

    options_type: ClassVar[type[Options]]
    state_type: ClassVar[type[State]]
    command_type: ClassVar[Any]
    event_type: ClassVar[Any]

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        for base in getattr(cls, "__orig_bases__", ()):
            if get_origin(base) is Rules:
                cls.options_type, cls.state_type, cls.command_type, cls.event_type = get_args(base)
        for name in ("legal", "view"):
            if name in vars(cls):
                setattr(cls, name, _for_seats_of_the_game(vars(cls)[name]))

    def __init__(self) -> None:
        draft = copier_of(self.state_type)
        assert draft, "a state can be changed"
        self._draft: Callable[[StateT], StateT] = draft

    def start(self, seats: int, options: OptionsT, chance: Chance) -> Step[StateT]:
        """Return the first step of a game. Raises RuleViolation when the options do not fit."""
        if seats not in self.seats:
            raise RuleViolation(
                "wrong_number_of_seats", seats=seats, least=self.seats[0], most=self.seats[-1]
            )
        state = self.setup(seats, options)
        turn: Turn[StateT, EventT] = Turn(state, chance)
        self.deal(turn)
        return turn.step()

    def apply(self, state: StateT, seat: Seat, command: CommandT, chance: Chance) -> Step[StateT]:
        """Return what follows from a seat's command.

        Raises RuleViolation and leaves `state` unchanged when the command is refused.
        """
        _require_seat(state, seat)
        turn: Turn[StateT, EventT] = Turn(self._draft(state), chance)
        self.play(turn, seat, command)
        return turn.step()

    def advance(self, state: StateT, chance: Chance) -> Step[StateT]:
        """Return what follows when the clock answers the alarm of this state."""
        turn: Turn[StateT, EventT] = Turn(self._draft(state), chance)
        self.tick(turn)
        return turn.step()

    def void(self, state: StateT, bet: VoidedBet, chance: Chance) -> Step[StateT]:
        """Return what follows when the operator voids one bet. Raises RuleViolation."""
        turn: Turn[StateT, EventT] = Turn(self._draft(state), chance)
        returned = self.void_bet(turn, bet)
        turn.events.append(BetVoided(bet=bet.bet, payout=returned, reason=bet.reason))
        return turn.step()

    def presets(self) -> tuple[Preset, ...]:
        """Return sets of options that a host may choose by name: the paces of live tables, then
        those of slow ones."""
        slow = (
            Preset(title=title, options=dict.fromkeys(self.limits, limit_s), pace="slow")
            for limit_s, title in _PACES.items()
            if self.limits
        )
        return (*self.options_guide.presets, *slow)

    # Written by each game

    def edition(self, options: OptionsT) -> str:
        """Return the fingerprint (`edition_of`) of printed matter that a host may replace.

        It is empty for a game whose cards and boards are part of its rules. It is part of a game's
        genesis: a game continues, and is audited, only with the edition that it began with.
        """
        return ""

    @property
    def editions(self) -> frozenset[str]:
        """Every value that `edition` may return: the games that these rules can continue."""
        return frozenset({""})

    @abstractmethod
    def setup(self, seats: int, options: OptionsT) -> StateT:
        """Return the state before the first card, without luck and without money moved.

        Raises RuleViolation for options that clash.
        """

    def deal(self, turn: Turn[StateT, EventT]) -> None:
        """Deal the first cards and pay the first money."""

    @abstractmethod
    def play(self, turn: Turn[StateT, EventT], seat: Seat, command: CommandT) -> None:
        """Carry out a command, or raise RuleViolation."""

    def tick(self, turn: Turn[StateT, EventT]) -> None:
        """Answer the alarm. A game that never sets one is never asked."""
        raise AssertionError(f"{self.slug} set no alarm")

    def void_bet(self, turn: Turn[StateT, EventT], bet: VoidedBet) -> int:
        """Undo a bet, and return what went back to the seat (below zero: what it gave).

        An open bet is removed and never settled. For a settled bet, the money that its settlement
        moved goes back. This default suits games whose bets move money between seat and bank only
        when they are settled.
        """
        if bet.payout is None:
            raise RuleViolation("bet_not_voidable", bet=bet.bet)
        return turn.give_back(seat_purse(bet.seat), -bet.payout)

    def alarm(self, state: StateT) -> Alarm | None:
        """Return what is awaited from the clock, or None."""
        return None

    @abstractmethod
    def legal(self, state: StateT, seat: Seat) -> Iterable[CommandT]:
        """Return the commands that this seat may give now: all if they are few, else a fair sample.

        The engine raises RuleViolation `not_at_the_table` for a seat that the game does not have,
        here and in `view` and `apply`: the game's own code is called for its seats only.
        """

    @abstractmethod
    def awaited(self, state: StateT) -> frozenset[Seat]:
        """Return the seats without whose decision the game does not go on before the clock.

        It is empty where only the clock goes on, and after the end.
        """

    def is_form(self, command: CommandT) -> bool:
        """Whether a command that `legal` lists is a form, which the seat must fill in.

        A form says that such a command may be given without saying how: use it where a full list
        would play the game for its reader. The engine expects the rules to refuse the form itself.
        """
        return False

    @abstractmethod
    def view(self, state: StateT, viewer: Seat | None) -> msgspec.Struct:
        """Return what a seat, or a spectator (None), may see: the only filter of the state."""

    @abstractmethod
    def bot(
        self, view: Any, legal: Iterable[CommandT], chance: Chance
    ) -> CommandT | None:  # each game has its own view
        """Return a fair opponent's command, or None to wait.

        A bot sees only its view, and may iterate over `legal` once.
        """

    def bot_cue(self, state: StateT, seat: Seat) -> Cue | None:
        """Return what a bot in this seat reacts to, or None while it has nothing to do.

        When the cue changes, the bot decides on its view of that moment, and acts after the delay.
        By default a bot looks every few seconds, whatever happens.
        """
        return _LOOKS_AGAIN

    def book(self) -> Book:
        """Return what clients may show to anybody: cards, boards and words for events."""
        return Book()

    def unfit_for_coins(self, options: OptionsT) -> CoinFault | None:
        """Return why a table with these options cannot be played for coins, or None.

        `no_deadline`: a wait that no clock ends would lock the coins. `collusion`: seats can help
        one another to win. The default demands all `limits`, or without any a clock after the deal.
        """
        if self.limits:
            limits = (getattr(options, name) for name in self.limits)
            return None if all(limits) else "no_deadline"
        for seats in self.seats:
            try:
                state = self.start(seats, options, SeededChance(b"trial")).state
            except RuleViolation:
                continue
            return None if self.alarm(state) else "no_deadline"
        return None

    def teams(self, state: StateT) -> tuple[tuple[Seat, ...], ...] | None:
        """Return which seats play together, or None. Teams are public and fixed by `setup`."""
        return None

    def decides_for_team(self, command: CommandT) -> bool:
        """Whether this command ends what a team decides together.

        No bot gives such a command while there is a person in its team.
        """
        return False

    @abstractmethod
    def result(self, state: StateT) -> Result | None:
        """Return how the game ended, or None while it runs."""


AnyRules = Rules[Any, Any, Any, Any]
"""The rules of any game, where its types are not known."""


def _require_seat(state: State, seat: Seat) -> None:
    """Raises RuleViolation `not_at_the_table`. Every game opens one purse per seat."""
    if seat_purse(seat) not in state.purses:
        raise RuleViolation("not_at_the_table", seat=seat)


def _for_seats_of_the_game(written: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a game's `legal` or `view` so that it refuses a seat that the game does not have."""

    @wraps(written)
    def checked(rules: object, state: State, seat: Seat | None) -> Any:  # as the game declares
        if seat is not None:
            _require_seat(state, seat)
        return written(rules, state, seat)

    return checked


def edition_of(content: object) -> str:
    """Return the fingerprint of printed matter: SHA-256, in hex, of its content as JSON.

    Spaces and the order of a card's fields do not matter. The order of cards does, because draws
    depend on it.
    """
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()


def opening_purses(seats: int, *others: Purse) -> dict[Purse, int]:
    """Return empty purses: the bank, one per seat, and the others that the game names."""
    return {BANK: 0, **{seat_purse(seat): 0 for seat in range(seats)}, **dict.fromkeys(others, 0)}


def union_members(
    union: Any,
) -> tuple[type[msgspec.Struct], ...]:  # a type expression has no useful static type
    """Return the structs of a command or event type, which is a union or a single struct."""
    return (
        get_args(union) if isinstance(union, UnionType) or get_origin(union) is Union else (union,)
    )
