"""Running games over REST: commands, views, commits and what each may read."""

import hashlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import ANY, patch
from uuid import uuid4

import httpx
import pytest
from django.conf import settings
from django.test import Client, override_settings

from games.log.sealing import Sealer
from games.models import Bet, Commit, Game, Head, Lobby, Seat
from games.play import corrections, service
from kit import event_loop
from kit.problems import Problem
from tests.api.graphql.client import Client as GraphQL
from tests.api.rest import Caller, take
from tests.builders import NewGame, NewUser


def players(game: Game) -> list[Caller]:
    seats = Seat.objects.filter(lobby=game.lobby).order_by("number").select_related("user")
    return [Caller(seat.user) for seat in seats]


def test_a_command_is_committed_and_visible_to_the_others(new_game: NewGame) -> None:
    game = new_game()
    first, second = players(game)
    played = first.play(game.id, take(7))
    assert played.status == 201, played
    assert played.data["version"] == 2
    assert played.data["events"] == [
        {"type": "bet_placed", "bet": 1, "seat": 0, "spot": "7", "stake": 1, "odds": "1x"}
    ]
    seen = second.get(f"/games/{game.id}/commits/?after=1").data
    assert played.data.pop("acknowledgement") is None, "nobody asked for one"
    assert seen == {"commits": [played.data], "next_after": 2, "now": ANY}
    nothing = {"commits": [], "next_after": 2, "now": ANY}
    assert second.get(f"/games/{game.id}/commits/?after=2").data == nothing
    view = second.get(f"/games/{game.id}/view/").data
    assert (view["version"], view["seat"], view["ended"], view["view"]["taken"]) == (
        2,
        1,
        "",
        {"7": 0},
    )
    assert second.get(f"/games/{game.id}/").data["version"] == 2


def test_commits_come_in_pages(new_game: NewGame) -> None:
    game = new_game()
    player, _ = players(game)
    for spot in range(5):
        player.play(game.id, take(spot))
    versions, after = [], 0
    while page := player.get(f"/games/{game.id}/commits/?after={after}&limit=2").data["commits"]:
        versions += [commit["version"] for commit in page]
        after = versions[-1]
    assert versions == [1, 2, 3, 4, 5, 6]


def test_earlier_views_are_given_one_by_one_or_as_a_range(new_game: NewGame, address: str) -> None:
    game = new_game(2, boards=1)
    player, _ = players(game)
    seen = [player.get(f"/games/{game.id}/view/").data]
    for spot in (7, 8, 9):
        assert player.play(game.id, take(spot)).status == 201
        seen.append(player.get(f"/games/{game.id}/view/").data)
    views = player.get(f"/games/{game.id}/views/?from=2&to=50").data["views"]
    assert [(each["version"], each["view"]) for each in views] == [
        (each["version"], each["view"]) for each in seen[1:]
    ]
    assert player.get(f"/games/{game.id}/view/?version=3").data == views[1]
    assert player.get(f"/games/{game.id}/view/?version=5").data["code"] == "not_found"
    assert player.get(f"/games/{game.id}/views/?from=1&to=101").data["code"] == "malformed"
    asked = """query ($game: UUID!) { game(id: $game) {
        view(version: 3) { version } views(from: 2) { views { version seat } } } }"""
    found = GraphQL(address, player.user).ask(asked, game=str(game.id))["game"]
    assert found["view"] == {"version": 3}
    assert [each["version"] for each in found["views"]["views"]] == [2, 3, 4]


def test_earlier_views_have_a_limit_of_their_own(new_game: NewGame) -> None:
    game = new_game()
    player, _ = players(game)
    with override_settings(RATE_LIMITS={**settings.RATE_LIMITS, "replay": (2, 60)}):
        asked = [player.get(f"/games/{game.id}/view/?version=1") for _ in range(3)]
        head = player.get(f"/games/{game.id}/view/")
    assert [answer.status for answer in asked] == [200, 200, 429]
    assert asked[-1].data["data"]["policy"] == "replay"
    assert head.status == 200


def test_listed_legal_commands_are_accepted(new_game: NewGame) -> None:
    game = new_game()
    player, _ = players(game)
    player.play(game.id, take(0))
    legal = player.get(f"/games/{game.id}/legal/").data
    assert (legal["version"], legal["is_complete"], len(legal["commands"])) == (2, True, 67)
    some = player.get(f"/games/{game.id}/legal/?limit=3").data
    assert (some["commands"], some["is_complete"]) == ([take(1), take(2), take(3)], False)
    assert player.play(game.id, some["commands"][0]).status == 201


def test_a_hundred_equal_requests_at_once_have_one_effect(new_game: NewGame, address: str) -> None:
    game = new_game()
    player, _ = players(game)
    body = {"id": str(uuid4()), "command": take(3)}

    def send(_: int) -> httpx.Response:
        return patient(address, str(player.token), game, body)

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(send, range(100)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert Bet.objects.filter(game=game).count() == 1


def patient(address: str, token: str, game: Game, body: Mapping[str, object]) -> httpx.Response:
    """Send a command until the server gives a definite response, as the protocol requires."""
    headers = {"Authorization": f"Bearer {token}"}
    for _ in range(50):
        answer = httpx.post(
            f"http://{address}/api/v1/games/{game.id}/commands/",
            json=body,
            headers=headers,
            timeout=30,
            verify=False,  # plain HTTP; loading certificates costs more than the request
        )
        if answer.status_code != 503:
            return answer
        assert answer.headers["Retry-After"]
    raise AssertionError("the server stays unavailable")


def test_the_result_and_the_seed_are_shown_at_the_end(own_log: Path, new_game: NewGame) -> None:
    game = new_game(boards=1, spots=6)
    first, second = players(game)
    before = first.get(f"/games/{game.id}/").data
    assert (before["ended"], before["result"], before["seed"]) == ("", None, None)
    for spot in range(6):
        (first if spot else second).play(game.id, take(spot))
    assert second.get(f"/games/{game.id}/").data["seed"] is None, "the log discloses it first"
    Sealer().seal()
    after = second.get(f"/games/{game.id}/").data
    assert (after["ended"], after["result"]["ranking"]) == ("finished", [[0, 1]])
    assert before["dice_of_server"], "nobody added to them"
    assert hashlib.sha256(bytes.fromhex(after["seed"])).hexdigest() == before["seed_hash"]
    assert first.play(game.id, take(1)).problem == (409, "not_now")
    assert [
        listed["id"] for listed in first.get("/games/?mine=true&status=finished").data["items"]
    ] == [str(game.id)]


def test_a_voided_game_is_marked_as_voided(new_game: NewGame) -> None:
    game = new_game()
    player, _ = players(game)
    player.play(game.id, take(1))
    assert event_loop.call(corrections.void(game.id, "test"))
    assert player.play(game.id, take(2)).problem == (409, "game_voided")
    assert player.get(f"/games/{game.id}/").data["ended"] == "voided"
    (bet,) = player.get(f"/games/{game.id}/bets/").data["items"]
    assert (bet["outcome"], bet["payout"]) == ("void", 0)


def test_a_stalled_game_is_unavailable_and_shown_as_such(new_game: NewGame) -> None:
    game = new_game()
    player, _ = players(game)
    Head.objects.filter(game=game).update(stalled="test")
    refused = player.play(game.id, take(1))
    assert refused.problem == (503, "game_stalled")
    assert refused.headers["Retry-After"] == "1"
    assert player.get(f"/games/{game.id}/").data["is_stalled"] is True


@pytest.mark.parametrize("code", ["busy", "unavailable", "outcome_unknown"])
def test_a_temporary_error_has_a_retry_after_header(new_game: NewGame, code: str) -> None:
    game = new_game()
    player, _ = players(game)
    with patch.object(service, "play", side_effect=Problem(code)):
        answer = player.play(game.id, take(1))
    assert answer.problem == (503, code)
    assert answer.headers["Retry-After"] == "1"


def test_spectators_of_a_public_game_watch_and_do_not_play(
    new_game: NewGame, new_user: NewUser
) -> None:
    game = new_game()
    stranger = Caller(new_user())
    view = stranger.get(f"/games/{game.id}/view/").data
    assert (view["seat"], view["version"]) == (None, 1)
    assert stranger.get(f"/games/{game.id}/commits/").status == 200
    assert stranger.get(f"/games/{game.id}/legal/").problem == (403, "spectators_only_watch")
    assert stranger.play(game.id, take(1)).problem == (403, "spectators_only_watch")


def test_hidden_and_missing_games_get_the_same_response(
    new_game: NewGame, new_user: NewUser
) -> None:
    game = new_game()
    Lobby.objects.filter(id=game.lobby_id).update(visibility="invite")
    stranger = Caller(new_user())
    for rest in ("", "view/", "commits/", "legal/", "bets/", "transfers/"):
        hidden, missing = (
            stranger.get(f"/games/{game.id}/{rest}"),
            stranger.get(f"/games/{uuid4()}/{rest}"),
        )
        assert hidden.problem == (404, "not_found")
        assert hidden.content == missing.content
    assert stranger.play(game.id, take(1)).content == stranger.play(uuid4(), take(1)).content


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"command": take(1)}, "$"),
        ({"id": "1", "command": take(1)}, "$.id"),
        ({"id": str(uuid4())}, "$"),
        ({"id": str(uuid4()), "command": take(1), "seat": 1}, "$"),
        ({"id": str(uuid4()), "command": take(1) | {"seat": 1}}, "$.command"),
        ({"id": str(uuid4()), "command": {"type": "take_all"}}, "$.command.type"),
        ({"id": str(uuid4()), "command": None}, "$.command"),
        ({"id": str(uuid4()), "command": take("x")}, "$.command.spot"),
        ({"id": str(uuid4()), "command": take([[1]])}, "$.command.spot"),
    ],
)
def test_an_invalid_command_is_rejected_with_the_path_of_the_field(
    new_game: NewGame, body: object, path: str
) -> None:
    game = new_game(seats=1)
    (player,) = players(game)
    answer = player.post(f"/games/{game.id}/commands/", body)
    assert answer.problem == (400, "malformed")
    assert answer.data["data"]["path"] == path
    assert Commit.objects.filter(game=game).count() == 1


def test_the_book_of_a_game_is_sent_once() -> None:
    """It contains the printed texts and the sentences for events."""
    first = Client().get("/api/v1/rules/ready_set_bet/book/")
    book = first.json()
    assert {call["key"] for call in book["calls"]} >= {
        "race_started",
        "double_1",
        "double_6",
        "takes_lead",
        "betting_closed",
    }
    assert book["names"]["spot"]["win:7:r"] == {"en": "7 to win", "fr": "7 gagnant"}
    assert (len(book["props"]), len(book["exotics"]), len(book["vip"])) == (28, 5, 32)
    again = Client().get(
        "/api/v1/rules/ready_set_bet/book/", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    assert Client().get("/api/v1/rules/no_such_game/book/").json()["code"] == "unknown_game"
