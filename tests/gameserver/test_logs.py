"""No secret reaches the logs; a refused request leaves one line there, and an outage two."""

import json
import logging
import logging.config
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Any
from uuid import uuid4

import pytest
import structlog
from django.http import HttpResponse
from django.urls import path

from games.models import Head
from gameserver.settings import logs
from tests.api.rest import Caller
from tests.builders import NewGame, NewUser
from tests.waiting import until

SECRET = "c0ffee" * 8
OWN = "gst_" + "Zq3-_x" * 7


@contextmanager
def logging_to_stderr(*, as_json: bool) -> Iterator[None]:
    """Log as the server does, to the current stderr."""
    before = structlog.get_config()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        logging.config.dictConfig(
            {**logs.configuration(as_json=as_json, level="INFO"), "incremental": False}
        )
        yield
    finally:
        structlog.configure(**before)
        root.handlers[:], root.level = handlers, level


both_formats = pytest.mark.parametrize("as_json", [True, False], ids=["json", "console"])


@both_formats
def test_secrets_are_redacted_from_names_texts_and_arguments(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to_stderr(as_json=as_json):
        structlog.get_logger("a").info("login", token=SECRET, password="hunter2", player="ada")
        logging.getLogger("b").warning("GET /ws/?ticket=%s&after=3", SECRET)
        logging.getLogger("b").warning("Authorization: Bearer %s", SECRET)
    written = capsys.readouterr().err
    assert "ada" in written
    assert "after=3" in written
    assert SECRET not in written
    assert "hunter2" not in written
    if as_json:
        levels = [json.loads(line)["level"] for line in written.splitlines()]
        assert levels == ["info", "warning", "warning"]


@both_formats
@pytest.mark.parametrize(
    "text",
    [
        "<ASGIRequest: GET '/api/v1/games/?token={}&after=3'>",
        "/cb?code={}&after=3",
        "grant_type=refresh_token&refresh_token={}&after=3",
        "access_token={} after=3",
        '{{"refresh_token": "{}", "after=3": 1}}',
        "{{'password': '{}', 'after=3': 1}}",
        r'''b"{{\"token\":\"{}\"}} after=3"''',
        "headers: [(b'authorization', b'Bearer {}')] after=3",
    ],
)
@pytest.mark.parametrize("secret", [SECRET, OWN])
def test_a_secret_is_redacted_anywhere_in_a_line(
    as_json: bool, capsys: pytest.CaptureFixture[str], text: str, secret: str
) -> None:
    with logging_to_stderr(as_json=as_json):
        line = text.format(secret)
        logging.getLogger("b").warning(line)
        logging.getLogger("b").warning("%s", Shown(line))
        structlog.get_logger("a").info("asked", request=Shown(line), nested={"inner": [line]})
        try:
            int(line)
        except ValueError:
            logging.getLogger("b").exception("failed")
            structlog.get_logger("a").exception("failed")
    written = capsys.readouterr().err
    assert secret not in written
    assert written.count("after=3") >= 5


@both_formats
def test_a_token_of_this_server_is_redacted_without_any_name(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to_stderr(as_json=as_json):
        logging.getLogger("b").warning("unexpected %s here", OWN)
    assert OWN not in capsys.readouterr().err


@both_formats
def test_a_traceback_prints_no_local_variables(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to_stderr(as_json=as_json):

        def fail() -> None:
            hidden = "a value of " + "nobody's business"
            raise ValueError(len(hidden))

        try:
            fail()
        except ValueError:
            structlog.get_logger("a").exception("failed")
    written = capsys.readouterr().err
    assert "ValueError" in written
    assert "a value of nobody's business" not in written


@both_formats
@pytest.mark.parametrize(
    "secret", ["two words here", 'a"b c d', "it's mine", "back\\slash", "a, 'b': 'c d'"]
)
def test_no_part_of_a_secret_in_a_repr_is_left(
    as_json: bool, secret: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to_stderr(as_json=as_json):
        for shown in (
            {"password": secret},
            [("password", secret)],
            json.dumps({"password": secret}),
        ):
            logging.getLogger("b").warning("%s", shown)
            logging.getLogger("b").warning("%r", str(shown))
        structlog.get_logger("a").info("asked", body={"deep": [{"password": secret}]})
    written = capsys.readouterr().err
    parts = set(re.findall(r"[a-z]{3,}", secret)) or {"c d"}
    assert not any(part in written.replace("password", "") for part in parts), written
    assert written.count("[redacted]") == 7


def test_every_name_of_an_event_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    events: list[dict[str, Any]] = [
        {"operation": "create_token", "code": "scope_missing", "ms": 46.8},
        {"what": "token", "user": "ada", "state": "open"},
        {"path": "/?invite_code=abcdefgh&state=abcdefgh&after=3", "token": {"code": 1}},
    ]
    with logging_to_stderr(as_json=True):
        for fields in events:
            structlog.get_logger("a").info("request", **fields)
    written = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line | fields for line, fields in zip(written[:2], events, strict=False)] == written[:2]
    last = {name: written[2][name] for name in ("path", "token")}
    hidden = "/?invite_code=[redacted]&state=[redacted]&after=3"
    assert last == {"path": hidden, "token": "[redacted]"}


@both_formats
def test_the_code_of_a_problem_stays_readable(
    as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to_stderr(as_json=as_json):
        structlog.get_logger("a").info("refused", code="spot_taken")
    assert "spot_taken" in capsys.readouterr().err


def fail(_request: object) -> HttpResponse:
    raise ValueError("a fault")


urlpatterns = [path("api/v1/fault/", fail)]


def play(spot: int) -> dict[str, Any]:
    return {"id": str(uuid4()), "command": {"type": "take_spot", "spot": spot}}


REFUSALS: dict[str, tuple[str, str, Any]] = {
    "malformed": ("POST", "/games/{game}/commands/", {}),
    "bad_request": ("GET", "/rules/", None),
    "unauthenticated": ("GET", "/auth/me/", None),
    "scope_missing": ("GET", "/admin/actions/", None),
    "not_found": ("GET", "/no/such/address/", None),
    "method_not_allowed": ("DELETE", "/rules/", None),
    "too_large": ("POST", "/games/{game}/commands/", "x" * 70_000),
    "unknown_spot": ("POST", "/games/{game}/commands/", play(200)),
    "game_stalled": ("POST", "/games/{game}/commands/", play(1)),
}
"""Requests that are refused, by the code."""
NAMELESS = {"bad_request", "unauthenticated", "not_found", "method_not_allowed"}
"""Refusals of requests whose token was not looked at."""


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("log_requests", [True, False])
def test_a_refused_request_leaves_one_line(
    new_game: NewGame, settings: Any, capsys: pytest.CaptureFixture[str], log_requests: bool
) -> None:
    settings.LOG_REQUESTS = log_requests
    game = new_game()
    player, stranger = Caller(game.lobby.host), Caller(token="gst_" + "x" * 40)
    for code, (method, address, body) in REFUSALS.items():
        caller = stranger if code == "unauthenticated" else player
        headers = {"Authorization": f"Bearer {caller.token}"}
        if code == "bad_request":
            headers["Host"] = "elsewhere.example"
        where = f"/api/v1{address}".format(game=game.id)
        content = "" if body is None else json.dumps(body)
        if code == "game_stalled":
            Head.objects.filter(game=game).update(stalled="a fault")
        capsys.readouterr()
        with logging_to_stderr(as_json=True):
            answer = caller.client.generic(
                method, where, content, "application/json", headers=headers
            )
        assert answer.json()["code"] == code
        (line,) = map(json.loads, capsys.readouterr().err.splitlines())
        facts = [line[name] for name in ("event", "level", "code", "request_id")]
        assert facts == ["request", "info", code, "of-the-proxy"]
        is_known = code not in NAMELESS
        assert line.get("user") == (str(game.lobby.host.id) if is_known else None), line
        assert ("elsewhere.example" in line.get("reason", "")) is (code == "bad_request")


OF_GRAPHQL: dict[tuple[str, ...], str] = {
    ("not_found",): '{{ game(id: "{other}") {{ version }} }}',
    ("malformed",): "{{ nothing }}",
    ("not_found", "scope_missing"): 'mutation {{ a: leaveLobby(lobby: "{other}") '
    '{{ ... on Problem {{ code }} }} b: suspendUser(user: "{other}", reason: "x") '
    "{{ ... on Problem {{ code }} }} }}",
    (): "{{ me {{ id }} }}",
}
"""Documents by the codes of what is refused in them."""


@pytest.mark.parametrize("codes", OF_GRAPHQL)
def test_a_refusal_inside_an_answer_leaves_one_line(
    new_user: NewUser, capsys: pytest.CaptureFixture[str], codes: tuple[str, ...]
) -> None:
    user = new_user()
    caller = Caller(user)
    body = json.dumps({"query": OF_GRAPHQL[codes].format(other=uuid4())})
    headers = {"Authorization": f"Bearer {caller.token}", "X-Request-ID": "of-the-proxy"}
    capsys.readouterr()
    with logging_to_stderr(as_json=True):
        answer = caller.client.generic(
            "POST", "/graphql/", body, "application/json", headers=headers
        )
    assert answer.status_code == 200
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["event"], line["level"]) for line in lines] == [("request", "info")] * bool(codes)
    for line in lines:
        assert (line["code"], *line.get("further", [])) == codes
        assert line["request_id"] == "of-the-proxy"
        assert line.get("user") == (None if codes == ("malformed",) else str(user.id))


@pytest.mark.usefixtures("database")
def test_a_failed_request_leaves_one_line_with_its_traceback(
    settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.ROOT_URLCONF = __name__
    with logging_to_stderr(as_json=True):
        assert Caller().client.get("/api/v1/fault/").status_code == 500
    (line,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert (line["event"], line["level"]) == ("request_failed", "error")
    assert "ValueError: a fault" in line["exception"]
    assert {"operation", "request_id"} <= line.keys()


def test_an_outage_leaves_one_line_at_its_start_and_one_at_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is quiet only when all is written, however slowly, and is looked at again until then.
    Outages of tests before stay as they are."""
    made = list[logs.Outages]()

    class Impatient(logs.Outages):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

        def _look_again(self, what: str, after_s: float) -> None:
            super()._look_again(what, 0.05)

    for name in ("QUIET_S", "QUIET_OF_CELERY_S"):
        monkeypatch.setattr(logs, name, 600.0)
    monkeypatch.setattr(logs, "Outages", Impatient)
    written = list[dict[str, Any]]()

    def has_ended() -> bool:
        written.extend(map(json.loads, capsys.readouterr().err.splitlines()))
        return [line["event"] for line in written].count("outage_over") == 5

    with logging_to_stderr(as_json=True):
        for number in range(4):
            structlog.get_logger("a").warning("unavailable", detail=str(number))
            logging.getLogger("psycopg.pool").warning(
                "error connecting in %r: %s\nand more", "web", number
            )
            logging.getLogger("celery").error("consumer: Cannot connect to %s", number)
            structlog.get_logger("a").warning("loop_failed", loop=str(number))
            for witness in ("w1", "w2"):
                structlog.get_logger("a").warning("not_cosigned", witness=witness)
        for outages in made:
            outages._last = dict.fromkeys(outages._last, -inf)
        until(has_ended, "the ends")
    events = [line["event"] for line in written]
    begun = [
        "unavailable",
        "error connecting in 'web': 0 and more",
        "consumer: Cannot connect to 0",
    ]
    assert events[:6] == [*begun, "loop_failed", "not_cosigned", "not_cosigned"]
    assert events.count("loop_failed") == 4
    assert len(events) == 5 + 4 + 5
    assert {line["failures"] for line in written if line["event"] == "outage_over"} == {4}


@dataclass
class Shown:
    """An object whose repr contains a secret, as a request's does."""

    text: str

    def __repr__(self) -> str:
        return self.text
