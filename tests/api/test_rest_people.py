"""Coming in: guests, registration, tokens, and what nobody is told."""

from datetime import timedelta
from unittest.mock import patch
from uuid import uuid4

from django.test import override_settings
from django.utils import timezone

from accounts import tokens
from accounts.models import Token, User
from gameserver.settings import base
from tests.api.rest import Caller

PASSWORD = "correct horse battery"


def registered(name: str | None = None) -> tuple[str, Caller]:
    name = name or f"p{uuid4().hex[:20]}"
    answer = Caller().post(
        "/auth/register/", {"username": name, "password": PASSWORD, "display_name": "Ann"}
    )
    assert answer.status == 201, answer
    return name, Caller(token=answer.data["token"])


def test_a_guest_gets_a_token_and_no_money() -> None:
    answer = Caller().post("/auth/guest/", {"display_name": "Zoë"})
    assert answer.status == 201
    guest = Caller(token=answer.data["token"])
    me = guest.get("/auth/me/").data
    assert me == answer.data["user"]
    assert (me["display_name"], me["is_guest"], me["username"]) == ("Zoë", True, None)
    assert guest.get("/accounts/").data["items"] == []


def test_a_guest_without_a_name_is_given_one() -> None:
    assert Caller().post("/auth/guest/").data["user"]["display_name"].startswith("Guest ")


def test_registering_opens_a_wallet_with_the_opening_grant() -> None:
    _, caller = registered()
    (wallet,) = caller.get("/accounts/").data["items"]
    assert (wallet["unit"], wallet["balance"]) == ("coin", 1000)
    assert [
        caller.get(f"/accounts/?{asked}").data["items"] for asked in ("unit=coin", "unit=chip")
    ] == [[wallet], []]
    (grant,) = caller.get("/transfers/").data["items"]
    assert (grant["amount"], grant["reason"], grant["unit"]) == (1000, "opening_grant", "coin")


def test_usernames_differ_in_more_than_case() -> None:
    name, _ = registered()
    again = {"username": name.upper(), "password": PASSWORD, "display_name": "B"}
    assert Caller().post("/auth/register/", again).problem == (409, "username_taken")
    assert (
        Caller().post("/auth/token/", {"username": name.upper(), "password": PASSWORD}).status
        == 201
    )


def test_weak_passwords_are_refused_with_reasons() -> None:
    answer = Caller().post(
        "/auth/register/",
        {"username": uuid4().hex[:20], "password": "password1", "display_name": "A"},
    )
    assert answer.problem == (422, "password_too_weak")
    assert answer.data["data"] == {"reasons": ["password_too_common"]}
    asked = {"username": uuid4().hex[:20], "password": "ottoline99", "display_name": "Ottoline 99"}
    assert Caller().post("/auth/register/", asked).data["data"] == {
        "reasons": ["password_too_similar"]
    }


@override_settings(PASSWORD_HASHERS=base.PASSWORD_HASHERS)
def test_passwords_are_hashed_with_argon2() -> None:
    name, _ = registered()
    assert User.objects.get(username=name).password.startswith("argon2$argon2id$")


def test_wrong_names_and_wrong_passwords_are_answered_the_same() -> None:
    name, _ = registered()
    wrong_password = Caller().post(
        "/auth/token/", {"username": name, "password": "wrong horse battery"}
    )
    wrong_name = Caller().post("/auth/token/", {"username": uuid4().hex, "password": PASSWORD})
    assert wrong_password.problem == (401, "wrong_credentials")
    assert wrong_password.content == wrong_name.content


def test_a_guest_cannot_sign_in_with_a_password() -> None:
    guest = Caller().post("/auth/guest/").data["user"]
    for password in ("", "!", "a password of some length"):
        answer = Caller().post("/auth/token/", {"username": guest["id"], "password": password})
        assert answer.problem == (401, "wrong_credentials")


def test_tokens_are_hashed_at_rest() -> None:
    _, caller = registered()
    assert caller.token is not None
    row = Token.objects.get(digest=tokens.digest_of(caller.token))
    for field in Token._meta.concrete_fields:
        assert caller.token not in str(field.value_from_object(row)), field.name


def test_both_words_for_a_token_are_understood_and_no_other() -> None:
    _, caller = registered()
    for scheme, status in (("Bearer", 200), ("Token", 200), ("bearer", 200), ("Basic", 401)):
        assert (
            Caller().call("GET", "/auth/me/", Authorization=f"{scheme} {caller.token}").status
            == status
        )


def test_broken_tokens_are_refused_and_do_no_harm() -> None:
    for header in (
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Bearer \xff\xfe",
        "Bearer a b c",
        "Bearer " + "a" * 5000,
        "Token \x00",
    ):
        assert Caller().call("GET", "/auth/me/", Authorization=header).problem == (
            401,
            "unauthenticated",
        ), header


def test_an_expired_token_is_refused() -> None:
    _, caller = registered()
    assert caller.token is not None
    row = Token.objects.get(digest=tokens.digest_of(caller.token))
    assert timedelta(0) < row.expires_at - timezone.now() <= timedelta(days=30)
    with patch("django.utils.timezone.now", return_value=row.expires_at):
        assert caller.get("/auth/me/").problem == (401, "unauthenticated")
    answer = caller.get("/auth/me/")
    assert answer.status == 200


def test_one_token_is_revoked_and_the_other_holds() -> None:
    name, caller = registered()
    other = Caller(
        token=Caller().post("/auth/token/", {"username": name, "password": PASSWORD}).data["token"]
    )
    assert [token["is_this_one"] for token in caller.get("/auth/tokens/").data] == [False, True]
    assert caller.post("/auth/revoke/").status == 204
    assert caller.get("/auth/me/").problem == (401, "unauthenticated")
    assert other.get("/auth/me/").status == 200
    assert len(other.get("/auth/tokens/").data) == 1


def test_all_tokens_are_revoked_at_once() -> None:
    name, caller = registered()
    other = Caller(
        token=Caller().post("/auth/token/", {"username": name, "password": PASSWORD}).data["token"]
    )
    assert caller.post("/auth/revoke_all/").status == 204
    assert caller.get("/auth/me/").status == other.get("/auth/me/").status == 401


def test_a_person_keeps_only_the_newest_tokens() -> None:
    _, caller = registered()
    user = User.objects.get(id=caller.get("/auth/me/").data["id"])
    newest = [tokens.begin_session(user) for _ in range(tokens.SESSIONS_MAX)]
    assert caller.get("/auth/me/").status == 401
    assert all(tokens.caller_with(issued.text) for issued in newest)


def test_an_inactive_person_is_refused() -> None:
    name, caller = registered()
    User.objects.filter(username=name).update(is_active=False)
    assert caller.get("/auth/me/").problem == (401, "unauthenticated")
    assert Caller().post("/auth/token/", {"username": name, "password": PASSWORD}).problem == (
        401,
        "wrong_credentials",
    )


def test_one_address_cannot_guess_for_ever() -> None:
    caller = Caller()
    guesses = [
        caller.post("/auth/token/", {"username": f"nobody-{n}", "password": "guess"})
        for n in range(21)
    ]
    assert [guess.status for guess in guesses] == [401] * 20 + [429]
    assert guesses[-1].problem == (429, "too_many_requests")
    assert 1 <= int(guesses[-1].headers["Retry-After"]) <= 60
    assert (
        Caller().post("/auth/token/", {"username": "nobody-here", "password": "guess"}).status
        == 401
    )


def test_a_forged_address_does_not_widen_the_limit() -> None:
    caller = Caller()
    body = {"username": "nobody-here", "password": "guess"}
    answers = [
        caller.call("POST", "/auth/token/", body, X_Forwarded_For=f"1.2.3.{n}") for n in range(21)
    ]
    assert answers[-1].status == 429
