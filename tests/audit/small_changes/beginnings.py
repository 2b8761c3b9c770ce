"""Changes of how a game began: its genesis, and the attempts to start it."""

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
