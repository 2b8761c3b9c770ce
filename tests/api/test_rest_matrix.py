"""Permissions: every REST operation with every role. A missing operation fails the test."""

import pytest

from games.models import Lobby
from games.store import seeds
from tests.api.matrix import ROLES, TABLE, World, operations, world_for


def test_the_table_has_every_operation_and_no_other() -> None:
    assert {name: case.method for name, case in TABLE.items()} == {
        name: served[0] for name, served in operations().items()
    }


@pytest.mark.parametrize("name", TABLE)
def test_every_role_gets_the_status_of_the_table(
    request: pytest.FixtureRequest, name: str, standing_world: World
) -> None:
    case = TABLE[name]
    for role, expected in zip(ROLES, map(int, case.statuses.split()), strict=True):
        world = world_for(name, request) if expected < 400 else standing_world
        answer = world.request(case, world.caller(role))
        assert answer.status == expected, (role, answer)
        if role != "anonymous" and "ETag" not in answer.headers:
            assert "no-store" in answer.headers["Cache-Control"], role
        if expected >= 400:
            assert answer.problem[0] == expected, role
        if expected == 401:
            assert answer.headers["WWW-Authenticate"] == "Bearer", role


def test_lists_show_no_hidden_rows(world: World) -> None:
    for path in ("/lobbies/?limit=100", "/games/?limit=100"):
        hidden = {str(world.lobby.id), str(world.game.id)}
        assert hidden.isdisjoint(
            item["id"] for item in world.caller("stranger").get(path).data["items"]
        )
        assert hidden & {item["id"] for item in world.caller("seated").get(path).data["items"]}


def test_no_response_contains_a_seed_or_a_secret_before_the_end(world: World) -> None:
    secrets = [
        seeds.seed_of(lobby).hex().encode()
        for lobby in Lobby.objects.filter(host=world.user("host"))
    ]
    assert len(secrets) == 2
    for role in ("stranger", "seated", "host"):
        for case in TABLE.values():
            if case.method == "GET":
                content = world.request(case, world.caller(role)).content
                assert not any(secret in content for secret in secrets)
                assert b"password" not in content
                assert b"digest" not in content
