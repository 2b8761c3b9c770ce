"""Bundles of games, and what the verifiers say of stored notes beside them."""

import contextlib
import io
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec

from games.log import tiles
from games.models import Game
from games.proofs import bundles
from railbird_engine.audit.__main__ import main
from railbird_engine.audit.notes import Verifier
from railbird_engine.audit.verify import Verified, verify
from tests.audit.honest import rules_of
from tests.audit.verdicts import NODE, VERIFIER


def read(game: Game) -> Game:
    return Game.objects.select_related("head", "lobby").get(id=game.id)


def verified(content: bytes, since: str | None = None) -> Verified:
    keys = [Verifier.parse(verifier) for verifier in tiles.verifiers()]
    return verify(io.BytesIO(content), rules_of, trusted=keys, since=since)


def bundled(*games: Game, since: int | None = None) -> bytes:
    return b"".join(bundles.bundled([read(game) for game in games], since=since))


def results(folder: Path, content: bytes, notes: Sequence[object]) -> list[tuple[int, list[str]]]:
    """Run each verifier on a bundle and notes; return exit codes and lines about the notes."""
    (folder / "game.bundle").write_bytes(content)
    (folder / "notes").write_bytes(b"".join(msgspec.json.encode(note) + b"\n" for note in notes))
    given = ["--key", tiles.verifiers()[0], "game.bundle"]
    if notes:
        given += ["--acknowledgements", "notes"]
    found = []
    for code, printed in (python(folder, given), typescript(folder, given)):
        lines = printed.splitlines()
        assert lines[0].startswith("game.bundle: verified: "), printed
        found.append((code, [line.removeprefix("notes: ") for line in lines[1:]]))
    return found


def python(folder: Path, given: Sequence[str]) -> tuple[int, str]:
    """Run the first verifier in this process; return the exit code and what it printed."""
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as printed:
        code = main(["verify", "--rules", "bench.free_spots", *given])
    return code, printed.getvalue()


def typescript(folder: Path, given: Sequence[str]) -> tuple[int, str]:
    """Run the second verifier; return the exit code and what it printed."""
    done = subprocess.run(
        [str(NODE), str(VERIFIER), *given], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout
