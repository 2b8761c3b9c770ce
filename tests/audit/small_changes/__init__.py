"""Small changes to honest files, mostly of form, with the exit code of the verifiers.

0 is verified, 1 diverged, 2 unreadable.
"""

from typing import Final

from tests.audit.small_changes.beginnings import in_geneses
from tests.audit.small_changes.commits import (
    in_bets,
    in_bodies,
    in_draws,
    in_what_the_server_commits,
)
from tests.audit.small_changes.forms import in_bundles, in_lines, in_notes, in_receipts
from tests.audit.small_changes.signatures import in_signatures

SMALL_CHANGES: Final = (
    in_lines,
    in_notes,
    in_receipts,
    in_geneses,
    in_bodies,
    in_draws,
    in_bets,
    in_what_the_server_commits,
    in_bundles,
    in_signatures,
)
