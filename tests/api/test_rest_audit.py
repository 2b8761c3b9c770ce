"""The audit over REST: files that verify, access to them, and the time of their release."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from django.conf import settings
from django.contrib.auth.models import Group

from accounts import people, tokens
from accounts.models import User
from games import lobbies
from games.log import tiles
from games.log.sealing import Sealer
from games.models import Game, LogEntry, Seat
from games.play import corrections
from games.proofs.verification import verify_game
from kit import event_loop
from railbird_engine.audit import builds
from railbird_engine.audit.__main__ import main
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Checkpoint, Verifier, opened
from railbird_engine.kernel import chain
from railbird_engine.kernel.code import code_hash
from railbird_engine.rules import load_rules
from tests.api.graphql.client import Client
from tests.api.rest import Caller, take
from tests.audit.honest import FREE_SPOTS
from tests.builders import NewGame, start_game
from tests.proofs.scene import verified


def player_of(game: Game, number: int = 0) -> Caller:
    seat = game.lobby.seats.select_related("user").get(number=number)
    assert seat.user is not None
    return Caller(seat.user)


@pytest.fixture
def ended(own_log: Path, new_game: NewGame) -> Game:
    game = new_game(1, boards=1, spots=6)
    player = player_of(game)
    for spot in range(6):
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
    assert verified(answer.content, kept["note"]).commits == 7
    answer = player.get(f"/audit/games/{ended.id}/bets/3/receipt/?since={kept['size']}")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    found = verified(answer.content, kept["note"])
    assert found.receipt is not None
    assert (found.receipt.bet.bet, found.receipt.outcomes[0].version) == (3, 7)


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
    game = start_game(
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


def test_a_player_proves_to_an_auditor_who_sat_in_the_seat(
    own_log: Path,
    new_game: NewGame,
    new_user: Callable[[], User],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = new_game(2)
    player, other = player_of(game), player_of(game, 1)
    player.play(game.id, take(1))
    Sealer().seal()
    assert player.user is not None
    address = f"/audit/games/{game.id}/seat/"
    receipt, proof = tmp_path / "receipt", tmp_path / "proof"
    receipt.write_bytes(player.get(f"/audit/games/{game.id}/bets/1/receipt/").content)
    proof.write_bytes(player.get(address).content)
    keys = [word for verifier in tiles.verifiers() for word in ("--key", verifier)]
    assert main(["verify", str(receipt), *keys, "--person", str(proof)]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.endswith(f": verified: user {player.user.id} sat in seat 0 of game {game.id}")
    assert other.get(address).data["salt"] != player.get(address).data["salt"]
    # Erasing the person erases the salt: the commitment stays, and nobody can open it.
    assert verify_game(game.id).findings == []
    people.erase(player.user)
    assert not Seat.objects.filter(lobby=game.lobby_id, number=0, salt__isnull=False).exists()
    assert other.get(address).status == 200
    assert verify_game(game.id).findings == []
    Seat.objects.filter(lobby=game.lobby_id, number=1).update(user=new_user())
    (finding,) = verify_game(game.id).findings
    assert finding.what == "person in seat 1"


def test_a_seat_proof_is_only_for_the_player_over_both_faces(
    new_game: NewGame, new_user: Callable[[], User], address: str
) -> None:
    game = new_game(1)
    player, stranger = player_of(game), Caller(new_user())
    path = f"/audit/games/{game.id}/seat/"
    query = "query($game: UUID!) { seatProof(game: $game) { game seat user salt } }"
    found = Client(address, player.user).ask(query, game=str(game.id))
    assert found["seatProof"] == player.get(path).data
    assert Caller().get(path).problem == (401, "unauthenticated")
    assert stranger.get(path).problem == (404, "not_found")
    assert stranger.user is not None
    stranger.user.groups.add(Group.objects.get(name=tokens.AUDITORS))
    assert Caller(stranger.user).get(path).problem == (404, "not_found")
    code = Client(address, stranger.user).error(query, game=str(game.id))[1]
    assert code == "not_found"


def test_the_genesis_and_the_log_name_the_build(own_log: Path, new_game: NewGame) -> None:
    game = new_game(1)
    build = chain.decode_genesis(bytes(game.genesis)).build
    (rules,) = load_rules(FREE_SPOTS)
    assert build == chain.Build(settings.BUILD_VERSION, settings.BUILD_COMMIT, code_hash(rules))
    sealer = Sealer()
    sealer.seal()
    new_game(1)
    sealer.seal()
    Sealer().seal()
    (stored,) = LogEntry.objects.filter(name=builds.NAME).values_list("entry", flat=True)
    entry = Entry.decode(bytes(stored))
    told = msgspec.json.decode(entry.payload, type=builds.SealedBy)
    assert (told.version, told.commit) == (build.version, build.commit)
    assert told.rules["free_spots"] == build.rules
    assert told.rules.keys() > {"carcassonne", "ascot"}
