"""The documentation's code blocks work: each is run or checked against the schemas."""

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from uuid import uuid4

import pytest
from django.core.management import get_commands, load_command_class
from graphql import GraphQLSchema, build_schema, parse, validate

from tests import contract
from tests.waiting import WITHIN_S

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

pytestmark = pytest.mark.xdist_group("whole games")


class Block(NamedTuple):
    """A fenced block of a page. `name` follows the language after the fence."""

    page: Path
    line: int
    language: str
    name: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page: Path) -> Iterator[Block]:
    text = page.read_text()
    for found in re.finditer(r"^```(\w*) *(.*)\n((?:.*\n)*?)```$", text, re.MULTILINE):
        yield Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2], found[3])


BLOCKS = [block for page in PAGES for block in blocks_of(page)]
SHELL = [block for block in BLOCKS if block.language == "sh"]
CALLS = [block for block in SHELL if "curl" in block.text]
COMMANDS = [block for block in SHELL if "curl" not in block.text and block.page.name != "sdk.md"]


def place(block: Block) -> str:
    return block.place


def test_every_block_is_of_a_kind_that_is_run() -> None:
    assert {block.language for block in BLOCKS} <= {
        "sh",
        "diff",
        "python",
        "json",
        "text",
        "graphql",
        "mermaid",
        "typescript",
        "csharp",
    }
    assert {block.page.name for block in CALLS} >= {"index.md", "graphql.md"}


@pytest.mark.ci
@pytest.mark.parametrize("block", CALLS, ids=place)
def test_the_calls_of_a_page_succeed(address: str, block: Block) -> None:
    script = block.text.replace("127.0.0.1:8000", address).replace('"ann"', f'"{uuid4().hex[:12]}"')
    options = {"roll_ms": 1000, "pause_ms": 50, "races": 1}
    quick = json.dumps({"slug": "ready_set_bet", "options": options})
    script = script.replace('{"slug": "ready_set_bet"}', quick)
    prelude = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'
    done = subprocess.run(
        ["bash", "-c", prelude + script],
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, f"{block.place}: {done.stdout[-500:]}{done.stderr[-500:]}"


@pytest.mark.parametrize("block", COMMANDS, ids=place)
def test_the_commands_of_a_page_exist(block: Block) -> None:
    for line in block.text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if "manage.py" in " ".join(words):
            name, *arguments = words[
                next(n for n, word in enumerate(words) if word.endswith("manage.py")) + 1 :
            ]
            command = load_command_class(get_commands()[name], name)
            command.create_parser("manage.py", name).parse_args(arguments)
        elif words:
            known = (
                "git clone",
                "pip install railbird && railbird serve",
                "bin/uv run pytest",
                "SCREENSHOTS=folder bin/uv run pytest",
                "bin/uv run python -m",
                "railbird/bin/uv run --no-project",
                "bin/uv run examples/",
            )
            assert line.startswith(known), f"{block.place}: nobody has tried {line}"


OF_OPERATORS: Final = [*sorted((ROOT / "docs/operate").glob("*.md")), ROOT / "docs/upgrading.md"]


def test_pages_of_operators_name_commands_of_an_installed_server() -> None:
    text = "\n".join(page.read_text() for page in OF_OPERATORS)
    assert "manage.py" not in text.replace("bin/uv run manage.py", "")
    named = re.findall(
        r"(?:^ *|`|bin/|\b(?:web|worker|migrate) )railbird\s+([a-z][\w-]+)", text, re.MULTILINE
    )
    assert len(named) > 30
    assert {name.replace("-", "_") for name in named} <= get_commands().keys()


# The script of the quick start. Those of sdk.md run in tests/sdk.

(SCRIPT,) = [
    block for block in BLOCKS if block.language == "python" and block.page.name == "quick-start.md"
]


@pytest.mark.ci
def test_the_quick_start_runs_as_documented(address: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.text.replace('"roll_ms": 500', '"roll_ms": 50'))
    with subprocess.Popen(
        [sys.executable, script, f"http://{address}"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        cwd=tmp_path,
    ) as process:
        patience = threading.Timer(WITHIN_S, process.kill)
        patience.start()
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                if "holds" in line:
                    break
            assert "holds" in said, said[-1000:]
        finally:
            patience.cancel()
            process.kill()


def test_the_quick_start_fits_on_a_page() -> None:
    assert len(SCRIPT.text.splitlines()) < 60


# GraphQL: documents of the schema


@cache
def schema() -> GraphQLSchema:
    return build_schema((ROOT / "schema/schema.graphql").read_text())


@pytest.mark.parametrize(
    "block", [block for block in BLOCKS if block.language == "graphql"], ids=place
)
def test_the_graphql_documents_of_a_page_match_the_schema(block: Block) -> None:
    assert validate(schema(), parse(block.text)) == []


# JSON: a frame per line, or a value of a component of the OpenAPI document or of a game


@pytest.mark.parametrize(
    "block", [block for block in BLOCKS if block.language == "json"], ids=place
)
def test_the_json_of_a_page_matches_the_schemas(block: Block) -> None:
    if block.name == "frames":
        for line in block.text.splitlines():
            contract.check_frame("/ws/v1/games/01920000-0000-7000-8000-000000000000", line)
    else:
        schemas = contract.openapi()["components"]["schemas"]
        assert block.name in schemas, f"{block.place} does not say what it shows"
        validator = contract.validator(json.dumps(schemas[block.name]))
        for line in [block.text] if block.text.startswith("{\n") else block.text.splitlines():
            validator.validate(json.loads(line))
