"""Permissions: every REST operation with every role. A missing operation fails the test."""

import pytest

from accounts.tokens import GRANTABLE, Scope
from tests.api.matrix import ROLES, TABLE, World, operations, world_for
from tests.api.rest import caller_for


def test_the_table_has_every_operation_and_no_other() -> None:
    assert {name: case.method for name, case in TABLE.items()} == {
        name: served[0] for name, served in operations().items()
    }


@pytest.mark.parametrize("name", TABLE)
def test_every_role_gets_the_status_of_the_table(
    request: pytest.FixtureRequest, name: str, standing_world: World
) -> None:
    """The host's token has the scope of the operation alone, and no answer has a secret."""
    case = TABLE[name]
    scope = operations()[name][2].scope
    for role, expected in zip(ROLES, map(int, case.statuses.split()), strict=True):
        world = world_for(name, request) if expected < 400 else standing_world
        caller = world.caller(role)
        if role == "host" and scope is not None and scope in GRANTABLE:
            caller = caller_for(world.user(role), Scope(scope))
        answer = world.request(case, caller)
        assert answer.status == expected, (role, answer)
        if case.method == "GET":
            hidden = (*world.seeds, b"password", b"digest")
            assert not [secret for secret in hidden if secret in answer.content], role
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
