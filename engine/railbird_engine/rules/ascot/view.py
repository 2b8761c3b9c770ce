"""The only filter of state: hidden cards, reserves and the order of packs stay secret."""

from typing import Literal

import msgspec

from railbird_engine import Seat, View
from railbird_engine.rules.ascot.bidding import bid_limit, least_bid
from railbird_engine.rules.ascot.commands import ColourChoice
from railbird_engine.rules.ascot.data.printed import COLOURS, Colour, Hazard, Office, Pack, Printed
from railbird_engine.rules.ascot.debts import assets_for_sale
from railbird_engine.rules.ascot.options import AscotOptions
from railbird_engine.rules.ascot.path import Path
from railbird_engine.rules.ascot.race import Outlook, choices_to_assign, outlook
from railbird_engine.rules.ascot.race_events import TotalisatorPaid
from railbird_engine.rules.ascot.state import (
    PRIZE_FUND,
    TOTALISATOR,
    Arrival,
    AscotState,
    Contract,
    DueReason,
    Horse,
    OpenOffer,
    Phase,
    RaceStep,
    Ticket,
    cash,
    changes_left,
    is_member,
    reserved,
    share,
)


class PlayerView(msgspec.Struct, frozen=True):
    """A player. The option `private_cash` hides `cash` (null). `hand` counts hidden cards.

    `share` is the number of horses that the player runs, from the preliminaries on. `advantages`
    and `disadvantages` are the player's common hand in the race.
    """

    cash: int | None
    hand: int
    is_member: bool
    reports: tuple[Hazard, ...]
    favourite: int | None
    share: int
    advantages: dict[Colour, int]
    disadvantages: int


class OwnView(msgspec.Struct, frozen=True):
    """The viewer's secrets: the cards in hand and the price `reserved` for them, the highest
    possible bid, the discards, and the offers and changes of mind that are left in this phase."""

    seat: Seat
    hand: tuple[str, ...]
    reserved: int
    bid_limit: int
    discards: tuple[str, ...] | None
    changes_left: int


class LotView(msgspec.Struct, frozen=True):
    """The asset on sale. `open_to` may still bid, `least` is the lowest bid that counts."""

    asset: str
    seller: Seat | None
    open_to: tuple[Seat, ...]
    bidder: Seat | None
    price: int
    least: int


class DebtView(msgspec.Struct, frozen=True):
    """A forced sale: the seat that must sell, the sum, the assets that it can offer."""

    seat: Seat
    amount: int
    reason: DueReason
    for_sale: tuple[str, ...]


class TrainingView(msgspec.Struct, frozen=True):
    """The turn in training. `card` of `pack` is a report whose horse the seat must choose."""

    seat: Seat
    step: Literal["before_throw", "target", "moving", "club"]
    dice: tuple[int, int] | None
    queue: tuple[int, ...]
    has_drawn: bool
    pack: Pack | None
    card: str | None
    fee: int


class RaceView(msgspec.Struct, frozen=True):
    """The race: the seat to play, its horse, and the choices that it has now.

    In the step `assign`, `outlooks` has what the throw would do for each assignable horse. In the
    step `move`, `ways` maps each lane that may be chosen to the squares on the way there.
    """

    seat: Seat
    step: RaceStep
    die: int
    horse: int
    left: tuple[int, ...]
    assignable: tuple[int, ...]
    outlooks: dict[int, Outlook]
    ways: dict[int, Path]
    choices: tuple[ColourChoice, ...]
    has_used_colour: bool
    has_used_inscription: bool
    hazard: Hazard | None
    arrivals: tuple[Arrival, ...]


class AscotView(View, frozen=True, kw_only=True):
    """The game as a seat or a spectator sees it. `awaited` are the seats that must decide.

    At the end `placed` are the first three horses, `prizes` their prizes, `banker_fee` the Banker's
    tenth, and `tote` the division of the totalisator. A seat's cash is then what it had after the
    race, with the place bets, and its prizes, this fee, its stakes on the first horse times
    `tote.factor`, and as `tote.bookmaker` the `tote.rest`.
    """

    edition: str
    options: AscotOptions
    phase: Phase
    awaited: tuple[Seat, ...]
    answered: tuple[Seat, ...]
    players: list[PlayerView]
    own: OwnView | None
    pile: int
    prize_fund: int
    totalisator: int
    horses: dict[int, Horse]
    offices: dict[Office, Seat]
    lot: LotView | None
    debt: DebtView | None
    training: TrainingView | None
    offers: tuple[OpenOffer, ...]
    strangled: tuple[Seat, ...]
    runners_each: int
    entries: dict[int, list[int]]
    called: int | None
    tickets: tuple[Ticket, ...]
    contracts: tuple[Contract, ...] | None
    race: RaceView | None
    placed: tuple[int, ...]
    prizes: tuple[int, ...]
    banker_fee: int
    tote: TotalisatorPaid | None


def awaited_seats(state: AscotState) -> list[Seat]:
    """Return the seats that must decide something."""
    everyone = [Seat(seat) for seat in range(state.seats)]
    if state.lot is not None:
        return state.lot.rivals
    if state.debt is not None:
        return [state.debt.seat]
    match state.phase:
        case "nomination":
            return [seat for seat in everyone if state.votes[seat] is None]
        case "exchange":
            return [] if state.turn is None else [state.turn]
        case "discard":
            return [seat for seat in everyone if state.discards[seat] is None]
        case "training":
            return [] if state.training is None else [state.training.seat]
        case "preliminaries" | "favourites" | "betting":
            return [seat for seat in everyone if seat not in state.answered]
        case "race":
            assert state.race is not None
            if state.race.step == "objections":
                return [seat for seat in everyone if seat not in state.answered]
            return [state.race.seat]
        case _:
            return []


def view_of(printed: Printed, state: AscotState, viewer: Seat | None) -> AscotView:
    """The only filter of the state."""
    return AscotView(
        edition=printed.edition,
        options=state.options,
        phase=state.phase,
        awaited=tuple(awaited_seats(state)),
        answered=tuple(state.answered),
        players=_players(state, viewer),
        own=None if viewer is None else _own(printed, state, viewer),
        pile=len(state.dead) + len(state.under),
        prize_fund=state.purses[PRIZE_FUND],
        totalisator=state.purses[TOTALISATOR],
        horses=state.horses,
        offices=state.offices,
        lot=_lot(printed, state),
        debt=_debt(printed, state),
        training=_training(state),
        offers=tuple(state.offers),
        strangled=tuple(state.strangled),
        runners_each=state.runners_each,
        entries=state.entries,
        called=state.queue[0] if state.phase == "betting" and state.queue else None,
        tickets=tuple(state.tickets),
        contracts=None if viewer is None else _contracts_of(state, viewer),
        race=_race(printed, state),
        placed=tuple(state.placed),
        prizes=tuple(state.prizes),
        banker_fee=state.banker_fee,
        tote=state.tote,
    )


def _players(state: AscotState, viewer: Seat | None) -> list[PlayerView]:
    hides_cash, favourites, race = state.options.private_cash, state.favourites, state.race
    players = []
    for seat in map(Seat, range(state.seats)):
        cards = race.hands[seat] if race else None
        players.append(
            PlayerView(
                cash=None if hides_cash and seat != viewer else cash(state, seat),
                hand=len(state.hands[seat]),
                is_member=is_member(state, seat),
                reports=tuple(state.kept[seat]),
                favourite=favourites[seat] if favourites else None,
                share=share(state, seat),
                advantages=dict(zip(COLOURS, cards.advantages, strict=True)) if cards else {},
                disadvantages=cards.disadvantages if cards else 0,
            )
        )
    return players


def _own(printed: Printed, state: AscotState, seat: Seat) -> OwnView:
    chosen = state.discards[seat] if state.discards else None
    return OwnView(
        seat=seat,
        hand=tuple(state.hands[seat]),
        reserved=reserved(printed, state, seat),
        bid_limit=bid_limit(printed, state, seat, state.lot.asset if state.lot else None),
        discards=None if chosen is None else tuple(chosen),
        changes_left=changes_left(state, seat),
    )


def _lot(printed: Printed, state: AscotState) -> LotView | None:
    lot = state.lot
    if lot is None:
        return None
    return LotView(
        lot.asset, lot.seller, tuple(lot.open_to), lot.bidder, lot.price, least_bid(printed, lot)
    )


def _debt(printed: Printed, state: AscotState) -> DebtView | None:
    debt = state.debt
    if debt is None:
        return None
    return DebtView(
        debt.seat, debt.amount, debt.reason, tuple(assets_for_sale(printed, state, debt))
    )


def _training(state: AscotState) -> TrainingView | None:
    turn = state.training
    if turn is None:
        return None
    queue = tuple(turn.queue)
    return TrainingView(
        turn.seat, turn.step, turn.dice, queue, turn.has_drawn, turn.pack, turn.card, turn.fee
    )


def _contracts_of(state: AscotState, viewer: Seat) -> tuple[Contract, ...]:
    """The place bets to which the viewer is a party."""
    is_bookmaker = state.offices.get("bookmaker") == viewer
    contracts = state.contracts
    return tuple(each for each in contracts if is_bookmaker or each.seat == viewer)


def _race(printed: Printed, state: AscotState) -> RaceView | None:
    race = state.race
    if race is None:
        return None
    assignable = tuple(choices_to_assign(state)) if race.step == "assign" else ()
    return RaceView(
        seat=race.seat,
        step=race.step,
        die=race.die,
        horse=race.horse,
        left=tuple(race.left),
        assignable=assignable,
        outlooks={number: outlook(printed, state, number) for number in assignable},
        ways=race.ways,
        choices=tuple(race.choices),
        has_used_colour=race.has_used_colour,
        has_used_inscription=race.has_used_inscription,
        hazard=race.hazard,
        arrivals=tuple(race.arrivals),
    )
