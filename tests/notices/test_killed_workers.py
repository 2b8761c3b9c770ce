"""Real workers that are killed while they deliver."""

import os
import signal

import pytest
from django.utils import timezone

from notices.models import Delivery
from tests.builders import NewUser
from tests.notices.receivers import receiving
from tests.notices.scene import fact, of, tell, webhook_of
from tests.processes import UNSEALED, running, worker
from tests.waiting import until

pytestmark = pytest.mark.slow


def test_a_killed_worker_loses_no_delivery_and_a_stopped_one_ends_at_once(
    new_user: NewUser,
) -> None:
    environment = {**UNSEALED, "WEBHOOK_NETWORKS": "127.0.0.0/8"}
    user = new_user()
    with receiving() as receiver:
        hooks = [webhook_of(user, receiver.url(path)) for path in ("hangs", "fine")]
        with running(worker(environment)) as first:
            tell(*(fact(user) for _ in range(4)))
            until(lambda: len(receiver.bodies("hangs")) == 4, "the receiver that hangs")
            assert first.pid is not None
            os.kill(first.pid, signal.SIGKILL)
        assert [each.state for each in of(hooks[0])] == ["waiting"] * 4
        Delivery.objects.filter(leased=True).update(due_at=timezone.now())
        before = len(receiver.bodies("hangs"))
        with running(worker(environment)) as second:
            until(lambda: len(receiver.bodies("hangs")) == before + 4, "the second worker")
            second.stop()
        receiver.go_on.set()
        Delivery.objects.filter(leased=True).update(due_at=timezone.now())
        with running(worker(environment)):
            until(lambda: {each.state for each in of(hooks[0])} == {"sent"}, "the third worker")
        assert [each.state for each in of(hooks[1])] == ["sent"] * 4
        ids = [headers["webhook-id"] for path, headers, _ in receiver.received if path == "/hangs"]
        assert len(set(ids)) == 4
