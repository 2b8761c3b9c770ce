"""Signed acknowledgements over every transport, and what they prove."""

import asyncio
import json
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from games.keys import acknowledging
from games.live import hubs
from games.live.signed_notes import signing
from games.log.sealing import Sealer
from games.models import Commit, Game, LogCheckpoint
from games.play.commit import load
from railbird_engine.audit.acknowledgements import (
    Acknowledgement,
    Keys,
    LoggedKey,
    SignedHead,
    check_signed,
    said_in,
)
from railbird_engine.audit.notes import NoteError, UntrustedError, checkpoint_in
from railbird_engine.kernel import chain
from tests.api.graphql.client import Client as GraphQL
from tests.api.rest import Caller
from tests.api.sockets import joined, token_of
from tests.builders import NewGame


@pytest.fixture(autouse=True)
def sealed(database: None) -> None:
    """Have the log name the key."""
    Sealer().seal()


def acknowledged(note: str, keys: Keys) -> Acknowledgement:
    said = said_in(note)
    check_signed(note, said, keys)
    assert isinstance(said, Acknowledgement)
    return said


def head_in(note: str) -> SignedHead:
    said = said_in(note)
    check_signed(note, said, keys())
    assert isinstance(said, SignedHead)
    return said


PLAY = """mutation ($game: UUID!, $id: UUID!, $command: GameCommandInput!) {
    play(game: $game, id: $id, command: $command, acknowledge: true)
    { ... on Committed { acknowledgement } } }"""
TAKE = {"type": "take_spot", "spot": 3}


def keys() -> Keys:
    found = acknowledging.public(settings.ACK_KEY_FILE)
    return {key.verifier.key: LoggedKey(key.validity, 0, 0, None) for key in found}


def without_log(note: object) -> str:
    """Return a note without the state of the log when it was signed."""
    return str(note).partition("\nlog ")[0]


def player(game: Game) -> Caller:
    seat = game.lobby.seats.get(number=0)
    assert seat.user is not None
    return Caller(seat.user)


def asked(caller: Caller, game: Game, command: object, command_id: object) -> str:
    body = {"id": str(command_id), "command": command, "acknowledge": True}
    note = caller.post(f"/games/{game.id}/commands/", body).data["acknowledgement"]
    assert isinstance(note, str)
    return note


async def test_every_face_gives_the_same_acknowledgement_of_one_command(
    address: str, new_game: NewGame
) -> None:
    game, command_id = await asyncio.to_thread(new_game), uuid4()
    caller = await asyncio.to_thread(lambda: player(game))
    note = await asyncio.to_thread(lambda: asked(caller, game, TAKE, command_id))
    again = await asyncio.to_thread(lambda: asked(caller, game, TAKE, command_id))
    assert without_log(again) == without_log(note)
    user = caller.user
    assert user is not None
    token = await asyncio.to_thread(lambda: token_of(user))
    async with joined(address, game.id, token) as client:
        frame = {"type": "play", "id": str(command_id), "acknowledge": True}
        text = json.dumps({**frame, "command": {"spot": 3, "type": "take_spot"}}, indent=2)
        await client.connection.send(text)
        found = (await client.next("accepted"))["acknowledgement"]
        assert without_log(found) == without_log(note)
        await client.play(3, str(command_id))
        assert (await client.next("accepted"))["acknowledgement"] is None
    command = {"freeSpots": {"takeSpot": {"spot": 3}}}
    answer = await asyncio.to_thread(
        lambda: GraphQL(address, token=token).do(
            PLAY, game=str(game.id), id=str(command_id), command=command
        )
    )
    assert without_log(answer["acknowledgement"]) == without_log(note)


def test_an_acknowledgement_describes_its_commit(new_game: NewGame) -> None:
    game, command_id = new_game(), uuid4()
    said = acknowledged(asked(player(game), game, TAKE, command_id), keys())
    commit = Commit.objects.get(game=game, version=2)
    (root,) = LogCheckpoint.objects.filter(size=said.size)
    assert checkpoint_in(root.note).root == said.root
    assert said == Acknowledgement(
        origin=settings.LOG_ORIGIN,
        name=game.log_name,
        game=game.id,
        version=2,
        hash=bytes(commit.hash),
        seat=0,
        id=command_id,
        command='{"type":"take_spot","spot":3}',
        seed_hash=bytes.fromhex(chain.decode_genesis(bytes(game.genesis)).seed_hash),
        at=commit.at,
        size=said.size,
        root=said.root,
    )
    assert Acknowledgement.parse(said.text) == said


def test_a_changed_acknowledgement_is_refused(new_game: NewGame) -> None:
    game = new_game()
    note = asked(player(game), game, TAKE, uuid4())
    for changed in (note.replace("version 2", "version 3"), note.replace("seat 0", "seat 1")):
        with pytest.raises(UntrustedError):
            acknowledged(changed, keys())
    for malformed in (note.replace("version 2", "version 02"), note[1:], ""):
        with pytest.raises(NoteError):
            acknowledged(malformed, keys())


def test_a_key_that_the_log_did_not_name_or_had_ended_is_refused(new_game: NewGame) -> None:
    game = new_game()
    note = asked(player(game), game, TAKE, uuid4())
    size = acknowledged(note, keys()).size
    for first, end in ((size, None), (0, size - 1)):
        places = {key: place._replace(first=first, end=end) for key, place in keys().items()}
        with pytest.raises(UntrustedError):
            acknowledged(note, places)


async def test_views_and_commits_carry_signed_heads_for_those_who_ask(
    address: str, new_game: NewGame
) -> None:
    game = await asyncio.to_thread(new_game)
    user = (await asyncio.to_thread(lambda: player(game))).user
    assert user is not None
    token = await asyncio.to_thread(lambda: token_of(user))
    async with (
        joined(address, game.id, token) as plain,
        joined(address, game.id, token, query="?heads=true") as asks,
    ):
        await plain.next("view")
        heads = [await asks.next("view")]
        await asks.play(3, str(uuid4()))
        heads.append(await asks.next("commits"))
        assert (await plain.next("commits"))["head"] is None
        for frame in heads:
            said = head_in(frame["head"])
            newest = frame["commits"][-1] if "commits" in frame else frame
            assert (said.version, said.hash.hex()) == (newest["version"], newest["hash"])
        # A second commit in a tenth of a second is signed a little later.
        await asks.play(4, str(uuid4()))
        await asks.play(5, str(uuid4()))
        while said.version < 4:
            frame = await asks.frame()
            if frame.get("head") is not None:
                said = head_in(frame["head"])
        await asks.connection.send(json.dumps({"type": "look"}))
        assert (await asks.next("view"))["head"] is None, "it was sent before"
    async with joined(address, game.id, token, query="?heads=true&after=4") as resumes:
        said = head_in((await resumes.next("heartbeat"))["head"])
        assert said.version == 4


async def test_a_client_that_is_ahead_of_its_hub_gets_no_earlier_head(new_game: NewGame) -> None:
    game = await asyncio.to_thread(new_game)
    await signing().prepare()
    loaded, behind, ahead = await load(game.id), hubs.Outbox(), hubs.Outbox()
    subscription = hubs.switchboard().subscribe(loaded, None, behind, heads=True)
    assert subscription is not None
    hub = subscription.hub
    hub.subscriptions.add(hubs.Subscription(hub, None, hub.version + 1, ahead, heads=True))
    hub._send_head()
    assert (behind.waiting[0], ahead.waiting[0]) == (1, 0)


def test_a_new_key_signs_and_the_old_one_stays_valid_until_it_is_retired(
    tmp_path: Path, new_game: NewGame, capsys: pytest.CaptureFixture[str]
) -> None:
    game = new_game()
    caller = player(game)
    with override_settings(ACK_KEY_FILE=tmp_path / "ack_key"):
        call_command("keys", "ack", "--add")
        Sealer().seal()
        first = asked(caller, game, TAKE, uuid4())
        call_command("keys", "ack", "--add")
        Sealer().seal()
        second = asked(caller, game, {**TAKE, "spot": 4}, uuid4())
        old, new = acknowledging.public(tmp_path / "ack_key")
        acknowledged(first, keys())
        acknowledged(second, {new.verifier.key: LoggedKey(new.validity, 0, 0, None)})
        with pytest.raises(UntrustedError):
            acknowledged(second, {old.verifier.key: LoggedKey(old.validity, 0, 0, None)})
        capsys.readouterr()
        call_command("keys", "ack", "--retire", old.verifier.key_id.hex())
        retired, kept = capsys.readouterr().out.splitlines()
        assert kept == new.text
        assert retired.startswith(old.verifier.text)
        assert int(retired.split()[2]) < old.validity.until
        (tmp_path / "ack_key").unlink()
        call_command("keys", "ack")
        listed = capsys.readouterr()
        assert new.text in listed.out
        assert "cannot sign acknowledgements" in listed.err


def test_without_a_key_an_asked_acknowledgement_is_unavailable(
    tmp_path: Path, new_game: NewGame
) -> None:
    game, command_id = new_game(), uuid4()
    caller = player(game)
    body = {"id": str(command_id), "command": TAKE, "acknowledge": True}
    with override_settings(ACK_KEY_FILE=tmp_path / "none"):
        answer = caller.post(f"/games/{game.id}/commands/", body)
        assert (answer.status, answer.data["code"]) == (503, "unavailable")
    assert acknowledged(asked(caller, game, TAKE, command_id), keys()).version == 2
