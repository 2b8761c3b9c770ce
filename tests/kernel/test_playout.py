"""The random choices of a playout's players."""

from railbird_engine.kernel.playout import Whims


def test_random_choices_repeat_with_their_key() -> None:
    first, again, other = Whims(b"a"), Whims(b"a"), Whims(b"b")
    numbers = [first.below(1000) for _ in range(600)]
    assert [again.below(1000) for _ in range(600)] == numbers
    assert [other.below(1000) for _ in range(600)] != numbers


def test_random_choices_reach_every_number_and_are_not_recorded() -> None:
    whims = Whims(b"a")
    assert {whims.die() for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    assert whims.draws == []
