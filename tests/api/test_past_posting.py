"""Past posting: the database owner, who has no key of the log, removes a sealed die or bet.

Every tool detects it, and the other games continue."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import override_settings

from games.log import tiles
from games.log.sealing import Sealer
from games.models import Commit, Game, Head, LogEntry
from games.play import corrections, service
from games.proofs.verification import verify_game
from games.store.heads import Claim
from gameserver.settings import environment
from kit import event_loop
from railbird_client.client import Client
from railbird_client.games import ready_set_bet
from railbird_engine.audit.__main__ import main
from railbird_engine.audit.log import Entry
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind
from tests.api.rest import Caller, take
from tests.api.sockets import player, token_of
from tests.audit.honest import FREE_SPOTS
from tests.audit.verdicts import said
from tests.builders import NewGame
from tests.moves import forget, take_in_turn
from tests.proofs.scene import bundled, results
from tests.proofs.scene import bundled as bundle_of
from tests.store import tampering

pytestmark = pytest.mark.usefixtures("own_log")


def take_back(game: Game, head: Head) -> None:
    """Reset a game to an earlier head as the database owner can, and restart the processes."""
    tampering.take_back(game, head)
    forget(game)


def head_of(game: Game) -> Head:
    return Head.objects.get(game=game)


def tick(game: Game) -> None:
    head = head_of(game)
    assert head.alarm is not None
    event_loop.call(service.advance([Claim(game.id, head.version, head.alarm, 0.0)]))


def last_draws(game: Game) -> object:
    body = bytes(Commit.objects.get(game=game, version=head_of(game).version).body)
    return chain.decode_body(body).draws


def first_bet(game: Game) -> tuple[Head, object]:
    """Play until the next tick rolls a die, and return the head, and a bet before that."""
    caller = Caller(player(game, 0))
    bets: list[object] = []
    while not bets:
        tick(game)
        legal = caller.get(f"/games/{game.id}/legal/?limit=100").data["commands"]
        bets = [command for command in legal if command["type"] == "place_bet"]
    return head_of(game), bets[0]


def past_post(game: Game) -> None:
    """Roll a die, wait until it is sealed, remove it, bet, and roll the same die again."""
    before, bet = first_bet(game)
    tick(game)
    assert (rolled := last_draws(game))
    Sealer().seal()
    take_back(game, before)
    assert Caller(player(game, 0)).play(game.id, bet).status == 201
    tick(game)
    assert last_draws(game) == rolled


async def test_a_die_that_was_shown_and_taken_back_is_found_with_what_the_client_stored(
    address: str, new_game: NewGame, tmp_path: Path
) -> None:
    """Before its commit is sealed, nobody else knows of the die."""
    path = tmp_path / "kept"

    def reach_bets() -> tuple[Game, Head, object, str]:
        with override_settings(ACK_KEY_FILE=environment.key_file("ACK_KEY_FILE")):
            Sealer().seal()
        game = new_game(2, "ready_set_bet")
        user = player(game, 0)
        return game, *first_bet(game), token_of(user)

    def cheat() -> Game:
        rolled = last_draws(game)
        take_back(game, before)
        assert Caller(player(game, 0)).play(game.id, bet).status == 201
        tick(game)
        assert last_draws(game) == rolled
        assert event_loop.call(corrections.void(game.id, "the test is over"))
        Sealer().seal()
        return game

    game, before, bet, token = await asyncio.to_thread(reach_bets)
    async with (
        Client(f"http://{address}", token, entropy=False) as client,
        client.table(game.id, ready_set_bet.TYPES, acknowledgements=path) as table,
    ):
        assert (await anext(table)).version == before.version
        await asyncio.to_thread(lambda: tick(game))
        shown = await anext(table)
    content = await asyncio.to_thread(lambda: bundle_of(cheat()))
    notes = [json.loads(line) for line in path.read_text().splitlines()]
    for code, lines in await asyncio.to_thread(lambda: results(tmp_path, content, notes)):
        assert code == 1
        assert f"game {game.id} version {shown.version}: head: expected" in lines[0]


def drop_a_bet(game: Game) -> None:
    """Acknowledge and seal a bet, remove it, and give its spot to another player."""
    one, other = (
        Caller(seat.user) for seat in game.lobby.seats.select_related("user").order_by("number")[:2]
    )
    assert one.play(game.id, take(0)).status == 201
    before = head_of(game)
    assert one.play(game.id, take(1)).status == 201
    Sealer().seal()
    take_back(game, before)
    assert other.play(game.id, take(1)).status == 201
    assert other.play(game.id, take(2)).status == 201


@pytest.mark.parametrize(
    ("slug", "attack"), [("ready_set_bet", past_post), ("free_spots", drop_a_bet)]
)
def test_a_sealed_commit_cannot_be_removed_unnoticed(
    slug: str,
    attack: Callable[[Game], None],
    address: str,
    new_game: NewGame,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game, other = new_game(2, slug), new_game(2)
    Sealer().seal()
    attack(game)
    Caller(other.lobby.seats.select_related("user")[0].user).play(other.id, take(0))

    # The sealer does not sign the difference, and continues with the other game.
    Sealer().seal()
    entries = [
        Entry.decode(bytes(entry))
        for entry in LogEntry.objects.filter(name=game.log_name)
        .order_by("index")
        .values_list("entry", flat=True)
    ]
    diverged, before = entries[-1], entries[-2]
    stored = Commit.objects.get(game=game, version=before.version)
    assert diverged == Entry(
        Kind.DIVERGED, game.log_name, before.version, before.hash, bytes(stored.hash)
    )
    assert head_of(game).stalled
    assert LogEntry.objects.filter(name=other.log_name).latest("index").version == 2
    assert Sealer().seal() == 0
    ready = Caller().get("/health/ready/").data
    assert (ready["status"], ready["diverged"]) == ("degraded", 1)

    # No player continues, and the voided game is sealed no further.
    player = game.lobby.seats.select_related("user").order_by("number")[0]
    assert Caller(player.user).play(game.id, take(5)).status >= 400
    assert event_loop.call(corrections.void(game.id, "technical trouble"))
    Sealer().seal()
    assert LogEntry.objects.filter(name=game.log_name).count() == len(entries)

    # Every tool detects it.
    what = (
        f"version {before.version}: entry: expected {before.hash.hex()}, found {stored.hash.hex()}"
    )
    file = tmp_path / "game.bundle"
    content = bundled(game)
    file.write_bytes(content)
    (key,) = tiles.verifiers()
    capsys.readouterr()
    assert main(["verify", str(file), "--key", key, "--rules", FREE_SPOTS]) == 1
    assert f"game {game.id} {what}" in capsys.readouterr().out
    code, answers = said(tmp_path, {"game": content}, "--key", key)
    assert (code, answers["game"]) == (1, f"game {game.id} {what}")
    findings = verify_game(game.id).findings
    assert any(
        finding.what.startswith(f"version {before.version}: log entry") for finding in findings
    )
    url, state = f"http://{address}/log", tmp_path / "state"
    assert main(["monitor", url, "--state", str(state), "--key", key, "--entries"]) == 1
    assert what in capsys.readouterr().out


def test_a_head_that_was_set_back_is_found_before_the_next_move(new_game: NewGame) -> None:
    game = new_game(2)
    before = head_of(game)
    take_in_turn(game, 0)
    Sealer().seal()
    take_back(game, before)
    assert Sealer().seal() == 1
    assert Entry.decode(bytes(LogEntry.objects.latest("index").entry)).kind is Kind.DIVERGED
