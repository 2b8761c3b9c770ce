"""What hashes, keys, commitments and blinds are made of: computed by hand, and one by one."""

import hashlib
import hmac
from uuid import UUID

import msgspec
import pytest

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
    table=msgspec.Raw(b"{}"),
    seed_hash=hashlib.sha256(SEED).hexdigest(),
    abandoned=None,
)
ENTROPY = bytes(range(32, 64))
OPENED = chain.entry_hash(chain.opened_entry(TERMS))
LINK = chain.person_link(OPENED, b"\x66" * 32, 7, b"\x77" * 32)
OPENING = chain.Genesis(
    **msgspec.structs.asdict(TERMS),
    seats=2,
    rows=(
        chain.Row(0, "11" * 32, None, None, None, LINK.hex()),
        chain.Row(3, None, None, chain.commitment(OPENED, 3, ENTROPY).hex(), None, None),
    ),
    rows_salt="22" * 32,
    promises=("33" * 32,),
    reveals=(chain.Reveal(1, ENTROPY.hex(), None),),
    answers=(chain.WitnessAnswer("44" * 32, "55" * 64),),
    build=chain.Build("0.1.0", "", "ab" * 32),
)
GENESIS = msgspec.json.encode(OPENING)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"link": None}, "a person and a link"),
        ({"person": None}, "a person and a link"),
        ({"signature": None}, "a key and a signature"),
        ({"key": None}, "a key and a signature"),
        ({"commitment": None}, "adds no entropy"),
        ({"person": None, "link": None}, "adds no entropy"),
        ({"key": "00" * 32}, "fits signatures of anything"),
    ],
)
def test_the_parts_of_a_row_belong_together(changes: dict[str, str | None], fault: str) -> None:
    whole = chain.Row(0, "11" * 32, "02" * 32, "33" * 32, "44" * 64, "55" * 32)
    with pytest.raises(ValueError, match=fault):
        msgspec.structs.replace(whole, **changes)


@pytest.mark.parametrize(
    ("field", "allowed", "refused"),
    [
        ("capacity", 1, 0),
        ("capacity", 2**15 - 1, 2**15),
        ("witnesses", ["key"] * 16, ["key"] * 17),
        ("witnesses", ["k" * 400], ["k" * 401]),
        ("buy_in", 2**53 - 1, 2**53),
        ("prizes", [0, 2**31 - 1], [2**31]),
        ("absence_s", 0, -1),
    ],
)
def test_the_parts_of_a_table_are_bounded(field: str, allowed: object, refused: object) -> None:
    table = {
        "buy_in": 0,
        "prizes": [],
        "capacity": 2,
        "absence": "wait",
        "absence_s": 0,
        "rated": False,
        "keys": False,
        "deadlines": dict.fromkeys(chain.Deadlines.__struct_fields__, 1),
        "witnesses": [],
    }
    chain.decode_table(msgspec.json.encode(table | {field: allowed}))
    with pytest.raises(msgspec.ValidationError, match=field):
        chain.decode_table(msgspec.json.encode(table | {field: refused}))


@pytest.mark.parametrize("sign", [0, 2**255])
def test_a_key_is_the_only_form_of_a_point_whose_order_is_not_small(sign: int) -> None:
    def is_key(height: int) -> bool:
        return chain.is_key((height + sign).to_bytes(32, "little"))

    assert is_key(2)
    assert is_key(chain.FIELD - 2)
    for height in (*chain.SMALL, chain.FIELD, chain.FIELD + 2):
        assert not is_key(height)


def test_the_hash_before_the_first_commit_covers_all_that_a_game_depends_on() -> None:
    assert chain.genesis_hash(GENESIS) == hashlib.sha256(b"game\x00" + GENESIS).digest()
    fields = set(msgspec.json.decode(GENESIS))
    assert {
        "rules",
        "rules_version",
        "edition",
        "options",
        "table",
        "seats",
        "rows",
        "reveals",
        "seed_hash",
        "game",
        "name",
        "abandoned",
    } <= fields


def frame(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def leaf(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def test_the_entries_before_a_start_by_hand() -> None:
    rows = frame(
        *(b"\x00\x00", b"\x11" * 32, b"", b"", b"", LINK),
        *(b"\x00\x03", b"", b"", chain.commitment(OPENED, 3, ENTROPY), b"", b""),
    )
    linked = frame(OPENED, b"\x66" * 32, bytes(7) + b"\x07", b"\x77" * 32)
    assert hashlib.sha256(b"link\x00" + linked).digest() == LINK
    covered = b"\x22" * 32 + frame(rows, frame(b"\x33" * 32))
    digest = hashlib.sha256(b"committed\x00" + covered).digest()
    before = bytes(range(16)) + bytes(8)
    assert TERMS.seed_hash == chain.seed_hash(SEED)
    opened, committed, revealed = chain.start_entries(OPENING)
    assert opened == chain.opened_entry(TERMS)
    assert committed == b"\x0b" + before + leaf(opened) + digest
    assert revealed == b"\x0c" + before + leaf(committed) + b"\x00\x03" + ENTROPY
    alone = msgspec.structs.replace(
        OPENING,
        rows=tuple(chain.Row(place, None, None, None, None, None) for place in (0, 1)),
        rows_salt=None,
        promises=(),
        reveals=(),
        answers=(),
    )
    assert chain.start_entries(alone) == (opened, None, None)
    parts = frame(b"key 2", leaf(opened))
    assert chain.key_of(SEED, alone) == hmac.digest(SEED, parts, "sha256")


def test_the_key_follows_from_the_last_entry_entropy_and_answers_and_nothing_else() -> None:
    revealed = chain.start_entries(OPENING).last
    parts = frame(b"key 2", leaf(revealed), ENTROPY, b"\x44" * 32)
    expected = hmac.digest(SEED, parts, "sha256")
    assert chain.key_of(SEED, OPENING) == expected
    free = {
        "format": 2,
        "build": chain.Build("9.9.9", "", "00" * 32),
        "answers": (chain.WitnessAnswer("44" * 32, "66" * 64),),
    }
    row = OPENING.rows[0]
    bound = {
        "rows": (msgspec.structs.replace(row, link="00" * 32), OPENING.rows[1]),
        "rows_salt": "00" * 32,
        "promises": ("00" * 32,),
        "reveals": (chain.Reveal(1, "00" * 32, None),),
    }
    of_terms = set(chain.Terms.__struct_fields__)
    fields = of_terms | free.keys() | bound.keys() | {"seats"}
    assert fields == set(chain.Genesis.__struct_fields__)
    for changes, stays in ((free, True), (bound, False)):
        for field, value in changes.items():
            other = msgspec.structs.replace(OPENING, **{field: value})
            assert (chain.key_of(SEED, other) == expected) is stays, field


def test_every_term_is_fixed_by_the_opened_entry() -> None:
    changes: dict[str, object] = {
        "name": UUID(int=1),
        "salt": "00" * 32,
        "game": UUID(int=1),
        "rules": "set_dice",
        "rules_version": 2,
        "edition": "5eed",
        "options": msgspec.Raw(b'{"boards":2}'),
        "table": msgspec.Raw(b"[]"),
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
    said = chain.GivenUp(b"c" * 32, [1, 258], [(3, ENTROPY)])
    entry = Entry.decode(chain.abandoned_entry(TERMS, SEED, said))
    assert (entry.kind, entry.name, entry.hash) == (Kind.ABANDONED, TERMS.name, OPENED)
    assert (entry.seed, entry.given_up, entry.reveals) == (SEED, said, [(3, ENTROPY)])
    assert entry.payload == SEED + b"c" * 32 + b"\x00\x02\x00\x01\x01\x02\x00\x03" + ENTROPY


def test_the_blind_hides_equal_commits_from_each_other() -> None:
    key = chain.key_of(SEED, OPENING)
    assert chain.blind_of(key, 7) == hmac.digest(key, b"blind" + bytes(7) + b"\x07", "sha256")
    bodies = [chain.encode_body(key, number, None, Started(), (), (), ()) for number in range(50)]
    assert len({body[: chain.BLIND_LENGTH] for body in bodies}) == len(bodies)
