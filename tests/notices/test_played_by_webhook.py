"""A slow game of four, played to its end by programs that wake only by webhook.

One of them is an app. They play over REST, and a turn that does not reach them stops the game.
"""

import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.utils import timezone
from standardwebhooks import Webhook as Verifier

from accounts import tokens
from accounts.models import User
from games.models import Head
from gameserver.processes.children import Child
from notices import inbox
from notices.models import Delivery, Webhook
from tests.api.oauth.program import Program, bearer, register, with_password
from tests.api.rest import Caller
from tests.api.told import slow_game_of
from tests.builders import NewUser, empty_log
from tests.notices.receivers import Receiver, receiving
from tests.notices.scene import proved
from tests.processes import READY_WITHIN_S, kill, running, web_process, worker
from tests.waiting import WITHIN_S, until

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("following")]

SLUG = "set_dice"
OWN = {"WEBHOOK_NETWORKS": "127.0.0.0/8", "RATE_LIMITS": "sign_in=0/60 oauth=0/60"}


class Script:
    """A program that plays random legal commands when a webhook says that it is its turn."""

    def __init__(self, address: str, token: str, secret: str) -> None:
        url = f"http://{address}/api/v1"
        self.http = httpx.Client(base_url=url, headers=bearer(token), timeout=WITHIN_S)
        self.verifier, self.chance = Verifier(secret), random.Random(7)
        self.seen: set[str] = set()
        self.is_over = False

    def wake(self, headers: dict[str, str], body: bytes) -> None:
        """Take a delivery."""
        event = self.verifier.verify(body, headers)
        if headers["webhook-id"] in self.seen:
            return
        self.seen.add(headers["webhook-id"])
        game = event["data"]["notice"]["game"]
        self.is_over |= event["type"] == "game_over"
        while event["type"] == "your_turn" and self.get(f"/games/{game}/")["awaits_you"]:
            found = self.get(f"/games/{game}/legal/")["commands"]
            command = {"id": str(uuid4()), "command": self.chance.choice(found)}
            self.http.post(f"/games/{game}/commands/", json=command)  # a form is refused

    def get(self, path: str) -> Any:
        """Read something."""
        return self.http.get(path).raise_for_status().json()


@pytest.fixture
def address() -> Iterator[str]:
    with web_process(OWN) as (_, address):
        yield address


@pytest.fixture
def users(new_user: NewUser) -> list[User]:
    empty_log()
    return [new_user() for _ in range(4)]


def scripts_of(
    address: str, users: list[User], maker: User, receiver: Receiver, stack: ExitStack
) -> list[Script]:
    """Give three users a webhook of their own, and the fourth one an app."""
    found = []
    for number, user in enumerate(users):
        caller, body = Caller(user), {"url": receiver.url(f"fine/{number}")}
        token = tokens.begin_session(user).text
        if number == 3:
            program = Program(address, register(maker))
            stack.enter_context(program.http)
            token = program.tokens_for(with_password(user), "play read notices")["access_token"]
            caller, body = Caller(maker), {**body, "app": program.client_id}
        made = caller.post("/notices/webhooks/", body)
        proved(Webhook.objects.get(id=made.data["id"]))
        script = Script(address, token, made.data["secret"])
        found.append(script)
        stack.enter_context(script.http)
    return found


def arrived(receiver: Receiver, number: int) -> tuple[str, dict[str, str], bytes]:
    """Return what arrived after so many others, as soon as it does."""
    until(lambda: len(receiver.received) > number, "a webhook")
    return receiver.received[number]


def kill_and_start(only: Child) -> None:
    """Kill the only worker, and start it again as if what it had claimed were anybody's by now."""
    kill(only)
    Delivery.objects.filter(state="waiting", leased=True).update(due_at=timezone.now())
    only.start()
    assert only.is_ready(within_s=READY_WITHIN_S)


@pytest.mark.parametrize("kills", [0, 10])
def test_four_scripts_that_wake_by_webhook_play_a_slow_game_to_its_end(
    address: str, users: list[User], new_user: NewUser, kills: int
) -> None:
    """The worker that follows, seals and delivers is killed before or after a script moves."""
    chance, done = random.Random(kills), 0
    with ExitStack() as stack:
        only = stack.enter_context(running(worker(OWN)))
        receiver = stack.enter_context(receiving())
        scripts = scripts_of(address, users, new_user(), receiver, stack)
        game = slow_game_of(users, SLUG)
        while not all(script.is_over for script in scripts):
            path, headers, body = arrived(receiver, done)
            dies = kills if chance.random() < 0.3 else 0
            if dies % 2:
                kill_and_start(only)
            scripts[int(path.rpartition("/")[2])].wake(headers, body)
            if dies and not dies % 2:
                kill_and_start(only)
            kills, done = kills - bool(dies), done + 1
        until(lambda: not Delivery.objects.exclude(state="sent").exists(), "the last delivery")
    assert Head.objects.get(game=game).ended == Head.Ended.FINISHED
    assert kills == 0
    none_is_lost_or_repeated(users, receiver)


def none_is_lost_or_repeated(users: list[User], receiver: Receiver) -> None:
    """Numbers have no gaps, no fact has two notices, and each arrives under one id."""
    bodies = defaultdict(set)
    for _, headers, body in receiver.received:
        bodies[headers["webhook-id"]].add(body)
    assert all(len(each) == 1 for each in bodies.values())
    told = [list(inbox.read_after(user.id, 0, 1000).notices) for user in users]
    assert len(bodies) == sum(map(len, told)) == Delivery.objects.count()
    for notices in told:
        assert [each.number for each in notices] == [*range(1, len(notices) + 1)]
        assert len({(each.kind, each.version) for each in notices}) == len(notices)
        assert [each.kind for each in notices].count("game_over") == 1
