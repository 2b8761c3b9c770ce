"""`manage.py fairness`: test whether the draws of ended games are random and match their seeds."""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser
from django.template.loader import render_to_string
from django.utils import timezone
from rich.console import Console
from rich.progress import track
from rich.table import Table

from games.management.printing import plain_console
from games.models import Game, Head
from games.proofs import fairness
from games.store import seeds
from games.store.commits import store
from games.store.rows import StoredCommit
from kit import event_loop
from kit.encryption import AlteredError
from kit.problems import Problem
from railbird_engine import Draw, SeededChance
from railbird_engine.kernel import chain

ALL = "all games"


class Command(BaseCommand):
    help = (
        "Test the draws of ended games for bias and order, and repeat a sample; "
        "exit code 1 if one differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", metavar="SLUG", help="only games with these rules")
        parser.add_argument("--html", type=Path, metavar="FILE", help="write a report with plots")
        parser.add_argument(
            "--sample",
            type=int,
            default=100,
            metavar="N",
            help="draw this many games again (default 100)",
        )

    def handle(
        self, *args: Any, game: str | None, html: Path | None, sample: int, **options: Any
    ) -> None:
        games = (
            Game.objects.exclude(head__ended=Head.Ended.NO).select_related("lobby").order_by("id")
        )
        if game is not None:
            games = games.filter(slug=game)
        by_game: defaultdict[str, fairness.Tallies] = defaultdict(fairness.Tallies)
        overall = fairness.Tallies()
        total = games.count()
        step = max(1, total // max(1, sample))
        drawn_again, wrong, unreadable = 0, [], []
        console = plain_console()
        rows = track(
            games.iterator(200),
            "Reading games",
            total,
            console=console,
            disable=not console.is_terminal,
        )
        for number, row in enumerate(rows):
            try:
                found = list(_draws(row))
            except Problem as problem:
                unreadable.append(f"{row.id}: {problem.code}")
                continue
            by_game[row.slug].add(found)
            overall.add(found)
            if number % step == 0 and drawn_again < sample:
                drawn_again += 1
                if not _same(row, found):
                    wrong.append(str(row.id))
        groups = {slug: tallies.samples() for slug, tallies in sorted(by_game.items())}
        groups = fairness.corrected(
            {**groups, **({ALL: overall.samples()} if len(groups) > 1 else {})}
        )
        total -= len(unreadable)
        _show(console, groups)
        console.print(
            f"{total} games, {overall.draws} draws; {drawn_again} games drawn again "
            "from their seeds",
        )
        if html is not None:
            context = fairness.report(groups) | {
                "games": total,
                "draws": overall.draws,
                "drawn_again": drawn_again,
                "wrong": wrong,
                "at": timezone.now(),
            }
            html.write_text(render_to_string("games/fairness.html", context))
            console.print(f"report written to {html}")
        for one in wrong:
            console.print(f"game {one}: its seed does not give its draws", style="red")
        for one in unreadable:
            console.print(f"game {one}: it cannot be read, and is left out", style="red")
        if wrong or unreadable:
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


def _same(game: Game, draws: list[Draw]) -> bool:
    """Whether the seed matches the published hash and yields these draws."""
    opening = chain.decode_genesis(bytes(game.genesis))
    try:
        seed = seeds.seed_of(game.lobby)
    except AlteredError:
        return False
    if opening.seed_hash != chain.seed_hash(seed):
        return False
    chance = SeededChance(chain.key_of(seed, opening))
    return all(
        draw.number == number and chance.below(draw.bound) == draw.value
        for number, draw in enumerate(draws)
    )


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
