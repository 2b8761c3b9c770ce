"""Mutations: inputs that only GraphQL can express, and their errors."""

from uuid import uuid4

import httpx
import pytest

from games.models import Commit, Lobby
from tests.api.graphql.client import Client
from tests.api.graphql.scene import player
from tests.builders import NewGame, NewUser

PLAY = """mutation ($game: UUID!, $id: UUID!, $command: GameCommandInput!) { play(game: $game, id:
  $id, command: $command)
    { ... on Committed { accepted: version } ... on Problem { code status version data } } }"""


def test_a_command_of_another_game_is_malformed(
    address: str, new_game: NewGame, new_user: NewUser
) -> None:
    game = new_game(slug="carcassonne")
    given = {
        "game": str(game.id),
        "id": str(uuid4()),
        "command": {"freeSpots": {"takeSpot": {"spot": 3}}},
    }
    answer = Client(address, player(game)).do(PLAY, **given)
    assert (answer["code"], answer["status"], answer["version"]) == ("malformed", 400, None)
    assert answer["data"] == {
        "path": "$.command",
        "reason": "the game is carcassonne, not free_spots",
    }
    assert Commit.objects.filter(game=game).count() == 1
    hidden = new_game(slug="carcassonne")
    Lobby.objects.filter(id=hidden.lobby_id).update(visibility="invite")
    refused = Client(address, new_user()).do(PLAY, **{**given, "game": str(hidden.id)})
    assert (refused["code"], refused["data"]) == ("not_found", {"what": "game"}), (
        "a hidden game does not reveal its rules"
    )


def test_options_of_another_game_are_malformed(address: str, new_user: NewUser) -> None:
    create = """mutation { createLobby(slug: "carcassonne", options: {freeSpots: {boards: 2}})
        { ... on Lobby { id } ... on Problem { code data } } }"""
    answer = Client(address, new_user()).do(create)
    assert answer == {
        "code": "malformed",
        "data": {"path": "$.options", "reason": "the game is carcassonne, not free_spots"},
    }


def test_two_commands_in_one_input_are_malformed(address: str, new_game: NewGame) -> None:
    game = new_game()
    command = {"freeSpots": {"takeSpot": {"spot": 3}}, "setDice": {"declareNoSet": "YES"}}
    client = Client(address, player(game))
    assert client.error(PLAY, game=str(game.id), id=str(uuid4()), command=command)[:2] == (
        400,
        "malformed",
    )


@pytest.mark.parametrize(
    "body",
    [
        '{"query": "{ rules { slug } }", "query": "{ __typename }"}',
        '{"query": "query ($slug: String!) { rulesOf(slug: $slug) { slug } }",'
        ' "variables": {"slug": "ascot", "slug": "set_dice"}}',
    ],
)
def test_duplicate_keys_are_malformed(address: str, body: str) -> None:
    headers = {"Content-Type": "application/json"}
    url = f"http://{address}/graphql/"
    answer = httpx.post(url, content=body, headers=headers, timeout=60)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["data"]["reason"] == "an object holds the same key twice"
