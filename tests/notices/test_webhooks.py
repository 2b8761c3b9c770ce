"""Webhooks: a hostile receiver harms nobody, and a killed process loses nothing."""

import os
import socket
import subprocess
import sys
import threading
from base64 import b64decode
from datetime import timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from oauth2_provider.models import RefreshToken
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from accounts import people
from accounts.oauth import clients
from accounts.tokens import Scope
from kit import encryption, guarded_http
from kit.guarded_http import is_admitted
from kit.installation import FOLDER
from notices import deliveries, inbox, webhooks
from notices.models import Delivery, Webhook
from tests.api.rest import Caller, caller_for
from tests.builders import NewUser
from tests.lobbies.scene import refused
from tests.notices.receivers import Receiver
from tests.notices.scene import OWN, consent, deliver, fact, of, proved, tell, webhook_of
from tests.waiting import until

pytestmark = pytest.mark.xdist_group("webhooks")

ENDINGS = {
    "fine": ("sent", 204, ""),
    "endless_but_fine": ("sent", 200, ""),
    "fails": ("waiting", 500, "refused"),
    "redirects": ("waiting", 302, "refused"),
    "closes": ("waiting", None, "closed_early"),
    "lies": ("waiting", None, "no_http"),
    "floods": ("waiting", None, "answer_too_large"),
    "hangs": ("waiting", None, "timed_out"),
    "gone": ("lapsed", 410, "refused"),
}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_http, "WITHIN_S", 3.0)


def test_each_ending_of_an_attempt_is_recorded_and_only_success_ends_it(
    receiver: Receiver, new_user: NewUser
) -> None:
    owners = {path: new_user() for path in ENDINGS}
    hooks = {path: webhook_of(owner, receiver.url(path)) for path, owner in owners.items()}
    tell(*(fact(owner) for owner in owners.values()))
    deliver()
    for path, hook in hooks.items():
        (delivery,) = [each for each in of(hook) if each.kind == "seat_reserved"]
        found = (delivery.state, delivery.status, delivery.error)
        assert found == ENDINGS[path] or path == "gone", path
        assert len(receiver.bodies(path)) == 1, path
        if delivery.state == "waiting":
            after_s = (delivery.due_at - timezone.now()).total_seconds()
            assert 0 < after_s <= 5
        hook.refresh_from_db()
        assert (hook.failing_since is not None) == (delivery.state == "waiting")
    hooks["gone"].refresh_from_db()
    assert hooks["gone"].disabled == "gone"
    told = inbox.read_after(owners["gone"].id, 0, 10).notices
    assert [(each.kind, each.data.get("webhook")) for each in told][1:] == [
        ("webhook_disabled", str(hooks["gone"].id))
    ]
    assert refused(lambda: deliveries.test(hooks["gone"])) == "webhook_disabled"


def test_the_ladder_ends_and_five_days_of_failures_disable_and_tell(
    receiver: Receiver, new_user: NewUser
) -> None:
    user = new_user()
    hook = webhook_of(user, receiver.url("fails"))
    tell(fact(user))
    for rung in deliveries.RETRY_AFTER:
        deliver()
        (delivery,) = of(hook)
        left = delivery.due_at - timezone.now()
        assert rung - timedelta(seconds=5) < left <= rung
        Delivery.objects.update(due_at=timezone.now())
    deliver()
    assert [(each.state, each.attempts) for each in of(hook)] == [("failed", 10)]
    Webhook.objects.filter(id=hook.id).update(failing_since=timezone.now() - timedelta(days=5))
    tell(fact(user), fact(user))
    deliver()
    hook.refresh_from_db()
    assert hook.disabled == "", "both are tried again"
    Delivery.objects.filter(state="waiting").update(attempts=9, due_at=timezone.now())
    deliver()
    hook.refresh_from_db()
    assert hook.disabled == "failing"
    assert {each.state for each in of(hook)} <= {"failed", "lapsed"}
    told = [each.kind for each in inbox.read_after(user.id, 0, 10).notices]
    assert told.count("webhook_disabled") == 1
    hook = webhooks.change(user, hook.id, webhooks.Wish(receiver.url("fine"), ["seat_reserved"]))
    assert refused(lambda: deliveries.send_again(hook, 0, 2**53, 2)) == "webhook_disabled"
    hook = proved(hook)
    assert len(deliveries.send_again(hook, 0, 2**53, 2)) == 2
    deliver()
    assert [each.state for each in of(hook)][-2:] == ["sent", "sent"]


def test_a_receiver_that_hangs_holds_up_nobody_else(
    receiver: Receiver, new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_http, "WITHIN_S", 60.0)
    slow, quick = new_user(), new_user()
    webhook_of(slow, receiver.url("hangs"))
    webhook_of(quick, receiver.url("fine", "localhost"))
    tell(*(fact(slow) for _ in range(6)), *(fact(quick) for _ in range(6)))
    delivering = threading.Thread(target=deliver)
    delivering.start()
    until(lambda: len(receiver.bodies("fine")) == 6, "the quick receiver")
    until(lambda: len(receiver.bodies("hangs")) == deliveries.AT_ONCE, "the slow receiver")
    assert deliveries.claim(10) == []
    receiver.go_on.set()
    delivering.join()
    assert len(receiver.bodies("hangs")) == 6
    assert receiver.at_once_most["127.0.0.1"] == deliveries.AT_ONCE


def test_what_a_killed_process_had_claimed_is_delivered_with_the_same_id(
    receiver: Receiver, new_user: NewUser
) -> None:
    user = new_user()
    webhook_of(user, receiver.url("fine"))
    tell(fact(user))
    (lost,) = deliveries.claim(10)
    deliver()
    assert receiver.received == [], "the lease has not ended"
    Delivery.objects.filter(id=lost.id).update(due_at=timezone.now())
    deliver()
    assert len(receiver.received) == 1
    deliveries.record(lost, deliveries.Outcome(500, "refused"))
    lost.refresh_from_db()
    assert lost.state == "sent", "the process that came back changes nothing"
    deliveries.send_again(lost.webhook, lost.id, lost.id, 1)  # type: ignore[arg-type]  # it has one
    deliver()
    first, second = (headers["webhook-id"] for _, headers, _ in receiver.received)
    assert first == second


def test_suspended_and_erased_users_and_apps_without_consent_get_none(
    receiver: Receiver, new_user: NewUser
) -> None:
    suspended, erased = new_user(), new_user()
    webhook_of(suspended, receiver.url("fine"))
    webhook_of(erased, receiver.url("fine"))
    tell(fact(suspended), fact(erased))
    people.suspend(suspended.id, timezone.now() + timedelta(days=1))
    people.erase(erased)
    deliver()
    assert receiver.received == []
    assert not Webhook.objects.filter(user=erased).exists()
    assert [each.state for each in Delivery.objects.filter(user=suspended)] == ["lapsed"]


ADDRESSES = {
    "93.184.216.34": True,
    "2606:2800:220:1::1": True,
    **dict.fromkeys(
        (
            *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
            *("100.64.0.1", "100.100.100.200", "168.63.129.16", "224.0.0.1", "240.0.0.1"),
            *("255.255.255.255", "192.0.2.1", "198.18.0.1", "::1", "::", "fe80::1", "fd00::1"),
            *("fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1"),
            *("192.0.0.8", "192.0.0.192", "192.88.99.1", "100:0:0:1::1", "5f00::1"),
            *("2002:7f00:1::", "2001:0:1::1", "2001:db8::1", "::7f00:1", "fec0::1", "3fff::1"),
        ),
        False,
    ),
}


def test_only_global_addresses_are_admitted() -> None:
    for address, expected in ADDRESSES.items():
        assert is_admitted(ip_address(address), []) == expected, address
    assert is_admitted(ip_address("127.0.0.1"), OWN)


def test_a_name_that_leads_elsewhere_on_the_second_look_up_is_refused(
    receiver: Receiver, new_user: NewUser, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name answers with an admitted address first, then with one of the operator's."""
    answers, asked = ["127.0.0.1", "127.0.0.2", "127.0.0.1"], []

    def look_up(host: str, port: int, *_: Any, **__: Any) -> Any:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers[len(asked) - 1], port))]

    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.1/32")]
    user = new_user()
    hook = webhook_of(user, receiver.url("fails", "rebinding.example"))
    with monkeypatch.context() as patched:
        patched.setattr(socket, "getaddrinfo", look_up)
        for error in ("refused", "address_refused", "refused"):
            tell(fact(user)) if error == "refused" and not asked else None
            deliver()
            assert [each.error for each in of(hook)] == [error]
            Delivery.objects.update(due_at=timezone.now())
    assert asked == ["rebinding.example"] * 3, "once for each attempt"
    assert len(receiver.received) == 2
    settings.WEBHOOK_NETWORKS = []
    deliver()
    assert len(receiver.received) == 2


def test_the_api_creates_tests_rotates_and_lists(receiver: Receiver, new_user: NewUser) -> None:
    user = new_user()
    caller = Caller(user)
    made = caller.post("/notices/webhooks/", {"url": receiver.url("verifies")})
    assert made.status == 201
    hook, secret = f"/notices/webhooks/{made.data['id']}/", made.data["secret"]
    receiver.secret = secret
    assert caller.post(f"{hook}test/").status == 202
    deliver()
    renewed = caller.post(f"{hook}secret/").data["secret"]
    tell(fact(user))
    deliver()
    *_, (_, headers, body) = receiver.received
    receiver.secret = renewed
    for known in (secret, renewed):
        event = Verifier(known).verify(body, headers)
        assert event["type"] == "seat_reserved"
        assert event["data"]["user"] == str(user.id)
        assert event["data"]["notice"] == caller.get("/notices/").data["notices"][0]
    Webhook.objects.update(earlier_until=timezone.now())
    again = [each["id"] for each in caller.get(f"{hook}deliveries/").data]
    assert caller.post(f"{hook}deliveries/again/", {"first": again[0], "last": again[0]}).data == {
        "count": 1,
        "last": again[0],
    }
    deliver()
    *_, (_, headers, body) = receiver.received
    with pytest.raises(WebhookVerificationError):
        Verifier(secret).verify(body, headers)
    Verifier(renewed).verify(body, headers)
    listed = caller.get(f"{hook}deliveries/").data
    assert [(each["kind"], each["state"], each["status"]) for each in listed] == [
        ("seat_reserved", "sent", 204),
        ("test", "sent", 204),
    ]
    assert secret not in str(caller.get("/notices/webhooks/").data)
    changed = {"url": receiver.url("verifies"), "kinds": ["your_turn"], "is_enabled": False}
    assert caller.call("PUT", hook, changed).data["disabled"] == "by_user"
    tell(fact(user))
    assert len(caller.get(f"{hook}deliveries/").data) == 2
    assert Caller(new_user()).get(f"{hook}deliveries/").problem == (404, "not_found")
    assert caller_for(user, Scope.PLAY).get("/notices/webhooks/").problem == (403, "scope_missing")
    assert caller.call("DELETE", hook).status == 204
    assert caller.get("/notices/webhooks/").data == []


@pytest.mark.parametrize(
    ("path", "error", "status", "requests"),
    [
        ("verifies", "", 204, 2),
        ("fine", "forgery_accepted", 204, 1),
        ("missing", "refused", 404, 2),
        ("redirects", "refused", 302, 1),
        ("fails", "refused", 500, 1),
        ("gone", "refused", 410, 2),
        ("lies", "no_http", None, 1),
    ],
)
def test_a_webhook_receives_nothing_before_it_tells_a_wrong_signature_from_the_right_one(
    receiver: Receiver, new_user: NewUser, path: str, error: str, status: int, requests: int
) -> None:
    user = new_user()
    hook, receiver.secret = webhooks.create(user, webhooks.Wish(receiver.url(path), []))
    tell(fact(user))
    assert of(hook) == []
    deliveries.test(hook)
    deliver()
    assert [(each.error, each.status) for each in of(hook)] == [(error, status)]
    assert len(receiver.received) == requests
    hook.refresh_from_db()
    assert hook.disabled == ("unproved" if error else "")
    tell(fact(user))
    deliver()
    assert len(receiver.received) == requests + (not error)
    elsewhere = webhooks.Wish(receiver.url(f"{path}/other"), [])
    tell(fact(user))
    assert webhooks.change(user, hook.id, elsewhere).disabled == "unproved"
    deliver()
    assert len(receiver.received) == requests + (not error), "what waited for it lapsed"


def test_webhooks_are_few_have_tls_and_belong_to_registered_users(
    new_user: NewUser, settings: Any
) -> None:
    user, caller = new_user(), Caller(people.new_guest())
    assert caller.post("/notices/webhooks/", {"url": "https://example.org"}).problem == (
        403,
        "guests_have_no_webhooks",
    )
    for _ in range(webhooks.WEBHOOKS_MAX):
        webhook_of(user, "https://example.org/")
    assert refused(lambda: webhook_of(user, "https://example.org/")) == "too_many_webhooks"
    settings.WEBHOOK_NETWORKS = []
    for url in (
        *("http://example.org/", "https://user@example.org/", "https://a.b:99999/"),
        *("https://./", "https:///path", "https://:443/"),
    ):
        answer = Caller(new_user()).post("/notices/webhooks/", {"url": url})
        assert answer.problem == (400, "malformed"), url


def test_an_app_receives_the_notices_of_those_who_granted_it_the_scope(
    receiver: Receiver, new_user: NewUser
) -> None:
    maker, granting, refusing = new_user(), new_user(), new_user()
    app = clients.register(maker, "An app", ["https://example.org/"])
    hook = webhook_of(maker, receiver.url("fine"), app.client_id)
    assert refused(lambda: webhook_of(granting, receiver.url("fine"), app.client_id)) == "not_found"
    refresh = consent(app, granting, "read notices")
    consent(app, refusing, "read play")
    tell(fact(maker), fact(granting), fact(refusing))
    deliver()
    assert [each.user_id for each in of(hook)] == [granting.id]
    assert len(receiver.received) == 1
    tell(fact(granting))
    RefreshToken.revoke_family(refresh.token_family)
    tell(fact(granting))
    deliver()
    assert [each.state for each in of(hook)] == ["lapsed", "sent"]
    assert len(receiver.received) == 1, "consent was withdrawn before the second was sent"
    consent(app, granting, "read notices")
    tell(fact(granting))
    app.user = refusing
    app.save()
    tell(fact(granting))
    deliver()
    assert [each.state for each in of(hook)] == ["lapsed", "lapsed", "sent"], "another owner"


def test_the_receiver_of_the_documentation_prints_what_arrives_once(new_user: NewUser) -> None:
    text = (FOLDER / "docs" / "protocol" / "webhooks.md").read_text("utf-8")
    source = text.partition("```python\n")[2].partition("```")[0]
    assert len([line for line in source.splitlines() if line.strip()]) <= 30
    user = new_user()
    hook, secret = webhooks.create(user, webhooks.Wish("http://127.0.0.1/", []))
    proved(hook)
    program = subprocess.Popen(
        [sys.executable, "-c", source],
        env={**os.environ, "WEBHOOK_SECRET": secret, "PORT": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert program.stdout is not None
    with program:
        port = int(program.stdout.readline())
        Webhook.objects.filter(id=hook.id).update(url=f"http://127.0.0.1:{port}/")
        tell(fact(user))
        deliver()
        webhooks.rotate(user, hook.id)
        deliveries.send_again(webhooks.one_of(user, hook.id), 0, 2**53, 9)
        deliver()
        assert [each.status for each in of(hook)] == [204]
        tell(fact(user, "game_starts"))
        Webhook.objects.filter(id=hook.id).update(earlier=None)
        deliver()
        assert [(each.state, each.status) for each in of(hook)] == [
            ("waiting", 401),
            ("sent", 204),
        ]
        program.terminate()
        lines = program.stdout.read().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("seat_reserved {")


def test_secrets_of_webhooks_are_encrypted_and_follow_the_key(
    new_user: NewUser, settings: Any, tmp_path: Path
) -> None:
    settings.SEED_KEY_FILE = tmp_path / "key"
    Webhook.objects.all().delete()
    old = encryption.add(settings.SEED_KEY_FILE)
    hook, secret = webhooks.create(new_user(), webhooks.Wish("https://example.org/", []))
    assert b64decode(secret.removeprefix("whsec_")) not in bytes(hook.secret)
    webhooks.rotate(hook.user, hook.id)
    assert webhooks.keys_in_use() == {old.id.hex(): 2}
    new = encryption.add(settings.SEED_KEY_FILE)
    webhooks.encrypt_again()
    assert webhooks.keys_in_use() == {new.id.hex(): 2}
    settings.SEED_KEY_FILE.write_text(f"{new.text}\n")
    hook.refresh_from_db()
    tell(fact(proved(hook).user))
    assert " v1," in webhooks.headers_of(hook, of(hook)[0], "{}")["webhook-signature"]
    hook.earlier = hook.secret[:-1]
    assert webhooks.headers_of(hook, of(hook)[0], "{}")["webhook-signature"].count("v1,") == 1
