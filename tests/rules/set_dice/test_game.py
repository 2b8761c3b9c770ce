"""Whole games: conformance, the golden playthrough and the strength of the bots."""

import msgspec
import pytest

from games.engine import Chance, Seat, State
from games.engine.conformance import check_game
from games.engine.playout import AnyRules, Ask, ask_bot, ask_random, play_out
from games.rules.set_dice.commands import SetDiceCommand
from games.rules.set_dice.rules import SetDice
from games.rules.set_dice.table import SetDiceOptions
from tests.rules import playthrough
from tests.rules.set_dice import golden

OPTIONS = [
    SetDiceOptions(),
    SetDiceOptions(bots="expert", refill="one_each"),
    SetDiceOptions(opening_s=0, turn_s=0, reroll_s=0),
    SetDiceOptions(opening_s=1, turn_s=1, reroll_s=1, bots="expert"),
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("ask", [ask_bot, ask_random])
def test_the_game_conforms(ask: Ask, seats: int, options: SetDiceOptions) -> None:
    check_game(SetDice(), seats, options, b"set dice", ask=ask)


def test_the_golden_game_is_played_as_ever() -> None:
    playthrough.check(SetDice(), golden.PATH, golden.COMMAND)


def test_an_expert_beats_a_casual_player() -> None:
    def ask(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> SetDiceCommand | None:
        strength = SetDiceOptions(bots="expert" if seat == 0 else "casual")
        view = msgspec.structs.replace(rules.view(state, seat), options=strength)
        command: SetDiceCommand | None = rules.bot(view, rules.legal(state, seat), chance)
        return command

    games = [
        play_out(SetDice(), 2, SetDiceOptions(), b"strength %d" % seed, ask) for seed in range(12)
    ]
    scores = [game.result.scores for game in games if game.result]
    assert sum(expert for expert, _ in scores) > 1.3 * sum(casual for _, casual in scores)
