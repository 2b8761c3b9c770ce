"""Guests, registration and tokens, and what responses do not reveal."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.conf import settings
from django.db.models.functions import Now
from django.test import override_settings
from django.utils import timezone

from accounts import addresses, people, tokens
from accounts.models import Account, Token, User
from accounts.names import RESERVED
from gameserver.settings import base
from kit.installation import FOLDER as ROOT
from kit.problems import Problem
from tests.api.registered import proved
from tests.api.rest import Caller

PASSWORD = "correct horse battery"


def registered(name: str | None = None) -> tuple[str, Caller]:
    name = name or f"p{uuid4().hex[:20]}"
    caller = Caller()
    asked = {"username": name, "password": PASSWORD, "display_name": "Ann"}
    answer = caller.post("/auth/register/", asked)
    assert answer.status == 201, answer
    caller.token = answer.data["token"]
    return name, caller


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


@pytest.mark.parametrize(
    ("password", "display_name", "reason"),
    [
        ("Password1234", "A", "password_too_common"),
        ("sunshinesunshine", "A", "password_too_common"),
        ("aaaaaaaaaaaaab", "A", "password_repeats_characters"),
        ("ottoline ninety", "Ottoline Ninety", "password_too_similar"),
    ],
)
def test_weak_passwords_are_refused_with_a_reason(
    password: str, display_name: str, reason: str
) -> None:
    asked = {
        "username": uuid4().hex[:20],
        "password": password,
        "display_name": display_name,
    }
    answer = Caller().post("/auth/register/", asked)
    assert answer.problem == (422, "password_too_weak")
    assert answer.data["data"] == {"reasons": [reason]}


def test_a_password_of_eleven_characters_is_too_short() -> None:
    asked = {"username": uuid4().hex[:20], "password": "x7!qLm2#vRt", "display_name": "A"}
    answer = Caller().post("/auth/register/", asked)
    assert answer.problem == (400, "malformed")
    assert answer.data["data"]["path"] == "$.password"


@pytest.mark.parametrize("name", ["admin", "Root", "adm1n", "support7", "Rai1bird", "admin."])
def test_names_of_the_server_and_its_staff_are_reserved(name: str) -> None:
    asked = {"username": name, "password": PASSWORD, "display_name": "A"}
    assert Caller().post("/auth/register/", asked).problem == (409, "name_reserved")
    assert Caller().post("/auth/guest/", {"display_name": name}).problem == (409, "name_reserved")


def test_the_documentation_lists_the_reserved_names() -> None:
    page = (ROOT / "docs" / "protocol" / "authentication.md").read_text()
    listed = page.partition("`name_reserved`: ")[2].partition(". ")[0]
    assert re.findall(r"`(\w+)`", listed) == sorted(RESERVED)


def test_a_display_name_cannot_imitate_another_username() -> None:
    name, owner = registered(f"bella{uuid4().hex[:12]}")
    imitations = [
        name,
        name.upper(),
        f" {name[:5]}.{name[5:]}",
        "\u0412" + name[1:],
        f"{name[0]}\uab7c{name[2:]}",
    ]
    for imitation in imitations:
        guest = Caller().post("/auth/guest/", {"display_name": imitation})
        assert guest.problem == (409, "display_name_taken"), imitation
    again = {"username": f"{name[:5]}-{name[5:]}", "password": PASSWORD, "display_name": "A"}
    assert Caller().post("/auth/register/", again).problem == (409, "username_taken")
    _, other = registered()
    assert other.post("/auth/bots/", {"display_name": name}).problem == (409, "display_name_taken")
    assert owner.post("/auth/bots/", {"display_name": name}).status == 201, "the owner's bot may"


def test_grants_are_once_per_mailbox_and_buy_ins_require_an_address_if_configured() -> None:
    def balance(caller: Caller) -> int:
        return sum(row["balance"] for row in caller.get("/accounts/").data["items"])

    def prove(caller: Caller, address: str) -> None:
        user = User.objects.get(id=caller.get("/auth/me/").data["id"])
        code = people.code_for_address(user, addresses.canonical(address))
        assert caller.post("/auth/email/confirm/", proved(code)).status == 204

    with override_settings(GRANT_REQUIRES_EMAIL=True):
        mailbox = uuid4().hex
        (_, first), (_, second) = registered(), registered()
        assert balance(first) == 0
        asked = {"slug": "free_spots", "buy_in": 1}
        assert first.post("/lobbies/", asked).problem == (403, "email_required")
        prove(first, f"{mailbox}@example.org")
        prove(first, f"{uuid4().hex}@example.org")
        assert balance(first) == 1000, "once per user"
        assert first.post("/lobbies/", asked).status == 201
        prove(second, f"{mailbox.upper()}+again@Example.org")
        assert balance(second) == 0, "once per mailbox"
        keys = {"SECRET_KEY": uuid4().hex, "SECRET_KEY_FALLBACKS": [settings.SECRET_KEY]}
        with override_settings(**keys):
            (_, third) = registered()
            prove(third, f"{mailbox}@example.org")
            assert balance(third) == 0, "with a new secret key as well"


def test_an_erased_user_leaves_open_lobbies_and_gets_the_buy_in_back() -> None:
    (_, host), (_, player) = registered(), registered()
    lobby = host.post("/lobbies/", {"slug": "free_spots", "buy_in": 100}).data["id"]
    assert player.post(f"/lobbies/{lobby}/join/").status == 200
    escrow = Account.objects.get(book=lobby, key="escrow")
    assert escrow.balance == 200
    assert player.post("/auth/erase/", {"password": PASSWORD}).status == 204
    assert len(host.get(f"/lobbies/{lobby}/").data["seats"]) == 1
    escrow.refresh_from_db()
    assert escrow.balance == 100


def test_ten_wrong_guesses_from_elsewhere_do_not_lock_a_new_user_out_at_home() -> None:
    name, owner = registered()
    stranger = Caller()
    for number in range(11):
        stranger.post("/auth/token/", {"username": name, "password": f"wrong guess {number:04}"})
    assert stranger.post("/auth/token/", {"username": name, "password": PASSWORD}).status == 429
    at_home = owner.client.post(
        "/api/v1/auth/token/",
        {"username": name, "password": PASSWORD},
        content_type="application/json",
    )
    assert at_home.status_code == 201


@pytest.mark.parametrize("path", ["guest/", "register/", "token/"])
def test_responses_with_a_token_are_not_cached(path: str) -> None:
    body = {} if path == "guest/" else {"username": uuid4().hex[:20], "password": PASSWORD}
    answer = Caller().post(f"/auth/{path}", body)
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_each_scope_of_a_token_is_listed_once() -> None:
    _, caller = registered()
    asked = {"name": "A program", "scopes": ["read", "read"]}
    answer = caller.post("/auth/tokens/", asked)
    assert answer.problem == (400, "malformed")


@override_settings(PASSWORD_HASHERS=base.PASSWORD_HASHERS)
def test_passwords_are_hashed_with_argon2() -> None:
    name, _ = registered()
    assert User.objects.get(username=name).password.startswith("argon2$argon2id$")


def test_a_sign_in_with_the_old_password_gets_no_session_after_the_change() -> None:
    name, caller = registered()
    user = people.sign_in(name, PASSWORD, address="127.0.0.1")
    changed = {"current": PASSWORD, "new": "another horse battery"}
    assert caller.post("/auth/password/", changed).status == 204
    with pytest.raises(Problem, match="wrong_credentials"):
        tokens.begin_session(user)
    assert tokens.tokens_of(user).count() == 1, "that of the request"


def test_wrong_usernames_and_wrong_passwords_get_the_same_response() -> None:
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


def test_only_the_schemes_bearer_and_token_are_accepted() -> None:
    _, caller = registered()
    for scheme, status in (("Bearer", 200), ("Token", 200), ("bearer", 200), ("Basic", 401)):
        assert (
            Caller().call("GET", "/auth/me/", Authorization=f"{scheme} {caller.token}").status
            == status
        )


def test_malformed_tokens_are_rejected() -> None:
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
    rows = Token.objects.filter(digest=tokens.digest_of(caller.token))
    assert timedelta(0) < rows.get().expires_at - timezone.now() <= timedelta(days=30)
    assert caller.get("/auth/me/").status == 200
    rows.update(expires_at=Now())
    assert caller.get("/auth/me/").problem == (401, "unauthenticated")


def test_one_token_is_revoked_and_the_other_stays_valid() -> None:
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


def test_a_user_keeps_only_the_newest_sessions() -> None:
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


def test_sign_in_attempts_are_limited_per_address() -> None:
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


def test_sign_ins_failures_and_revocations_are_logged_without_names_or_passwords(
    caplog: pytest.LogCaptureFixture,
) -> None:
    name, _ = registered()
    caplog.clear()
    Caller().post("/auth/token/", {"username": name, "password": "wrong horse battery"})
    session = Caller().post("/auth/token/", {"username": name, "password": PASSWORD}).data
    Caller(token=session["token"]).post("/auth/revoke/")
    until = timezone.now() + timedelta(hours=1)
    User.objects.filter(username=name).update(suspended_until=until)
    refused = Caller().post("/auth/token/", {"username": name, "password": PASSWORD})
    assert refused.problem == (403, "suspended")
    logged = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
    events = {each["event"]: each for each in logged}
    expected = {"sign_in_failed", "sign_in_refused", "signed_in", "tokens_revoked"}
    assert expected <= events.keys()
    refusal = events["sign_in_refused"]
    assert (refusal["user"], refusal["code"]) == (session["user"]["id"], "suspended")
    assert events["signed_in"]["user"] == events["tokens_revoked"]["user"] == session["user"]["id"]
    assert all(each["request_id"] for each in events.values())
    for secret in (name, PASSWORD, "wrong horse battery", session["token"]):
        assert secret not in str(logged)
