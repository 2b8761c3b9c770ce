"""Witnesses: three of them, one lying and one dead, and two people who are shown two logs."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.request import urlopen

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings

from games.log import cosigning, signing, tiles, troubles
from games.log.sealing import ForkedError, Sealer
from games.log.witness_requests import ask
from games.models import LogCosignature, LogTrouble
from gameserver.settings import environment
from railbird_engine.audit import merkle
from railbird_engine.audit.cosignatures import Cosigner, Demand, Witness
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.notes import Checkpoint, NoteError, Signer, Verifier, encode64, signed
from railbird_engine.audit.witness import Answer, State, submitted
from tests.builders import NewGame, NewUser
from tests.log.scene import DEAD, monitor, queue_entries, serving, shorten_log, witness
from tests.moves import take
from tests.processes import served_here


@contextmanager
def lying_witness(name: str) -> Iterator[tuple[Witness, str]]:
    """Run a witness whose cosignatures are of another checkpoint."""
    cosigner = Cosigner(name, bytes(32))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = cosigner.cosign("another log\n1\nAAAA\n", 1).encode()
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    with serving(HTTPServer(("127.0.0.1", 0), Handler), cosigner.verifier) as found:
        yield found


def cosigners() -> list[cosigning.Cosigner]:
    return [cosigning.Cosigner(*each) for each in settings.WITNESSES]


def collected(asked: Sequence[cosigning.Cosigner]) -> int:
    return sum(each.collect() for each in asked)


def test_of_three_witnesses_one_lies_and_one_is_dead(
    own_log: Path, new_game: NewGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, sealer = new_game(1), Sealer()
    sealer.seal()
    dead = Cosigner("dead.example", bytes(31) + b"\x01").verifier
    with (
        witness(tmp_path, "honest.example") as honest,
        lying_witness("lying.example") as lying,
        override_settings(WITNESSES=[honest, lying, (dead, DEAD)], WITNESS_QUORUM=1),
    ):
        given = f"{honest[0].text} {honest[1]} {lying[0].text} {lying[1]} {dead.text} {DEAD}"
        monkeypatch.setenv("WITNESSES", given)
        assert environment.witnesses() == settings.WITNESSES
        asked = cosigners()
        assert collected(asked) == 1
        assert collected(asked) == 0
        take(game, 1)
        sealer.seal()
        assert collected(cosigners()) == 1, "it tells what it knows"
        published = tiles.published()
        newest = tiles.newest()
        assert published is not None
        assert newest is not None
        assert published.checkpoint == newest.checkpoint
        assert published.note.startswith(newest.note)
        keys = [each.text for each in (honest[0], lying[0], dead)]
        named = [word for key in keys for word in ("--witness", key)]
        with served_here() as address:
            with urlopen(f"http://{address}/api/v1/audit/witnesses/") as answer:
                listed = json.load(answer)
            assert [each["key"] for each in listed] == keys
            assert [each["size"] for each in listed] == [newest.checkpoint.size, None, None]
            assert honest[0].time_in(listed[0]["note"]) is not None
            assert listed[0]["cosigned_at"] is not None
            code, line = monitor(address, tmp_path / "state", *named, "--quorum", "1")
            assert (code, "cosigned by 1 witness " in line) == (0, True)
            code, line = monitor(address, tmp_path / "other", *named, "--quorum", "2")
            assert (code, "expected 2 of 3 cosignatures, found 1" in line) == (1, True)
            assert not (tmp_path / "other").exists()
            code, line = monitor(address, tmp_path / "other", "--origin", "elsewhere.example/log")
            assert (code, "origin" in line) == (1, True)


def test_a_witness_that_proves_a_fork_stops_every_sealer(
    own_log: Path, new_game: NewGame, new_user: NewUser, tmp_path: Path
) -> None:
    """The database and the log's own memory of what it signed are restored; the witness is not."""
    operator = new_user()
    operator.is_staff = True
    operator.save()
    game, sealer = new_game(1), Sealer()
    sealer.seal()
    kept = own_log.with_name("key.checkpoint")
    first, earlier = tiles.newest(), kept.read_bytes()
    assert first is not None
    with (
        witness(tmp_path, "honest.example") as honest,
        override_settings(WITNESSES=[honest], WITNESS_QUORUM=1),
    ):
        take(game, 1)
        sealer.seal()
        asked = cosigners()
        assert collected(asked) == 1
        shorten_log(first.checkpoint.size)
        kept.write_bytes(earlier)
        assert collected(asked * 2) == 0
        with pytest.raises(ForkedError, match="which it signed before"):
            Sealer().seal()
        shutil.rmtree(signing.copies(own_log))
        with pytest.raises(CommandError, match="--checkpoint"):
            call_command("log_restore", by=operator.username, reason="for a test")
        LogTrouble.objects.all().delete()
        cosigning.check_witnesses()
        with pytest.raises(ForkedError, match="which it signed before"):
            Sealer().seal()
        LogTrouble.objects.all().delete()
        take(game, 2)
        Sealer().seal()
        assert collected(cosigners()) == 0
        with pytest.raises(ForkedError, match="which it signed before"):
            sealer.seal()
    with override_settings(WITNESSES=[]):
        cosigning.check_witnesses()
    assert troubles.forks() == [], "the operator no longer asks this witness"


@pytest.mark.parametrize("size", ["the same", "a later"])
def test_another_worker_that_comes_first_is_no_reason_to_warn(
    own_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    warned = list[object]()
    comes_first = [False]

    def seal() -> None:
        queue_entries(1)
        Sealer().seal()

    def asked(address: str, body: bytes | None = None) -> tuple[int, str, str]:
        answer = ask(address, body)
        if comes_first[0]:
            comes_first[0] = False
            if size == "a later":
                seal()
            assert collected(others) == 1
        return answer

    monkeypatch.setattr(cosigning, "ask", asked)
    monkeypatch.setattr(cosigning.log, "warning", lambda *given, **more: warned.append(more))
    seal()
    with (
        witness(tmp_path, "honest.example") as honest,
        override_settings(WITNESSES=[honest], WITNESS_QUORUM=1),
    ):
        mine, others = cosigners(), cosigners()
        assert collected(mine) == 1
        seal()
        assert collected(others) == 1
        seal()
        comes_first[0] = True
        assert collected(mine) == (size == "the same")
        assert (comes_first, warned, troubles.forks()) == ([False], [], [])
        seal()
        assert collected(mine) == 1


def test_a_published_checkpoint_never_goes_back_when_a_cosignature_comes_late(
    own_log: Path, new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The witnesses are silent, and then cosign what was the newest a moment ago."""
    game, sealer = new_game(1), Sealer()
    dead = Cosigner("dead.example", bytes(32)).verifier
    notes = []
    for spot in range(3):
        take(game, spot)
        sealer.seal()
        newest = tiles.newest()
        assert newest is not None
        notes.append(newest)

    def shown() -> tiles.Sealed | None:
        published = tiles.published()
        return published and published._replace(note=published.checkpoint.text)

    def only(sealed: tiles.Sealed) -> tiles.Sealed:
        return sealed._replace(note=sealed.checkpoint.text)

    with override_settings(WITNESSES=[(dead, DEAD)], WITNESS_QUORUM=1):
        assert collected(cosigners()) == 0
        assert shown() == only(notes[0]), "none is a minute old, and none is cosigned"
        LogCosignature.objects.create(size=notes[1].checkpoint.size, witness="late", line="")
        assert shown() == only(notes[1])
        monkeypatch.setattr(tiles, "COSIGNED_WITHIN_S", 0)
        assert shown() == only(notes[2]), "all are old"


def test_two_people_who_are_shown_two_logs_find_out_with_one_command(
    own_log: Path, new_game: NewGame, tmp_path: Path
) -> None:
    game, sealer = new_game(1), Sealer()
    sealer.seal()
    first = tiles.newest()
    assert first is not None
    signer = Signer.parse(own_log.read_text().strip())
    other_root = merkle.leaf_hash(b"what only the second person is shown")
    other = Checkpoint(first.checkpoint.origin, first.checkpoint.size, other_root)
    (tmp_path / "of a friend").write_text(signed(other.text, [signer]))
    (tmp_path / "of another friend").write_text(first.note)
    take(game, 1)
    sealer.seal()
    with served_here() as address:
        state, friend = tmp_path / "mine", str(tmp_path / "of another friend")
        assert monitor(address, state, "--checkpoint", friend)[0] == 0
        kept = state.read_text()
        code, line = monitor(address, state, "--checkpoint", str(tmp_path / "of a friend"))
        assert (code, "log: history" in line) == (1, True)
        assert state.read_text() == kept
        silent = ("--witness", Cosigner("silent.example", bytes(32)).verifier.text)
        code, line = monitor(address, state, "--checkpoint", friend, *silent)
        assert (code, "log: witnesses" in line) == (1, True)
        code, line = monitor(address, state, "--checkpoint", str(tmp_path / "of a friend"), *silent)
        assert (code, "log: history" in line) == (1, True), "the stronger proof comes first"


# The witness itself

SIGNER = Signer("log.example/log", b"s" * 32)
LOGS: Mapping[str, Sequence[Verifier]] = {SIGNER.name: [SIGNER.verifier]}
COSIGNER = Cosigner("witness.example", b"w" * 32)
LEAVES = [merkle.leaf_hash(bytes([number])) for number in range(8)]


def note_at(size: int, leaves: Sequence[bytes] = LEAVES) -> str:
    checkpoint = Checkpoint(SIGNER.name, size, merkle.root_of(leaves[:size]))
    return signed(checkpoint.text, [SIGNER])


def proof(old: int, size: int) -> list[str]:
    def node(level: int, index: int) -> bytes:
        return merkle.root_of(LEAVES[index << level : index + 1 << level])

    return [encode64(each) for each in merkle.consistency_proof(node, old, size)]


def submit(state: State, old: object, note: str, path: Sequence[str] = ()) -> Answer:
    return submitted("\n".join([f"old {old}", *path, "", note]).encode(), COSIGNER, LOGS, state)


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State(tmp_path / "state")


def test_a_witness_cosigns_what_continues_its_last_checkpoint(state: State, tmp_path: Path) -> None:
    answer = submit(state, 0, note_at(3))
    assert answer.status == 200
    assert COSIGNER.verifier.time_in(note_at(3) + answer.text) is not None
    assert submit(state, 3, note_at(7), proof(3, 7)).status == 200
    assert submit(state, 7, note_at(7)).status == 200
    again = State(tmp_path / "state")
    assert again.checkpoint(SIGNER.name).size == 7
    assert submit(again, 7, note_at(8), proof(7, 8)).status == 200


def test_a_witness_answers_as_its_protocol_says(state: State) -> None:
    assert submit(state, 0, note_at(3)).status == 200
    other = [merkle.leaf_hash(b"other"), *LEAVES[1:]]
    stranger = Signer("other.example/log", b"o" * 32)
    forged = Signer(SIGNER.name, b"f" * 32)
    checkpoint = Checkpoint(SIGNER.name, 3, merkle.root_of(LEAVES[:3]))
    for expected, answer in (
        (Answer(409, "3\n", "text/x.tlog.size"), submit(state, 2, note_at(7), proof(2, 7))),
        (409, submit(state, 3, note_at(3, other))),
        (422, submit(state, 3, note_at(7, other), proof(3, 7))),
        (422, submit(state, 3, note_at(7))),
        (422, submit(state, 3, note_at(3), proof(3, 7))),
        (400, submit(state, 8, note_at(7))),
        (400, submit(state, "03", note_at(7), proof(3, 7))),
        (400, submit(state, 3, note_at(7), ["AAAA"])),
        (400, submit(state, 3, note_at(7), proof(3, 7) * 32)),
        (400, submit(state, 3, "nonsense")),
        (403, submit(state, 3, signed(checkpoint.text, [forged]))),
        (404, submit(state, 0, signed(f"{stranger.name}\n0\n{'A' * 43}=\n", [stranger]))),
    ):
        assert expected in {answer, answer.status}, answer
    assert state.checkpoint(SIGNER.name).size == 3


def test_a_demand_counts_each_witness_once_and_no_forged_cosignature() -> None:
    note = note_at(3)
    checkpoint = Checkpoint.parse(note.rpartition("\n\n")[0] + "\n")
    line, other = COSIGNER.cosign(checkpoint.text, 1_700_000_000), Cosigner("b", b"b" * 32)
    cosigned = note + line + COSIGNER.cosign(checkpoint.text, 1_700_000_009)
    both = (COSIGNER.verifier, other.verifier)
    assert Demand(None, both, 1).check(cosigned, checkpoint) == {
        COSIGNER.verifier.text: 1_700_000_009
    }
    with pytest.raises(DivergenceError, match="2 of 2 cosignatures"):
        Demand(None, both, 2).check(cosigned, checkpoint)
    forged = note + other.cosign("another text\n", 1)
    with pytest.raises(DivergenceError, match="invalid"):
        Demand(None, both, 1).check(forged, checkpoint)
    with pytest.raises(NoteError):
        other.verifier.time_in(forged)
