"""The test vectors of docs/formats.md: a small game and its log, of which every byte is fixed.

`python -m tests.audit.vectors` writes them into docs/vectors/.
"""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from railbird_engine import BetPlaced, BetSettled, Transfer
from railbird_engine.audit import bundle, merkle
from railbird_engine.audit.acknowledgements import (
    KEY_SUFFIX,
    Acknowledgement,
    SignedHead,
    Validity,
    key_entry,
)
from railbird_engine.audit.builds import build_entry
from railbird_engine.audit.cosignatures import Cosigner
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Checkpoint, Signer, signed
from railbird_engine.kernel import chain
from railbird_engine.kernel.bets import rows_of
from railbird_engine.kernel.chain import Kind
from railbird_engine.kernel.chance import Draw, draw_value
from railbird_engine.kernel.money import BANK, Purse, Seat, seat_purse
from railbird_engine.kernel.server_commands import Started

ROOT: Final = Path(__file__).resolve().parent.parent.parent
FILES: Final = ROOT / "docs" / "vectors"

SIGNER: Final = Signer("games.example.org/log", bytes(range(32)))
ACKNOWLEDGER: Final = Signer(SIGNER.name + KEY_SUFFIX, bytes(range(32, 64)))
WITNESS: Final = Cosigner("witness.example.net", bytes(range(64, 96)))
PLAYER: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(96, 128)))
PLAYER_KEY: Final = PLAYER.public_key().public_bytes_raw().hex()
LINK_SALT: Final = bytes.fromhex("6c" * 32)
COMMAND_ID: Final = UUID("6f3c2b1e-4c55-4a0f-9a57-0f2b8f8f3a11")
COSIGNED_AT_S: Final = 1_795_000_000
GAME: Final = UUID("01a20426-5909-7515-b1c7-351c2db065ff")
NAME: Final = UUID("00112233-4455-6677-8899-aabbccddeeff")
OLD_NAME: Final = UUID("ffeeddcc-bbaa-9988-7766-554433221100")
USER: Final = UUID("0f0e0d0c-0b0a-0908-0706-050403020100")
SEED, OLD_SEED, SALT, ENTROPY, PERSON_SALT, ROWS_SALT, OF_WITNESS = (
    bytes([byte]) * 32 for byte in (0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x88)
)
PROMISE: Final = hashlib.sha256(OF_WITNESS).hexdigest()
TABLE: Final = chain.Table(
    buy_in=100,
    prizes=(70, 30),
    capacity=4,
    absence="forfeit",
    absence_s=60,
    rated=False,
    keys=False,
    deadlines=chain.Deadlines(30, 20, 30),
    witnesses=(WITNESS.verifier.text,),
)
PLACE: Final = 1
"""The number that seat 0 had in the lobby."""
BOUND: Final = 2**64 // 2049 + 1
"""A bound that rejects about one word in 2,049."""
REJECTED: Final = 2135
"""The first draw below `BOUND` whose first word is rejected."""


class PlaceBet(msgspec.Struct, tag_field="type", tag="place_bet"):
    """A command of the example."""

    spot: str
    stake: int


class Roll(msgspec.Struct, tag_field="type", tag="roll"):
    """A command of the example that draws."""


def terms(name: UUID, seed: bytes, abandoned: str | None) -> chain.Terms:
    return chain.Terms(
        name=name,
        salt=SALT.hex(),
        game=GAME,
        rules="example",
        rules_version=1,
        edition="first",
        options=msgspec.Raw(b'{"sides":6}'),
        table=msgspec.Raw(msgspec.json.encode(TABLE)),
        seed_hash=chain.seed_hash(seed),
        abandoned=abandoned,
    )


OLD_TERMS: Final = terms(OLD_NAME, OLD_SEED, None)
OLD_OPENED: Final = chain.opened_entry(OLD_TERMS)
OLD_ROWS: Final = (
    chain.Row(
        PLACE,
        None,
        None,
        chain.commitment(chain.entry_hash(OLD_OPENED), PLACE, ENTROPY).hex(),
        None,
        None,
    ),
    chain.Row(2, None, None, "77" * 32, None, None),
)
OLD_COMMITTED: Final = chain.committed_entry(OLD_TERMS, ROWS_SALT, OLD_ROWS, (PROMISE,))
GIVEN_UP: Final = chain.GivenUp(chain.entry_hash(OLD_COMMITTED), (2,), ((PLACE, ENTROPY),))
ABANDONED: Final = chain.abandoned_entry(OLD_TERMS, OLD_SEED, GIVEN_UP)
TERMS: Final = terms(NAME, SEED, chain.entry_hash(ABANDONED).hex())
OPENED: Final = chain.opened_entry(TERMS)
COMMITMENT: Final = chain.commitment(chain.entry_hash(OPENED), PLACE, ENTROPY)
SEAT_TEXT: Final = chain.seat_text(
    chain.entry_hash(OPENED).hex(), PLACE, PLAYER_KEY, COMMITMENT.hex()
)
PERSON: Final = chain.person_commitment(chain.entry_hash(OPENED), 0, PERSON_SALT, USER)
LINK: Final = chain.person_link(chain.entry_hash(OPENED), LINK_SALT, 2, bytes(31) + b"\x01")
UNANSWERED: Final = chain.Genesis(
    **msgspec.structs.asdict(TERMS),
    seats=2,
    rows=(
        chain.Row(
            *(PLACE, PERSON.hex(), PLAYER_KEY, COMMITMENT.hex()),
            *(PLAYER.sign(SEAT_TEXT).hex(), LINK.hex()),
        ),
        chain.Row(2, None, None, None, None, None),
    ),
    rows_salt=ROWS_SALT.hex(),
    promises=(PROMISE,),
    reveals=(chain.Reveal(0, ENTROPY.hex(), None),),
    answers=(chain.WitnessAnswer(OF_WITNESS.hex(), ""),),
    build=chain.Build("0.1.0", "c0" * 20, "ab" * 32),
)
COMMITTED, REVEALED = (entry or b"" for entry in chain.start_entries(UNANSWERED)[1:])
ANSWER: Final = WITNESS.answer(
    SIGNER.name, chain.entry_hash(OPENED), chain.entry_hash(REVEALED), OF_WITNESS.hex()
)
OPENING: Final = msgspec.structs.replace(
    UNANSWERED, answers=(chain.WitnessAnswer(OF_WITNESS.hex(), ANSWER),)
)
GENESIS: Final = msgspec.json.encode(OPENING)
KEY: Final = chain.key_of(SEED, OPENING)


def signed_by_player(command: Any, head: int, hash_: bytes) -> chain.Signed:
    """Return the signature of a command of seat 0 after this commit."""
    mark = chain.Signed(COMMAND_ID, head, hash_.hex(), head + 100, "")
    text = mark.text(SIGNER.name, NAME, 0, msgspec.json.encode(command))
    return msgspec.structs.replace(mark, signature=PLAYER.sign(text).hex())


def commits() -> Iterator[bundle.Commit]:
    """Yield the game: money is dealt, seat 0 bets, and seat 1 rolls a die that pays."""
    seat, pot = seat_purse(0), Purse("pot")
    placed = BetPlaced(bet=1, seat=Seat(0), spot="high", stake=5, odds="2")
    settled = BetSettled(bet=1, seat=Seat(0), spot="high", outcome="won", payout=10)
    draw = Draw(0, 6, draw_value(KEY, 0, 6))
    won = ((Seat(0),), (Seat(1),))
    steps: tuple[tuple[int | None, Any, tuple[Draw, ...], tuple[Any, ...], Transfer], ...] = (
        (None, Started(), (), (), Transfer(BANK, seat, 20, "opening")),
        (0, PlaceBet("high", 5), (), (placed,), Transfer(seat, pot, 5, "stake")),
        (1, Roll(), (draw,), (settled,), Transfer(BANK, seat, 10, "won")),
    )
    previous = chain.genesis_hash(GENESIS)
    for version, (by, command, draws, events, transfer) in enumerate(steps, start=1):
        ranking = won if version == len(steps) else None
        mark = None if by != 0 else signed_by_player(command, version - 1, previous)
        body = chain.encode_body(
            KEY, version, by, command, draws, events, (transfer,), ranking, mark
        )
        previous = chain.commit_hash(previous, version, chain.body_digest(body))
        bets, settlements = rows_of(events)
        yield bundle.Commit(
            version=version,
            seat=by,
            body=body,
            hash=previous,
            bets=bets,
            settlements=settlements,
            transfers=(transfer,),
        )


def command_text() -> bytes:
    """Return what the player signed for the bet."""
    body = chain.decode_body(BET.body)
    assert body.signed is not None
    return body.signed.text(SIGNER.name, NAME, 0, bytes(body.command))


COMMITS: Final = tuple(commits())
FIRST, BET, LAST = COMMITS
VALIDITY: Final = Validity(1_790_000_000, 1_824_560_000)
NAMED: Final = key_entry(ACKNOWLEDGER.verifier.key, VALIDITY, 0)
LOG: Final = (
    build_entry("0.1.0", "c0" * 20, {"example": "ab" * 32}, 0),
    NAMED,
    Entry.decode(OLD_OPENED),
    Entry.decode(OLD_COMMITTED),
    Entry.decode(ABANDONED),
    Entry.decode(OPENED),
    Entry.decode(COMMITTED),
    Entry.decode(REVEALED),
    Entry(Kind.STARTED, NAME, 0, chain.genesis_hash(GENESIS)),
    Entry(Kind.ADVANCED, NAME, 2, BET.hash),
    Entry(Kind.FINISHED, NAME, 3, LAST.hash, SEED),
)
OTHERS: Final = (
    Entry(Kind.VOIDED, NAME, 3, LAST.hash, SEED),
    Entry(Kind.DIVERGED, NAME, 2, BET.hash, FIRST.hash),
    Entry(Kind.RESTORED, NAME, 1, FIRST.hash, (2).to_bytes(8, "big") + BET.hash),
)
"""Entries of kinds that the log of the example does not have."""

LEAVES: Final = tuple(merkle.leaf_hash(entry.encode()) for entry in LOG)
CHECKPOINT: Final = Checkpoint(SIGNER.name, len(LOG), merkle.root_of(LEAVES)).text
NOTE: Final = signed(CHECKPOINT, [SIGNER]) + WITNESS.cosign(CHECKPOINT, COSIGNED_AT_S)
ACKNOWLEDGEMENT: Final = signed(
    Acknowledgement(
        origin=SIGNER.name,
        name=NAME,
        game=GAME,
        version=2,
        hash=BET.hash,
        seat=0,
        id=COMMAND_ID,
        command=msgspec.json.encode(PlaceBet("high", 5)).decode(),
        seed_hash=bytes.fromhex(TERMS.seed_hash),
        at=datetime(2026, 11, 22, 16, 30, 49, 123456, UTC),
        size=9,
        root=merkle.root_of(LEAVES[:9]),
    ).text,
    [ACKNOWLEDGER],
)
HEAD: Final = signed(
    SignedHead(SIGNER.name, NAME, GAME, LAST.version, LAST.hash).text, [ACKNOWLEDGER]
)
REVEAL: Final = signed(
    f"Railbird reveal 2\norigin {SIGNER.name}\nname {NAME}\ngame {GAME}\n"
    f"opened {chain.entry_hash(OPENED).hex()}\n"
    f"committed {chain.entry_hash(COMMITTED).hex()}\nseat {PLACE}\n"
    f"commitment {COMMITMENT.hex()}\nentropy {ENTROPY.hex()}\n",
    [ACKNOWLEDGER],
)


def node(level: int, index: int) -> bytes:
    return merkle.root_of(LEAVES[index << level : (index + 1) << level])


def proof(index: int) -> bundle.Proof:
    return bundle.Proof(index, tuple(merkle.inclusion_proof(node, index, len(LOG))))


HEADER: Final = bundle.Signed(
    checkpoint=NOTE,
    keys=(SIGNER.verifier.text,),
    since=bundle.Since(3, tuple(merkle.consistency_proof(node, 3, len(LOG)))),
)
START_PROOFS: Final[dict[str, Any]] = {
    "opened": proof(5),
    "committed": proof(6),
    "revealed": proof(7),
    "started": proof(8),
}
BUNDLE: Final = (
    bundle.Bundle(log=HEADER, games=1, signers=(bundle.Signer(NAMED.encode(), proof(1)),)),
    bundle.Game(genesis=GENESIS, seed=SEED, **START_PROOFS),
    bundle.Abandoned(
        name=OLD_NAME,
        terms=chain.terms_hash(OLD_TERMS),
        seed=OLD_SEED,
        committed=GIVEN_UP.committed,
        missing=(2,),
        reveals=((PLACE, ENTROPY),),
        opened=proof(2),
        ended=proof(4),
    ),
    *COMMITS,
    bundle.Logged(kind="advanced", version=2, hash=BET.hash, proof=proof(9)),
    bundle.End(
        how="finished",
        ended=proof(10),
        commits=3,
        bets=1,
        settlements=1,
        transfers=3,
        purses={"bank": -30, "pot": 5, "seat:0": 25},
    ),
)
RECEIPT: Final = bundle.Receipt(
    log=HEADER,
    game=GAME,
    genesis=GENESIS,
    **START_PROOFS,
    version=2,
    bet=BET.bets[0],
    previous=FIRST.hash,
    entry=proof(10),
    how="finished",
    seed=SEED,
    bodies=(BET.body, LAST.body),
    outcomes=(bundle.Outcome(3, "won", 10),),
)


def rows() -> Iterator[tuple[str, str]]:
    """Yield what each value is, and its text, or its bytes in hex."""
    yield "seed", SEED.hex()
    yield "salt", SALT.hex()
    yield "game", str(GAME)
    yield "name", str(NAME)
    yield f"entropy of seat 0, whose number in the lobby was {PLACE}", ENTROPY.hex()
    yield "H(seed)", TERMS.seed_hash
    yield "terms", chain.terms_hash(TERMS).hex()
    yield "opened", chain.entry_hash(OPENED).hex()
    yield "commitment", COMMITMENT.hex()
    yield f"person: user {USER}, salt {PERSON_SALT.hex()}, seat 0", PERSON.hex()
    yield f"link: salt {LINK_SALT.hex()}, count 2, previous {'00' * 31}01", LINK.hex()
    yield "salt of the rows", ROWS_SALT.hex()
    yield "bytes of the witness", OF_WITNESS.hex()
    yield "promise of the witness", PROMISE
    yield "committed", chain.entry_hash(COMMITTED).hex()
    yield "revealed", chain.entry_hash(REVEALED).hex()
    yield "genesis", GENESIS.decode()
    yield "hash 0", chain.genesis_hash(GENESIS).hex()
    yield "key", KEY.hex()
    yield "draw 0 below 6", str(draw_value(KEY, 0, 6))
    yield "draw 1 below 2^53 - 1", str(draw_value(KEY, 1, 2**53 - 1))
    yield (
        f"draw {REJECTED} below {BOUND}, whose attempt 0 is rejected",
        str(draw_value(KEY, REJECTED, BOUND)),
    )
    for commit in COMMITS:
        yield f"content {commit.version}", commit.body[chain.BLIND_LENGTH :].decode()
        yield f"blind {commit.version}", commit.body[: chain.BLIND_LENGTH].hex()
        yield f"digest {commit.version}", chain.body_digest(commit.body).hex()
        yield f"hash {commit.version}", commit.hash.hex()
    for index, entry in enumerate(LOG):
        yield f"entry {index}, {entry.kind.name.lower()}", entry.encode().hex()
    for entry in OTHERS:
        yield f"an entry {entry.kind.name.lower()}, not in the log", entry.encode().hex()
    yield "leaf 0", LEAVES[0].hex()
    yield "root of 3 entries", merkle.root_of(LEAVES[:3]).hex()
    yield f"root of {len(LOG)} entries", merkle.root_of(LEAVES).hex()
    yield "path of entry 4", " ".join(each.hex() for each in proof(4).path)
    assert HEADER.since is not None
    yield "path of since 3", " ".join(each.hex() for each in HEADER.since.path)
    yield "the log's private key", SIGNER.secret.hex()
    yield "the log's public key", SIGNER.verifier.text
    yield "the witness's private key", WITNESS.secret.hex()
    yield "the witness's public key", WITNESS.verifier.text
    yield "the private key of acknowledgements", ACKNOWLEDGER.secret.hex()
    yield "the player's private key", PLAYER.private_bytes_raw().hex()
    yield "text that the player signs for the seat", SEAT_TEXT.decode()
    yield "text that the player signs for the bet", command_text().decode()


CONTENTS: Final = {
    "example.bundle": b"".join(bundle.line(part) for part in BUNDLE),
    "example.receipt": bundle.line(RECEIPT),
    "example.checkpoint": NOTE.encode(),
    "example.acknowledgements": b"".join(
        msgspec.json.encode(note) + b"\n" for note in (ACKNOWLEDGEMENT, HEAD, REVEAL)
    ),
    "values.json": msgspec.json.format(msgspec.json.encode(dict(rows()))) + b"\n",
}
"""The files, by name."""


if __name__ == "__main__":
    FILES.mkdir(exist_ok=True)
    for file, content in CONTENTS.items():
        (FILES / file).write_bytes(content)
