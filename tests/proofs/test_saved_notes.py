"""Both verifiers compare the signed notes that a player kept with the bundle of the game."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

import msgspec
import pytest
from django.conf import settings
from django.test import override_settings

from accounts.models import User
from games import lobbies
from games.keys import acknowledging
from games.live.signed_notes import signing
from games.lobbies.attempts import reveal_receipt
from games.log import tiles
from games.log.sealing import Sealer
from games.models import Game, Lobby
from games.play import corrections, service
from games.proofs import bundles
from games.proofs.acknowledgements import acknowledge
from games.reads.lobbies import as_changed
from kit import event_loop
from railbird_engine import Seat
from railbird_engine.audit import bundle
from tests.lobbies.scene import committed, reveal, seal
from tests.log.scene import monitor
from tests.processes import served_here
from tests.proofs.scene import python, results, typescript


class Played(NamedTuple):
    """A bundle of a voided game, and what its host kept: an acknowledgement, the receipt of the
    entropy in the game, that of an abandoned attempt before, and a signed head."""

    bundle: bytes
    notes: list[str]


def revealed(host: User, lobby: Lobby) -> str:
    """Commit, freeze the seats and reveal as the host; return the receipt."""
    entropy = committed(host, lobby)
    lobbies.start(host, lobby.id)
    seal()
    note = reveal_receipt(as_changed(reveal(host, lobby, entropy)), host.id)
    assert note is not None
    return note


@pytest.fixture
def played(own_log: Path, tmp_path: Path, new_user: Callable[[], User]) -> Played:
    host, guest = new_user(), new_user()
    Sealer().seal()
    with override_settings(ACK_KEY_FILE=tmp_path / "ack"):
        acknowledging.add(tmp_path / "ack", settings.LOG_ORIGIN)
        Sealer().seal()
        lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
        lobbies.join(guest, lobby.id)
        lobbies.set_ready(guest, lobby.id, ready=True)
        before = revealed(host, lobby)
        lobbies.leave(guest, lobby.id)
        in_game = revealed(host, lobby)
        seal()
        game = Game.objects.get(lobby=lobby)

        async def play() -> tuple[str, str | None]:
            id_ = uuid4()
            stored = await service.play(game.id, Seat(0), b'{"spot":3,"type":"take_spot"}', id_)
            said = await acknowledge(Seat(0), id_, stored)
            return said, signing().head(game.log_name, game.id, stored.version, stored.hash)

        said, head = event_loop.call(play())
        assert head is not None
        assert event_loop.call(corrections.void(game.id, "the test is over"))
        Sealer().seal()
        ended = Game.objects.select_related("head", "lobby").get(id=game.id)
        return Played(b"".join(bundles.bundled([ended])), [said, in_game, before, head])


def test_saved_notes_fit_the_bundle(played: Played, tmp_path: Path) -> None:
    said, in_game, before, head = played.notes
    line = "verified: 1 acknowledgement, 1 signed head, 2 receipts of entropy: 4 in these files"
    notes = [said, {"lobby": "x", "receipt": in_game}, {"receipt": None}, before, head]
    game, version, command = (said.partition(f"\n{row} ")[2].partition("\n")[0] for row in ROWS)
    placed = f"game {game} version {version}: seat 0, {command}: in the game"
    assert results(tmp_path, played.bundle, notes) == [(0, [placed, line])] * 2


def about(game: UUID, note: str) -> str:
    """Return an invented note about another game."""
    return "\n".join(
        f"{name} {game}" if (name := row.split(" ")[0]) in {"name", "game"} else row
        for row in note.split("\n")
    )


def test_notes_about_a_game_that_is_in_no_verified_file_are_named(
    played: Played, tmp_path: Path
) -> None:
    said, in_game, _, head = played.notes
    other = uuid4()
    kept = [in_game, about(other, said), about(other, head), about(other, in_game)]
    needs = (
        f"needs a bundle of game {other} that verifies, for 1 acknowledgement, 1 signed head, "
        "1 receipt of entropy"
    )
    counted = "1 acknowledgement, 1 signed head, 2 receipts of entropy: 1 in these files, 3 about"
    for code, lines in results(tmp_path, played.bundle, kept):
        assert (code, lines[0]) == (3, needs)
        assert lines[1].startswith(counted)
    lie = resigned(tmp_path / "ack", said, "seat", "1")
    for code, lines in results(tmp_path, played.bundle, [lie, about(other, said)]):
        assert (code, "1 contradicted, 1 about games" in lines[2]) == (1, True), lines


def test_without_a_file_one_line_names_what_is_missing(played: Played, tmp_path: Path) -> None:
    said = played.notes[0]
    game = said.partition("\ngame ")[2].partition("\n")[0]
    twice = msgspec.json.encode(said) + b"\n"
    (tmp_path / "notes").write_bytes(twice + twice)
    for verifier in (python, typescript):
        code, printed = verifier(tmp_path, ["--acknowledgements", "notes"])
        needs = f"notes: needs a bundle of game {game} that verifies, for 1 acknowledgement\n"
        assert (code, printed.startswith(needs), printed.count("\n")) == (3, True, 2), printed
    code, printed = python(tmp_path, [])
    assert (code, "name a FILE" in printed, printed.count("\n")) == (2, True, 1), printed


def test_notes_about_a_file_that_fails_are_not_verified(played: Played, tmp_path: Path) -> None:
    said = played.notes[0]
    game = said.partition("\ngame ")[2].partition("\n")[0]
    (tmp_path / "cut.bundle").write_bytes(played.bundle[:-200])
    (tmp_path / "notes").write_bytes(msgspec.json.encode(said))
    given = ["--key", tiles.verifiers()[0], "cut.bundle", "--acknowledgements", "notes"]
    for code, printed in (python(tmp_path, given), typescript(tmp_path, given)):
        assert code == 1
        assert f"notes: needs a bundle of game {game} that verifies, for 1 ack" in printed
        assert "notes: verified" not in printed


def test_dice_that_rest_on_strangers_are_warned_of(played: Played, tmp_path: Path) -> None:
    said, in_game, before, _ = played.notes
    warning = "could have been chosen by the server together with seat 0: "
    for notes, is_known in (
        ([], False),
        ([said, before], False),
        ([resigned(tmp_path / "ack", in_game, "entropy", 64 * "0")], False),
        ([in_game], True),
    ):
        for _, lines in results(tmp_path, played.bundle, notes):
            warned = [line for line in lines if line.startswith("dice: warning: ")]
            assert [warning in line for line in warned] == ([] if is_known else [True]), lines
    (tmp_path / "game.bundle").write_bytes(played.bundle)
    given = ["--key", tiles.verifiers()[0], "game.bundle"]
    for _, printed in (python(tmp_path, given), typescript(tmp_path, given)):
        assert "; dice: the server, seat 0; 1 start abandoned before, " in printed
        assert "waited in vain for no seat of the lobby" in printed or "for seat" in printed


def test_each_note_is_compared_whatever_the_others_say(played: Played, tmp_path: Path) -> None:
    said, in_game, before, _ = played.notes
    lie = resigned(tmp_path / "ack", said, "command", '{"type":"take_spot","spot":4}')
    for code, lines in results(tmp_path, played.bundle, [lie, said, in_game, before]):
        assert code == 1
        (placed,) = [line for line in lines if line.endswith(": in the game")]
        assert '"spot":3' in placed
        (found,) = [line for line in lines if ": command: expected" in line]
        assert '"spot":4}, found {' in found
        assert lines[-1].endswith("receipts of entropy: 3 in these files, 1 contradicted"), lines


def test_a_file_without_notes_is_refused(played: Played, tmp_path: Path) -> None:
    (tmp_path / "game.bundle").write_bytes(played.bundle)
    (tmp_path / "notes").write_text("")
    given = ["--key", tiles.verifiers()[0], "--acknowledgements", "notes", "game.bundle"]
    with pytest.raises(SystemExit, match="2"):
        python(tmp_path, given)
    code, printed = typescript(tmp_path, given)
    assert (code, "there is no signed note in it" in printed) == (2, True)


def resigned(path: Path, note: str, row: str, value: str) -> str:
    """Sign another text with the key in a file."""
    text = note.rpartition("\n\n")[0]
    rows = [f"{row} {value}" if each.startswith(f"{row} ") else each for each in text.split("\n")]
    return acknowledging.sign(path, "\n".join(rows) + "\n")


def text_of(note: str) -> str:
    return note.rpartition("\n\n")[0] + "\n"


ROWS = ("game", "version", "command")
LIES = {
    "hash": (0, 64 * "0", "hash"),
    "seat": (0, "1", "seat"),
    "command": (0, '{"type":"take_spot","spot":4}', "command"),
    "seed": (0, 64 * "0", "seed"),
    "version": (0, "9", "command"),
    "game": (0, "01a204d0-18b9-7635-83ad-1afc7c9a240d", "game"),
    "name": (0, "01a204d0-18b9-7635-83ad-1afc7c9a240d", "name"),
    "origin": (0, "other.example/log", "acknowledgement"),
    "log before the key": (0, f"1 {64 * '0'}", "acknowledgement"),
    "hash of a head": (3, 64 * "0", "head"),
    "version of a head": (3, "1", "head"),
    "version of a head after the end": (3, "9", "head"),
    "game of a head": (3, "01a204d0-18b9-7635-83ad-1afc7c9a240d", "game"),
    "name of a head": (3, "01a204d0-18b9-7635-83ad-1afc7c9a240d", "name"),
    "entropy": (1, 64 * "0", "reveal"),
    "opened": (1, 64 * "0", "opened"),
    "committed": (1, 64 * "0", "committed"),
    "committed of an abandoned attempt": (2, 64 * "0", "committed"),
    "entropy of an abandoned attempt": (2, 64 * "0", "reveal"),
    "game of the attempt": (1, "01a204d0-18b9-7635-83ad-1afc7c9a240d", "game"),
    "name of an attempt that the bundle lacks": (
        2,
        "01a204d0-18b9-7635-83ad-1afc7c9a240d",
        "attempt",
    ),
}


@pytest.mark.ci
def test_signed_lies_about_a_game_are_found(played: Played, tmp_path: Path) -> None:
    for lie, (number, value, field) in LIES.items():
        row = lie.split(" ", maxsplit=1)[0]
        note = resigned(tmp_path / "ack", played.notes[number], row, value)
        for code, lines in results(tmp_path, played.bundle, [note]):
            # By a key that the log did not name yet, or of another log, a note is no evidence.
            expected = 5 if row in {"log", "origin"} else 1
            assert (code, f"{field}: expected" in lines[0]) == (expected, True), (lie, lines)


def test_the_monitor_compares_receipts_of_entropy_with_the_log(
    played: Played, tmp_path: Path
) -> None:
    acknowledging.add(tmp_path / "stranger", settings.LOG_ORIGIN)
    kept = tmp_path / "kept"
    _, _, before, head = played.notes
    with served_here() as address:
        for notes, code, line in (
            (played.notes, 0, "; 4 signed notes, 2 confirmed"),
            ([resigned(tmp_path / "ack", head, "version", "9")], 1, ": end: expected"),
            ([resigned(tmp_path / "ack", before, "entropy", 64 * "0")], 1, ": reveal: expected"),
            ([resigned(tmp_path / "ack", before, "opened", 64 * "0")], 1, ": opened: expected"),
            ([resigned(tmp_path / "ack", before, "name", str(uuid4()))], 1, ": opened: expected"),
            ([acknowledging.sign(tmp_path / "stranger", text_of(before))], 5, "log: reveal: "),
            (
                [acknowledging.sign(tmp_path / "stranger", text_of(before)), head],
                5,
                "; 2 signed notes, 0 confirmed, 1 not signed by this log, 1 that only a bundle",
            ),
        ):
            kept.write_bytes(b"".join(msgspec.json.encode(note) + b"\n" for note in notes))
            found = monitor(address, tmp_path / "state", "--acknowledgements", str(kept))
            assert (found[0], line in found[1]) == (code, True), found


def test_the_monitor_compares_commands_with_the_files(played: Played, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(played.bundle)
    kept = tmp_path / "kept"
    said = played.notes[0]
    with served_here() as address:
        for note, code, line in (
            (said, 0, "1 signed note, 1 confirmed"),
            (resigned(tmp_path / "ack", said, "seat", "1"), 1, ": seat: expected 1, found 0"),
            (resigned(tmp_path / "ack", said, "hash", 64 * "0"), 1, ": hash: expected 0"),
            (
                resigned(tmp_path / "ack", said, "command", '{"type":"take_spot","spot":4}'),
                1,
                ": command: expected {",
            ),
        ):
            kept.write_bytes(msgspec.json.encode(note) + b"\n")
            given = ("--rules", "bench.free_spots", "--file", str(tmp_path / "file"))
            found = monitor(address, tmp_path / "state", *given, "--acknowledgements", str(kept))
            assert (found[0], line in found[1]) == (code, True), found
            assert found[1].count(": expected ") == code, "each note has one line"
            counted = ", 0 confirmed, 1 contradicted" in found[1]
            assert counted == (code == 1)
            assert "1 game started" in found[1]


@pytest.mark.ci
def test_only_keys_that_the_log_names_count(played: Played, tmp_path: Path) -> None:
    acknowledging.add(tmp_path / "stranger", settings.LOG_ORIGIN)
    for note in played.notes:
        text = note.rpartition("\n\n")[0] + "\n"
        stranger = acknowledging.sign(tmp_path / "stranger", text)
        for code, lines in results(tmp_path, played.bundle, [stranger]):
            assert (code, "by a key that the log names" in lines[0]) == (5, True), lines
        forged = resigned(tmp_path / "ack", played.notes[0], "hash", 64 * "0")
        for code, _ in results(tmp_path, played.bundle, [stranger, forged]):
            assert code == 1, "the server's own note proves it"


def test_a_bundle_without_these_keys_cannot_judge_notes(played: Played, tmp_path: Path) -> None:
    first, _, rest = played.bundle.partition(b"\n")
    header = bundle.decode_part(first)
    assert isinstance(header, bundle.Bundle)
    assert len(header.signers) == 1
    content = bundle.line(msgspec.structs.replace(header, signers=())) + rest
    for code, lines in results(tmp_path, content, played.notes):
        assert (code, lines[0]) == (3, "needs a bundle with the keys of acknowledgements")


@pytest.mark.ci
def test_changed_entries_of_keys_are_found(played: Played, tmp_path: Path) -> None:
    first, _, rest = played.bundle.partition(b"\n")
    header = bundle.decode_part(first)
    assert isinstance(header, bundle.Bundle)
    (signer,) = header.signers
    other_key = msgspec.structs.replace(signer, entry=signer.entry[:-48] + bytes(48))
    no_key = msgspec.structs.replace(signer, entry=b"\x01" + signer.entry[1:])
    for signers in ((other_key,), (no_key,), (signer, signer)):
        content = bundle.line(msgspec.structs.replace(header, signers=signers)) + rest
        (tmp_path / "changed").write_bytes(content)
        given = ["--key", tiles.verifiers()[0], "changed"]
        for code, printed in (python(tmp_path, given), typescript(tmp_path, given)):
            assert (code, ": log: key: expected" in printed) == (1, True), printed
