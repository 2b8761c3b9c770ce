"""The second verifier, in TypeScript: same results for the same files, except checks by rules."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from railbird_engine.audit import bundle, merkle
from railbird_engine.audit.__main__ import main
from railbird_engine.audit.cosignatures import Cosigner
from railbird_engine.audit.notes import Checkpoint, Signer, signatures_in, signed
from railbird_engine.pipes import GONE
from tests.audit.honest import SIGNER, WITNESS, Log, check, honest_game, written
from tests.audit.small_changes import SMALL_CHANGES
from tests.audit.small_changes.files import Case, board, bundle_of, dice
from tests.audit.tampering import honest, log, races, rewritten
from tests.audit.verdicts import NODE, VERIFIER, said, verdict_of, verdict_of_python

pytestmark = pytest.mark.ci


def test_it_verifies_honest_files(tmp_path: Path) -> None:
    verified = check(honest())
    code, answers = said(tmp_path, {"bundle": written(honest())})
    assert code == 0
    assert answers["bundle"].startswith(
        f"verified: 4 games, {verified.commits} commits, {verified.draws} draws; "
    )
    assert said(tmp_path, {"none": b"nonsense"})[0] == 2


def test_it_compares_the_log_with_a_stored_checkpoint(tmp_path: Path) -> None:
    kept, key = tmp_path / "kept", ("--key", SIGNER.verifier.text)
    race, size = races()[:1], len(log().entries)
    for old in (0, 1, 4, 5, size):
        kept.write_text(log().note(old))
        code, answers = said(
            tmp_path, {"file": written(log().bundle(race, since=old))}, *key, "--since", str(kept)
        )
        assert code == 0, answers
    kept.write_text(log().note(5))
    code, answers = said(
        tmp_path, {"file": written(log().bundle(race))}, *key, "--since", str(kept)
    )
    assert (code, answers["file"]) == (3, "needs a proof since 5")
    another = Log([*races()[1:], honest_game("set_dice", 97)])
    code, answers = said(
        tmp_path,
        {"file": written(another.bundle(races()[1:2], since=5))},
        *key,
        "--since",
        str(kept),
    )
    assert code == 1
    assert answers["file"].startswith(
        "log: history: expected a log that continues the checkpoint at 5, found another one"
    )


@pytest.mark.parametrize("cases", SMALL_CHANGES, ids=lambda cases: cases.__name__)
@pytest.mark.slow
def test_both_verifiers_agree_on_small_changes(
    cases: Callable[[], dict[str, Case]], tmp_path: Path
) -> None:
    changed = cases()
    expected = {name: code for name, (_, code) in changed.items()}
    code, answers = said(tmp_path, {name: content for name, (content, _) in changed.items()})
    assert {name: verdict_of(answer) for name, answer in answers.items()} == expected
    assert code == (1 if 1 in expected.values() else max(expected.values()))
    assert {name: verdict_of_python(content) for name, (content, _) in changed.items()} == expected


# The command


def run(*arguments: object, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [str(NODE), str(VERIFIER), *map(str, arguments)]
    return subprocess.run(command, input=given, capture_output=True, check=False, timeout=60)


def test_invalid_arguments_are_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "binary").write_bytes(b"\xff")
    key, file = SIGNER.verifier.text, tmp_path / "empty"
    for arguments in (
        (),
        ("--nonsense", file),
        ("--key",),
        ("--key", "", file),
        ("--key", key[:-1], file),
        ("--key", tmp_path / "empty", file),
        ("--since", tmp_path / "binary", file),
    ):
        done = run(*arguments)
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1), (
            arguments,
            done,
        )
        assert done.stderr.startswith(b"verify.ts: ")
    done = run("--key", key, tmp_path / "none", tmp_path, file)
    assert (
        done.returncode,
        done.stdout.count(b": cannot be read: "),
        done.stdout.count(b"\n"),
        done.stderr,
    ) == (2, 3, 3, b"")


@pytest.mark.parametrize("arguments", [["--help"], ["none"]])
def test_it_ends_quietly_when_nobody_reads_its_output(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [str(NODE), str(VERIFIER), *arguments],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (GONE, b"")


def test_it_accepts_several_keys_and_reports_a_missing_key(tmp_path: Path) -> None:
    other = Signer("another.example.org/log", bytes(32)).verifier.text
    (tmp_path / "keys").write_text(f"{other}\n{SIGNER.verifier.text}\n")
    file = tmp_path / "file"
    file.write_bytes(bundle_of(dice()))
    for keys in (tmp_path / "keys", f"{other}\n{SIGNER.verifier.text}", SIGNER.verifier.text):
        done = run(f"--key={keys}", file)
        assert (done.returncode, done.stderr) == (0, b"")
    assert run("--key", other, file).returncode == 1
    done = run("-", given=file.read_bytes())
    assert (done.returncode, done.stderr.count(b"compare with the published key")) == (0, 1)
    assert done.stdout.startswith(b"-: verified: 1 game (")
    assert run("--help").stdout.startswith(b"usage: ")


def test_it_reports_what_a_receipt_proves_and_what_not(tmp_path: Path) -> None:
    race = races()[0]
    number = next(row.bet for commit in race.commits for row in commit.settlements)
    receipts = {
        "ended": log().receipt(race, number),
        "running": log().receipt(race, 1, ended=False),
    }
    received = said(tmp_path, {name: bundle.line(receipt) for name, receipt in receipts.items()})[1]
    for name, receipt in receipts.items():
        assert (
            f"commit {receipt.version} with the hash {race.commits[receipt.version - 1].hash.hex()}"
            in received[name]
        )
    assert received["ended"].startswith(f"verified: bet {number} of game {race.id}: seat ")
    assert "the game is over; " in received["ended"]
    assert "so nothing proves yet that this is bet 1; " in received["running"]


def test_only_plain_text_of_a_file_reaches_the_terminal(tmp_path: Path) -> None:
    event = b'"events":[{"type":"\\u202e\\u001b]0;owned\\u0007","payout":\xe2\x80\xae}'
    forged = rewritten(board(), 2, b'"events":[', event)
    origin = Checkpoint("\u202e\u0085.example.org", 0, merkle.EMPTY_ROOT)
    empty = bundle.Bundle(
        log=bundle.Signed(checkpoint=signed(origin.text, [SIGNER]), keys=()), games=0
    )
    code, answers = said(tmp_path, {"forged": bundle_of(forged), "origin": written([empty])})
    assert code == 1
    assert all(character.isprintable() for answer in answers.values() for character in answer)
    assert answers["origin"].endswith("found ??.example.org")


def test_both_verifiers_know_the_dice_of_a_witness_that_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A witness of the same name vouches for nothing, and neither does one that only cosigned."""
    header, *rest = log().bundle(races()[:1])
    assert isinstance(header, bundle.Bundle)
    text, _ = signatures_in(header.log.checkpoint)
    for stranger in (
        Cosigner("witness.example.net", b"1" * 32),
        Cosigner("other.example", b"1" * 32),
    ):
        lines = WITNESS.cosign(text, 1_700_000_000) + stranger.cosign(text, 1_700_000_000)
        noted = replace(header.log, checkpoint=header.log.checkpoint + lines)
        file = tmp_path / "file"
        file.write_bytes(written([replace(header, log=noted), *rest]))
        for witness, is_known in ((WITNESS, True), (stranger, False)):
            given = ["--key", SIGNER.verifier.text, "--witness", witness.verifier.text, str(file)]
            assert main(["verify", *given]) == 0
            for printed in (capsys.readouterr().out, run(*given).stdout.decode()):
                name = WITNESS.verifier.text.rpartition("+")[0]
                assert f", witness {name}" in printed
                assert ("dice: warning: " not in printed) == is_known, printed


def test_both_verifiers_demand_the_same_cosignatures_and_origin(tmp_path: Path) -> None:
    header = honest()[0]
    assert isinstance(header, bundle.Bundle)
    text, _ = signatures_in(header.log.checkpoint)
    first, second = Cosigner("one.example", b"1" * 32), Cosigner("two.example", b"2" * 32)
    times = (1_700_000_000, 2**53)
    files = {
        "none": "",
        "first": first.cosign(text, times[0]),
        "both": first.cosign(text, times[0]) + second.cosign(text, times[0]),
        "forged": first.cosign(text, times[0]) + second.cosign(f"{text}more\n", times[0]),
        "twice": second.cosign(text, times[0]) + second.cosign(f"{text}more\n", times[0]),
        "late": first.cosign(text, times[1]),
    }
    for name, lines in files.items():
        noted = replace(header.log, checkpoint=header.log.checkpoint + lines)
        (tmp_path / name).write_bytes(written([replace(header, log=noted, games=0)]))
    key, witnesses = SIGNER.verifier.text, [each.verifier.text for each in (first, second)]
    named = [word for witness in witnesses for word in ("--witness", witness)]
    for options, fitting in (
        (named, {"both"}),
        ([*named, "--quorum", "1"], {"first", "both", "forged"}),
        (["--witness", witnesses[0]], {"first", "both", "forged"}),
        (["--origin", SIGNER.name], set(files)),
        (["--origin", "elsewhere.example/log"], set()),
    ):
        paths = [str(tmp_path / name) for name in files]
        done = run("--key", key, *options, *paths)
        assert done.returncode == (0 if fitting == set(files) else 1)
        answers = done.stdout.decode().splitlines()
        for name, path, answer in zip(files, paths, answers, strict=True):
            code = 0 if name in fitting else 1
            assert verdict_of(answer.removeprefix(f"{path}: ")) == code, (name, options)
            assert main(["verify", "--key", key, *options, path]) == code, (name, options)
    for wrong in (["--witness", key], [*named, "--quorum", "3"], [*named, "--quorum", "0"]):
        assert run("--key", key, *wrong, tmp_path / "both").returncode == 2
        with pytest.raises(SystemExit) as stopped:
            main(["verify", "--key", key, *wrong, str(tmp_path / "both")])
        assert stopped.value.code == 2


def test_an_old_node_is_told_so_in_one_line() -> None:
    old = "Object.defineProperty(process, 'versions', { value: { node: '20.19.1' } })"
    given = [["--import", f"data:text/javascript,{old}"], []]
    for options, code, line in zip(given, (4, 0), ("this is 20.19.1\n", ""), strict=True):
        command = [str(NODE), *options, str(VERIFIER.with_suffix(".mjs")), "--help"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (code, bool(line)), done.stderr
        assert done.stderr.endswith(line)
