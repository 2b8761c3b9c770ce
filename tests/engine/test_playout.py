"""The luck with which a playout's players think."""

from games.engine.playout import Whims


def test_whims_come_again_with_their_key() -> None:
    first, again, other = Whims(b"a"), Whims(b"a"), Whims(b"b")
    numbers = [first.below(1000) for _ in range(600)]
    assert [again.below(1000) for _ in range(600)] == numbers
    assert [other.below(1000) for _ in range(600)] != numbers


def test_whims_reach_every_number_below_the_bound_and_record_nothing() -> None:
    whims = Whims(b"a")
    assert {whims.die() for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    assert whims.draws == []
