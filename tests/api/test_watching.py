"""Operators list and watch private games as a spectator would, with a logged reason."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Token, User
from accounts.tokens import Scope, digest_of
from games import lobbies
from games.models import Game, Lobby, OperatorAction
from games.play import corrections
from kit import event_loop
from tests.api.graphql.client import Client
from tests.api.rest import Caller, caller_for, take
from tests.api.sockets import joined, token_of
from tests.builders import NewUser, start_game

WHY = "a complaint by seat 1"
REASON = "reason=a+complaint+by+seat+1"
SOCKET = "?watch=a+complaint+by+seat+1"


@pytest.fixture
def operator(new_user: NewUser) -> User:
    user = new_user()
    User.objects.filter(id=user.id).update(is_staff=True)
    user.refresh_from_db()
    return user


@pytest.fixture
def game(new_user: NewUser) -> Game:
    """An invite-only game without spectators, with cards that only their seats know."""
    lobby = lobbies.create(
        new_user(),
        lobbies.LobbyChoices(
            slug="ascot",
            capacity=3,
            start_when_full=True,
            title="Behind closed doors",
            visibility="invite",
            spectators="none",
        ),
    )
    for _ in range(2):
        lobbies.join_by_code(new_user(), lobby.invite_code)
    return Game.objects.select_related("lobby__host").get(lobby=lobby)


def looks(operator: User, game: Game) -> list[str]:
    actions = OperatorAction.objects.filter(
        operator=operator, action="watch", subject=f"game {game.id}"
    )
    return list(actions.order_by("id").values_list("reason", flat=True))


def is_secret(event: dict[str, Any]) -> bool:
    return event.get("only") is not None


def test_operators_list_what_is_private_with_filters_and_pages(
    operator: User, game: Game, new_user: NewUser
) -> None:
    caller, host = Caller(operator), game.lobby.host
    other = lobbies.create(host, lobbies.LobbyChoices(slug="set_dice", visibility="unlisted"))
    lobbies.create(new_user(), lobbies.LobbyChoices(slug="free_spots"))
    rows = caller.get(f"/admin/lobbies/?host={host.id}").data["items"]
    assert [row["id"] for row in rows] == [str(other.id), str(game.lobby_id)]
    assert [row["invite_code"] for row in rows] == [None, None], "watching admits to no lobby"
    assert [row["seed"] for row in rows] == [None, None]
    for chosen, found in (
        ("visibility=invite", game.lobby),
        ("slug=set_dice", other),
        ("status=open", other),
        ("text=closed+doors", game.lobby),
    ):
        assert [
            row["id"]
            for row in caller.get(f"/admin/lobbies/?user={host.id}&{chosen}").data["items"]
        ] == [str(found.id)]
    first = caller.get(f"/admin/lobbies/?host={host.id}&limit=1").data
    second = caller.get(f"/admin/lobbies/?host={host.id}&limit=1&cursor={first['next']}").data
    assert ([row["id"] for row in second["items"]], second["next"]) == ([str(game.lobby_id)], None)
    mine = f"/admin/games/?user={host.id}"
    for chosen in ("", "&slug=ascot", "&status=running", "&visibility=invite", "&is_stalled=false"):
        assert [row["id"] for row in caller.get(mine + chosen).data["items"]] == [str(game.id)], (
            chosen
        )
    for chosen in ("&slug=set_dice", "&status=voided", "&visibility=public", "&is_stalled=true"):
        assert caller.get(mine + chosen).data["items"] == [], chosen
    at = caller.get(mine).data["items"][0]["started_at"].replace("+", "%2B")
    assert len(caller.get(f"{mine}&started_after={at}").data["items"]) == 1
    assert caller.get(f"{mine}&started_before={at}").data["items"] == []
    assert looks(operator, game) == [], "finding a game is not looking into it"
    listed = caller.get(f"/admin/actions/?action=list_games&operator={operator.id}").data["items"]
    assert listed[-1]["subject"] == f"games user={host.id}"
    assert (
        listed[0]["subject"]
        == f"games user={host.id} started_before={at.replace('%2B', '+').replace('+00:00', 'Z')}"
    )
    assert caller.get(f"/games/{game.id}/view/").problem == (404, "not_found"), (
        "staff is nobody special elsewhere"
    )


def test_longer_lists_take_no_more_queries(
    operator: User, new_user: NewUser, settings: Any
) -> None:
    settings.LOBBIES_MAX = 100
    caller, host = Caller(operator), new_user()
    for path in (
        f"/admin/lobbies/?host={host.id}&free_seats_min=1",
        f"/admin/games/?user={host.id}&is_stalled=false",
    ):
        counted = []
        for _ in range(2):
            for _ in range(3):
                start_game(
                    host,
                    lobbies.create(
                        host,
                        lobbies.LobbyChoices(slug="free_spots", visibility="invite"),
                    ).id,
                )
                lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
            with CaptureQueriesContext(connection) as queries:
                rows = caller.get(path).data["items"]
            counted.append((len(rows), len(queries)))
        (few, first), (many, second) = counted
        assert (many > few, first) == (True, second)
        assert second <= 9, "six of them write it down, in a transaction"


def test_operators_see_a_spectators_view_and_the_access_is_logged(
    operator: User, game: Game
) -> None:
    caller, path = Caller(operator), f"/admin/games/{game.id}"
    seen = caller.get(f"{path}/view/?{REASON}").data
    assert (seen["seat"], seen["version"], seen["ended"]) == (None, 1, "")
    hidden = (
        caller_for(game.lobby.host, Scope.READ)
        .get(f"/games/{game.id}/commits/")
        .data["commits"][0]["events"]
    )
    received = caller.get(f"{path}/commits/?{REASON}").data["commits"][0]["events"]
    assert [event for event in hidden if not is_secret(event)] == received
    assert [event["type"] for event in hidden if is_secret(event)] == ["hand_dealt"]
    assert looks(operator, game) == [WHY, WHY]
    actions = caller.get(f"/admin/actions/?action=watch&game={game.id}").data["items"]
    assert [(action["operator"], action["reason"]) for action in actions] == [
        (str(operator.id), WHY)
    ] * 2
    for reason in ("", "?reason=", "?reason=no", "?reason=" + "+" * 9, "?reason=" + "x" * 301):
        assert caller.get(f"{path}/view/{reason}").problem == (400, "malformed")
        assert caller.get(f"{path}/commits/{reason}").problem == (400, "malformed")
    assert caller.get(f"/admin/games/{operator.id}/view/?{REASON}").problem == (404, "not_found")
    assert looks(operator, game) == [WHY, WHY]


def test_the_scope_admin_requires_a_staff_user(
    operator: User, game: Game, new_user: NewUser
) -> None:
    caller = caller_for(new_user(), Scope.ADMIN, Scope.READ)
    looking = [f"/admin/games/{game.id}/{what}/?{REASON}" for what in ("view", "commits")]
    paths = ["/admin/lobbies/", "/admin/games/", *looking]
    for path in paths:
        assert caller.get(path).problem == (403, "scope_missing")
    retired = caller_for(operator, Scope.ADMIN)
    assert retired.get(paths[0]).status == 200
    User.objects.filter(id=operator.id).update(is_staff=False)
    for path in paths:
        assert retired.get(path).problem == (403, "scope_missing")
    assert not OperatorAction.objects.filter(subject=f"game {game.id}").exists()


def test_graphql_lists_and_watches_in_the_same_way(
    address: str, operator: User, game: Game, new_user: NewUser
) -> None:
    client = Client(address, operator)
    mine = {"user": str(game.lobby.host_id), "game": str(game.id), "why": WHY}
    found = client.ask(
        """query ($user: UUID!, $game: UUID!, $why: String!) {
            allLobbies(user: $user) { edges { node { id inviteCode seats { name } } } }
            allGames(user: $user, first: 1) { edges { node { id } } }
            watchGame(game: $game, reason: $why) { version seat view { __typename } }
            watchCommits(game: $game, reason: $why, after: 0, limit: 1) { commits { version events
              { __typename } } }
        }""",
        **mine,
    )
    (lobby,), (row,) = found["allLobbies"]["edges"], found["allGames"]["edges"]
    assert (lobby["node"]["id"], lobby["node"]["inviteCode"], len(lobby["node"]["seats"])) == (
        str(game.lobby_id),
        None,
        3,
    )
    assert row["node"] == {"id": str(game.id)}
    assert (found["watchGame"]["seat"], found["watchGame"]["version"]) == (None, 1)
    assert found["watchGame"]["view"]["__typename"] == "AscotView"
    assert {"__typename": "HandDealt"} not in found["watchCommits"]["commits"][0]["events"]
    assert looks(operator, game) == [WHY, WHY]
    beyond = (
        "query ($user: UUID!) { allGames(user: $user) { edges { node { view { version } } } } }"
    )
    assert client.error(beyond, user=mine["user"])[:2] == (404, "not_found")
    player = Client(address, new_user())
    for query in ("{ allLobbies { edges { cursor } } }", "{ allGames { edges { cursor } } }"):
        assert player.error(query)[:2] == (403, "scope_missing")
    asked = 'query ($game: UUID!) { watchGame(game: $game, reason: "I would like to") { version } }'
    assert player.error(asked, game=mine["game"])[:2] == (403, "scope_missing")


def test_operators_read_transfers_and_bets_of_a_private_game_directly(
    address: str, operator: User, new_game: Callable[..., Game]
) -> None:
    game = new_game()
    host = game.lobby.host
    Caller(host).play(game.id, take(3))
    Lobby.objects.filter(id=game.lobby_id).update(visibility="invite")
    query = """query ($user: UUID!) { allGames(first: 1, user: $user) { edges { node {
        bets { edges { node { number } } } transfers { edges { node { id } } } } } } }"""
    (row,) = Client(address, operator).ask(query, user=str(host.id))["allGames"]["edges"]
    assert row["node"] == {"bets": {"edges": []}, "transfers": {"edges": []}}
    own = Client(address, host).ask(
        "{ games(mine: true) { edges { node { bets { edges { node { number } } } } } } }"
    )
    assert own["games"]["edges"][0]["node"] == {"bets": {"edges": [{"node": {"number": 1}}]}}


# The socket of a game


async def test_an_operator_watches_a_private_game_live(
    address: str, operator: User, game: Game
) -> None:
    token = await sync_to_async(token_of)(operator)
    async with joined(address, game.id, token) as client:
        assert (await client.closed())[0] == 4404
    async with joined(address, game.id, token, SOCKET) as client:
        view = await client.next("view")
        assert (view["seat"], view["version"]) == (None, 1)
        await sync_to_async(
            lambda: event_loop.call(
                corrections.annotate(game.id, "an operator watches", operator.id)
            )
        )()
        (commit,) = await client.commits(2)
        assert commit["events"][0]["type"] == "intervened"
        await client.play(1)
        assert (await client.next("refused"))["code"] == "spectators_only_watch"
        await client.connection.send(
            json.dumps({"type": "send_message", "id": str(uuid4()), "text": "good evening"})
        )
        assert (await client.next("refused"))["code"] == "spectators_only_watch"
        assert await sync_to_async(looks)(operator, game) == [WHY]
        await User.objects.filter(id=operator.id).aupdate(is_staff=False)
        assert (await client.closed())[0] == 4401, "only staff can watch"
    async with joined(address, game.id, token, SOCKET) as client:
        code, last = await client.closed()
    assert (code, last["code"], last["data"]) == (4403, "scope_missing", {"scope": "admin"})
    assert await sync_to_async(looks)(operator, game) == [WHY]


async def test_an_operator_who_resumes_misses_nothing_and_reads_no_secrets(
    address: str, operator: User, game: Game
) -> None:
    token = await sync_to_async(token_of)(operator)
    async with joined(address, game.id, token, f"{SOCKET}&after=0") as client:
        (first,) = await client.commits(1)
    public = await sync_to_async(
        lambda: (
            caller_for(operator, Scope.ADMIN).get(f"/admin/games/{game.id}/commits/?{REASON}").data
        )
    )()
    assert first["events"] == public["commits"][0]["events"]
    assert not any(is_secret(event) for event in first["events"])
    for query, code in ((f"{SOCKET}&room=0", "malformed"), ("?watch=no", "malformed")):
        async with joined(address, game.id, token, query) as client:
            closed, last = await client.closed()
            assert (closed, last["code"]) == (4404, code)


async def test_only_staff_watch_private_games(address: str, game: Game) -> None:
    host = game.lobby.host
    token = await sync_to_async(token_of)(host)
    await Token.objects.filter(digest=digest_of(token)).aupdate(
        kind=Token.Kind.PERSONAL, scopes=["read", "admin"]
    )
    async with joined(address, game.id, token, SOCKET) as client:
        assert (await client.closed())[0] == 4403
    assert not await OperatorAction.objects.filter(subject=f"game {game.id}").aexists()
