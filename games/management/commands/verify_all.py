"""`manage.py verify_all`: compare everything that the database says with what the log signed.

Every column of a history is bound by the log, derived from one that is, or listed by `--unbound`
with the reason why nothing stands behind it.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, Final

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import track

from accounts.models import Account, Transfer
from games.management.printing import plain_console
from games.models import Game, Lobby
from games.proofs.columns import UNBOUND
from games.proofs.everything import Noted, count_steps, skipped, steps
from games.proofs.findings import Finding

UNREAD: Final = {
    "seed_key_missing": "SEED_KEY_FILE lacks keys of the seeds",
    "rules_missing": "this build lacks rules, see `rules --needed`",
    "unavailable": "a service did not answer",
    "busy": "the server was busy",
}
"""Why a game could not be read here, which proves nothing about it."""
NOT_VERIFIED: Final = 3


class Command(BaseCommand):
    help = (
        "Verify the log, the ledger, operators' actions, and every lobby with its game, from the "
        "stored bytes; exit code 1 on any divergence, 3 if something could not be read here."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--resume",
            type=Path,
            metavar="FILE",
            help="note in this file how far the run came, and continue after that",
        )
        parser.add_argument(
            "--since",
            type=date.fromisoformat,
            metavar="YYYY-MM-DD",
            help="leave out games that ended before this day (UTC)",
        )
        parser.add_argument(
            "--unbound", action="store_true", help="list the columns that nothing binds, and why"
        )

    def handle(
        self,
        *args: Any,
        resume: Path | None,
        since: date | None,
        unbound: bool,
        **options: Any,
    ) -> None:
        console = plain_console()
        if unbound:
            _print_unbound(console)
            return
        start = None if since is None else datetime.combine(since, time(), UTC)
        noted = _noted(resume, start)
        run(console, noted, resume)
        if left_out := skipped(start).count():
            console.print(
                f"skipped: {left_out} games that ended before {since}, and their lobbies",
            )
        console.print(
            f"{Account.objects.count()} accounts, {Transfer.objects.count()} transfers, "
            f"{Lobby.objects.count()} lobbies and {Game.objects.count() - left_out} games compared",
        )
        findings = [Finding(*finding) for finding in noted.findings]
        console.print(verdict(findings), style=f"bold {'red' if findings else 'green'}")
        if resume is not None:
            resume.unlink(missing_ok=True)
        if findings:
            sys.exit(NOT_VERIFIED if _is_unread(findings) else 1)


def run(console: Console, noted: Noted, resume: Path | None) -> None:
    """Take the steps that are left, print what they find, and note each."""
    for found in noted.findings:
        _print(console, Finding(*found))
    for step in track(
        steps(noted),
        description="Verifying",
        total=count_steps(noted),
        console=console,
        disable=not console.is_terminal,
    ):
        for finding in step.findings():
            _print(console, finding)
            noted.findings.append((finding.what, str(finding.expected), str(finding.found)))
        setattr(noted, step.field, step.value)
        if resume is not None:
            draft = resume.with_name(f"{resume.name}.new")
            draft.write_bytes(msgspec.json.encode(noted))
            draft.replace(resume)


def _noted(resume: Path | None, since: datetime | None) -> Noted:
    """Return how far the run before came. Raises CommandError if it was another one."""
    if resume is None or not resume.exists():
        return Noted(since=since)
    with suppress(msgspec.MsgspecError):
        noted = msgspec.json.decode(resume.read_bytes(), type=Noted)
        if noted.since == since:
            return noted
    raise CommandError(f"{resume} is of a run with another --since: remove it to begin again")


def _print(console: Console, finding: Finding) -> None:
    console.print(
        f"{finding.what}: expected {finding.expected}, found {finding.found}",
        style="red",
    )


def _print_unbound(console: Console) -> None:
    for model, columns in UNBOUND.items():
        for column, reason in columns.items():
            console.print(f"{model._meta.db_table}.{column}: {reason}")


def verdict(findings: Sequence[Finding]) -> str:
    """Return the last line of the report. Games that cannot be read here prove nothing."""
    if not findings:
        return "everything verified"
    if not _is_unread(findings):
        return f"{len(findings)} divergences"
    missing = sorted({UNREAD[str(finding.found)] for finding in findings})
    return f"not verified: {', '.join(missing)}"


def _is_unread(findings: Sequence[Finding]) -> bool:
    return all(finding.found in UNREAD for finding in findings)
