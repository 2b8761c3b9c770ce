"""Web Push: a browser of our own that decrypts what the server sends to its push receiver."""

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import http_ece
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command
from django.utils import timezone
from joserfc import jwt
from joserfc.jwk import ECKey

from accounts.models import User
from kit import base64url
from notices import delivering, inbox, push, vapid
from notices.models import Delivery, PushSubscription
from tests.api.rest import Caller
from tests.builders import NewUser
from tests.notices.receivers import Receiver
from tests.notices.scene import deliver, fact, tell

pytestmark = pytest.mark.xdist_group("webhooks")


class Browser:
    """A browser that has subscribed."""

    def __init__(self, caller: Caller, url: str) -> None:
        self.secret = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        keys = {"p256dh": base64url.encode(vapid.public_bytes(self.secret))}
        body = {"url": url, "auth": base64url.encode(self.auth), **keys}
        self.subscription = caller.post("/notices/push/", body)

    def read(self, body: bytes) -> Any:
        """Decrypt a message."""
        return msgspec.json.decode(
            http_ece.decrypt(
                body, private_key=self.secret, auth_secret=self.auth, version="aes128gcm"
            )
        )


@pytest.fixture(autouse=True)
def _pushing(settings: Any, tmp_path: Path) -> None:
    settings.NOTICE_AFTER_S, settings.VAPID_KEY_FILE = 0, tmp_path / "vapid_key"


def states(user: User) -> list[str]:
    return list(Delivery.objects.filter(user=user).order_by("id").values_list("state", flat=True))


def test_a_browser_subscribes_decrypts_and_knows_the_server(
    receiver: Receiver, new_user: NewUser
) -> None:
    user = new_user()
    caller = Caller(user)
    assert caller.get("/notices/push/key/").data == {"key": None}
    assert Browser(caller, receiver.url("fine")).subscription.problem == (409, "no_push")
    call_command("keys", "vapid", "--add")
    key = caller.get("/notices/push/key/").data["key"]
    browser = Browser(caller, receiver.url("fine"))
    assert browser.subscription.data["key"] == key
    turn = fact(user, "your_turn")
    tell(turn)
    deliver()
    ((_, headers, body),) = receiver.received
    assert browser.read(body) == {
        "title": {"en": "It is your turn", "fr": "C’est à vous"},
        "path": f"/lobbies/{turn.data['lobby']}/",
    }
    scheme, _, rest = headers["Authorization"].partition(" ")
    named = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, named["k"]) == ("vapid", key)
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), base64url.decode(key))
    claims = jwt.decode(named["t"], ECKey.import_key(point)).claims
    assert claims["aud"] == f"http://127.0.0.1:{receiver.port}"
    assert claims["exp"] - timezone.now().timestamp() <= 86_400
    assert headers["Content-Encoding"] == "aes128gcm"
    call_command("keys", "vapid", "--add")
    assert caller.get("/notices/push/key/").data["key"] != key
    over = fact(user, "game_over")
    over.data.update(slug="quitte_ou_double", ended="finished", rank=2)
    tell(over)
    deliver()
    *_, (_, headers, body) = receiver.received
    assert f"k={key}" in headers["Authorization"], "older subscriptions keep their key"
    assert browser.read(body)["title"] == {
        "en": "Double or Quits: Your game has ended (your rank: 2)",
        "fr": "Quitte ou double : Votre partie est terminée (votre rang : 2)",
    }
    number = browser.subscription.data["id"]
    assert [each["id"] for each in caller.get("/notices/push/").data] == [number]
    assert Caller(new_user()).call("DELETE", f"/notices/push/{number}/").status == 404
    assert caller.call("DELETE", f"/notices/push/{number}/").status == 204


def test_dead_browsers_are_removed_and_others_tried_again(
    receiver: Receiver, new_user: NewUser, settings: Any
) -> None:
    vapid.add(settings.VAPID_KEY_FILE)
    user = new_user()
    caller = Caller(user)
    for path in ("gone", "missing", "fails", "fine"):
        Browser(caller, receiver.url(path))
    tell(fact(user))
    deliver()
    assert [each.url.rpartition("/")[2] for each in push.of(user)] == ["fine", "fails"]
    assert sorted(states(user)) == ["sent", "waiting"]


def test_what_was_read_decided_or_is_unwanted_is_not_pushed(
    receiver: Receiver, new_user: NewUser, settings: Any
) -> None:
    vapid.add(settings.VAPID_KEY_FILE)
    user = new_user()
    Browser(Caller(user), receiver.url("fine"))
    tell(fact(user))
    inbox.mark_read(user, 1)
    deliver()
    tell(fact(user, "your_turn"))
    delivering.still_open.append(lambda notice: False)
    deliver()
    inbox.want(user, "seat_reserved", ["inbox"])
    tell(fact(user))
    deliver()
    assert states(user) == ["lapsed", "lapsed"]
    assert receiver.received == []


def test_the_eleventh_browser_replaces_the_first_and_bad_ones_are_refused(
    new_user: NewUser, settings: Any
) -> None:
    vapid.add(settings.VAPID_KEY_FILE)
    user = new_user()
    caller = Caller(user)
    for _ in range(push.SUBSCRIPTIONS_MAX + 1):
        Browser(caller, f"https://push.example/{uuid4()}")
    again = Browser(caller, push.of(user)[0].url)
    assert again.subscription.status == 201
    assert PushSubscription.objects.filter(user=user).count() == push.SUBSCRIPTIONS_MAX
    bad = {"url": "https://push.example/", "p256dh": "AAAA", "auth": "AAAA"}
    assert caller.post("/notices/push/", bad).problem == (400, "malformed")
    settings.WEBHOOK_NETWORKS = []
    for url in ("http://push.example/", f"https://{'a' * 60}.{'b' * 60}.{'c' * 60}.{'d' * 80}/"):
        refused = Browser(caller, url).subscription
        assert (refused.problem, refused.data["data"]["path"]) == ((400, "malformed"), "$.url")
    settings.VAPID_KEY_FILE.write_text("no key\n")
    assert caller.get("/notices/push/key/").problem == (503, "unavailable")
