"""The hash of a game's code is what find, sort and sha256sum give anyone who has the files."""

import marshal
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from railbird_engine import AnyRules
from railbird_engine.kernel.code import code_hash, package_of
from railbird_engine.rules import load_rules, registry

ENGINE = Path(__file__).parents[2] / "engine"

SHELL = (
    "find railbird_engine/kernel {} -type f ! -path '*/__pycache__/*' ! -path '*/.*' "
    "| LC_ALL=C sort | xargs sha256sum | sha256sum"
)
EVERY = [*registry().values(), *load_rules("railbird_engine.skeleton.coin_toss")]


@pytest.mark.parametrize("rules", EVERY, ids=[rules.slug for rules in EVERY])
def test_a_shell_computes_the_same_hash(rules: AnyRules) -> None:
    folder = package_of(rules).replace(".", "/")
    printed = subprocess.run(
        SHELL.format(folder), shell=True, cwd=ENGINE, capture_output=True, text=True, check=True
    ).stdout
    assert printed.split()[0] == code_hash(rules)


def test_games_have_different_hashes() -> None:
    assert len({code_hash(rules) for rules in EVERY}) == len({package_of(each) for each in EVERY})


def test_compiled_code_that_is_not_that_of_the_source_is_refused(tmp_path: Path) -> None:
    """Python imports it without a look at the source, under all three kinds of compiled files."""
    package = tmp_path / "evil_rules"
    package.mkdir()
    source = package / "__init__.py"
    run = [sys.executable, "-c", "import evil_rules\n" + CHECK]
    for mode in py_compile.PycInvalidationMode:
        source.write_text("GOOD = 1\n")
        compiled = Path(py_compile.compile(str(source), invalidation_mode=mode) or "")
        honest = compiled.read_bytes()
        ignored = honest[:4] + b"\0" * 12 + EVIL  # as left by an earlier release
        for content, expected in ((honest, 0), (ignored, 0), (honest[:16] + EVIL, 1)):
            compiled.write_bytes(content)
            done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert done.returncode == expected, done.stderr
            assert (f"{compiled} is not the compiled" in done.stderr) == bool(expected)


def test_compiled_code_of_a_module_that_is_imported_later_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "evil_rules"
    package.mkdir()
    for name in ("__init__.py", "later.py"):
        (package / name).write_text("GOOD = 1\n")
    compiled = Path(py_compile.compile(str(package / "later.py")) or "")
    compiled.write_bytes(compiled.read_bytes()[:16] + EVIL)
    run = [sys.executable, "-c", "import evil_rules\n" + CHECK]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{compiled} is not the compiled" in done.stderr


CHECK = "from railbird_engine.kernel.code import check_compiled; check_compiled('evil_rules')"
EVIL = marshal.dumps(compile("EVIL = 1\n", "__init__.py", "exec"))
