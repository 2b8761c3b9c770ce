"""Each ruling has a test, and the README lists every refusal."""

import ast
import re
from pathlib import Path

from games.rules.ascot import rules

FOLDER = Path(rules.__file__).parent


def test_every_ruling_has_a_test_that_names_it() -> None:
    text = "".join(
        path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")
    )
    named = {f"A{int(number)}" for number in re.findall(r"^def test_a(\d\d)_", text, re.MULTILINE)}
    rulings = set(
        re.findall(
            r"^\| (A\d+) \|", (FOLDER / "RULINGS.md").read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    assert named == rulings == {f"A{number}" for number in range(1, 48)}


def test_the_readme_lists_every_refusal() -> None:
    raised = {code for path in FOLDER.glob("*.py") for code in refusals_in(path)}
    section = (
        (FOLDER / "README.md")
        .read_text(encoding="utf-8")
        .split("**Refusals.**")[1]
        .split("**Commands")[0]
    )
    listed = re.findall(r"`(\w+)`", section)
    assert len(listed) == len(set(listed))
    assert set(listed) == raised


def refusals_in(path: Path) -> set[str]:
    """The codes that a module refuses with."""
    codes = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"require", "RuleViolation"}
        ):
            code = node.args[1 if node.func.id == "require" else 0]
            if isinstance(code, ast.Constant):
                codes.add(str(code.value))
    return codes
