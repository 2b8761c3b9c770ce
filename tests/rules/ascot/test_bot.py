"""The bots make sensible choices in single positions."""

from games.engine import Seat, SeededChance
from games.rules.ascot.commands import Bid, Discard, Pass, PlaceBet, UseReport
from games.rules.ascot.state import AscotState
from tests.rules.ascot.scene import RULES, act, betting, dealt, racing


def bot(state: AscotState, seat: int, whim: bytes = b"whim") -> object:
    """What the bot of this seat does."""
    return RULES.bot(
        RULES.view(state, Seat(seat)), RULES.legal(state, Seat(seat)), SeededChance(whim)
    )


def test_a_bot_keeps_offices_and_its_share_of_horses() -> None:
    hand = ["horse:1", "horse:2", "horse:3", "horse:12", "office:farrier", "office:forage"]
    state = dealt([hand, [], [], []], ["horse:5"], "discard")
    assert bot(state, 0) == Discard(("horse:12",))


def test_a_bot_bids_within_its_means() -> None:
    state = dealt([[], ["horse:2", "horse:6"], []], ["horse:1", "horse:9"], "auction")
    state = RULES.advance(state, SeededChance(b"show")).state
    command = bot(state, 1)
    assert isinstance(command, Bid)
    state = act(state, 1, command).state
    state.lot.price = 60_000  # type: ignore[union-attr]  # a card is on sale
    assert isinstance(bot(state, 2), Pass)


def test_a_bot_bets_and_uses_its_reports() -> None:
    commands = [bot(betting({1: 0, 2: 1}), 0, b"%d" % number) for number in range(20)]
    assert any(isinstance(command, PlaceBet) for command in commands)
    state = racing({2: (0, 6, 3), 12: (1, 44, 6)})
    state.kept[0] = ["bridle"]
    assert state.race is not None
    state.race.step, state.race.horse, state.race.hazard = "hazard", 2, "bridle"
    assert bot(state, 0) == UseReport()
