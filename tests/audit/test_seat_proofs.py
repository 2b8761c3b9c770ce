"""Commitments to people: a person with the salt proves who sat there, to either verifier."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from railbird_engine.audit import bundle
from railbird_engine.audit.__main__ import main
from railbird_engine.kernel import chain
from tests.audit.honest import SIGNER, Log, seat_proof, written
from tests.audit.small_changes.files import board
from tests.audit.verdicts import said

Answer = tuple[int, str]
Proofs = Callable[..., dict[str, Answer]]
RULES = ("--rules", "bench.free_spots")


@pytest.fixture
def both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Proofs:
    """Give a file and a proof to both verifiers: exit codes, and the lines about the proof."""
    proof, file = tmp_path / "proof", tmp_path / "file"
    key = ("--key", SIGNER.verifier.text, "--person", str(proof))

    def ask(content: bytes, text: bytes) -> dict[str, Answer]:
        proof.write_bytes(text)
        file.write_bytes(content)
        code = main(["verify", str(file), *key, *RULES])
        line = capsys.readouterr().out.splitlines()[-1].removeprefix(f"{proof}: ")
        other, lines = said(tmp_path, {"file": content}, *key)
        return {"python": (code, line), "typescript": (other, lines["proof"])}

    return ask


def of_board(**fields: Any) -> bytes:
    return msgspec.json.encode(replace(seat_proof(board(), 1), **fields))


def files() -> dict[str, bytes]:
    log, number = Log([board()]), board().commits[-1].version
    bet = max(row.bet for commit in board().commits for row in commit.bets)
    assert number
    return {
        "bundle": written(log.bundle([board()])),
        "receipt": bundle.line(log.receipt(board(), bet)),
    }


@pytest.mark.parametrize("kind", ["bundle", "receipt"])
def test_a_salt_proves_who_sat_in_a_seat(both: Proofs, kind: str) -> None:
    answers = both(files()[kind], of_board())
    expected = f"verified: user {UUID(int=1)} sat in seat 1 of game {board().id}"
    assert set(answers.values()) == {(0, expected)}


FORGED: list[tuple[str, dict[str, Any], int]] = [
    ("another-user", {"user": UUID(int=2)}, 1),
    ("another-salt", {"salt": "00" * 32}, 1),
    ("a-seat-of-nobody", {"seat": 0}, 1),
    ("a-seat-beyond", {"seat": 99}, 1),
    ("another-game", {"game": UUID(int=1)}, 3),
    ("a-salt-too-short", {"salt": "01" * 31}, 2),
    ("no-seat-number", {"seat": -1}, 2),
]


@pytest.mark.parametrize(
    ("fields", "expected"), [case[1:] for case in FORGED], ids=[case[0] for case in FORGED]
)
def test_a_false_proof_is_found_by_both(
    both: Proofs, fields: dict[str, Any], expected: int
) -> None:
    answers = both(files()["bundle"], of_board(**fields))
    assert {code for code, _ in answers.values()} == {expected}, answers
    if expected == 1:
        assert all(
            line.startswith(f"game {board().id} version 0: person: expected ")
            for _, line in answers.values()
        )


@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b"\xff", of_board()[:-1] + b',"name":"Ada"}'])
def test_a_malformed_proof_is_unreadable_for_both(both: Proofs, text: bytes) -> None:
    answers = both(files()["bundle"], text)
    assert {(code, line.split(":")[0]) for code, line in answers.values()} == {
        (2, "cannot be read")
    }


def test_a_file_that_does_not_verify_proves_no_seat(both: Proofs) -> None:
    content = files()["bundle"][:-2]
    answers = both(content, of_board())
    expected = f"needs a file of game {board().id} that verifies"
    assert set(answers.values()) == {(1, expected)}, "the file's divergence comes first"


def test_a_commitment_fits_no_other_seat_and_no_other_game() -> None:
    salt, user = bytes(32), UUID(int=1)
    found = {
        chain.person_commitment(opened, seat, salt, user)
        for opened in (bytes(32), b"\x01" * 32)
        for seat in (0, 1)
    }
    assert len(found) == 4
