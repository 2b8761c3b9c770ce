"""The training: one throw of two dice a turn for all horses of a player, each square obeyed in turn (Rulebook, part I)."""

from games.engine import Seat
from games.rules.ascot.data.printed import Pack, Square
from games.rules.ascot.debts import owe_office
from games.rules.ascot.desk import Desk, require
from games.rules.ascot.events import (
    ClubJoined,
    ClubOffered,
    FrostMet,
    HorseHeld,
    TrainingThrown,
    TurnSkipped,
)
from games.rules.ascot.reports import (
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
from games.rules.ascot.state import Training, cash, clockwise, holds_office, horses_of, is_member


def begin(desk: Desk) -> None:
    """The Club Commissioner throws first; without one the player at the Dealer's left (Ruling A11)."""
    state = desk.state
    state.phase, state.bills = "training", []
    lay_out(desk)
    _begin_turn(desk, state.offices.get("club", Seat((desk.options.dealer + 1) % state.seats)))


def _begin_turn(desk: Desk, first: int) -> None:
    """The next player who has a horse in training and is not held by strangles; none when all horses are done."""
    state = desk.state
    state.training = None
    trainers = [seat for seat in clockwise(state, first) if horses_of(state, seat, "training")]
    for seat in (*trainers, *trainers):  # Twice, should all of them be held by strangles.
        if seat not in state.strangled:
            state.training = Training(seat)
            desk.wait(desk.options.training_s)
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


def take_report(desk: Desk, seat: Seat, pack: Pack) -> None:
    """A member may take one report per turn, before he throws (Rulebook, "Membres du Club"; Ruling A12)."""
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
        _end_if_nothing_to_throw_for(desk, training)


def apply_report(desk: Desk, seat: Seat, number: int) -> None:
    """The member chooses the horse to which his report applies."""
    training = _turn_of(desk, seat)
    require(training.step == "target", "no_report_to_apply", step=training.step)
    assert training.pack is not None and training.card is not None
    horses = horses_for(desk.printed, desk.state, seat, training.pack)
    require(number in horses, "not_for_this_horse", horse=number, horses=horses)
    pack, report = training.pack, desk.printed.report(training.pack, training.card)
    training.step, training.pack, training.card = "before_throw", None, None
    desk.wait(desk.options.training_s)
    obey(desk, seat, pack, report, number)
    _end_if_nothing_to_throw_for(desk, training)


def _end_if_nothing_to_throw_for(desk: Desk, training: Training) -> None:
    """A report may have taken or brought home the last horse of the turn."""
    if not horses_of(desk.state, training.seat, "training"):
        training.step = "moving"


def throw(desk: Desk, seat: Seat) -> None:
    """Two dice, once for all horses of the player."""
    training = _turn_of(desk, seat)
    require(training.step == "before_throw", "not_before_throw", step=training.step)
    training.dice = (desk.chance.die(), desk.chance.die())
    training.queue = horses_of(desk.state, seat, "training")
    training.step = "moving"
    desk.emit(TrainingThrown(seat=seat, dice=training.dice))


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
        horse.is_frozen = False
        desk.emit(HorseHeld(horse=number))
        return
    square = advance(desk, number, sum(training.dice))
    if square is not None:
        _obey_square(desk, training, number, desk.printed.squares[square - 1])


def _obey_square(  # noqa: C901  (one case per kind of square)
    desk: Desk, training: Training, number: int, square: Square
) -> None:
    """The header names the office to deal with; a stable is the one the horse comes from (Rulebook, "Arrêt sur une case")."""
    seat = training.seat
    office = desk.printed.stable(number) if square.header == "stable" else square.header
    match square.effect:
        case "pay":
            assert office is not None
            owe_office(desk, seat, office, square.amount, "training")
        case "report":
            pack: Pack = desk.printed.stable(number) if square.header == "stable" else "veterinary"
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
            desk.state.horses[number].is_frozen = is_held
            desk.emit(FrostMet(horse=number, is_held=is_held))
        case "free":
            pass


def _offer_club(desk: Desk, training: Training, fee: int) -> None:
    """Membership is optional; members, and players who cannot pay the fee, are not asked."""
    state = desk.state
    has_card = len(state.members) < desk.printed.tariff.member_cards
    if has_card and not is_member(state, training.seat) and cash(state, training.seat) >= fee:
        training.step, training.fee = "club", fee
        desk.emit(ClubOffered(seat=training.seat, fee=fee))
        desk.wait(desk.options.training_s)


def answer_club(desk: Desk, seat: Seat, *, joins: bool) -> None:
    """Join for the fee, which goes to the Commissioner, or stay out."""
    training = _turn_of(desk, seat)
    require(training.step == "club", "club_not_open", step=training.step)
    training.step = "moving"
    if joins:
        owe_office(desk, seat, "club", training.fee, "membership")
        desk.state.members = sorted([*desk.state.members, seat])
        desk.emit(ClubJoined(seat=seat))


def time_out(desk: Desk) -> None:
    """A slow player throws, stays out of the Club, or applies the report to his first horse."""
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
