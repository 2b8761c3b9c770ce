"""Check everything that a game must pass: `railbird-check-game SLUG`.

Its book and refusals, whole games of bots and of random players, the speed of its bots, its page
and its own tests.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.progress import track

from railbird_engine import AnyRules, Chance, RuleViolation, Seat, State
from railbird_engine.kernel import acceptance
from railbird_engine.kernel.adversaries import adversaries, check_ends
from railbird_engine.kernel.conformance import check_game
from railbird_engine.kernel.playout import (
    Player,
    Playout,
    StuckError,
    ask_bot,
    ask_random,
    bot_notices,
)
from railbird_engine.kernel.reference_pages import rewritten
from railbird_engine.new_game import CLONE
from railbird_engine.pipes import reader_may_leave
from railbird_engine.rules import BadGameError, load_rules, registry

KEYS: Final = 3
DECISION_MS_MAX: Final = 50
"""The most processor time that one decision of a bot may take, in milliseconds."""

Check = Callable[[], str | None]
"""A check may return what it found out, or raises one of `FAILURES`."""

FAILURES: Final = (AssertionError, RuleViolation, StuckError)


@reader_may_leave()
def main(arguments: Sequence[str] | None = None) -> None:
    """Print the result of each check. Exits with 1 if one fails."""
    parser = argparse.ArgumentParser(prog="railbird-check-game", description=__doc__)
    parser.add_argument("slug", help="the game, or its module if it is not installed")
    tests = "the folder of the game's tests (default: the one of this clone)"
    parser.add_argument("--tests", type=Path, metavar="DIR", help=tests)
    parser.add_argument(
        "--rewrite-page",
        action="store_true",
        help="first write the generated part of the game's page again",
    )
    asked = parser.parse_args(arguments)
    try:
        rules = newest(asked.slug)
    except BadGameError as error:
        parser.error(f"There is no game {asked.slug}: {error}.")
    page = _page_of(rules.slug, asked.tests)
    if asked.rewrite_page:
        if not page.is_file():
            parser.error(f"{page} is missing.")
        page.write_text(rewritten(page.read_text(), rules))
    if not passes(rules, asked.tests, Console()):
        sys.exit(f"{rules.slug} does not pass.")


def newest(slug: str) -> AnyRules:
    """Return the newest rules of an installed game or of a module. Raises BadGameError."""
    installed = [rules for (known, _), rules in registry().items() if known == slug]
    return max(installed or load_rules(slug), key=lambda rules: rules.version)


def passes(rules: AnyRules, tests: Path | None, console: Console) -> bool:
    """Print the result of each check, and return whether all passed."""
    failed = False
    for name, check in checks(rules, tests, console):
        try:
            found = check()
        except FAILURES as failure:
            failed = True
            reason = failure.code if isinstance(failure, RuleViolation) else str(failure)
            console.print(f"[red]✗[/] {name}: {escape(reason or type(failure).__name__)}")
        else:
            console.print(f"[green]✓[/] {name}{f': {escape(found)}' if found else ''}")
    if not failed:
        console.print(f"[bold green]{rules.slug} passes[/]")
    return not failed


def checks(rules: AnyRules, tests: Path | None, console: Console) -> Iterator[tuple[str, Check]]:
    """Yield the checks by name."""
    declared = {
        "slug and title": acceptance.check_title,
        "book": acceptance.check_book,
        "edition": acceptance.check_edition,
        "refusals": acceptance.check_refusals,
    }
    for name, declares in declared.items():
        yield name, partial(declares, rules)
    yield "whole games", partial(_conformance, rules, console)
    yield "an end for all players", partial(_ends, rules)
    yield "speed of the bots", partial(_slowest_decision, rules)
    own = CLONE / "tests" / "rules" / rules.slug
    if folder := tests or (own if own.is_dir() else None):
        yield "page", partial(_page, rules, _page_of(rules.slug, tests))
        yield "tests", partial(_tests, folder)


def _page_of(slug: str, tests: Path | None) -> Path:
    """Return the game's page: in this clone, or beside the folder of a package's tests."""
    root = CLONE if tests is None else tests.absolute().parent
    return root / "docs" / "games" / f"{slug}.md"


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


def _ends(rules: AnyRules) -> str:
    """Play one game with each of the players who want no end."""
    seats, longest, played = rules.seats[0], 0, 0
    options = msgspec.convert(rules.example_options[0], type=rules.options_type)
    for name, ask in adversaries(rules):
        playout = check_ends(rules, seats, options, name.encode(), ask)
        if playout is not None:
            played, longest = played + 1, max(longest, len(playout.commits))
    return f"{played} games of up to {longest:,} commits"


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
    for _ in Playout(rules, rules.seats[-1], options, b"speed").run(Player(timed, bot_notices)):
        pass
    found = f"the slowest decision took {slowest * 1000:.1f} ms"
    assert slowest * 1000 <= DECISION_MS_MAX, f"{found}, more than {DECISION_MS_MAX}"
    return found


def _page(rules: AnyRules, page: Path) -> None:
    assert page.is_file(), f"{page} is missing"
    text = page.read_text()
    assert text == rewritten(text, rules), "the page is not as generated: pass --rewrite-page"


def _tests(folder: Path) -> str:
    assert find_spec("pytest"), "pytest is missing: run `pip install pytest`"
    is_inside = folder.is_relative_to(CLONE)
    root = CLONE if is_inside else folder.absolute().parent
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


if __name__ == "__main__":
    main()
