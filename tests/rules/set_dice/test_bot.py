"""The bots: their abilities, and the strength of the expert."""

from collections import Counter

import msgspec
import pytest

from railbird_engine import AnyRules, BotLevel, Chance, Seat, SeededChance, State
from railbird_engine.kernel.playout import Playout, play_out
from railbird_engine.rules.set_dice.bot import OPENING_MS, UNHURRIED_MS
from railbird_engine.rules.set_dice.commands import (
    DeclareNoSet,
    KeepDice,
    PassTurn,
    PlaceDice,
    ReplaceWild,
    Reroll,
    SetDiceCommand,
)
from railbird_engine.rules.set_dice.options import SetDiceOptions
from railbird_engine.rules.set_dice.rules import SetDice
from railbird_engine.rules.set_dice.state import SetDiceState
from tests.rules.set_dice.scene import A_SET, EAGER, IDLE, NO_SET, RULES, WITH_WILD, opening, table


@pytest.mark.parametrize("level", OPENING_MS)
def test_bots_need_as_much_time_for_the_opening_as_people(level: BotLevel) -> None:
    options = msgspec.convert({"bots": level}, SetDiceOptions)
    for seed in range(20):
        playout = Playout(RULES, 3, options, b"pause %d" % seed)
        next(playout.run())
        assert playout.now_ms >= OPENING_MS[level][0]


def test_a_short_opening_leaves_bots_half_of_it() -> None:
    hurried, endless = (
        RULES.bot_cue(opening(A_SET, NO_SET, options=SetDiceOptions(opening_s=seconds)), Seat(0))
        for seconds in (10, 0)
    )
    assert hurried and hurried.most_ms == 5_000
    assert endless and (endless.least_ms, endless.most_ms) == UNHURRIED_MS


def test_a_declaration_of_somebody_else_delays_no_bot() -> None:
    before = opening(A_SET, NO_SET, NO_SET)
    after = RULES.apply(before, Seat(1), DeclareNoSet(), SeededChance(b"")).state
    assert RULES.bot_cue(before, Seat(0)) == RULES.bot_cue(after, Seat(0))


def test_without_a_limit_bots_wait_until_somebody_declares() -> None:
    before = opening(A_SET, NO_SET, NO_SET, options=SetDiceOptions(opening_s=0))
    after = RULES.apply(before, Seat(1), DeclareNoSet(), SeededChance(b"")).state
    cue = RULES.bot_cue(after, Seat(0))
    assert cue and (cue.least_ms, cue.most_ms) == OPENING_MS["casual"]


def chosen(state: SetDiceState, seed: int) -> SetDiceCommand | None:
    seat = Seat(0)
    chance = SeededChance(b"%d" % seed)
    return RULES.bot(RULES.view(state, seat), RULES.legal(state, seat), chance)


def test_a_casual_bot_replaces_wilds_now_and_then() -> None:
    state = table(("R2O", "G1D", "G2S", "G2S", "P3O"), IDLE, board=WITH_WILD)
    commands = [chosen(state, seed) for seed in range(40)]
    assert 10 < commands.count(ReplaceWild(5, 5, 1)) < 30
    assert set(commands) == {ReplaceWild(5, 5, 1), PassTurn()}


def test_a_regular_bot_places_several_dice_now_and_then() -> None:
    options = SetDiceOptions(bots="regular")
    state = table(A_SET, IDLE, options=options)
    sizes = Counter(
        len(command.dice)
        for seed in range(60)
        if isinstance(command := chosen(state, seed), PlaceDice)
    )
    assert sizes.keys() == {1, 3}
    assert 1 < sizes[3] < 15


def test_an_expert_replaces_every_wild_that_it_can() -> None:
    options = SetDiceOptions(bots="expert")
    state = table(("R2O", "G1D", "G2S", "G2S", "P3O"), IDLE, board=WITH_WILD, options=options)
    assert {chosen(state, seed) for seed in range(10)} == {ReplaceWild(5, 5, 1)}


@pytest.mark.parametrize(
    ("bots", "dice", "command"),
    [
        ("expert", EAGER, Reroll((2, 3, 4, 5))),
        ("expert", ("WILD", *IDLE[1:]), Reroll((2, 5))),
        ("expert", IDLE, Reroll((1, 2, 3, 4, 5))),
        ("casual", EAGER, KeepDice()),
        ("casual", IDLE, Reroll((1, 2, 3, 4, 5))),
    ],
)
def test_bots_reroll_dice_without_a_use(
    bots: str, dice: tuple[str, ...], command: SetDiceCommand
) -> None:
    state = table(dice, IDLE, options=msgspec.convert({"bots": bots}, SetDiceOptions))
    state.phase, state.on_turn = "reroll", None
    assert chosen(state, 1) == command


def test_an_expert_beats_a_casual_player() -> None:
    def ask(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> SetDiceCommand | None:
        strength = SetDiceOptions(bots="expert" if seat == 0 else "casual")
        view = msgspec.structs.replace(rules.view(state, seat), options=strength)
        command: SetDiceCommand | None = rules.bot(view, rules.legal(state, seat), chance)
        return command

    games = [
        play_out(SetDice(), 2, SetDiceOptions(), b"strength %d" % seed, ask) for seed in range(6)
    ]
    scores = [game.result.scores for game in games if game.result]
    assert sum(expert for expert, _ in scores) > 1.3 * sum(casual for _, casual in scores)
