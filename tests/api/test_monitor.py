"""The log monitor against a real web process: it reports a log that does not continue."""

from pathlib import Path

import pytest
from django.conf import settings

from games.log import tiles
from games.log.sealing import Sealer
from games.models import Game
from games.play import corrections
from games.proofs.bundles import bundled
from kit import event_loop
from railbird_engine.audit.__main__ import main
from tests.api.rest import Caller, take
from tests.builders import NewGame, empty_log


def keep_playing(game: Game, spots: range) -> None:
    """Play moves that are sealed one by one."""
    player = Caller(game.lobby.seats.select_related("user")[0].user)
    for spot in spots:
        player.play(game.id, take(spot))
        Sealer().seal()


def test_a_log_that_grows_is_followed_and_one_that_forks_is_found(
    address: str,
    own_log: Path,
    new_game: NewGame,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    state, url = tmp_path / "state", f"http://{address}/log"
    game = new_game(1)

    def monitor(*more: str) -> tuple[int, str]:
        code = main(["monitor", url, "--state", str(state), *more])
        (line,) = capsys.readouterr().out.splitlines()
        return code, line.removeprefix(f"{url}: ")

    code, line = monitor()
    assert (code, line) == (2, "cannot be read: checkpoint returned status 404")
    keep_playing(game, range(3))
    (key,) = tiles.verifiers()
    assert monitor()[0] == 0
    first = state.read_text()
    assert monitor("--key", key) == (0, line_of(first, "continues the checkpoint at {size}"))
    keep_playing(game, range(3, 9))
    code, line = monitor("--key", key)
    newest = tiles.newest()
    assert newest is not None
    assert (code, state.read_text()) == (0, newest.note)
    assert line.endswith(
        f"at {newest.checkpoint.size}: continues the checkpoint at {size_in(first)}"
    )
    bundle = tmp_path / "bundle"
    event_loop.call(corrections.void(game.id, "the test is over"))
    Sealer().seal()
    bundle.write_bytes(b"".join(bundled([Game.objects.get(id=game.id)])))
    capsys.readouterr()
    code = main(
        [
            "monitor",
            url,
            "--state",
            str(state),
            "--key",
            key,
            "--file",
            str(bundle),
            "--rules",
            "bench.free_spots",
        ]
    )
    _, counted, build = capsys.readouterr().out.rsplit("; ", 2)
    assert (code, counted) == (
        0,
        "1 lobby opened, 0 attempts abandoned, 1 game started, 0 finished, 1 voided, "
        "0 without an end yet",
    )
    assert build == f"sealed by {settings.BUILD_VERSION} of commit {settings.BUILD_COMMIT}\n"
    newest = tiles.newest()
    assert newest is not None

    other = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    code, line = monitor("--key", other)
    assert code == 1
    assert line.startswith("log: signature: ")

    # The same key signs another log, first a shorter one, then a longer one.
    empty_log()
    own_log.with_name("key.checkpoint").unlink()
    Sealer().seal()
    code, line = monitor("--key", key)
    assert (code, line.split(": ")[1]) == (1, "size")
    keep_playing(new_game(1), range(20))
    code, line = monitor("--key", key)
    assert (code, line.split(": ")[1]) == (1, "history")
    assert state.read_text() == newest.note, "what was seen is kept, to show it"
    state.write_text("")
    assert monitor("--key", key)[0] == 2


def size_in(note: str) -> int:
    return int(note.split("\n")[1])


def line_of(note: str, text: str) -> str:
    return f"log {note.split(chr(10), maxsplit=1)[0]} at {size_in(note)}: " + text.format(
        size=size_in(note)
    )


def test_an_address_without_a_log_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for url in (
        "http://127.0.0.1:9/log",
        "file:///etc/passwd",
        "nonsense",
        "http://[bad/log",
        "http://a:b/log",
        "http://\u2026/",
    ):
        assert main(["monitor", url, "--state", str(tmp_path / "state")]) == 2
        assert capsys.readouterr().out.count("\n") == 1
