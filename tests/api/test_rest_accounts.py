"""Users over REST: register a guest, change and reset the password, erase the user."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
import structlog
from django.core.mail import EmailMessage
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts import people, tokens
from accounts.models import RecoveryChange, User
from games import lobbies
from games.models import Bet
from games.play import service
from games.proofs.verification import ledger_findings, verify_game
from kit import event_loop
from kit.problems import Problem
from railbird_engine import Seat
from tests.api.registered import (
    OTHER,
    PASSWORD,
    code_in,
    proved,
    registered,
    registration,
    signed_in,
    user_of,
    with_address,
)
from tests.api.rest import Caller, take
from tests.builders import start_game
from tests.waiting import Waiting

# Registering a guest


def register(guest: User) -> None:
    body = registration()
    people.claim(guest, body["username"], PASSWORD, "Zoë", address="")


def test_a_guest_registers_and_keeps_seats_bets_and_tokens(
    new_user: Callable[[], User],
) -> None:
    guest = Caller(token=Caller().post("/auth/guest/", {"display_name": "Zoë"}).data["token"])
    user = user_of(guest)
    lobby = lobbies.create(user, lobbies.LobbyChoices(slug="free_spots"))
    other = new_user()
    lobbies.join(other, lobby.id)
    lobbies.set_ready(other, lobby.id, ready=True)
    game = start_game(user, lobby.id)
    assert guest.play(game.id, take(3)).status == 201
    body = registration()
    me = guest.post("/auth/guest/register/", body).data
    assert (me["id"], me["is_guest"], me["username"]) == (str(user.id), False, body["username"])
    assert guest.play(game.id, take(4)).status == 201, "the token and the seat are still the user's"
    assert len(guest.get("/bets/").data["items"]) == 2
    (wallet,) = guest.get("/accounts/").data["items"]
    assert wallet["balance"] == 1000
    assert signed_in(body["username"], PASSWORD) == 201


def test_a_guest_moves_to_another_device_with_a_code_that_works_once() -> None:
    guest = Caller(token=Caller().post("/auth/guest/", {}).data["token"])
    user = user_of(guest)
    code = guest.post("/auth/device/").data["code"]
    wrong = {"code": code[:-1] + ("a" if code[-1] != "a" else "b")}
    assert Caller().post("/auth/device/confirm/", wrong).problem == (422, "code_invalid")
    moved = Caller(token=Caller().post("/auth/device/confirm/", {"code": code}).data["token"])
    assert user_of(moved) == user
    assert guest.get("/auth/me/").status == 401, "the session of the old device has ended"
    assert Caller().post("/auth/device/confirm/", {"code": code}).problem == (422, "code_invalid")


def test_a_guest_whose_answer_is_lost_moves_with_the_same_code() -> None:
    guest = Caller(token=Caller().post("/auth/guest/", {}).data["token"])
    code = {"code": guest.post("/auth/device/").data["code"]}
    lost, moved = (
        Caller(token=Caller().post("/auth/device/confirm/", code).data["token"]) for _ in range(2)
    )
    assert [each.get("/auth/me/").status for each in (lost, guest, moved)] == [401, 200, 200]
    assert [each.get("/auth/me/").status for each in (guest, moved)] == [401, 200]
    assert Caller().post("/auth/device/confirm/", code).problem == (422, "code_invalid")


@pytest.mark.parametrize("meanwhile", [tokens.revoke_all, register])
def test_a_code_for_a_device_is_invalid_once_its_session_is_no_guest_s(
    meanwhile: Callable[[User], object],
) -> None:
    """Both lock the user before the tokens: neither waits for the other without end."""
    user = people.new_guest()
    session = tokens.begin_session(user)
    caller = tokens.caller_with(session.text)
    assert caller is not None
    code = tokens.device_code(caller)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(id=user.id)
        changing = Waiting(lambda: tokens.change_device(code))
        meanwhile(user)
    with pytest.raises(Problem, match="code_invalid"):
        changing.ends()
    if meanwhile is tokens.revoke_all:
        with pytest.raises(Problem, match="unauthenticated"):
            tokens.device_code(caller)


def test_a_guest_registers_once_and_under_a_free_name() -> None:
    name, person = registered()
    assert person.post("/auth/guest/register/", registration()).problem == (409, "not_a_guest")
    guest = Caller(token=Caller().post("/auth/guest/").data["token"])
    assert guest.post("/auth/guest/register/", registration() | {"username": name}).problem == (
        409,
        "username_taken",
    )
    assert guest.post(
        "/auth/guest/register/", registration() | {"password": "password1234"}
    ).problem == (
        422,
        "password_too_weak",
    )
    assert guest.get("/auth/me/").data["is_guest"]
    assert guest.get("/accounts/").data["items"] == []


# Passwords


def test_changing_the_password_ends_all_other_tokens() -> None:
    name, caller = registered()
    other = Caller(
        token=Caller().post("/auth/token/", {"username": name, "password": PASSWORD}).data["token"]
    )
    assert caller.post("/auth/password/", {"current": OTHER, "new": OTHER}).problem == (
        403,
        "wrong_password",
    )
    assert caller.post("/auth/password/", {"current": PASSWORD, "new": "password1234"}).problem == (
        422,
        "password_too_weak",
    )
    assert other.get("/auth/me/").status == 200
    assert caller.post("/auth/password/", {"current": PASSWORD, "new": OTHER}).status == 204
    assert other.get("/auth/me/").status == 401
    assert caller.get("/auth/me/").status == 200
    assert (signed_in(name, PASSWORD), signed_in(name, OTHER)) == (401, 201)


def test_a_lost_password_is_replaced_by_mail_once(mailed: list[EmailMessage]) -> None:
    name, address, caller = with_address(mailed)
    assert Caller().post("/auth/reset/", {"email": address.upper()}).status == 202
    assert mailed[-1].to == [address]
    assert name in mailed[-1].body
    body = {"code": code_in(mailed[-1]), "password": OTHER}
    assert Caller().post("/auth/reset/confirm/", body | {"password": "password1234"}).problem == (
        422,
        "password_too_weak",
    )
    assert Caller().post("/auth/reset/confirm/", body).status == 204
    assert caller.get("/auth/me/").status == 401
    assert (signed_in(name, PASSWORD), signed_in(name, OTHER)) == (401, 201)
    assert Caller().post("/auth/reset/confirm/", body).problem == (422, "code_invalid")


def test_mails_name_the_server_and_never_the_host_of_a_request(
    mailed: list[EmailMessage], settings: Any
) -> None:
    _, address, _ = with_address(mailed)
    settings.PUBLIC_URL = "https://games.example.org"
    settings.ALLOWED_HOSTS = ["*"]
    sent = Client().post(
        "/api/v1/auth/reset/", {"email": address}, "application/json", HTTP_HOST="evil.example"
    )
    assert sent.status_code == 202
    assert "https://games.example.org" in mailed[-1].body
    assert "evil" not in mailed[-1].body


def test_responses_do_not_reveal_whether_an_address_exists(mailed: list[EmailMessage]) -> None:
    _, address, _ = with_address(mailed)
    sent = len(mailed)
    known, unknown = (
        Caller().post("/auth/reset/", {"email": asked})
        for asked in (address, f"{uuid4().hex}@example.org")
    )
    assert (known.status, known.content) == (unknown.status, unknown.content)
    assert len(mailed) == sent + 1


def test_an_address_is_stored_once_its_user_has_proved_it(mailed: list[EmailMessage]) -> None:
    _, caller = registered()
    _, stranger = registered()
    address = f"{uuid4().hex}@example.org"
    caller.post("/auth/email/", {"email": address})
    code = code_in(mailed[-1])
    Caller().post("/auth/reset/", {"email": address})
    assert len(mailed) == 1, "it was not proved yet"
    for wrong in (
        code[:-1] + ("a" if code[-1] != "a" else "b"),
        "x",
        people.code_for_reset(user_of(caller)),
    ):
        assert caller.post("/auth/email/confirm/", {"code": wrong}).problem == (422, "code_invalid")
    assert stranger.post("/auth/email/confirm/", {"code": code}).problem == (422, "code_invalid")
    assert caller.post("/auth/email/confirm/", proved(code)).status == 204
    assert user_of(caller).email == address


@pytest.mark.parametrize(
    "address", ["", "a", "@", "a@b\nBcc: c@d", "a b@c", "a@b@c", "x" * 250 + "@b.de"]
)
def test_a_mail_address_must_be_valid(address: str) -> None:
    assert Caller().post("/auth/reset/", {"email": address}).problem == (400, "malformed")


def test_mails_are_limited_per_address(mailed: list[EmailMessage]) -> None:
    caller = Caller()
    asked = [
        caller.post("/auth/reset/", {"email": f"nobody-{number}@example.org"}).status
        for number in range(11)
    ]
    assert asked == [202] * 10 + [429]


def test_mails_are_limited_per_mailbox(mailed: list[EmailMessage]) -> None:
    mailbox = f"{uuid4().hex}@example.org"
    asked = [Caller().post("/auth/reset/", {"email": mailbox}) for _ in range(6)]
    assert [answer.status for answer in asked] == [202] * 5 + [429]
    assert asked[-1].data["data"]["policy"] == "mailbox"
    assert Caller().post("/auth/reset/", {"email": mailbox.upper()}).problem == (
        429,
        "too_many_requests",
    )
    assert Caller().post("/auth/reset/", {"email": f"{uuid4().hex}@example.org"}).status == 202


# Erasure


def test_erasure_removes_personal_data_and_keeps_games_and_ledger_sound(
    mailed: list[EmailMessage],
) -> None:
    name, address, caller = with_address(mailed)
    user = user_of(caller)
    lobby = lobbies.create(
        user, lobbies.LobbyChoices(slug="free_spots", options={"boards": 1, "spots": 6})
    )
    game = start_game(user, lobby.id)
    for spot in range(6):
        assert caller.play(game.id, take(spot)).status == 201
    assert caller.post("/auth/erase/", {"password": OTHER}).problem == (403, "wrong_password")
    assert caller.post("/auth/erase/", {"password": PASSWORD}).status == 204
    assert caller.get("/auth/me/").status == 401
    assert signed_in(name, PASSWORD) == 401
    user.refresh_from_db()
    assert user.display_name == "Erased"
    RecoveryChange.objects.filter(user=user).update(ends_at=timezone.now())
    people.erase_hidden()
    assert not RecoveryChange.objects.filter(user=user).exists()
    user.refresh_from_db()
    kept = " ".join(str(field.value_from_object(user)) for field in User._meta.concrete_fields)
    assert not any(text in kept for text in (name, address, "Ann"))
    Caller().post("/auth/reset/", {"email": address})
    assert len(mailed) == 2, "the code of the address, the way back, and nothing since"
    assert Bet.objects.filter(game=game, user=user).count() == 6
    assert verify_game(game.id).findings == []
    assert list(ledger_findings()) == []


def test_a_running_game_continues_without_an_erased_user(new_user: Callable[[], User]) -> None:
    host, other = new_user(), new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    lobbies.join(other, lobby.id)
    lobbies.set_ready(other, lobby.id, ready=True)
    game = start_game(host, lobby.id)
    people.erase(host)
    assert Caller(other).play(game.id, take(1)).status == 201
    seats = Caller(other).get(f"/games/{game.id}/").data["seats"]
    assert [seat["name"] for seat in seats] == ["Erased", other.display_name]
    assert event_loop.call(service.view(game.id, Seat(0))).version == 2


def test_a_guest_is_erased_without_a_password() -> None:
    guest = Caller(token=Caller().post("/auth/guest/").data["token"])
    assert guest.post("/auth/erase/", {}).status == 204
    assert guest.get("/auth/me/").status == 401


def test_no_hashed_bytes_identify_a_user(new_user: Callable[[], User]) -> None:
    user = new_user()
    User.objects.filter(id=user.id).update(
        display_name="Ethelberta", email="ethelberta@example.org"
    )
    lobby = lobbies.create(User.objects.get(id=user.id), lobbies.LobbyChoices(slug="free_spots"))
    game = start_game(user, lobby.id)
    Caller(user).play(game.id, take(1))
    bodies = [bytes(game.genesis), *(bytes(commit.body) for commit in game.commits.all())]
    for text in ("thelberta", user.username, str(user.id), user.id.hex):
        assert not any(text.encode() in body for body in bodies)


# Cookies


def test_cookies_do_not_authenticate_api_requests() -> None:
    name, _ = registered()
    browser = Client()
    assert browser.login(username=name, password=PASSWORD)
    assert "sessionid" in browser.cookies
    for path in ("/api/v1/auth/me/", "/api/v1/lobbies/", "/api/v1/bets/"):
        assert browser.get(path).status_code == 401
    assert browser.post("/api/v1/auth/revoke_all/").status_code == 401


def test_the_log_names_the_user_of_each_request(
    settings: Any, new_user: Callable[[], User]
) -> None:
    settings.LOG_REQUESTS = True
    user = new_user()
    caller = Caller(user)
    query = {"query": "{ me { id } }"}
    with structlog.testing.capture_logs() as logs:
        caller.get("/auth/me/")
        assert caller.get("/admin/actions/").problem == (403, "scope_missing")
        headers = {"Authorization": f"Bearer {caller.token}"}
        asked = caller.client.post("/graphql/", query, "application/json", headers=headers)
        assert asked.json()["data"]["me"]["id"] == str(user.id)
        Caller().get("/rules/")
    named = [(line["code"], line.get("user")) for line in logs if line["event"] == "request"]
    own = str(user.id)
    assert named == [("ok", own), ("scope_missing", own), ("ok", own), ("ok", None)]
