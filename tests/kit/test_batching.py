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
