"""Both verifiers agree on generated files: the same verdict, and the same game, version and field
of a divergence."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path

import pytest

from tests.audit.corpus import File, corpus
from tests.audit.every_field import every_field
from tests.audit.verdicts import of_python, of_typescript, said

BATCH = 250
RULES_KNOW = {
    "command",
    "alarm",
    "events",
    "draws",
    "transfers",
    "body",
    "options",
    "end",
    "ranking",
    "purses",
    "commit",
}
"""Fields of a bundle that only the rules of a game can check: the second verifier does not know
the rules and may accept them."""


def version_in(verdict: str) -> int:
    found = re.search(r"version (\d+)", verdict)
    return int(found[1]) if found else 2**31


def is_left_to_the_rules(file: File, python: str, typescript: str) -> bool:
    """Whether only the rules reveal the first verifier's finding, and the second found none
    before it."""
    if python == "needs rules":
        return True
    is_bundle = b'"type":"bundle"' in file.content[:20_000]
    by_rules = is_bundle and python.rpartition(": ")[2] in RULES_KNOW
    return (
        by_rules
        and typescript != "cannot be read"
        and (typescript == "verified" or version_in(typescript) >= version_in(python))
    )


def disagreements(folder: Path, files: Sequence[File]) -> dict[str, tuple[str, str]]:
    _, answers = said(folder, {file.name: file.content for file in files})
    found = {}
    for file in files:
        python, typescript = of_python(file.content), of_typescript(answers[file.name])
        if python != typescript and not is_left_to_the_rules(file, python, typescript):
            found[file.name] = (python, answers[file.name])
    return found


@pytest.mark.ci
def test_both_verifiers_agree_on_some_files(tmp_path: Path) -> None:
    assert disagreements(tmp_path, list(corpus(300))) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "files", [lambda: corpus(5000), every_field], ids=["5000 random ones", "each field"]
)
def test_both_verifiers_agree_on_many_files(
    files: Callable[[], Iterator[File]], tmp_path: Path
) -> None:
    left = files()
    for number in count():
        if not (batch := list(islice(left, BATCH))):
            return
        folder = tmp_path / str(number)
        folder.mkdir()
        assert disagreements(folder, batch) == {}
        for path in folder.iterdir():
            path.unlink()
