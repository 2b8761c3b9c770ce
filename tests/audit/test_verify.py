"""The offline verifier: honest files pass, tampering is named, hostile files do no harm."""

import io
import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from bench.free_spots import FreeSpotsOptions
from railbird_engine.audit import bundle
from railbird_engine.audit.__main__ import main
from railbird_engine.audit.bundle import Bundle, Commit, End, Part
from railbird_engine.audit.bundle import Game as Opening
from railbird_engine.audit.divergence import Diverged
from railbird_engine.audit.evidence import Needed
from railbird_engine.audit.notes import Signer
from railbird_engine.audit.verify import Unreadable, verify
from railbird_engine.kernel import chain
from railbird_engine.rules import registry
from tests.audit.honest import (
    SIGNER,
    Honest,
    Log,
    check,
    honest_game,
    recommitted,
    rules_of,
    written,
)

SLUGS = sorted({slug for slug, _ in registry()})
ROOT = Path(__file__).parent.parent.parent
Parts = list[Part]
Mutation = Callable[[Parts, random.Random], Parts]


@cache
def races() -> tuple[Honest, ...]:
    """Two games with dice, bets and secrets, a voided game, and a load game."""
    return (
        honest_game("ready_set_bet", 1),
        honest_game("set_dice", 2),
        honest_game("ready_set_bet", 3, voided_after=60),
        honest_game("free_spots", 4, options=FreeSpotsOptions(boards=2)),
    )


@cache
def log() -> Log:
    return Log(races())


def honest() -> Parts:
    return log().bundle(races())


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
        verified.draws == sum(len(chain.decode_body(commit.body).draws) for commit in commits) > 100
    )
    assert verified.bets == sum(len(commit.bets) for commit in commits) > 100
    assert verified.transfers == sum(len(commit.transfers) for commit in commits)


# Tampering functions. Each changes one thing in an honest file.


def of_game(parts: Parts, number: int) -> list[int]:
    """The positions of a game's commits."""
    opening = [place for place, part in enumerate(parts) if isinstance(part, Opening)][number]
    return [
        place
        for place in range(opening + 1, end_of(parts, number))
        if isinstance(parts[place], Commit)
    ]


def end_of(parts: Parts, number: int) -> int:
    """The place of a game's closing."""
    return [place for place, part in enumerate(parts) if isinstance(part, End)][number]


def any_commit(parts: Parts, whims: random.Random) -> int:
    return whims.choice([place for place, part in enumerate(parts) if isinstance(part, Commit)])


def changed(parts: Parts, place: int, **fields: object) -> Parts:
    return [*parts[:place], msgspec.structs.replace(parts[place], **fields), *parts[place + 1 :]]


def commit_at(parts: Parts, place: int) -> Commit:
    part = parts[place]
    assert isinstance(part, Commit)
    return part


def flipped(data: bytes, whims: random.Random) -> bytes:
    place, bit = whims.randrange(len(data)), 1 << whims.randrange(8)
    return data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]


def edit_body(parts: Parts, whims: random.Random) -> Parts:
    place = any_commit(parts, whims)
    return changed(parts, place, body=flipped(commit_at(parts, place).body, whims))


def edit_hash(parts: Parts, whims: random.Random) -> Parts:
    place = any_commit(parts, whims)
    return changed(parts, place, hash=flipped(commit_at(parts, place).hash, whims))


def edit_seat(parts: Parts, whims: random.Random) -> Parts:
    place = any_commit(parts, whims)
    seat = commit_at(parts, place).seat
    return changed(parts, place, seat=0 if seat is None else whims.choice([None, seat + 1]))


def delete(parts: Parts, whims: random.Random) -> Parts:
    place = any_commit(parts, whims)
    return parts[:place] + parts[place + 1 :]


def insert(parts: Parts, whims: random.Random) -> Parts:
    place = any_commit(parts, whims)
    return [*parts[: place + 1], parts[any_commit(parts, whims)], *parts[place + 1 :]]


def reorder(parts: Parts, whims: random.Random) -> Parts:
    place = whims.choice(of_game(parts, whims.randrange(4))[:-1])
    return [*parts[:place], parts[place + 1], parts[place], *parts[place + 2 :]]


def truncate(parts: Parts, whims: random.Random) -> Parts:
    return parts[: whims.randrange(1, len(parts))]


def truncate_a_game(parts: Parts, whims: random.Random) -> Parts:
    """Cut off the end of a game, and make its closing line fit."""
    game = whims.randrange(4)
    places = of_game(parts, game)
    keep = whims.randrange(1, len(places))
    kept = [commit_at(parts, place) for place in places[:keep]]
    closing = end_of(parts, game)
    end = parts[closing]
    fitted = msgspec.structs.replace(
        end,
        commits=keep,
        bets=sum(len(commit.bets) for commit in kept),
        settlements=sum(len(commit.settlements) for commit in kept),
        transfers=sum(len(commit.transfers) for commit in kept),
    )
    return [*parts[: places[keep]], fitted, *parts[closing + 1 :]]


def swap_commits_of_two_games(parts: Parts, whims: random.Random) -> Parts:
    one, other = of_game(parts, 0), of_game(parts, 2)
    number = whims.randrange(min(len(one), len(other)))
    swapped = list(parts)
    swapped[one[number]], swapped[other[number]] = parts[other[number]], parts[one[number]]
    return swapped


def swap_openings(parts: Parts, whims: random.Random) -> Parts:
    one, other = of_game(parts, 0)[0] - 1, of_game(parts, 2)[0] - 1
    swapped = list(parts)
    swapped[one], swapped[other] = parts[other], parts[one]
    return swapped


def swap_seeds(parts: Parts, whims: random.Random) -> Parts:
    one, other = of_game(parts, 0)[0] - 1, of_game(parts, 2)[0] - 1
    seed = parts[other]
    assert isinstance(seed, Opening)
    return changed(parts, one, seed=seed.seed)


def forge_settlement_row(parts: Parts, whims: random.Random) -> Parts:
    places = [
        place for place, part in enumerate(parts) if isinstance(part, Commit) and part.settlements
    ]
    place = whims.choice(places)
    first, *rest = commit_at(parts, place).settlements
    forged = msgspec.structs.replace(first, payout=first.payout + 1)
    return changed(parts, place, settlements=(forged, *rest))


def forge_bet_row(parts: Parts, whims: random.Random) -> Parts:
    place = whims.choice(
        [place for place, part in enumerate(parts) if isinstance(part, Commit) and part.bets]
    )
    first, *rest = commit_at(parts, place).bets
    return changed(
        parts, place, bets=(msgspec.structs.replace(first, stake=first.stake + 1), *rest)
    )


def forge_transfer_row(parts: Parts, whims: random.Random) -> Parts:
    place = whims.choice(
        [place for place, part in enumerate(parts) if isinstance(part, Commit) and part.transfers]
    )
    first, *rest = commit_at(parts, place).transfers
    return changed(
        parts, place, transfers=(msgspec.structs.replace(first, amount=first.amount + 1), *rest)
    )


def forge_purses(parts: Parts, whims: random.Random) -> Parts:
    place = end_of(parts, whims.randrange(4))
    end = parts[place]
    assert isinstance(end, End)
    return changed(parts, place, purses={**end.purses, "seat:0": end.purses["seat:0"] + 1})


def forge_count(parts: Parts, whims: random.Random) -> Parts:
    place = end_of(parts, whims.randrange(4))
    name = whims.choice(["bets", "settlements", "transfers", "commits"])
    return changed(parts, place, **{name: getattr(parts[place], name) + 1})


def forge_end(parts: Parts, whims: random.Random) -> Parts:
    place = end_of(parts, whims.randrange(4))
    end = parts[place]
    assert isinstance(end, End)
    return changed(parts, place, how="voided" if end.how == "finished" else "finished")


def wrong_rules_version(parts: Parts, whims: random.Random) -> Parts:
    place = of_game(parts, whims.randrange(4))[0] - 1
    opening = parts[place]
    assert isinstance(opening, Opening)
    return changed(
        parts, place, genesis=opening.genesis.replace(b'"rules_version":', b'"rules_version":9')
    )


def edit_genesis(parts: Parts, whims: random.Random) -> Parts:
    place = of_game(parts, whims.randrange(4))[0] - 1
    opening = parts[place]
    assert isinstance(opening, Opening)
    return changed(parts, place, genesis=flipped(opening.genesis, whims))


def wrong_place_in_the_log(parts: Parts, whims: random.Random) -> Parts:
    place = end_of(parts, whims.randrange(4))
    end = parts[place]
    assert isinstance(end, End)
    return changed(
        parts, place, ended=msgspec.structs.replace(end.ended, index=end.ended.index + 1)
    )


def edit_checkpoint(parts: Parts, whims: random.Random) -> Parts:
    header = parts[0]
    assert isinstance(header, Bundle)
    origin, size, *rest = header.log.checkpoint.split("\n")
    note = "\n".join([origin, str(int(size) + 1), *rest])
    return changed(parts, 0, log=msgspec.structs.replace(header.log, checkpoint=note))


NAMED: list[tuple[Mutation, set[str]]] = [
    (edit_body, {"hash"}),
    (edit_hash, {"hash"}),
    (edit_seat, {"seat"}),
    (delete, {"version", "commits", "end"}),
    (insert, {"version", "commit"}),
    (reorder, {"version"}),
    (truncate, {"line"}),
    (truncate_a_game, {"end", "purses"}),
    (swap_commits_of_two_games, {"hash"}),
    (swap_openings, {"hash", "seed"}),
    (swap_seeds, {"seed"}),
    (forge_settlement_row, {"rows of settlements"}),
    (forge_bet_row, {"rows of bets"}),
    (forge_transfer_row, {"rows of transfers"}),
    (forge_purses, {"purses"}),
    (forge_count, {"rows of bets", "rows of settlements", "rows of transfers", "commits"}),
    (forge_end, {"end"}),
    (wrong_rules_version, {"opened"}),
    (edit_genesis, {"genesis", "opened", "commitment"}),
    (wrong_place_in_the_log, {"end"}),
    (edit_checkpoint, {"signature"}),
]


@pytest.mark.parametrize(
    ("mutation", "fields"), NAMED, ids=lambda value: getattr(value, "__name__", "")
)
def test_every_class_of_tampering_is_found_and_named(mutation: Mutation, fields: set[str]) -> None:
    for number in range(8):
        whims = random.Random(f"{mutation.__name__} {number}")
        with pytest.raises(Diverged) as found:
            check(mutation(honest(), whims))
        assert found.value.field.split(" ")[0] in fields or found.value.field in fields, str(
            found.value
        )
        assert "\n" not in str(found.value)


# Advanced tampering, with all hashes recomputed.


def rewritten(game: Honest, version: int, old: bytes, new: bytes) -> Honest:
    """Return the game with the text of one commit replaced, and all hashes recomputed."""
    previous, commits = chain.genesis_hash(game.genesis), []
    for commit in game.commits:
        body = commit.body
        if commit.version == version:
            content = body[chain.BLIND_LENGTH :]
            assert old in content, content
            body = body[: chain.BLIND_LENGTH] + content.replace(old, new, 1)
        previous = chain.commit_hash(previous, commit.version, chain.body_digest(body))
        commits.append(msgspec.structs.replace(commit, body=body, hash=previous))
    return game._replace(commits=commits)


def first_version(game: Honest, text: bytes) -> int:
    return next(commit.version for commit in game.commits if text in commit.body)


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
    with pytest.raises(Diverged) as found:
        check(Log([forged]).bundle([forged]))
    assert (found.value.game, found.value.version, found.value.field) == (game.id, version, "draws")


def test_a_forged_settlement_is_found_although_all_hashes_fit() -> None:
    game = races()[3]
    version = first_version(game, b"bet_settled")
    forged = rewritten(game, version, b'"payout":1', b'"payout":2')
    with pytest.raises(Diverged) as found:
        check(Log([forged]).bundle([forged]))
    assert (found.value.version, found.value.field) == (version, "events")
    forged = rewritten(game, version, b',1,"board"', b',2,"board"')
    with pytest.raises(Diverged) as found:
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
    with pytest.raises(Diverged) as found:
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
    with pytest.raises(Diverged) as found:
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
    with pytest.raises(Diverged) as found:
        check(parts, since=kept)
    assert (found.value.version, found.value.field) == (None, "history")


def test_a_log_that_grew_continues_every_checkpoint() -> None:
    for size in range(len(log().entries) + 1):
        assert check(log().bundle(races()[:1], since=size), since=log().note(size))


def test_a_checkpoint_needs_its_proof_and_a_file_that_is_newer() -> None:
    with pytest.raises(Needed, match="since=5"):
        check(log().bundle(races()[:1]), since=log().note(5))
    longer = Log([*races(), honest_game("free_spots", 5, options=FreeSpotsOptions(boards=1))])
    with pytest.raises(Needed, match="newer"):
        check(log().bundle(races()[:1]), since=longer.note())


def test_a_log_signed_by_another_key_is_not_trusted() -> None:
    other = Log(races(), Signer(SIGNER.name, bytes(32)))
    with pytest.raises(Diverged) as found:
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
        superseded = game._replace(
            genesis=recommitted(msgspec.json.encode(msgspec.structs.replace(opening, **change)))
        )
        with pytest.raises(Needed, match=needed):
            check(Log([superseded]).bundle([superseded]))


# Hostile files


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
    with pytest.raises(Unreadable):
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
    with pytest.raises(Unreadable):
        verify(endless, rules_of)
    assert endless.taken == bundle.LINE_MAX + 1


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_deep_nesting_in_a_body_is_a_divergence(depth: int) -> None:
    game = races()[3]
    version = len(game.commits)
    body = (
        game.commits[-1].body[: chain.BLIND_LENGTH]
        + b'{"version":%d,"seat":0,"command":' % version
        + b"[" * depth
    )
    forged = game._replace(
        commits=[*game.commits[:-1], msgspec.structs.replace(game.commits[-1], body=body)]
    )
    previous = game.commits[-2].hash
    fitted = msgspec.structs.replace(
        forged.commits[-1], hash=chain.commit_hash(previous, version, chain.body_digest(body))
    )
    forged = game._replace(commits=[*game.commits[:-1], fitted])
    with pytest.raises(Diverged) as found:
        check(Log([forged]).bundle([forged]))
    assert found.value.version == version


def test_rules_that_fail_on_a_forged_command_are_a_divergence() -> None:
    game = races()[3]
    forged = rewritten(game, 5, b'"seat":', b'"seat":7777777')
    seat = chain.decode_body(forged.commits[4].body).seat
    forged.commits[4] = msgspec.structs.replace(forged.commits[4], seat=seat)
    with pytest.raises(Diverged) as found:
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
    assert "compare with the published key" in done.errors


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
