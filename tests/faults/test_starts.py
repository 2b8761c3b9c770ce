"""Starts of games while the sealer with its cosigner, or a witness, is killed in each step: each
ends in a game, or in an abandoned attempt whose log entry and events say for what it waited."""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import pytest
from django.test import override_settings

from accounts.models import User
from games import lobbies
from games.lobbies import attempts
from games.log.sealing import Sealer
from games.models import Game, Lobby, LogEntry, RoomEvent
from games.play import corrections
from games.proofs.verification import verify_game
from gameserver.processes.children import Child
from kit import event_loop
from kit.problems import Problem
from railbird_engine.kernel.chain import Kind
from tests.builders import NewUser
from tests.lobbies.scene import committed, current, reveal
from tests.log.scene import WitnessProcess, check_whole_log, logged
from tests.processes import running, sealers, worker
from tests.waiting import until

STEPS: Final = ("", "committing", "revealing", "beginning")
PAUSES_S: Final = (0.0, 0.3)
"""How long after the beginning of its step something is killed, so that it is within the work of
the step, or between two."""
TABLE: Final = lobbies.LobbyChoices(slug="free_spots")


class Start(NamedTuple):
    """An attempt to start a game of one player, who adds entropy."""

    host: User
    lobby: Lobby
    entropy: bytes

    @property
    def kinds(self) -> Sequence[Kind]:
        """The kinds of its entries in the log."""
        return [entry.kind for entry in logged(self.lobby)]

    @property
    def has_ended(self) -> bool:
        """Whether the log has the game, or that there is none."""
        return not {Kind.STARTED, Kind.ABANDONED}.isdisjoint(self.kinds)

    def go_on(self) -> None:
        """Do what the table awaits of the host now, if it awaits anything."""
        lobby = current(self.lobby)
        with suppress(Problem):  # too late: the attempt has ended meanwhile
            if lobby.log_name == self.lobby.log_name and lobby.status == Lobby.Status.OPEN:
                lobbies.start(self.host, lobby.id)
            elif lobby.log_name == self.lobby.log_name and lobby.stage == "revealing":
                reveal(self.host, lobby, self.entropy)

    def reaches(self, stage: str) -> None:
        """Wait until the start is at a stage."""
        until(lambda: current(self.lobby).stage == stage, f"the stage {stage}")

    def check(self) -> bool:
        """Check that the log has all steps, or all up to the one that an abandoned attempt names.
        Return whether it is abandoned."""
        kinds, steps = self.kinds, [Kind.OPENED, Kind.COMMITTED, Kind.REVEALED]
        if Kind.ABANDONED not in kinds:
            assert kinds[:4] == [*steps, Kind.STARTED]
            return False
        *before, last = kinds
        assert (before, last) == (steps[: len(before)], Kind.ABANDONED)
        facts = [
            (each.kind, msgspec.json.decode(bytes(each.body)))
            for each in RoomEvent.objects.filter(lobby=self.lobby).order_by("version")
        ]
        (ended,) = (place for place, fact in enumerate(facts) if fact[0] == "attempt_abandoned")
        (*_, waits) = (fact for kind, fact in facts[:ended] if kind == "start_due")
        assert STEPS.index(waits["stage"]) in {len(before), len(before) + 1}
        return True


def begun(host: User) -> Start:
    lobby = current(lobbies.create(host, TABLE))
    return Start(host, lobby, committed(host, lobby))


def finish(starts: Sequence[Start]) -> None:
    def have_ended() -> bool:
        for start in starts:
            start.go_on()
        return all(start.has_ended for start in starts)

    until(have_ended, "the end of all starts")


def play_again(abandoned: Sequence[Start]) -> None:
    """Start again until every table has a game: on a busy machine the log may be too late again, or
    the host, whose table then closes."""
    while abandoned:
        tables = [start._replace(lobby=current(start.lobby)) for start in abandoned]
        again = [
            start._replace(entropy=committed(start.host, start.lobby))
            for start in tables
            if start.lobby.status == Lobby.Status.OPEN
        ]
        finish(again)
        abandoned = [start for start in again if start.check()]


@pytest.mark.slow
@pytest.mark.parametrize("pause_s", PAUSES_S)
@pytest.mark.parametrize("victim", ["sealer", "witness", "witness that stays away"])
def test_a_start_whose_server_or_witness_is_killed_ends(
    own_log: Path,
    new_user: NewUser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    victim: str,
    pause_s: float,
) -> None:
    stays_away = victim == "witness that stays away"
    # However long a busy machine takes.
    monkeypatch.setattr(attempts, "REVEAL_S", dict.fromkeys(Lobby.Pace, 900))
    if not stays_away:
        monkeypatch.setattr(attempts, "LOG_S", 900)
    Sealer().seal()
    witness = WitnessProcess(tmp_path, "a")
    environment = {
        "LOG_KEY_FILE": str(own_log),
        "WITNESSES": f"{witness.key.text} {witness.address}",
        "START_WITNESSES": witness.key.name,
    }
    named = {"WITNESSES": [(witness.key, witness.address)], "START_WITNESSES": [witness.key]}
    try:
        with override_settings(**named, WITNESS_QUORUM=1), running(worker(environment)) as child:
            starts = [begun(new_user()) for _ in STEPS]
            _, committing, revealing, beginning = starts
            for start in (revealing, beginning):
                start.go_on()
                start.reaches("revealing")
            committing.go_on()
            beginning.go_on()
            time.sleep(pause_s)
            end(victim, child, witness)
            if victim == "witness":
                witness.start()
            finish(starts)
            abandoned = [start for start in starts if start.check()]
            if stays_away:
                assert len(abandoned) >= 3, "those that had not begun to wait for its bytes"
                witness.start()
                play_again(abandoned)
            else:
                assert not abandoned
            games = Game.objects.filter(lobby__in=[start.lobby for start in starts])
            closed = [each for each in starts if current(each.lobby).status == "closed"]
            assert len(games) + len(closed) == len(STEPS)
            for game in games:
                event_loop.call(corrections.void(game.id, "The test is over."))
            ended = LogEntry.objects.filter(name__in=games.values("log_name"), kind=Kind.VOIDED)
            until(lambda: ended.count() == len(games), "the seal of the ends")
    finally:
        witness.close()
    check_whole_log()
    assert [each for game in games for each in verify_game(game.id).findings] == []


def end(victim: str, worker: Child, witness: WitnessProcess) -> None:
    if victim == "sealer":
        (process,) = sealers(worker)
        process.kill()
    else:
        witness.kill()
