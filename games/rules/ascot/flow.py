"""How one phase leads to the next: what follows by itself, and what the clock does to players who are too slow."""

from games.rules.ascot import auction, betting, deal, debts, preliminaries, prizes, race, training
from games.rules.ascot.desk import Desk


def carry_on(desk: Desk) -> None:
    """Let everything happen that nobody has to decide. A sale that is going on stops it; it resumes where it was."""
    state = desk.state
    while state.debt is None and state.lot is None and _happens_by_itself(desk):
        pass


def _happens_by_itself(desk: Desk) -> bool:
    """One step of the game without a decision; False when a decision is awaited."""
    match desk.state.phase:
        case "settlement":
            _settle(desk)
        case "training":
            return _train(desk)
        case "surplus":
            preliminaries.sell_next_surplus(desk)
        case "entry":
            _enter(desk)
        case "favourites":
            return _bet_when_all_named(desk)
        case "betting":
            return _call_or_race(desk)
        case "race":
            return _race(desk)
        case _:
            return False
    return True


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
    else:
        return False
    return True


def _bet_when_all_named(desk: Desk) -> bool:
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


def close_lot(desk: Desk) -> None:
    """What was on sale falls to the highest bidder, or stays unsold."""
    if desk.state.debt is not None:
        debts.close_lot(desk)
    elif desk.state.phase == "auction":
        auction.close_lot(desk)
    else:
        preliminaries.close_lot(desk)


def close_private_sale(desk: Desk) -> None:
    """A sale without Auctioneer ends as soon as nobody else is bidding."""
    lot = desk.state.lot
    if lot is not None and lot.seller is not None and not lot.rivals:
        close_lot(desk)


def time_out(desk: Desk) -> None:  # noqa: C901  (one case per phase)
    """What happens to those who did not decide in time."""
    state = desk.state
    if state.debt is not None:
        debts.time_out(desk)
        return
    match state.phase:
        case "nomination":
            deal.nobody_nominated(desk)
        case "exchange":
            deal.exchange_cheapest(desk)
        case "discard":
            deal.finish_discards(desk)
        case "auction":
            auction.time_out(desk)
        case "training":
            training.time_out(desk)
        case "preliminaries":
            preliminaries.close_window(desk)
        case "surplus":
            preliminaries.close_lot(desk)
        case "favourites":
            betting.open_bets(desk)
        case "betting":
            betting.call_next(desk)
        case "race":
            race.time_out(desk)
        case "settlement" | "entry" | "finished":
            raise AssertionError(f"nothing is awaited in {state.phase}")
