"""The sealer of a worker: it is started again when it dies, reports its loops, and dies with it."""

from itertools import repeat
from operator import attrgetter
from pathlib import Path
from statistics import median

import httpx
import pytest

from games import lobbies
from games.lobbies import attempts
from games.models import Game, LogEntry
from gameserver.processes import sealer
from gameserver.processes.children import STOP_SIGNALS, free_port
from gameserver.processes.sealer import EndedError, Sealer, SealerStep
from tests.builders import NewGame, NewUser
from tests.gameserver import promql
from tests.lobbies.scene import committed, current, reveal
from tests.log.scene import check_whole_log
from tests.moves import take
from tests.processes import kill, running, sealers, worker
from tests.waiting import until


def seals(new_game: NewGame) -> float:
    """Wait until a new game is sealed; return the seconds that it took."""
    name = new_game(1).log_name
    return until(LogEntry.objects.filter(name=name, version__gte=1).exists, "the seal")


def seals_a_move(game: Game, spot: int) -> float:
    """Wait until a commit of a running game is sealed; return the seconds that it took."""
    take(game, spot)
    sealed = LogEntry.objects.filter(name=game.log_name, version__gte=spot + 2)
    return until(sealed.exists, "the seal")


def failures(address: str, loop: str) -> float:
    found = promql.parse(httpx.get(f"http://{address}/metrics").text)
    wanted = {("__name__", "railbird_loop_failures"), ("loop", loop)}
    return sum(value for labels, value in found.items() if set(labels) == wanted)


@pytest.mark.slow
def test_a_killed_sealer_is_started_again_and_ends_with_its_worker(
    own_log: Path, new_game: NewGame, new_user: NewUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "LOG_S", 900)  # however long a busy machine takes
    address = f"127.0.0.1:{free_port()}"
    with running(worker({"LOG_KEY_FILE": str(own_log), "METRICS_ADDRESS": address})) as child:
        seals(new_game)
        game = new_game(1)
        assert median(seals_a_move(game, spot) for spot in range(5)) < 2
        (first,) = sealers(child)
        for number in STOP_SIGNALS:
            first.send_signal(number)
        seals(new_game)
        assert sealers(child) == [first], "only its worker ends it"
        assert failures(address, "sealer process") == 0
        host = new_user()
        lobby = lobbies.create(host, lobbies.LobbyChoices(slug="free_spots"))
        entropy = committed(host, lobby)
        lobbies.start(host, lobby.id)
        first.kill()
        until(lambda: current(lobby).stage == "revealing", "the seal of a start")
        reveal(host, lobby, entropy)
        until(Game.objects.filter(lobby=lobby).exists, "the game of a start")
        (second,) = sealers(child)
        assert second != first
        assert failures(address, "sealer process") == 1
        kill(child)
        until(lambda: not second.is_running(), "the end of the sealer with its worker")
    check_whole_log()


def makes(folder: Path) -> bool:
    try:
        folder.mkdir()
    except FileExistsError:
        return False
    return True


@pytest.mark.slow
def test_a_worker_reports_the_failures_of_its_sealer(own_log: Path, new_game: NewGame) -> None:
    """The draft of the checkpoint cannot be written, because a folder has its name."""
    address = f"127.0.0.1:{free_port()}"
    with running(worker({"LOG_KEY_FILE": str(own_log), "METRICS_ADDRESS": address})):
        seals(new_game)
        draft = own_log.with_name(f"{own_log.name}.checkpoint.draft")
        until(lambda: makes(draft), "a moment in which there is no draft")
        new_game(1)
        until(lambda: failures(address, "sealer") > 0, "the report of the failure")
        draft.rmdir()
        seals(new_game)


@pytest.mark.ci
def test_a_silent_sealer_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = Sealer()
    silent.report()
    monkeypatch.setattr(silent, "_within_s", 0.01)
    with pytest.raises(EndedError, match="killed by its worker: no report within"):
        silent.report()


@pytest.mark.slow
def test_a_sealer_that_starts_slowly_gets_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealer, "START_WITHIN_S", 0.05)
    step = SealerStep(None)
    limits = []
    for _ in range(3):
        limits.append(step._start_within_s)
        with pytest.raises(EndedError, match="no start within"):
            step._look()
    assert limits == [0.05, 0.1, 0.2]
    step._start_within_s = 60.0
    step._look()
    assert step._start_within_s == 0.05
    started = step._sealer
    assert started is not None
    started.ask_to_end()
    with pytest.raises(EndedError, match="exit code 0"):
        all(map(attrgetter("has_started"), map(reported, repeat(started))))


def reported(sealer: Sealer) -> Sealer:
    sealer.report()
    return sealer
