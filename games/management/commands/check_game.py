"""`manage.py check_game SLUG`: check everything that a game must pass."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, Final

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.markup import escape
from rich.progress import track

from games.store.registry import newest_rules
from kit import installation
from kit.problems import Problem
from railbird_engine import (
    AnyRules,
    Chance,
    RuleViolation,
    Seat,
    State,
)
from railbird_engine.kernel import acceptance
from railbird_engine.kernel.conformance import check_game
from railbird_engine.kernel.playout import Playout, Stuck, ask_bot, ask_random
from railbird_engine.kernel.reference_pages import rewritten

KEYS: Final = 3
DECISION_MS_MAX: Final = 50
"""The most processor time that one decision of a bot may take, in milliseconds."""

Check = Callable[[], str]
"""A check returns what it found out, or raises one of `FAILURES`."""

FAILURES: Final = (AssertionError, RuleViolation, Stuck)


class Command(BaseCommand):
    help = (
        "Check a game: its book and refusals, whole games of bots and of random players, the "
        "speed of its bots, its page and its own tests."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the game")
        tests = "the folder of the game's tests (default: the one of this clone)"
        parser.add_argument("--tests", type=Path, metavar="DIR", help=tests)
        parser.add_argument(
            "--rewrite-page",
            action="store_true",
            help="first write the generated part of the game's page again",
        )

    def handle(
        self, *args: Any, slug: str, tests: Path | None, rewrite_page: bool, **options: Any
    ) -> None:
        try:
            rules = newest_rules(slug)
        except Problem as problem:
            raise CommandError(f"{problem.code}: {problem.data}") from problem
        console, failed = Console(), False
        page = _page_of(slug, tests)
        if rewrite_page:
            if not page.is_file():
                raise CommandError(f"{page} is missing.")
            page.write_text(rewritten(page.read_text(), rules))
        for name, check in checks(rules, tests, console):
            try:
                found = check()
            except FAILURES as failure:
                failed = True
                reason = failure.code if isinstance(failure, RuleViolation) else str(failure)
                console.print(f"[red]✗[/] {name}: {escape(reason or type(failure).__name__)}")
            else:
                console.print(f"[green]✓[/] {name}{f': {escape(found)}' if found else ''}")
        if failed:
            raise CommandError(f"{slug} does not pass.")
        console.print(f"[bold green]{slug} passes[/]")


def checks(rules: AnyRules, tests: Path | None, console: Console) -> Iterator[tuple[str, Check]]:
    """Yield the checks by name."""
    declared = {
        "slug and title": acceptance.check_title,
        "book": acceptance.check_book,
        "edition": acceptance.check_edition,
        "refusals": acceptance.check_refusals,
    }
    for name, declares in declared.items():
        yield name, partial(_declared, declares, rules)
    yield "whole games", lambda: _conformance(rules, console)
    yield "speed of the bots", lambda: _slowest_decision(rules)
    own = installation.FOLDER / "tests" / "rules" / rules.slug
    if folder := tests or (own if own.is_dir() else None):
        yield "page", lambda: _page(rules, _page_of(rules.slug, tests))
        yield "tests", lambda: _tests(folder)


def _page_of(slug: str, tests: Path | None) -> Path:
    """Return the game's page: in this clone, or beside the folder of a package's tests."""
    root = installation.FOLDER if tests is None else tests.absolute().parent
    return root / "docs" / "games" / f"{slug}.md"


def _declared(check: Callable[[AnyRules], None], rules: AnyRules) -> str:
    check(rules)
    return ""


def _conformance(rules: AnyRules, console: Console) -> str:
    """Play games with each number of seats, by bots and at random."""
    options = [msgspec.convert(chosen, type=rules.options_type) for chosen in rules.example_options]
    plan = list(product(rules.seats, options, (ask_bot, ask_random), range(KEYS)))
    commits = 0
    for seats, chosen, ask, number in track(plan, "whole games", console=console, transient=True):
        try:
            playout = check_game(rules, seats, chosen, b"check %d" % number, ask=ask)
        except RuleViolation as violation:
            if violation.code == "wrong_number_of_seats":
                continue  # not every example suits every table
            raise
        commits += len(playout.commits)
    return f"{len(plan)} games, {commits:,} commits"


def _slowest_decision(rules: AnyRules) -> str:
    slowest = 0.0

    def timed(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
        nonlocal slowest
        view, legal = rules.view(state, seat), rules.legal(state, seat)
        started = time.thread_time()
        command = rules.bot(view, legal, chance)
        slowest = max(slowest, time.thread_time() - started)
        return command

    options = msgspec.convert(rules.example_options[0], type=rules.options_type)
    for _ in Playout(rules, rules.seats[-1], options, b"speed").run(timed):
        pass
    found = f"the slowest decision took {slowest * 1000:.1f} ms"
    assert slowest * 1000 <= DECISION_MS_MAX, f"{found}, more than {DECISION_MS_MAX}"
    return found


def _page(rules: AnyRules, page: Path) -> str:
    assert page.is_file(), f"{page} is missing"
    text = page.read_text()
    assert text == rewritten(text, rules), "the page is not as generated: pass --rewrite-page"
    return ""


def _tests(folder: Path) -> str:
    assert find_spec("pytest"), "pytest is missing: run `pip install pytest`"
    is_inside = folder.is_relative_to(installation.FOLDER)
    root = installation.FOLDER if is_inside else folder.absolute().parent
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--noconftest"]
    # Rules need no server, which the other tests of this clone start.
    command += ["-n0"] if is_inside else []
    done = subprocess.run(  # noqa: S603 -- the game's own tests
        [*command, str(folder.absolute().relative_to(root))],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stdout.strip().rpartition("\n")[2]
    assert done.returncode == 0, f"{done.stdout[-2000:]}{done.stderr[-500:]}"
    return last
