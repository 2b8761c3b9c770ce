"""Real workers and their broker, which are killed while they deliver."""

from functools import partial
from pathlib import Path

import pytest
from django.utils import timezone

from gameserver.processes.embedded.valkey import Valkey
from notices.models import Delivery
from tests.builders import NewUser
from tests.notices.receivers import Receiver, receiving
from tests.notices.scene import fact, of, tell, webhook_of
from tests.processes import UNSEALED, kill, running, worker
from tests.waiting import until

pytestmark = pytest.mark.slow
ADMITTED = {**UNSEALED, "WEBHOOK_NETWORKS": "127.0.0.0/8"}


def test_a_killed_worker_loses_no_delivery_and_a_stopped_one_ends_at_once(
    new_user: NewUser,
) -> None:
    user = new_user()
    with receiving() as receiver:
        hooks = [webhook_of(user, receiver.url(path)) for path in ("hangs", "fine")]
        with running(worker(ADMITTED)) as first:
            tell(*(fact(user) for _ in range(4)))
            until(lambda: len(receiver.bodies("hangs")) == 4, "the receiver that hangs")
            kill(first)
        assert [each.state for each in of(hooks[0])] == ["waiting"] * 4
        Delivery.objects.filter(leased=True).update(due_at=timezone.now())
        before = len(receiver.bodies("hangs"))
        with running(worker(ADMITTED)) as second:
            until(lambda: len(receiver.bodies("hangs")) == before + 4, "the second worker")
            second.stop()
        receiver.go_on.set()
        Delivery.objects.filter(leased=True).update(due_at=timezone.now())
        with running(worker(ADMITTED)):
            until(lambda: {each.state for each in of(hooks[0])} == {"sent"}, "the third worker")
        assert [each.state for each in of(hooks[1])] == ["sent"] * 4
        ids = [headers["webhook-id"] for path, headers, _ in receiver.received if path == "/hangs"]
        assert len(set(ids)) == 4


def test_a_broker_that_is_killed_and_forgets_everything_loses_no_delivery(
    tmp_path: Path, receiver: Receiver, new_user: NewUser
) -> None:
    """Nobody wakes the worker: the test has another broker."""
    user, broker = new_user(), Valkey(runtime=tmp_path, log=tmp_path / "valkey.log")
    hook = webhook_of(user, receiver.url("fine"))
    broker.start()
    try:
        with running(worker({**ADMITTED, "REDIS_URL": broker.url})):
            for step in (partial(kill, broker.child), broker.start, str):
                tell(fact(user), fact(user))
                until(lambda: {each.state for each in of(hook)} == {"sent"}, "the deliveries")
                step()
    finally:
        broker.child.stop()
    assert len({headers["webhook-id"] for _, headers, _ in receiver.received}) == 6
    assert len(receiver.received) == 6
