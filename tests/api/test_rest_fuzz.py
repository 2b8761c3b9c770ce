"""Requests generated from the OpenAPI document get no server error and no undocumented response."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.wsgi import get_wsgi_application

from accounts import tokens
from accounts.models import User
from games.log.sealing import Sealer
from games.models import Game
from tests.api.matrix import TABLE, reads_the_log

pytestmark = pytest.mark.filterwarnings(
    # Files are streamed to ASGI servers; here there is none.
    "ignore:StreamingHttpResponse must consume asynchronous iterators:Warning",
    # Hypothesis sees that `random` was used while a strategy drew, not by whom: connection pools
    # use it in threads of their own.
    "ignore:Do not use the `random` module inside strategies:Warning",
)


@pytest.fixture(scope="module")
def document() -> Any:
    """The OpenAPI document, and a way to call its operations."""
    import schemathesis  # noqa: PLC0415  # only in the test process that needs it: it takes long

    return schemathesis.openapi.from_wsgi(
        "/api/schema/",
        get_wsgi_application(),
        headers={"Accept": "application/vnd.oai.openapi+json"},  # YAML takes seconds to read
    )


@pytest.fixture(scope="module")
def checks() -> list[Any]:
    """The checks of every response."""
    from schemathesis.checks import not_a_server_error  # noqa: PLC0415
    from schemathesis.specs.openapi import checks  # noqa: PLC0415

    return [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]


@pytest.fixture(scope="module")
def standing_game(new_game: Callable[..., Game]) -> Game:
    """A game for all operations that only read."""
    return new_game()


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLE)
def test_generated_requests_get_only_documented_responses(
    document: Any,
    checks: list[Any],
    new_game: Callable[..., Game],
    new_user: Callable[[], User],
    request: pytest.FixtureRequest,
    name: str,
) -> None:
    from hypothesis import HealthCheck, given, settings  # noqa: PLC0415  # as schemathesis

    case = TABLE[name]
    changes_game = case.method != "GET" and "{" in case.path
    game: Game = new_game() if changes_game else request.getfixturevalue("standing_game")
    # A user who plays the game, unless the operation changes the user alone.
    host = game.lobby.host if changes_game or case.method == "GET" else new_user()
    known = {"game": str(game.id), "lobby": str(game.lobby_id), "slug": "free_spots"}
    operation = document.find_operation_by_id(name)
    if reads_the_log(name):
        request.getfixturevalue("own_log")
        Sealer().seal()

    @settings(
        max_examples=50,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        case.path_parameters = {
            key: known.get(key, value) for key, value in (case.path_parameters or {}).items()
        }
        token = tokens.begin_session(host).text
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=checks)

    ask()
