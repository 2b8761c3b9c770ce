"""Operators over REST: every action has a reason and is logged; the log has filters."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Game, Head, Seat
from games.operators import actions
from kit.problems import Problem
from tests.api.rest import Caller, take
from tests.builders import NewGame, NewUser

BELL = {"reason": "taken after the bell"}


@pytest.fixture
def operator(new_user: NewUser) -> Caller:
    user = new_user()
    User.objects.filter(id=user.id).update(is_staff=True)
    return Caller(user)


@pytest.fixture
def game(new_game: NewGame) -> Game:
    game = new_game()
    seat = Seat.objects.select_related("user").get(lobby=game.lobby, number=0)
    Caller(seat.user).play(game.id, take(1))
    return game


def logged(operator: Caller, **filters: object) -> list[Any]:
    assert operator.user
    chosen = "&".join(
        f"{name}={value}" for name, value in {"operator": operator.user.id, **filters}.items()
    )
    rows: list[Any] = operator.get(f"/admin/actions/?{chosen}").data["items"]
    return rows


def test_an_operator_action_is_in_the_game_and_in_the_operator_log(
    operator: Caller, game: Game
) -> None:
    assert operator.user
    path = f"/admin/games/{game.id}"
    assert operator.post(f"{path}/bets/1/void/", BELL).status == 204
    assert operator.post(f"{path}/bets/1/void/", BELL).problem == (409, "bet_void_already")
    assert operator.post(f"{path}/notes/", {"reason": "the lights went out"}).status == 204
    assert operator.get(f"/audit/bets/?game={game.id}").data["items"][0]["outcome"] == "void"
    (commit,) = operator.get(f"/games/{game.id}/commits/?after=3").data["commits"]
    assert commit["events"] == [
        {"type": "intervened", "by": str(operator.user.id), "reason": "the lights went out"}
    ]
    assert operator.post(f"{path}/void/", {"reason": "two tables were mixed up"}).status == 204
    assert Head.objects.get(game=game).ended == "voided"
    for late in ("void/", "notes/", "bets/1/void/"):
        assert operator.post(f"{path}/{late}", BELL).problem == (409, "game_voided"), late
    listed = [(action["action"], action["subject"]) for action in logged(operator)]
    about, bet = f"game {game.id}", f"game {game.id} bet 1"
    refused = [("void_bet", bet), ("annotate", about), ("void_game", about)]
    assert listed == [
        *refused,
        ("void_game", about),
        ("annotate", about),
        ("void_bet", bet),
        ("void_bet", bet),
    ]


def test_operator_actions_are_filtered_by_action_time_and_game(
    operator: Caller, game: Game, new_game: NewGame
) -> None:
    other, before = new_game(), timezone.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    for asked in (game, other):
        assert (
            operator.post(
                f"/admin/games/{asked.id}/notes/", {"reason": "the lights went out"}
            ).status
            == 204
        )
    operator.post(f"/admin/games/{game.id}/bets/1/void/", BELL)
    assert [action["action"] for action in logged(operator, game=game.id)] == [
        "void_bet",
        "annotate",
    ]
    assert [action["reason"] for action in logged(operator, action="void_bet")] == [BELL["reason"]]
    assert (len(logged(operator, asked_after=before)), logged(operator, asked_before=before)) == (
        3,
        [],
    )
    first = operator.get(f"/admin/actions/?limit=1&game={game.id}").data
    second = operator.get(f"/admin/actions/?limit=1&game={game.id}&cursor={first['next']}").data
    assert ([row["action"] for row in first["items"] + second["items"]], second["next"]) == (
        ["void_bet", "annotate"],
        None,
    )


def test_an_operator_mutes_in_any_lobby_with_a_reason(operator: Caller, game: Game) -> None:
    seat = Seat.objects.select_related("user").get(lobby=game.lobby, number=1)
    assert seat.user
    seated, host = Caller(seat.user), Caller(game.lobby.host)
    person, line = (
        f"/admin/lobbies/{game.lobby_id}/users/{seat.user.id}",
        {"id": str(uuid4()), "text": "Buy my book"},
    )
    assert operator.post(f"{person}/mute/", {"reason": "sells books at the table"}).status == 204
    assert seated.post(f"/lobbies/{game.lobby_id}/messages/", line).problem == (403, "muted")
    assert host.call("DELETE", f"/lobbies/{game.lobby_id}/mutes/{seat.user.id}/").problem == (
        403,
        "forbidden",
    )
    assert operator.post(f"{person}/unmute/", {"reason": "has sold them all"}).status == 204
    assert seated.post(f"/lobbies/{game.lobby_id}/messages/", line).status == 201
    about = f"lobby {game.lobby_id} person {seat.user.id}"
    listed = [
        (action["action"], action["subject"]) for action in logged(operator, lobby=game.lobby_id)
    ]
    assert listed == [("unmute", about), ("mute", about)]
    for reason in (" ", "no", "sells\nbooks", "\u202eskoob slles"):
        assert operator.post(f"{person}/mute/", {"reason": reason}).problem == (400, "malformed")
        with pytest.raises(Problem, match="malformed"):
            actions.mute(game.lobby.host, game.lobby_id, seat.user.id, reason)
    assert operator.post(f"/admin/lobbies/{uuid4()}/users/{seat.user.id}/mute/", BELL).problem == (
        404,
        "not_found",
    )


def test_an_operator_retitles_and_closes_a_lobby_with_a_reason(
    operator: Caller, new_user: NewUser
) -> None:
    host = Caller(new_user())
    lobby = host.post("/lobbies/", {"slug": "free_spots", "title": "Rude words"}).data["id"]
    path, why = f"/admin/lobbies/{lobby}", {"reason": "the title insults"}
    assert operator.post(f"{path}/title/", {"title": "A table", **why}).status == 204
    assert host.get(f"/lobbies/{lobby}/").data["title"] == "A table"
    for title in ("x" * 61, "two\nlines", None):
        refused = operator.post(f"{path}/title/", {"title": title, **why})
        assert refused.problem == (400, "malformed"), title
    assert operator.post(f"{path}/close/", why).status == 204
    assert host.get(f"/lobbies/{lobby}/").data["status"] == "closed"
    assert operator.post(f"{path}/close/", why).problem == (409, "lobby_not_open")
    listed = [(action["action"], action["subject"]) for action in logged(operator, lobby=lobby)]
    closed = ("close_lobby", f"lobby {lobby}")
    assert listed == [closed, closed, ("retitle_lobby", f"lobby {lobby} title A table")]
    for late in ("title/", "close/"):
        asked = {"title": "A table", **why} if late == "title/" else why
        unknown = operator.post(f"/admin/lobbies/{uuid4()}/{late}", asked)
        assert unknown.problem == (404, "not_found")


def test_an_operator_suspends_a_user_until_a_time(operator: Caller, new_user: NewUser) -> None:
    user, staff = new_user(), operator.user
    assert staff
    suspended, why = Caller(user), {"reason": "insults in chat"}
    path = f"/admin/users/{user.id}/suspend/"
    until = (timezone.now() + timedelta(days=2)).astimezone(timezone.get_fixed_timezone(120))
    assert operator.post(path, {"until": until.isoformat(), **why}).status == 204
    assert suspended.get("/auth/me/").status == 401
    assert User.objects.get(id=user.id).suspended_until == until
    assert operator.post(path, {"until": None, **why}).status == 204
    assert suspended.get("/auth/me/").status == 200
    for asked in (why, {"until": "tomorrow", **why}, {"until": "0001-01-01T00:00:00+14:00", **why}):
        assert operator.post(path, asked).problem == (400, "malformed"), asked
    asked = {"until": until.isoformat(), **why}
    assert operator.post(f"/admin/users/{staff.id}/suspend/", asked).problem == (403, "forbidden")
    assert [action["subject"].split()[:2] for action in logged(operator, action="suspend")] == [
        ["user", str(staff.id)],
        *[["user", str(user.id)]] * 2,
    ]


@pytest.mark.parametrize("reason", ["", "no", "        ", "x" * 301, 5, None])
def test_an_operator_action_requires_a_reason(operator: Caller, game: Game, reason: object) -> None:
    for what in ("void/", "notes/", "bets/1/void/"):
        assert operator.post(f"/admin/games/{game.id}/{what}", {"reason": reason}).problem == (
            400,
            "malformed",
        )
        assert operator.post(f"/admin/games/{game.id}/{what}").problem == (400, "malformed")
    assert logged(operator) == []


def test_an_unknown_game_or_bet_cannot_be_voided(operator: Caller, game: Game) -> None:
    for path in (
        f"{uuid4()}/void/",
        f"{uuid4()}/notes/",
        f"{game.id}/bets/2/void/",
        f"{game.id}/bets/{10**200}/void/",
    ):
        assert operator.post(f"/admin/games/{path}", BELL).problem == (404, "not_found"), path
