"""Write a game that already plays, to be changed step by step: `railbird-new-game SLUG`.

It writes into this clone, or with `--outside DIR` a package of its own.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape

import railbird_engine
from railbird_engine.kernel.reference_pages import LINE, rewritten
from railbird_engine.pipes import reader_may_leave
from railbird_engine.rules import load_rules, registry

SKELETON: Final = Path(railbird_engine.__file__).resolve().parent / "skeleton"
CLONE: Final = SKELETON.parents[2]
IS_CLONE: Final = (CLONE / "engine" / "pyproject.toml").is_file()
SLUG: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
SLUG_LENGTH_MAX: Final = 32


@reader_may_leave()
def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files, and print what to do next. Exits with one line if it cannot."""
    parser = argparse.ArgumentParser(prog="railbird-new-game", description=__doc__)
    parser.add_argument("slug", help="the name in addresses and code, such as under_and_over")
    parser.add_argument(
        "--outside", type=Path, metavar="DIR", help="write a package into this new folder instead"
    )
    asked = parser.parse_args(arguments)
    if problem := _problem(asked.slug, asked.outside):
        parser.error(problem)
    write(asked.slug, asked.outside, Console())


def _problem(slug: str, outside: Path | None) -> str | None:
    """Return why no such game can be written."""
    if not SLUG.fullmatch(slug) or len(slug) > SLUG_LENGTH_MAX:
        return (
            f"{slug} is no slug: write small letters, digits and single underscores, "
            f"at most {SLUG_LENGTH_MAX}, such as under_and_over."
        )
    if slug in {known for known, _ in registry()}:
        return f"There is a game {slug} already: choose another slug."
    if outside is None and not IS_CLONE:
        return "This is no clone of Railbird: name a folder with --outside."
    return None


def write(slug: str, outside: Path | None, console: Console) -> None:
    """Write a game and what is generated from it. Exits if one of its files exists."""
    root = outside or CLONE
    files = dict(_outside(slug) if outside else _inside(slug))
    if taken := [str(path) for path in files if (root / path).exists()]:
        sys.exit(f"{root / taken[0]} exists: nothing was written.")
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        console.print("[green]written[/]", escape(str(root / path)), soft_wrap=True)
    _format(root, [path for path in files if path.suffix == ".py"])
    if outside is None:
        _register(root / "engine" / "pyproject.toml", slug)
        _generate(root, f"railbird_engine.rules.{slug}", f"tests.rules.{slug}", root / _page(slug))
    else:
        _generate(root, slug, "tests", root / _page(slug))
    console.print("\nIt plays. Next:", *_next(slug, outside), sep="\n    ", soft_wrap=True)


def _next(slug: str, outside: Path | None) -> list[str]:
    """Return the commands that come next."""
    if outside is None:
        return ["bin/uv sync", f"bin/uv run railbird-check-game {slug}", ".ci/regenerate"]
    check = f"railbird-check-game {slug} --tests {outside / 'tests'}"
    if IS_CLONE:
        return [f"bin/uv pip install --editable {outside}", f"bin/uv run {check}"]
    return [f"pip install --editable {outside} pytest", check]


def _format(root: Path, paths: list[Path]) -> None:
    """Sort imports and wrap lines for the new names, where ruff is installed."""
    if find_spec("ruff") is None:
        return
    for arguments in (["check", "--quiet", "--select", "I", "--fix"], ["format", "--quiet"]):
        options = ["--isolated", "--line-length", "100", *map(str, paths)]
        command = [sys.executable, "-m", "ruff", *arguments, *options]
        subprocess.run(command, cwd=root, check=True)  # noqa: S603 -- our own files


def _generate(root: Path, package: str, tests: str, page: Path) -> None:
    """Write the golden playthroughs and the generated part of the page, if it has one."""
    subprocess.run(  # noqa: S603 -- what was just written
        [sys.executable, "-m", f"{tests}.golden"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "engine")])},
        check=True,
    )
    sys.path.insert(0, str(root.absolute()))
    (rules,) = load_rules(package)
    sys.path.remove(str(root.absolute()))
    page.write_text(rewritten(page.read_text(), rules))


def _page(slug: str) -> Path:
    return Path("docs", "games", f"{slug}.md")


def _inside(slug: str) -> Iterator[tuple[Path, str]]:
    names = _names(slug, f"railbird_engine.rules.{slug}", f"tests.rules.{slug}")
    yield from _copied(Path("coin_toss"), Path("engine", "railbird_engine", "rules", slug), names)
    yield from _copied(Path("tests"), Path("tests", "rules", slug), names)
    yield _page(slug), _renamed((SKELETON / "page.md").read_text(), names)


def _outside(slug: str) -> Iterator[tuple[Path, str]]:
    names = _names(slug, slug, "tests")
    yield from _copied(Path("coin_toss"), Path(slug), names)
    yield from _copied(Path("tests"), Path("tests"), names)
    # The documentation site generates the part below the line for games of the catalogue.
    yield _page(slug), _renamed((SKELETON / "page.md").read_text(), names) + "\n" + LINE
    text = (SKELETON / "pyproject.toml.txt").read_text()
    yield Path("pyproject.toml"), _renamed(text, names)


def _names(slug: str, package: str, tests: str) -> Mapping[str, str]:
    """Return what replaces the names of the skeleton, the longest first."""
    words = slug.split("_")
    title = " ".join(words).capitalize()
    return {
        "railbird_engine.skeleton.coin_toss": package,
        "railbird_engine.skeleton.tests": tests,
        "Pile ou face": title,
        "Coin toss": title,
        "coin toss": title,
        "coin_toss": slug,
        "coin-toss": slug.replace("_", "-"),
        "CoinToss": "".join(word.capitalize() for word in words),
    }


def _copied(folder: Path, target: Path, names: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    for path in sorted((SKELETON / folder).rglob("*")):
        if path.suffix in {".py", ".md"}:
            yield target / path.relative_to(SKELETON / folder), _renamed(path.read_text(), names)


def _renamed(text: str, names: Mapping[str, str]) -> str:
    # `CoinTossed` is an event of every coin, not a name of the game.
    pattern = "|".join(map(re.escape, names))
    return re.sub(rf"(?:{pattern})(?!ed)", lambda found: names[found[0]], text)


def _register(path: Path, slug: str) -> None:
    """Add the entry point of a game of this clone."""
    head, group, rest = path.read_text().partition('[project.entry-points."railbird.games"]\n')
    entries, _, tail = rest.partition("\n\n")
    lines = sorted([*entries.splitlines(), f'{slug} = "railbird_engine.rules.{slug}"'])
    path.write_text(head + group + "\n".join(lines) + "\n\n" + tail)


if __name__ == "__main__":
    main()
