"""Receipts of settled, voided and corrected bets: both verifiers find omissions and changes."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import msgspec
import pytest

from railbird_engine.audit import bundle
from railbird_engine.audit.bundle import Outcome, Receipt
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.kernel import chain
from railbird_engine.kernel.bets import SettlementRow
from tests.audit.honest import SIGNER, Honest, Log, check, honest_game
from tests.audit.tampering import rewritten
from tests.audit.verdicts import ROOT, said

VOID, CORRECTED = 2, 1
"""A bet that was voided while it was open, and one after the game had ended."""


@cache
def race() -> Honest:
    return honest_game("ready_set_bet", 1, void=VOID, corrected=CORRECTED)


@cache
def stopped() -> Honest:
    return honest_game("ready_set_bet", 3, voided_after=60)


@cache
def log() -> Log:
    return Log([race(), stopped()])


def settled_bet(game: Honest) -> int:
    """A bet that was settled after more dice and not voided."""
    return next(
        row.bet
        for commit in game.commits
        for row in commit.settlements
        if row.outcome != "void" and row.bet > VOID
    )


def open_bet(game: Honest) -> int:
    """A bet that was open when its game was voided."""
    return game.commits[-1].settlements[0].bet


def honest() -> dict[str, Receipt]:
    return {
        "settled": log().receipt(race(), settled_bet(race())),
        "void": log().receipt(race(), VOID),
        "corrected": log().receipt(race(), CORRECTED),
        "stopped": log().receipt(stopped(), open_bet(stopped())),
        "running": log().receipt(race(), CORRECTED, ended=False),
    }


def outcomes(receipt: Receipt) -> list[str]:
    return [outcome.outcome for outcome in receipt.outcomes]


def test_both_verifiers_accept_honest_receipts(tmp_path: Path) -> None:
    receipts = honest()
    assert outcomes(receipts["void"]) == outcomes(receipts["stopped"]) == ["void"]
    assert outcomes(receipts["corrected"])[1:] == ["void"]
    assert receipts["corrected"].outcomes[1].version == len(race().commits)
    for receipt in receipts.values():
        assert check([receipt]).receipt == receipt
    code, answers = said(
        tmp_path, {name: bundle.line(receipt) for name, receipt in receipts.items()}
    )
    assert (code, len(answers)) == (0, len(receipts)), answers


def test_the_command_reports_the_result_of_the_bet(tmp_path: Path) -> None:
    for name, receipt in honest().items():
        (tmp_path / name).write_bytes(bundle.line(receipt))
    command = [
        sys.executable,
        "-m",
        "railbird_engine.audit",
        "verify",
        "--key",
        SIGNER.verifier.text,
    ]
    done = subprocess.run(
        [*command, *honest()],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    received = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    last = len(race().commits)
    assert (
        f", void by commit {last} as a correction (the die was cocked); the game is over; "
        in received["corrected"]
    )
    assert "(the die was cocked); the game is over; " in received["void"]
    assert " after 0 more draws" not in received["settled"]
    assert "the game was voided; " in received["stopped"]
    running = honest()["running"]
    placed = (
        f"commit {running.version} with the hash {race().commits[running.version - 1].hash.hex()}"
    )
    assert received["running"].startswith(
        f"verified: {placed} of game {race().id} is in the log, in its place; the game is "
    )
    assert f"nothing proves that this is bet {CORRECTED}: " in received["running"]
    bet = running.bet
    assert (
        f"bet {CORRECTED} of game {race().id}: seat {bet.seat}, {bet.stake} on {bet.spot} at "
        f"{bet.odds}; it is {placed}, " in received["corrected"]
    )


def changed(name: str, **fields: object) -> Receipt:
    return msgspec.structs.replace(honest()[name], **fields)


def refit(game: Honest, number: int) -> Receipt:
    """Return the receipt that the owner of the log's key would make of a rewritten game."""
    return Log([game]).receipt(game, number)


def with_command(game: Honest, version: int, old: bytes, new: bytes, number: int) -> Receipt:
    return refit(rewritten(game, version, old, new), number)


def not_settled(number: int) -> tuple[bytes, bytes]:
    """Another bet is settled instead of this one."""
    event = b'"type":"bet_settled","bet":%d,'
    return event % number, event % 9999


def with_server_command(command: bytes) -> Receipt:
    """A later tick of the clock becomes this command."""
    version, old = next(
        (commit.version, bytes(chain.decode_body(commit.body).command))
        for commit in race().commits[honest()["void"].version :]
        if b'"ticked"' in commit.body
    )
    return with_command(race(), version, old, command, VOID)


def forged() -> dict[str, tuple[Receipt, str]]:
    """Forged receipts, and the field that reveals them."""
    receipts, other = honest(), honest_game("ready_set_bet", 77)
    corrected, void, running = receipts["corrected"], receipts["void"], receipts["running"]
    settlement, correction = corrected.outcomes
    (voided,) = void.outcomes
    end = len(race().commits)
    settled_at = settlement.version - corrected.version
    bodies = corrected.bodies
    once = settled_bet(race())
    at = receipts["settled"].outcomes[0].version
    return {
        "correction-left-out": (changed("corrected", outcomes=(settlement,)), "outcomes"),
        "settlement-left-out": (changed("corrected", outcomes=(correction,)), "outcomes"),
        "no-outcomes": (changed("corrected", outcomes=()), "outcomes"),
        "listed-in-another-order": (
            changed("corrected", outcomes=(correction, settlement)),
            "outcomes",
        ),
        "listed-twice": (changed("corrected", outcomes=(settlement, settlement)), "outcomes"),
        "listed-of-a-later-commit": (
            changed("void", outcomes=(Outcome(end + 9, "void", voided.payout),)),
            "outcomes",
        ),
        "listed-of-an-earlier-commit": (
            changed("void", outcomes=(Outcome(1, "void", voided.payout),)),
            "outcomes",
        ),
        "paid-otherwise": (
            changed(
                "corrected", outcomes=(settlement, Outcome(end, "void", correction.payout + 1))
            ),
            "outcomes",
        ),
        "won-instead": (changed("void", outcomes=(Outcome(voided.version, "won", 5),)), "outcomes"),
        "outcome-invented": (
            changed("settled", outcomes=(*receipts["settled"].outcomes, Outcome(end, "void", 0))),
            "outcomes",
        ),
        "stake": (
            changed("void", bet=msgspec.structs.replace(void.bet, stake=void.bet.stake + 1)),
            "bet",
        ),
        "another-bet": (
            changed("void", bet=msgspec.structs.replace(void.bet, bet=VOID + 1)),
            "bet",
        ),
        "another-commit": (changed("void", version=void.version + 1), "blind"),
        "end-cut-off": (changed("corrected", bodies=bodies[:-1], outcomes=(settlement,)), "hash"),
        "commit-left-out": (
            changed("corrected", bodies=bodies[:settled_at] + bodies[settled_at + 1 :]),
            "blind",
        ),
        "beginning-cut-off": (changed("corrected", bodies=bodies[1:]), "blind"),
        "previous": (changed("void", previous=bytes(32)), "hash"),
        "seed": (changed("void", seed=other.seed), "seed"),
        "seed-hidden": (changed("void", seed=None), "receipt"),
        "hidden-behind-digests": (
            changed(
                "corrected",
                bodies=(),
                digests=tuple(map(chain.body_digest, bodies)),
                seed=None,
                how=None,
                outcomes=(),
            ),
            "hash",
        ),
        "additional-digests": (changed("void", digests=(bytes(32),)), "receipt"),
        "no-commits": (changed("void", bodies=()), "receipt"),
        "listed-while-it-runs": (
            msgspec.structs.replace(running, outcomes=(settlement,)),
            "receipt",
        ),
        "other-digest": (
            msgspec.structs.replace(running, digests=(bytes(32), *running.digests[1:])),
            "hash",
        ),
        "how": (changed("stopped", how="finished"), "end"),
        "place": (
            changed("void", entry=msgspec.structs.replace(void.entry, index=void.entry.index + 1)),
            "hash",
        ),
        "game": (changed("void", game=other.id), "game"),
        "genesis": (changed("void", genesis=other.genesis), "opened"),
        # The owner of the log's key makes all hashes fit; only the content can be inconsistent.
        "voided-for-another-stake": (
            with_command(race(), voided.version, b'"stake":', b'"stake":1', VOID),
            "command",
        ),
        "voided-as-if-it-were-open": (
            with_command(
                race(), end, b'"payout":%d' % settlement.payout, b'"payout":null', CORRECTED
            ),
            "command",
        ),
        "never-settled": (
            msgspec.structs.replace(
                with_command(race(), at, *not_settled(once), once),
                outcomes=(),
            ),
            "outcomes",
        ),
        "settled-with-a-remark": (
            with_command(race(), at, b'"bet_settled",', b'"bet_settled","remark":1,', once),
            "events",
        ),
        "dealt-again": (with_server_command(b'{"type":"started"}'), "command"),
        "a-seat-beyond": (
            with_server_command(b'{"type":"seat_replaced","seat":99,"forfeits":false}'),
            "command",
        ),
        "settled-twice": (refit(settled_again(race()), settled_bet(race())), "outcomes"),
        "placed-twice": (refit(placed_again(race()), VOID), "bet"),
    }


def with_event(game: Honest, version: int, event: bytes) -> Honest:
    """Return the game with one more public event in a commit, with all hashes recomputed."""
    return rewritten(game, version, b'"events":[{', b'"events":[' + event + b",{")


def settled_again(game: Honest) -> Honest:
    """The operator settles a bet once more in the last commit, with the matching rows."""
    number = settled_bet(game)
    bet = next(bet for commit in game.commits for bet in commit.bets if bet.bet == number)
    event = {
        "type": "bet_settled",
        "bet": number,
        "seat": bet.seat,
        "spot": bet.spot,
        "outcome": "won",
        "payout": 5,
    }
    again = with_event(game, len(game.commits), json.dumps(event).encode())
    last = again.commits[-1]
    row = SettlementRow(settled_bet(game), "won", 5)
    again.commits[-1] = msgspec.structs.replace(last, settlements=(*last.settlements, row))
    return again


def placed_again(game: Honest) -> Honest:
    """The void bet placed once more at the end."""
    event = {
        "type": "bet_placed",
        "bet": VOID,
        "seat": 0,
        "spot": "win:7:r",
        "stake": 5,
        "odds": "",
    }
    return with_event(game, len(game.commits), json.dumps(event).encode())


def test_both_verifiers_find_and_name_every_forgery(tmp_path: Path) -> None:
    cases = forged()
    for name, (receipt, field) in cases.items():
        with pytest.raises(DivergenceError) as found:
            check([receipt])
        assert found.value.field == field, (name, str(found.value))
    code, answers = said(
        tmp_path, {name: bundle.line(receipt) for name, (receipt, _) in cases.items()}
    )
    assert code == 1
    assert {
        name: answers[name]
        for name, (_, field) in cases.items()
        if f": {field}: expected " not in answers[name]
    } == {}
