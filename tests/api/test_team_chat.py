"""Messages to a team: over every API, only those who played in it when they were sent read them."""

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

import pytest
from websockets.sync.client import connect

from accounts import tokens
from accounts.models import User
from games import lobbies
from games.models import Lobby
from tests.api.graphql.client import Client
from tests.api.rest import Caller
from tests.builders import NewUser, start_game
from tests.waiting import WITHIN_S

SECRET: Final = "Bet on the third gap"
STAGES: Final = ("lobby", "game")


class Table(NamedTuple):
    """A table of teams of two: those of the seats 0 and 3, 1 and 4, 2 and 5."""

    lobby: UUID
    seated: list[User]
    game: UUID | None


def table(new_user: NewUser, stage: str) -> Table:
    """A table of six users, before its game or in it."""
    seated = [new_user() for _ in range(6)]
    lobby = lobbies.create(
        seated[0],
        lobbies.LobbyChoices(
            slug="quitte_ou_double", options={"team_count": 3}, capacity=7, spectators="chat"
        ),
    )
    for user in seated[1:]:
        lobbies.join(user, lobby.id)
        lobbies.set_ready(user, lobby.id, ready=True)
    game = start_game(seated[0], lobby.id).id if stage == "game" else None
    return Table(lobby.id, seated, game)


# Each returns the code of the response.


def send_by_rest(address: str, token: str, lobby: UUID) -> str:
    body = {"id": str(uuid4()), "text": SECRET, "audience": "team"}
    answer = Caller(token=token).post(f"/lobbies/{lobby}/messages/", body)
    if answer.status != 201:
        return answer.problem[1]
    assert answer.data["event"]["audience"] == "team"
    return "sent"


def send_by_graphql(address: str, token: str, lobby: UUID) -> str:
    mutation = """mutation ($lobby: UUID!, $id: UUID!, $text: String!) {
        sent: sendMessage(lobby: $lobby, id: $id, text: $text, audience: team) {
            ... on LobbyEvent { version } ... on Problem { code } } }"""
    given = {"lobby": str(lobby), "id": str(uuid4()), "text": SECRET}
    code: str = Client(address, token=token).ask(mutation, **given)["sent"].get("code", "sent")
    return code


def send_by_socket(address: str, token: str, lobby: UUID) -> str:
    frame = {"type": "send_message", "id": str(uuid4()), "text": SECRET, "audience": "team"}
    with socket(address, f"lobbies/{lobby}", token) as connection:
        connection.send(json.dumps(frame))
        while True:
            answer = json.loads(connection.recv(timeout=WITHIN_S))
            if answer["type"] in {"message_accepted", "refused"}:
                code: str = answer.get("code", "sent")
                return code


SENDERS: Final[Mapping[str, Callable[[str, str, UUID], str]]] = {
    "rest": send_by_rest,
    "graphql": send_by_graphql,
    "socket": send_by_socket,
}


def socket(address: str, path: str, token: str) -> Any:
    headers = {"Authorization": f"Bearer {token}"}
    return connect(f"ws://{address}/ws/v1/{path}", additional_headers=headers)


def received(connection: Any, version: int) -> str:
    """Return all that a socket receives up to a version of the room."""
    texts: list[str] = []
    while True:
        texts.append(connection.recv(timeout=WITHIN_S))
        frame = json.loads(texts[-1])
        if frame["type"] in {"lobby_events", "room"} and frame["version"] >= version:
            return "".join(texts)


def read_everywhere(address: str, user: User, place: Table, *versions: int) -> dict[str, str]:
    """Return what a user reads of a room, by the way to read it: sockets after these versions."""
    token, version = tokens.begin_session(user).text, Lobby.objects.get(id=place.lobby).version
    query = """query ($lobby: UUID!) { lobbyEvents(lobby: $lobby) { events {
        version name event { __typename ... on MessageSent { user id text audience } } } } }"""
    paths = [f"lobbies/{place.lobby}?after={after}" for after in versions or [0]]
    if place.game is not None:
        paths.append(f"games/{place.game}?room=0")
    found = {
        "rest": json.dumps(Caller(token=token).get(f"/lobbies/{place.lobby}/events/").data),
        "graphql": json.dumps(Client(address, token=token).ask(query, lobby=str(place.lobby))),
    }
    for path in paths:
        with socket(address, path, token) as connection:
            found[path] = received(connection, version)
    return found


@pytest.mark.parametrize("stage", STAGES)
def test_only_the_team_reads_what_is_sent_to_it(
    new_user: NewUser, address: str, stage: str
) -> None:
    place = table(new_user, stage)
    spectator, operator, bare_host = new_user(), new_user(), new_user()
    User.objects.filter(id=operator.id).update(is_staff=True)
    Lobby.objects.filter(id=place.lobby).update(host=bare_host)
    author, *_ = team = [place.seated[0], place.seated[3]]
    outside = [*place.seated[1:3], *place.seated[4:], spectator, operator, bare_host]
    everyone = team + outside
    with ExitStack() as stack:
        live = [
            stack.enter_context(
                socket(address, f"lobbies/{place.lobby}", tokens.begin_session(user).text)
            )
            for user in everyone
        ]
        for connection in live:
            received(connection, 0)
        before = Lobby.objects.get(id=place.lobby).version
        for send in SENDERS.values():
            assert send(address, tokens.begin_session(author).text, place.lobby) == "sent"
        version = Lobby.objects.get(id=place.lobby).version
        heard = [received(connection, version) for connection in live]

    for user, told in zip(everyone, heard, strict=True):
        texts = {"live": told, **read_everywhere(address, user, place, 0, before)}
        who = everyone.index(user)
        read = len(SENDERS) if user in team else 0
        assert {way: text.count(SECRET) for way, text in texts.items()} == dict.fromkeys(
            texts, read
        ), who
        if user not in team:
            assert all(
                "message_hidden" in text or "MessageHidden" in text for text in texts.values()
            )


@pytest.mark.parametrize("face", SENDERS)
def test_a_message_to_no_team_is_refused(new_user: NewUser, address: str, face: str) -> None:
    place = table(new_user, "lobby")
    stranger, muted = new_user(), place.seated[1]
    lobbies.mute(place.seated[0], place.lobby, muted.id)
    lone = lobbies.create(stranger, lobbies.LobbyChoices(slug="free_spots"))
    send = SENDERS[face]

    def refusal(user: User, lobby: UUID) -> str:
        return send(address, tokens.begin_session(user).text, lobby)

    assert refusal(stranger, place.lobby) == "no_team", "without a seat"
    assert refusal(stranger, lone.id) == "no_team", "a game without teams"
    assert refusal(muted, place.lobby) == "muted"
    for user in place.seated[3:]:
        lobbies.leave(user, place.lobby)
    assert refusal(place.seated[0], place.lobby) == "no_team", "too few players for teams"


def test_a_change_of_seats_opens_no_earlier_message(new_user: NewUser, address: str) -> None:
    place = table(new_user, "lobby")
    author, spy, _, mate, *_ = place.seated
    lobbies.send_message(author, place.lobby, uuid4(), SECRET, audience="team")
    lobbies.swap_seats(author, place.lobby, 1, 3)
    assert SECRET not in "".join(read_everywhere(address, spy, place).values())
    assert all(SECRET in text for text in read_everywhere(address, mate, place).values()), (
        "they were in the team, and have read it"
    )
    lobbies.send_message(author, place.lobby, uuid4(), "Later", audience="team")
    assert all("Later" in text for text in read_everywhere(address, spy, place).values())
    assert "Later" not in "".join(read_everywhere(address, mate, place).values())
    lobbies.leave(mate, place.lobby)
    newcomer = new_user()
    lobbies.join(newcomer, place.lobby)
    for reader in (newcomer, spy):
        assert SECRET not in "".join(read_everywhere(address, reader, place).values())
    lobbies.ban(author, place.lobby, spy.id)
    answer = Caller(spy).get(f"/lobbies/{place.lobby}/events/")
    assert answer.problem == (404, "not_found")


def test_the_copy_of_a_users_data_has_their_own_messages_to_the_team_only(
    new_user: NewUser,
) -> None:
    place = table(new_user, "lobby")
    author, mate = place.seated[0], place.seated[3]
    lobbies.send_message(author, place.lobby, uuid4(), SECRET, audience="team")
    files = [Caller(user).get("/auth/data/").content for user in (author, mate)]
    assert [SECRET.encode() in file for file in files] == [True, False]
