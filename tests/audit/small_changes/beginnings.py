"""Changes of how a game began: its genesis, and the attempts to start it."""

import hashlib
import json
from functools import cache
from typing import Any

import msgspec

from railbird_engine.audit import bundle
from railbird_engine.kernel import chain
from tests.audit.honest import Honest, Log, honest_game, recommitted, written
from tests.audit.small_changes.files import (
    Case,
    board,
    bundle_of,
    edited,
)


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

    reveals, build, rows = honest_one["reveals"], honest_one["build"], honest_one["rows"]
    answers, table = honest_one["answers"], honest_one["table"]
    assert len(reveals) > 1
    first, *others = reveals
    server, contributing, *_ = rows

    def of_row(*row: object) -> tuple[bytes, int]:
        return changed(rows=[rows[0], row, *rows[2:]]), 1

    def of_table(**fields: object) -> tuple[bytes, int]:
        return changed(table={**table, **fields}), 1

    return {
        "as-it-was": (with_genesis(board().genesis), 0),
        "no-format": (
            with_genesis(edited(board().genesis, lambda fields: fields.pop("format"))),
            0,
        ),
        "with-spaces": (with_genesis(recommitted(json.dumps(honest_one, indent=1).encode())), 0),
        "format-0": (changed(format=0), 1),
        "format-1": (changed(format=1), 1),
        "field": (changed(x=1), 1),
        "no-options": (
            with_genesis(edited(board().genesis, lambda fields: fields.pop("options"))),
            1,
        ),
        "options-of-text": (changed(options="x"), 1),
        "byte-order-mark": (with_genesis(b"\xef\xbb\xbf" + board().genesis), 1),
        "no-seats": (changed(seats=0, reveals=[], rows=[]), 1),
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
        "reveals-of-nobody": (changed(reveals=[]), 1),
        "reveals-null": (changed(reveals=None), 1),
        "reveals-of-one-less": (changed(reveals=others), 1),
        "reveals-in-another-order": (changed(reveals=[*others, first]), 1),
        "reveals-twice": (changed(reveals=[first, *reveals]), 1),
        "reveal-of-no-seat": (changed(reveals=[[honest_one["seats"], *first[1:]], *others]), 1),
        "reveal-of-seat-below-0": (changed(reveals=[[-1, *first[1:]], *others]), 1),
        "reveal-of-a-seat-without-commitment": (
            changed(reveals=[[0, "ab" * 32, None], *reveals]),
            1,
        ),
        "reveal-longer": (changed(reveals=[[*first, 1], *others]), 1),
        "reveal-shorter": (changed(reveals=[first[:2], *others]), 1),
        "reveal-with-a-signature": (changed(reveals=[[*first[:2], "ab" * 64], *others]), 1),
        "reveal-of-other-entropy": (changed(reveals=[[first[0], "ab" * 32, None], *others]), 1),
        "reveal-of-31-bytes": (changed(reveals=[[first[0], "ab" * 31, None], *others]), 1),
        "reveal-in-upper-case": (
            changed(reveals=[[first[0], first[1].upper(), None], *others]),
            1,
        ),
        "reveal-with-a-line-feed": (
            changed(reveals=[[first[0], f"{first[1]}\n", None], *others]),
            1,
        ),
        "row-of-another-place": of_row(0, *contributing[1:]),
        "row-of-a-later-place": of_row(contributing[0] + 1000, *contributing[1:]),
        "row-of-nobody": of_row(contributing[0], None, *contributing[2:5], None),
        "row-of-a-person-without-a-link": of_row(*contributing[:5], None),
        "row-with-another-link": of_row(*contributing[:5], "ab" * 32),
        "row-with-a-link-of-31-bytes": of_row(*contributing[:5], "ab" * 31),
        "row-with-a-key": of_row(*contributing[:2], "ab" * 32, *contributing[3:]),
        "row-without-commitment": of_row(*contributing[:3], None, None, contributing[5]),
        "row-with-another-commitment": of_row(*contributing[:3], "ab" * 32, *contributing[4:]),
        "row-with-a-signature": of_row(*contributing[:4], "ab" * 64, contributing[5]),
        "row-shorter": of_row(*contributing[:5]),
        "row-longer": of_row(*contributing, None),
        "row-in-upper-case": of_row(*contributing[:3], contributing[3].upper(), *contributing[4:]),
        "server-with-a-person": (
            changed(rows=[[0, "ab" * 32, *server[2:5], "ab" * 32], *rows[1:]]),
            1,
        ),
        "one-row-less": (changed(rows=rows[1:]), 1),
        "one-row-more": (changed(rows=[*rows, [9999, None, None, None, None, None]]), 1),
        "rows-in-another-order": (changed(rows=rows[::-1]), 1),
        "rows-null": (changed(rows=None), 1),
        "another-salt-of-rows": (changed(rows_salt="ab" * 32), 1),
        "no-salt-of-rows": (changed(rows_salt=None), 1),
        "nobody-contributes": (
            changed(
                rows=[[*row[:3], None, None, row[5]] for row in rows],
                rows_salt=None,
                promises=[],
                reveals=[],
                answers=[],
            ),
            1,
        ),
        "promise-of-another": (changed(promises=["ab" * 32]), 1),
        "no-promise": (changed(promises=[]), 1),
        "no-answer": (changed(promises=[], answers=[]), 1),
        "two-answers": (changed(promises=honest_one["promises"] * 2, answers=answers * 2), 1),
        "other-answer": (changed(answers=[["ab" * 32, answers[0][1]]]), 1),
        "answer-kept-by-its-promise": (
            changed(
                promises=[hashlib.sha256(b"x" * 32).hexdigest()],
                answers=[[(b"x" * 32).hex(), answers[0][1]]],
            ),
            1,
        ),
        "answer-with-another-signature": (changed(answers=[[answers[0][0], "ab" * 64]]), 1),
        "answer-with-half-a-signature": (changed(answers=[[answers[0][0], "ab" * 32]]), 1),
        "table-of-another-buy-in": of_table(buy_in=1),
        "table-of-other-prizes": of_table(prizes=[50, 50]),
        "table-with-more-seats": of_table(capacity=9),
        "table-of-another-absence": of_table(absence="forfeit"),
        "table-of-an-unknown-absence": of_table(absence="never"),
        "table-of-another-time": of_table(absence_s=61),
        "table-rated": of_table(rated=True),
        "table-with-keys": of_table(keys=True),
        "table-of-other-deadlines": of_table(
            deadlines={"committed_s": 30, "revealed_s": 31, "started_s": 30}
        ),
        "table-without-witnesses": of_table(witnesses=[]),
        "table-of-other-witnesses": of_table(witnesses=["nobody"]),
        "table-of-more": of_table(x=1),
        "table-null": (changed(table=None), 1),
        "no-table": (
            with_genesis(edited(board().genesis, lambda fields: fields.pop("table"))),
            1,
        ),
        "no-build": (with_genesis(edited(board().genesis, lambda fields: fields.pop("build"))), 1),
        "build-null": (changed(build=None), 1),
        "build-of-unknown-commit": (changed(build={**build, "commit": ""}), 0),
        "build-of-half-a-commit": (changed(build={**build, "commit": "c0" * 10}), 1),
        "build-of-a-commit-in-upper-case": (changed(build={**build, "commit": "C0" * 20}), 1),
        "build-of-a-commit-and-a-line": (changed(build={**build, "commit": "c0" * 20 + "\n"}), 1),
        "build-of-no-rules": (changed(build={**build, "rules": ""}), 1),
        "build-of-a-long-version": (changed(build={**build, "version": "1" * 41}), 1),
        "build-of-an-empty-version": (changed(build={**build, "version": ""}), 1),
        "build-of-a-reversed-version": (changed(build={**build, "version": "1.0\u202e"}), 1),
        "build-of-commit-zero": (changed(build={**build, "commit": "00" * 20}), 1),
        "build-of-rules-zero": (changed(build={**build, "rules": "00" * 32}), 1),
        "build-of-more": (changed(build={**build, "x": 1}), 1),
        "seed-hash-in-upper-case": (changed(seed_hash=honest_one["seed_hash"].upper()), 1),
        "seed-hash-longer": (changed(seed_hash=honest_one["seed_hash"] + "00"), 1),
        "rules-of-41-characters": (changed(rules="x" * 41), 1),
        "edition-of-65-characters": (changed(edition="e" * 65), 1),
        "rules-version-below-zero": (changed(rules_version=-1), 1),
    } | {
        f"{of}-{name}": case
        for of, cases in (("attempt", in_attempts()), ("start", in_starts()))
        for name, case in cases.items()
    }


def in_starts() -> dict[str, Case]:
    """The proofs of the entries that a game begins with."""
    log = Log([board()])
    header, opening, *rest = log.bundle([board()])
    assert isinstance(opening, bundle.Game)

    def changed(**fields: Any) -> Case:
        return written([header, msgspec.structs.replace(opening, **fields), *rest]), 1

    opened, committed, revealed, *entries = board().entries()
    late = Log([board()], entries=[opened, revealed, committed, *entries])
    after = Log([board()], entries=[opened, committed, entries[0], revealed, *entries[1:]])
    return {
        "as-it-was": (changed()[0], 0),
        "without-committed": changed(committed=None),
        "without-revealed": changed(revealed=None),
        "without-both": changed(committed=None, revealed=None),
        "with-exchanged-proofs": changed(committed=opening.revealed, revealed=opening.committed),
        "committed-elsewhere": changed(committed=opening.opened),
        "committed-after-the-reveals": (written(late.bundle([board()])), 1),
        "revealed-after-the-start": (written(after.bundle([board()])), 1),
    }


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
    moved = Log([game], entries=[*entries[3:7], *entries[:3], *entries[7:]])
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
        "of-other-commitments": changed(committed=bytes(32)),
        "without-commitments": changed(committed=None),
        "where-nobody-was-missing": changed(missing=()),
        "where-another-was-missing": changed(missing=(1,)),
        "without-proof": changed(ended=last.opened),
        "opened-elsewhere": changed(opened=log.proof_of(entries[4])),
        "with-the-seed-of-the-game": (
            bundle_of(
                honest_game("ready_set_bet", 3, voided_after=40, attempts=2, repeats_seed=True)
            ),
            1,
        ),
        "after-the-next": (written(moved.bundle([game])), 1),
    }
