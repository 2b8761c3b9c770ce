"""Changes of lines, encodings, checkpoints and receipts."""

import json
import string

import msgspec

from railbird_engine.audit import bundle
from railbird_engine.audit.notes import signed
from tests.audit.honest import SIGNER, Log, written
from tests.audit.small_changes.files import (
    Case,
    Edit,
    board,
    edit_line,
    edited,
    games,
    joined,
    line_with,
    lines,
    replaced,
    rewrite,
)


def in_lines() -> dict[str, Case]:
    bets, settlements, transfers = (
        line_with(b'"%s":[[' % name) for name in (b"bets", b"settlements", b"transfers")
    )
    end, other_end = line_with(b'"type":"end"'), line_with(b'"how":"voided"')
    whole, last = joined(lines()), len(lines()) - 1
    padding = bundle.LINE_MAX - len(lines()[0])
    return {
        "whole": (whole, 0),
        "without-the-last-line-feed": (whole[:-1], 0),
        "with-carriage-returns": (whole.replace(b"\n", b"\r\n"), 0),
        "with-a-blank-line-at-the-end": (whole + b"\n", 1),
        "with-a-nul-at-the-end": (whole + b"\0", 1),
        "without-the-last-line": (joined(lines()[:-1]), 1),
        "byte-order-mark": (b"\xef\xbb\xbf" + whole, 2),
        "byte-order-mark-in-a-line": (rewrite(2, b"\xef\xbb\xbf" + lines()[2]), 1),
        "no-utf-8": (replaced(2, b'"commit"', b'"commit\xff"'), 1),
        "lone-surrogate": (
            edit_line(2, lambda part: part).replace(b'"commit"', b'"commit","\\ud800":1', 1),
            1,
        ),
        "as-long-as-a-line-may-be": (rewrite(0, lines()[0] + b" " * padding), 0),
        "one-byte-longer": (
            rewrite(2, lines()[2] + b" " * (bundle.LINE_MAX + 1 - len(lines()[2]))),
            1,
        ),
        "a-first-line-one-byte-longer": (b" " * (padding + 1) + whole, 2),
        "field-of-the-header": (edit_line(0, lambda part: part.update(x=1)), 2),
        "field-of-the-log": (edit_line(0, lambda part: part["log"].update(x=1)), 2),
        "field-of-a-game": (edit_line(1, lambda part: part.update(x=1)), 1),
        "field-of-a-proof": (edit_line(1, lambda part: part["started"].update(x=1)), 1),
        "field-of-a-commit": (edit_line(2, lambda part: part.update(x=1)), 1),
        "field-called-constructor": (edit_line(2, lambda part: part.update(constructor=1)), 1),
        "field-of-an-end": (edit_line(end, lambda part: part.update(x=1)), 1),
        "no-format": (edit_line(0, lambda part: part.pop("format")), 0),
        "format-1": (edit_line(0, lambda part: part.update(format=1)), 3),
        "format-3": (edit_line(0, lambda part: part.update(format=3)), 2),
        "format-2.0": (replaced(0, b'"format":2', b'"format":2.0'), 2),
        "no-log": (edit_line(0, lambda part: part.pop("log")), 2),
        "no-keys": (edit_line(0, lambda part: part["log"].pop("keys")), 2),
        "a-key-that-is-none": (edit_line(0, lambda part: part["log"].update(keys=["nonsense"])), 0),
        "65-keys": (
            edit_line(0, lambda part: part["log"].update(keys=part["log"]["keys"] * 65)),
            2,
        ),
        "a-long-key": (edit_line(0, lambda part: part["log"].update(keys=["x" * 401])), 2),
        "since-null": (edit_line(0, lambda part: part["log"].update(since=None)), 0),
        "since-a-text": (edit_line(0, lambda part: part["log"].update(since="x")), 2),
        "since-unasked": (
            edit_line(0, lambda part: part["log"].update(since={"size": 3, "path": []})),
            0,
        ),
        "bets-null": (edit_line(2, lambda part: part.update(bets=None)), 1),
        "bets-empty": (edit_line(2, lambda part: part.setdefault("bets", [])), 0),
        "seat-null": (edit_line(2, lambda part: part.setdefault("seat", None)), 0),
        "seat-a-text": (edit_line(2, lambda part: part.update(seat="x")), 1),
        "version-1.0": (replaced(2, b'"version":1', b'"version":1.0'), 1),
        "version-as-a-power": (replaced(2, b'"version":1', b'"version":1e0'), 1),
        "index-of-0.0": (replaced(1, b'"index":0', b'"index":0.0'), 1),
        "index-of-minus-0": (replaced(1, b'"index":0', b'"index":-0'), 0),
        "count-with-a-fraction": (replaced(end, rb'"commits":(\d+)', rb'"commits":\1.0'), 1),
        "count-with-a-lost-fraction": (
            replaced(end, rb'"commits":(\d+)', rb'"commits":\1.00000000000000000001'),
            1,
        ),
        "purse-with-a-fraction": (replaced(end, rb'"seat:0":(-?\d+)', rb'"seat:0":\1.0'), 1),
        "purse-twice": (replaced(end, b'"purses":{', b'"purses":{"seat:0":7,'), 1),
        "purse-called-__proto__": (
            edit_line(end, lambda part: part["purses"].update(__proto__=5)),
            1,
        ),
        "bet-row-longer": (edit_line(bets, lambda part: part["bets"][0].append("x")), 1),
        "bet-row-shorter": (edit_line(bets, lambda part: part["bets"][0].pop()), 1),
        "settlement-row-longer": (
            edit_line(settlements, lambda part: part["settlements"][0].append("x")),
            1,
        ),
        "transfer-row-longer": (
            edit_line(transfers, lambda part: part["transfers"][0].append("x")),
            1,
        ),
        "transfer-row-of-2^70": (
            edit_line(transfers, lambda part: part["transfers"][0].__setitem__(2, 2**70)),
            1,
        ),
        "path-of-129": (
            edit_line(
                1, lambda part: part["started"].update(path=part["started"]["path"][:1] * 129)
            ),
            1,
        ),
        "path-longer": (
            edit_line(1, lambda part: part["started"]["path"].append(part["started"]["path"][0])),
            1,
        ),
        "hash-too-short": (
            edit_line(1, lambda part: part["started"]["path"].__setitem__(0, "AAAA")),
            1,
        ),
        "another-way-to-end": (edit_line(end, lambda part: part.update(how="aborted")), 1),
        "voided-as-if-finished": (
            edit_line(other_end, lambda part: part.update(how="finished")),
            1,
        ),
        "a-line-too-many": (rewrite(last, lines()[last] + b"\n" + lines()[last]), 1),
        "a-game-that-has-no-commits": (
            joined([*lines()[:2], lines()[end], *lines()[end + 1 :]]),
            1,
        ),
        "a-commit-where-a-game-begins": (joined([lines()[0], *lines()[2:]]), 1),
        "too-few-games-named": (edit_line(0, lambda part: part.update(games=2)), 1),
        "too-many-games-named": (edit_line(0, lambda part: part.update(games=4)), 1),
        "10001-games-named": (edit_line(0, lambda part: part.update(games=10_001)), 2),
    } | {f"base64-{name}": case for name, case in in_base64().items()}


def in_base64() -> dict[str, Case]:
    """The seed is 32 bytes, so the last character before its padding has two unused bits."""
    seed = json.loads(lines()[1])["seed"]
    letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    other = letters[letters.index(seed[-2]) + 1]

    def with_seed(text: str) -> bytes:
        return edit_line(1, lambda part: part.update(seed=text))

    return {
        "trailing-bits": (with_seed(f"{seed[:-2]}{other}="), 0),
        "no-padding": (with_seed(seed[:-1]), 1),
        "more-padding": (with_seed(f"{seed}===="), 1),
        "line-feed": (with_seed(f"{seed[:8]}\n{seed[8:]}"), 1),
        "four-spaces": (with_seed(f"{seed[:8]}    {seed[8:]}"), 1),
        "other-alphabet": (with_seed(f"_{seed[1:]}"), 1),
    }


def in_notes() -> dict[str, Case]:
    """The checkpoint in the first line, with its text or its signatures changed."""
    note = json.loads(lines()[0])["log"]["checkpoint"]
    origin, size, root, *_ = note.split("\n")

    def with_note(text: str) -> bytes:
        return edit_line(0, lambda part: part["log"].update(checkpoint=text))

    def with_text(*text: str) -> bytes:
        return with_note(signed("".join(f"{line}\n" for line in text), [SIGNER]))

    stranger = "— other AAAAAAAAAA==\n"
    return {
        "signed-by-a-stranger-too": (with_note(note + stranger), 0),
        "signed-twice": (with_note(note + note.partition("\n\n")[2]), 0),
        "signed-by-64": (with_note(note + stranger * 63), 0),
        "signed-by-65": (with_note(note + stranger * 64), 1),
        "65537-characters": (with_note(note + stranger.ljust(65_537 - len(note))), 2),
        "no-signature": (with_note(f"{origin}\n{size}\n{root}\n\n"), 1),
        "no-last-line-feed": (with_note(note[:-1]), 1),
        "carriage-returns": (with_note(note.replace("\n", "\r\n")), 1),
        "signature-that-is-no-base64": (with_note(f"{note}— other !!!!\n"), 1),
        "signature-of-three-bytes": (with_note(f"{note}— other AAAA\n"), 1),
        "signature-without-padding": (with_note(note.rstrip("=\n") + "\n"), 1),
        "signature-that-goes-on": (with_note(note.rstrip("\n") + "AAAA\n"), 1),
        "signature-with-trailing-bits": (with_note(f"{note}— other AAAAAAAAAB==\n"), 1),
        "name-with-a-plus": (with_note(f"{note}— a+b AAAAAAAAAA==\n"), 1),
        "name-with-a-space": (with_note(f"{note}— a b AAAAAAAAAA==\n"), 1),
        "name-with-a-mark-of-direction": (with_note(f"{note}— a\u202eb AAAAAAAAAA==\n"), 1),
        "more-lines": (with_text(origin, size, root, "more"), 0),
        "blank-line": (with_text(origin, size, root, "", "more"), 1),
        "tab": (with_text("a\tb", size, root), 1),
        "another-origin": (with_text("elsewhere.example.org", size, root), 1),
        "no-origin": (with_text("", size, root), 1),
        "size-with-a-zero-before": (with_text(origin, f"0{size}", root), 1),
        "size-in-other-digits": (
            with_text(origin, size.translate({48 + n: 0x660 + n for n in range(10)}), root),
            1,
        ),
        "root-without-padding": (with_text(origin, size, root.rstrip("=")), 1),
        "root-too-long": (with_text(origin, size, "A" * 44), 1),
        "two-lines": (with_text(origin, size), 1),
    }


def in_receipts() -> dict[str, Case]:
    log = Log(games())
    ended = bundle.line(
        log.receipt(
            board(), next(row.bet for commit in board().commits for row in commit.settlements)
        )
    )
    running = bundle.line(log.receipt(board(), board().commits[3].bets[0].bet, ended=False))
    game = str(board().id)

    def left_out(name: str) -> Edit:
        return lambda part: part.pop(name)

    def with_game(text: str) -> bytes:
        return edited(ended, lambda part: part.update(game=text))

    may_be_left_out = dict.fromkeys(("how", "seed", "bodies", "outcomes", "format"), 0)
    return {
        "ended": (ended, 0),
        "running": (running, 0),
        "without-a-line-feed": (ended[:-1], 0),
        "two-in-a-file": (ended + ended, 1),
        "field": (edited(ended, lambda part: part.update(x=1)), 2),
        "game-in-upper-case": (with_game(game.upper()), 0),
        "game-without-dashes": (with_game(game.replace("-", "")), 0),
        "game-with-a-dash-elsewhere": (with_game(game.replace("-", "", 1) + "-"), 2),
        "game-as-urn": (with_game(f"urn:uuid:{game}"), 2),
        "version-0": (edited(ended, lambda part: part.update(version=0)), 2),
        "version-of-2^31": (edited(running, lambda part: part.update(version=2**31)), 2),
        "bet-of-a-text": (edited(ended, lambda part: part["bet"].__setitem__(0, "1")), 2),
        "bet-below-zero": (edited(running, lambda part: part["bet"].__setitem__(0, -1)), 2),
        "no-bet": (edited(ended, lambda part: part.update(bet=[])), 2),
        "outcome-longer": (edited(ended, lambda part: part["outcomes"][0].append(1)), 2),
        "three-outcomes": (
            edited(ended, lambda part: part.update(outcomes=part["outcomes"] * 3)),
            2,
        ),
        "outcomes-null": (edited(ended, lambda part: part.update(outcomes=None)), 2),
        "another-end": (edited(ended, lambda part: part.update(how="aborted")), 2),
        "short-digest": (edited(running, lambda part: part["digests"].append("AAAA")), 2),
        "ended-without-digests": (edited(ended, left_out("digests")), 0),
        "running-without-digests": (edited(running, left_out("digests")), 1),
        **{
            f"ended-without-{name}": (edited(ended, left_out(name)), 2)
            for name in ("log", "previous", "entry", "bet")
        },
        **{
            f"running-without-{name}": (edited(running, left_out(name)), code)
            for name, code in may_be_left_out.items()
        },
    }


def in_bundles() -> dict[str, Case]:
    twice = [*Log(games()).bundle([board()]), *Log(games()).bundle([board()])[1:]]
    return {
        "a-game-twice": (written([msgspec.structs.replace(twice[0], games=2), *twice[1:]]), 1),
        "no-game": (written(Log(games()).bundle([])), 0),
    }
