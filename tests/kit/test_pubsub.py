"""Hints over Valkey arrive in order, and again after all connections were lost."""

from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from redis import Redis

from kit import event_loop, pubsub
from tests.waiting import until

HINTS = 100


class Heard:
    """The hints of a group of its own."""

    def __init__(self) -> None:
        self.group = f"test-{uuid4().hex[:8]}"
        self.hints: list[bytes] = []

    async def take(self, hint: bytes) -> None:
        self.hints.append(hint)

    async def listen(self) -> None:
        pubsub.listen(self.group, self.take)

    def publish(self, *hints: bytes) -> None:
        for hint in hints:
            event_loop.call(pubsub.publish(self.group, hint))

    def hears_again(self) -> bool:
        before = len(self.hints)
        self.publish(b"")
        return len(self.hints) > before


@pytest.fixture
def heard() -> Heard:
    """A group that this process listens to."""
    heard = Heard()
    event_loop.call(heard.listen())
    until(heard.hears_again, "the first hint")
    return heard


def test_hints_arrive_in_order_and_without_replies(heard: Heard) -> None:
    with Redis.from_url(settings.REDIS_URL) as valkey:
        (before, *_) = connections(valkey, "publish")
        hints = [b"%d" % number for number in range(HINTS)]
        heard.publish(*hints)
        until(lambda: hints[-1] in heard.hints, "the last hint")
        assert [hint for hint in heard.hints if hint] == hints
        (after, *_) = connections(valkey, "publish")
        assert after["tot-net-in"] > before["tot-net-in"]
        assert after["tot-net-out"] == before["tot-net-out"]


def test_hints_arrive_again_after_connections_were_lost(heard: Heard) -> None:
    with Redis.from_url(settings.REDIS_URL) as valkey:
        lost = [*connections(valkey, "publish"), *connections(valkey, "subscribe")]
        assert lost
        for each in lost:
            valkey.client_kill_filter(_id=each["id"])
    until(heard.hears_again, "a hint over new connections")


def connections(valkey: Redis, command: str) -> list[dict[str, Any]]:
    """Return the connections whose last command this was."""
    return [each for each in valkey.client_list() if each["cmd"] == command]
