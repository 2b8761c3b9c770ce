"""A fair opponent: what it does in each phase. It knows the printed game and its own view, nothing
else."""

from collections.abc import Iterable

from games.engine import Chance, Seat
from games.rules.ascot import bot_market, bot_race
from games.rules.ascot.commands import (
    ApplyReport,
    AscotCommand,
    DeclineClub,
    Discard,
    Exchange,
    JoinClub,
    NameFavourite,
    Nominate,
    Reveal,
    TakeReport,
    Throw,
)
from games.rules.ascot.data.printed import Printed
from games.rules.ascot.view import AscotView, OwnView, TrainingView

CLUB_CASH = 60_000
"""With less than this a bot does not join the Club."""


def choose(
    printed: Printed, view: AscotView, legal: Iterable[AscotCommand], chance: Chance
) -> AscotCommand | None:
    """What the bot of this view does now; None: it waits."""
    own = view.own
    assert own is not None
    if view.offers and (answer := bot_market.answer_offers(printed, view, own)) is not None:
        return answer
    return _decide(printed, view, own, legal, chance) if own.seat in view.awaited else None


def _decide(
    printed: Printed, view: AscotView, own: OwnView, legal: Iterable[AscotCommand], chance: Chance
) -> AscotCommand | None:
    """What the bot does when the game awaits it."""
    if view.lot is not None or view.debt is not None:
        return bot_market.sell(printed, view, own, chance)
    match view.phase:
        case "nomination" | "exchange" | "discard" | "auction":
            return _deal(printed, view, own)
        case "training":
            assert view.training is not None
            return _train(printed, view, view.training, legal, chance)
        case "preliminaries":
            return bot_market.prepare(printed, view, own, chance)
        case "favourites":
            return NameFavourite(best_runner(printed, view, own.seat))
        case "betting":
            return bot_market.bet(printed, view, own, chance)
        case "race":
            return bot_race.ride(printed, view, own, legal, chance)
        case _:
            return None


def _deal(printed: Printed, view: AscotView, own: OwnView) -> AscotCommand:
    """Let the Dealer be Auctioneer, throw what is worth least, keep runners and offices."""
    if view.phase == "nomination":
        return Nominate(Seat(view.options.dealer))
    unwanted = bot_market.unwanted_cards(printed, view, own)
    if view.phase == "exchange":
        return Exchange(
            unwanted[0]
            if unwanted
            else min(own.hand, key=lambda card: bot_market.worth(printed, card))
        )
    if view.phase == "discard":
        return Discard(tuple(sorted(unwanted)))
    return Reveal()


def _train(
    printed: Printed,
    view: AscotView,
    turn: TrainingView,
    legal: Iterable[AscotCommand],
    chance: Chance,
) -> AscotCommand:
    """Take the report a member is entitled to, join the Club while it pays, put each report where
    it does most good."""
    options = list(legal)
    match turn.step:
        case "club":
            cash = view.players[turn.seat].cash or 0
            is_early = any(
                horse.owner == turn.seat and horse.progress < 30 for horse in view.horses.values()
            )
            return JoinClub() if is_early and cash > CLUB_CASH else DeclineClub()
        case "target":
            assert turn.pack is not None and turn.card is not None
            horses = [option.horse for option in options if isinstance(option, ApplyReport)]
            effect = printed.report(turn.pack, turn.card).effect
            is_good = effect in {"advantage", "forward", "clear"}
            ranked = sorted(
                horses,
                key=lambda number: (printed.extra_rows(number), view.horses[number].disadvantages),
            )
            return ApplyReport(ranked[-1] if is_good else ranked[0])
        case _:
            reports = [
                option
                for option in options
                if isinstance(option, TakeReport) and option.pack != "veterinary"
            ]
            return chance.pick(reports) if reports else Throw()


def best_runner(printed: Printed, view: AscotView, seat: Seat) -> int | None:
    """The runner with the most extra rows, and of those the one that gained most in training."""
    runners = [
        number
        for number, horse in view.horses.items()
        if horse.owner == seat and horse.fate == "running"
    ]
    if not runners:
        return None
    return max(
        runners,
        key=lambda number: (printed.extra_rows(number), view.horses[number].advantages, -number),
    )
