"""What a viewer must never read in a game of L'Ascot, for the conformance suite."""

from collections.abc import Iterable

from games.engine import Seat, State
from games.rules.ascot.printed import Printed
from games.rules.ascot.rules import Ascot
from games.rules.ascot.state import AscotState, cash, reserved

PRINTED: Printed = Ascot().printed


def secrets(state: State, viewer: Seat | None) -> Iterable[str]:
    """Hidden cards, as they would stand in JSON; what others reserve for them; what others own, if that is hidden."""
    assert isinstance(state, AscotState)
    others = [Seat(seat) for seat in range(state.seats) if seat != viewer]
    hidden = [card for seat in others for card in state.hands[seat]] + state.dead + state.under
    yield from (f'"{card}"' for card in hidden)
    own = None if viewer is None else reserved(PRINTED, state, viewer)
    for seat in others:
        amount = reserved(PRINTED, state, seat)
        if amount and amount != own:
            yield f'"reserved":{amount},'
    if state.options.private_cash and state.phase != "finished":
        mine = None if viewer is None else cash(state, viewer)
        yield from (f'"cash":{cash(state, seat)},' for seat in others if cash(state, seat) != mine)
