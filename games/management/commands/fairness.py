"""`manage.py fairness`: test whether the draws of ended games are random."""

import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser
from rich.console import Console
from rich.progress import track
from rich.table import Table

from games.management.printing import plain_console
from games.models import Game, Head
from games.proofs import fairness
from games.store.commits import store
from games.store.rows import StoredCommit
from kit import event_loop
from kit.problems import Problem
from railbird_engine import Draw
from railbird_engine.kernel import chain

ALL = "all games"


class Command(BaseCommand):
    help = (
        "Test the draws of ended games for bias and order; exit code 1 if one cannot be read. "
        "`verify_all` repeats the draws of each game from its seed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", metavar="SLUG", help="only games with these rules")

    def handle(self, *args: Any, game: str | None, **options: Any) -> None:
        games = Game.objects.exclude(head__ended=Head.Ended.NO).order_by("id")
        if game is not None:
            games = games.filter(slug=game)
        by_game: defaultdict[str, fairness.Tallies] = defaultdict(fairness.Tallies)
        overall = fairness.Tallies()
        total = games.count()
        unreadable = []
        console = plain_console()
        rows = track(
            games.iterator(200),
            "Reading games",
            total,
            console=console,
            disable=not console.is_terminal,
        )
        for row in rows:
            try:
                found = list(_draws(row))
            except Problem as problem:
                unreadable.append(f"{row.id}: {problem.code}")
                continue
            by_game[row.slug].add(found)
            overall.add(found)
        groups = {slug: tallies.samples() for slug, tallies in sorted(by_game.items())}
        if len(groups) > 1:
            groups[ALL] = overall.samples()
        _show(console, fairness.corrected(groups))
        console.print(f"{total - len(unreadable)} games, {overall.draws} draws")
        for one in unreadable:
            console.print(f"game {one}: it cannot be read, and is left out", style="red")
        if unreadable:
            sys.exit(1)


def _draws(game: Game) -> Iterator[Draw]:
    """Yield the draws of a game, archived or not. Raises Problem `archive_damaged`,
    `history_damaged`, `unavailable`."""
    after = 0
    while commits := event_loop.call(_commits(game.id, after)):
        for commit in commits:
            yield from chain.decode_body(commit.body).draws
        after = commits[-1].version


async def _commits(game: UUID, after: int) -> list[StoredCommit]:
    return await store().commits(game, after)


def _show(console: Console, groups: dict[str, list[fairness.Sample]]) -> None:
    table = Table(
        "game",
        "of",
        "draws",
        "test",
        "p",
        "p, corrected",
        "detectable bias",
        title="Draws",
    )
    for name, samples in groups.items():
        for sample in samples:
            for test in sample.tests:
                odd = "red" if test.holm < fairness.ALPHA else ""
                shown = f"{sample.visible_bias:.1%}" if test.name == "faces" else ""
                columns = (
                    name,
                    str(sample.bound),
                    str(sample.draws),
                    test.name,
                    f"{test.p:.4f}",
                    f"{test.holm:.3f}",
                    shown,
                )
                table.add_row(*columns, style=odd)
    console.print(table)
