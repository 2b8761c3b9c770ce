"""The opponents: they place small tokens early and large ones late, and see only their
view.

`bot_worth.py` estimates the worth of bets and cards.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from railbird_engine import BotLevel, Chance, Cue, Seat
from railbird_engine.rules.ready_set_bet.announcer import is_pause
from railbird_engine.rules.ready_set_bet.bot_worth import Stake, spot_worths, vip_worth
from railbird_engine.rules.ready_set_bet.commands import (
    AnswerOffer,
    GetReady,
    KeepVip,
    PlaceBet,
    RaceCommand,
    RollDice,
    SkipTokens,
    StartRace,
)
from railbird_engine.rules.ready_set_bet.data.decks import Box
from railbird_engine.rules.ready_set_bet.state import ReadySetBetState
from railbird_engine.rules.ready_set_bet.view import ReadySetBetView
from railbird_engine.rules.ready_set_bet.vip import bonus_tokens_left, effects_in_race
from railbird_engine.rules.ready_set_bet.vip_effects import NO_EFFECTS, VipEffects, effects_of

_PATIENCE: Final = (6, 18, 27, 35, 42)
"""The age of a race, in rolls, at which a bot places its first, second and further tokens. Bets
close after about 55 rolls."""

_HASTE_PER_CROSSING: Final = 8
"""Each horse over the red line adds this many rolls to the age, because the closing is nearer."""

_SEEN_ENOUGH: Final = 32
"""From this age on, a bot places its largest token first; before it, the smallest."""

_LAST_MOMENTS_OPEN: Final = 12
_LAST_MOMENTS_CLOSED: Final = 11
"""At this position of the leading horse, a bot places the token that it kept for a late bet. One
race in three ends without a closing, so the bot does not wait for it."""

_NEARLY: Final = 0.75
"""A bot picks among the spots that are worth at least this share of the best one."""

_ATTENTION: Final[Mapping[BotLevel, int]] = {"casual": 8, "regular": 15, "expert": 1_000}
"""A bot compares this many free spots before it places a token."""

_WILLING: Final = 3
"""One bot in this many accepts an offer to announce."""


_FULL_PACE_MS: Final = 1_000
"""At a quicker pace of the rolls than this, the delays of bots shrink in proportion."""

_REACTION_MS: Final[Mapping[BotLevel, tuple[int, int]]] = {
    "casual": (3_500, 8_000),
    "regular": (3_000, 6_500),
    "expert": (2_500, 5_000),
}
"""The time from a bot's cue to its command, at least and at most."""

_START_MS: Final = (1_500, 2_500)
"""The time that an announcer takes for a token and for the start call."""

_READY_MS: Final = (200, 800)
"""The time in which a bot follows the first player who is ready. Bots alone take the whole
pause."""

_ROLL_MS: Final = (1_500, 2_000)
"""The time from one roll of an announcer to the next, where `roll_ms` is `_FULL_PACE_MS`."""


def cue(state: ReadySetBetState, box: Box, seat: Seat) -> Cue | None:
    """Return what the bot in this seat reacts to: its next token is due, a horse crosses the red
    line, bets close, or the announcer may act. Ends None between races and while bets are closed
    to it."""
    if state.ready and is_pause(state):
        return None if seat in state.ready else _cue(state, (), *_READY_MS)
    announces = seat == state.announcer
    match state.phase:
        case "open" | "closed" if announces:
            return None if state.options.server_rolls else _rolling(state)
        case "open":
            course = state.course
            tokens = len(state.tokens[seat]) + len(bonus_tokens_left(state, box, seat))
            if _is_early(seat, state.race, _age(course.rolls, course.crossed), tokens):
                return None
            late = effects_in_race(state, box, seat).late
            last = bool(late) and max(course.positions) >= _LAST_MOMENTS_OPEN
            return _reaction(state, tokens, course.crossed, last)
        case "closed":
            tokens = len(state.tokens[seat]) + len(bonus_tokens_left(state, box, seat))
            is_time = max(state.course.positions) >= _LAST_MOMENTS_CLOSED
            late = effects_in_race(state, box, seat).late
            return _reaction(state, tokens) if late and is_time and tokens else None
        case "paddock":
            return _before_the_start(state, len(state.tokens[seat])) if announces else None
        case "draft":
            vip = state.vip
            waits = vip is None or not vip.hands[seat] or vip.chosen[seat] is not None
            return None if waits else _reaction(state)
        case "offer":
            return _reaction(state) if seat == state.asked else None
        case _:
            return None


def _reaction(state: ReadySetBetState, *what: int) -> Cue:
    return _cue(state, what, *_REACTION_MS[state.options.bots])


def _before_the_start(state: ReadySetBetState, tokens: int) -> Cue | None:
    """The announcer places all tokens in the time for a choice, and then makes the start call."""
    if tokens:
        return _cue(state, (tokens,), *_START_MS)
    return None if state.options.server_rolls else _cue(state, (), *_START_MS)


def _rolling(state: ReadySetBetState) -> Cue:
    """The announcer takes the dice up again after each roll."""
    roll_ms = state.options.roll_ms
    beyond = max(0, roll_ms - _FULL_PACE_MS)
    return _cue(state, (state.course.rolls,), *(beyond + each for each in _ROLL_MS))


def _cue(state: ReadySetBetState, what: tuple[int, ...], least_ms: int, most_ms: int) -> Cue:
    pace = min(1.0, state.options.roll_ms / _FULL_PACE_MS)
    return Cue((state.race, state.phase, *what), round(least_ms * pace), round(most_ms * pace))


def choose(view: ReadySetBetView, chance: Chance) -> RaceCommand | None:
    """Return a command of the seat with this view, or None to wait."""
    seat = view.seat
    assert seat is not None
    if view.ready:
        return None if seat in view.ready else GetReady()
    if view.announcer == seat and view.asked is None and view.phase != "draft":
        return _announce(view, seat, chance)
    match view.phase:
        case "open" | "closed":
            return _bet_while_horses_run(view, seat, chance)
        case "draft":
            return _keep_vip(view)
        case "offer" if view.asked == seat:
            return AnswerOffer(accept=chance.below(_WILLING) == 0)
        case _:
            return None


def _keep_vip(view: ReadySetBetView) -> KeepVip | None:
    if view.vip is None or not view.vip.hand or view.vip.chosen:
        return None
    races_left = view.options.races - view.race + 1
    return KeepVip(max(view.vip.hand, key=lambda card: vip_worth(card, races_left)).card)


def _announce(view: ReadySetBetView, seat: Seat, chance: Chance) -> RaceCommand | None:
    """Place the six tokens, the largest first, then make the start call and roll."""
    if view.phase == "paddock":
        if tokens := view.tokens[seat]:
            return _best_bet(view, seat, Stake(max(tokens)), NO_EFFECTS, chance) or SkipTokens()
        return None if view.options.server_rolls else StartRace()
    is_running = view.phase in ("open", "closed")
    return RollDice() if is_running and not view.options.server_rolls else None


def _bet_while_horses_run(view: ReadySetBetView, seat: Seat, chance: Chance) -> PlaceBet | None:
    bonus = view.vip.bonus_tokens[seat] if view.vip else ()
    tokens = len(view.tokens[seat]) + len(bonus)
    age = _age(view.roll, view.crossed)
    if view.phase == "open" and _is_early(seat, view.race, age, tokens):
        return None
    effects = effects_of(view.vip.kept[seat]) if view.vip else NO_EFFECTS
    stakes = [*map(Stake, view.tokens[seat]), *[Stake(token.value, token) for token in bonus]]
    if effects.late or view.phase == "closed":
        stakes = _not_kept_back(view, stakes, effects)
    if not stakes:
        return None
    stake = (max if age >= _SEEN_ENOUGH else min)(stakes, key=_value)
    return _best_bet(view, seat, stake, effects, chance)


def _not_kept_back(view: ReadySetBetView, stakes: list[Stake], effects: VipEffects) -> list[Stake]:
    """Return the tokens that a bot with late-bet cards may place now. It keeps one token per card
    for the last moments of the race, when a bet is worth most."""
    foremost = max(view.positions)
    if view.phase == "closed":
        late = [stake for stake in stakes if stake.value in effects.late]
        return late if foremost >= _LAST_MOMENTS_CLOSED else []
    if foremost >= _LAST_MOMENTS_OPEN:
        return stakes
    left = stakes.copy()
    for value in effects.late:
        kept_back = next((stake for stake in left if stake.value == value), None)
        if kept_back:
            left.remove(kept_back)
    return left


def _value(stake: Stake) -> int:
    return stake.value


def _age(rolls: int, crossed: int) -> int:
    """Return the age of a race, in rolls; each horse over the red line makes it older."""
    return rolls + _HASTE_PER_CROSSING * crossed


def _is_early(seat: int, race: int, age: int, tokens: int) -> bool:
    """Whether a bot with this many tokens left waits longer before it places the next one."""
    return not tokens or age < _PATIENCE[-min(tokens, len(_PATIENCE))] + _temper(seat, race, tokens)


def _temper(seat: int, race: int, tokens: int) -> int:
    """A delay that differs from bot to bot, so that they do not all bet at once."""
    return (5 * seat + 3 * race + 4 * tokens) % 9


def _best_bet(
    view: ReadySetBetView, seat: Seat, stake: Stake, effects: VipEffects, chance: Chance
) -> PlaceBet | None:
    """Return a bet with this token on one of the best spots; None if all would lose money."""
    worths = spot_worths(view, stake, effects, _taken(view, seat, stake, effects))
    worths = _noticed(worths, _ATTENTION[view.options.bots], chance)
    best = max(worths.values(), default=0.0)
    if best <= 0:
        return None
    enough = best * _NEARLY
    spot = chance.pick([spot for spot, worth in worths.items() if worth >= enough])
    return PlaceBet(spot, stake.value, stake.bonus.colour if stake.bonus else None)


def _noticed(worths: dict[str, float], most: int, chance: Chance) -> dict[str, float]:
    """Return as many of the spots as a bot has an eye for, drawn by lot."""
    if len(worths) <= most:
        return worths
    spots = list(worths)
    return {spot: worths[spot] for spot in (chance.take(spots) for _ in range(most))}


def _taken(view: ReadySetBetView, seat: Seat, stake: Stake, effects: VipEffects) -> set[str]:
    """Return the spots where this token may not be placed."""
    if seat == view.announcer:
        taken = {bet.spot for bet in view.bets if bet.seat == seat}
    elif stake.value in effects.overlay:
        holders = Counter(bet.spot for bet in view.bets if bet.seat != view.announcer)
        taken = {spot for spot, count in holders.items() if count > 1} | {
            bet.spot for bet in view.bets if bet.seat == seat
        }
    else:
        taken = {bet.spot for bet in view.bets if bet.seat != view.announcer}
    for bet in view.bets:
        if bet.seat == seat and bet.spot.startswith("exotic:"):
            card, _ = bet.spot.rsplit(":", 1)
            taken |= {f"{card}:{side}" for side in "lmr"}
    return taken
