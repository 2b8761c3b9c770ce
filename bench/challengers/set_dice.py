"""A person who sees a SET as late as a casual bot, and then always places the best single die."""

from typing import Any, Final

from bench.matches import at, person
from railbird_engine import AnyRules, Chance, Cue, Seat, State
from railbird_engine.kernel.playout import Player, ask_bot
from railbird_engine.rules.set_dice.commands import PassTurn, PlaceDice
from railbird_engine.rules.set_dice.data import BOARD_SIZE
from railbird_engine.rules.set_dice.rules import SetDice
from railbird_engine.rules.set_dice.search import best_moves, single_moves


def play(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
    """Place the best single die, or else the best dice, or pass."""
    view: Any = rules.view(state, seat)
    if view.phase != "turns":
        return ask_bot(rules, at("casual", state), seat, chance)
    board = {square.row * BOARD_SIZE + square.column: square.face for square in view.board}
    assert isinstance(rules, SetDice)
    hand, bonus = view.hands[seat], rules.box.bonus
    moves = single_moves(board, hand, bonus) or best_moves(board, hand, bonus, per_size=1)
    return PlaceDice(moves[0].dice) if moves else PassTurn()


def notice(rules: AnyRules, state: State, seat: Seat) -> Cue | None:
    """Look for a SET as long as a casual bot, and five to ten seconds at a turn."""
    cue = rules.bot_cue(at("casual", state), seat)
    return cue if cue is None or cue.least_ms > 10_000 else HANDS.notice(rules, state, seat)


HANDS: Final = person(play, lambda rules, state, seat: rules.bot_cue(state, seat) is not None)
PEOPLE: Final = {"best single die": Player(play, notice)}
