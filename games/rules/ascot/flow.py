"""How one phase leads to the next: what follows by itself, and what the clock does to players who
are too slow."""

from games.rules.ascot import auction, betting, deal, debts, preliminaries, prizes, race, training
from games.rules.ascot.table import Table


def carry_on(table: Table) -> None:
    """Let everything happen that nobody has to decide. A sale that is going on stops it; it resumes
    where it was."""
    state = table.state
    while state.debt is None and state.lot is None and _happens_by_itself(table):
        pass


def _happens_by_itself(table: Table) -> bool:
    """One step of the game without a decision; False when a decision is awaited."""
    match table.state.phase:
        case "settlement":
            _settle(table)
        case "training":
            return _train(table)
        case "surplus":
            preliminaries.sell_next_surplus(table)
        case "entry":
            _enter(table)
        case "favourites":
            return _bet_when_all_named(table)
        case "betting":
            return _call_or_race(table)
        case "race":
            return _race(table)
        case _:
            return False
    return True


def _settle(table: Table) -> None:
    if any(table.state.bills):
        auction.settle_next(table)
    else:
        training.begin(table)


def _enter(table: Table) -> None:
    if table.state.queue:
        preliminaries.enter_next(table)
    else:
        betting.ask_for_favourites(table)


def _train(table: Table) -> bool:
    turn = table.state.training
    if turn is None:
        preliminaries.begin(table)
    elif turn.step == "moving":
        training.move_next(table)
    else:
        return False
    return True


def _bet_when_all_named(table: Table) -> bool:
    if len(table.state.answered) < table.state.seats:
        return False
    betting.open_bets(table)
    return True


def _call_or_race(table: Table) -> bool:
    if not table.state.queue:
        betting.close_bets(table)
        race.begin(table)
    elif betting.bets_are_in(table.printed, table.state):
        betting.call_next(table)
    else:
        return False
    return True


def _race(table: Table) -> bool:
    running = table.state.race
    assert running is not None
    if running.step != "served":
        return False
    if race.is_over(table.state):
        prizes.award(table)
    else:
        race.serve_next(table)
    return True


def close_lot(table: Table) -> None:
    """What was on sale falls to the highest bidder, or stays unsold."""
    if table.state.debt is not None:
        debts.close_lot(table)
    elif table.state.phase == "auction":
        auction.close_lot(table)
    else:
        preliminaries.close_lot(table)


def close_private_sale(table: Table) -> None:
    """A sale without Auctioneer ends as soon as nobody else is bidding."""
    lot = table.state.lot
    if lot is not None and lot.seller is not None and not lot.rivals:
        close_lot(table)


def time_out(table: Table) -> None:  # noqa: C901  (one case per phase)
    """What happens to those who did not decide in time."""
    state = table.state
    if state.debt is not None:
        debts.time_out(table)
        return
    match state.phase:
        case "nomination":
            deal.nobody_nominated(table)
        case "exchange":
            deal.exchange_cheapest(table)
        case "discard":
            deal.finish_discards(table)
        case "auction":
            auction.time_out(table)
        case "training":
            training.time_out(table)
        case "preliminaries":
            preliminaries.close_window(table)
        case "surplus":
            preliminaries.close_lot(table)
        case "favourites":
            betting.open_bets(table)
        case "betting":
            betting.call_next(table)
        case "race":
            race.time_out(table)
        case "settlement" | "entry" | "finished":
            raise AssertionError(f"nothing is awaited in {state.phase}")
