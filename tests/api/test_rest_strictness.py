"""Invalid numbers, texts and bodies are rejected with a path, without effect."""

import json
from uuid import uuid4

import pytest
from django.db import OperationalError

from accounts.models import User
from games.models import Game, Seat
from tests.api.rest import Caller
from tests.builders import NewGame, NewUser

# JSON values that are no integers within the bounds of any field below.
NOT_NUMBERS = [
    "-1",
    "-9007199254740992",
    "9007199254740992",
    "9223372036854775807",
    "9223372036854775808",
    "1" + "0" * 30,
    "1" * 5000,
    "1.5",
    "1.0",
    "1e3",
    "1e400",
    "-1e400",
    '"10"',
    '" 10"',
    '"１０"',
    "NaN",
    "Infinity",
    "-Infinity",
    "true",
    "[]",
    "{}",
    "0x10",
    "01",
    "+1",
    "",
]


@pytest.fixture(scope="module")
def standing_game(new_game: NewGame) -> Game:
    """A game for all requests that change nothing."""
    return new_game(seats=1)


@pytest.fixture(scope="module")
def host(new_user: NewUser) -> Caller:
    """A client that opens no lobby."""
    return Caller(new_user())


def check_lobby(host: Caller, name: str, value: str) -> None:
    body = f'{{"slug": "free_spots", "{name}": {value}}}'.encode()
    answer = host.call("POST", "/lobbies/", raw=body)
    assert answer.problem == (400, "malformed"), (name, value)
    assert len(answer.content) < 1000


@pytest.mark.parametrize("text", NOT_NUMBERS)
def test_a_number_of_a_lobby_is_an_integer_within_bounds(host: Caller, text: str) -> None:
    check_lobby(host, "capacity", text)


@pytest.mark.parametrize("text", ["1.0", "true", "9007199254740992"])
@pytest.mark.parametrize(
    ("name", "form", "least"),
    [("buy_in", "{}", "-1"), ("prizes", "[{}]", "-1"), ("options", '{{"boards": {}}}', "-1.5")],
)
def test_every_number_of_a_lobby_is_read_alike(
    host: Caller, name: str, form: str, least: str, text: str
) -> None:
    for value in (text, least):
        check_lobby(host, name, form.format(value))
    assert host.get("/lobbies/?mine=true").data["items"] == []


@pytest.mark.parametrize("text", [text for text in NOT_NUMBERS if text != "-1"])
def test_every_number_of_a_command_is_an_integer_within_bounds(
    standing_game: Game, text: str
) -> None:
    player = Caller(Seat.objects.get(lobby=standing_game.lobby).user)
    command = f'{{"id": "{uuid4()}", "command": {{"type": "take_spot", "spot": {text}}}}}'
    answer = player.call("POST", f"/games/{standing_game.id}/commands/", raw=command.encode())
    assert answer.problem == (400, "malformed"), text
    assert player.get(f"/games/{standing_game.id}/").data["version"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "1.0",
        "1e3",
        "-1",
        "%2B1",
        "01",
        "1_0",
        "%201",
        "１０",
        "NaN",
        "true",
        "null",
        "9" * 30,
        "9007199254740992",
    ],
)
def test_a_number_of_a_query_is_an_integer_within_bounds(host: Caller, text: str) -> None:
    assert host.get(f"/bets/?stake_min={text}").problem == (400, "malformed")


@pytest.mark.parametrize("text", ["1.0", "-1", "%2B1", "9007199254740992"])
def test_every_number_of_a_query_is_read_alike(standing_game: Game, text: str) -> None:
    player = Caller(Seat.objects.get(lobby=standing_game.lobby).user)
    for path in (
        f"/bets/?seat={text}",
        f"/transfers/?amount_max={text}",
        f"/games/?limit={text}",
        f"/games/{standing_game.id}/commits/?after={text}",
        f"/games/{standing_game.id}/legal/?limit={text}",
    ):
        assert player.get(path).problem == (400, "malformed"), path


def test_the_largest_numbers_are_accepted(new_user: NewUser) -> None:
    caller = Caller(new_user())
    assert caller.get(f"/bets/?stake_max={2**53 - 1}&seat=999").status == 200


SHOWN = [
    "Žofie Ångström",
    "東京 7",
    " Ann ",
    "👩\u200d👩\u200d👧",
    "❤\ufe0f",
    "می\u200cخواهم",
    "שלום",
    "(╯°□°)╯",
    "Vie\u0323\u0302t",
    "בְּרֵאשִׁית",
]
HIDDEN = [
    *(
        "  ",
        "\u3000",
        "\u200d\ufe0f",
        "a\nb",
        "a\n",
        "a\x7f",
        "a\u200bb",
        "a\ufeff",
        "\u3164",
        "\u2800",
    ),
    *("\u202egnihton", "\u2066a"),
    *("Q" + "\u0300" * 4, "z" + "\u0489" * 20, "\u0e47x", " \u0301a"),
]


@pytest.mark.parametrize("text", HIDDEN)
def test_displayed_texts_cannot_be_invisible_or_change_direction(
    new_user: NewUser, text: str
) -> None:
    host = Caller(new_user())
    for path, field, body in (
        ("/auth/guest/", "display_name", {}),
        ("/lobbies/", "title", {"slug": "free_spots"}),
        (f"/lobbies/{uuid4()}/messages/", "text", {"id": str(uuid4())}),
    ):
        answer = host.post(path, {**body, field: text})
        assert (answer.problem, answer.data["data"]["path"]) == ((400, "malformed"), f"$.{field}")
        assert "one line of visible text" in answer.data["data"]["reason"]


@pytest.mark.parametrize("text", SHOWN)
def test_names_and_messages_may_use_any_script_and_emoji(new_user: NewUser, text: str) -> None:
    assert (
        Caller().post("/auth/guest/", {"display_name": text}).data["user"]["display_name"] == text
    )
    lobby = Caller(new_user()).post("/lobbies/", {"slug": "free_spots", "title": text}).data
    assert lobby["title"] == text


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'{"display_name": "a\\u0000b"}', "a NUL character"),
        (b'{"display_name": "\\ud800"}', None),
        (b'{"display_name": "\xff"}', "not UTF-8"),
        (b'{"display_name": "a\\nb"}', None),
        (b'{"display_name": "a\\n"}', None),
        (b'{"display_name": ""}', None),
        (b'{"display_name": "' + b"x" * 41 + b'"}', None),
        (b'{"display_name": null, "is_guest": false}', None),
        (b'{"display_name"', None),
        (b'{"display_name": "a", "display_name": "b"}', "an object holds the same key twice"),
        (b'{"display_name": "a", "display\\u005fname": "b"}', "an object holds the same key twice"),
        (b"{} {}", None),
        (b"[]", None),
        (b'"x"', None),
        (b"\xef\xbb\xbf{}", None),
        (b'{"a":' * 30 + b"1" + b"}" * 30, "nested more than 20 deep"),
        (b"[" * 30_000, "nested more than 20 deep"),
    ],
)
def test_invalid_bodies_are_malformed(body: bytes, reason: str | None) -> None:
    answer = Caller().call("POST", "/auth/guest/", raw=body)
    assert answer.problem == (400, "malformed")
    assert answer.data["data"]["path"].startswith("$")
    if reason is not None:
        assert answer.data["data"]["reason"] == reason


def test_a_string_that_looks_like_a_key_is_no_duplicate() -> None:
    text = r'a": 1, \"b\": {}, "a": \\'
    body = json.dumps({"display_name": text[:40]}).encode()
    assert Caller().call("POST", "/auth/guest/", raw=body).status == 201


def test_bodies_are_json_in_utf_8() -> None:
    for content_type in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "",
    ):
        answer = Caller().call("POST", "/auth/guest/", {}, content_type=content_type)
        assert answer.problem == (415, "unsupported_media_type"), content_type
    assert (
        Caller()
        .call("POST", "/auth/guest/", {}, content_type="application/json; charset=latin-1")
        .status
        == 415
    )
    assert (
        Caller()
        .call("POST", "/auth/guest/", {}, content_type="application/json; charset=UTF-8")
        .status
        == 201
    )


def test_the_size_of_bodies_is_limited() -> None:
    fitting = json.dumps({"display_name": "x"}).encode()
    assert Caller().call("POST", "/auth/guest/", raw=fitting.ljust(65_536)).status == 201
    answer = Caller().call("POST", "/auth/guest/", raw=fitting.ljust(65_537))
    assert answer.problem == (413, "too_large")
    assert answer.data["data"] == {"most": 65_536}


def test_unknown_methods_and_addresses_return_problems(new_user: NewUser) -> None:
    caller = Caller(new_user())
    assert caller.call("PATCH", "/lobbies/").problem == (405, "method_not_allowed")
    assert caller.call("OPTIONS", "/lobbies/").problem == (405, "method_not_allowed")
    assert caller.get("/nowhere/").problem == (404, "not_found")
    assert caller.get("/games/not-a-uuid/").problem == (404, "not_found")
    assert caller.call("GET", "/lobbies/", Accept="text/html").problem == (406, "not_acceptable")


def test_internal_errors_reveal_nothing(new_user: NewUser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.api.operations.histories.accounts_of", lambda user: 1 / 0)
    answer = Caller(new_user()).get("/accounts/")
    assert answer.problem == (500, "internal_error")
    assert b"ZeroDivision" not in answer.content


def test_a_lost_database_is_unavailable_for_now(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(user: User) -> None:
        raise OperationalError("the connection is lost, password=secret")

    monkeypatch.setattr("games.api.operations.histories.accounts_of", fail)
    answer = Caller(new_user()).get("/accounts/")
    assert answer.problem == (503, "unavailable")
    assert answer.headers["Retry-After"] == "1"
    assert b"secret" not in answer.content
