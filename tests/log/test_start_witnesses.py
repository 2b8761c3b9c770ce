"""Witnesses that add to the dice: honest, dead, slow and colluding ones, and operators who replay,
fork and grind."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.request import urlopen

import msgspec
import pytest
from django.conf import settings
from django.db.models.functions import Now
from django.test import override_settings

from accounts.models import User
from games import lobbies
from games.log import cosigning, start_witnesses, tiles, witness_requests
from games.log.sealing import Sealer
from games.models import Game, Lobby, LogCosignature, LogEntry, WitnessedStart
from games.play import corrections
from games.proofs.commitments import commitments_of
from games.proofs.verification import verify_game
from kit import event_loop
from railbird_engine.audit import merkle
from railbird_engine.audit.cosignatures import Cosigner, Witness
from railbird_engine.audit.dice import (
    AnswersRequest,
    Dice,
    Given,
    PromisesRequest,
    Record,
    Revealed,
)
from railbird_engine.audit.notes import (
    Checkpoint,
    NoteError,
    Signer,
    UntrustedError,
    Verifier,
    signed,
)
from railbird_engine.audit.witness import Server, State, record_beside
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind
from tests.builders import NewUser
from tests.lobbies.scene import committed, current, refused, reveal, seal
from tests.log.scene import DEAD, serving
from tests.proofs.scene import bundled, python, typescript

TABLE = lobbies.LobbyChoices(slug="free_spots")
SUITS = "77" * 32
Asked = tuple[Witness, str]


@contextmanager
def honest(folder: Path, name: str) -> Iterator[Asked]:
    cosigner, state = Cosigner(name, os.urandom(32)), folder / name
    keys = [Verifier.parse(each) for each in tiles.verifiers()]
    record = record_beside(state)
    server = Server(("127.0.0.1", 0), cosigner, {settings.LOG_ORIGIN: keys}, State(state), record)
    with serving(server, cosigner.verifier) as found:
        yield found


@contextmanager
def colluding(name: str) -> Iterator[Asked]:
    """A witness that promises one thing, and gives what suits the operator."""
    cosigner = Cosigner(name, bytes(32))

    def sign(asked: Mapping[str, str]) -> str:
        opened, revealed = (
            chain.entry_hash(bytes.fromhex(asked[kind])) for kind in ("opened", "revealed")
        )
        return cosigner.answer(settings.LOG_ORIGIN, opened, revealed, SUITS)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"0")
            if self.path == "/promises":
                answer: object = {
                    "promises": [hashlib.sha256(b"").hexdigest()] * len(body["opened"])
                }
            else:
                answer = {"answers": [Given(SUITS, sign(each)) for each in body["starts"]]}
            content = msgspec.json.encode(answer)
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    with serving(HTTPServer(("127.0.0.1", 0), Handler), cosigner.verifier) as found:
        yield found


@contextmanager
def named(*witnesses: Asked) -> Iterator[None]:
    with override_settings(
        WITNESSES=list(witnesses),
        WITNESS_QUORUM=1,
        START_WITNESSES=[witness for witness, _ in witnesses],
    ):
        yield


def ask(*witnesses: Asked) -> int:
    """Do what the thread of each witness does in its rounds."""
    for each in witnesses:
        cosigning.Cosigner(*each).collect()
    found = sum(start_witnesses.collect(*each) for each in witnesses)
    lobbies.advance_starts()
    return found


def started(lobby: Lobby) -> chain.Genesis:
    return chain.decode_genesis(bytes(Game.objects.get(lobby=lobby).genesis))


def all_revealed(host: User) -> Lobby:
    """Take a lobby to where only its witnesses are missing."""
    lobby = lobbies.create(host, TABLE)
    entropy = committed(host, lobby)
    ask(*settings.WITNESSES)
    lobbies.start(host, lobby.id)
    seal()
    reveal(host, lobby, entropy)
    seal()
    return lobby


def test_a_game_begins_with_the_bytes_of_all_its_witnesses(
    own_log: Path, new_user: NewUser, tmp_path: Path
) -> None:
    Sealer().seal()
    host = new_user()
    with honest(tmp_path, "a") as one, honest(tmp_path, "b") as two, named(one, two):
        lobby = all_revealed(host)
        assert not Game.objects.filter(lobby=lobby).exists()
        assert start_witnesses.waits_for(one[0])
        ask(one)
        assert not start_witnesses.waits_for(one[0])
        assert not Game.objects.filter(lobby=lobby).exists()
        ask(two)
        opening = started(lobby)
        assert [*chain.decode_table(opening.table).witnesses] == [one[0].text, two[0].text]
        digests = [
            hashlib.sha256(bytes.fromhex(each.entropy)).hexdigest() for each in opening.answers
        ]
        assert [*opening.promises] == digests
        assert not WitnessedStart.objects.filter(name=opening.name).exists()
        opened = chain.entry_hash(chain.opened_entry(opening)).hex()
        log = hashlib.sha256(settings.LOG_ORIGIN.encode()).hexdigest()
        with urlopen(f"{one[1]}/{log}/answers/{opened}") as answer:
            published = json.load(answer)
        assert [published["entropy"], published["signature"]] == [
            *msgspec.structs.astuple(opening.answers[0])
        ]
    game = Game.objects.get(lobby=lobby)
    event_loop.call(corrections.void(game.id, "The test is over."))
    Sealer().seal()
    assert not verify_game(game.id).findings
    (tmp_path / "file").write_bytes(bundled(game))
    for code, line in (python(tmp_path, ["file"]), typescript(tmp_path, ["file"])):
        assert code == 0, line


def test_without_players_entropy_the_witnesses_are_awaited_all_the_same(
    own_log: Path, new_user: NewUser, tmp_path: Path
) -> None:
    Sealer().seal()
    host = new_user()
    with honest(tmp_path, "a") as one, named(one):
        lobby = lobbies.create(host, TABLE)
        lobbies.start(host, lobby.id)
        assert (current(lobby).stage, bytes(current(lobby).committed)) == ("committing", b"")
        ask(one)
        for _ in range(2):
            seal()
        ask(one)
        assert [len(started(lobby).reveals), len(started(lobby).answers)] == [0, 1]


def test_bytes_that_a_witness_did_not_promise_are_sealed_as_diverged(
    own_log: Path, new_user: NewUser, tmp_path: Path
) -> None:
    Sealer().seal()
    host = new_user()
    with honest(tmp_path, "a") as one, named(one):
        lobby = all_revealed(host)
        row = WitnessedStart.objects.filter(name=lobby.log_name)
        row.update(entropy=bytes.fromhex(SUITS), signature=bytes(64))
        lobbies.advance_starts()
    game = Game.objects.get(lobby=lobby)
    Sealer().seal()
    assert LogEntry.objects.filter(name=lobby.log_name).latest("place").kind == Kind.DIVERGED
    assert "answers" in {finding.what for finding in verify_game(game.id).findings}


def late(lobby: Lobby) -> list[Kind]:
    """Pass the deadline of a start; return the kinds of its entries in the log."""
    Lobby.objects.filter(id=lobby.id).update(starts_by=Now())
    lobbies.give_up_late()
    Sealer().seal()
    rows = LogEntry.objects.filter(name=lobby.log_name).order_by("place")
    return [Kind(kind) for kind in rows.values_list("kind", flat=True)]


def test_an_attempt_that_ends_while_its_witness_answers_holds_up_no_other(
    own_log: Path, new_user: NewUser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Sealer().seal()
    hosts = new_user(), new_user()
    with honest(tmp_path, "a") as one, named(one):
        ended, other = [lobbies.create(host, TABLE) for host in hosts]
        for host, lobby in zip(hosts, (ended, other), strict=True):
            lobbies.start(host, lobby.id)
        ask(one)
        for _ in range(2):
            seal()
        asked_for = witness_requests.ask

        def answer_late(address: str, body: bytes) -> tuple[int, str, str]:
            found = asked_for(address, body)
            assert late(ended)[-1] == Kind.ABANDONED
            return found

        monkeypatch.setattr(start_witnesses, "ask", answer_late)
        assert ask(one) == 1
        assert len(started(other).answers) == 1
        assert current(ended).status == Lobby.Status.OPEN


def test_commitments_of_an_attempt_that_ends_meanwhile_are_refused(
    own_log: Path, new_user: NewUser, tmp_path: Path
) -> None:
    Sealer().seal()
    host = new_user()
    with honest(tmp_path, "a") as one, named(one):
        lobby = lobbies.create(host, TABLE)
        lobbies.start(host, lobby.id)
        ask(one)
        seal()
        read = current(lobby)
        assert len(commitments_of(read, host.id, since=None).promises) == 1
        late(lobby)
        assert refused(lambda: commitments_of(read, host.id, since=None)) == "attempt_over"


def test_a_dead_a_slow_and_a_colluding_witness_end_a_start_and_hold_up_no_other(
    own_log: Path, new_user: NewUser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Sealer().seal()
    host = new_user()
    key = Cosigner("dead", os.urandom(32)).verifier
    slow = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)  # accepts, and never answers
    for address in (DEAD, f"http://127.0.0.1:{slow.server_port}"):
        with named((key, address)):
            lobby = lobbies.create(host, TABLE)
            lobbies.start(host, lobby.id)
            with monkeypatch.context() as impatient:
                impatient.setattr(witness_requests, "TIMEOUT_S", 0.1)
                assert ask((key, address)) == 0
            seal()
            assert late(lobby) == [Kind.OPENED, Kind.ABANDONED]
            assert current(lobby).status == Lobby.Status.OPEN
            lobbies.leave(host, lobby.id)
    slow.server_close()
    with honest(tmp_path, "a") as one, colluding("b") as two, named(one, two):
        lobby = all_revealed(host)
        LogEntry.objects.get(name=lobby.log_name, kind=Kind.REVEALED)
        ask(one)
        newest = tiles.newest()
        assert newest is not None
        line = Cosigner("b", bytes(32)).cosign(newest.checkpoint.text, 1)
        LogCosignature.objects.create(size=newest.checkpoint.size, witness=two[0].text, line=line)
        assert ask(two) == 0, "other bytes than it promised"
        answered = WitnessedStart.objects.filter(name=lobby.log_name, entropy__isnull=False)
        assert [row.witness for row in answered] == [one[0].text]
        assert late(lobby)[-1] == Kind.ABANDONED
        assert not WitnessedStart.objects.filter(name=lobby.log_name).exists()
        lobbies.leave(host, lobby.id)


# The witness itself

SIGNER = Signer("log.example/log", b"s" * 32)
OTHER = Signer("other.example/log", b"o" * 32)
COSIGNER = Cosigner("witness.example", b"w" * 32)


def start(seed: int) -> tuple[bytes, bytes, bytes]:
    """The three entries of a start."""
    name = bytes([seed]) * 16
    opened = chain.ENTRY.pack(Kind.OPENED, name, 0, b"t" * 32) + bytes(64)
    committed_ = chain.ENTRY.pack(Kind.COMMITTED, name, 0, chain.entry_hash(opened)) + b"r" * 32
    return (
        opened,
        committed_,
        chain.ENTRY.pack(Kind.REVEALED, name, 0, chain.entry_hash(committed_)),
    )


def with_reveal(entries: Sequence[bytes], entropy: bytes) -> tuple[bytes, bytes, bytes]:
    return entries[0], entries[1], entries[2] + b"\0\0" + entropy


def asked(
    entries: Sequence[bytes],
    *,
    signer: Signer = SIGNER,
    cosigner: Cosigner = COSIGNER,
    logged: Sequence[bytes] | None = None,
) -> bytes:
    """Ask for the bytes of a start in a log of its entries."""
    leaves = [merkle.leaf_hash(entry) for entry in (entries if logged is None else logged)]
    text = Checkpoint(signer.name, len(leaves), merkle.root_of(leaves)).text

    def node(level: int, index: int) -> bytes:
        return merkle.root_of(leaves[index << level : index + 1 << level])

    path = [each.hex() for each in merkle.inclusion_proof(node, 2, 3)]
    opened, committed_, revealed = (entry.hex() for entry in entries)
    start = Revealed(opened, committed_, revealed, 2, path)
    note = signed(text, [signer]) + cosigner.cosign(text, 1)
    return msgspec.json.encode(AnswersRequest(note, [start]))


@pytest.fixture
def witness(tmp_path: Path) -> Callable[[bytes], Given]:
    """Ask a witness that is restarted before each question."""

    def answer(body: bytes) -> Given:
        (given,) = dice_of(record_beside(tmp_path / "state")).answer(body).answers
        return given

    return answer


def dice_of(record: Record) -> Dice:
    logs = {each.name: [each.verifier] for each in (SIGNER, OTHER)}
    return Dice(COSIGNER, logs, record)


def test_a_witness_answers_one_list_of_reveals_for_each_opening(
    witness: Callable[[bytes], Given], tmp_path: Path
) -> None:
    entries = with_reveal(start(1), b"a" * 32)
    given = witness(asked(entries))
    assert witness(asked(entries)) == given, "asked again, it repeats itself"
    other = witness(asked(with_reveal(start(1), b"b" * 32)))
    assert "other reveals" in other.refused
    promises = dice_of(record_beside(tmp_path / "state")).promise(
        msgspec.json.encode(PromisesRequest(SIGNER.name, [chain.entry_hash(entries[0]).hex()]))
    )
    assert promises.promises == [hashlib.sha256(bytes.fromhex(given.entropy)).hexdigest()]
    (tmp_path / "state").touch()
    (tmp_path / "state.given").unlink()
    with pytest.raises(NoteError, match="restore it"):
        record_beside(tmp_path / "state")


def test_what_a_witness_gave_to_another_log_or_game_is_of_no_use(
    witness: Callable[[bytes], Given],
) -> None:
    entries, other = with_reveal(start(1), b"a" * 32), with_reveal(start(2), b"a" * 32)
    given = witness(asked(entries, signer=OTHER))
    assert given.entropy
    assert witness(asked(entries)).entropy not in {"", given.entropy}, "the same lobby in two logs"
    assert "name each other" in witness(asked([other[0], *entries[1:]])).refused
    assert "name each other" in witness(asked([*other[:2], entries[2]])).refused
    assert "expected the entries" in witness(asked([entries[1], entries[1], entries[2]])).refused
    unlogged = with_reveal(start(3), b"a" * 32)
    assert "does not show" in witness(asked(unlogged, logged=entries)).refused
    assert witness(asked(unlogged)).entropy, "a refusal is not written down"
    stranger = Cosigner("stranger.example", b"x" * 32)
    forged = Cosigner(COSIGNER.name, b"x" * 32)
    for cosigner in (stranger, forged):
        with pytest.raises(UntrustedError, match="has not cosigned"):
            witness(asked(other, cosigner=cosigner))
    with pytest.raises(UntrustedError):
        witness(asked(other, signer=Signer("log.example/log", b"y" * 32)))
