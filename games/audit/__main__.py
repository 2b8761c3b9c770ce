"""Verify audit files and monitor public logs, without server, database or Django.

`python -m games.audit verify FILE...` verifies bundles and receipts. `python -m games.audit monitor
URL --state FILE` checks that a public log continues the checkpoint in the file.

Exit codes: 0 verified, 1 diverged, 2 unreadable, 3 cannot be verified here (rules, an edition or a
proof is missing).
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from games.audit.bundle import Receipt
from games.audit.divergence import Diverged
from games.audit.evidence import Needed
from games.audit.histories import Counted, Files
from games.audit.monitor import Unreachable, watch
from games.audit.notes import BadNote, Verifier
from games.audit.receipts import Followed
from games.audit.verify import Rules, Unreadable, Verified, verify
from games.engine import AnyRules

OK: Final = 0
DIVERGED: Final = 1
UNREADABLE: Final = 2
NEEDED: Final = 3
NOTE_MAX: Final = 65_536
BAR_FROM: Final = 2**20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m games.audit", description="Verify audit files offline, and watch a log."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    verify_parser = commands.add_parser(
        "verify",
        help="check hashes, proofs, signatures, draws, rules, bets and money of audit files",
    )
    verify_parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a bundle or a receipt; - reads the standard input"
    )
    key = "a public key of the log (name+id+base64), or a file of them"
    verify_parser.add_argument("--key", action="append", default=[], help=key)
    since = "a checkpoint kept from earlier, which the log must continue"
    verify_parser.add_argument("--since", type=Path, metavar="CHECKPOINT", help=since)
    more = "a module with rules from outside the catalogue"
    verify_parser.add_argument("--rules", action="append", default=[], metavar="MODULE", help=more)
    monitor_parser = commands.add_parser(
        "monitor", help="check that a public log continues its last checkpoint"
    )
    monitor_parser.add_argument(
        "address", metavar="URL", help="where the log is, https://games.example.org/log"
    )
    state = (
        "the last checkpoint; the command replaces it when the newest one continues it, and "
        "writes the first one"
    )
    monitor_parser.add_argument("--state", type=Path, required=True, metavar="FILE", help=state)
    monitor_parser.add_argument("--key", action="append", default=[], help=key)
    entries = (
        "read every entry: check the log's entries of each game, and count the games that have "
        "no end yet"
    )
    monitor_parser.add_argument("--entries", action="store_true", help=entries)
    file = "a bundle or a receipt to compare with all entries; implies --entries"
    monitor_parser.add_argument(
        "--file", action="append", default=[], dest="files", metavar="FILE", help=file
    )
    monitor_parser.add_argument("--rules", action="append", default=[], metavar="MODULE", help=more)
    options = parser.parse_args(arguments)
    try:
        keys = [key for text in options.key for key in _keys(text)]
        rules = _rules(options.rules)
        since = options.since if options.command == "verify" else options.state
        is_first = since is None or (options.command == "monitor" and not since.exists())
        checkpoint = None if is_first else _text(since)
    except (OSError, BadNote, ImportError, UnicodeDecodeError) as error:
        parser.error(str(error))
    files = Files()
    if options.command == "verify":
        compares = len(options.files) > 1
        return max(
            _verify_file(name, rules, keys, checkpoint, files, compares=compares)
            for name in options.files
        )
    codes = [_verify_file(name, rules, keys, None, files, compares=True) for name in options.files]
    return max(codes, default=OK) or _monitor(
        options.address,
        options.state,
        checkpoint,
        keys,
        files if options.entries or options.files else None,
    )


def _keys(text: str) -> list[Verifier]:
    """Return the keys in an argument or in the file that it names: at least one.

    Without a key, the verifier would trust the file's own keys.
    """
    lines = _text(Path(text)) if os.path.isfile(text) else text  # noqa: PTH113 -- a key may be longer than a path, which is no error
    try:
        keys = [Verifier.parse(line) for line in lines.split()]
    except BadNote as error:
        raise BadNote(f"--key {text}: neither a key nor a file of keys: {error}") from error
    if not keys:
        raise BadNote(f"--key {text}: there is no key in it")
    return keys


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(NOTE_MAX + 1).decode()


def _rules(modules: Sequence[str]) -> Rules:
    """Return a lookup of rules by slug and version. The catalogue is loaded on first use."""
    from games.rules import load_rules  # noqa: PLC0415

    more: dict[tuple[str, int], AnyRules] = {
        (rules.slug, rules.version): rules for module in modules for rules in load_rules(module)
    }

    def find(slug: str, version: int) -> AnyRules | None:
        from games.rules import registry  # noqa: PLC0415

        return more.get((slug, version)) or registry().get((slug, version))

    return find


def _verify_file(
    name: str,
    rules: Rules,
    keys: Sequence[Verifier],
    since: str | None,
    files: Files,
    *,
    compares: bool,
) -> int:
    try:
        size = None if name == "-" else os.stat(name).st_size  # noqa: PTH116
        with (
            nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb") as file,  # noqa: PTH123
            _progress(size) as on_line,
        ):
            verified = verify(
                file, rules, trusted=keys, since=since, on_line=on_line, keeps_hashes=compares
            )
        files.add(verified.content)
    except Diverged as diverged:
        return _print(name, str(diverged), DIVERGED)
    except Needed as needed:
        return _print(name, f"needs {needed}", NEEDED)
    except (Unreadable, OSError) as error:
        return _print(name, f"cannot be read: {error}", UNREADABLE)
    if not keys:
        _name_signers(name, verified.signed_by)
    return _print(name, f"verified: {_in_words(verified)}", OK)


def _monitor(
    address: str, state: Path, kept: str | None, keys: Sequence[Verifier], files: Files | None
) -> int:
    try:
        watched = watch(address, kept, keys, files)
        draft = state.with_name(f"{state.name}.new")
        draft.write_text(watched.note)
        draft.replace(state)
    except Diverged as diverged:
        return _print(address, str(diverged), DIVERGED)
    except (Unreachable, OSError) as error:
        return _print(address, f"cannot be read: {error}", UNREADABLE)
    if not keys:
        _name_signers(address, watched.signed_by)
    log = f"log {watched.checkpoint.origin} at {watched.checkpoint.size}"
    before = (
        "seen for the first time"
        if watched.before is None
        else f"continues the checkpoint at {watched.before.size}"
    )
    return _print(address, f"{log}: {before}{_games_in_words(watched.games)}", OK)


def _games_in_words(games: Counted | None) -> str:
    """Describe the entries of a log, if they were read."""
    if games is None:
        return ""
    ended = (
        f"{games.finished:,} finished, {games.voided:,} voided, {games.without_end:,} "
        "without an end yet"
    )
    return (
        f"; {games.opened:,} lobbies opened, {games.abandoned:,} attempts abandoned, "
        f"{games.started:,} games started, {ended}"
    )


def _name_signers(name: str, keys: Sequence[Verifier]) -> None:
    names = ", ".join(key.text for key in keys)
    sys.stderr.write(
        f"{name}: signed by {names}, according to {name} itself: compare with the published "
        "key, or give --key\n"
    )


def _print(name: str, text: str, code: int) -> int:
    """Print one line, without control characters, and return the exit code."""
    line = "".join(character if character.isprintable() else "?" for character in f"{name}: {text}")
    sys.stdout.write(f"{line}\n")
    return code


def _in_words(verified: Verified) -> str:
    log = f"log {verified.checkpoint.origin} at {verified.checkpoint.size}"
    if verified.receipt is None or verified.followed is None:
        parts = (
            (verified.games, "games"),
            (verified.commits, "commits"),
            (verified.draws, "draws"),
            (verified.bets, "bets"),
        )
        return (
            ", ".join(
                f"{count:,} {what}" for count, what in (*parts, (verified.transfers, "transfers"))
            )
            + f"; {log}"
        )
    return f"{_bet_in_words(verified.receipt, verified.followed)}; {log}"


def _bet_in_words(receipt: Receipt, followed: Followed) -> str:
    """Describe the result of a bet."""
    where = f"commit {receipt.version} with the hash {followed.hashes[0].hex()}"
    if receipt.how is None:
        return (
            f"{where} of game {receipt.game} is in the log, in its place; the game "
            "is still running, and until it ends "
            f"nothing proves that this is bet {receipt.bet.bet}: compare the hash with "
            "the one that you received"
        )
    words = f"bet {receipt.bet.bet} of game {receipt.game} is {where}"
    for number, outcome in enumerate(receipt.outcomes):
        words += f", {outcome.outcome} by commit {outcome.version}"
        words += f" after {followed.decided} more draws" if number == 0 else " as a correction"
        words += f" ({followed.reason})" if outcome.outcome == "void" else ""
    return f"{words}; the game {'was voided' if receipt.how == 'voided' else 'is over'}"


@contextmanager
def _progress(size: int | None) -> Iterator[Callable[[int], None] | None]:
    """Yield a progress callback for the terminal, or None for small files."""
    console = Console(stderr=True)
    if size is None or size < BAR_FROM or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("verifying"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("verifying", total=size)
        yield lambda length: progress.advance(task, length)


if __name__ == "__main__":
    sys.exit(main())
