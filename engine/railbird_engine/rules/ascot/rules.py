"""L'Ascot, from the deal to the prizes: each command goes to the module of its phase."""

from collections.abc import Iterable
from datetime import timedelta
from typing import ClassVar, assert_never

from railbird_engine import (
    Alarm,
    Chance,
    CoinFault,
    Cue,
    Result,
    Rules,
    RuleViolation,
    Seat,
    Turn,
    VoidedBet,
)
from railbird_engine.rules.ascot import (
    betting,
    bidding,
    deal,
    debts,
    flow,
    landing,
    preliminaries,
    prizes,
    race,
    trades,
    training,
)
from railbird_engine.rules.ascot.book import AscotBook, book_of
from railbird_engine.rules.ascot.bot import choose, cue
from railbird_engine.rules.ascot.commands import (
    Accept,
    AcceptPlaceBet,
    ApplyReport,
    AscotCommand,
    Assign,
    Bid,
    ChooseColour,
    Confirm,
    Decline,
    DeclineClub,
    DeclinePlaceBet,
    DeclineReport,
    Discard,
    Enter,
    Exchange,
    JoinClub,
    Move,
    NameFavourite,
    NoBet,
    Nominate,
    NotReady,
    Object,
    Offer,
    Pass,
    PlaceBet,
    ProposePlaceBet,
    PutUp,
    Ready,
    TakeReport,
    Throw,
    UseReport,
    Withdraw,
)
from railbird_engine.rules.ascot.data import load
from railbird_engine.rules.ascot.data.printed import Printed
from railbird_engine.rules.ascot.desk import Desk, require
from railbird_engine.rules.ascot.events import AscotEvent
from railbird_engine.rules.ascot.legal import legal_commands
from railbird_engine.rules.ascot.options import GUIDE, AscotOptions
from railbird_engine.rules.ascot.refusals import REFUSALS
from railbird_engine.rules.ascot.state import AscotState, all_purses
from railbird_engine.rules.ascot.view import AscotView, awaited_seats, view_of


class Ascot(Rules[AscotOptions, AscotState, AscotCommand, AscotEvent]):
    """The whole rulebook. A host with other cards or boards passes them as `printed`.

    `railbird_engine.rules.ascot.data.load` reads them from a folder.
    """

    slug = "ascot"
    title = {"en": "Ascot", "fr": "L'Ascot"}
    seats = range(2, 7)
    unit = "franc"
    version = 4
    limits = (
        *("nomination_s", "exchange_s", "discard_s", "bid_s", "training_s", "sale_s", "trade_s"),
        *("favourite_s", "bet_s", "race_s", "hazard_s"),
    )
    options_guide = GUIDE
    steps_max = 8_000  # Bids: all the money in notes; few races need more than 300 throws.
    sole_commands = {
        Pass: "to pass for a seat would tell what it has or reserves (ruling B12)",
        DeclineReport: "to decline for a seat would tell that it has no note (ruling B12)",
        DeclineClub: "to decline for a seat would tell that it has too little money (ruling B12)",
        NoBet: "to refrain for a seat would tell that it has no note (ruling B12)",
        Throw: "the players set the pace of their throws (ruling B15)",
        Ready: "other seats may still make it an offer (ruling B12)",
    }
    hides_money: ClassVar = {"private_cash": True}
    refusals = frozenset(REFUSALS)
    example_options = ({}, {"place_bets": True, "manual_objection": True})
    legal_is_complete = False  # Bids, stakes and offers are any sum.

    def __init__(self, printed: Printed | None = None) -> None:
        super().__init__()
        self.printed = load() if printed is None else printed

    def edition(self, options: AscotOptions) -> str:
        return self.printed.edition

    @property
    def editions(self) -> frozenset[str]:
        return frozenset({self.printed.edition})

    def setup(self, seats: int, options: AscotOptions) -> AscotState:
        for role, seat in (("banker", options.banker), ("dealer", options.dealer)):
            require(seat < seats, "no_such_seat", role=role, seat=seat)
        return AscotState(
            purses=all_purses(seats),
            options=options,
            seats=seats,
            hands=[[] for _ in range(seats)],
            kept=[[] for _ in range(seats)],
        )

    def deal(self, turn: Turn[AscotState, AscotEvent]) -> None:
        desk = Desk(turn, self.printed)
        deal.deal(desk)
        flow.carry_on(desk)

    def play(self, turn: Turn[AscotState, AscotEvent], seat: Seat, command: AscotCommand) -> None:
        desk = Desk(turn, self.printed)
        state = desk.state
        require(state.phase != "finished", "game_over")
        if state.debt is not None and not isinstance(command, PutUp | Bid | Pass):
            raise RuleViolation("forced_sale_first", debtor=state.debt.seat)
        match command:
            case Offer() | Accept() | Decline() | Withdraw():
                self._trade(desk, seat, command)
            case PutUp() | Bid() | Pass():
                self._sell(desk, seat, command)
            case Nominate() | Exchange() | Discard():
                self._deal(desk, seat, command)
            case TakeReport() | ApplyReport() | JoinClub() | DeclineClub():
                self._train(desk, seat, command)
            case Throw():
                training.throw(desk, seat)
            case Enter() | Ready() | NotReady() | NameFavourite():
                self._prepare(desk, seat, command)
            case PlaceBet() | NoBet() | ProposePlaceBet() | AcceptPlaceBet() | DeclinePlaceBet():
                self._bet(desk, seat, command)
            case (
                Assign()
                | Move()
                | ChooseColour()
                | UseReport()
                | DeclineReport()
                | Object()
                | Confirm()
            ):
                self._race(desk, seat, command)
            case _:
                assert_never(command)
        flow.carry_on(desk)

    def _deal(self, desk: Desk, seat: Seat, command: Nominate | Exchange | Discard) -> None:
        match command:
            case Nominate(candidate=candidate):
                deal.nominate(desk, seat, candidate)
            case Exchange(card=card):
                deal.exchange(desk, seat, card)
            case Discard(cards=cards):
                deal.discard(desk, seat, cards)

    def _sell(self, desk: Desk, seat: Seat, command: PutUp | Bid | Pass) -> None:
        match command:
            case PutUp(asset=asset):
                debts.put_up(desk, seat, asset)
            case Bid(asset=asset, amount=amount):
                bidding.bid(desk, seat, asset, amount)
            case Pass(asset=asset):
                bidding.leave(desk, seat, asset)

    def _train(
        self, desk: Desk, seat: Seat, command: TakeReport | ApplyReport | JoinClub | DeclineClub
    ) -> None:
        match command:
            case TakeReport(pack=pack):
                training.take_report(desk, seat, pack)
            case ApplyReport(horse=horse):
                training.apply_report(desk, seat, horse)
            case JoinClub():
                training.answer_club(desk, seat, joins=True)
            case DeclineClub():
                training.answer_club(desk, seat, joins=False)

    def _trade(self, desk: Desk, seat: Seat, command: Offer | Accept | Decline | Withdraw) -> None:
        match command:
            case Offer():
                trades.offer(desk, seat, command)
            case Accept(offer=offer):
                trades.accept(desk, seat, offer)
            case Decline(offer=offer):
                trades.decline(desk, seat, offer)
            case Withdraw(offer=offer):
                trades.withdraw(desk, seat, offer)

    def _prepare(
        self, desk: Desk, seat: Seat, command: Enter | Ready | NotReady | NameFavourite
    ) -> None:
        match command:
            case Enter(horses=horses):
                preliminaries.enter(desk, seat, horses)
            case Ready():
                preliminaries.ready(desk, seat)
            case NotReady():
                preliminaries.not_ready(desk, seat)
            case NameFavourite(horse=favourite):
                betting.name_favourite(desk, seat, favourite)

    def _bet(
        self,
        desk: Desk,
        seat: Seat,
        command: PlaceBet | NoBet | ProposePlaceBet | AcceptPlaceBet | DeclinePlaceBet,
    ) -> None:
        match command:
            case PlaceBet(horse=horse, stake=stake):
                betting.place_bet(desk, seat, horse, stake)
            case NoBet(horse=horse):
                betting.no_bet(desk, seat, horse)
            case ProposePlaceBet():
                betting.propose_contract(desk, seat, command)
            case AcceptPlaceBet(contract=contract):
                betting.answer_contract(desk, seat, contract, agrees=True)
            case DeclinePlaceBet(contract=contract):
                betting.answer_contract(desk, seat, contract, agrees=False)

    def _race(
        self,
        desk: Desk,
        seat: Seat,
        command: Assign | Move | ChooseColour | UseReport | DeclineReport | Object | Confirm,
    ) -> None:
        match command:
            case Object(horse=horse):
                race.object_to(desk, seat, horse)
            case Confirm():
                race.confirm(desk, seat)
            case Assign(horse=horse):
                race.assign(desk, seat, horse)
            case Move(lane=lane):
                landing.move(desk, race.turn_of(desk, seat), lane)
            case ChooseColour(choice=choice):
                landing.choose_colour(desk, race.turn_of(desk, seat), choice)
            case UseReport():
                landing.use_report(desk, race.turn_of(desk, seat), seat)
            case DeclineReport():
                landing.decline_report(desk, race.turn_of(desk, seat))

    def tick(self, turn: Turn[AscotState, AscotEvent]) -> None:
        desk = Desk(turn, self.printed)
        flow.time_out(desk)
        flow.carry_on(desk)

    def alarm(self, state: AscotState) -> Alarm | None:
        if not state.clock.seconds:
            return None
        return Alarm(state.clock.number, timedelta(seconds=state.clock.seconds))

    def void_bet(self, turn: Turn[AscotState, AscotEvent], bet: VoidedBet) -> int:
        return betting.void_bet(Desk(turn, self.printed), bet)

    def legal(self, state: AscotState, seat: Seat) -> Iterable[AscotCommand]:
        return legal_commands(self.printed, state, seat)

    def view(self, state: AscotState, viewer: Seat | None) -> AscotView:
        return view_of(self.printed, state, viewer)

    def awaited(self, state: AscotState) -> frozenset[Seat]:
        return frozenset(awaited_seats(state))

    def bot(
        self, view: AscotView, legal: Iterable[AscotCommand], chance: Chance
    ) -> AscotCommand | None:
        return choose(self.printed, view, legal, chance)

    def bot_cue(self, state: AscotState, seat: Seat) -> Cue | None:
        return cue(state, seat)

    def book(self) -> AscotBook:
        return book_of(self.printed)

    def unfit_for_coins(self, options: AscotOptions) -> CoinFault | None:
        """With `victory: money`, two seats win by selling all that they have to each other."""
        collusion: CoinFault | None = "collusion" if options.victory == "money" else None
        return super().unfit_for_coins(options) or collusion

    def result(self, state: AscotState) -> Result | None:
        return prizes.result(state)
