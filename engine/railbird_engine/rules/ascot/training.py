"""The training: one throw of two dice per turn for all horses of a player (Rulebook, part I)."""

from typing import Final

from railbird_engine import SLOW_LIMITS_S, Seat
from railbird_engine.rules.ascot.data.printed import PACKS, Pack, Printed, Square
from railbird_engine.rules.ascot.debts import owe_office
from railbird_engine.rules.ascot.desk import Desk, require
from railbird_engine.rules.ascot.events import (
    ClubJoined,
    ClubOffered,
    FrostMet,
    HorseHeld,
    TrainingThrown,
    TurnSkipped,
)
from railbird_engine.rules.ascot.reports import (
    advance,
    draw,
    gain_advantages,
    gain_disadvantages,
    horses_for,
    is_empty,
    lay_out,
    needs_a_horse,
    obey,
)
from railbird_engine.rules.ascot.state import (
    AscotState,
    Training,
    cash,
    clockwise,
    holds_office,
    horses_of,
    is_member,
    may_have,
)

THROW_S: Final = 6
"""The time to throw for a player who can do nothing else (Ruling B15)."""


def begin(desk: Desk) -> None:
    """Start with the Club Commissioner, or else at the Dealer's left (Ruling A11)."""
    state = desk.state
    state.phase, state.bills = "training", []
    lay_out(desk)
    _begin_turn(desk, state.offices.get("club", Seat((desk.options.dealer + 1) % state.seats)))


def _begin_turn(desk: Desk, first: int) -> None:
    """Give the turn to the next seat with a horse in training; strangles make it miss one.

    No turn begins when all horses are done.
    """
    state = desk.state
    state.training = None
    trainers = [seat for seat in clockwise(state, first) if horses_of(state, seat, "training")]
    for seat in (*trainers, *trainers):  # Twice, in case strangles hold all of them.
        if seat not in state.strangled:
            state.training = Training(seat)
            limit_s = desk.options.training_s
            has_choice = bool(packs_to_draw_from(desk.printed, state, state.training))
            desk.wait(limit_s if has_choice else min(limit_s, THROW_S))
            return
        state.strangled.remove(seat)
        desk.emit(TurnSkipped(seat=seat))


def _turn_of(desk: Desk, seat: Seat) -> Training:
    """The turn of this seat, or a refusal."""
    desk.require_phase("training")
    training = desk.state.training
    assert training is not None
    require(training.seat == seat, "not_your_turn", turn=training.seat)
    return training


def packs_to_draw_from(printed: Printed, state: AscotState, training: Training) -> list[Pack]:
    """The packs that a member may take a report from before the throw, once per turn."""
    if training.has_drawn or not is_member(state, training.seat):
        return []
    return [
        pack
        for pack in PACKS
        if not is_empty(state, pack) and horses_for(printed, state, training.seat, pack)
    ]


def take_report(desk: Desk, seat: Seat, pack: Pack) -> None:
    """Take one report as a member (Rulebook, "Membres du Club"; Ruling A12)."""
    training = _turn_of(desk, seat)
    state = desk.state
    require(training.step == "before_throw", "not_before_throw", step=training.step)
    require(is_member(state, seat), "not_a_member")
    require(not training.has_drawn, "one_report_a_turn")
    horses = horses_for(desk.printed, state, seat, pack)
    require(bool(horses), "no_horse_for_report", pack=pack)
    require(not is_empty(state, pack), "pack_empty", pack=pack)
    training.has_drawn = True
    report = draw(desk, seat, pack)
    if needs_a_horse(report) and len(horses) > 1:
        training.step, training.pack, training.card = "target", pack, report.code
        desk.wait(desk.options.training_s)
    else:
        obey(desk, seat, pack, report, horses[0])


def apply_report(desk: Desk, seat: Seat, number: int) -> None:
    """Choose the horse to which the report applies."""
    training = _turn_of(desk, seat)
    require(training.step == "target", "no_report_to_apply", step=training.step)
    assert training.pack is not None and training.card is not None
    horses = horses_for(desk.printed, desk.state, seat, training.pack)
    require(number in horses, "not_for_this_horse", horse=number, horses=horses)
    pack, report = training.pack, desk.printed.report(training.pack, training.card)
    training.step, training.pack, training.card = "before_throw", None, None
    obey(desk, seat, pack, report, number)


def throw(desk: Desk, seat: Seat) -> None:
    """Throw without taking a report."""
    training = _turn_of(desk, seat)
    require(training.step == "before_throw", "not_before_throw", step=training.step)
    _throw(desk, training)


def throw_without_choice(desk: Desk, training: Training) -> bool:
    """Throw after a report, and at a slow table for a seat that may not take one (Ruling B15).

    The turn ends if the seat has no horse in training, because its last one was sold, or a report
    took it or brought it home.
    """
    is_slow = desk.options.training_s in SLOW_LIMITS_S
    if not horses_of(desk.state, training.seat, "training"):
        training.step = "moving"
    elif training.has_drawn or (
        is_slow and not packs_to_draw_from(desk.printed, desk.state, training)
    ):
        _throw(desk, training)
    else:
        return False
    return True


def _throw(desk: Desk, training: Training) -> None:
    """Throw two dice, once for all horses of the seat."""
    training.dice = (desk.chance.die(), desk.chance.die())
    training.queue = horses_of(desk.state, training.seat, "training")
    training.step = "moving"
    desk.emit(TrainingThrown(seat=training.seat, dice=training.dice))


def move_next(desk: Desk) -> None:
    """Move the next horse of the turn and obey its square, or begin the next turn."""
    training = desk.state.training
    assert training is not None and training.step == "moving"
    if not training.queue:
        _begin_turn(desk, training.seat + 1)
        return
    number = training.queue.pop(0)
    horse = desk.state.horses[number]
    assert training.dice is not None
    if horse.is_frozen:
        desk.change_horse(number, is_frozen=False)
        desk.emit(HorseHeld(horse=number))
        return
    square = advance(desk, number, sum(training.dice))
    if square is not None:
        _obey_square(desk, training, number, desk.printed.squares[square - 1])


def _obey_square(  # noqa: C901  (one case per kind of square)
    desk: Desk, training: Training, number: int, square: Square
) -> None:
    """Deal with the office in the header (Rulebook, "Arrêt sur une case").

    The header "stable" is the stable that the horse comes from.
    """
    seat = training.seat
    stable = desk.printed.stable(number)
    office = stable if square.header == "stable" else square.header
    match square.effect:
        case "pay":
            assert office is not None
            owe_office(desk, seat, office, square.amount, "training")
        case "report":
            pack: Pack = stable if square.header == "stable" else "veterinary"
            if not is_empty(desk.state, pack):
                obey(desk, seat, pack, draw(desk, seat, pack), number)
        case "advantage":
            gain_advantages(desk, number, square.amount)
        case "disadvantage":
            gain_disadvantages(desk, number, square.amount)
        case "join":
            _offer_club(desk, training, square.amount)
        case "dues":
            if seat in desk.state.members and not holds_office(desk.state, seat, "club"):
                owe_office(desk, seat, "club", square.amount, "dues")
        case "frost":
            is_held = not is_member(desk.state, seat)
            desk.change_horse(number, is_frozen=is_held)
            desk.emit(FrostMet(horse=number, is_held=is_held))
        case "free":
            pass


def _offer_club(desk: Desk, training: Training, fee: int) -> None:
    """Ask whether the player joins the Club, unless a member or known to be unable to pay."""
    state = desk.state
    has_card = len(state.members) < desk.printed.tariff.member_cards
    can_pay = may_have(state, training.seat, fee)
    if has_card and can_pay and not is_member(state, training.seat):
        training.step, training.fee = "club", fee
        desk.emit(ClubOffered(seat=training.seat, fee=fee))
        desk.wait(desk.options.training_s)


def answer_club(desk: Desk, seat: Seat, *, joins: bool) -> None:
    """Join for the fee, which goes to the Commissioner, or stay out."""
    training = _turn_of(desk, seat)
    require(training.step == "club", "club_not_open", step=training.step)
    held, fee = cash(desk.state, seat), training.fee
    require(not joins or held >= fee, "insufficient_funds", held=held, needed=fee)
    training.step = "moving"
    if joins:
        owe_office(desk, seat, "club", training.fee, "membership")
        desk.state.members = sorted([*desk.state.members, seat])
        desk.emit(ClubJoined(seat=seat))


def time_out(desk: Desk) -> None:
    """Throw, stay out of the Club, or apply the report to the first horse."""
    training = desk.state.training
    assert training is not None
    match training.step:
        case "before_throw":
            throw(desk, training.seat)
        case "club":
            answer_club(desk, training.seat, joins=False)
        case "target":
            assert training.pack is not None
            horses = horses_for(desk.printed, desk.state, training.seat, training.pack)
            apply_report(desk, training.seat, horses[0])
        case "moving":
            raise AssertionError("nothing is awaited while horses move")
