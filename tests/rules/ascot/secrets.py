"""The secrets of a game that a viewer must never read, for the conformance suite."""

from collections.abc import Iterable

from railbird_engine import Seat, State
from railbird_engine.rules.ascot.data.printed import Printed
from railbird_engine.rules.ascot.rules import Ascot
from railbird_engine.rules.ascot.state import AscotState, cash, reserved

PRINTED: Printed = Ascot().printed


def secrets(state: State, viewer: Seat | None) -> Iterable[str]:
    """Yield hidden cards as JSON, others' reserves and place bets, and others' cash if hidden."""
    assert isinstance(state, AscotState)
    others = [Seat(seat) for seat in range(state.seats) if seat != viewer]
    hidden = [card for seat in others for card in state.hands[seat]] + state.dead + state.under
    yield from (f'"{card}"' for card in hidden)
    own = None if viewer is None else reserved(PRINTED, state, viewer)
    for seat in others:
        amount = reserved(PRINTED, state, seat)
        if amount and amount != own:
            yield f'"reserved":{amount},'
    yield from _contracts_of_others(state, viewer)
    if state.options.private_cash and state.phase != "finished":
        mine = None if viewer is None else cash(state, viewer)
        yield from (f'"cash":{cash(state, seat)},' for seat in others if cash(state, seat) != mine)


def _contracts_of_others(state: AscotState, viewer: Seat | None) -> Iterable[str]:
    """Yield place bets of two others, unless the viewer has one with the same terms."""
    terms: dict[bool, set[str]] = {True: set(), False: set()}
    for contract in state.contracts:
        is_party = viewer is not None and viewer in {contract.seat, state.offices.get("bookmaker")}
        terms[is_party].add(
            f'"horse":{contract.horse},"stake":{contract.stake},"payout":{contract.payout}'
        )
    yield from sorted(terms[False] - terms[True])
