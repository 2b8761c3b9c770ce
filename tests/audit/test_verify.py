"""The offline verifier: honest files pass, tampering is named, hostile files do no harm."""

import io
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from bench.free_spots import FreeSpotsOptions
from railbird_engine.audit import bundle
from railbird_engine.audit.__main__ import main
from railbird_engine.audit.divergence import SHOWN_MAX, DivergenceError
from railbird_engine.audit.evidence import NeedsError
from railbird_engine.audit.notes import Signer, signatures_in, signed
from railbird_engine.audit.verify import UnreadableError, verify
from railbird_engine.kernel import chain
from railbird_engine.kernel.code import OtherCodeError
from railbird_engine.rules import registry
from tests.audit.honest import (
    SIGNER,
    WITNESS,
    Log,
    check,
    honest_game,
    recommitted,
    rules_of,
    written,
)
from tests.audit.small_changes.beginnings import with_genesis
from tests.audit.small_changes.files import board
from tests.audit.tampering import (
    NAMED,
    Mutation,
    delete,
    edit_body,
    first_version,
    honest,
    log,
    races,
    rechained,
    rewritten,
)
from tests.audit.vectors import NAMED as NAMED_KEY
from tests.audit.verdicts import ROOT

SLUGS = sorted({slug for slug, _ in registry()})


@pytest.mark.parametrize("slug", SLUGS)
def test_an_honest_game_raises_no_alarm(slug: str) -> None:
    games = [
        honest_game(slug, number, voided_after=20 if number == 2 else None)
        for number in range(1, 4)
    ]
    verified = check(Log(games).bundle(games))
    assert (verified.games, verified.commits) == (3, sum(len(game.commits) for game in games))


def test_verified_items_are_counted() -> None:
    verified = check(honest())
    commits = [commit for game in races() for commit in game.commits]
    assert verified.commits == len(commits)
    assert (
        verified.draws == sum(len(chain.decode_body(commit.body).draws) for commit in commits) > 90
    )
    assert verified.bets == sum(len(commit.bets) for commit in commits) > 90
    assert verified.transfers == sum(len(commit.transfers) for commit in commits)


# Tampering functions. Each changes one thing in an honest file.


@pytest.mark.parametrize(
    ("mutation", "fields"), NAMED, ids=lambda value: getattr(value, "__name__", "")
)
def test_every_class_of_tampering_is_found_and_named(mutation: Mutation, fields: set[str]) -> None:
    for number in range(8):
        whims = random.Random(f"{mutation.__name__} {number}")
        with pytest.raises(DivergenceError) as found:
            check(mutation(honest(), whims))
        assert found.value.field.split(" ")[0] in fields or found.value.field in fields, str(
            found.value
        )
        assert "\n" not in str(found.value)


# Advanced tampering, with all hashes recomputed.


def test_a_changed_draw_is_found_although_all_hashes_fit() -> None:
    game = races()[0]
    version, draw = next(
        (commit.version, draw)
        for commit in game.commits
        for draw in chain.decode_body(commit.body).draws
    )
    old = msgspec.json.encode(draw)
    new = msgspec.json.encode([draw.number, draw.bound, (draw.value + 1) % draw.bound])
    forged = rewritten(game, version, old, new)
    with pytest.raises(DivergenceError) as found:
        check(Log([forged]).bundle([forged]))
    assert (found.value.game, found.value.version, found.value.field) == (game.id, version, "draws")


def test_a_forged_settlement_is_found_although_all_hashes_fit() -> None:
    game = races()[3]
    version = first_version(game, b"bet_settled")
    forged = rewritten(game, version, b'"payout":1', b'"payout":2')
    with pytest.raises(DivergenceError) as found:
        check(Log([forged]).bundle([forged]))
    assert (found.value.version, found.value.field) == (version, "events")
    forged = rewritten(game, version, b',1,"board"', b',2,"board"')
    with pytest.raises(DivergenceError) as found:
        check(Log([forged]).bundle([forged]))
    assert (found.value.version, found.value.field) == (version, "transfers")


@pytest.mark.parametrize(
    "command", [b'{"type":"ticked","alarm":9999}', b'{"type":"started"}', b'{"type":"rolled_back"}']
)
def test_a_tick_without_alarm_is_found_although_all_hashes_fit(
    command: bytes,
) -> None:
    game = races()[0]
    version, old = next(
        (commit.version, bytes(chain.decode_body(commit.body).command))
        for commit in game.commits
        if b'"ticked"' in commit.body
    )
    forged = rewritten(game, version, old, command)
    with pytest.raises(DivergenceError) as found:
        check(Log([forged]).bundle([forged]))
    assert (found.value.version, found.value.field) == (
        version,
        "alarm" if b"tick" in command else "command",
    )


def test_a_game_replayed_with_another_seed_contradicts_only_the_log() -> None:
    """The operator replays the game with better dice, and forges hashes, rows and proofs."""
    real, invented = races()[0], honest_game("ready_set_bet", 99)
    name = str(real.id).encode()
    genesis = invented.genesis.replace(str(invented.id).encode(), name)
    assert check(Log([invented]).bundle([invented]))
    proofs = log().bundle([real])
    opening = msgspec.structs.replace(proofs[1], genesis=genesis, seed=invented.seed)
    with pytest.raises(DivergenceError) as found:
        check([proofs[0], opening, *invented.commits, proofs[-1]])
    assert (found.value.game, found.value.field) == (real.id, "opened")


def test_a_rewritten_log_does_not_continue_a_stored_checkpoint() -> None:
    """Even the log's own key does not help to change a game after its checkpoint was stored."""
    kept = log().note()
    rewritten_log = Log(
        [*races()[1:], honest_game("ready_set_bet", 98), honest_game("set_dice", 97)]
    )
    parts = rewritten_log.bundle(races()[1:], since=len(log().entries))
    assert check(parts)
    with pytest.raises(DivergenceError) as found:
        check(parts, since=kept)
    assert (found.value.version, found.value.field) == (None, "history")


def test_a_log_that_grew_continues_every_checkpoint() -> None:
    for size in range(len(log().entries) + 1):
        assert check(log().bundle(races()[:1], since=size), since=log().note(size))


def test_a_checkpoint_needs_its_proof_and_a_file_that_is_newer() -> None:
    with pytest.raises(NeedsError, match="since=5"):
        check(log().bundle(races()[:1]), since=log().note(5))
    longer = Log(
        [*races(), honest_game("free_spots", 5, options=FreeSpotsOptions(boards=1, spots=12))]
    )
    with pytest.raises(NeedsError, match="newer"):
        check(log().bundle(races()[:1]), since=longer.note())


def test_a_log_signed_by_another_key_is_not_trusted() -> None:
    other = Log(races(), Signer(SIGNER.name, bytes(32)))
    with pytest.raises(DivergenceError) as found:
        check(other.bundle(races()[:1]))
    assert found.value.field == "signature"
    # By its own key it is valid; that is why keys are published elsewhere.
    assert verify(io.BytesIO(written(other.bundle(races()[:1]))), rules_of)


def test_missing_rules_and_editions_are_reported_as_needed() -> None:
    game = races()[0]
    opening = chain.decode_genesis(game.genesis)
    for change, needed in (
        ({"rules_version": 77}, "rules ready_set_bet 77"),
        ({"rules": "backgammon"}, "rules backgammon"),
        ({"edition": "5eed"}, "of edition 5eed"),
    ):
        genesis = recommitted(msgspec.json.encode(msgspec.structs.replace(opening, **change)))
        superseded = rechained(game._replace(genesis=genesis))
        with pytest.raises(NeedsError, match=needed):
            check(Log([superseded]).bundle([superseded]))
        altered = game._replace(genesis=genesis)
        with pytest.raises(DivergenceError, match="version 1: hash"):
            check(Log([altered]).bundle([altered]))


def test_options_that_the_rules_do_not_have_are_found() -> None:
    options = json.dumps(json.loads(board().genesis) | {"options": {"nonsense": True}}).encode()
    with pytest.raises(DivergenceError) as found:
        verify(io.BytesIO(with_genesis(recommitted(options))), rules_of)
    assert (found.value.version, found.value.field) == (0, "options")


def test_what_is_wrong_with_a_start_is_found_at_version_0() -> None:
    header, opening, *rest = Log([board()]).bundle([board()])
    genesis = json.loads(board().genesis)
    for field, content in (
        ("seed", written([header, msgspec.structs.replace(opening, seed=bytes(32)), *rest])),
        ("genesis", with_genesis(json.dumps(genesis | {"seats": 0}).encode())),
        ("genesis", with_genesis(json.dumps(genesis | {"options": ""}).encode())),
    ):
        with pytest.raises(DivergenceError, match=f"version 0: {field}: "):
            verify(io.BytesIO(content), rules_of)


def test_a_divergence_shows_long_values_in_part() -> None:
    line = str(DivergenceError(1, "text", "a" * SHOWN_MAX, "b" * (SHOWN_MAX + 1)))
    shown = "b" * SHOWN_MAX + f"... ({SHOWN_MAX + 1} characters)"
    assert line == f"version 1: text: expected {'a' * SHOWN_MAX}, found {shown}"


def test_the_first_entry_of_a_log_may_name_a_key() -> None:
    log = Log([board()], entries=[NAMED_KEY, *board().entries()])
    header, *parts = log.bundle([board()])
    signer = bundle.Signer(NAMED_KEY.encode(), log.proof_of(NAMED_KEY))
    check([msgspec.structs.replace(header, signers=(signer,)), *parts])


def test_it_counts_commands_and_says_who_chose_the_dice() -> None:
    game = honest_game("ready_set_bet", 3, voided_after=40, signs=True)
    (began,) = check(Log([game]).bundle([game])).content.began.values()
    assert began.signatures is not None
    assert began.signatures.commands == sum(commit.seat is not None for commit in game.commits)
    assert began.seats == tuple(reveal.seat for reveal in game.opening.reveals)
    assert began.witnesses == (WITNESS.verifier.text,)


def test_the_command_needs_the_code_of_its_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def check_compiled(package: str) -> None:
        raise OtherCodeError(f"{package} was changed")

    monkeypatch.setattr("railbird_engine.audit.__main__.check_compiled", check_compiled)
    assert main(["verify", "file"]) == 2
    assert capsys.readouterr().out == "railbird-audit: cannot start: railbird_engine was changed\n"


def test_a_seat_that_the_game_does_not_have_is_found() -> None:
    game = races()[0]
    seats = game.opening.seats
    version, seat = next((it.version, it.seat) for it in game.commits if it.seat is not None)
    forged = rewritten(game, version, b'"seat":%d' % seat, b'"seat":%d' % seats)
    forged.commits[version - 1] = msgspec.structs.replace(forged.commits[version - 1], seat=seats)
    with pytest.raises(DivergenceError) as found:
        check(Log([forged]).bundle([forged]))
    assert (found.value.version, found.value.field) == (version, "seat")


# Hostile files


def test_a_malformed_line_is_reported_with_its_number() -> None:
    content = written(honest()).replace(b'"version":1,', b'"version":1.0,', 1)
    with pytest.raises(DivergenceError) as found:
        verify(io.BytesIO(content), rules_of)
    assert found.value.field.startswith("line ")
    assert found.value.game == races()[0].id


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"[]",
        b"not json at all",
        b"\xff\xfe\x00",
        b'{"type":"end"}',
        b"[" * 100_000,
        b'{"type":"bundle","log":' + b'{"a":' * 50_000,
        b'{"type":"bundle","games":1e400}',
    ],
)
def test_a_file_of_another_kind_is_reported_as_such(content: bytes) -> None:
    with pytest.raises(UnreadableError):
        verify(io.BytesIO(content), rules_of)


def test_an_endless_line_is_not_read_to_its_end() -> None:
    class Endless(io.BytesIO):
        taken = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert size > 0
            self.taken += size
            return b" " * size

    endless = Endless()
    with pytest.raises(UnreadableError):
        verify(endless, rules_of)
    assert endless.taken == bundle.LINE_MAX + 1


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_deep_nesting_in_a_body_is_a_divergence(depth: int) -> None:
    game = races()[3]
    version = len(game.commits)
    content = game.commits[-1].body[chain.BLIND_LENGTH :]
    nested = b'{"version":%d,"seat":0,"command":' % version + b"[" * depth
    forged = rewritten(game, version, content, nested)
    with pytest.raises(DivergenceError) as found:
        check(Log([forged]).bundle([forged]))
    assert found.value.version == version


def test_rules_that_fail_on_a_forged_command_are_a_divergence() -> None:
    game = races()[3]
    forged = rewritten(game, 5, b'"seat":', b'"seat":7777777')
    seat = chain.decode_body(forged.commits[4].body).seat
    forged.commits[4] = msgspec.structs.replace(forged.commits[4], seat=seat)
    with pytest.raises(DivergenceError) as found:
        check(Log([forged]).bundle([forged]))
    assert found.value.version == 5


# The command


ELSEWHERE = """
import sys
sys.path.insert(0, ".")
for name in (
    *("django", "celery", "psycopg", "rest_framework"),
    *("channels", "redis", "structlog", "uvloop"),
):
    sys.modules[name] = None  # only the dependency group `audit` can be imported
from railbird_engine.audit.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


class Called(NamedTuple):
    """An exit code, and what the command wrote."""

    code: int
    output: str
    errors: str


def run(folder: Path, content: bytes, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command on a machine without the server."""
    file = folder / "file.bundle"
    file.write_bytes(content)
    command = [sys.executable, "-I", "-c", ELSEWHERE, "verify", str(file), *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.fixture
def called(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Called]:
    """Run the command in this process."""

    def call(content: bytes, *arguments: str) -> Called:
        file = tmp_path / "file.bundle"
        file.write_bytes(content)
        code = main(["verify", str(file), *arguments])
        return Called(code, *capsys.readouterr())

    return call


def test_the_command_needs_no_server(tmp_path: Path) -> None:
    done = run(tmp_path, written(log().bundle(races()[:2])), "--key", SIGNER.verifier.text)
    assert (done.returncode, done.stderr) == (0, "")
    assert "verified: 2 games" in done.stdout


def test_the_command_reports_one_line_and_an_exit_code(called: Callable[..., Called]) -> None:
    good = log().bundle(races()[:2])
    done = called(written(edit_body(good, random.Random(1))), "--key", SIGNER.verifier.text)
    assert done.code == 1
    assert done.output.count("\n") == 1
    for word in ("game ", "version ", "hash: ", "expected ", "found "):
        assert word in done.output
    assert called(b"nonsense").code == 2
    other = written(log().bundle(races()[3:]))
    assert called(other).code == 3
    assert called(other, "--rules", "bench.free_spots").code == 0
    done = called(written(good))
    assert done.code == 0
    played = f"; played by 0.1.0 of commit {'c0' * 20} (other code than here)"
    verdict, *warnings = done.output.splitlines()
    assert verdict.endswith(played)
    assert len(warnings) == verdict.count("; dice of ")
    assert all(line.startswith("dice: warning: the dice of game ") for line in warnings)
    assert "compare with the published key" in done.errors


@pytest.mark.parametrize(("length", "code"), [(65_536, 0), (65_537, 3)])
def test_a_stored_checkpoint_is_bounded(
    length: int, code: int, tmp_path: Path, called: Callable[..., Called]
) -> None:
    text, _ = signatures_in(log().note())
    least = len(signed(f"{text}\n", [SIGNER]).encode())
    kept = tmp_path / "kept"
    kept.write_text(signed(f"{text}{'x' * (length - least)}\n", [SIGNER]))
    content = written(log().bundle(races()[:1], since=len(log().entries)))
    assert called(content, "--key", SIGNER.verifier.text, "--since", str(kept)).code == code


def test_several_keys_are_allowed_and_no_key_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without `--key`, the verifier trusts the keys in the file and says so."""
    file, keys, empty = tmp_path / "file", tmp_path / "keys", tmp_path / "empty"
    file.write_bytes(written(log().bundle(races()[:1])))
    other = Signer(SIGNER.name, bytes(32)).verifier.text
    keys.write_text(f"{other}\n{SIGNER.verifier.text}\n")
    empty.write_text("\n")
    for key in (str(keys), keys.read_text(), SIGNER.verifier.text):
        assert main(["verify", str(file), "--key", key]) == 0
        assert capsys.readouterr().err == ""
    assert main(["verify", str(file), "--key", other]) == 1
    for key in (
        str(empty),
        "",
        " ",
        "nonsense",
        str(tmp_path / "missing"),
        str(tmp_path),
        f"{other} nonsense",
        str(file),
    ):
        with pytest.raises(SystemExit) as refused:
            main(["verify", str(file), "--key", key])
        assert refused.value.code == 2
        assert "--key" in capsys.readouterr().err.splitlines()[-1]


def test_control_characters_of_a_file_do_not_reach_the_terminal(
    called: Callable[..., Called],
) -> None:
    forged = rewritten(races()[0], 5, b'"type":"', b'"type":"\\u001b]0;owned\\u0007')
    done = called(written(Log([forged]).bundle([forged])))
    assert done.code == 1
    assert "\x1b" not in done.output


def test_the_exit_code_is_that_of_the_worse_file(
    tmp_path: Path, called: Callable[..., Called]
) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(written(delete(honest(), random.Random(1))))
    assert (
        called(written(log().bundle(races()[:1])), str(bad), "--rules", "bench.free_spots").code
        == 1
    )
