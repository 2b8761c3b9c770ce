"""The documents agree with the tree: files that they name, lists that they count, decisions."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Final

import markdown  # type: ignore[import-untyped]  # it has no types
import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
NOT_TODAY: Final = ("CHANGELOG.md", "docs/adr/", "bench/")
"""Pages that name files of earlier states of the tree."""

WRITTEN: Final = re.compile(
    r"(?:[a-z_]+/)+[\w.-]+\.(?:css|html|json|md|mts|pl|py|sh|toml|ts|yaml|yml)"
)
"""A path from the root of the repository to one file."""

FOLDERS: Final = {path.name for path in ROOT.iterdir() if path.is_dir()}


def pages() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_every_file_that_a_page_names_exists() -> None:
    missing = []
    for page in (name for name in pages() if not name.startswith(NOT_TODAY)):
        for span in re.findall(r"`([^`\n]+)`", (ROOT / page).read_text()):
            is_path = WRITTEN.fullmatch(span) and span.split("/")[0] in FOLDERS
            # Pages of a package also name files relative to themselves.
            if is_path and not any((at / span).exists() for at in (ROOT, (ROOT / page).parent)):
                missing.append(f"{page}: {span}")
    assert missing == []


def test_no_page_counts_files_in_words() -> None:
    """The tables list them; a number beside the table would go stale."""
    for page in ("AGENTS.md", "docs/architecture.md"):
        counted = re.findall(
            r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) files\b",
            (ROOT / page).read_text(),
        )
        assert counted == [], page


def test_the_architecture_lists_the_layers_of_the_import_linter() -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    contracts = [each for each in tool["importlinter"]["contracts"] if each["type"] == "layers"]
    layers = {name for each in contracts for line in each["layers"] for name in line.split(" | ")}
    page = (ROOT / "docs/architecture.md").read_text()
    section = page.partition("## Layers")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(.+?)`", row)} == layers - {"games"}


def test_the_index_lists_every_decision_with_its_status() -> None:
    folder = ROOT / "docs/adr"
    expected = []
    for path in sorted(folder.glob("0*.md")):
        found = re.match(r"# (\d+)\. (.+)\n\n\*\*Status\.\*\* (.+)\.\n", path.read_text())
        assert found is not None, f"{path.name}: a number, a decision and a status come first"
        number, decision, status = found.groups()
        assert path.name.startswith(f"{int(number):04}-")
        assert re.fullmatch(
            r"Accepted|(?:Amended|Superseded) by \[\d+\]\(\d{4}-[a-z-]+\.md\)", status
        )
        for successor in re.findall(r"\((.+?)\)", status):
            assert (folder / successor).is_file()
        note = "" if status == "Accepted" else f" ({status[0].lower()}{status[1:]})"
        expected.append(f"{number}. [{decision}]({path.name}){note}")
    page = (folder / "index.md").read_text()
    assert re.findall(r"^\d+\. .+", page, re.MULTILINE) == expected


@pytest.mark.parametrize("name", [it for it in pages() if it.startswith("docs/")])
def test_each_item_of_a_list_is_one_item_of_the_built_page(name: str) -> None:
    source = (ROOT / name).read_text()
    html = markdown.markdown(source, extensions=["tables", "pymdownx.superfences"])
    text = re.sub(r"^ *```.*?^ *```$", "", source, flags=re.MULTILINE | re.DOTALL)
    assert html.count("<li>") == len(re.findall(r"^ *(?:\d+\.|[-*]) ", text, re.MULTILINE))
    # A paragraph inside an item that is indented too little ends the list, and another begins.
    first = re.findall(r"^(\d+)\. ", text, re.MULTILINE).count("1")
    assert html.count("<ol>") == first


def test_the_change_that_the_first_day_shows_is_in_the_tree() -> None:
    shown = re.search(
        r"^```diff\n(.*?)^```$", (ROOT / "docs/first-day.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert shown is not None
    patch = re.sub(r"^$", " ", shown[1].rstrip("\n"), flags=re.MULTILINE) + "\n"
    applied = subprocess.run(
        ["git", "apply", "--reverse", "--check", "-p0", "-C0", "-"],
        cwd=ROOT,
        input=patch,
        capture_output=True,
        text=True,
        check=False,
    )
    assert applied.returncode == 0, applied.stderr
