"""The training: one throw of two dice a turn for all horses of a player, each square obeyed in turn
(Rulebook, part I)."""

from games.engine import Seat
from games.rules.ascot.debts import owe_office
from games.rules.ascot.events import (
    ClubJoined,
    ClubOffered,
    FrostMet,
    HorseHeld,
    TrainingThrown,
    TurnSkipped,
)
from games.rules.ascot.printed import Pack, Square
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
from games.rules.ascot.table import Table, require


def begin(table: Table) -> None:
    """The Club Commissioner throws first; without one the player at the Dealer's left (Ruling
    A11)."""
    state = table.state
    state.phase, state.bills = "training", []
    lay_out(table)
    _begin_turn(table, state.offices.get("club", Seat((table.options.dealer + 1) % state.seats)))


def _begin_turn(table: Table, first: int) -> None:
    """The next player who has a horse in training and is not held by strangles; none when all
    horses are done."""
    state = table.state
    state.training = None
    trainers = [seat for seat in clockwise(state, first) if horses_of(state, seat, "training")]
    for seat in (*trainers, *trainers):  # Twice, should all of them be held by strangles.
        if seat not in state.strangled:
            state.training = Training(seat)
            table.wait(table.options.training_s)
            return
        state.strangled.remove(seat)
        table.emit(TurnSkipped(seat=seat))


def _turn_of(table: Table, seat: Seat) -> Training:
    """The turn of this seat, or a refusal."""
    table.require_phase("training")
    training = table.state.training
    assert training is not None
    require(training.seat == seat, "not_your_turn", turn=training.seat)
    return training


def take_report(table: Table, seat: Seat, pack: Pack) -> None:
    """A member may take one report per turn, before he throws (Rulebook, "Membres du Club"; Ruling
    A12)."""
    training = _turn_of(table, seat)
    state = table.state
    require(training.step == "before_throw", "not_before_throw", step=training.step)
    require(is_member(state, seat), "not_a_member")
    require(not training.has_drawn, "one_report_a_turn")
    horses = horses_for(table.printed, state, seat, pack)
    require(bool(horses), "no_horse_for_report", pack=pack)
    require(not is_empty(state, pack), "pack_empty", pack=pack)
    training.has_drawn = True
    report = draw(table, seat, pack)
    if needs_a_horse(report) and len(horses) > 1:
        training.step, training.pack, training.card = "target", pack, report.code
        table.wait(table.options.training_s)
    else:
        obey(table, seat, pack, report, horses[0])
        _end_if_nothing_to_throw_for(table, training)


def apply_report(table: Table, seat: Seat, number: int) -> None:
    """The member chooses the horse to which his report applies."""
    training = _turn_of(table, seat)
    require(training.step == "target", "no_report_to_apply", step=training.step)
    assert training.pack is not None and training.card is not None
    horses = horses_for(table.printed, table.state, seat, training.pack)
    require(number in horses, "not_for_this_horse", horse=number, horses=horses)
    pack, report = training.pack, table.printed.report(training.pack, training.card)
    training.step, training.pack, training.card = "before_throw", None, None
    table.wait(table.options.training_s)
    obey(table, seat, pack, report, number)
    _end_if_nothing_to_throw_for(table, training)


def _end_if_nothing_to_throw_for(table: Table, training: Training) -> None:
    """A report may have taken or brought home the last horse of the turn."""
    if not horses_of(table.state, training.seat, "training"):
        training.step = "moving"


def throw(table: Table, seat: Seat) -> None:
    """Two dice, once for all horses of the player."""
    training = _turn_of(table, seat)
    require(training.step == "before_throw", "not_before_throw", step=training.step)
    training.dice = (table.chance.die(), table.chance.die())
    training.queue = horses_of(table.state, seat, "training")
    training.step = "moving"
    table.emit(TrainingThrown(seat=seat, dice=training.dice))


def move_next(table: Table) -> None:
    """Move the next horse of the turn and obey its square, or begin the next turn."""
    training = table.state.training
    assert training is not None and training.step == "moving"
    if not training.queue:
        _begin_turn(table, training.seat + 1)
        return
    number = training.queue.pop(0)
    horse = table.state.horses[number]
    assert training.dice is not None
    if horse.is_frozen:
        horse.is_frozen = False
        table.emit(HorseHeld(horse=number))
        return
    square = advance(table, number, sum(training.dice))
    if square is not None:
        _obey_square(table, training, number, table.printed.squares[square - 1])


def _obey_square(  # noqa: C901  (one case per kind of square)
    table: Table, training: Training, number: int, square: Square
) -> None:
    """The header names the office to deal with; a stable is the one the horse comes from (Rulebook,
    "Arrêt sur une case")."""
    seat = training.seat
    office = table.printed.stable(number) if square.header == "stable" else square.header
    match square.effect:
        case "pay":
            assert office is not None
            owe_office(table, seat, office, square.amount, "training")
        case "report":
            pack: Pack = table.printed.stable(number) if square.header == "stable" else "veterinary"
            if not is_empty(table.state, pack):
                obey(table, seat, pack, draw(table, seat, pack), number)
        case "advantage":
            gain_advantages(table, number, square.amount)
        case "disadvantage":
            gain_disadvantages(table, number, square.amount)
        case "join":
            _offer_club(table, training, square.amount)
        case "dues":
            if seat in table.state.members and not holds_office(table.state, seat, "club"):
                owe_office(table, seat, "club", square.amount, "dues")
        case "frost":
            is_held = not is_member(table.state, seat)
            table.state.horses[number].is_frozen = is_held
            table.emit(FrostMet(horse=number, is_held=is_held))
        case "free":
            pass


def _offer_club(table: Table, training: Training, fee: int) -> None:
    """Membership is optional; members, and players who cannot pay the fee, are not asked."""
    state = table.state
    has_card = len(state.members) < table.printed.tariff.member_cards
    if has_card and not is_member(state, training.seat) and cash(state, training.seat) >= fee:
        training.step, training.fee = "club", fee
        table.emit(ClubOffered(seat=training.seat, fee=fee))
        table.wait(table.options.training_s)


def answer_club(table: Table, seat: Seat, *, joins: bool) -> None:
    """Join for the fee, which goes to the Commissioner, or stay out."""
    training = _turn_of(table, seat)
    require(training.step == "club", "club_not_open", step=training.step)
    training.step = "moving"
    if joins:
        owe_office(table, seat, "club", training.fee, "membership")
        table.state.members = sorted([*table.state.members, seat])
        table.emit(ClubJoined(seat=seat))


def time_out(table: Table) -> None:
    """A slow player throws, stays out of the Club, or applies the report to his first horse."""
    training = table.state.training
    assert training is not None
    match training.step:
        case "before_throw":
            throw(table, training.seat)
        case "club":
            answer_club(table, training.seat, joins=False)
        case "target":
            assert training.pack is not None
            horses = horses_for(table.printed, table.state, training.seat, training.pack)
            apply_report(table, training.seat, horses[0])
        case "moving":
            raise AssertionError("nothing is awaited while horses move")
