"""The reports of the training (Rulebook, "Arrêt sur une case" and "Membres du Club")."""

from typing import Final

from railbird_engine import Seat
from railbird_engine.rules.ascot.data.printed import Pack, Printed, Report
from railbird_engine.rules.ascot.debts import owe, owe_office
from railbird_engine.rules.ascot.desk import Desk
from railbird_engine.rules.ascot.events import (
    AdvantagesGained,
    DisadvantagesCleared,
    DisadvantagesGained,
    HorseEliminated,
    HorseTrained,
    ReportKept,
    ReportTaken,
    Strangled,
)
from railbird_engine.rules.ascot.state import PRIZE_FUND, WHITE, AscotState, PackState, horses_of

_FOR_A_HORSE: Final = ("advantage", "disadvantage", "clear", "forward", "withdraw")


def lay_out(desk: Desk) -> None:
    """Set up the packs and the stock of small cards."""
    state, printed = desk.state, desk.printed
    packs: tuple[Pack, ...] = ("walroy", "stevens", "veterinary")
    state.packs = {pack: PackState(sorted(printed.pack_codes(pack))) for pack in packs}
    state.stock = {colour: row.advantages for colour, row in printed.colours.items()}
    state.stock[WHITE] = printed.tariff.disadvantages


def is_empty(state: AscotState, pack: Pack) -> bool:
    """Whether a pack is empty because players keep all its cards."""
    return not state.packs[pack].fresh and not state.packs[pack].under


def needs_a_horse(report: Report) -> bool:
    """Whether the report applies to one horse."""
    return report.effect in _FOR_A_HORSE


def horses_for(printed: Printed, state: AscotState, seat: Seat, pack: Pack) -> list[int]:
    """The horses of a seat to which a report of this pack can apply (Ruling A12).

    They are in training, and of the trainer's stable.
    """
    return [
        number
        for number in horses_of(state, seat, "training")
        if pack in {"veterinary", printed.stable(number)}
    ]


def draw(desk: Desk, seat: Seat, pack: Pack) -> Report:
    """Take the top card; it goes back under the pack unless it is kept.

    While some cards were never drawn, any of them may be the top one: no secret order exists.
    """
    cards = desk.state.packs[pack]
    code = desk.chance.take(cards.fresh) if cards.fresh else cards.under.pop(0)
    report = desk.printed.report(pack, code)
    if report.effect != "keep":
        cards.under.append(code)
    desk.emit(ReportTaken(seat=seat, pack=pack, card=code))
    return report


def obey(desk: Desk, seat: Seat, pack: Pack, report: Report, number: int | None) -> None:
    """Carry out a report for this horse; it may open a debt, as its last effect."""
    match report.effect:
        case "keep":
            assert report.keeps is not None
            desk.give(f"report:{report.keeps}", seat)
            desk.emit(ReportKept(seat=seat, report=report.keeps))
        case "pay":
            owe_office(desk, seat, pack, report.amount, "report")
        case "pay_each":
            horses = len(horses_of(desk.state, seat, "training", "home"))
            owe_office(desk, seat, pack, report.amount * horses, "report")
        case "receive":
            _receive(desk, seat, pack, report.amount)
        case "strangles":
            _suffer_strangles(desk, seat)
        case _:
            assert number is not None
            _concern_horse(desk, number, report)


def _concern_horse(desk: Desk, number: int, report: Report) -> None:
    horse = desk.state.horses[number]
    match report.effect:
        case "advantage":
            gain_advantages(desk, number, report.amount)
        case "disadvantage":
            gain_disadvantages(desk, number, report.amount)
        case "clear":
            cleared = min(report.amount, horse.disadvantages)
            desk.change_horse(number, disadvantages=horse.disadvantages - cleared)
            desk.state.stock[WHITE] += cleared
            desk.emit(DisadvantagesCleared(horse=number, cards=cleared))
        case "forward":
            advance(
                desk, number, report.amount
            )  # Ruling A14: the square that it reaches is not obeyed.
        case "withdraw":
            desk.change_horse(number, fate="eliminated", square=None, advantages=0, disadvantages=0)
            desk.emit(HorseEliminated(horse=number))


def _receive(desk: Desk, seat: Seat, pack: Pack, amount: int) -> None:
    """Pay the seat from the office, or from the Bank as far as it can (Ruling A10)."""
    holder = desk.state.offices.get(pack)
    if holder is None:
        amount = min(amount, desk.state.purses[PRIZE_FUND])
        desk.pay_due(None, None, seat, amount, "report")
    else:
        owe(desk, holder, seat, amount, "report", office=pack)


def _suffer_strangles(desk: Desk, seat: Seat) -> None:
    """End the turn before other horses move; the next throw is lost (Rulebook, "Note")."""
    training = desk.state.training
    assert training is not None
    training.queue = []
    training.step = "moving"
    desk.state.strangled.append(seat)
    desk.emit(Strangled(seat=seat))


def gain_advantages(desk: Desk, number: int, amount: int) -> None:
    """Give a horse Advantages of its colour, as far as the stock goes."""
    colour = desk.printed.colour(number)
    gained = min(amount, desk.state.stock[colour])
    desk.state.stock[colour] -= gained
    advantages = desk.state.horses[number].advantages + gained
    desk.change_horse(number, advantages=advantages)
    desk.emit(AdvantagesGained(horse=number, cards=gained))


def gain_disadvantages(desk: Desk, number: int, amount: int) -> None:
    """Give a horse Disadvantages, as far as the stock goes."""
    gained = min(amount, desk.state.stock[WHITE])
    desk.state.stock[WHITE] -= gained
    disadvantages = desk.state.horses[number].disadvantages + gained
    desk.change_horse(number, disadvantages=disadvantages)
    desk.emit(DisadvantagesGained(horse=number, cards=gained))


def advance(desk: Desk, number: int, points: int) -> int | None:
    """Move a horse along the loop to a square, or None: home. No exact throw is needed."""
    horse = desk.state.horses[number]
    progress = min(horse.progress + points, len(desk.printed.squares) + 1)
    square = desk.printed.square_of(number, progress)
    fate = "home" if square is None else horse.fate
    desk.change_horse(number, progress=progress, square=square, fate=fate)
    desk.emit(HorseTrained(horse=number, square=square))
    return square
