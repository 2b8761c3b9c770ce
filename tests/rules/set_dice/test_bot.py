"""The bots: what they know how to do, and that an expert is the better player."""

import msgspec

from games.engine import AnyRules, Chance, Seat, State
from games.engine.playout import play_out
from games.rules.set_dice.commands import SetDiceCommand
from games.rules.set_dice.options import SetDiceOptions
from games.rules.set_dice.rules import SetDice


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
