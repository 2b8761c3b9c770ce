"""Concurrent calls that share one call."""

import asyncio
from collections.abc import Sequence

from kit.batching import Grouped


async def test_a_group_is_busy_until_its_call_returns() -> None:
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def doubled(items: Sequence[int]) -> Sequence[int]:
        begun.set()
        await may_end.wait()
        return [2 * item for item in items]

    grouped = Grouped(doubled, most=8, lanes=1, waiting_max=8)
    looks = [grouped.is_busy]
    answer = grouped(4)
    await begun.wait()
    looks.append(grouped.is_busy)
    may_end.set()
    assert await answer == 8
    assert [*looks, grouped.is_busy] == [False, True, False]


async def test_calls_begin_apart_and_share_what_arrives_meanwhile() -> None:
    loop, apart_s = asyncio.get_running_loop(), 0.05
    begun: list[tuple[float, Sequence[int]]] = []

    async def doubled(items: Sequence[int]) -> Sequence[int]:
        begun.append((loop.time(), items))
        return [2 * item for item in items]

    grouped = Grouped(doubled, most=8, lanes=2, waiting_max=8, apart_s=apart_s)
    assert await grouped(1) == 2
    answers = [grouped(2), grouped(3), grouped(4)]
    assert [await answer for answer in answers] == [4, 6, 8]
    (first, _), (second, _), *_ = begun
    assert [item for _, items in begun for item in items] == [1, 2, 3, 4]
    assert second - first >= apart_s

    await asyncio.sleep(2 * apart_s)
    late = grouped(5)
    await asyncio.sleep(0)
    assert begun[-1][1] == [5], "after a longer pause, an item does not wait"
    later = grouped(6)
    assert await late == 10
    assert grouped.is_busy, "an item waits for its time"
    assert await later == 12
    assert not grouped.is_busy
