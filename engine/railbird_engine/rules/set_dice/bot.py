"""The bots: an expert plays the best turn, a casual bot mostly places one good die."""

from collections.abc import Mapping, Sequence
from typing import Final

from railbird_engine import BotLevel, Chance, Cue, Seat
from railbird_engine.rules.set_dice.commands import (
    CallSet,
    DeclareNoSet,
    KeepDice,
    NamedDie,
    PassTurn,
    PlaceDice,
    ReplaceWild,
    Reroll,
    SetDiceCommand,
)
from railbird_engine.rules.set_dice.data import BOARD_SIZE, WILD
from railbird_engine.rules.set_dice.search import (
    Bonus,
    Move,
    best_moves,
    opening_sets,
    single_moves,
)
from railbird_engine.rules.set_dice.state import Die, SetDiceState
from railbird_engine.rules.set_dice.view import SetDiceView

CASUAL_CHOICE: Final = 3
"""A casual bot picks one of this many moves."""

REGULAR_SEARCHES_ONE_IN: Final = 10
"""How often a regular bot looks for turns of several dice, as an expert does."""

CASUAL_REPLACES_ONE_IN: Final = 2
"""How often a casual bot sees that it can replace a Wild."""

OPENING_MS: Final[Mapping[BotLevel, tuple[int, int]]] = {
    "casual": (15_000, 30_000),
    "regular": (10_000, 20_000),
    "expert": (6_000, 10_000),
}
"""The time from a throw until a bot calls a SET or declares that it sees none: about as long as a
person of that strength needs."""

UNHURRIED_MS: Final = (90_000, 120_000)
"""The same without a limit of time, until somebody declares: such a table is for those who still
read what a SET is."""

TURN_MS: Final = (2_000, 3_000)
REROLL_MS: Final = (2_000, 5_000)


def cue(state: SetDiceState, seat: Seat) -> Cue | None:
    """Return what the bot in this seat reacts to: a throw of all dice, its turn, or a reroll.

    In the opening it keeps to the throw, so that a declaration of somebody else delays nobody."""
    what = state.phase, state.round, state.moment
    match state.phase:
        case "opening" if seat not in state.answered or opening_sets(state.hands[seat]):
            if state.options.opening_s == 0 and not state.answered:
                return Cue((*what, "unhurried"), *UNHURRIED_MS)
            least, most = OPENING_MS[state.options.bots]
            return Cue(what, least, most).within(state.options.opening_s)
        case "turns" if seat == state.on_turn:
            return Cue((*what, state.wild_replaced), *TURN_MS).within(state.options.turn_s)
        case "reroll" if seat not in state.answered:
            return Cue(what, *REROLL_MS).within(state.options.reroll_s)
        case _:
            return None


def choose(view: SetDiceView, bonus: Bonus, chance: Chance) -> SetDiceCommand | None:
    """Return a bot's command for the seat of this view, or None to wait."""
    seat = view.you
    assert seat is not None, "a spectator has no bot"
    hand = view.hands[seat]
    match view.phase:
        case "opening":
            return _open(view, seat, hand)
        case "turns" if seat == view.on_turn:
            return _take_turn(view, hand, bonus, chance)
        case "reroll" if seat not in view.answered:
            return _reroll(view, hand, bonus)
        case _:
            return None


def _open(view: SetDiceView, seat: Seat, hand: Sequence[Die]) -> SetDiceCommand | None:
    sets = opening_sets(hand)
    if sets:
        return CallSet(max(sets, key=_plain_dice))
    return None if seat in view.answered else DeclareNoSet()


def _plain_dice(call: Sequence[NamedDie]) -> int:
    """Return the dice without Wilds: a Wild in the opening costs a point."""
    return sum(die.wild_as is None for die in call)


def _take_turn(
    view: SetDiceView, hand: Sequence[Die], bonus: Bonus, chance: Chance
) -> SetDiceCommand:
    searches = view.options.bots == "expert" or (
        view.options.bots == "regular" and chance.below(REGULAR_SEARCHES_ONE_IN) == 0
    )
    moves = _moves(view, hand, bonus, searches=searches)
    if view.options.bots == "casual":
        move = chance.pick(moves) if moves else None
        sees_wilds = chance.below(CASUAL_REPLACES_ONE_IN) == 0
    else:
        move, sees_wilds = (moves[0] if moves else None), True
    spare = [die for die in hand if not move or die.number not in _used(move)]
    replacement = _replacement(view, spare) if sees_wilds else None
    return replacement or (PlaceDice(move.dice) if move else PassTurn())


def _replacement(view: SetDiceView, spare: Sequence[Die]) -> ReplaceWild | None:
    """Replace a Wild by a die that the chosen move does not need, which can only add choices."""
    if view.wild_replaced:
        return None
    wilds = [square for square in view.board if square.wild]
    swaps = (
        ReplaceWild(square.row, square.column, die.number)
        for square in wilds
        for die in spare
        if die.shows == square.face
    )
    return next(swaps, None)


def _reroll(view: SetDiceView, hand: Sequence[Die], bonus: Bonus) -> SetDiceCommand:
    """Keep Wilds and the dice of the best move, and throw the others again.

    A bot below the expert keeps all dice if it has a move.
    """
    is_expert = view.options.bots == "expert"
    moves = _moves(view, hand, bonus, searches=is_expert)
    if moves and not is_expert:
        return KeepDice()
    kept = _used(moves[0]) if moves else []
    rest = tuple(die.number for die in hand if die.number not in kept and die.shows != WILD)
    return Reroll(rest) if rest else KeepDice()


def _moves(view: SetDiceView, hand: Sequence[Die], bonus: Bonus, *, searches: bool) -> list[Move]:
    """Return the moves to choose from, best first, by a full search or of one die if possible."""
    board = {square.row * BOARD_SIZE + square.column: square.face for square in view.board}
    if searches:
        return best_moves(board, hand, bonus, per_size=1)
    easy = single_moves(board, hand, bonus) or best_moves(
        board, hand, bonus, per_size=CASUAL_CHOICE
    )
    return easy[:CASUAL_CHOICE]


def _used(move: Move) -> list[int]:
    return [placement.die for placement in move.dice]
