"""The announcer, who makes the start call, rolls the dice and, in two modes, bets before the race.
Rulebook, "Le speaker" and the two variants."""

from railbird_engine import BANK, RuleViolation, Seat, seat_purse
from railbird_engine.rules.ready_set_bet.commands import AnswerOffer
from railbird_engine.rules.ready_set_bet.data import COMPENSATION, MISSED_MAX
from railbird_engine.rules.ready_set_bet.events import (
    AnnouncerAbsent,
    AnnouncerAsked,
    AnnouncerNamed,
    AnnouncerPaid,
    AnnouncerReturned,
    GotReady,
    OfferAnswered,
    TokensSkipped,
)
from railbird_engine.rules.ready_set_bet.state import (
    RaceTurn,
    ReadySetBetState,
    is_absent,
    is_idle,
    tokens_for_race,
    with_item,
)


def name_first_announcer(turn: RaceTurn) -> None:
    """Name the announcer. Rulebook, "Mise en place", step 7: one player announces. "Changement de
    speaker": the first announcer is drawn by lot."""
    state, options = turn.state, turn.state.options
    if options.mode == "rotating_announcer" or (options.mode != "app" and options.announcer_by_lot):
        _name(turn, Seat(turn.chance.below(state.seats)), volunteered=False)
    elif options.mode != "app":
        if options.announcer_seat >= state.seats:
            raise RuleViolation("no_such_announcer", seat=options.announcer_seat, seats=state.seats)
        _name(turn, Seat(options.announcer_seat), volunteered=True)


def _name(turn: RaceTurn, seat: Seat, *, volunteered: bool) -> None:
    turn.state.announcer = seat
    turn.state.tokens = tokens_for_race(turn.state)
    turn.emit(AnnouncerNamed(race=turn.state.race, seat=seat, volunteered=volunteered))
    if is_absent(turn.state):
        turn.emit(AnnouncerAbsent(race=turn.state.race, seat=seat))


def pay_announcer(turn: RaceTurn) -> None:
    """Pay a betting announcer the starting money, and a rotating one the compensation for VIP cards
    that an announcer cannot use.

    Rulings 4.14 and 4.15: nobody else starts with money. Ruling 4.16: the starting money is the
    same without VIP cards. Ruling 4.17: without VIP cards there is no compensation. Ruling 4.18:
    the compensation goes by the race, not by the cards that a seat owns."""
    state, options = turn.state, turn.state.options
    amount = 0
    if options.mode == "betting_announcer" and state.race == 1:
        amount = options.announcer_money
    if options.mode == "rotating_announcer" and options.vip:
        amount = COMPENSATION[state.race - 1]
    if amount and state.announcer is not None:
        purse = seat_purse(state.announcer)
        turn.pay(BANK, purse, amount, "announcer")
        turn.emit(
            AnnouncerPaid(
                race=state.race, seat=state.announcer, amount=amount, money=state.purses[purse]
            )
        )


# Between races: the next announcer


def offer_announcing(turn: RaceTurn) -> None:
    """Ask the announcer first (ruling 4.39): an announcer may stay."""
    state = turn.state
    assert state.announcer is not None
    state.phase = "offer"
    if is_idle(state, state.announcer):
        _decline_silently(turn, state.announcer)
        _ask_next(turn, state.announcer)
    else:
        _ask(turn, state.announcer)


def _ask(turn: RaceTurn, seat: Seat) -> None:
    turn.state.asked = seat
    turn.emit(AnnouncerAsked(race=turn.state.race, seat=seat))


def _decline_silently(turn: RaceTurn, seat: Seat) -> None:
    turn.emit(OfferAnswered(race=turn.state.race, seat=seat, accept=False, by_default=True))


def _ask_next(turn: RaceTurn, after: Seat) -> None:
    """Ask the next seat clockwise that is not idle (ruling 4.43).

    Rulebook, "Changement de speaker": if all decline, the announcer's left neighbour announces."""
    state, announcer = turn.state, turn.state.announcer
    assert announcer is not None
    seat = Seat((after + 1) % state.seats)
    while seat != announcer and is_idle(state, seat):
        _decline_silently(turn, seat)
        seat = Seat((seat + 1) % state.seats)
    if seat == announcer:
        _name(turn, Seat((announcer + 1) % state.seats), volunteered=False)
    else:
        _ask(turn, seat)


def miss(turn: RaceTurn, seat: Seat) -> None:
    """Count a decision that the clock makes for a seat. After three in a row the server announces
    for an announcer (ruling 4.43)."""
    state = turn.state
    state.missed = with_item(state.missed, seat, state.missed[seat] + 1)
    if seat == state.announcer and state.missed[seat] == MISSED_MAX:
        turn.emit(AnnouncerAbsent(race=state.race, seat=seat))


def come_back(turn: RaceTurn, seat: Seat) -> bool:
    """Note that a seat acts. Return whether the server announced for it until now."""
    state = turn.state
    was_absent = seat == state.announcer and is_absent(state)
    state.missed = with_item(state.missed, seat, 0)
    if was_absent:
        turn.emit(AnnouncerReturned(race=state.race, seat=seat))
    return was_absent


def take_dice(turn: RaceTurn, seat: Seat, *, was_absent: bool) -> None:
    """Check that the server rolls for this announcer (ruling 4.43): who acts takes the dice."""
    state = turn.state
    _require_announcer(state, seat, rolls=True)
    if state.phase not in ("open", "closed"):
        raise RuleViolation("race_not_running", race=state.race, phase=state.phase)
    if not was_absent:
        raise RuleViolation("dice_are_yours", race=state.race)


def answer_offer(
    turn: RaceTurn, seat: Seat, command: AnswerOffer, *, by_default: bool = False
) -> None:
    """Record an answer, then ask the next seat, unless there is an announcer (`asked` is None)."""
    state = turn.state
    if state.phase != "offer":
        raise RuleViolation("no_offer", race=state.race, phase=state.phase)
    if seat != state.asked:
        raise RuleViolation("not_your_offer", asked=state.asked)
    turn.emit(
        OfferAnswered(race=state.race, seat=seat, accept=command.accept, by_default=by_default)
    )
    state.asked = None
    if command.accept:
        _name(turn, seat, volunteered=True)
    else:
        _ask_next(turn, seat)


# Before and during a race


def tokens_to_place(state: ReadySetBetState) -> tuple[int, ...]:
    """Return the announcer's tokens that are not placed yet before this race."""
    return (
        () if state.announcer is None or state.phase != "paddock" else state.tokens[state.announcer]
    )


def is_pause(state: ReadySetBetState) -> bool:
    """Whether the game waits for the clock alone: after a finish, and before a start call of the
    server."""
    if state.phase == "paddock":
        return state.options.server_rolls and not tokens_to_place(state)
    return state.phase == "finished"


def get_ready(turn: RaceTurn, seat: Seat) -> bool:
    """Note that a seat is ready, and return whether all are (ruling 4.44)."""
    state = turn.state
    if not is_pause(state):
        raise RuleViolation("no_pause", race=state.race, phase=state.phase)
    if seat in state.ready:
        raise RuleViolation("already_ready", race=state.race)
    state.ready += (seat,)
    turn.emit(GotReady(race=state.race, seat=seat))
    return len(state.ready) == state.seats


def skip_tokens(turn: RaceTurn, seat: Seat | None) -> None:
    """Leave the announcer's remaining tokens off the board (ruling 4.25)."""
    state = turn.state
    _require_announcer(state, seat)
    left = tokens_to_place(state)
    if not left:
        raise RuleViolation("no_tokens_left", race=state.race)
    assert state.announcer is not None
    state.tokens = with_item(state.tokens, state.announcer, ())
    turn.emit(TokensSkipped(race=state.race, seat=state.announcer, tokens=left))


def require_start_call(state: ReadySetBetState, seat: Seat) -> None:
    """Require that all tokens are placed or skipped before the start call (ruling 4.25)."""
    _require_announcer(state, seat, rolls=True)
    if state.phase != "paddock":
        raise RuleViolation("race_has_started", race=state.race, phase=state.phase)
    if left := tokens_to_place(state):
        raise RuleViolation("tokens_left", left=list(left))


def require_roll(state: ReadySetBetState, seat: Seat) -> None:
    """Require the announcer, who rolls at most once every `roll_ms` so that the others have time to
    bet (ruling 4.26)."""
    _require_announcer(state, seat, rolls=True)
    if state.phase not in ("open", "closed"):
        raise RuleViolation("race_not_running", race=state.race, phase=state.phase)
    if not state.dice_ready:
        raise RuleViolation("dice_not_ready", race=state.race, roll=state.course.rolls)


def _require_announcer(state: ReadySetBetState, seat: Seat | None, *, rolls: bool = False) -> None:
    if seat is None or seat != state.announcer:
        raise RuleViolation("not_the_announcer", announcer=state.announcer)
    if rolls and state.options.server_rolls:
        raise RuleViolation("server_rolls", mode=state.options.mode)
