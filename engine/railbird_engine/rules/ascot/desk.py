"""The desk of one step: state, money, draws and events for all phases."""

from typing import Literal

from msgspec.structs import replace

from railbird_engine import BANK, Purse, RuleViolation, Seat, Turn, seat_purse
from railbird_engine.rules.ascot.data.printed import HAZARDS, OFFICES, Office, Printed
from railbird_engine.rules.ascot.events import AscotEvent, MoneyPaid
from railbird_engine.rules.ascot.state import (
    CHANGES_MAX,
    PRIZE_FUND,
    AscotState,
    Clock,
    DueReason,
    Horse,
    Phase,
    changes_left,
    kind_and_name,
    office_purse,
    purse_of,
)


def require(condition: bool, code: str, **data: object) -> None:
    """Refuse the command unless the condition holds."""
    if not condition:
        raise RuleViolation(code, **data)


class Desk:
    """The state of one step, the printed content, and the ways to change money and ownership."""

    def __init__(self, turn: Turn[AscotState, AscotEvent], printed: Printed) -> None:
        self.state = turn.state
        self.options = turn.state.options
        self.chance = turn.chance
        self.printed = printed
        self._turn = turn

    def emit(self, event: AscotEvent) -> None:
        """Record an event."""
        self._turn.emit(event)

    def wait(self, seconds: int) -> None:
        """Begin a new wait for players; after `seconds`, unless 0, the clock decides."""
        self.state.clock = Clock(self.state.clock.number + 1, seconds)

    def require_phase(self, phase: Phase) -> None:
        """Refuse a command that belongs to another phase."""
        require(self.state.phase == phase, "not_now", phase=self.state.phase)

    def count_change(self, seat: Seat) -> None:
        """Count an offer, a proposal or a change of mind, or refuse one too many (Ruling B16)."""
        require(changes_left(self.state, seat) > 0, "too_many_changes", most=CHANGES_MAX)
        self.state.changes[seat] = self.state.changes.get(seat, 0) + 1

    def pay(self, source: Purse, target: Purse, amount: int, reason: str) -> None:
        """Move money, unless the amount is 0."""
        if amount:
            self._turn.pay(source, target, amount, reason)

    def give_back(self, purse: Purse, amount: int) -> int:
        """Repay a voided bet from the engine's bank; returns what moved."""
        return self._turn.give_back(purse, amount)

    def pay_through(
        self, office: Office | None, source: Purse, target: Purse, amount: int, reason: str
    ) -> None:
        """Move money through the purse of the office that earns or owes it, if any."""
        if office is None:
            self.pay(source, target, amount, reason)
        else:
            self.pay(source, office_purse(office), amount, reason)
            self.pay(office_purse(office), target, amount, reason)

    def pay_due(
        self,
        office: Office | None,
        payer: Seat | None,
        payee: Seat | None,
        amount: int,
        reason: DueReason | Literal["banker_fee"],
    ) -> None:
        """Move money between seats or the Bank (None), through an office if any, and tell it."""
        if amount:
            self.pay_through(office, purse_of(payer), purse_of(payee), amount, reason)
            self.emit(
                MoneyPaid(payer=payer, payee=payee, office=office, amount=amount, reason=reason)
            )

    def purse_of_office(self, office: Office) -> Purse:
        """The purse that earns the fees of an office: its holder's, or the Bank (Ruling A10)."""
        holder = self.state.offices.get(office)
        return PRIZE_FUND if holder is None else seat_purse(holder)

    def pay_bookmaker(self, source: Purse, amount: int, reason: str) -> None:
        """Pay the Bookmaker; without one the money leaves the game (Ruling A11)."""
        holder = self.state.offices.get("bookmaker")
        if holder is None:
            self.pay(source, BANK, amount, reason)
        else:
            self.pay_through("bookmaker", source, seat_purse(holder), amount, reason)

    def give(self, asset: str, seat: Seat) -> None:
        """Give a seat a horse, an office or a kept report."""
        kind, name = kind_and_name(asset)
        state = self.state
        if kind == "horse":
            number = int(name)
            if number in state.horses:
                self.change_horse(number, owner=seat)
            else:
                state.horses[number] = Horse(owner=seat)
                state.horses = dict(sorted(state.horses.items()))
            if state.training and number in state.training.queue:
                state.training.queue.remove(number)
        elif kind == "office":
            state.offices[OFFICES[OFFICES.index(name)]] = seat
        else:
            report = HAZARDS[HAZARDS.index(name)]
            state.kept[seat] = sorted([*state.kept[seat], report])

    def change_horse(self, number: int, **changes: object) -> None:
        """Replace fields of a horse."""
        horses = self.state.horses
        horses[number] = replace(horses[number], **changes)

    def take_report_from(self, asset: str, seat: Seat) -> None:
        """Take a kept report from a seat; other assets have one owner and need no such step."""
        kind, name = kind_and_name(asset)
        if kind == "report":
            self.state.kept[seat].remove(HAZARDS[HAZARDS.index(name)])

    def hand_over(self, asset: str, seller: Seat, buyer: Seat) -> None:
        """Move an asset from one seat to another; a horse keeps its small cards."""
        self.take_report_from(asset, seller)
        self.give(asset, buyer)
