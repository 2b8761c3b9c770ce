"""A person whose guesses are spread by a factor of 1.8, and who bets as bots do."""

from typing import Any, Final

from bench.matches import bot_with_human_hands, person
from railbird_engine import AnyRules, Chance, Seat, State
from railbird_engine.kernel.playout import ask_bot
from railbird_engine.rules.quitte_ou_double.bot_guess import guess
from railbird_engine.rules.quitte_ou_double.commands import WriteAnswer
from railbird_engine.rules.quitte_ou_double.rules import QuitteOuDouble
from railbird_engine.rules.quitte_ou_double.state import QuitteOuDoubleState

SPREAD: Final = 0.6


def play(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
    """Guess; do all else like a bot."""
    command = ask_bot(rules, state, seat, chance)
    if not isinstance(command, WriteAnswer):
        return command
    assert isinstance(rules, QuitteOuDouble)
    assert isinstance(state, QuitteOuDoubleState)
    assert state.card is not None
    assert state.level is not None
    question = rules.banks[state.options.bank].question(state.card, state.level)
    return WriteAnswer(guess(question, SPREAD, chance))


PEOPLE: Final = {"guesses": person(play, bot_with_human_hands)}
