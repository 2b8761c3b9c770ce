"""Replay: an honest game passes, and every kind of edit is found and named."""

import hashlib
from collections.abc import Callable
from uuid import UUID

import msgspec
import pytest

from bench.free_spots import FreeSpots, FreeSpotsOptions, FreeSpotsState, TakeSpot
from games.audit.divergence import Diverged
from games.audit.replay import Stored, replay
from games.engine import Seat, chain
from games.engine.playout import Playout
from games.engine.server import Started
from games.engine.stepping import OtherEdition

SEED = bytes(range(32))
RULES = FreeSpots()
GENESIS = msgspec.json.encode(
    chain.Genesis(
        game=msgspec.convert("01a1fbe3-eafd-7561-9651-510c1cdc318f", type=UUID),
        rules="free_spots",
        rules_version=1,
        edition="",
        seats=2,
        options=msgspec.Raw(b'{"boards":1}'),
        entropy=("", "00ff"),
        seed_hash=hashlib.sha256(SEED).hexdigest(),
    )
)


def honest_game() -> list[Stored]:
    """A whole game as stored."""
    key = chain.game_key(SEED, GENESIS)
    playout = Playout(RULES, 2, FreeSpotsOptions(boards=1), key)
    for spot in range(68):
        playout.act(Seat(spot % 2), TakeSpot(spot))
    previous, stored = chain.genesis_hash(GENESIS), []
    for version, commit in enumerate(playout.commits, start=1):
        command = commit.command or Started()
        body = chain.encode_body(
            key, version, commit.seat, command, commit.draws, commit.events, commit.transfers
        )
        previous = chain.commit_hash(previous, version, chain.body_digest(body))
        stored.append(Stored(version, commit.seat, body, previous))
    return stored


HONEST = honest_game()


def rehashed(commits: list[Stored]) -> list[Stored]:
    """Recompute all hashes, as a forger would."""
    previous, fitted = chain.genesis_hash(GENESIS), []
    for commit in commits:
        previous = chain.commit_hash(previous, commit.version, chain.body_digest(commit.body))
        fitted.append(commit._replace(hash=previous))
    return fitted


def edited(version: int, old: bytes, new: bytes) -> list[Stored]:
    """Return the game with the text of one commit changed."""
    commits = list(HONEST)
    body = commits[version - 1].body
    assert old in body
    commits[version - 1] = commits[version - 1]._replace(body=body.replace(old, new))
    return commits


def test_an_honest_game_can_be_replayed_to_its_end() -> None:
    last = list(replay(RULES, GENESIS, SEED, HONEST))[-1]
    assert last.version == 69
    assert isinstance(last.state, FreeSpotsState)
    assert RULES.result(last.state) is not None


def test_the_hash_before_the_first_commit_covers_all_that_a_game_depends_on() -> None:
    assert chain.genesis_hash(GENESIS) == hashlib.sha256(b"game\x00" + GENESIS).digest()
    fields = set(msgspec.json.decode(GENESIS))
    assert {
        "rules",
        "rules_version",
        "edition",
        "options",
        "seats",
        "entropy",
        "seed_hash",
        "game",
    } <= fields


def test_the_blind_hides_equal_commits_from_each_other() -> None:
    assert len({commit.body[: chain.BLIND_LENGTH] for commit in HONEST}) == len(HONEST)


@pytest.mark.parametrize(
    ("forge", "version", "field"),
    [
        (lambda: edited(5, b'"spot":3', b'"spot":9'), 5, "hash"),
        (lambda: rehashed(edited(5, b'"spot":"3"', b'"spot":"9"')), 5, "events"),
        (lambda: rehashed(edited(5, b'"bank",1', b'"bank",2')), 5, "transfers"),
        (lambda: rehashed(edited(5, b'"draws":[]', b'"draws":[[0,6,5]]')), 5, "draws"),
        (lambda: rehashed(edited(6, b'"spot":4}', b'"spot":3}')), 6, "command"),
        (lambda: HONEST[:4] + HONEST[5:], 5, "version"),
        (lambda: [*HONEST[:4], HONEST[5], HONEST[4], *HONEST[6:]], 5, "version"),
        (lambda: [*HONEST[:4], HONEST[4]._replace(seat=0), *HONEST[5:]], 5, "seat"),
        (
            lambda: rehashed(
                [*HONEST[:4], HONEST[4]._replace(body=bytes(32) + HONEST[4].body[32:])]
            ),
            5,
            "blind",
        ),
        (lambda: rehashed([*HONEST[:4], HONEST[4]._replace(body=HONEST[4].body[:40])]), 5, "body"),
    ],
)
def test_every_edit_is_found_and_named(
    forge: Callable[[], list[Stored]], version: int, field: str
) -> None:
    with pytest.raises(Diverged) as diverged:
        list(replay(RULES, GENESIS, SEED, forge()))
    assert (diverged.value.version, diverged.value.field) == (version, field)


def test_a_game_of_another_edition_names_the_edition_that_it_needs() -> None:
    other = msgspec.json.encode(
        msgspec.structs.replace(chain.decode_genesis(GENESIS), edition="5eed")
    )
    with pytest.raises(OtherEdition, match="needs rules free_spots 1 of edition 5eed, found none"):
        list(replay(RULES, other, SEED, HONEST))


def test_a_seed_that_does_not_match_its_hash_is_found() -> None:
    with pytest.raises(Diverged) as diverged:
        list(replay(RULES, GENESIS, bytes(32), HONEST))
    assert diverged.value.field == "seed"
