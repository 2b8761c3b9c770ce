"""Staff prove a second factor before the admin, the scope `admin`, and again before they void."""

import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import people, second_factor, tokens
from accounts.models import Token, User
from accounts.oauth.proved import PROVED_AT
from games.models import Head
from tests.api.matrix import TABLE, World, operations
from tests.api.registered import PASSWORD, code_of
from tests.api.rest import Caller
from tests.builders import NewGame, NewUser

PAGE = "/admin/second-factor/"


@pytest.fixture(autouse=True)
def _required() -> Iterator[None]:
    with override_settings(STAFF_SECOND_FACTOR=True):
        yield


@pytest.fixture
def staff(new_user: NewUser) -> User:
    user = new_user()
    user.set_password(PASSWORD)
    user.is_staff = user.is_superuser = True
    user.save()
    return User.objects.get(id=user.id)


@pytest.fixture
def world(new_user: NewUser) -> World:
    return World(new_user)


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def enrolled(user: User) -> list[str]:
    """Give a user a second factor; return the recovery codes."""
    second_factor.secret_of(user)
    # Begin in the middle of a half minute, so that none ends during a test.
    TOTPDevice.objects.filter(user=user).update(t0=int(time.time()) - 3015)
    return second_factor.enroll(user, code_of(user))


def test_the_admin_is_closed_until_the_factor_is_chosen_and_proved(staff: User) -> None:
    browser = browser_of(staff)
    for address in ("/admin/", "/admin/games/game/", "/admin/password_change/"):
        assert browser.get(address).headers["Location"] == PAGE
    page = browser.get(PAGE).content.decode()
    device = TOTPDevice.objects.get(user=staff)
    assert second_factor.secret_of(staff) in page
    wrong = browser.post(PAGE, {"code": code_of(staff), "password": "wrong"}).content.decode()
    assert "Wrong password" in wrong
    asked = {"code": code_of(staff), "password": PASSWORD}
    shown = browser.post(PAGE, asked).content.decode()
    codes = re.findall(r"^(?:<pre>)?([a-z2-7]{8})$", shown, re.MULTILINE)
    assert len(codes) == second_factor.RECOVERY_CODES
    assert browser.get("/admin/").status_code == 200

    other = browser_of(staff)
    assert other.get("/admin/").headers["Location"] == PAGE
    assert device.key not in other.get(PAGE).content.decode()
    assert other.post(PAGE, {"code": codes[0]}).headers["Location"] == "/admin/"
    assert other.get("/admin/").status_code == 200
    again = browser_of(staff).post(PAGE, {"code": codes[0]})
    assert (again.status_code, "The code is wrong" in again.content.decode()) == (200, True)


def test_a_code_works_once(staff: User) -> None:
    enrolled(staff)
    browser = browser_of(staff)
    assert "The code is wrong" in browser.post(PAGE, {"code": code_of(staff)}).content.decode()
    assert browser.get("/admin/").headers["Location"] == PAGE


def forget_the_last_code(user: User) -> None:
    """Accept the present code again, as if half a minute had passed."""
    TOTPDevice.objects.filter(user=user).update(last_t=-1)


def test_guesses_are_few_and_never_lock_the_owner_out(staff: User) -> None:
    codes = enrolled(staff)
    home = Caller(staff)
    strangers = [Caller(token=home.token) for _ in range(23)]
    assert home.post("/auth/second-factor/", {"code": codes[0]}).status == 204
    guesses = [each.post("/auth/second-factor/", {"code": "000000"}) for each in strangers]
    assert [answer.status for answer in guesses] == [403] * 20 + [429] * 3
    assert int(guesses[-1].headers["Retry-After"]) > 0
    forget_the_last_code(staff)
    right = {"code": code_of(staff)}
    refused = strangers[0].post("/auth/second-factor/", right)
    assert refused.problem == (429, "too_many_requests")
    assert home.post("/auth/second-factor/", right).status == 204
    page = browser_of(staff).post(PAGE, right)
    assert (page.status_code, "Retry-After" in page.headers) == (429, True)
    assert strangers[0].post("/auth/second-factor/", {"code": codes[1]}).status == 204


@pytest.mark.parametrize(("steps", "status"), [(-2, 403), (-1, 204), (0, 204), (1, 204), (2, 403)])
def test_a_code_is_good_for_its_half_minute_and_the_two_beside_it(
    staff: User, steps: int, status: int
) -> None:
    enrolled(staff)
    caller = Caller(staff)
    for shift in (1, steps):  # an app that is fast moves nothing
        forget_the_last_code(staff)
        answer = caller.post("/auth/second-factor/", {"code": code_of(staff, shift)})
    assert answer.status == status


def test_strangers_do_not_reach_the_page(new_user: NewUser) -> None:
    for browser in (Client(), browser_of(new_user())):
        assert browser.get(PAGE).headers["Location"].startswith("/admin/login/")


def test_a_session_gets_the_scope_admin_with_the_factor(staff: User) -> None:
    codes = enrolled(staff)
    caller = Caller(staff)
    assert caller.get("/admin/actions/").problem == (403, "scope_missing")
    wanted = {"name": "a program", "scopes": ["admin"]}
    assert caller.post("/auth/tokens/", wanted).problem == (403, "scope_missing")
    assert caller.post("/auth/second-factor/", {"code": "aaaaaaaa"}).problem == (403, "wrong_code")
    assert caller.post("/auth/second-factor/", {"code": codes[0]}).status == 204
    assert caller.get("/admin/actions/").status == 200
    program = Caller(token=caller.post("/auth/tokens/", wanted).data["token"])
    assert program.get("/admin/actions/").status == 200
    assert Caller(staff).get("/admin/actions/").problem == (403, "scope_missing")


def test_the_factor_is_asked_for_again_before_a_game_is_voided_or_a_user_suspended(
    staff: User, new_game: NewGame
) -> None:
    codes, game = enrolled(staff), new_game()
    caller, why = Caller(staff), {"reason": "for a test"}
    caller.post("/auth/second-factor/", {"code": codes[0]})
    long_ago = timezone.now() - second_factor.RECENT - timedelta(seconds=1)
    Token.objects.filter(user=staff).update(proved_at=long_ago)
    address = f"/admin/games/{game.id}/void/"
    close = f"/admin/lobbies/{game.lobby_id}/close/"
    suspend = f"/admin/users/{game.lobby.host_id}/suspend/"
    for path, asked in ((address, why), (close, why), (suspend, {"until": None, **why})):
        assert caller.post(path, asked).problem == (403, "second_factor_required"), path
    assert Head.objects.get(game=game).ended == ""
    caller.post("/auth/second-factor/", {"code": codes[1]})
    assert caller.post(address, why).status == 204


LONG_AGO = second_factor.RECENT + timedelta(seconds=1)


def proved(staff: User, codes: list[str], ago: timedelta = timedelta()) -> Caller:
    """A session that proved the factor so long ago."""
    caller = Caller(staff)
    assert caller.post("/auth/second-factor/", {"code": codes.pop()}).status == 204
    assert caller.token is not None
    session = Token.objects.filter(digest=tokens.digest_of(caller.token))
    session.update(proved_at=timezone.now() - ago)
    return caller


def issued_by(session: Caller, *scopes: str) -> Caller:
    made = session.post("/auth/tokens/", {"name": "a program", "scopes": scopes})
    return Caller(token=made.data["token"])


def of_a_bot(session: Caller) -> Caller:
    bot = session.post("/auth/bots/", {"display_name": "Robbie"}).data["id"]
    made = session.post(f"/auth/bots/{bot}/tokens/", {"name": "a program", "scopes": ["play"]})
    return Caller(token=made.data["token"])


KINDS: dict[str, Callable[[User, list[str]], Caller]] = {
    "a session that never proved it": lambda staff, _: Caller(staff),
    "a session that proved it long ago": lambda staff, codes: proved(staff, codes, LONG_AGO),
    "a session beside one that just proved it": lambda staff, codes: (
        proved(staff, codes),
        Caller(staff),
    )[1],
    "a new token of a session that proved it long ago": lambda staff, codes: issued_by(
        proved(staff, codes, LONG_AGO), "admin"
    ),
    "a new token of a session that just proved it": lambda staff, codes: issued_by(
        proved(staff, codes), "admin"
    ),
    "a new token without the scope": lambda staff, codes: issued_by(proved(staff, codes), "play"),
    "a token of a bot user": lambda staff, codes: of_a_bot(proved(staff, codes)),
}
NEEDING_PROOF = sorted(
    name
    for name, (_, _, declared) in operations().items()
    if "second_factor_required" in declared.problems
)


@pytest.mark.parametrize("name", NEEDING_PROOF)
def test_only_a_session_that_just_proved_the_factor_may_do_what_needs_it(
    staff: User, world: World, name: str
) -> None:
    codes = enrolled(staff)
    for kind, caller_of in KINDS.items():
        refused = world.request(TABLE[name], caller_of(staff, codes))
        assert refused.problem in {(403, "second_factor_required"), (403, "scope_missing")}, kind
    accepted = world.request(TABLE[name], proved(staff, codes))
    assert accepted.status == TABLE[name].staff


def test_a_token_does_not_make_the_proof_of_its_session_younger(staff: User) -> None:
    codes = enrolled(staff)
    session = proved(staff, codes, timedelta(days=20))
    issued_by(session, "admin")
    times = Token.objects.filter(user=staff).values_list("proved_at", flat=True)
    assert len(times) == 2
    assert len(set(times)) == 1


def test_the_admin_asks_again_before_a_game_is_voided(staff: User, new_game: NewGame) -> None:
    codes, game = enrolled(staff), new_game()
    browser = browser_of(staff)
    browser.post(PAGE, {"code": codes[0]})
    session = browser.session
    session[PROVED_AT] = time.time() - second_factor.RECENT.total_seconds() - 1
    session.save()
    address = f"/admin/games/game/{game.id}/intervene/"
    asked = {"action": "void_game", "reason": "for a test"}
    assert "This field is required" in browser.post(address, asked).content.decode()
    refused = browser.post(address, {**asked, "code": codes[0]})
    assert "Refused: wrong_code" in refused.content.decode()
    assert Head.objects.get(game=game).ended == ""
    assert browser.post(address, {**asked, "code": codes[1]}).status_code == 302
    assert Head.objects.get(game=game).ended == "voided"


def test_a_lost_factor_is_reset_on_the_server(staff: User) -> None:
    enrolled(staff)
    caller = Caller(staff)
    call_command("second_factor", reset=staff.username, stdout=StringIO())
    assert not second_factor.is_enrolled(staff)
    assert caller.get("/auth/me/").problem == (401, "unauthenticated")


def test_an_erased_user_leaves_no_second_factor(staff: User) -> None:
    enrolled(staff)
    people.erase(staff)
    assert not TOTPDevice.objects.filter(user=staff).exists()
