"""Ready Set Bet: the course of a game. Four races; while the horses run, everyone bets, first come, first served."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final, assert_never

from games.engine import Alarm, Chance, Result, Rules, RuleViolation, Seat, seat_purse
from games.engine.contract import opening_purses
from games.rules.ready_set_bet.betting import legal_bets, place_bet
from games.rules.ready_set_bet.board import SPOTS
from games.rules.ready_set_bet.bot import choose_bet
from games.rules.ready_set_bet.cards import BOX, Box
from games.rules.ready_set_bet.data import CROWD, HORSES, PROPS_FACE_UP, TOKENS, TOKENS_OF_A_CROWD
from games.rules.ready_set_bet.messages import (
    ExoticRevealed,
    GameEnded,
    PlaceBet,
    PropsRevealed,
    RaceEvent,
    RacePrepared,
    RaceStarted,
    ReadySetBetOptions,
    ReadySetBetView,
)
from games.rules.ready_set_bet.race import starting_course
from games.rules.ready_set_bet.running import roll_dice
from games.rules.ready_set_bet.table import OpenCards, ReadySetBetState, Table, card_spots, closed_columns


class ReadySetBet(Rules[ReadySetBetOptions, ReadySetBetState, PlaceBet, RaceEvent]):
    """Real-time bets on horse races, with the server as the rulebook's application: it rolls, nobody announces."""

    slug = "ready_set_bet"
    title = {"en": "Ready Set Bet", "fr": "Ready Set Bet"}
    seats = range(2, 9)
    unit = "euro"
    version = 2

    def __init__(self, box: Box = BOX) -> None:
        """The game with these decks."""
        super().__init__()
        self.box: Final = box

    # Set-up

    def setup(self, seats: int, options: ReadySetBetOptions) -> ReadySetBetState:
        """Rulebook, "Mise en place". Ruling 4.14: everyone starts with nothing."""
        _refuse_the_full_box(options)
        return ReadySetBetState(
            purses=opening_purses(seats),
            options=options,
            seats=seats,
            race=0,
            phase="finished",
            awaited=0,
            course=starting_course(),
            dice=None,
            podium=None,
            tokens=(),
            bets=(),
            bets_placed=0,
            cards=OpenCards([], [*self.box.props] if options.props else [], [], [*self.box.exotics] if options.exotics else [])
            if options.props or options.exotics
            else None,
        )

    def deal(self, turn: Table) -> None:
        _renew_cards(turn, self.box)
        _prepare_race(turn)

    # The clock

    def alarm(self, state: ReadySetBetState) -> Alarm | None:
        """A roll while the horses run, else the end of a pause. Ruling 4.26: the server keeps the time."""
        if state.phase == "over":
            return None
        running = state.phase in ("open", "closed")
        after_ms = state.options.roll_ms if running else state.options.look_ms
        return Alarm(state.awaited, timedelta(milliseconds=after_ms))

    def tick(self, turn: Table) -> None:
        state = turn.state
        state.awaited += 1
        match state.phase:
            case "paddock":
                state.phase = "open"
                turn.emit(RaceStarted(race=state.race))
            case "open" | "closed":
                roll_dice(turn, self.box)
                if state.podium and state.race == state.options.races:
                    _end_game(turn)
            case "finished":
                _renew_cards(turn, self.box)
                _prepare_race(turn)
            case "over":
                raise AssertionError("a game that is over awaits no clock")
            case _:
                assert_never(state.phase)

    # Bets

    def play(self, turn: Table, seat: Seat, command: PlaceBet) -> None:
        """Rulebook, "Placer des paris": no turns, one token per spot, and what lies there stays. Ruling 4.7: the order in
        which commands arrive decides.
        """
        if not 0 <= seat < turn.state.seats:
            raise RuleViolation("not_at_this_table", seat=seat, seats=turn.state.seats)
        place_bet(turn, self.box, seat, command)

    def legal(self, state: ReadySetBetState, seat: Seat) -> Iterator[PlaceBet]:
        if 0 <= seat < state.seats:
            yield from legal_bets(state, self.box, seat)

    # What others learn

    def view(self, state: ReadySetBetState, viewer: Seat | None) -> ReadySetBetView:
        """Everything: this game has no secrets."""
        course, cards = state.course, state.cards
        result = self.result(state)
        return ReadySetBetView(
            seat=viewer,
            options=state.options,
            phase=state.phase,
            race=state.race,
            roll=course.rolls,
            dice=state.dice,
            positions=tuple(course.positions),
            last_horse=None if course.lane is None else HORSES[course.lane].horse,
            run=course.run,
            crossed=course.crossed,
            podium=state.podium,
            bets=state.bets,
            tokens=state.tokens,
            purses=state.purses,
            closed_columns=closed_columns(state),
            ranking=result.ranking if result else None,
            horses=HORSES,
            spots=SPOTS + card_spots(state, self.box),
            props=tuple(self.box.props[card] for card in cards.props) if cards else (),
            exotics=tuple(self.box.exotics[card] for card in cards.exotics) if cards else (),
        )

    def bot(self, view: ReadySetBetView, legal: Iterable[PlaceBet], chance: Chance) -> PlaceBet | None:
        return choose_bet(view, chance)

    def result(self, state: ReadySetBetState) -> Result | None:
        return _ranking(state) if state.phase == "over" else None


def _refuse_the_full_box(options: ReadySetBetOptions) -> None:
    if options.vip:
        raise RuleViolation("not_yet_available", option="vip")
    if options.mode != "app":
        raise RuleViolation("not_yet_available", option="mode", mode=options.mode)


def _renew_cards(turn: Table, box: Box) -> None:
    """Rulebook, "Nettoyer le terrain": five other prop bets, and one more exotic finish. Ruling 4.13: the earlier ones stay.

    A card is drawn from all that remain, so no deck has an order that somebody could know.
    """
    state = turn.state
    state.bets = ()
    cards, race = state.cards, state.race + 1
    if cards and state.options.props:
        cards.props = [turn.chance.take(cards.props_left) for _ in range(PROPS_FACE_UP)]
        turn.emit(PropsRevealed(race=race, props=tuple(box.props[card] for card in cards.props)))
    if cards and state.options.exotics:
        cards.exotics.append(turn.chance.take(cards.exotics_left))
        turn.emit(ExoticRevealed(race=race, exotic=box.exotics[cards.exotics[-1]]))


def _prepare_race(turn: Table) -> None:
    """Rulebook, "Nettoyer le terrain": horses to the start, tokens to their owners."""
    state = turn.state
    state.race += 1
    state.phase = "paddock"
    state.course = starting_course()
    state.dice = None
    state.podium = None
    drops_token = state.options.many_drop_a_token and state.seats in CROWD
    state.tokens = (TOKENS_OF_A_CROWD if drops_token else TOKENS,) * state.seats
    turn.emit(RacePrepared(race=state.race))


def _end_game(turn: Table) -> None:
    """Ruling 4.38: nothing is cleaned after the last race."""
    turn.state.phase = "over"
    result = _ranking(turn.state)
    turn.emit(GameEnded(ranking=result.ranking, scores=result.scores))


def _ranking(state: ReadySetBetState) -> Result:
    """Rulebook, "Fin de la partie": most money wins. Ruling 4.37: ties share the rank."""
    scores = tuple(state.purses[seat_purse(seat)] for seat in range(state.seats))
    ranking = tuple(
        tuple(Seat(seat) for seat in range(state.seats) if scores[seat] == score) for score in sorted(set(scores), reverse=True)
    )
    return Result(ranking, scores)
