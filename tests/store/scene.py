"""Processes that compete for games, and a check of what they leave."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psutil
import pytest

from games.models import Commit, Game
from games.proofs.verification import ledger_findings, verify_game
from games.store import registry
from railbird_engine import AnyRules
from tests.processes import ROOT
from tests.waiting import until


class Contender:
    """A process that plays commands."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.contender"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ,
        )

    def wait_until_ready(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def play(
        self, game: Game, plays: Sequence[tuple[Any, ...]], die: str | None = None
    ) -> list[Any] | None:
        """Return the result of each play; None if the process died."""
        self.begin(game, plays, die=die)
        return self.answers()

    def begin(
        self,
        game: Game,
        plays: Sequence[tuple[Any, ...]],
        *,
        die: str | None = None,
        freeze: bool = False,
    ) -> None:
        """Send plays without waiting for the results.

        A frozen process has already received them.
        """
        assert self._process.stdin is not None
        job = {"game": str(game.id), "plays": plays, "die": die, "freeze": freeze}
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        if freeze:
            status = psutil.Process(self._process.pid).status
            until(lambda: status() == psutil.STATUS_STOPPED, "the process to freeze")

    def thaw(self) -> None:
        """Continue a frozen process."""
        self._process.send_signal(signal.SIGCONT)

    def answers(self) -> list[Any] | None:
        """Return the results of the latest plays."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line else None

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


def assert_sound(game: Game) -> None:
    """Check that versions have no gaps, and that log, ledger and rows agree."""
    versions = list(
        Commit.objects.filter(game=game).order_by("version").values_list("version", flat=True)
    )
    assert versions == list(range(1, len(versions) + 1))
    assert verify_game(game.id).findings == []
    assert list(ledger_findings()) == []


@contextmanager
def build(*rules: AnyRules, without: str = "") -> Iterator[None]:
    """Add these rules to the registry, or remove those of a slug."""
    usual = registry.all_rules
    found: Mapping[tuple[str, int], AnyRules] = {
        key: each for key, each in usual().items() if key[0] != without
    } | {(each.slug, each.version): each for each in rules}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "all_rules", lambda: found)
        for cached in (registry.served, registry.catalogue):
            cached.cache_clear()
        yield
    for cached in (registry.served, registry.catalogue):
        cached.cache_clear()
