"""Commands that players sign: the same over every API, and checked by both verifiers."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from accounts import tokens
from accounts.models import User
from games import lobbies
from games.log import tiles
from games.log.sealing import Sealer
from games.models import Commit, Game, Head, Lobby
from games.play import absence, commit, corrections, service, signatures
from games.play.commit import RefusedError
from games.proofs.verification import verify_game
from games.store import loaded_games
from games.store.loaded_games import LoadedGame
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.kernel import chain
from tests.api.graphql.client import Client
from tests.api.rest import Caller, take
from tests.api.sockets import joined
from tests.builders import NewUser
from tests.lobbies.scene import opened_hash, revealed, seat_of
from tests.lobbies.scene import refused as refusal
from tests.looks import bots_look
from tests.moves import forget
from tests.proofs.scene import bundled, python, typescript
from tests.store.tampering import take_back
from tests.waiting import WITHIN_S

SPOTS: Final = 20

Said = int | dict[str, Any]
"""The version of an accepted command, or the problem of a refused one."""


def over_rest(address: str, token: str, game: UUID, body: Mapping[str, Any]) -> Said:
    found: dict[str, Any] = Caller(token=token).post(f"/games/{game}/commands/", body).data
    return found if "code" in found else int(found["version"])


def over_a_socket(address: str, token: str, game: UUID, body: Mapping[str, Any]) -> Said:
    async def play() -> dict[str, Any]:
        async with joined(address, game, token) as client, asyncio.timeout(WITHIN_S):
            await client.connection.send(json.dumps({"type": "play", **body}))
            while (found := await client.frame())["type"] not in ("accepted", "refused"):
                pass
            return found

    found = asyncio.run(play())
    return found if found["type"] == "refused" else int(found["version"])


def over_graphql(address: str, token: str, game: UUID, body: Mapping[str, Any]) -> Said:
    mutation = """mutation ($game: UUID!, $id: UUID!, $command: GameCommandInput!,
                            $signed: CommandSignatureInput) {
            said: play(game: $game, id: $id, command: $command, signed: $signed) {
                ... on Committed { accepted: version } ... on Problem { code data detail } } }"""
    command = {"freeSpots": {"takeSpot": {"spot": body["command"]["spot"]}}}
    given = {"game": str(game), **body, "command": command}
    found = Client(address, token=token).post(mutation, given).json()["data"]["said"]
    return found if "code" in found else int(found["accepted"])


FACES: Final = {"rest": over_rest, "socket": over_a_socket, "graphql": over_graphql}


def reason_of(answer: Said) -> str:
    assert isinstance(answer, dict)
    return str(answer["data"]["reason"])


class Player(NamedTuple):
    """A user with the key of a seat."""

    user: User
    key: Ed25519PrivateKey

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes_raw()

    def commit(self, lobby: Lobby) -> bytes:
        """Commit to entropy, and return it."""
        entropy, opening = uuid4().bytes * 2, opened_hash(lobby)
        place = seat_of(lobby, self.user).number
        commitment = chain.commitment(opening, place, entropy)
        text = chain.seat_text(opening.hex(), place, self.public.hex(), commitment.hex())
        made = lobbies.Commitment(opening, commitment, self.public, self.key.sign(text))
        lobbies.commit(self.user, lobby.id, made)
        return entropy

    def body(self, game: Game, spot: int, **fields: Any) -> dict[str, Any]:
        """Return the body of a signed command of seat 0, with these other fields signed."""
        newest = Commit.objects.filter(game=game).latest("version")
        mark = chain.Signed(uuid4(), newest.version, bytes(newest.hash).hex(), 2**31 - 1, "")
        said: dict[str, Any] = {
            "origin": settings.LOG_ORIGIN,
            "name": game.log_name,
            "seat": 0,
        }
        said["command"] = json.dumps(take(spot), separators=(",", ":")).encode()
        said |= {name: fields.pop(name) for name in said.keys() & fields.keys()}
        mark = msgspec.structs.replace(mark, **fields)
        signature = self.key.sign(mark.text(**said)).hex()
        signed = {"head": mark.head, "hash": mark.hash, "until": mark.until}
        return {
            "id": str(mark.id),
            "command": take(spot),
            "signed": {**signed, "signature": signature},
        }


def started(new_user: NewUser) -> tuple[Game, Player, User]:
    """A game in which seat 0 signs, and seat 1 does not."""
    player, other = Player(new_user(), Ed25519PrivateKey.generate()), new_user()
    options = {"boards": 1, "spots": SPOTS}
    choices = lobbies.LobbyChoices(slug="free_spots", options=options)
    lobby = lobbies.create(player.user, choices, commits=True)
    lobbies.join(other, lobby.id)
    lobbies.set_ready(other, lobby.id, ready=True)
    entropy = player.commit(lobby)
    lobbies.start(player.user, lobby.id)
    return revealed(lobby, {player.user: entropy}), player, other


@pytest.mark.parametrize("face", FACES)
def test_only_a_valid_signature_of_the_seat_counts(
    new_user: NewUser, address: str, face: str
) -> None:
    game, player, other = started(new_user)
    token, others = (tokens.begin_session(user).text for user in (player.user, other))

    def play(body: Mapping[str, Any], token: str = token) -> Said:
        return FACES[face](address, token, game.id, body)

    body = player.body(game, 1)
    stranger = player._replace(key=Ed25519PrivateKey.generate())
    canonical = json.dumps(take(1), separators=(",", ":"))
    for reason, wrong in {
        "missing": {**body, "signed": None},
        "wrong": stranger.body(game, 1),
        "head": player.body(game, 1, hash="ab" * 32),
        "late": player.body(game, 1, until=1),
    }.items():
        answer = play(wrong)
        assert isinstance(answer, dict)
        assert answer["code"] == "signature_refused"
        told = {"command": canonical} if reason == "wrong" else {}
        assert answer["data"] == {"reason": reason, **told}
        detail = f"The signature does not count: {reason}"
        more = f"; the signed text has the command {canonical}" if told else ""
        assert face == "socket" or answer["detail"] == f"{detail}{more}."
    for fields in (
        {"seat": 1},
        {"name": uuid4()},
        {"origin": "other.example/log"},
        {"command": json.dumps(take(2), separators=(",", ":")).encode()},
    ):
        assert reason_of(play(player.body(game, 1, **fields))) == "wrong"
    assert reason_of(play({**body, "id": str(uuid4())})) == "wrong", "signed for another id"
    assert reason_of(play(player.body(game, 2), others)) == "no_key"
    assert play({"id": str(uuid4()), "command": take(2)}, others) == 2
    in_time = player.body(game, 1, until=3)
    assert play(in_time) == 3
    assert play(in_time) == 3, "a copy that is late has the first answer"
    first = Commit.objects.get(game=game, version=1)
    assert play(player.body(game, 3, head=1, hash=bytes(first.hash).hex())) == 4


def test_verifiers_check_signatures_and_count_what_bots_did(
    new_user: NewUser,
    address: str,
    own_log: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, player, _ = started(new_user)
    token = tokens.begin_session(player.user).text
    monkeypatch.setattr(loaded_games, "HASHES_MAX", 1)
    assert over_rest(address, token, game.id, player.body(game, 1)) == 2
    genesis = chain.genesis_hash(bytes(game.genesis)).hex()
    first = bytes(Commit.objects.get(game=game, version=1).hash).hex()
    assert over_rest(address, token, game.id, player.body(game, 2, head=1, hash=first)) == 3
    assert over_rest(address, token, game.id, player.body(game, 3, head=0, hash=genesis)) == 4
    for unknown in (10**6, 2**31 - 1):
        answer = over_rest(address, token, game.id, player.body(game, 4, head=unknown))
        assert reason_of(answer) == "head"
    assert event_loop.call(absence.replace(game.id, Seat(0), forfeits=False))
    bots_look(game.id)
    by_bot = Commit.objects.filter(game=game).latest("version")
    assert (by_bot.version, by_bot.seat) == (6, 0)
    assert verify_game(game.id).findings == []
    event_loop.call(corrections.void(game.id, "The test is over."))
    Sealer().seal()
    (tmp_path / "file").write_bytes(bundled(game))
    for verifier in (python, typescript):
        code, printed = verifier(tmp_path, ["--key", tiles.verifiers()[0], "file"])
        assert code == 0
        paid = "which paid 1 for them: that these players were away is the word of the server; "
        assert (
            f"; 3 of 4 commands signed, 1 by bots in seats of players who sign, {paid}" in printed
        )


def test_verifiers_count_the_signatures_of_players_who_did_not_move(
    new_user: NewUser, own_log: Path, tmp_path: Path
) -> None:
    game, _, _ = started(new_user)
    event_loop.call(corrections.void(game.id, "The test is over."))
    Sealer().seal()
    (tmp_path / "file").write_bytes(bundled(game))
    for verifier in (python, typescript):
        code, printed = verifier(tmp_path, ["--key", tiles.verifiers()[0], "file"])
        assert (code, "; 0 of 0 commands signed; " in printed) == (0, True), printed


@pytest.mark.parametrize("is_behind", [False, True], ids=["remembered", "not yet read"])
def test_a_command_that_was_signed_after_a_lost_commit_is_refused(
    new_user: NewUser, monkeypatch: pytest.MonkeyPatch, *, is_behind: bool
) -> None:
    """The process remembers the lost commit, or has only found it in the database."""
    game, player, _ = started(new_user)

    async def play(seat: int, body: Mapping[str, Any]) -> int:
        mark = body.get("signed")
        command, key = body["command"], UUID(body["id"])
        signed = chain.Signed(id=key, **mark) if mark else None
        return (await service.play(game.id, Seat(seat), command, key, signed=signed)).version

    async def remembered() -> LoadedGame:
        return await commit.load(game.id)

    before, old = Head.objects.get(game=game), event_loop.call(remembered())
    if is_behind:
        forget(game)
    for spot in (5, 6):
        event_loop.call(play(1, {"id": str(uuid4()), "command": take(spot)}))
    body, check = player.body(game, 1), signatures.check

    async def checked(*given: Any) -> None:
        await check(*given)
        await asyncio.to_thread(take_back, game, before)

    async def play_first() -> int:
        if is_behind:
            loaded_games.loaded_games()._games[game.id] = old
        return await play(0, body)

    monkeypatch.setattr(signatures, "check", checked)
    with pytest.raises(RefusedError) as refused:
        event_loop.call(play_first())
    assert (refused.value.code, refused.value.data) == ("signature_refused", {"reason": "head"})
    monkeypatch.undo()
    assert event_loop.call(play(0, player.body(game, 1))) == 2
    assert verify_game(game.id).findings == []


def test_a_seat_is_signed_with_its_key(new_user: NewUser) -> None:
    player = Player(new_user(), Ed25519PrivateKey.generate())
    lobby = lobbies.create(player.user, lobbies.LobbyChoices(slug="free_spots"), commits=True)
    opening, place = opened_hash(lobby), 0
    commitment, key = bytes(32), player.public

    def commit(key: bytes | None, signature: bytes | None) -> Callable[[], object]:
        said = lobbies.Commitment(opening, commitment, key, signature)
        return lambda: lobbies.commit(player.user, lobby.id, said)

    text = chain.seat_text(opening.hex(), place, key.hex(), commitment.hex())
    right = player.key.sign(text)
    for wrong in (
        commit(key, None),
        commit(None, right),
        commit(key, player.key.sign(text + b"x")),
        commit((1).to_bytes(32, "little"), right),
        commit(bytes(32), right),
    ):
        assert refusal(wrong) == "signature_refused"
    commit(key, right)()
    assert bytes(seat_of(lobby, player.user).key or b"") == key
