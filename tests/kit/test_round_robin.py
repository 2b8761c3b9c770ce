"""Turns of many members, spread over their period."""

from kit.round_robin import RoundRobin


def test_every_member_has_one_turn_in_each_period_and_no_moment_has_many() -> None:
    turns: RoundRobin[int] = RoundRobin(2.0)
    for member in range(30):
        turns.add(member)
    moments = [turns.due(tick / 8) for tick in range(33)]
    in_order = [member for due in moments for member in due]
    assert in_order == [*range(30), *range(30)]
    assert max(map(len, moments)) == 2, "30 members in 16 moments"


def test_a_member_that_left_has_no_turn_and_a_new_one_comes_last() -> None:
    turns: RoundRobin[str] = RoundRobin(1.0)
    for member in ("first", "second", "third"):
        turns.add(member)
    assert turns.due(0.0) == []
    turns.discard("second")
    turns.discard("stranger")
    turns.add("fourth")
    turns.add("first")
    assert turns.due(1.0) == ["first", "third", "fourth"]


def test_nobody_has_two_turns_at_once_however_long_the_pause() -> None:
    turns: RoundRobin[str] = RoundRobin(1.0)
    assert turns.due(0.0) == []
    turns.add("only")
    assert turns.due(100.0) == ["only"]
    assert turns.due(100.5) == []
