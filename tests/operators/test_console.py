"""The operator's console: figures, search, and actions that are logged before they happen."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from accounts import ledger, people, tokens
from accounts.models import User
from games import lobbies
from games.models import Head, Lobby, Mute, OperatorAction, RoomEvent
from games.operators import actions, console
from games.store import seeds
from kit.metrics import Figure
from kit.problems import Problem
from kit.validation import ONE_LINE
from railbird_engine.audit.interventions import REASON, REASON_MAX
from tests.builders import NewGame, NewUser
from tests.moves import take
from tests.operators.scene import signed_in

CONSOLE = "/admin/games/operatoraction"


@pytest.fixture
def operator(new_user: NewUser) -> User:
    return new_user()


@pytest.fixture
def client(operator: User) -> Client:
    return signed_in(operator, superuser=True)


def logged(operator: User) -> list[str]:
    """Return the actions of this operator, oldest first."""
    actions = OperatorAction.objects.filter(operator=operator).order_by("id")
    return list(actions.values_list("action", flat=True))


def test_the_console_shows_figures_and_stalled_games(client: Client, new_game: NewGame) -> None:
    game = new_game()
    Head.objects.filter(game=game).update(stalled="the rules raised ValueError")
    text = client.get(f"{CONSOLE}/console/").content.decode()
    for figure in ("Open lobbies.", "Connected users", "Commits per second", "not in the public"):
        assert figure in text
    assert f"/admin/games/game/{game.id}/intervene/" in text
    assert "the rules raised ValueError" in text
    Head.objects.filter(game=game).update(stalled="")
    take(game, 5)
    assert ">-</td>" not in client.get(f"{CONSOLE}/console/").content.decode()


def test_the_console_alarms_as_the_deployment_does() -> None:
    rules = Path("gameserver/deploy/monitoring/alerts.yml").read_text()
    for sign, alarms in ((">", console.ALARMS), ("<", console.ALARMS_BELOW)):
        bounds = dict(re.findall(rf"max\(railbird_(\w+)\) {sign} ([\d.]+)", rules))
        assert {name: float(bounds[name]) for name in alarms} == alarms
    shown = [
        (Figure("seal_lag_seconds", "", 61), ("61 s", "bad")),
        (Figure("seal_lag_seconds", "", 0.12345), ("0.1235 s", "good")),
        (Figure("months_ahead", "", 0), ("0 months", "bad")),
        (Figure("months_ahead", "", 2), ("2 months", "good")),
        (Figure("escrow_coins", "", 1_234_567), ("1,234,567 coins", "")),
        (Figure("store_bytes", "", 12_345.6), ("12,346 bytes", "")),
    ]
    for figure, words in shown:
        assert console.line_of(figure)[1:] == words


def test_the_start_of_the_admin_links_the_console(client: Client, new_user: NewUser) -> None:
    assert f'href="{CONSOLE}/console/"' in client.get("/admin/").content.decode()
    staff = signed_in(new_user(), superuser=False)
    assert f'href="{CONSOLE}/console/"' not in staff.get("/admin/").content.decode()


def test_a_search_finds_users_games_and_lobbies_and_is_logged(
    client: Client, operator: User, new_game: NewGame
) -> None:
    game = new_game()
    user = User.objects.get(seats__lobby=game.lobby_id, seats__number=0)
    for text in (str(game.id), str(game.lobby_id)):
        found = client.get(f"{CONSOLE}/console/", {"q": text}).content.decode()
        assert f"{CONSOLE}/games/{game.id}/watch/" in found
    assert f"{CONSOLE}/lobbies/{game.lobby_id}/" in found
    for text in (user.username[:20], str(user.id)):
        found = client.get(f"{CONSOLE}/console/", {"q": text}).content.decode()
        assert f"{CONSOLE}/users/{user.id}/" in found
    assert logged(operator) == ["search"] * 4


def test_an_operator_watches_a_game_after_naming_a_reason(
    client: Client, operator: User, new_game: NewGame
) -> None:
    game = new_game()
    address = f"{CONSOLE}/games/{game.id}/watch/"
    for given in (client.get(address), client.post(address, {"reason": ""})):
        assert "watched" not in given.content.decode()
    assert logged(operator) == []
    seen = client.post(address, {"reason": "a player complained"}).content.decode()
    assert '"version": 1' in seen
    assert seeds.seed_of(game.lobby).hex() not in seen
    assert logged(operator) == ["watch"]


def test_an_operator_mutes_retitles_and_closes_a_lobby(
    client: Client, operator: User, new_user: NewUser
) -> None:
    host, guest = new_user(), new_user()
    choices = lobbies.LobbyChoices(slug="free_spots", title="Rude words", buy_in=100)
    lobby = lobbies.create(host, choices)
    lobbies.join(guest, lobby.id)
    address = f"{CONSOLE}/lobbies/{lobby.id}/"
    why = {"reason": "the title insults"}
    assert client.post(address, {"action": "mute", **why}).status_code == 200
    assert logged(operator) == []
    for asked in (
        {"action": "mute", "user": str(guest.id)},
        {"action": "retitle", "title": "A table"},
        {"action": "close"},
    ):
        assert client.post(address, {**asked, **why}).status_code == 302, asked
    assert Mute.objects.get(lobby=lobby).by_operator
    lobby = Lobby.objects.get(id=lobby.id)
    assert (lobby.title, lobby.status) == ("A table", "closed")
    assert [ledger.wallet_of(user).balance for user in (host, guest)] == [1000, 1000]
    kinds = RoomEvent.objects.filter(lobby=lobby).order_by("version").values_list("kind", flat=True)
    assert list(kinds)[-5:] == ["muted", "title_changed", "seat_left", "seat_left", "lobby_closed"]
    refused = client.post(address, {"action": "close", **why})
    assert "Refused: lobby_not_open" in refused.content.decode()
    assert logged(operator) == ["mute", "retitle_lobby", "close_lobby", "close_lobby"]


def test_a_suspended_user_can_do_nothing_until_the_end(
    client: Client, operator: User, new_user: NewUser
) -> None:
    user, password = new_user(), "correct horse battery"
    user.set_password(password)
    user.save(update_fields=["password"])
    token = tokens.begin_session(user).text
    me = {"Authorization": f"Bearer {token}"}
    assert Client().get("/api/v1/auth/me/", headers=me).status_code == 200
    address = f"{CONSOLE}/users/{user.id}/"
    until = timezone.now() + timedelta(days=2)
    asked = {"until": f"{until:%Y-%m-%dT%H:%M}", "reason": "insults in chat"}
    assert client.post(address, asked).status_code == 302
    assert Client().get("/api/v1/auth/me/", headers=me).status_code == 401
    with pytest.raises(Problem, match="suspended"):
        people.sign_in(user.username, password, address="192.0.2.1")
    User.objects.filter(id=user.id).update(suspended_until=timezone.now())
    assert Client().get("/api/v1/auth/me/", headers=me).status_code == 200
    assert client.post(address, asked).status_code == 302
    assert client.post(address, {"reason": "it was somebody else"}).status_code == 302
    assert Client().get("/api/v1/auth/me/", headers=me).status_code == 200
    refused = client.post(f"{CONSOLE}/users/{operator.id}/", asked)
    assert "Refused: forbidden" in refused.content.decode()
    assert logged(operator) == ["suspend"] * 4


def test_only_superusers_act(new_user: NewUser, new_game: NewGame) -> None:
    game = new_game()
    client = signed_in(new_user(), superuser=False)
    for page in (
        "console/",
        f"games/{game.id}/watch/",
        f"lobbies/{game.lobby_id}/",
        f"users/{new_user().id}/",
    ):
        assert client.get(f"{CONSOLE}/{page}").status_code == 403, page
        assert Client().get(f"{CONSOLE}/{page}").status_code == 302, page


def test_verifiers_accept_every_reason_that_the_server_accepts() -> None:
    assert actions.REASON_MAX == REASON_MAX
    characters = [chr(number) for number in range(0x20000)]
    for reason in (*characters, *(f"a{character}" for character in characters)):
        assert not re.match(ONE_LINE, reason) or re.fullmatch(REASON, reason), ascii(reason)
