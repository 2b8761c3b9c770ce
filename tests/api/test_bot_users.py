"""Bot users: ownership, scopes, seats, limits and deletion."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.db import IntegrityError
from django.test import override_settings

from accounts import bots, people
from accounts.models import Token, User
from games import lobbies
from games.models import Lobby
from tests.api.graphql.client import Client
from tests.api.rest import Caller, take
from tests.builders import NewUser


@pytest.fixture
def owner(new_user: NewUser) -> Caller:
    return Caller(new_user())


def new_bot(owner: Caller, name: str = "Robbie", *scopes: str) -> tuple[str, Caller]:
    """Create a bot user of this owner, and return it with a client that has a token.

    The token has these scopes, or all scopes that bot users can have.
    """
    number = owner.post("/auth/bots/", {"display_name": name}).data["id"]
    body = {"name": "the program", "scopes": scopes or ("read", "play", "lobby"), "days": 7}
    return number, Caller(token=owner.post(f"/auth/bots/{number}/tokens/", body).data["token"])


def options() -> dict[str, Any]:
    """Options of lobbies that no other test searches for."""
    return {"boards": int(uuid4()) % 10**9}


def test_a_bot_user_plays_and_is_marked_as_a_bot_wherever_it_is_shown(
    owner: Caller, new_user: NewUser
) -> None:
    assert owner.user
    number, robbie = new_bot(owner)
    me = robbie.get("/auth/me/").data
    assert (me["id"], me["is_bot"], me["owner"]) == (number, True, str(owner.user.id))
    assert (me["username"], me["display_name"], me["is_guest"]) == (None, "Robbie", False)
    assert (owner.get("/auth/me/").data["is_bot"], owner.get("/auth/me/").data["owner"]) == (
        False,
        None,
    )
    host = Caller(new_user())
    lobby = host.post("/lobbies/", {"slug": "free_spots"}).data["id"]
    seats = robbie.post(f"/lobbies/{lobby}/join/").data["seats"]
    assert [(seat["user"] == number, seat["name"], seat["is_bot"]) for seat in seats] == [
        (False, "Somebody", False),
        (True, "Robbie", True),
    ]
    robbie.call("PUT", f"/lobbies/{lobby}/ready/", {"ready": True})
    game = host.post(f"/lobbies/{lobby}/start/").data["id"]
    assert [seat["is_bot"] for seat in host.get(f"/games/{game}/").data["seats"]] == [False, True]
    assert [caller.play(game, take(spot)).status for spot, caller in enumerate((host, robbie))] == [
        201,
        201,
    ]
    bets = host.get(f"/games/{game}/bets/").data["items"]
    assert [(bet["user"] == number, bet["is_bot"]) for bet in bets] == [
        (False, False),
        (True, True),
    ]
    assert b",true," in robbie.get("/bets/export/?format=csv").content


def test_graphql_marks_bot_users_too(owner: Caller, address: str) -> None:
    assert owner.user
    client = Client(address, owner.user)
    made = client.ask(
        'mutation { createBotUser(displayName: "Robbie") { ... on BotUser { id displayName } } }'
    )
    bot = User.objects.get(id=made["createBotUser"]["id"])
    lobby = lobbies.create(bot, lobbies.LobbyChoices(slug="free_spots"))
    program = Client(address, bot)
    assert program.ask("{ me { isBot owner } }") == {
        "me": {"isBot": True, "owner": str(owner.user.id)}
    }
    lobbies.join(owner.user, lobby.id)
    found = client.ask(
        "query ($id: UUID!) { lobby(id: $id) { admitsBotUsers seats { name isBot } } }",
        id=str(lobby.id),
    )
    assert found["lobby"] == {
        "admitsBotUsers": True,
        "seats": [{"name": "Robbie", "isBot": True}, {"name": "Somebody", "isBot": False}],
    }


def test_a_bot_user_holds_the_scopes_of_a_player_at_most(owner: Caller) -> None:
    number, robbie = new_bot(owner)
    token = Token.objects.get(user=UUID(number))
    token.scopes = ["read", "play", "lobby", "audit", "admin", "user"]
    token.save()
    for path, scope in (
        ("/auth/bots/", "user"),
        ("/auth/tokens/", "user"),
        ("/admin/actions/", "admin"),
    ):
        answer = robbie.get(path)
        assert (answer.problem, answer.data["data"]) == ((403, "scope_missing"), {"scope": scope})
    assert robbie.get("/audit/bets/").problem == (403, "scope_missing")
    for scopes in (["audit"], ["read", "user"], ["admin"], []):
        assert owner.post(
            f"/auth/bots/{number}/tokens/", {"name": "a", "scopes": scopes}
        ).problem == (400, "malformed")


@pytest.mark.parametrize(
    "right",
    [{"is_staff": True}, {"is_superuser": True}, {"is_guest": True}, {"email": "a@example.org"}],
)
def test_the_database_rejects_a_bot_user_with_further_rights(
    owner: Caller, right: dict[str, Any]
) -> None:
    number, _ = new_bot(owner)
    with pytest.raises(IntegrityError, match="bot_without_rights"):
        User.objects.filter(id=number).update(**right)


def test_users_own_a_limited_number_of_bot_users_and_guests_none(owner: Caller) -> None:
    made = [owner.post("/auth/bots/", {"display_name": f"Robbie {number}"}) for number in range(3)]
    assert [bot["id"] for bot in owner.get("/auth/bots/").data] == [
        bot.data["id"] for bot in reversed(made)
    ]
    assert owner.user
    for number in range(bots.BOTS_MAX - 3):
        bots.create(owner.user, f"More {number}")
    refused = owner.post("/auth/bots/", {"display_name": "One too many"})
    assert (refused.problem, refused.data["data"]) == (
        (409, "too_many_bots"),
        {"most": bots.BOTS_MAX},
    )
    assert owner.call("DELETE", f"/auth/bots/{made[0].data['id']}/").status == 204
    assert owner.post("/auth/bots/", {"display_name": "In its place"}).status == 201
    guest = Caller(people.new_guest())
    assert guest.post("/auth/bots/", {"display_name": "Robbie"}).problem == (
        403,
        "guests_own_no_bots",
    )
    for name in ("", "x" * 41, "a\nb", 5):
        assert owner.post("/auth/bots/", {"display_name": name}).problem == (400, "malformed")


def test_bot_users_of_other_users_are_not_found(owner: Caller, new_user: NewUser) -> None:
    number, robbie = new_bot(owner)
    token = Token.objects.get(user=UUID(number)).id
    thief = Caller(new_user())
    assert thief.get("/auth/bots/").data == []
    asked: list[tuple[str, str, object]] = [
        ("PUT", "", {"display_name": "Mine"}),
        ("DELETE", "", None),
        ("GET", "tokens/", None),
        ("POST", "tokens/", {"name": "a", "scopes": ["play"]}),
        ("DELETE", f"tokens/{token}/", None),
    ]
    for method, path, body in asked:
        assert thief.call(method, f"/auth/bots/{number}/{path}", body).problem == (404, "not_found")
    assert thief.call("DELETE", f"/auth/tokens/{token}/").problem == (404, "not_found")
    assert robbie.get("/auth/me/").data["display_name"] == "Robbie"


def test_a_bot_user_is_renamed_and_its_tokens_are_listed_and_end_one_by_one(
    owner: Caller,
) -> None:
    number, robbie = new_bot(owner)
    assert (
        owner.call("PUT", f"/auth/bots/{number}/", {"display_name": "Marvin"}).data["display_name"]
        == "Marvin"
    )
    assert robbie.get("/auth/me/").data["display_name"] == "Marvin"
    (token,) = owner.get(f"/auth/bots/{number}/tokens/").data
    assert (token["name"], token["scopes"], token["is_this_one"]) == (
        "the program",
        ["lobby", "play", "read"],
        False,
    )
    assert token["id"] not in {own["id"] for own in owner.get("/auth/tokens/").data}
    assert owner.call("DELETE", f"/auth/bots/{number}/tokens/{token['id']}/").status == 204
    assert robbie.get("/auth/me/").problem == (401, "unauthenticated")
    assert owner.get(f"/auth/bots/{number}/tokens/").data == []


def test_a_deleted_bot_user_is_anonymous(owner: Caller) -> None:
    number, robbie = new_bot(owner)
    lobby = robbie.post("/lobbies/", {"slug": "free_spots"}).data["id"]
    assert owner.call("DELETE", f"/auth/bots/{number}/").status == 204
    assert robbie.get("/auth/me/").problem == (401, "unauthenticated")
    assert owner.call("DELETE", f"/auth/bots/{number}/").problem == (404, "not_found")
    assert owner.get(f"/lobbies/{lobby}/").data["seats"] == []


@pytest.mark.parametrize("way", ["erase", "deactivate", "revoke_all"])
def test_bot_users_end_with_their_owner(owner: Caller, way: str) -> None:
    assert owner.user
    number, robbie = new_bot(owner)
    if way == "erase":
        people.erase(owner.user)
        assert User.objects.get(id=number).display_name == "Erased"
    elif way == "deactivate":
        User.objects.filter(id=owner.user.id).update(is_active=False)
    else:
        assert owner.post("/auth/revoke_all/").status == 204
    assert robbie.get("/auth/me/").problem == (401, "unauthenticated")


def test_requests_of_bot_users_count_for_their_owner(owner: Caller) -> None:
    assert owner.user
    robbie, marvin = (Caller(bots.create(owner.user, name)) for name in ("Robbie", "Marvin"))
    with override_settings(RATE_LIMITS={**settings.RATE_LIMITS, "user": (3, 60)}):
        statuses = [
            caller.get("/auth/me/").status
            for caller in (robbie, marvin, owner, robbie, marvin, owner)
        ]
    assert statuses == [200] * 3 + [429] * 3


# Lobbies


def test_a_host_can_exclude_bot_users(owner: Caller, new_user: NewUser) -> None:
    _, robbie = new_bot(owner)
    host, mine = Caller(new_user()), options()
    asked = {"slug": "free_spots", "options": mine, "title": uuid4().hex}
    closed = host.post("/lobbies/", {**asked, "admits_bot_users": False}).data
    opened = host.post("/lobbies/", asked).data
    assert (closed["admits_bot_users"], opened["admits_bot_users"]) == (False, True)
    for answer, lobby in (("true", opened), ("false", closed)):
        found = robbie.get(f"/lobbies/?text={asked['title']}&admits_bot_users={answer}").data[
            "items"
        ]
        assert [row["id"] for row in found] == [lobby["id"]]
    assert robbie.post(f"/lobbies/{closed['id']}/join/").problem == (403, "bots_not_admitted")
    code = {"invite_code": closed["invite_code"]}
    assert robbie.post("/lobbies/join/", code).problem == (403, "bots_not_admitted")
    assert robbie.post("/lobbies/", {**asked, "admits_bot_users": False}).problem == (
        403,
        "bots_not_admitted",
    )
    assert host.post(f"/lobbies/{closed['id']}/bots/").status == 201, (
        "bots of the server are the host's own choice"
    )
    assert owner.post(f"/lobbies/{closed['id']}/join/").status == 200
    assert robbie.post(f"/lobbies/{opened['id']}/join/").status == 200


def test_a_quick_match_of_a_bot_user_joins_a_lobby_that_admits_bot_users(
    owner: Caller, new_user: NewUser
) -> None:
    _, robbie = new_bot(owner)
    mine = options()
    closed = lobbies.create(
        new_user(),
        lobbies.LobbyChoices(slug="free_spots", options=mine, capacity=4, admits_bot_users=False),
    )
    wanted = {"slug": "free_spots", "options": mine, "capacity": 4}
    assert robbie.post("/lobbies/quick_match/", wanted).data["id"] != str(closed.id)
    assert Caller(new_user()).post("/lobbies/quick_match/", wanted).data["id"] == str(closed.id)


def test_bot_users_have_no_coins(owner: Caller, new_user: NewUser) -> None:
    _, robbie = new_bot(owner)
    assert robbie.get("/accounts/").data["items"] == []
    staked = lobbies.create(new_user(), lobbies.LobbyChoices(slug="free_spots", buy_in=10))
    assert robbie.post(f"/lobbies/{staked.id}/join/").problem == (409, "bots_cannot_stake")
    asked = {"slug": "free_spots", "options": options(), "buy_in": 10}
    for path in ("/lobbies/", "/lobbies/quick_match/"):
        assert robbie.post(path, asked).problem == (409, "bots_cannot_stake")


def test_a_banned_user_cannot_send_a_bot_user(owner: Caller, new_user: NewUser) -> None:
    assert owner.user
    _, robbie = new_bot(owner)
    host, mine = new_user(), options()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", options=mine))
    lobbies.ban(host, lobby.id, owner.user.id)
    assert robbie.post(f"/lobbies/{lobby.id}/join/").problem == (403, "banned")
    assert robbie.post("/lobbies/quick_match/", {"slug": "free_spots", "options": mine}).data[
        "id"
    ] != str(lobby.id)
    assert Lobby.objects.get(id=lobby.id).seats.count() == 1
