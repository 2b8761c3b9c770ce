"""The commands of the command line, with their arguments and help."""

import argparse
from pathlib import Path
from typing import Any

from railbird_engine.audit.histories import WAIT_MAX_S


def add_verify(commands: Any) -> None:
    """Add the command that verifies files."""
    parser = commands.add_parser(
        "verify",
        help="check hashes, proofs, signatures, draws, rules, bets and money of audit files",
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="a bundle or a receipt; - reads the standard input"
    )
    since = "a checkpoint kept from earlier, which the log must continue"
    parser.add_argument("--since", type=Path, metavar="CHECKPOINT", help=since)
    kept = "a file of signed notes that the SDKs store, which the bundles must fit"
    parser.add_argument(
        "--acknowledgements", action="append", default=[], type=Path, metavar="FILE", help=kept
    )
    person = "a proof of who sat in a seat of a game in these files"
    parser.add_argument(
        "--person", action="append", default=[], type=Path, metavar="FILE", help=person
    )
    links = "what joins the starts of a user's games, which are all in these files"
    parser.add_argument(
        "--links", action="append", default=[], type=Path, metavar="FILE", help=links
    )
    _add_common(parser)


def add_monitor(commands: Any) -> None:
    """Add the command that follows a public log."""
    parser = commands.add_parser(
        "monitor", help="check that a public log continues its last checkpoint"
    )
    parser.add_argument(
        "address", metavar="URL", help="where the log is, https://games.example.org/log"
    )
    state = (
        "the last checkpoint; the command replaces it when the newest one continues it, and "
        "writes the first one"
    )
    parser.add_argument("--state", type=Path, required=True, metavar="FILE", help=state)
    entries = (
        "read every entry that is new since the last run: check the log's entries of each game, "
        "and count the games that have no end yet"
    )
    parser.add_argument("--entries", action="store_true", help=entries)
    file = "a bundle or a receipt to compare with all entries, new and old"
    parser.add_argument(
        "--file", action="append", default=[], dest="files", metavar="FILE", help=file
    )
    complete = "demand a --file for every game in the log that has ended, and list those without"
    parser.add_argument("--files-complete", action="store_true", help=complete)
    age = (
        "the most seconds since the newest heartbeat in the log, or between it and a cosignature; "
        "implies --entries"
    )
    parser.add_argument("--max-age", type=_seconds, metavar="S", help=age)
    wait = (
        "the most seconds, by the heartbeats of the log, that a start waits for its game once the "
        f"log has all reveals, or an acknowledged commit for its entry (default: {WAIT_MAX_S}); "
        "implies --entries"
    )
    parser.add_argument("--max-wait", type=_seconds, metavar="S", help=wait)
    copies = "a folder that keeps a copy of every entry that is read; implies --entries"
    parser.add_argument("--copies", type=Path, metavar="FOLDER", help=copies)
    other = "a checkpoint that another person keeps, which the log must continue"
    parser.add_argument(
        "--checkpoint", action="append", default=[], type=Path, metavar="FILE", help=other
    )
    said = "a file of signed notes that the SDKs store, which all entries must fit"
    parser.add_argument(
        "--acknowledgements", action="append", default=[], type=Path, metavar="FILE", help=said
    )
    _add_common(parser)


def _seconds(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected whole seconds from 0, found {text!r}")
    return int(text)


def _add_common(parser: argparse.ArgumentParser) -> None:
    key = "a public key of the log (name+id+base64), or a file of them"
    parser.add_argument("--key", action="append", default=[], help=key)
    more = "a module with rules from outside the catalogue"
    parser.add_argument("--rules", action="append", default=[], metavar="MODULE", help=more)
    _add_demand(parser)


def _add_demand(parser: argparse.ArgumentParser) -> None:
    origin = "the name of the log; a checkpoint of another log is refused"
    parser.add_argument("--origin", metavar="NAME", help=origin)
    witness = "a public key of a witness (name+id+base64), or a file of them"
    parser.add_argument("--witness", action="append", default=[], metavar="KEY", help=witness)
    quorum = "how many of these witnesses must have cosigned the checkpoint (default: all)"
    parser.add_argument("--quorum", type=int, metavar="K", help=quorum)


def add_witness(commands: Any) -> None:
    """Add the command that runs a witness of logs."""
    parser = commands.add_parser(
        "witness", help="run a witness: cosign checkpoints that continue the last one of their log"
    )
    log = "a public key of a log to witness, or a file of them"
    parser.add_argument("--log", action="append", required=True, metavar="KEY", help=log)
    key = "the file of the witness's private key, which is created if it is missing"
    parser.add_argument("--key-file", type=Path, required=True, metavar="FILE", help=key)
    parser.add_argument("--name", help="the name of a new key, such as witness.example.org")
    state = "the last cosigned checkpoints, which must not be lost or restored from a backup"
    parser.add_argument("--state", type=Path, required=True, metavar="FILE", help=state)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8080)
