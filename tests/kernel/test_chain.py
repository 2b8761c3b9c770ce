"""What hashes, keys, commitments and blinds are made of: computed by hand, and one by one."""

import hashlib
import hmac
from uuid import UUID

import msgspec

from railbird_engine.audit.log import Entry
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind
from railbird_engine.kernel.server_commands import Started

SEED = bytes(range(32))
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
    key = chain.key_of(SEED, OPENING)
    bodies = [chain.encode_body(key, number, None, Started(), (), (), ()) for number in range(50)]
    assert len({body[: chain.BLIND_LENGTH] for body in bodies}) == len(bodies)
