"""Addresses without their last slash, and rows that cannot be read."""

import msgspec
import pytest
from django.test import Client, override_settings

from games import lobbies
from games.models import RoomEvent
from gameserver.errors import problem_of
from tests.api.rest import Caller
from tests.builders import NewUser


@pytest.mark.parametrize("debug", [False, True])
def test_a_post_without_the_last_slash_is_answered(debug: bool) -> None:
    with override_settings(DEBUG=debug):
        answer = Client(REMOTE_ADDR="10.77.0.1").post(
            "/api/v1/auth/guest", "{}", content_type="application/json"
        )
    assert answer.status_code == 201
    assert "token" in answer.json()


@pytest.mark.parametrize("path", ["/api/v1/nowhere", "/api/v1/auth/guest/x", "/elsewhere"])
def test_an_unknown_address_stays_unknown_with_a_slash(path: str) -> None:
    answer = Client(REMOTE_ADDR="10.77.0.2").post(path, "{}", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/elsewhere", "text/html"),
        ("/games/x/", "text/html"),
        ("/api/v1/x/", "application/problem"),
    ],
)
def test_a_browser_gets_a_page_for_an_unknown_address(path: str, kind: str) -> None:
    answer = Client(REMOTE_ADDR="10.77.0.4").get(path, headers={"Accept": "text/html,*/*"})
    assert (answer.status_code, answer.headers["Content-Type"].startswith(kind)) == (404, True)


def test_graphql_needs_no_slash() -> None:
    answer = Client(REMOTE_ADDR="10.77.0.3").post(
        "/graphql", '{"query": "{__typename}"}', content_type="application/json"
    )
    assert answer.json()["data"] == {"__typename": "Query"}


def test_a_row_that_cannot_be_read_is_listed_without_content(new_user: NewUser) -> None:
    host = new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
    lobbies.add_bot(host, lobby.id)
    RoomEvent.objects.filter(lobby=lobby, version=2).update(body=b'{"type": "of_a_newer_build"}')
    found = Caller(host).get(f"/lobbies/{lobby.id}/events/").data["events"]
    assert [event["version"] for event in found] == [1, 2, 3]
    assert found[1]["event"] == {"type": "message_hidden"}


def test_a_row_that_cannot_be_read_is_an_internal_error() -> None:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.json.decode(b"[]", type=int)
    assert problem_of(error.value) is None
