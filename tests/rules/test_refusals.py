"""Each game lists exactly the codes with which it rejects commands."""

import ast
import sys
from pathlib import Path

import pytest

from games.engine import AnyRules
from games.engine.contract import ENGINE_REFUSALS
from games.rules import registry


@pytest.mark.parametrize(
    "rules", registry().values(), ids=lambda rules: f"{rules.slug} {rules.version}"
)
def test_a_game_lists_its_refusals(rules: AnyRules) -> None:
    folder = Path(str(sys.modules[type(rules).__module__].__file__)).parent
    raised = {code for path in folder.glob("*.py") for code in refusals_in(path)}
    assert raised - ENGINE_REFUSALS == rules.refusals - ENGINE_REFUSALS


def refusals_in(path: Path) -> set[str]:
    """Return the codes with which a module rejects commands."""
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
