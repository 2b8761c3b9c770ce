"""One delivery costs the others no time, no failure and no lock."""

import asyncio
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from accounts import people
from accounts.oauth import clients
from kit import guarded_http
from notices import deliveries, webhook_operations, webhooks
from notices.models import Delivery, PushSubscription, Webhook
from tests.api.rest import Caller
from tests.builders import NewUser
from tests.certificates import certified
from tests.notices.receivers import Receiver, receiving
from tests.notices.scene import OWN, consent, deliver, fact, of, proved, tell, webhook_of
from tests.waiting import Waiting

pytestmark = pytest.mark.xdist_group("webhooks")


def test_many_receivers_with_tls_are_asked_with_one_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = certified(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)
    contexts, create = list[ssl.SSLContext](), ssl.create_default_context

    def created() -> ssl.SSLContext:
        contexts.append(create())
        return contexts[-1]

    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setattr(ssl, "create_default_context", created)
    guarded_http.tls_context.cache_clear()

    async def ask(server: Receiver) -> list[Any]:
        hosts = [*["127.0.0.1"] * 20, "localhost"]
        urls = [server.url("fine", host) for host in hosts]
        posts = [guarded_http.post(url, {}, b"", OWN) for url in urls]
        return await asyncio.gather(*posts, return_exceptions=True)

    with receiving(tls) as server:
        *answers, refused = asyncio.run(ask(server))
    guarded_http.tls_context.cache_clear()
    assert answers == [204] * 20
    assert str(refused) == "tls_failed", "the certificate is for the address only"
    assert len(contexts) == 1


def test_the_second_address_is_asked_if_the_first_swallows_packets(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_http, "WITHIN_S", 4.0)
    places = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, receiver.port))
        for address in ("127.0.0.2", "127.0.0.1")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: places)
    with socket.create_server(("127.0.0.2", receiver.port), backlog=0) as full:
        clients = [socket.socket() for _ in range(3)]
        for client in clients:
            client.setblocking(False)
            client.connect_ex(full.getsockname())
        post = guarded_http.post(receiver.url("fine", "two.example"), {}, b"", OWN)
        assert asyncio.run(post) == 204
        for client in clients:
            client.close()


def test_a_fault_of_one_delivery_ends_no_other(
    receiver: Receiver, new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners = [new_user() for _ in range(4)]
    altered, unreadable, unrecorded, fine = (
        webhook_of(owner, receiver.url("fine")) for owner in owners
    )
    *most, last = bytes(altered.secret)
    Webhook.objects.filter(id=altered.id).update(secret=bytes([*most, last ^ 1]))
    tell(*(fact(owner) for owner in owners))
    headers_of, record = webhooks.headers_of, deliveries.record
    record_sent = deliveries.record_sent

    def fail(webhook: Webhook, *rest: Any) -> Any:
        assert webhook.id != unreadable.id
        return headers_of(webhook, *rest)

    def fail_to_record(delivery: Delivery, outcome: Any) -> Any:
        assert delivery.webhook_id != unrecorded.id
        return record(delivery, outcome)

    monkeypatch.setattr(webhooks, "headers_of", fail)

    def fail_to_record_sent(ended: Sequence[tuple[Delivery, Any]]) -> Any:
        assert not any(delivery.webhook_id == unrecorded.id for delivery, _ in ended)
        return record_sent(ended)

    monkeypatch.setattr(deliveries, "record", fail_to_record)
    monkeypatch.setattr(deliveries, "record_sent", fail_to_record_sent)
    deliver()
    found = [(each.state, each.error) for hook in (altered, unreadable, fine) for each in of(hook)]
    assert found == [("waiting", "key_missing"), ("waiting", "internal_error"), ("sent", "")]
    assert [(each.state, each.leased) for each in of(unrecorded)] == [("waiting", True)]
    assert len(receiver.received) == 2


def test_whoever_needs_a_webhook_waits_and_nobody_fails(
    receiver: Receiver, new_user: NewUser
) -> None:
    """An owner and a worker want the same webhook: the second one waits for the first."""
    user = new_user()
    hook = webhook_of(user, receiver.url("fine"))
    tell(fact(user))
    (claimed,) = deliveries.claim(9)
    fewer = webhooks.Wish(hook.url, ["seat_reserved"])
    with transaction.atomic():
        Webhook.objects.select_for_update(no_key=True).get(id=hook.id)
        recording = Waiting(lambda: deliveries.record(claimed, deliveries.Outcome(204)))
        webhooks.change(user, hook.id, fewer)
    recording.ends()
    assert [each.state for each in of(hook)] == ["sent"]
    with transaction.atomic():
        tell(fact(user))
        removing = Waiting(lambda: webhooks.remove(user, hook.id))
    removing.ends()
    assert not Delivery.objects.filter(user=user).exists()
    removals: list[Callable[[str], None]] = [
        lambda app: clients.remove(user, app),
        lambda _: people.erase(user),
    ]
    for remove in removals:
        app = clients.register(user, "An app", ["https://example.org/"])
        webhook_of(user, receiver.url("fine"), app.client_id)
        player = new_user()
        consent(app, player, "notices")
        with transaction.atomic():
            tell(fact(player))
            removing = Waiting(partial(remove, app.client_id))
        removing.ends()
        assert not Delivery.objects.filter(user=player).exists()


def test_one_user_keeps_neither_others_nor_the_alarm_waiting(new_user: NewUser) -> None:
    """The receivers of a user hang, on more hosts than one call can ask."""
    hostile, patient = new_user(), new_user()
    hooks = [
        webhook_of(hostile, f"https://{number}.example/") for number in range(webhooks.WEBHOOKS_MAX)
    ]
    tell(*(fact(hostile) for _ in range(4)))
    Delivery.objects.update(due_at=timezone.now() - timedelta(hours=1))
    last = webhook_of(patient, "https://zz.example/")
    tell(fact(patient))
    assert deliveries.late_s() >= 3600, "no worker"
    claimed = deliveries.claim(9)
    assert [each.webhook for each in claimed].count(last) == 1
    assert len(claimed) == 1 + deliveries.OF_ONE_USER_AT_ONCE
    assert {each.webhook for each in claimed} <= {*hooks, last}
    assert deliveries.claim(9) == []
    assert deliveries.late_s() == 0, "only the receivers keep these waiting"
    in_mail = Delivery.objects.create(user=patient, kind="your_turn", due_at=timezone.now())
    (mail,) = deliveries.claim(9)
    assert (mail.id, deliveries.late_s()) == (in_mail.id, 0)
    assert mail.due_at - timezone.now() > timedelta(seconds=200), "a mail may take minutes"


def test_many_users_share_a_push_service_and_none_of_them_fills_it(new_user: NewUser) -> None:
    """One user has more messages than may be on their way at once, and a webhook at that host."""
    users = [new_user() for _ in range(6)]
    webhook_of(users[0], "https://push.example/hook")
    for user in users:
        for number in range(4):
            url, host = f"https://push.example/{user.id}/{number}", "push.example"
            PushSubscription.objects.create(user=user, url=url, host=host, p256dh=b"", auth=b"")
    tell(*(fact(users[0]) for _ in range(20)))
    tell(*(fact(user) for user in users[1:] for _ in range(3)))
    Delivery.objects.update(due_at=timezone.now())
    Delivery.objects.filter(user=users[0]).update(due_at=timezone.now() - timedelta(hours=1))
    claimed = list[Delivery]()
    while some := deliveries.claim(99):
        claimed += some
    of_users = Counter(each.user_id for each in claimed)
    assert of_users[users[0].id] == deliveries.OF_ONE_USER_AT_ONCE
    pushed = [each for each in claimed if each.subscription_id is not None]
    assert len(pushed) == deliveries.PUSHED_AT_ONCE
    assert len(of_users) >= deliveries.PUSHED_AT_ONCE // deliveries.OF_ONE_USER_AT_ONCE


def test_tests_judge_no_webhook_and_another_url_begins_anew(
    receiver: Receiver, new_user: NewUser
) -> None:
    user = new_user()
    hook = webhook_of(user, receiver.url("fails"))
    deliveries.test(hook)
    deliver()
    assert webhooks.one_of(user, hook.id).failing_since is None
    tell(fact(user))
    deliver()
    assert webhooks.one_of(user, hook.id).failing_since is not None
    changed = webhooks.change(user, hook.id, webhooks.Wish(receiver.url("gone"), []))
    assert changed.failing_since is None
    deliveries.test(proved(changed))
    deliver()
    changed.refresh_from_db()
    assert changed.disabled == "gone"


def test_outcomes_that_are_late_or_of_another_url_judge_no_webhook(new_user: NewUser) -> None:
    user = new_user()
    hook = webhook_of(user, "https://one.example/")
    tell(fact(user), fact(user))
    late, moved = deliveries.claim(9)
    Delivery.objects.filter(id=late.id).update(attempts=late.attempts + 1)
    assert deliveries.record(late, deliveries.Outcome(410, "refused")) == []
    webhooks.change(user, hook.id, webhooks.Wish("https://two.example/", []))
    assert deliveries.record(moved, deliveries.Outcome(410, "refused")) == []
    hook.refresh_from_db()
    assert (hook.disabled, hook.failing_since) == ("unproved", None)


def test_a_success_in_time_ends_the_failures_of_a_webhook(new_user: NewUser) -> None:
    user = new_user()
    hook = webhook_of(user, "https://one.example/")
    tell(fact(user), fact(user))
    late, own = deliveries.claim(9)
    now = timezone.now()
    Webhook.objects.filter(id=hook.id).update(failing_since=now)
    Delivery.objects.filter(id=late.id).update(attempts=late.attempts + 1)
    for ended, since in ((late, now), (own, None)):
        deliveries.record_sent([(ended, deliveries.Outcome(204))])
        assert webhooks.one_of(user, hook.id).failing_since == since
    assert [each.state for each in of(hook)] == ["sent", "waiting"]


def test_what_is_sent_again_or_waits_for_one_webhook_is_limited(
    receiver: Receiver, new_user: NewUser, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "webhook_again": (5, 3600)}
    user = new_user()
    hook, caller = webhook_of(user, receiver.url("fine")), Caller(user)
    tell(*(fact(user) for _ in range(3)))
    deliver()
    ids = sorted(each.id for each in of(hook))
    monkeypatch.setattr(webhook_operations, "AGAIN_MAX", 2)
    again, body = f"/notices/webhooks/{hook.id}/deliveries/again/", {"first": 0, "last": 10**9}
    assert caller.post(again, body).data == {"count": 2, "last": ids[1]}
    body["first"] = ids[1] + 1
    assert caller.post(again, body).data == {"count": 1, "last": ids[2]}
    assert caller.post(again, body).data == {"count": 0, "last": None}
    monkeypatch.setattr(deliveries, "WAITING_MAX", 2)
    assert deliveries.lapse_excess() == 1
    assert [each.state for each in reversed(of(hook))] == ["lapsed", "waiting", "waiting"]
    deliver()
    assert caller.post(again, {"first": 0, "last": 10**9}).status == 202
    deliver()
    assert caller.post(again, {"first": 0, "last": 10**9}).problem == (429, "too_many_requests")
