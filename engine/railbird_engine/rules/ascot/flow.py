"""The transitions between phases: steps without a decision, and decisions of the clock.

The game waits only where a seat can choose. Without a choice, it shows cards, sells lots, throws
dice and moves horses by itself.
"""

from railbird_engine.rules.ascot import (
    auction,
    betting,
    bidding,
    deal,
    debts,
    preliminaries,
    prizes,
    race,
    training,
)
from railbird_engine.rules.ascot.desk import Desk


def carry_on(desk: Desk) -> None:
    """Continue until a seat must decide. A sale interrupts its phase, which then resumes."""
    while _happens_by_itself(desk):
        pass


def _happens_by_itself(desk: Desk) -> bool:  # noqa: C901  (one case per phase)
    """Play one step that needs no decision; False when a decision is awaited."""
    state = desk.state
    if state.lot is not None:
        return _close_decided_lot(desk)
    if state.debt is not None:
        return False
    match state.phase:
        case "exchange":
            return deal.exchange_without_choice(desk)
        case "auction":
            auction.show_next_card(desk)
        case "settlement":
            _settle(desk)
        case "training":
            return _train(desk)
        case "surplus":
            preliminaries.sell_next_surplus(desk)
        case "entry":
            _enter(desk)
        case "favourites":
            return _open_bets_when_all_have_answered(desk)
        case "betting":
            return _call_or_race(desk)
        case "race":
            return _race(desk)
        case _:
            return False
    return True


def _close_decided_lot(desk: Desk) -> bool:
    assert desk.state.lot is not None
    bidding.excuse(desk)
    if desk.state.lot.rivals:
        return False
    _close_lot(desk)
    return True


def _close_lot(desk: Desk) -> None:
    """The lot goes to the highest bidder, or stays unsold."""
    if desk.state.debt is not None:
        debts.close_lot(desk)
    elif desk.state.phase == "auction":
        auction.close_lot(desk)
    else:
        preliminaries.close_lot(desk)


def _settle(desk: Desk) -> None:
    if any(desk.state.bills):
        auction.settle_next(desk)
    else:
        training.begin(desk)


def _enter(desk: Desk) -> None:
    if desk.state.queue:
        preliminaries.enter_next(desk)
    else:
        betting.ask_for_favourites(desk)


def _train(desk: Desk) -> bool:
    turn = desk.state.training
    if turn is None:
        preliminaries.begin(desk)
    elif turn.step == "moving":
        training.move_next(desk)
    elif turn.step == "before_throw":
        return training.throw_without_choice(desk, turn)
    else:
        return False
    return True


def _open_bets_when_all_have_answered(desk: Desk) -> bool:
    if len(desk.state.answered) < desk.state.seats:
        return False
    betting.open_bets(desk)
    return True


def _call_or_race(desk: Desk) -> bool:
    if not desk.state.queue:
        betting.close_bets(desk)
        race.begin(desk)
    elif betting.bets_are_in(desk.printed, desk.state):
        betting.call_next(desk)
    else:
        return False
    return True


def _race(desk: Desk) -> bool:
    running = desk.state.race
    assert running is not None
    if running.step != "served":
        return False
    if race.is_over(desk.state):
        prizes.award(desk)
    else:
        race.serve_next(desk)
    return True


def time_out(desk: Desk) -> None:  # noqa: C901  (one case per phase)
    """Decide for the seats that did not decide in time."""
    state = desk.state
    if state.lot is not None:
        _close_lot(desk)
        return
    if state.debt is not None:
        debts.put_up_cheapest(desk, state.debt)
        return
    match state.phase:
        case "nomination":
            deal.name_dealer(desk)
        case "exchange":
            deal.exchange_cheapest(desk)
        case "discard":
            deal.finish_discards(desk)
        case "training":
            training.time_out(desk)
        case "preliminaries":
            preliminaries.close_window(desk)
        case "favourites":
            betting.open_bets(desk)
        case "betting":
            betting.call_next(desk)
        case "race":
            race.time_out(desk)
        case "auction" | "settlement" | "surplus" | "entry" | "finished":
            raise AssertionError(f"nothing is awaited in {state.phase}")
