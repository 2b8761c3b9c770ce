"""The bot."""

from railbird_engine import Seat
from railbird_engine.kernel.playout import Whims
from railbird_engine.skeleton.coin_toss.commands import PassRound
from railbird_engine.skeleton.tests.scene import RULES, after, opening


def test_the_bot_gives_a_legal_command_and_then_waits() -> None:
    state = opening()
    legal = list(RULES.legal(state, Seat(0)))
    assert RULES.bot(RULES.view(state, Seat(0)), legal, Whims(b"bot")) in legal
    state = after(state, 0, PassRound()).state
    assert RULES.bot(RULES.view(state, Seat(0)), (), Whims(b"bot")) is None
