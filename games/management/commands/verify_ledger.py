"""`manage.py verify_ledger`: compare purses, balances and transfers of the whole ledger.

Every coin must have moved through a grant, a buy-in, or the result of a game.
"""

import sys
from collections.abc import Sequence
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.db import connection
from rich.console import Console
from rich.progress import track

from accounts.models import Account, Transfer
from games.models import Game, Lobby
from games.play import service
from games.proofs.coins import coin_findings, stray_findings
from games.proofs.verification import Finding, ledger_findings, purse_findings
from kit import event_loop, table_protection
from kit.problems import Problem

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
        "Prove that purses = balances = sums of transfers, and prizes follow from "
        "results; exit code 1 on any divergence, 3 if something could not be read here."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console()
        findings = [*ledger_findings(), *stray_findings()]
        findings += [
            Finding("database", "walls around histories", gap)
            for gap in table_protection.gaps(connection)
        ]
        games = list(Game.objects.values_list("id", flat=True).order_by("id"))
        for game in track(
            games, description="Purses of games", console=console, disable=not console.is_terminal
        ):
            try:
                loaded = event_loop.call(service.at_head(game))
            except Problem as problem:
                findings.append(Finding(f"game {game}", "a state", problem.code))
                continue
            assert loaded.state is not None
            findings += purse_findings(game, loaded.state)
        lobbies = list(
            Lobby.objects.filter(buy_in__gt=0).values_list("id", flat=True).order_by("id")
        )
        for lobby in track(
            lobbies,
            description="Buy-ins and payouts",
            console=console,
            disable=not console.is_terminal,
        ):
            try:
                findings += coin_findings(lobby)
            except Problem as problem:
                findings.append(Finding(f"lobby {lobby}", "results", problem.code))
        console.print(
            f"{Account.objects.count()} accounts, {Transfer.objects.count()} "
            f"transfers, {len(games)} games and "
            f"{len(lobbies)} lobbies with buy-ins compared",
            highlight=False,
        )
        for finding in findings:
            console.print(
                f"[red]{finding.what}: expected {finding.expected}, found {finding.found}[/red]"
            )
        console.print(f"[bold {'red' if findings else 'green'}]{verdict(findings)}")
        if findings:
            sys.exit(NOT_VERIFIED if _is_unread(findings) else 1)


def verdict(findings: Sequence[Finding]) -> str:
    """Return the last line of the report. Games that cannot be read here prove nothing."""
    if not findings:
        return "ledger verified"
    if not _is_unread(findings):
        return "ledger diverges"
    missing = sorted({UNREAD[str(finding.found)] for finding in findings})
    return f"ledger not verified: {', '.join(missing)}"


def _is_unread(findings: Sequence[Finding]) -> bool:
    return all(finding.found in UNREAD for finding in findings)
