"""Ready Set Bet: the course of a game. Four races; while the horses run, everyone bets, first come, first served."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import assert_never

from games.engine import (
    BANK,
    Alarm,
    BetPlaced,
    BetSettled,
    Chance,
    Result,
    Rules,
    RuleViolation,
    Seat,
    State,
    Turn,
    seat_purse,
)
from games.engine.contract import opening_purses
from games.rules.ready_set_bet.board import SPOT_NAMED, SPOTS, open_spots
from games.rules.ready_set_bet.bot import choose_bet
from games.rules.ready_set_bet.data import (
    CLOSED_COLUMNS,
    CROSSINGS_TO_CLOSE,
    CROWD,
    FINISH,
    HORSES,
    LANE_OF_SUM,
    TOKENS,
    TOKENS_OF_A_CROWD,
)
from games.rules.ready_set_bet.messages import (
    BettingClosed,
    GameEnded,
    MoneySettled,
    Phase,
    PlaceBet,
    RaceEvent,
    RaceFinished,
    RacePrepared,
    RaceStarted,
    ReadySetBetOptions,
    ReadySetBetView,
    RedLineCrossed,
    Rolled,
)
from games.rules.ready_set_bet.race import Course, Podium, move, podium, sole_leader, starting_course
from games.rules.ready_set_bet.settlement import Bet, settle


class ReadySetBetState(State, kw_only=True):
    """All that a table knows. `awaited` numbers the alarms of the whole game; `tokens` are those in hand, by seat; `bets` are
    this race's; `bets_placed` counts those of the game.
    """

    options: ReadySetBetOptions
    seats: int
    race: int
    phase: Phase
    awaited: int
    course: Course
    dice: tuple[int, int] | None
    podium: Podium | None
    tokens: tuple[tuple[int, ...], ...]
    bets: tuple[Bet, ...]
    bets_placed: int


Table = Turn[ReadySetBetState, RaceEvent]


class ReadySetBet(Rules[ReadySetBetOptions, ReadySetBetState, PlaceBet, RaceEvent]):
    """Real-time bets on horse races, with the server as the rulebook's application: it rolls, nobody announces."""

    slug = "ready_set_bet"
    title = {"en": "Ready Set Bet", "fr": "Ready Set Bet"}
    seats = range(2, 9)
    unit = "euro"
    version = 1

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
        )

    def deal(self, turn: Table) -> None:
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
                _roll(turn)
            case "finished":
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
        state = turn.state
        if not 0 <= seat < state.seats:
            raise RuleViolation("not_at_this_table", seat=seat, seats=state.seats)
        _require_open_bets(state)
        spot = SPOT_NAMED.get(command.spot)
        if spot is None:
            raise RuleViolation("unknown_spot", spot=command.spot)
        if spot.column in _closed_columns(state):
            raise RuleViolation("column_closed", spot=spot.spot, column=spot.column, players=state.seats)
        for bet in state.bets:
            if bet.spot == spot.spot:
                raise RuleViolation("spot_taken", spot=spot.spot, seat=bet.seat)
        state.tokens = _tokens_without(state.tokens, seat, command.token)
        state.bets_placed += 1
        state.bets += (Bet(state.bets_placed, seat, spot.spot, command.token),)
        turn.emit(BetPlaced(bet=state.bets_placed, seat=seat, spot=spot.spot, stake=command.token, odds=spot.odds))

    def legal(self, state: ReadySetBetState, seat: Seat) -> Iterator[PlaceBet]:
        if state.phase == "open" and 0 <= seat < state.seats:
            taken = {bet.spot for bet in state.bets}
            tokens = sorted(set(state.tokens[seat]))
            for spot in open_spots(_closed_columns(state)):
                if spot.spot not in taken:
                    yield from [PlaceBet(spot.spot, token) for token in tokens]

    # What others learn

    def view(self, state: ReadySetBetState, viewer: Seat | None) -> ReadySetBetView:
        """Everything: this game has no secrets."""
        course = state.course
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
            closed_columns=_closed_columns(state),
            ranking=result.ranking if result else None,
            horses=HORSES,
            spots=SPOTS,
        )

    def bot(self, view: ReadySetBetView, legal: Iterable[PlaceBet], chance: Chance) -> PlaceBet | None:
        return choose_bet(view, chance)

    def result(self, state: ReadySetBetState) -> Result | None:
        return _ranking(state) if state.phase == "over" else None


def _refuse_the_full_box(options: ReadySetBetOptions) -> None:
    for option in ("props", "exotics", "vip"):
        if getattr(options, option):
            raise RuleViolation("not_yet_available", option=option)
    if options.mode != "app":
        raise RuleViolation("not_yet_available", option="mode", mode=options.mode)


def _prepare_race(turn: Table) -> None:
    """Rulebook, "Nettoyer le terrain": horses to the start, tokens to their owners."""
    state = turn.state
    state.race += 1
    state.phase = "paddock"
    state.course = starting_course()
    state.dice = None
    state.podium = None
    state.bets = ()
    drops_token = state.options.many_drop_a_token and state.seats in CROWD
    state.tokens = (TOKENS_OF_A_CROWD if drops_token else TOKENS,) * state.seats
    turn.emit(RacePrepared(race=state.race))


def _roll(turn: Table) -> None:
    """Rulebook, "Lancer une course": two dice, one horse, and whatever its move brings about."""
    state = turn.state
    course = state.course
    dice = (turn.chance.die(), turn.chance.die())
    lane = LANE_OF_SUM[sum(dice)]
    leader = sole_leader(course.positions)
    crossed = course.crossed
    bonus = move(course, lane)
    state.dice = dice
    turn.emit(
        Rolled(
            race=state.race,
            roll=course.rolls,
            dice=dice,
            horse=HORSES[lane].horse,
            bonus=bonus,
            position=course.positions[lane],
            double=1 if dice == (1, 1) else 6 if dice == (6, 6) else None,
            takes_lead=leader != lane and sole_leader(course.positions) == lane,
        )
    )
    if course.crossed > crossed:
        turn.emit(RedLineCrossed(race=state.race, horse=HORSES[lane].horse, crossed=course.crossed))
    if course.positions[lane] == FINISH:
        _finish_race(turn)
    elif course.crossed == CROSSINGS_TO_CLOSE and state.phase == "open":
        state.phase = "closed"
        turn.emit(BettingClosed(race=state.race, roll=course.rolls))


def _finish_race(turn: Table) -> None:
    """Rulebook, "Fin de la course": at once, bets closed if they were not (ruling 4.3: without a closing of its own)."""
    state = turn.state
    positions = tuple(state.course.positions)
    state.podium = podium(positions)
    turn.emit(RaceFinished(race=state.race, roll=state.course.rolls, positions=positions, podium=state.podium))
    for seat in range(state.seats):
        _settle_seat(turn, Seat(seat), positions, state.podium)
    state.phase = "finished"
    if state.race == state.options.races:
        _end_game(turn)


def _settle_seat(turn: Table, seat: Seat, positions: tuple[int, ...], placing: Podium) -> None:
    """Pay a seat's gains, then take its losses as far as its money goes."""
    state = turn.state
    purse = seat_purse(seat)
    gained = paid = 0
    for settled in settle([bet for bet in state.bets if bet.seat == seat], state.purses[purse], positions, placing):
        if settled.payout > 0:
            turn.pay(BANK, purse, settled.payout, "bet_won")
            gained += settled.payout
        elif settled.payout < 0:
            turn.pay(purse, BANK, -settled.payout, "bet_lost")
            paid -= settled.payout
        turn.emit(BetSettled(bet=settled.bet.bet, outcome="won" if settled.won else "lost", payout=settled.payout))
    turn.emit(MoneySettled(race=state.race, seat=seat, gained=gained, paid=paid, money=state.purses[purse]))


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


def _require_open_bets(state: ReadySetBetState) -> None:
    """Ruling 4.6: no bets before the start call. Rulebook, "Clôture des paris" and "Fin de la course": none after."""
    match state.phase:
        case "open":
            return
        case "closed":
            raise RuleViolation("betting_closed", race=state.race, crossed=state.course.crossed)
        case "paddock" | "finished":
            raise RuleViolation("race_not_running", race=state.race, phase=state.phase)
        case "over":
            raise RuleViolation("game_over", races=state.race)
        case _:
            assert_never(state.phase)


def _closed_columns(state: ReadySetBetState) -> tuple[str, ...]:
    """Rulebook, "Variantes à 2, 3 et 4 joueurs": advice that the host may decline. Coloured spots are never closed."""
    return CLOSED_COLUMNS.get(state.seats, ()) if state.options.few_close_columns else ()


def _tokens_without(tokens: tuple[tuple[int, ...], ...], seat: Seat, token: int) -> tuple[tuple[int, ...], ...]:
    left = list(tokens[seat])
    if token not in left:
        raise RuleViolation("no_such_token", token=token, left=left)
    left.remove(token)
    return (*tokens[:seat], tuple(left), *tokens[seat + 1 :])
