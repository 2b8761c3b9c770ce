"""The audit over REST: files that verify, access to them, and the time of their release."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import Group

from accounts import tokens
from accounts.models import User
from games import lobbies
from games.audit.notes import Checkpoint, Verifier, opened
from games.audit.verify import Verified, verify
from games.models import Game
from games.play import corrections
from games.transparency import tiles
from games.transparency.sealing import Sealer
from kit import event_loop
from tests.api.rest import Caller, take
from tests.audit.honest import rules_of

NewGame = Callable[..., Game]


def verified(content: bytes, since: str | None = None) -> Verified:
    keys = [Verifier.parse(verifier) for verifier in tiles.verifiers()]
    return verify(io.BytesIO(content), rules_of, trusted=keys, since=since)


def player_of(game: Game, number: int = 0) -> Caller:
    seat = game.lobby.seats.select_related("user").get(number=number)
    assert seat.user is not None
    return Caller(seat.user)


@pytest.fixture
def ended(own_log: Path, new_game: NewGame) -> Game:
    game = new_game(1, boards=1)
    player = player_of(game)
    for spot in range(68):
        assert player.play(game.id, take(spot)).status == 201
    Sealer().seal()
    return game


def test_a_bundle_and_a_receipt_verify_against_a_checkpoint_that_was_kept(
    ended: Game, new_game: NewGame
) -> None:
    player = player_of(ended)
    kept = player.get("/audit/checkpoint/").data
    keys = [Verifier.parse(key) for key in kept["keys"]]
    assert Checkpoint.parse(opened(kept["note"], keys)) == (
        kept["origin"],
        kept["size"],
        bytes.fromhex(kept["root"]),
    )
    new_game(1)
    Sealer().seal()
    answer = player.get(f"/audit/games/{ended.id}/bundle/?since={kept['size']}")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/jsonl")
    assert f'filename="{ended.id}.bundle"' in answer.headers["Content-Disposition"]
    assert verified(answer.content, kept["note"]).commits == 69
    answer = player.get(f"/audit/games/{ended.id}/bets/3/receipt/?since={kept['size']}")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    found = verified(answer.content, kept["note"])
    assert found.receipt is not None
    assert (found.receipt.bet.bet, found.receipt.outcomes[0].version) == (3, 69)


def test_a_bundle_has_several_games_or_only_the_log(ended: Game, new_game: NewGame) -> None:
    other = new_game(1)
    assert event_loop.call(corrections.void(other.id, "nobody came"))
    Sealer().seal()
    caller = player_of(ended)
    assert (
        verified(caller.get(f"/audit/bundle/?games={ended.id},{other.id},{ended.id}").content).games
        == 2
    )
    assert verified(caller.get("/audit/bundle/?since=1").content).games == 0
    assert caller.get("/audit/bundle/?games=nonsense").problem == (400, "malformed")


def test_files_that_are_not_available_yet_return_a_code(own_log: Path, new_game: NewGame) -> None:
    game = new_game(1)
    player = player_of(game)
    player.play(game.id, take(1))
    receipt, bundle = f"/audit/games/{game.id}/bets/1/receipt/", f"/audit/games/{game.id}/bundle/"
    assert player.get("/audit/checkpoint/").problem == (503, "not_sealed")
    assert player.get(receipt).problem == (503, "not_sealed")
    Sealer().seal()
    assert player.get(bundle).problem == (409, "game_not_ended")
    assert verified(player.get(receipt).content).bets == 1
    assert player.get(f"{receipt}?since=999").problem == (400, "malformed")
    assert player.get(f"/audit/games/{game.id}/bets/2/receipt/").problem == (404, "not_found")


def test_members_and_auditors_download_the_proof_of_an_invite_only_game(
    own_log: Path, new_user: Callable[[], User]
) -> None:
    host = new_user()
    game = lobbies.start(
        host,
        lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", visibility="invite")).id,
    )
    Caller(host).play(game.id, take(1))
    assert event_loop.call(corrections.void(game.id, "over"))
    Sealer().seal()
    auditor = new_user()
    auditor.groups.add(Group.objects.get(name=tokens.AUDITORS))
    own = f"/audit/games/{game.id}"
    for path in (f"{own}/bundle/", f"{own}/bets/1/receipt/", f"/audit/bundle/?games={game.id}"):
        assert Caller(new_user()).get(path).problem == (404, "not_found")
        assert Caller().get(path).problem == (401, "unauthenticated")
        assert Caller(host).get(path).status == 200
        assert Caller(auditor).get(path).status == 200
