"""The owner of the database, who has no key of the seeds, tries to learn dice to come: by calling
running games ended, by copying them, and by seeds that the owner knows."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from uuid_utils.compat import uuid7

from accounts.models import User
from games import lobbies
from games.log import tiles
from games.log.sealing import Sealer
from games.models import Game, Head, Lobby, LogEntry, PendingEntry
from games.play import corrections
from games.proofs.bundles import receipt
from games.proofs.verification import verify_game
from games.store.commits import store
from games.store.loaded_games import LoadedGame
from games.store.rows import StoredGame
from kit import event_loop
from kit.encryption import AlteredError
from kit.problems import Problem
from railbird_engine.audit.__main__ import main
from railbird_engine.audit.log import Entry
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind
from tests.api.rest import Caller, take
from tests.api.terms import change_terms, logged, owner
from tests.audit.honest import FREE_SPOTS
from tests.audit.verdicts import said
from tests.builders import NewGame, NewUser, start_game
from tests.lobbies.scene import freeze
from tests.moves import forget
from tests.proofs.scene import bundled, read

TABLE = lobbies.LobbyChoices(slug="free_spots")


def player_of(game: Game) -> Caller:
    return Caller(game.lobby.seats.select_related("user").order_by("number")[0].user)


def call_ended(game: Game, ended: str) -> None:
    Head.objects.filter(game=game).update(ended=ended, ended_at=game.started_at)


def test_a_head_that_only_says_that_its_game_has_ended_discloses_no_seed(
    own_log: Path, new_game: NewGame
) -> None:
    game = new_game(2)
    player = player_of(game)
    assert player.play(game.id, take(1)).status == 201
    Sealer().seal()
    for ended in ("finished", "voided"):
        call_ended(game, ended)
        assert player.get(f"/lobbies/{game.lobby_id}/").data["seed"] is None
        shown = player.get("/games/?mine=true").data["items"]
        assert [each["seed"] for each in shown] == [None]
        for path in ("bundle", "bets/1/receipt"):
            found = player.get(f"/audit/games/{game.id}/{path}/")
            assert found.problem == (503, "not_sealed")
        with pytest.raises(Problem, match="not_sealed"):
            receipt(read(game), 1)
    call_ended(game, "")


def test_a_head_that_says_more_than_its_commits_is_not_loaded(new_game: NewGame) -> None:
    game = new_game(2)
    call_ended(game, "finished")
    forget(game)
    assert player_of(game).get(f"/games/{game.id}/").problem == (503, "game_stalled")
    call_ended(game, "")


def test_a_game_that_goes_on_after_its_seed_was_disclosed_is_found_by_every_tool(
    own_log: Path,
    new_game: NewGame,
    address: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The sealer discloses the seed of a game whose head says that it has ended. The owner then
    knows the dice to come, and lets the game continue."""
    game = new_game(2)
    player = player_of(game)
    Sealer().seal()
    assert player.play(game.id, take(0)).status == 201
    call_ended(game, "finished")
    Sealer().seal()
    end = logged(game.log_name)[-1]
    assert (end.kind, sha256(end.payload).hexdigest()) == (Kind.FINISHED, game.lobby.seed_hash)
    call_ended(game, "")
    assert player.play(game.id, take(1)).status == 201
    Sealer().seal()
    diverged, head = logged(game.log_name)[-1], Head.objects.get(game=game)
    assert diverged == Entry(Kind.DIVERGED, game.log_name, 2, end.hash, bytes(head.hash))
    assert head.stalled
    assert player.play(game.id, take(2)).status >= 400
    assert event_loop.call(corrections.void(game.id, "technical trouble"))
    Sealer().seal()
    what = f"expected {diverged.hash.hex()}, found {diverged.payload.hex()}"
    content = bundled(game)
    file = tmp_path / "file"
    file.write_bytes(content)
    (key,) = tiles.verifiers()
    assert main(["verify", str(file), "--key", key, "--rules", FREE_SPOTS]) == 1
    assert f"game {game.id} version 2: entry: {what}" in capsys.readouterr().out
    code, answers = said(tmp_path, {"game": content}, "--key", key)
    assert (code, answers["game"]) == (1, f"game {game.id} version 2: entry: {what}")
    url, state = f"http://{address}/log", str(tmp_path / "state")
    assert main(["monitor", url, "--state", state, "--key", key, "--entries"]) == 1
    assert what in capsys.readouterr().out
    assert any("log entry" in finding.what for finding in verify_game(game.id).findings)


def test_a_running_game_that_is_sealed_as_abandoned_has_diverged(
    own_log: Path, new_game: NewGame, tmp_path: Path
) -> None:
    game = new_game(2)
    Sealer().seal()
    entry = chain.abandoned_entry(
        chain.decode_genesis(bytes(game.genesis)), bytes(32), chain.GivenUp()
    )
    PendingEntry.objects.create(name=game.log_name, entry=entry)
    Sealer().seal()
    assert player_of(game).play(game.id, take(1)).status == 201
    Sealer().seal()
    kinds = [each.kind for each in logged(game.log_name)]
    assert kinds[-2:] == [Kind.ABANDONED, Kind.DIVERGED]
    assert Head.objects.get(game=game).stalled
    assert event_loop.call(corrections.void(game.id, "technical trouble"))
    code, answers = said(tmp_path, {"game": bundled(game)}, "--key", *tiles.verifiers())
    assert (code, ": entry: expected" in answers["game"]) == (1, True)


def test_a_copy_of_a_running_game_draws_nothing(new_game: NewGame) -> None:
    """A copy that the clock or its owner plays would show the dice of the game before it does."""
    game = new_game(2)

    async def stored() -> StoredGame:
        return await store().game(game.id)

    rows = event_loop.call(stored())
    with pytest.raises(AlteredError):
        LoadedGame(uuid7(), rows)


def known_seed(lobby: Lobby) -> None:
    """Put a known seed in the field for disclosed seeds, with its hash in the terms."""
    seed = bytes(32)
    drawn = Lobby(seed_box=lobby.seed_box, seed_hash=chain.seed_hash(seed))
    change_terms(lobby, drawn, seed_hash=drawn.seed_hash)
    with owner() as connection:
        connection.execute("UPDATE games_lobby SET seed = %s WHERE id = %s", [seed, lobby.id])


def earlier_seed(lobby: Lobby) -> None:
    """Put the seed of an abandoned attempt, which the log has disclosed, in its place again."""
    host, guest = lobby.host, User.objects.create(username=f"guest of {lobby.id}")
    before = Lobby.objects.get(id=lobby.id)
    assert host is not None
    freeze(lobby, host, guest)
    lobbies.leave(guest, lobby.id)
    lobby.refresh_from_db()
    assert lobby.seed_hash != before.seed_hash
    change_terms(lobby, before, seed_hash=before.seed_hash)


@pytest.mark.parametrize("attack", [known_seed, earlier_seed])
def test_a_seed_that_the_owner_of_the_database_knows_starts_no_game(
    own_log: Path, new_user: NewUser, attack: Callable[[Lobby], None]
) -> None:
    host = new_user()
    lobby = lobbies.create(host, TABLE)
    attack(lobby)
    # The entry that opens the lobby can be changed as well, before it is sealed.
    terms = chain.decode_terms(bytes(Lobby.objects.get(id=lobby.id).terms))
    PendingEntry.objects.filter(name=terms.name).update(entry=chain.opened_entry(terms))
    Sealer().seal()
    assert LogEntry.objects.filter(name=terms.name).count() == 1
    with pytest.raises(AlteredError):
        start_game(host, lobby.id)


def test_a_game_does_not_end_at_a_version_that_was_sealed_as_running(
    own_log: Path, new_game: NewGame
) -> None:
    game = new_game(2)
    Sealer().seal()
    call_ended(game, "finished")
    Sealer().seal()
    assert [each.kind for each in logged(game.log_name)][-2:] == [Kind.ADVANCED, Kind.DIVERGED]
    assert Lobby.objects.get(id=game.lobby_id).seed is None
    assert Head.objects.get(game=game).stalled
