"""The admin over HTTP: histories are readable, secrets are hidden, and actions need a reason."""

import re
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import bots, people
from accounts.models import Account, Transfer, User
from games.models import Commit, Game, Head, OperatorAction
from games.operators.admin import COUNT_MAX
from games.store import seeds
from tests.builders import NewGame, NewUser
from tests.moves import take
from tests.operators.scene import signed_in


@pytest.fixture
def game(new_game: NewGame) -> Game:
    game = new_game()
    take(game, 5)
    return game


def test_every_history_is_listed_searched_and_linked_without_secrets(
    game: Game, new_user: NewUser
) -> None:
    client = signed_in(new_user(), superuser=True)
    secrets = [
        seeds.seed_of(game.lobby).hex(),
        *(bytes(c.body)[:32].hex() for c in Commit.objects.filter(game=game)),
    ]
    addresses = [f"/admin/games/game/{game.id}/change/", f"/admin/games/game/?q={game.id}"]
    addresses += [
        f"/admin/accounts/transfer/?cause={game.id}",
        f"/admin/accounts/account/?book={game.id}",
    ]
    addresses += [
        "/admin/",
        "/admin/games/operatoraction/",
        "/admin/games/game/",
        "/admin/accounts/transfer/?q=stake",
    ]
    addresses += [
        f"/admin/games/game/{game.id}/commits/",
        f"/admin/games/game/bets/?game={game.id}",
    ]
    for address in addresses:
        page = client.get(address)
        assert page.status_code == 200, (address, page.headers.get("Location"))
        text = page.content.decode()
        assert not any(secret in text for secret in secrets), address
        assert "take_spot" not in text, address


def test_objects_have_readable_names_and_a_game_shows_its_players(
    game: Game, new_user: NewUser
) -> None:
    client = signed_in(new_user(), superuser=True)
    front = client.get("/admin/").content.decode()
    assert "<h1>Game server</h1>" in front
    address = f"/admin/games/game/{game.id}/change/"
    for page in (address, "/admin/games/game/", "/admin/games/operatoraction/"):
        text = client.get(page).content.decode()
        assert "object (" not in text, page
    names = ", ".join(["Somebody"] * 2)
    assert names in client.get(address).content.decode()
    assert names in client.get("/admin/games/game/").content.decode()
    for row in (game, game.lobby, Transfer.objects.all()[0], Account.objects.all()[0]):
        assert "object (" not in str(row)


def test_a_superuser_needs_no_address_and_is_displayed_by_name() -> None:
    name = f"boss-{uuid4().hex[:12]}"
    call_command("createsuperuser", "--noinput", "--username", name)
    user = User.objects.get(username=name)
    assert (user.is_superuser, user.email, user.display_name) == (True, "", name)


@pytest.mark.parametrize(
    "name",
    [
        "accounts/user",
        "games/game",
        "accounts/account",
        "accounts/transfer",
        "games/operatoraction",
    ],
)
def test_nothing_is_added_in_the_admin(new_user: NewUser, name: str) -> None:
    assert signed_in(new_user(), superuser=True).get(f"/admin/{name}/add/").status_code == 403


def test_a_superuser_voids_a_bet_with_a_reason(game: Game, new_user: NewUser) -> None:
    address = f"/admin/games/game/{game.id}/intervene/"
    asked = {"action": "void_bet", "bet": "1", "reason": "taken after the bell"}
    assert signed_in(new_user(), superuser=False).post(address, asked).status_code == 403
    operator = new_user()
    client = signed_in(operator, superuser=True)
    hidden = {**asked, "reason": "taken \u202eafter the bell"}
    for wrong in (
        {**asked, "reason": ""},
        hidden,
        {**asked, "bet": ""},
        {**asked, "action": "void_game"},
        {**asked, "bet": "99"},
    ):
        assert client.post(address, wrong).status_code == 200
        assert not game.settlements.exists()
    bet, better = game.bets.get(), game.lobby.seats.get(number=0)
    shown = client.get(f"{address}?bet={bet.number}").content.decode()
    words = " ".join(shown.split())
    assert f"of {better.name} (user {bet.user_id}, seat 0)" in words
    (sentence,) = re.findall(r"Voiding it .*?\.", words)
    assert client.post(address, asked).status_code == 302
    void = game.settlements.get()
    assert void.outcome == "void"
    moved = f"gives {void.payout} chip back" if void.payout else "moves no money"
    assert moved in sentence, "the preview said what went back"
    assert "It is void already." in client.get(f"{address}?bet=1").content.decode()
    assert (
        client.post(
            address, {"action": "void_game", "bet": "", "reason": "two tables were mixed up"}
        ).status_code
        == 302
    )
    assert Head.objects.get(game=game).ended == "voided"
    actions = (
        OperatorAction.objects.filter(operator=operator)
        .order_by("id")
        .values_list("action", flat=True)
    )
    assert list(actions) == ["void_bet", "void_bet", "void_game"], (
        "what was refused was asked for all the same"
    )


def test_bets_and_commits_are_filtered_paged_and_linked(game: Game, new_user: NewUser) -> None:
    client = signed_in(new_user(), superuser=True)
    better = User.objects.get(seats__lobby=game.lobby, seats__number=0)
    page = client.get(
        f"/admin/games/game/bets/?user={better.username}&spot=5&outcome=open"
    ).content.decode()
    for link in (
        f"/admin/games/game/{game.id}/change/",
        f"/admin/games/game/{game.id}/commits/?version_min=2",
        f"/admin/accounts/transfer/?cause={game.id}&amp;number=2",
    ):
        assert link in page
        assert client.get(link.replace("&amp;", "&")).status_code == 200
    assert f"{game.id}" not in client.get("/admin/games/game/bets/?outcome=won").content.decode()
    for wrong in (
        "bets/?stake_min=much",
        "bets/?user=nobody",
        "bets/?cursor=x",
        f"{game.id}/commits/?version_min=99999999999",
    ):
        answer = client.get(f"/admin/games/game/{wrong}")
        assert (answer.status_code, b"errornote" in answer.content) == (200, True), wrong
    commits = client.get(f"/admin/games/game/{game.id}/commits/?limit=1").content.decode()
    assert bytes(Commit.objects.get(game=game, version=1).hash).hex() in commits
    following = commits.partition('<a href="?limit=1&amp;cursor=')[2].partition('"')[0]
    second = client.get(
        f"/admin/games/game/{game.id}/commits/?limit=1&cursor={following}"
    ).content.decode()
    assert bytes(Commit.objects.get(game=game, version=2).hash).hex() in second
    for address in ("/admin/games/game/bets/", f"/admin/games/game/{game.id}/commits/"):
        assert signed_in(new_user(), superuser=False).get(address).status_code == 403
        assert Client().get(address).status_code == 302


@pytest.mark.parametrize(
    "address", ["games/game/", "games/game/bets/", "accounts/transfer/", "accounts/account/"]
)
def test_the_number_of_queries_of_a_list_is_constant_and_no_table_is_counted(
    game: Game, new_game: NewGame, new_user: NewUser, address: str
) -> None:
    client = signed_in(new_user(), superuser=True)
    asked = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/admin/{address}").status_code == 200
        asked.append(len(queries))
        counts = [query["sql"] for query in queries if "COUNT(" in query["sql"]]
        assert all(f"LIMIT {COUNT_MAX}" in sql for sql in counts)
        another = new_game()
        take(another, 5)
    assert asked[0] == asked[1] < 10


# Users


def test_superusers_grant_rights_and_the_operator_log_records_it(new_user: NewUser) -> None:
    person, operator = new_user(), new_user()
    address = f"/admin/accounts/user/{person.id}/change/"
    asked = {
        "is_active": "on",
        "is_staff": "on",
        "groups": [str(Group.objects.get(name="auditors").id)],
    }
    assert signed_in(new_user(), superuser=False).post(address, asked).status_code == 403
    client = signed_in(operator, superuser=True)
    assert (
        person.username in client.get(f"/admin/accounts/user/?q={person.username}").content.decode()
    )
    assert client.post(address, asked).status_code == 302
    person.refresh_from_db()
    assert (
        person.is_staff,
        person.is_superuser,
        [group.name for group in person.groups.all()],
    ) == (True, False, ["auditors"])
    action = OperatorAction.objects.get(operator=operator)
    assert (action.action, action.subject) == ("edit", f"accounts.user {person.id}")
    assert "is_staff: True, groups: auditors" in action.reason


def test_bot_users_and_guests_cannot_get_rights(new_user: NewUser) -> None:
    client = signed_in(new_user(), superuser=True)
    for user in (people.new_guest(), bots.create(new_user(), "R2")):
        address = f"/admin/accounts/user/{user.id}/change/"
        assert (
            client.post(
                address, {"is_active": "on", "is_staff": "on", "is_superuser": "on"}
            ).status_code
            == 302
        )
        user.refresh_from_db()
        assert (user.is_active, user.is_staff, user.is_superuser) == (True, False, False)
        assert client.post(address, {}).status_code == 302
        user.refresh_from_db()
        assert not user.is_active
