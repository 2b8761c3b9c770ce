"""Replay: an honest game passes, and every kind of edit is found and named."""

import hashlib
import hmac
from collections.abc import Callable
from uuid import UUID

import msgspec
import pytest

from bench.free_spots import FreeSpots, FreeSpotsOptions, FreeSpotsState, TakeSpot
from railbird_engine import Seat
from railbird_engine.audit.divergence import Diverged
from railbird_engine.audit.log import Entry, Kind
from railbird_engine.audit.replay import Stored, replay
from railbird_engine.kernel import chain
from railbird_engine.kernel.playout import Playout
from railbird_engine.kernel.server_commands import Started
from railbird_engine.kernel.stepping import OtherEdition

SEED = bytes(range(32))
RULES = FreeSpots()
TERMS = chain.Terms(
    name=UUID(bytes=bytes(range(16))),
    salt="5a" * 32,
    game=UUID("01a1fbe3-eafd-7561-9651-510c1cdc318f"),
    rules="free_spots",
    rules_version=1,
    edition="",
    options=msgspec.Raw(b'{"boards":1}'),
    seed_hash=hashlib.sha256(SEED).hexdigest(),
    abandoned=None,
)
ENTROPY = bytes(range(32, 64))
OPENED = chain.entry_hash(chain.opened_entry(TERMS))
OPENING = chain.Genesis(
    **msgspec.structs.asdict(TERMS),
    seats=2,
    reveals=(chain.Reveal(1, 3, chain.commitment(OPENED, 3, ENTROPY).hex(), ENTROPY.hex()),),
    people=(None, None),
    build=chain.Build("0.1.0", "", "ab" * 32),
)
GENESIS = msgspec.json.encode(OPENING)


def honest_game() -> list[Stored]:
    """A whole game as stored."""
    key = chain.key_of(SEED, OPENING)
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
        "reveals",
        "seed_hash",
        "game",
        "name",
        "abandoned",
    } <= fields


def test_the_key_follows_from_seed_opening_and_entropy_and_nothing_else_of_the_genesis() -> None:
    opened_by_hand = hashlib.sha256(b"\x00" + chain.opened_entry(TERMS)).digest()
    expected = hmac.digest(SEED, b"key" + opened_by_hand + ENTROPY, "sha256")
    assert chain.key_of(SEED, OPENING) == expected
    of_terms = set(chain.Terms.__struct_fields__)
    others = {
        "format": 1,
        "reveals": (chain.Reveal(0, 0, "00" * 32, ENTROPY.hex()),),
        "people": ("00" * 32, None),
        "build": chain.Build("9.9.9", "", "00" * 32),
    }
    assert of_terms | others.keys() | {"seats"} == set(chain.Genesis.__struct_fields__)
    more = msgspec.structs.replace(OPENING, seats=3, people=(None,) * 3)
    assert chain.key_of(SEED, more) == expected
    for field, value in others.items():
        other = msgspec.structs.replace(OPENING, **{field: value})
        assert chain.key_of(SEED, other) == expected, field


def test_every_term_is_fixed_by_the_opened_entry() -> None:
    changes: dict[str, object] = {
        "name": UUID(int=1),
        "salt": "00" * 32,
        "game": UUID(int=1),
        "rules": "set_dice",
        "rules_version": 2,
        "edition": "5eed",
        "options": msgspec.Raw(b'{"boards":2}'),
        "seed_hash": "00" * 32,
        "abandoned": "00" * 31 + "01",
    }
    assert changes.keys() == set(chain.Terms.__struct_fields__)
    for field, value in changes.items():
        other = msgspec.structs.replace(TERMS, **{field: value})
        assert chain.opened_entry(other) != chain.opened_entry(TERMS), field


def test_the_opened_entry_tells_no_outsider_which_game_it_is() -> None:
    entry = chain.opened_entry(TERMS)
    assert TERMS.game.bytes not in entry
    assert chain.terms_hash(TERMS) != chain.terms_hash(
        msgspec.structs.replace(TERMS, salt="00" * 32)
    )


def test_a_commitment_fits_one_opening_one_place_and_one_entropy() -> None:
    found = {
        chain.commitment(opened, place, entropy)
        for opened in (OPENED, bytes(32))
        for place in (0, 3)
        for entropy in (ENTROPY, bytes(32))
    }
    assert len(found) == 8
    by_hand = hashlib.sha256(b"entropy\x00" + OPENED + b"\x00\x03" + ENTROPY).digest()
    assert chain.commitment(OPENED, 3, ENTROPY) == by_hand


def test_the_entry_that_abandons_an_attempt_opens_its_seed_and_lists_the_reveals() -> None:
    entry = Entry.decode(chain.abandoned_entry(TERMS, SEED, [(3, ENTROPY)]))
    assert (entry.kind, entry.name, entry.hash) == (Kind.ABANDONED, TERMS.name, OPENED)
    assert entry.seed == SEED
    assert list(entry.reveals) == [(3, ENTROPY)]


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
