"""Mails about notices: to whom, when not, what a click on their link does."""

import re
from collections.abc import Callable
from datetime import timedelta
from email import message_from_string
from email.message import Message
from email.policy import default
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import prefetch_related_objects
from django.test import Client
from django.utils import timezone

from accounts import people
from accounts.models import User
from notices import deliveries, delivering, inbox
from notices.models import Delivery, Inbox, Notice, Webhook
from tests.builders import NewUser
from tests.notices.scene import deliver, fact, tell, webhook_of
from tests.smtp import Smtp, smtp

__all__ = ["smtp"]
pytestmark = pytest.mark.xdist_group("webhooks")

StartSmtp = Callable[..., Smtp]


@pytest.fixture(autouse=True)
def _mailing(settings: Any) -> None:
    settings.PUBLIC_URL, settings.NOTICE_AFTER_S = "https://play.example", 0


@pytest.fixture
def reader(new_user: NewUser) -> User:
    """A user with a confirmed address."""
    user = new_user()
    user.email = f"{uuid4().hex}@example.org"
    user.save()
    return user


def states(user: User) -> list[tuple[str, str]]:
    found = Delivery.objects.filter(user=user, host="").order_by("id")
    return list(found.values_list("state", "error"))


def link_in(mail: Message) -> str:
    found = re.fullmatch(r"<https://play\.example(/notices/.+)>", mail["List-Unsubscribe"].strip())
    assert found is not None
    assert found[1] in str(mail.get_payload())
    return found[1]


def test_a_mail_has_both_languages_and_one_click_stops_its_kind(
    smtp: StartSmtp, reader: User
) -> None:
    server = smtp(*["250 fine"] * 2)
    turn = fact(reader, "your_turn")
    tell(turn, fact(reader, "seat_replaced"), fact(reader, "game_over"))
    deliver()
    assert len(server.mails) == 2, "turns and replaced seats are mailed at first"
    mails = [message_from_string(each, policy=default) for each in server.mails]
    (mail,) = [each for each in mails if "turn" in each["Subject"]]
    assert mail["To"] == reader.email
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert f"https://play.example/lobbies/{turn.data['lobby']}/" in str(mail.get_payload())
    path, browser = link_in(mail), Client(enforce_csrf_checks=True)
    assert browser.get(path).status_code == 200
    assert "mail" in inbox.wanted_by(reader)["your_turn"], "to look is no click"
    assert browser.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert inbox.wanted_by(reader)["your_turn"] == ["inbox", "push"]
    assert "mail" in inbox.wanted_by(reader)["seat_replaced"]
    assert browser.post(f"{path[:-3]}xx/").status_code == 404
    tell(fact(reader, "your_turn"))
    deliver()
    assert len(server.mails) == 2


def test_a_mail_waits_and_lapses_when_it_is_not_needed_any_more(
    smtp: StartSmtp, reader: User, settings: Any
) -> None:
    server = smtp()
    changes: dict[str, Callable[[], object]] = {
        "read": lambda: inbox.mark_read(reader, 1),
        "decided": lambda: delivering.still_open.append(lambda notice: False),
        "unwanted": lambda: inbox.want(reader, "your_turn", ["inbox"]),
        "suspended": lambda: people.suspend(reader.id, timezone.now() + timedelta(days=1)),
        "without an address": lambda: User.objects.filter(id=reader.id).update(email=""),
    }  # fmt: skip
    settings.NOTICE_AFTER_S = 60
    for change in changes.values():
        inbox.forget(reader)
        inbox.want(reader, "your_turn", ["inbox", "mail"])
        tell(fact(reader, "your_turn"))
        deliver()
        assert states(reader)[-1] == ("waiting", ""), "it waits for a minute"
        change()
        Delivery.objects.update(due_at=timezone.now())
        deliver()
        assert states(reader)[-1] == ("lapsed", "")
        User.objects.filter(id=reader.id).update(suspended_until=None, email=reader.email)
        del delivering.still_open[1:]
    assert server.mails == []


def test_a_refused_address_gets_no_more_and_a_server_that_is_away_is_tried_again(
    smtp: StartSmtp, reader: User, settings: Any
) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "notice_mail": (2, 3600)}
    server = smtp("", "450 later", "550 nobody", "250 fine")
    tell(fact(reader, "your_turn"))
    for _ in range(3):
        deliver()
        Delivery.objects.update(due_at=timezone.now())
    assert states(reader) == [("failed", "refused")], "attempts count as one mail"
    assert Delivery.objects.get(user=reader).attempts == 3
    assert Inbox.objects.get(user=reader).refused == reader.email
    tell(fact(reader, "your_turn"))
    assert len(states(reader)) == 1
    inbox.want(reader, "your_turn", ["inbox", "mail"])
    tell(fact(reader, "your_turn"))
    deliver()
    assert states(reader)[1:] == [("sent", "")]
    assert len(server.mails) == 1


def test_a_receiver_that_is_deleted_turns_no_delivery_into_a_mail(
    smtp: StartSmtp, reader: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, settings.NOTICE_AFTER_S = smtp("250 fine"), 60
    hook, read = webhook_of(reader, "https://one.example/"), prefetch_related_objects

    def delete_and_read(claimed: list[Delivery], *related: str) -> None:
        Webhook.objects.filter(id=hook.id).delete()
        read(claimed, *related)

    monkeypatch.setattr(deliveries, "prefetch_related_objects", delete_and_read)
    tell(fact(reader, "your_turn"))
    deliver()
    assert server.envelopes == []
    assert states(reader) == [("waiting", "")], "the mail itself waits"


def test_nobody_is_mailed_more_than_a_few_times_an_hour_or_without_an_address(
    smtp: StartSmtp, reader: User, new_user: NewUser, settings: Any
) -> None:
    server = smtp(*["250 fine"] * 3)
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "notice_mail": (3, 3600)}
    tell(*(fact(reader, "your_turn") for _ in range(5)), fact(new_user(), "your_turn"))
    deliver()
    assert len(server.mails) == 3
    assert [state for state, _ in states(reader)].count("lapsed") == 2
    assert Notice.objects.filter(user=reader).count() == 5
