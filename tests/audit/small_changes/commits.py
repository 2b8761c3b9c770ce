"""Small changes to honest files, mostly of form, with the exit code of the verifiers.

0 is verified, 1 diverged, 2 unreadable.
"""

import json
import re
import string
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from bench.free_spots import FreeSpotsOptions
from games.audit import bundle
from games.audit.bundle import Commit
from games.audit.notes import signed
from games.engine import BetVoided, Event, Intervened, Transfer, VoidedBet, chain
from games.engine.bets import BetRow, SettlementRow
from games.engine.chance import draw_value
from games.engine.server import Annotated, SeatReplaced, ServerCommand, Started, Voided
from tests.audit.honest import OPERATOR, SIGNER, Honest, Log, honest_game, recommitted, written
from tests.audit.test_verify import first_version, rewritten

Case = tuple[bytes, int]
Edit = Callable[[Any], object]


@cache
def dice() -> Honest:
    """A game with draws and transfers."""
    return honest_game("set_dice", 2)


@cache
def board() -> Honest:
    """A game with settled bets and without draws, so that it stays valid under another genesis."""
    return honest_game("free_spots", 5, options=FreeSpotsOptions(boards=1))


@cache
def stopped() -> Honest:
    """A game with bets that was voided."""
    return honest_game("ready_set_bet", 3, voided_after=40)


def games() -> list[Honest]:
    return [dice(), board(), stopped()]


@cache
def lines() -> list[bytes]:
    return written(Log(games()).bundle(games())).splitlines()


def line_with(text: bytes) -> int:
    return next(place for place, line in enumerate(lines()) if text in line)


def joined(changed: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in changed)


def rewrite(place: int, new: bytes) -> bytes:
    """Return the bundle with another line in this place."""
    return joined([*lines()[:place], new, *lines()[place + 1 :]])


def replaced(place: int, pattern: bytes, new: bytes) -> bytes:
    line, count = re.subn(pattern, new, lines()[place], count=1)
    assert count
    return rewrite(place, line)


def edited(line: bytes, edit: Edit) -> bytes:
    part = json.loads(line)
    edit(part)
    return json.dumps(part, separators=(",", ":"), ensure_ascii=False).encode()


def edit_line(place: int, edit: Edit) -> bytes:
    return rewrite(place, edited(lines()[place], edit))


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
        "format-2": (edit_line(0, lambda part: part.update(format=2)), 2),
        "format-1.0": (replaced(0, b'"format":1', b'"format":1.0'), 2),
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


def with_genesis(genesis: bytes) -> bytes:
    """Return the bundle of a game with another genesis, with all blinds and hashes recomputed."""
    game = board()._replace(genesis=genesis, forged_from=board().opening)
    key, previous, commits = game.key(), chain.genesis_hash(genesis), []
    for commit in game.commits:
        body = chain.blind_of(key, commit.version) + commit.body[chain.BLIND_LENGTH :]
        previous = chain.commit_hash(previous, commit.version, chain.body_digest(body))
        commits.append(msgspec.structs.replace(commit, body=body, hash=previous))
    return bundle_of(game._replace(commits=commits))


def in_geneses() -> dict[str, Case]:
    honest_one = json.loads(board().genesis)

    def changed(**fields: object) -> bytes:
        return with_genesis(json.dumps({**honest_one, **fields}, separators=(",", ":")).encode())

    reveals, build = honest_one["reveals"], honest_one["build"]
    assert len(reveals) > 1
    first, *others = reveals
    return {
        "as-it-was": (with_genesis(board().genesis), 0),
        "no-format": (
            with_genesis(edited(board().genesis, lambda fields: fields.pop("format"))),
            0,
        ),
        "with-spaces": (with_genesis(recommitted(json.dumps(honest_one, indent=1).encode())), 0),
        "format-0": (changed(format=0), 1),
        "format-2": (changed(format=2), 1),
        "field": (changed(x=1), 1),
        "no-options": (
            with_genesis(edited(board().genesis, lambda fields: fields.pop("options"))),
            1,
        ),
        "options-of-text": (changed(options="x"), 1),
        "byte-order-mark": (with_genesis(b"\xef\xbb\xbf" + board().genesis), 1),
        "no-seats": (changed(seats=0, reveals=[], people=[]), 1),
        "no-name": (with_genesis(edited(board().genesis, lambda fields: fields.pop("name"))), 1),
        "name-in-upper-case": (changed(name=honest_one["name"].upper()), 0),
        "name-of-15-bytes": (changed(name=honest_one["name"][:-2]), 1),
        "salt-shorter": (changed(salt=honest_one["salt"][:-2]), 1),
        "salt-in-upper-case": (changed(salt="AB" * 32), 1),
        "abandoned-by-a-text": (changed(abandoned=""), 1),
        "abandoned-and-not-there": (changed(abandoned="ab" * 32), 1),
        "no-abandoned": (
            with_genesis(edited(board().genesis, lambda fields: fields.pop("abandoned"))),
            1,
        ),
        "reveals-of-nobody": (changed(reveals=[]), 0),
        "reveals-null": (changed(reveals=None), 1),
        "reveals-of-one-less": (changed(reveals=others), 0),
        "reveals-in-another-order": (changed(reveals=[*others, first]), 1),
        "reveals-twice": (changed(reveals=[first, *reveals]), 1),
        "reveal-of-no-seat": (changed(reveals=[[honest_one["seats"], *first[1:]]]), 1),
        "reveal-of-seat-below-0": (changed(reveals=[[-1, *first[1:]]]), 1),
        "reveal-of-another-place": (changed(reveals=[[0, 0, *first[2:]]]), 1),
        "reveal-longer": (changed(reveals=[[*first, 1]]), 1),
        "reveal-shorter": (changed(reveals=[first[:3]]), 1),
        "reveal-without-its-commitment": (changed(reveals=[[*first[:2], "ab" * 32, first[3]]]), 1),
        "reveal-of-other-entropy": (changed(reveals=[[*first[:3], "ab" * 32]]), 1),
        "reveal-of-31-bytes": (changed(reveals=[[*first[:3], "ab" * 31]]), 1),
        "reveal-in-upper-case": (changed(reveals=[[*first[:3], first[3].upper()]]), 1),
        "reveal-with-a-line-feed": (changed(reveals=[[*first[:3], f"{first[3]}\n"]]), 1),
        "people-unknown": (changed(people=[None] * honest_one["seats"]), 0),
        "people-null": (changed(people=None), 1),
        "one-person-less": (changed(people=honest_one["people"][1:]), 1),
        "one-person-more": (changed(people=[*honest_one["people"], None]), 1),
        "person-of-31-bytes": (changed(people=[*honest_one["people"][1:], "ab" * 31]), 1),
        "person-in-upper-case": (changed(people=[*honest_one["people"][1:], "AB" * 32]), 1),
        "person-of-text": (changed(people=[*honest_one["people"][1:], ""]), 1),
        "no-build": (with_genesis(edited(board().genesis, lambda fields: fields.pop("build"))), 1),
        "build-null": (changed(build=None), 1),
        "build-of-unknown-commit": (changed(build={**build, "commit": ""}), 0),
        "build-of-half-a-commit": (changed(build={**build, "commit": "c0" * 10}), 1),
        "build-of-a-commit-in-upper-case": (changed(build={**build, "commit": "C0" * 20}), 1),
        "build-of-a-commit-and-a-line": (changed(build={**build, "commit": "c0" * 20 + "\n"}), 1),
        "build-of-no-rules": (changed(build={**build, "rules": ""}), 1),
        "build-of-a-long-version": (changed(build={**build, "version": "1" * 41}), 1),
        "build-of-more": (changed(build={**build, "x": 1}), 1),
        "seed-hash-in-upper-case": (changed(seed_hash=honest_one["seed_hash"].upper()), 1),
        "seed-hash-longer": (changed(seed_hash=honest_one["seed_hash"] + "00"), 1),
        "rules-of-41-characters": (changed(rules="x" * 41), 1),
        "edition-of-65-characters": (changed(edition="e" * 65), 1),
        "rules-version-below-zero": (changed(rules_version=-1), 1),
    } | {f"attempt-{name}": case for name, case in in_attempts().items()}


@cache
def third_time() -> Honest:
    """A game that started at the third attempt."""
    return honest_game("ready_set_bet", 3, voided_after=40, attempts=2)


def in_attempts() -> dict[str, Case]:
    """The attempts to start that a bundle shows."""
    game = third_time()
    log = Log([game])
    header, opening, last, first, *rest = log.bundle([game])
    assert isinstance(first, bundle.Abandoned)
    assert isinstance(last, bundle.Abandoned)

    def of(*attempts: bundle.Part) -> bytes:
        return written([header, opening, *attempts, *rest])

    def changed(**fields: Any) -> Case:
        return of(msgspec.structs.replace(last, **fields), first), 1

    place, entropy = last.reveals[0]
    entries = game.entries()
    moved = Log([game], entries=[*entries[2:5], *entries[:2], *entries[5:]])
    return {
        "all": (of(last, first), 0),
        "none": (of(), 1),
        "one": (of(last), 1),
        "in-another-order": (of(first, last), 1),
        "twice": (of(last, last, first), 1),
        "one-more": (of(last, first, first), 1),
        "of-another-seed": changed(seed=bytes(32)),
        "of-another-name": changed(name=first.name),
        "of-other-terms": changed(terms=bytes(32)),
        "without-a-reveal": changed(reveals=last.reveals[1:]),
        "of-another-reveal": changed(reveals=((place, bytes(32)), *last.reveals[1:])),
        "of-another-place": changed(reveals=((place + 1, entropy), *last.reveals[1:])),
        "that-names-none-before": changed(abandoned=None),
        "without-proof": changed(ended=last.opened),
        "opened-elsewhere": changed(opened=first.opened),
        "with-the-seed-of-the-game": (
            bundle_of(
                honest_game("ready_set_bet", 3, voided_after=40, attempts=2, repeats_seed=True)
            ),
            1,
        ),
        "after-the-next": (written(moved.bundle([game])), 1),
    }


def bundle_of(game: Honest) -> bytes:
    return written(Log([game]).bundle([game]))


def in_bodies() -> dict[str, Case]:
    """Stored bytes that are no commit, with hashes recomputed, in a bundle and in a receipt."""
    game, version = board(), len(board().commits)
    number = game.commits[version - 1].settlements[0].bet
    event = b'"events":[{"type":"bet_settled","bet":%d,"seat":0,"spot":"1",' % number
    event += b'"outcome":"won","payout":1%b},'
    bodies: dict[str, tuple[bytes, bytes]] = {
        "byte-order-mark": (b'{"version"', b'\xef\xbb\xbf{"version"'),
        "no-utf-8-in-an-event": (b'"events":[{"type":"', b'"events":[{"type":"\xff'),
        "lone-surrogate-in-an-event": (b'"events":[{"type":"', b'"events":[{"type":"\\ud800'),
        "no-utf-8-in-a-command": (b'"command":{"type":"', b'"command":{"type":"\xff'),
        "another-field": (b'{"version"', b'{"x":1,"version"'),
        "no-transfers": (b',"transfers":', b',"transferred":'),
        "version-with-a-fraction": (b'"version":%d' % version, b'"version":%d.0' % version),
        "seat-a-text": (b'"seat":', b'"seat":"x","seated":'),
        "draw-of-four": (b'"draws":[', b'"draws":[[0,6,1,0]'),
        "draw-below-0": (b'"draws":[', b'"draws":[[0,0,0]'),
        "transfer-of-five": (b'"transfers":[', b'"transfers":[["bank","seat:0",1,"board","x"],'),
        "transfer-of-nothing": (b'"transfers":[', b'"transfers":[["bank","seat:0",0,"board"],'),
        "event-of-text": (b'"events":[', b'"events":["x",'),
        "event-of-a-list": (b'"events":[', b'"events":[["x"],'),
        "event-without-a-type": (b'"events":[', b'"events":[{},'),
        "event-of-type-1": (b'"events":[', b'"events":[{"type":1},'),
        "settlement-of-another-outcome": (b'"events":[', event.replace(b"won", b"banana") % b""),
        "settlement-of-a-fraction": (b'"events":[', event.replace(b":1%b", b":1.5%b") % b""),
        "settlement-of-a-text": (
            b'"events":[',
            event.replace(b'"bet":%d' % number, b'"bet":"%d"' % number) % b"",
        ),
        "settlement-of-nothing": (b'"events":[', event.replace(b'"bet":%d,' % number, b"") % b""),
        "settlement-with-another-field": (b'"events":[', event % b',"x":1'),
        "settlement-for-null": (b'"events":[', event % b',"only":null'),
        "settlement-for-false": (b'"events":[', event % b',"only":false'),
    }
    forged = {name: rewritten(game, version, *change) for name, change in bodies.items()}
    unseen = rewritten(game, version, b'"events":[', event % b',"only":[]')
    return {
        **{name: (bundle_of(game), 1) for name, game in forged.items()},
        **{
            f"receipt-{name}": (bundle.line(Log([game]).receipt(game, number)), 1)
            for name, game in forged.items()
        },
        "settlement-that-nobody-saw": (bundle.line(Log([unseen]).receipt(unseen, number)), 0),
    }


def in_draws() -> dict[str, Case]:
    """A receipt is checked without rules: any bound is allowed if the draw fits."""
    game = stopped()
    number = game.commits[-1].settlements[0].bet
    draw = next(
        draw for commit in game.commits[-10:] for draw in chain.decode_body(commit.body).draws
    )
    version = first_version(game, msgspec.json.encode(draw))
    key = game.key()

    def with_draw(bound: int, value: int | None = None) -> bytes:
        value = draw_value(key, draw.number, bound) if value is None else value
        forged = rewritten(
            game,
            version,
            msgspec.json.encode(draw),
            msgspec.json.encode([draw.number, bound, value]),
        )
        return bundle.line(Log([forged]).receipt(forged, number))

    return {
        "below-2^53-1": (with_draw(2**53 - 1), 0),
        "below-2^53": (with_draw(2**53), 1),
        "below-1": (with_draw(1), 0),
        "another-value": (with_draw(draw.bound, (draw.value + 1) % draw.bound), 1),
    }


def chained(game: Honest, commits: Sequence[Commit]) -> Honest:
    """Return the game with these commits, with hashes and rows recomputed."""
    previous, fitted = chain.genesis_hash(game.genesis), []
    for commit in commits:
        content = json.loads(commit.body[chain.BLIND_LENGTH :])
        received = [event for event in content["events"] if "only" not in event]
        placed = [event for event in received if event["type"] == "bet_placed"]
        settled = [event for event in received if event["type"] in {"bet_settled", "bet_voided"}]
        previous = chain.commit_hash(previous, commit.version, chain.body_digest(commit.body))
        rows = {
            "bets": tuple(
                BetRow(*(event[name] for name in ("bet", "seat", "spot", "stake", "odds")))
                for event in placed
            ),
            "settlements": tuple(
                SettlementRow(event["bet"], event.get("outcome", "void"), event["payout"])
                for event in sorted(settled, key=lambda event: event["bet"])
            ),
            "transfers": tuple(Transfer(*row) for row in content["transfers"]),
        }
        fitted.append(msgspec.structs.replace(commit, hash=previous, **rows))
    return game._replace(commits=fitted)


def retold(game: Honest, version: int, edit: Edit) -> bytes:
    """Return the bundle of a game with one commit changed."""
    commits = list(game.commits)
    body = commits[version - 1].body
    content = edited(body[chain.BLIND_LENGTH :], edit)
    commits[version - 1] = msgspec.structs.replace(
        commits[version - 1], body=body[: chain.BLIND_LENGTH] + content
    )
    return bundle_of(chained(game, commits))


def carried_on(
    game: Honest, command: ServerCommand, *events: Event, how: bundle.Ended | None = None
) -> bytes:
    """Return the bundle of a game with another commit of the server at the end."""
    version = len(game.commits) + 1
    body = chain.encode_body(game.key(), version, None, command, (), events, ())
    commits = [*game.commits, Commit(version=version, body=body, hash=b"")]
    return bundle_of(chained(game, commits)._replace(how=how or game.how))


def in_bets() -> dict[str, Case]:
    """The events of bets must be consistent under any rules."""
    game, last = board(), len(board().commits)
    placed = next(bet for commit in game.commits for bet in commit.bets)
    settled_at = next(commit.version for commit in game.commits if commit.settlements)
    settled = {
        "type": "bet_settled",
        "bet": game.commits[settled_at - 1].settlements[0].bet,
        "seat": 0,
        "spot": "x",
        "outcome": "won",
        "payout": 1,
    }
    again = {
        "type": "bet_placed",
        "bet": placed.bet,
        "seat": 0,
        "spot": "x",
        "stake": 1,
        "odds": "",
    }

    def happening(version: int, event: object) -> bytes:
        return retold(game, version, lambda content: content["events"].append(event))

    return {
        "settled-twice": (happening(last, settled), 1),
        "settled-before-it-was-placed": (happening(2, settled), 1),
        "settled-and-never-placed": (happening(last, {**settled, "bet": 777}), 1),
        "settled-as-something-else": (
            happening(last, {**settled, "bet": 777, "outcome": "banana"}),
            1,
        ),
        "placed-twice": (happening(last, again), 1),
    }


def in_what_the_server_commits() -> dict[str, Case]:
    """Some consequences of a server command are the same in every game."""
    game, void, last = board(), stopped(), len(stopped().commits)
    corrected = honest_game(
        "free_spots", 4, options=FreeSpotsOptions(boards=1), void=2, corrected=1
    )
    voided_at = next(
        commit.version for commit in corrected.commits if b'"voided_bet"' in commit.body
    )
    note, noted = Annotated("a note", OPERATOR), Intervened(by=OPERATOR, reason="a note")
    off, intervened = Voided("a fire", OPERATOR), Intervened(by=OPERATOR, reason="a fire")
    assert len(void.commits[-1].settlements) > 1

    def voided(edit: Edit) -> Case:
        return retold(void, last, edit), 1

    def voided_bet(edit: Edit) -> Case:
        return retold(corrected, voided_at, edit), 1

    correction = json.loads(corrected.commits[-1].body[chain.BLIND_LENGTH :])["command"]
    again = msgspec.convert(correction, VoidedBet)
    told_again = BetVoided(bet=again.bet, payout=0, reason=again.reason)
    return {
        "note-after-the-end": (carried_on(game, note, noted), 0),
        "note-by-another": (carried_on(game, note, Intervened(by=None, reason="a note")), 1),
        "note-that-nobody-reads": (carried_on(game, note), 1),
        "note-that-does-more": (carried_on(game, note, noted, noted), 1),
        "seat-replaced": (carried_on(game, SeatReplaced(0, forfeits=False)), 0),
        "seat-replaced-with-a-note": (carried_on(game, SeatReplaced(0, forfeits=False), noted), 1),
        "voided-after-the-end": (carried_on(game, off, intervened, how="voided"), 0),
        "voided-after-the-end-and-finished": (carried_on(game, off, intervened), 1),
        "voided-twice": (carried_on(void, off, intervened), 1),
        "note-after-it-was-voided": (carried_on(void, note, noted), 1),
        "dealt-twice": (carried_on(game, Started()), 1),
        "not-dealt": (
            retold(
                game,
                1,
                lambda content: content["command"].update(
                    type="annotated", reason="", by=str(OPERATOR)
                ),
            ),
            1,
        ),
        "command-of-another-kind": (
            retold(game, 1, lambda content: content["command"].update(type="rolled_back")),
            1,
        ),
        "command-with-another-field": (
            retold(game, 1, lambda content: content["command"].update(x=1)),
            1,
        ),
        "voided-with-a-bet-left-open": voided(lambda content: content["events"].pop()),
        "voided-in-another-order": voided(
            lambda content: content["events"].append(content["events"].pop(1))
        ),
        "voided-for-another-reason": voided(
            lambda content: content["events"][-1].update(reason="another")
        ),
        "voided-with-a-payout": voided(lambda content: content["events"][-1].update(payout=5)),
        "voided-by-another": voided(lambda content: content["events"][0].update(by=str(OPERATOR))),
        "voided-with-a-draw": voided(
            lambda content: content["transfers"].append(["bank", "seat:0", 1, "gift"])
        ),
        "bets-voided": (bundle_of(corrected), 0),
        "bet-voided-of-another-seat": voided_bet(
            lambda content: content["command"].update(seat=17)
        ),
        "bet-voided-of-another-stake": voided_bet(
            lambda content: content["command"].update(stake=17)
        ),
        "bet-voided-as-if-settled": voided_bet(
            lambda content: content["command"].update(payout=17)
        ),
        "bet-voided-without-a-word": voided_bet(lambda content: content["events"].pop(0)),
        "bet-voided-for-another-reason": voided_bet(
            lambda content: content["events"][-1].update(reason="another")
        ),
        "another-bet-voided": voided_bet(lambda content: content["events"][-1].update(bet=3)),
        "no-bet-voided": voided_bet(lambda content: content["events"].pop()),
        "bet-voided-twice": (
            carried_on(corrected, again, Intervened(by=again.by, reason=again.reason), told_again),
            1,
        ),
    }


def in_bundles() -> dict[str, Case]:
    twice = [*Log(games()).bundle([board()]), *Log(games()).bundle([board()])[1:]]
    return {
        "a-game-twice": (written([msgspec.structs.replace(twice[0], games=2), *twice[1:]]), 1),
        "no-game": (written(Log(games()).bundle([])), 0),
    }


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
)
