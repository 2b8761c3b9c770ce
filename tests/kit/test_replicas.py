"""Which standbys may answer, and up to when they have everything."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from kit.replicas import Replica

START = datetime(2026, 1, 1, tzinfo=UTC)


def known(*marks: tuple[float, int], stale_s: float = 10, timeline: int = 1) -> Replica:
    """A process that noted the primary so many seconds ago at these places of its log."""
    replica = Replica(stale_s)
    for ago_s, place in marks:
        row = ("1", timeline, place, START - timedelta(seconds=ago_s))
        replica.note_mark(time.monotonic() - ago_s, row)
    return replica


@pytest.mark.parametrize(
    ("marks", "standby", "ago_s"),
    [
        ([(2, 10), (1, 20)], ("1", 1, 25), 1),
        ([(2, 10), (1, 20)], ("1", 1, 20), 1),
        ([(2, 10), (1, 20)], ("1", 1, 19), 2),
        ([(2, 10), (1, 20)], ("1", 1, 9), None),
        ([(30, 10), (1, 20)], ("1", 1, 19), None),
        ([], ("1", 1, 19), None),
        ([(1, 10)], ("1", 1, None), None),
        ([(1, 10)], ("2", 1, 10), None),
        ([(1, 10)], ("1", 2, 10), None),
    ],
    ids=[
        *("ahead", "level", "behind", "behind every mark", "too old", "unknown primary"),
        *("promoted", "another cluster", "another timeline"),
    ],
)
def test_a_standby_is_known_up_to_the_newest_mark_that_it_has_replayed(
    marks: list[tuple[float, int]], standby: tuple[str, int, int | None], ago_s: float | None
) -> None:
    found = known(*marks).as_of(standby)
    assert found == (None if ago_s is None else START - timedelta(seconds=ago_s))


def test_a_later_part_of_a_file_comes_from_no_older_standby() -> None:
    replica = known((2, 10), (1, 20))
    assert replica.as_of(("1", 1, 10)) is not None
    assert replica.as_of(("1", 1, 10), START - timedelta(seconds=1)) is None


def test_marks_of_a_lost_timeline_are_forgotten() -> None:
    replica = known((2, 10))
    replica.note_mark(time.monotonic(), ("1", 2, 30, START))
    assert replica.as_of(("1", 2, 20)) is None
    assert replica.as_of(("1", 2, 30)) == START


def test_a_primary_without_a_timeline_gives_no_mark() -> None:
    replica = known((1, 10))
    replica.note_mark(time.monotonic(), ("1", None, None, START))
    assert replica.as_of(("1", 1, 10)) is not None


def test_a_standby_that_failed_is_left_alone_for_a_while() -> None:
    replica = known((1, 10))
    assert not replica.is_shunned
    replica.failed(ConnectionError("gone"))
    assert replica.is_shunned
