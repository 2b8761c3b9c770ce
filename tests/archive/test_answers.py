"""A month is archived, and every call about its games answers as before."""

import json
from datetime import date
from pathlib import Path
from uuid import uuid4

from games.models import Commit, Game
from games.proofs.verification import verify_game
from railbird_engine.kernel.chain import decode_body
from tests.api.rest import Caller
from tests.archive.scene import answers, archive, left


def test_every_call_answers_as_before(month: date, storage: Path, games: list[Game]) -> None:
    user = games[0].lobby.host
    before = [answers(game, game.lobby.host) for game in games]
    found = [verify_game(game.id) for game in games]
    assert not any(each.findings for each in found)
    archived = archive(month, storage, user)
    assert archived.games == 2
    assert [left(game) for game in games] == [0, 0]
    assert [answers(game, game.lobby.host) for game in games] == before
    assert [verify_game(game.id) for game in games] == found
    assert [left(game) for game in games] == [0, 0], "the calls brought nothing back"


def test_a_command_that_is_sent_again_is_answered_as_before(
    month: date, storage: Path, games: list[Game]
) -> None:
    game = games[0]
    first = Commit.objects.filter(game=game, seat=0).order_by("version")[0]
    command = json.loads(bytes(decode_body(bytes(first.body)).command or b""))
    again = {"id": str(first.command_id), "command": command}
    late = {"not_after": "2020-01-01T00:00:00Z"}
    bodies = (
        again,
        again | late,
        again | {"command": command | {"spot": 30}},
        again | {"id": str(uuid4())},
        again | {"id": str(uuid4())} | late,
    )

    def sent() -> list[tuple[int, str]]:
        caller = Caller(game.lobby.host)
        found = [caller.post(f"/games/{game.id}/commands/", body) for body in bodies]
        return [(each.status, each.data.get("code", each.data)) for each in found]

    before = sent()
    archive(month, storage, game.lobby.host)
    assert sent() == before
    assert [status for status, _ in before] == [201, 201, 422, 409, 409]
