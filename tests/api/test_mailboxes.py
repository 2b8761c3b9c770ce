"""Mailboxes: however an address is spelled, one mailbox gets one grant and a few mails an hour."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.mail import EmailMessage
from django.core.mail.message import sanitize_address

from accounts import addresses, tasks
from accounts.models import User
from tests.api.registered import code_in, proved, registered, user_of
from tests.api.rest import Caller
from tests.smtp import Smtp, smtp

__all__ = ["smtp"]

SPELLINGS = (
    *("{0}@example.org", "{0}@EXAMPLE.org", "{0}+1@example.org", "+{0}@example.org"),
    *("<{0}@example.org>", "<{0}@example.org", "{0}@example.org>", "<{0}+2@example.org>"),
    *("{0}@example.org.", "{0}@ｅxample.org", "{0}@example。org", "{0}@example｡org"),
    *("{0}@eｘample．org", "ｆ{0}@example.org", "{0}＠example.org", "{0}@example.org;"),
    *(
        '"{0}"@example.org',
        "{0}@[127.0.0.1]",
        "{0}@example.org,x@example.org",
        "({0})x@example.org",
    ),
    *("Ann<{0}@example.org>", "{0}@exämple.org", "{0}@EXÄMPLE.org", "{0}@xn--exmple-cua.org"),
    *("é{0}@example.org", "{0}@-example.org", "{0}@" + "a" * 64 + ".org", "{0}..x@example.org"),
)
ALIKE = {
    "{0}@exämple.org": "{0}@xn--exmple-cua.org",
    "{0}@EXÄMPLE.org": "{0}@xn--exmple-cua.org",
    "{0}＠example.org": "{0}@example.org",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_address_is_refused_or_has_one_form_to_which_mail_goes(
    mailed: list[EmailMessage], spelling: str
) -> None:
    _, caller = registered()
    asked = caller.post("/auth/email/", {"email": spelling.format(uuid4().hex)})
    assert asked.status in {202, 400}
    assert len(mailed) == (asked.status == 202)
    for mail in mailed:
        (to,) = mail.to
        assert to == to.lower() == addresses.canonical(to)
        assert sanitize_address(to, "utf-8") == to, "the envelope has what is stored"
        assert caller.post("/auth/email/confirm/", proved(code_in(mail))).status == 204
        assert user_of(caller).email == to


def test_a_mailbox_gets_one_grant_and_few_mails_however_it_is_spelled(
    mailed: list[EmailMessage], settings: Any
) -> None:
    settings.GRANT_REQUIRES_EMAIL = True
    name, balances = uuid4().hex, []
    for spelling in SPELLINGS:
        _, caller = registered()
        before = len(mailed)
        caller.post("/auth/email/", {"email": spelling.format(name)})
        for mail in mailed[before:]:
            caller.post("/auth/email/confirm/", proved(code_in(mail)))
        balances += [row["balance"] for row in caller.get("/accounts/").data["items"]]
    boxes = [addresses.mailbox_of(mail.to[0]) for mail in mailed]
    assert max(map(boxes.count, boxes)) == 5, "the limit of a mailbox"
    assert sum(balances) == 1000 * len(set(boxes))
    assert set(boxes) == {f"{name}@example.org", f"{name}@xn--exmple-cua.org", *set(boxes) - {name}}


def test_the_same_mailbox_in_another_alphabet_resets_the_password(
    mailed: list[EmailMessage],
) -> None:
    name, (_, caller) = uuid4().hex, registered()
    caller.post("/auth/email/", {"email": f"{name}@xn--exmple-cua.org"})
    caller.post("/auth/email/confirm/", proved(code_in(mailed[-1])))
    assert Caller().post("/auth/reset/", {"email": f"{name}@EXÄMPLE.org"}).status == 202
    assert mailed[-1].to == [f"{name}@xn--exmple-cua.org"]


@pytest.mark.parametrize("task", [tasks.mail_address_code, tasks.mail_reset_codes])
def test_a_mail_is_tried_again_until_its_server_is_back(
    smtp: Callable[..., Smtp], new_user: Callable[[], User], task: Any
) -> None:
    user, address = new_user(), f"{uuid4().hex}@example.org"
    User.objects.filter(id=user.id).update(email=address)
    arguments = (address,) if task is tasks.mail_reset_codes else (str(user.id), address)
    server = smtp("", "451 later", "250 fine")
    assert task.apply(arguments).successful()
    assert server.envelopes == [f"<{address}>"] * 3


def test_a_mail_that_its_server_refuses_permanently_is_not_tried_again(
    smtp: Callable[..., Smtp],
) -> None:
    server = smtp("550 nobody here")
    tasks.send("A subject", "A text", "nobody@example.org")
    assert len(server.envelopes) == 1
