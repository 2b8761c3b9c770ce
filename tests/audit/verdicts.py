"""The verdict of each verifier on a file as an exit code: 0 verified, 1 diverged, 2 unreadable."""

import io

from railbird_engine.audit.divergence import Diverged
from railbird_engine.audit.verify import Unreadable, verify
from tests.audit.honest import SIGNER, rules_of


def verdict_of_python(content: bytes) -> int:
    try:
        verify(io.BytesIO(content), rules_of, trusted=[SIGNER.verifier])
    except Diverged:
        return 1
    except Unreadable:
        return 2
    return 0


def verdict_of(answer: str) -> int:
    """The verdict in a line that a verifier of another language printed."""
    if answer.startswith("verified: "):
        return 0
    return 2 if answer.startswith("cannot be read: ") else 1
