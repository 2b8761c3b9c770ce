"""Attacks on the draws before a game starts: ids, seeds and lobbies chosen by the owner of the
database, and the entries of unlisted games in the public log."""

from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path

import pytest
from uuid_utils.compat import uuid7

from accounts.models import User
from games import lobbies
from games.lobbies.attempts import revealed_in
from games.log import tiles
from games.log.sealing import Sealer
from games.models import Game, Head, Lobby
from games.play import corrections
from games.proofs.verification import verify_game
from games.store import seeds
from kit import event_loop
from kit.encryption import AlteredError
from railbird_engine import Draw, SeededChance
from railbird_engine.audit.__main__ import main
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind
from tests.api.terms import TABLE, change_terms, logged, owner
from tests.audit.honest import FREE_SPOTS
from tests.audit.verdicts import said
from tests.builders import NewUser, start_game
from tests.lobbies.scene import (
    committed,
    committed_hash,
    current,
    freeze,
    reveal,
    revealed,
    seal,
)
from tests.proofs.scene import bundled
from tests.waiting import WITHIN_S


def throws(seed: bytes, opening: chain.Genesis) -> list[Draw]:
    chance = SeededChance(chain.key_of(seed, opening))
    for _ in range(20):
        chance.below(6)
    return list(chance.draws)


def test_the_id_of_the_game_is_fixed_before_anybody_can_take_a_seat(
    own_log: Path, new_user: NewUser
) -> None:
    host = new_user()
    lobby = lobbies.create(host, TABLE)
    promised = chain.decode_terms(bytes(lobby.terms))
    Sealer().seal()
    assert [entry.encode() for entry in logged(lobby.log_name)] == [chain.opened_entry(promised)]
    lobbies.add_bot(host, lobby.id)
    game = start_game(host, lobby.id)
    opening = chain.decode_genesis(bytes(game.genesis))
    assert game.id == opening.game == promised.game
    # The same dice, whatever seats the table has at the start.
    seed = seeds.seed_of(lobby)
    alone = chain.Genesis(
        **{name: getattr(promised, name) for name in chain.Terms.__struct_fields__},
        seats=1,
        rows=(chain.Row(0, None, None, None, None, None),),
        rows_salt=None,
        promises=(),
        reveals=(),
        answers=(),
        build=chain.Build("2.0.0", "", "00" * 32),
    )
    assert throws(seed, opening) == throws(seed, alone)


def another_seed(lobby: Lobby) -> None:
    """The owner, who has the key of the seeds too, draws seeds until the dice suit."""
    drawn = Lobby(id=lobby.id, log_name=lobby.log_name)
    seeds.draw_seed(drawn)
    change_terms(lobby, drawn, seed_hash=drawn.seed_hash)


def another_id(lobby: Lobby) -> None:
    """The owner draws ids until the dice suit."""
    change_terms(lobby, lobby, game=uuid7())


def check_that_every_tool_finds(
    lie: str, lobby: Lobby, tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Check that both verifiers and the monitor report this lie about how a game began."""
    game = Game.objects.get(lobby=lobby)
    content = bundled(game)
    (key,) = tiles.verifiers()
    file = tmp_path / "file"
    file.write_bytes(content)
    line = f"game {game.id} version 0: {lie}: expected "
    assert main(["verify", str(file), "--key", key, "--rules", FREE_SPOTS]) == 1
    assert line in capsys.readouterr().out
    code, answers = said(tmp_path, {"game": content}, "--key", key)
    assert code == 1
    assert answers["game"].startswith(line)
    state, url = str(tmp_path / "state"), f"http://{address}/log"
    assert main(["monitor", url, "--state", state, "--key", key, "--entries"]) == 1
    assert f"log name {lobby.log_name} version 0: entry: " in capsys.readouterr().out


@pytest.mark.parametrize(("attack", "seals_between"), [(another_seed, True), (another_id, False)])
def test_terms_that_are_changed_after_the_opening_are_found_by_every_tool(
    own_log: Path,
    new_user: NewUser,
    tmp_path: Path,
    attack: Callable[[Lobby], None],
    address: str,
    capsys: pytest.CaptureFixture[str],
    *,
    seals_between: bool,
) -> None:
    host = new_user()
    lobby = lobbies.create(host, TABLE)
    if seals_between:
        Sealer().seal()
    attack(lobby)
    game = start_game(host, lobby.id)
    Sealer().seal()
    opened, started, diverged = logged(lobby.log_name)
    assert [opened.kind, started.kind, diverged.kind] == [
        Kind.OPENED,
        Kind.STARTED,
        Kind.DIVERGED,
    ]
    found = chain.decode_genesis(bytes(game.genesis))
    assert (diverged.hash, diverged.payload) == (opened.hash, chain.terms_hash(found))
    assert Head.objects.get(game=game).stalled
    assert event_loop.call(corrections.void(game.id, "technical trouble"))
    Sealer().seal()
    assert any(finding.what.startswith("log entry") for finding in verify_game(game.id).findings)
    check_that_every_tool_finds("opened", lobby, tmp_path, address, capsys)


def choose_after_the_reveals(lobby: Lobby, user: User) -> None:
    """The owner sees all reveals, and puts other bytes into a seat before they are sealed."""
    with owner() as connection:
        change = "UPDATE games_seat SET entropy = %s WHERE lobby_id = %s AND user_id = %s"
        connection.execute(change, [bytes(32), lobby.id, user.id])
        found = current(lobby)
        again = chain.revealed_entry(found.log_name, committed_hash(found), revealed_in(found))
        change = "UPDATE games_lobby SET revealed = %s WHERE id = %s"
        connection.execute(change, [again, lobby.id])
        change = "UPDATE games_pendingentry SET entry = %s WHERE entry = %s"
        connection.execute(change, [again, bytes(found.revealed)])


def test_bytes_that_a_seat_chose_after_the_reveals_of_others_are_found_by_every_tool(
    own_log: Path,
    new_user: NewUser,
    tmp_path: Path,
    address: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, TABLE)
    entropies = {host: committed(host, lobby), guest: freeze(lobby, host, guest)}
    seal()
    for user, entropy in entropies.items():
        reveal(user, lobby, entropy)
    choose_after_the_reveals(lobby, guest)
    seal()
    game = Game.objects.get(lobby=lobby)
    Sealer().seal()
    kinds = [entry.kind for entry in logged(lobby.log_name)]
    assert kinds == [Kind.OPENED, Kind.COMMITTED, Kind.REVEALED, Kind.STARTED, Kind.DIVERGED]
    assert Head.objects.get(game=game).stalled
    assert event_loop.call(corrections.void(game.id, "technical trouble"))
    Sealer().seal()
    assert "commitment" in {finding.what for finding in verify_game(game.id).findings}
    check_that_every_tool_finds("commitment", lobby, tmp_path, address, capsys)


def test_a_seed_that_is_changed_without_its_terms_starts_no_game(
    own_log: Path, new_user: NewUser
) -> None:
    host = new_user()
    lobby, drawn = lobbies.create(host, TABLE), Lobby()
    Sealer().seal()
    drawn.id, drawn.log_name = lobby.id, lobby.log_name
    seeds.draw_seed(drawn)
    with owner() as connection:
        connection.execute(
            "UPDATE games_lobby SET seed_box = %s WHERE id = %s", [drawn.seed_box, lobby.id]
        )
    with pytest.raises(AlteredError):
        start_game(host, lobby.id)


def test_the_log_tells_no_id_of_an_unlisted_game(
    own_log: Path, new_user: NewUser, address: str
) -> None:
    host = new_user()
    lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots", visibility="unlisted"))
    game = start_game(host, lobby.id)
    Sealer().seal()
    assert event_loop.call(corrections.void(game.id, "nobody came"))
    Sealer().seal()
    assert len(logged(game.log_name)) == 4
    connection = HTTPConnection(address, timeout=WITHIN_S)
    said_by_log = b""
    for path in ("checkpoint", "keys", "tile/entries/000.p/4", "tile/0/000.p/4"):
        connection.request("GET", f"/log/{path}")
        answer = connection.getresponse()
        said_by_log += answer.read()
        assert answer.status == 200, path
    connection.close()
    assert game.log_name.bytes in said_by_log
    for secret in (game.id, lobby.id):
        assert secret.bytes not in said_by_log
        assert str(secret).encode() not in said_by_log


def test_every_lobby_that_the_operator_opens_is_counted(
    own_log: Path,
    new_user: NewUser,
    tmp_path: Path,
    address: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Lobbies can be opened and closed until a seed suits, but not unseen."""
    host = new_user()
    for _ in range(3):
        lobby = lobbies.create(host, TABLE)
        Sealer().seal()
        lobbies.leave(host, lobby.id)
    start_game(host, lobbies.create(host, TABLE).id)
    Sealer().seal()
    kinds = [entry.kind for entry in logged(lobby.log_name)]
    assert kinds == [Kind.OPENED, Kind.ABANDONED]
    assert logged(lobby.log_name)[1].seed == seeds.seed_of(lobby)
    (key,) = tiles.verifiers()
    state = str(tmp_path / "state")
    url = f"http://{address}/log"
    assert main(["monitor", url, "--state", state, "--key", key, "--entries"]) == 0
    received = "; 4 lobbies opened, 3 attempts abandoned, 1 game started, 0 finished"
    assert received in capsys.readouterr().out


def test_a_bundle_shows_the_attempts_before_its_game_and_the_reveals_in_them(
    own_log: Path,
    new_user: NewUser,
    tmp_path: Path,
    address: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    host, guest = new_user(), new_user()
    lobby = lobbies.create(host, TABLE)
    for _ in range(2):
        freeze(lobby, host, guest)
        lobbies.leave(guest, lobby.id)
    entropies = {host: committed(host, lobby), guest: freeze(lobby, host, guest)}
    game = revealed(lobby, entropies)
    assert event_loop.call(corrections.void(game.id, "enough"))
    Sealer().seal()
    content = bundled(game)
    attempts = [line for line in content.splitlines() if b'"type":"abandoned"' in line]
    assert len(attempts) == 2
    (key,) = tiles.verifiers()
    file = tmp_path / "file"
    file.write_bytes(content)
    assert main(["verify", str(file), "--key", key, "--rules", FREE_SPOTS]) == 0
    assert said(tmp_path, {"game": content}, "--key", key)[0] == 0
    state, url = str(tmp_path / "state"), f"http://{address}/log"
    found = ["monitor", url, "--state", state, "--key", key, "--file", str(file)]
    assert main([*found, "--rules", FREE_SPOTS]) == 0
    assert "; 1 lobby opened, 2 attempts abandoned, 1 game started" in capsys.readouterr().out
    # Without one of them, the file does not match the log.
    forged = content.replace(attempts[1] + b"\n", b"")
    file.write_bytes(forged)
    assert main(["verify", str(file), "--key", key, "--rules", FREE_SPOTS]) == 1
    assert said(tmp_path, {"game": forged}, "--key", key)[0] == 1
