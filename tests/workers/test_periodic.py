"""Rounds of periodic work."""

import asyncio

import pytest

from games.workers.periodic import Round


def test_work_that_fails_keeps_no_other_of_its_round_from_being_done() -> None:
    done: list[str] = []

    def fail() -> None:
        done.append("first")
        raise ValueError("the first failure")

    def fail_too() -> None:
        done.append("second")
        raise ValueError("the second failure")

    work = Round(1.0, (fail, fail_too, lambda: done.append("third")))
    with pytest.raises(ValueError, match="the first failure"):
        asyncio.run(work.go())
    assert done == ["first", "second", "third"]
