"""Generate the client code from `schema/`: `python -m sdk.generate [--check]`.

Established generators write the types. The operations are generated here from the OpenAPI document:
each needs one line per language, where client generators write thousands.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Final

from sdk.documents import Documents, UnsupportedError, document, games_of
from sdk.generate_csharp import csharp_game, pascal
from sdk.generate_python import PYTHON, python_files, python_game
from sdk.generate_typescript import TYPESCRIPT, typescript_files, typescript_game

ROOT: Final = Path(__file__).parent.parent


def wanted_files() -> dict[Path, str]:
    """Return the expected content of all generated files of the repository: all but C#."""
    documents = Documents()
    python = {path: _formatted(path, text) for path, text in python_files(documents)}
    return python | dict(typescript_files(documents))


def game_files(where: str, folder: Path) -> dict[Path, str]:
    """Return the types of all games in an OpenAPI document, for a folder per language."""
    files: dict[Path, str] = {}
    for slug, schemas in games_of(document(where)).items():
        python = folder / "python" / f"{slug}.py"
        files[python] = _formatted(python, python_game(slug, schemas, where))
        files[folder / "typescript" / f"{slug}.ts"] = typescript_game(slug, schemas, where)
        files[folder / "csharp" / f"{pascal(slug)}.cs"] = csharp_game(slug, schemas, where)
    if not files:
        raise UnsupportedError(f"{where} describes no games")
    return files


def _formatted(path: Path, text: str) -> str:
    """Format Python code with ruff, like all other files."""
    for arguments in (["check", "--fix", "--quiet", "--exit-zero"], ["format", "--quiet"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--stdin-filename", str(path), "-"]
        text = subprocess.run(  # noqa: S603
            command, input=text, capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout
    return text


def main() -> int:
    """Write outdated files; with --check only report them and return 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 if a file is outdated",
    )
    parser.add_argument(
        "--schema",
        metavar="FILE_OR_URL",
        help="write the types of the games in this OpenAPI document: a file, or /api/schema/ of a "
        "server",
    )
    parser.add_argument("--output", type=Path, help="the folder for --schema")
    asked = parser.parse_args()
    if bool(asked.schema) != bool(asked.output) or (asked.schema and asked.check):
        parser.error("--schema and --output belong together, without --check")
    try:
        return write_games(asked.schema, asked.output) if asked.schema else write(asked.check)
    except UnsupportedError as unsupported:
        print(f"sdk.generate: {unsupported}", file=sys.stderr)  # noqa: T201
        return 1


def write_games(where: str, folder: Path) -> int:
    """Write the types of the games of a server, and print the names of the files."""
    for path, text in game_files(where, folder).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(path)  # noqa: T201
    return 0


def write(check: bool) -> int:
    """Write the files of this clone."""
    wanted = wanted_files()
    found = {*(PYTHON / "games").glob("[a-z]*.py"), *(TYPESCRIPT / "games").glob("*.ts")}
    stale = sorted(found - wanted.keys())
    changed = [
        path for path, text in wanted.items() if not path.exists() or path.read_text() != text
    ]
    names = ", ".join(str(path.relative_to(ROOT)) for path in [*changed, *stale])
    if check and names:
        print(  # noqa: T201
            f"Outdated: {names}. Run `python -m sdk.generate` and commit.",
            file=sys.stderr,
        )
        return 1
    for path in changed:
        path.parent.mkdir(exist_ok=True)
        path.write_text(wanted[path])
    for path in stale:
        path.unlink()
    print(f"{len(wanted)} files, {len(changed) + len(stale)} changed.")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
