"""How tests of concurrent requests see that a session waits."""

from django.db import transaction

from tests.builders import NewUser
from tests.waiting import Waiting, somebody_waits


def test_a_session_that_begins_after_the_first_look_is_seen_waiting(new_user: NewUser) -> None:
    user = new_user()
    with transaction.atomic():
        user.locked()
        assert not somebody_waits()
        waiting = Waiting(transaction.atomic(user.locked))
    waiting.ends()
