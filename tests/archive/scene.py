"""Games of a month that is archived, and all that is answered about them."""

import json
from datetime import date
from pathlib import Path
from typing import Any

from accounts.models import Transfer, User
from games.archive.reading import kept
from games.models import ArchivedGame, Bet, Commit, Correction, Game, Settlement
from games.play import replay
from games.proofs import archiving
from games.store.loaded_games import loaded_games
from kit import event_loop
from kit.object_storage import ObjectStorage
from tests.api.rest import Caller
from tests.archive.past import as_owner


def forget() -> None:
    """Forget all that this process knows about games and records."""

    async def forget_games() -> None:
        loaded_games()._games.clear()
        replay.folds()._folds.clear()

    event_loop.call(forget_games())
    kept.__init__()  # type: ignore[misc]


def archive(month: date, storage: Path, user: User) -> archiving.Archived:
    objects = ObjectStorage(storage.as_uri(), patient=True)
    with as_owner():
        done = archiving.archive(
            month, objects, by=user, reason="a test of archives", on_games=lambda *_: None
        )
    forget()
    return done


GRAPHQL = """query($id: UUID!) { game(id: $id) {
    version ended result { ranking scores }
    commits(first: 100) { edges { cursor node { version hash at events { __typename } } } }
    bets(first: 100, orderBy: [{stake: DESC}]) { edges { cursor node {
        number spot stake odds outcome payout placedAt settledAt drawnBefore drawnUntil } } }
    transfers(first: 100) { edges { cursor node { id amount reason at number position } } }
    view(version: 3) { version now nextAt }
} }"""


def answers(game: Game, user: User) -> dict[str, object]:
    """Ask every call about a game, as a player."""
    caller = Caller(user)
    of_game = f"/games/{game.id}"
    found: dict[str, Any] = {}
    for path in (
        f"{of_game}/",
        f"{of_game}/genesis/",
        f"{of_game}/view/?version=3",
        f"{of_game}/views/?from=1&to=20",
        f"{of_game}/bets/?limit=3",
        f"{of_game}/bets/?spot_prefix=1&outcome=void",
        f"{of_game}/bets/?outcome=lost&stake_min=1",
        f"{of_game}/transfers/?limit=100",
        f"{of_game}/purses/?version=4",
        f"{of_game}/purses/",
        f"/audit/games/{game.id}/bundle/",
        f"/audit/bundle/?games={game.id}",
        f"/audit/games/{game.id}/bets/1/receipt/",
        f"/audit/games/{game.id}/seat/",
        f"/bets/?game={game.id}",
        f"/bets/export/?game={game.id}&format=csv",
        f"/transfers/?cause={game.id}",
        f"/transfers/export/?cause={game.id}&format=jsonl",
    ):
        answer = caller.get(path)
        assert answer.status == 200, (path, answer)
        found[path] = answer.content
        while answer.data and "next" in answer.data and answer.data["next"]:
            separator = "&" if "?" in path else "?"
            answer = caller.get(f"{path}{separator}cursor={answer.data['next']}")
            found[path] += answer.content
    commits = caller.get(f"{of_game}/commits/?after=0&limit=500").data
    found["commits"] = commits["commits"]
    headers = {"Authorization": f"Bearer {caller.token}"}
    body = {"query": GRAPHQL, "variables": {"id": str(game.id)}}
    asked = caller.client.post(
        "/graphql/", json.dumps(body), content_type="application/json", headers=headers
    ).json()
    assert "errors" not in asked, asked
    found["graphql"] = asked
    return found


def left(game: Game) -> int:
    tables = (Commit, Bet, Settlement, Correction)
    return sum(table.objects.filter(game=game).count() for table in tables) + (
        Transfer.objects.filter(book=game.id).count()
    )


def place_of(game: Game) -> ArchivedGame:
    return ArchivedGame.objects.get(game=game)
