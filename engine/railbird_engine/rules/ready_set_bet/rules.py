"""The course of a game of Ready Set Bet: four races, and bets while the horses run, first come,
first served."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import cache
from typing import Final, assert_never

from railbird_engine import (
    Alarm,
    Chance,
    Cue,
    Result,
    Rules,
    RuleViolation,
    Seat,
    VoidedBet,
    opening_purses,
    seat_purse,
)
from railbird_engine.rules.ready_set_bet.announcer import (
    answer_offer,
    come_back,
    get_ready,
    miss,
    name_first_announcer,
    offer_announcing,
    pay_announcer,
    require_roll,
    require_start_call,
    skip_tokens,
    take_dice,
    tokens_to_place,
)
from railbird_engine.rules.ready_set_bet.betting import place_bet, void_bet
from railbird_engine.rules.ready_set_bet.book import ReadySetBetBook, book_of
from railbird_engine.rules.ready_set_bet.bot import choose, cue
from railbird_engine.rules.ready_set_bet.commands import (
    AnswerOffer,
    GetReady,
    KeepVip,
    PlaceBet,
    RaceCommand,
    RollDice,
    SkipTokens,
    StartRace,
    TakeDice,
)
from railbird_engine.rules.ready_set_bet.data import PROPS_FACE_UP
from railbird_engine.rules.ready_set_bet.data.decks import BOX, Box
from railbird_engine.rules.ready_set_bet.events import (
    DicePickedUp,
    ExoticRevealed,
    GameEnded,
    PropsRevealed,
    RaceEvent,
    RacePrepared,
    RaceStarted,
)
from railbird_engine.rules.ready_set_bet.legal import legal_commands
from railbird_engine.rules.ready_set_bet.options import (
    GUIDE,
    SEATS_OF_MODE,
    Mode,
    ReadySetBetOptions,
)
from railbird_engine.rules.ready_set_bet.race import starting_course
from railbird_engine.rules.ready_set_bet.race_flow import roll_dice
from railbird_engine.rules.ready_set_bet.refusals import REFUSALS
from railbird_engine.rules.ready_set_bet.state import (
    OpenCards,
    RaceTurn,
    ReadySetBetState,
    VipState,
    is_absent,
    players,
    tokens_for_race,
)
from railbird_engine.rules.ready_set_bet.view import ReadySetBetView, public_view, seen_from
from railbird_engine.rules.ready_set_bet.vip import deal_vip, keep_vip, reveal_vip, still_choosing


class ReadySetBet(Rules[ReadySetBetOptions, ReadySetBetState, RaceCommand, RaceEvent]):
    """Real-time bets on horse races, in the rulebook's four modes."""

    slug = "ready_set_bet"
    title = {"en": "Ready Set Bet", "fr": "Ready Set Bet"}
    seats = range(2, 10)
    unit = "euro"
    demo_options = {"roll_ms": 150}
    version = 7
    options_guide = GUIDE
    steps_max = 2_000  # A horse is home after 155 rolls at most.
    sole_commands = {
        StartRace: "the announcer sets the pace (ruling 4.26)",
        RollDice: "the announcer sets the pace (ruling 4.26)",
    }
    refusals = frozenset(REFUSALS)
    example_options = (
        {},
        {"mode": "rotating_announcer", "races": 2},
        {"mode": "standard", "races": 1},
    )

    def __init__(self, box: Box = BOX) -> None:
        """Play with the decks of this box."""
        super().__init__()
        self.box: Final = box
        # A state never changes, and every seat looks at it, often more than once.
        self._shown: tuple[ReadySetBetState, ReadySetBetView] | None = None

    def edition(self, options: ReadySetBetOptions) -> str:
        return self.box.edition

    @property
    def editions(self) -> frozenset[str]:
        return frozenset({self.box.edition})

    # Set-up

    def setup(self, seats: int, options: ReadySetBetOptions) -> ReadySetBetState:
        """Rulebook, "Mise en place". Ruling 4.14: everyone starts with nothing."""
        _require_seats(options.mode, seats)
        return ReadySetBetState(
            purses=opening_purses(seats),
            options=options,
            seats=seats,
            race=0,
            phase="finished",
            awaited=0,
            missed=(0,) * seats,
            course=starting_course(),
            dice=None,
            podium=None,
            tokens=(),
            bets=(),
            bets_placed=0,
            cards=OpenCards((), tuple(self.box.props), (), tuple(self.box.exotics))
            if options.props or options.exotics
            else None,
            vip=VipState(
                deck=tuple(self.box.vip),
                discards=(),
                kept=((),) * seats,
                hands=((),) * seats,
                chosen=(None,) * seats,
                paid=(0,) * seats,
            )
            if options.vip
            else None,
        )

    def deal(self, turn: RaceTurn) -> None:
        _prepare_race(turn)
        name_first_announcer(turn)
        _renew_cards(turn, self.box)
        _open_paddock(turn)

    # The clock

    def alarm(self, state: ReadySetBetState) -> Alarm | None:
        """Return the next alarm of this phase. Ruling 4.26: without an announcer the server keeps
        the time."""
        if state.phase == "over":
            return None
        return Alarm(state.awaited, _delay(_limit_ms(state)))

    def tick(self, turn: RaceTurn) -> None:
        state = turn.state
        state.awaited += 1
        was_absent = is_absent(state)
        for seat in sorted(self.awaited(state)):
            miss(turn, seat)
        match state.phase:
            case "paddock":
                if tokens_to_place(state):
                    skip_tokens(turn, state.announcer)
                _start_race(turn)
            case "open" | "closed":
                if state.options.server_rolls or state.dice_ready or was_absent:
                    self._roll(turn)
                else:
                    state.dice_ready = True
                    turn.emit(DicePickedUp(race=state.race, roll=state.course.rolls))
            case "finished":
                self._clean_up(turn)
            case "draft":
                self._end_draft(turn)
            case "offer":
                assert state.asked is not None
                _answer(turn, state.asked, AnswerOffer(accept=False), by_default=True)
            case "over":
                raise AssertionError("a game that is over awaits no clock")
            case _:
                assert_never(state.phase)

    # Commands

    def play(self, turn: RaceTurn, seat: Seat, command: RaceCommand) -> None:
        state = turn.state
        if state.phase == "over":
            raise RuleViolation("game_over", races=state.race)
        was_absent = come_back(turn, seat)
        match command:
            case PlaceBet():
                place_bet(turn, self.box, seat, command)
            case KeepVip():
                self._keep_vip(turn, seat, command)
            case AnswerOffer():
                state.awaited += 1
                _answer(turn, seat, command)
            case SkipTokens():
                state.awaited += 1
                skip_tokens(turn, seat)
            case StartRace():
                state.awaited += 1
                require_start_call(state, seat)
                _start_race(turn)
            case RollDice():
                state.awaited += 1
                require_roll(state, seat)
                self._roll(turn)
            case TakeDice():
                state.awaited += 1
                take_dice(turn, seat, was_absent=was_absent)
            case GetReady():
                self._get_ready(turn, seat)
            case _:
                assert_never(command)

    def void_bet(self, turn: RaceTurn, bet: VoidedBet) -> int:
        return void_bet(turn, bet)

    def legal(self, state: ReadySetBetState, seat: Seat) -> Iterator[RaceCommand]:
        return legal_commands(state, self.box, seat)

    def awaited(self, state: ReadySetBetState) -> frozenset[Seat]:
        """The seats that choose a card, the one that is asked, or the announcer before a bet, the
        start call or a roll. While horses run, the game does not wait for bets."""
        if state.phase == "draft":
            return frozenset(still_choosing(state))
        if state.phase == "offer":
            assert state.asked is not None
            return frozenset({state.asked})
        calls = state.phase == "paddock" and not state.options.server_rolls
        is_needed = calls or state.dice_ready or bool(tokens_to_place(state))
        return frozenset({state.announcer} if is_needed and state.announcer is not None else ())

    # Views, book, bot and result

    def view(self, state: ReadySetBetState, viewer: Seat | None) -> ReadySetBetView:
        shown = self._shown
        if shown is None or shown[0] is not state:
            shown = self._shown = (state, public_view(state, self.box, self.result(state)))
        public = shown[1]
        return seen_from(viewer, public, state, self.box) if viewer is not None else public

    def book(self) -> ReadySetBetBook:
        return book_of(self.box)

    def bot(
        self, view: ReadySetBetView, legal: Iterable[RaceCommand], chance: Chance
    ) -> RaceCommand | None:
        return choose(view, chance)

    def bot_cue(self, state: ReadySetBetState, seat: Seat) -> Cue | None:
        return cue(state, self.box, seat)

    def result(self, state: ReadySetBetState) -> Result | None:
        return _ranking(state) if state.phase == "over" else None

    # The course of a game

    def _roll(self, turn: RaceTurn) -> None:
        state = turn.state
        state.dice_ready = False
        roll_dice(turn, self.box)
        if state.podium and state.race == state.options.races:
            _end_game(turn)

    def _get_ready(self, turn: RaceTurn, seat: Seat) -> None:
        if get_ready(turn, seat):
            turn.state.awaited += 1
            self._end_pause(turn)

    def _end_pause(self, turn: RaceTurn) -> None:
        if turn.state.phase == "finished":
            self._clean_up(turn)
        else:
            _start_race(turn)

    def _clean_up(self, turn: RaceTurn) -> None:
        """Prepare the next race (Rulebook, "Nettoyer le terrain"). Ruling 4.42: the board is
        cleared and the horses go back first, so all later cards belong to the next race."""
        _prepare_race(turn)
        _renew_cards(turn, self.box)
        if turn.state.vip:
            deal_vip(turn, self.box)
        else:
            _find_announcer(turn)

    def _keep_vip(self, turn: RaceTurn, seat: Seat, command: KeepVip) -> None:
        keep_vip(turn, seat, command)
        if not still_choosing(turn.state):
            turn.state.awaited += 1
            self._end_draft(turn)

    def _end_draft(self, turn: RaceTurn) -> None:
        reveal_vip(turn, self.box)
        _find_announcer(turn)


@cache
def _delay(ms: int) -> timedelta:
    return timedelta(milliseconds=ms)


def _require_seats(mode: Mode, seats: int) -> None:
    """Refuse a number of seats that does not fit the mode."""
    fitting = SEATS_OF_MODE[mode]
    if seats not in fitting:
        raise RuleViolation(
            "wrong_number_of_seats", seats=seats, least=fitting[0], most=fitting[-1], mode=mode
        )


def _find_announcer(turn: RaceTurn) -> None:
    """Find the announcer before the bank pays and before bets (ruling 4.39)."""
    if turn.state.options.mode == "rotating_announcer":
        offer_announcing(turn)
    if turn.state.asked is None:
        _open_paddock(turn)


def _answer(turn: RaceTurn, seat: Seat, command: AnswerOffer, *, by_default: bool = False) -> None:
    """Record an answer, and continue when there is an announcer."""
    answer_offer(turn, seat, command, by_default=by_default)
    if turn.state.asked is None:
        _open_paddock(turn)


def _open_paddock(turn: RaceTurn) -> None:
    """Open the last phase before the start call, in which an announcer may bet."""
    turn.state.phase = "paddock"
    pay_announcer(turn)


def _start_race(turn: RaceTurn) -> None:
    """Make the start call (Rulebook, "Lancer une course")."""
    turn.state.phase = "open"
    turn.state.ready = ()
    turn.emit(RaceStarted(race=turn.state.race))


def _prepare_race(turn: RaceTurn) -> None:
    """Clear the board, return tokens, and place the horses at the start (Rulebook, "Nettoyer le
    terrain")."""
    state = turn.state
    state.race += 1
    state.ready = ()
    state.bets = ()
    if state.vip is not None:
        state.vip.paid = (0,) * state.seats
    state.course = starting_course()
    state.dice = None
    state.podium = None
    state.tokens = tokens_for_race(state)
    turn.emit(RacePrepared(race=state.race))


def _renew_cards(turn: RaceTurn, box: Box) -> None:
    """Show five other prop bets and one more exotic finish (Rulebook, "Nettoyer le terrain").
    Ruling 4.13: the earlier exotics stay.

    Each card is drawn from all remaining cards, so no deck has a secret order."""
    state = turn.state
    cards, race = state.cards, state.race
    if cards and state.options.props:
        left = list(cards.props_left)
        cards.props = tuple([turn.chance.take(left) for _ in range(PROPS_FACE_UP)])
        cards.props_left = tuple(left)
        turn.emit(PropsRevealed(race=race, props=tuple(box.props[card] for card in cards.props)))
    if cards and state.options.exotics:
        left = list(cards.exotics_left)
        cards.exotics += (turn.chance.take(left),)
        cards.exotics_left = tuple(left)
        turn.emit(ExoticRevealed(race=race, exotic=box.exotics[cards.exotics[-1]]))


def _limit_ms(state: ReadySetBetState) -> int:
    """Return the time limit of this phase, in milliseconds."""
    options = state.options
    match state.phase:
        case "open" | "closed":
            return options.absent_ms if state.dice_ready else options.roll_ms
        case "paddock":
            if (options.server_rolls and not tokens_to_place(state)) or is_absent(state):
                return options.look_ms
            return options.choose_ms if tokens_to_place(state) else options.absent_ms
        case "finished" | "over":
            return options.look_ms
        case "draft" | "offer":
            return options.choose_ms
        case _:
            assert_never(state.phase)


def _end_game(turn: RaceTurn) -> None:
    """End the game. Ruling 4.38: the board stays as it is after the last race."""
    turn.state.phase = "over"
    result = _ranking(turn.state)
    turn.emit(GameEnded(ranking=result.ranking, scores=result.scores))


def _ranking(state: ReadySetBetState) -> Result:
    """Rulebook, "Fin de la partie": most money wins. Ruling 4.37: ties share the rank. A neutral
    announcer comes last."""
    scores = tuple(state.purses[seat_purse(seat)] for seat in range(state.seats))
    competing = players(state)
    ranking = [
        tuple(seat for seat in competing if scores[seat] == score)
        for score in sorted({scores[seat] for seat in competing}, reverse=True)
    ]
    if neutral := tuple(Seat(seat) for seat in range(state.seats) if seat not in competing):
        ranking.append(neutral)
    return Result(tuple(ranking), scores)
