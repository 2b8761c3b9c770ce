"""The bot: its choice in each phase. It knows only the printed content and its own view."""

from collections.abc import Iterable, Mapping
from typing import Final

from railbird_engine import BotLevel, Chance, Cue, Seat
from railbird_engine.rules.ascot import bot_market, bot_race
from railbird_engine.rules.ascot.commands import (
    ApplyReport,
    AscotCommand,
    Assign,
    ChooseColour,
    DeclineClub,
    Discard,
    Exchange,
    JoinClub,
    Move,
    NameFavourite,
    Nominate,
    TakeReport,
    Throw,
)
from railbird_engine.rules.ascot.data.printed import Printed
from railbird_engine.rules.ascot.state import AscotState, Phase
from railbird_engine.rules.ascot.view import AscotView, OwnView, TrainingView, awaited_seats

REACTION_MS: Final[Mapping[Phase, tuple[int, int]]] = {
    "nomination": (1_500, 3_000),
    "exchange": (1_500, 3_500),
    "discard": (2_500, 6_000),
    "training": (1_500, 3_000),
    "preliminaries": (3_000, 8_000),
    "favourites": (2_000, 5_000),
    "betting": (4_500, 8_000),
    "race": (1_500, 3_000),
}
"""The time that a bot takes for a choice."""
BID_MS: Final = (4_500, 6_000)
DEAL_MS: Final = (2_500, 5_000)

CARELESS: Final[Mapping[BotLevel, int]] = {"casual": 60, "regular": 30, "expert": 0}
"""In how many percent of its choices in the race a bot does not think."""
CLUB_CASH: Final = 60_000
"""With less than this a bot does not join the Club."""


def cue(state: AscotState, seat: Seat) -> Cue | None:
    """Return what the bot in this seat reacts to: an offer, a bid, or a choice of its own."""
    limit_s = state.clock.seconds
    offers = tuple(
        offer.number
        for offer in state.offers
        if offer.seat != seat and offer.to in {None, seat} and seat not in offer.declined
    )
    if offers:
        return Cue(("offers", offers), *DEAL_MS).within(limit_s)
    if seat not in awaited_seats(state):
        return None
    if state.lot is not None:
        return Cue((state.lot.asset, state.lot.price), *BID_MS).within(limit_s)
    if state.debt is not None:
        return Cue(("debt", state.clock.number), *DEAL_MS).within(limit_s)
    what = state.phase, state.clock.number, state.queue[:1], len(state.contracts)
    return Cue(str(what), *REACTION_MS[state.phase]).within(limit_s)


def choose(
    printed: Printed, view: AscotView, legal: Iterable[AscotCommand], chance: Chance
) -> AscotCommand | None:
    """Choose a command, or None to wait."""
    own = view.own
    assert own is not None
    if view.offers:
        legal = list(legal)
        answer = bot_market.answer_offers(printed, view, own, legal)
        if answer is not None:
            return answer
    return _decide(printed, view, own, legal, chance) if own.seat in view.awaited else None


def _decide(
    printed: Printed, view: AscotView, own: OwnView, legal: Iterable[AscotCommand], chance: Chance
) -> AscotCommand | None:
    """Decide what the game awaits from the bot."""
    if view.lot is not None or view.debt is not None:
        return bot_market.sell(printed, view, own, chance)
    match view.phase:
        case "nomination" | "exchange" | "discard":
            return _deal(printed, view, own)
        case "training":
            assert view.training is not None
            return _train(printed, view, view.training, legal, chance)
        case "preliminaries":
            return bot_market.prepare(printed, view, own, chance)
        case "favourites":
            return NameFavourite(best_runner(printed, view, own.seat))
        case "betting":
            return bot_market.bet(printed, view, own, legal, chance)
        case "race":
            if _is_careless(view, own, chance):
                kinds = Assign | Move | ChooseColour
                return chance.pick([option for option in legal if isinstance(option, kinds)])
            return bot_race.ride(printed, view, own, legal, chance)
        case _:
            return None


def _is_careless(view: AscotView, own: OwnView, chance: Chance) -> bool:
    """Whether the bot moves a horse without a thought. It never forgets its Disadvantages."""
    assert view.race is not None
    is_free = view.race.step == "colour" and not view.players[own.seat].disadvantages
    moves = view.race.step in {"assign", "move"} or is_free
    return moves and chance.below(100) < CARELESS[view.options.bots]


def _deal(printed: Printed, view: AscotView, own: OwnView) -> AscotCommand:
    """Vote for the Dealer, throw the least valuable card, keep runners and offices."""
    if view.phase == "nomination":
        return Nominate(Seat(view.options.dealer))
    unwanted = bot_market.unwanted_cards(printed, view, own)
    if view.phase == "discard":
        return Discard(tuple(sorted(unwanted)))
    cheapest = min(own.hand, key=lambda card: bot_market.worth(printed, card))
    return Exchange(unwanted[0] if unwanted else cheapest)


def _train(
    printed: Printed,
    view: AscotView,
    turn: TrainingView,
    legal: Iterable[AscotCommand],
    chance: Chance,
) -> AscotCommand:
    """Take a trainer's report, join the Club early, give each report to the right horse."""
    options = list(legal)
    match turn.step:
        case "club":
            cash = view.players[turn.seat].cash or 0
            own_horses = [horse for horse in view.horses.values() if horse.owner == turn.seat]
            is_early = any(horse.progress < 30 for horse in own_horses)
            return JoinClub() if is_early and cash > CLUB_CASH else DeclineClub()
        case "target":
            assert turn.pack is not None and turn.card is not None
            effect = printed.report(turn.pack, turn.card).effect
            horses = [option.horse for option in options if isinstance(option, ApplyReport)]
            ranked = sorted(
                horses,
                key=lambda number: (
                    printed.extra_rows(number),
                    view.horses[number].disadvantages,
                ),
            )
            is_good = effect in {"advantage", "forward", "clear"}
            return ApplyReport(ranked[-1] if is_good else ranked[0])
        case _:
            reports = [option for option in options if isinstance(option, TakeReport)]
            trainers = [report for report in reports if report.pack != "veterinary"]
            return chance.pick(trainers) if trainers else Throw()


def best_runner(printed: Printed, view: AscotView, seat: Seat) -> int | None:
    """The runner with the most extra rows, and among equals the most Advantages."""
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
