"""Every act that changes how an account is recovered, with every proof, and the way back."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import people, recovery, second_factor, tokens
from accounts.models import ExternalIdentity, RecoveryChange, Token, User
from accounts.recovery import Proof
from tests.api.registered import (
    OTHER,
    PASSWORD,
    code_in,
    code_of,
    signed_in,
    user_of,
    with_address,
)
from tests.api.rest import Answer, Caller


class Owner(NamedTuple):
    """A user with an address, and how they prove something."""

    name: str
    address: str
    caller: Caller
    mailed: list[EmailMessage]
    codes: list[str]

    @property
    def user(self) -> User:
        return User.objects.get(username=self.name)

    def state(self) -> object:
        user = self.user
        app = second_factor.state_of(user)["app"]
        key = app and {**app, "t0": None}  # `app_code` moves it
        return user.email, user.password, user.is_active, user.display_name, key

    def code_at(self, address: str) -> str:
        mail = next(mail for mail in reversed(self.mailed) if mail.to == [address])
        return code_in(mail)


def app_code(user: User) -> str:
    """The present code of the authenticator app, in the middle of its half minute."""
    TOTPDevice.objects.filter(user=user).update(t0=int(time.time()) - 3015, last_t=-1)
    return code_of(user)


@pytest.fixture
def owner(mailed: list[EmailMessage]) -> Owner:
    return Owner(*with_address(mailed), mailed, [])


def with_factor(owner: Owner) -> Owner:
    second_factor.secret_of(owner.user)
    return owner._replace(codes=second_factor.enroll(owner.user, app_code(owner.user)))


def change_address(owner: Owner, proof: dict[str, str]) -> Answer:
    new = f"{uuid4().hex}@example.org"
    owner.caller.post("/auth/email/", {"email": new})
    return owner.caller.post("/auth/email/confirm/", {"code": owner.code_at(new), **proof})


def change_password(owner: Owner, proof: dict[str, str]) -> Answer:
    body = {("current" if key == "password" else key): text for key, text in proof.items()}
    return owner.caller.post("/auth/password/", {"new": OTHER, **body})


def add_factor(owner: Owner, proof: dict[str, str]) -> Answer:
    assert owner.caller.post("/auth/second-factor/secret/").status == 201
    code = app_code(owner.user)
    return owner.caller.post("/auth/second-factor/add/", {"code": code, **proof})


ACTS: dict[str, Callable[[Owner, dict[str, str]], Answer]] = {
    "address": change_address,
    "password": change_password,
    "added": add_factor,
    "removed": lambda owner, proof: owner.caller.post("/auth/second-factor/remove/", proof),
    "erasure": lambda owner, proof: owner.caller.post("/auth/erase/", proof),
}


def mailed_code(owner: Owner) -> str:
    assert owner.caller.post("/auth/proof/").status == 202
    return owner.code_at(owner.address)


PROOFS: dict[str, Callable[[Owner], dict[str, str]]] = {
    "nothing": lambda _: {},
    "a wrong password": lambda _: {"password": OTHER},
    "a wrong code": lambda _: {"factor": "aaaaaaaa"},
    "a mailed code alone": lambda owner: {"mailed": mailed_code(owner)},
    "another mailed code": lambda owner: {"mailed": "x", "password": PASSWORD},
    "the password": lambda _: {"password": PASSWORD},
    "a recovery code": lambda owner: {"factor": owner.codes[0]},
    "a code of the app": lambda owner: {"factor": app_code(owner.user)},
    "a recovery code and a mailed code": lambda owner: {
        "factor": owner.codes[0],
        "mailed": mailed_code(owner),
    },
}
GOOD, FINAL = list(PROOFS)[5:], "a recovery code and a mailed code"
CASES = [
    *((act, "the password") for act in ACTS),
    *(("address", proof) for proof in GOOD[1:]),
    ("erasure", FINAL),
]


@pytest.mark.parametrize("act", ACTS)
def test_no_change_of_recovery_happens_without_a_proof(owner: Owner, act: str) -> None:
    if act != "added":
        owner = with_factor(owner)
    before = owner.state()
    for proof in set(PROOFS) - set(GOOD):
        refused = ACTS[act](owner, PROOFS[proof](owner))
        assert refused.problem[1] in {"wrong_password", "wrong_code", "code_invalid"}, proof
        assert (owner.state(), owner.caller.get("/auth/me/").status) == (before, 200), proof
    assert not RecoveryChange.objects.filter(user=owner.user).exists()


@pytest.mark.parametrize(("act", "proof"), CASES)
def test_every_change_of_recovery_is_told_and_has_a_way_back(
    owner: Owner, act: str, proof: str
) -> None:
    if act != "added":
        owner = with_factor(owner)
    before, given = owner.state(), PROOFS[proof](owner)
    user = owner.user
    changed = ACTS[act](owner, given)
    assert changed.status in {201, 204}, changed
    mail = owner.mailed[-1]
    assert mail.to == [owner.address]
    if proof == FINAL:
        assert "undo it" not in mail.body
        assert recovery.way_back(RecoveryChange.objects.get(user=user)) == ""
        return
    elsewhere = Caller(None if act == "erasure" else owner.user)
    if act != "erasure":
        for _, again in sorted(ACTS.items()):
            if again is not ACTS["added"] or act == "removed":
                old = PASSWORD if act != "password" else OTHER
                refused = again(owner, {"password": old})
                assert refused.problem == (409, "recovery_changed"), again
    code = code_in(mail)
    for wrong in ({}, {"password": OTHER}, {"factor": "aaaaaaaa"}):
        assert Caller().post("/auth/restore/", {"code": code, **wrong}).status == 403
    assert Caller().post("/auth/restore/", {"code": f"{code}x"}).problem == (422, "code_invalid")
    back = {"factor": owner.codes[1]} if "code" in proof else {"password": PASSWORD}
    assert Caller().post("/auth/restore/", {"code": code, **back}).status == 204
    assert owner.state() == before
    assert {each.get("/auth/me/").status for each in (owner.caller, elsewhere)} == {401}
    assert Caller().post("/auth/restore/", {"code": code, **back}).problem == (422, "code_invalid")


def test_a_reset_is_told_and_its_way_back_ends(owner: Owner) -> None:
    Caller().post("/auth/reset/", {"email": owner.address})
    body = {"code": owner.code_at(owner.address), "password": OTHER}
    assert Caller().post("/auth/reset/confirm/", body).status == 204
    back = {"code": owner.code_at(owner.address), "password": PASSWORD}
    RecoveryChange.objects.filter(user=owner.user).update(ends_at=timezone.now())
    assert Caller().post("/auth/restore/", back).problem == (422, "code_invalid")
    recovery.sweep()
    assert not RecoveryChange.objects.filter(user=owner.user).exists()
    assert signed_in(owner.name, OTHER) == 201


def test_a_hidden_user_is_nobody_until_the_way_back(owner: Owner) -> None:
    browser = Client()
    browser.force_login(owner.user)
    assert owner.caller.post("/auth/erase/", {"password": PASSWORD}).status == 204
    people.erase_hidden()
    assert (owner.user.display_name, signed_in(owner.name, PASSWORD)) == ("Erased", 401)
    code = owner.code_at(owner.address)
    assert "_auth_user_id" in browser.session
    assert browser.get("/oauth/authorize/").status_code == 302
    Caller().post("/auth/reset/", {"email": owner.address})
    assert code == owner.code_at(owner.address), "no reset of a hidden user"
    back = {"code": code, "password": PASSWORD}
    assert Caller().post("/auth/restore/", back).status == 204
    assert signed_in(owner.name, PASSWORD) == 201


def test_a_user_of_a_provider_proves_a_change_by_a_new_sign_in(
    owner: Owner, mailed: list[EmailMessage]
) -> None:
    user = owner.user
    ExternalIdentity.objects.create(user=user, issuer="https://id.example", subject=uuid4().hex)
    user.set_unusable_password()
    user.save()
    fresh, rows = Caller(user), Token.objects.filter(user=user)
    long_ago = timezone.now() - tokens.NEW - timedelta(seconds=1)
    rows.update(created_at=long_ago)
    for act in ("address", "password", "added", "erasure"):
        refused = ACTS[act](owner._replace(caller=fresh), {})
        assert refused.problem == (403, "sign_in_again"), act
    fresh = Caller(user)
    assert change_address(owner._replace(caller=fresh), {}).status == 204
    code = owner.code_at(owner.address)
    assert Caller().post("/auth/restore/", {"code": code}).problem == (403, "sign_in_again")
    assert fresh.token is not None
    back = {"code": code, "session": fresh.token}
    assert Caller().post("/auth/restore/", back).status == 204
    assert owner.user.email == owner.address


def test_a_mail_that_the_queue_refused_is_sent_later(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = owner.user
    with recovery.change(user, RecoveryChange.Kind.PASSWORD):
        pass
    change = RecoveryChange.objects.filter(user=user)
    sent = len(owner.mailed)
    change.update(is_told=False, at=timezone.now() - timedelta(minutes=2))
    recovery.sweep()
    assert (len(owner.mailed), change.get().is_told) == (sent + 1, True)


# The second factor of users


def test_a_user_with_a_factor_signs_in_with_it(owner: Owner) -> None:
    made = owner.caller.post("/auth/second-factor/secret/").data
    assert made["secret"] in made["uri"]
    assert owner.caller.post("/auth/second-factor/secret/").data["secret"] != made["secret"]
    body = {"code": app_code(owner.user), "password": PASSWORD}
    codes = owner.caller.post("/auth/second-factor/add/", body).data["recovery_codes"]
    assert owner.caller.post("/auth/second-factor/secret/").problem == (409, "second_factor_exists")
    stored = StaticToken.objects.filter(device__user=owner.user).values_list("token", flat=True)
    assert len(stored) == len(codes)
    assert set(stored).isdisjoint(codes)
    asked = {"username": owner.name, "password": PASSWORD}

    def sign_in(**more: Any) -> Answer:
        return Caller().post("/auth/token/", {**asked, **more})

    assert sign_in().problem == (403, "factor_required")
    assert sign_in(factor="aaaaaaaa").problem == (403, "wrong_code")
    assert sign_in(factor=codes[0]).status == 201
    assert sign_in(factor=codes[0]).problem == (403, "wrong_code")
    assert sign_in(factor=app_code(owner.user)).status == 201
    page, browser = "/oauth/sign_in/", Client()
    refused = browser.post(page, asked).content.decode()
    assert "Enter a new code of your authenticator app" in refused
    assert browser.post(page, {**asked, "factor": codes[1]}).status_code == 302


def test_a_code_without_a_factor_proves_nothing(owner: Owner) -> None:
    asked = {"username": owner.name, "password": PASSWORD, "factor": "aaaaaaaa"}
    assert Caller().post("/auth/token/", asked).problem == (403, "wrong_code")


def test_staff_remove_their_factor_with_the_factor_only(owner: Owner) -> None:
    owner = with_factor(owner)
    User.objects.filter(username=owner.name).update(is_staff=True)
    remove = ACTS["removed"]
    assert remove(owner, {"password": PASSWORD}).problem == (403, "wrong_code")
    assert remove(owner, {"factor": owner.codes[0]}).status == 204


# Sessions


def test_a_session_that_nobody_uses_ends(owner: Owner) -> None:
    rows = Token.objects.filter(user=owner.user)
    rows.update(used_at=timezone.now() - tokens.IDLE + timedelta(minutes=1))
    assert owner.caller.get("/auth/me/").status == 200
    assert rows.get().used_at > timezone.now() - timedelta(minutes=1), "its use was noted"
    rows.update(used_at=timezone.now() - tokens.IDLE)
    assert owner.caller.get("/auth/me/").status == 401


@pytest.mark.parametrize("end", ["revoke_all", "reset of the factor", "password"])
def test_what_ends_all_tokens_ends_sessions_in_browsers(owner: Owner, end: str) -> None:
    browser = Client()
    browser.force_login(owner.user)
    assert browser.get("/oauth/authorize/").status_code == 400, "signed in, but no app asks"
    match end:
        case "revoke_all":
            assert owner.caller.post("/auth/revoke_all/").status == 204
        case "password":
            assert change_password(owner, {"password": PASSWORD}).status == 204
        case _:
            call_command("second_factor", reset=owner.name)
    assert browser.get("/oauth/authorize/").status_code == 302


def test_guests_change_their_address_with_their_token(mailed: list[EmailMessage]) -> None:
    guest = Caller(token=Caller().post("/auth/guest/").data["token"])
    user = user_of(guest)
    assert recovery.prove(tokens.Caller(user, frozenset(), ""), Proof()) is False
