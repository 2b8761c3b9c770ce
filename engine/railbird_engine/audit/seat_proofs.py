"""Proofs of who sat in a seat: the salt that opens a game's commitment to a user."""

from typing import NamedTuple, Self
from uuid import UUID

import msgspec

from railbird_engine.audit import strict_json
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Bytes32, SeatNumber


class SeatProof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A user sat in a seat of a game. `salt` opens the commitment in the genesis."""

    game: UUID
    seat: SeatNumber
    user: UUID
    salt: Bytes32

    @classmethod
    def parse(cls, text: bytes) -> Self:
        """Parse a file of one proof. Raises the exceptions in `chain.MALFORMED`."""
        strict_json.check(text)
        return msgspec.json.decode(text, type=cls)


class SeatCommitments(NamedTuple):
    """A game's commitments to people and their links by seat, the hash of its `opened` entry, and
    those of the attempts that were abandoned before, in hex: None if only a bundle has them."""

    opened: bytes
    commitments: tuple[str | None, ...]
    links: tuple[str | None, ...]
    abandoned: frozenset[str] | None

    @classmethod
    def of(cls, genesis: chain.Genesis) -> Self:
        """Return those in a genesis."""
        opened = chain.entry_hash(chain.opened_entry(genesis))
        links = tuple(row.link for row in genesis.rows)
        return cls(
            opened, genesis.people, links, frozenset() if genesis.abandoned is None else None
        )


def check_seat(proof: SeatProof, people: SeatCommitments) -> None:
    """Check that the user of the proof sat in its seat. Raises DivergenceError."""
    if proof.seat >= len(people.commitments):
        raise DivergenceError(0, "person", f"one of {len(people.commitments)} seats", proof.seat)
    committed = people.commitments[proof.seat]
    if committed is None:
        raise DivergenceError(0, "person", "a seat that no user had", proof.user)
    salt = bytes.fromhex(proof.salt)
    found = chain.person_commitment(people.opened, proof.seat, salt, proof.user).hex()
    if found != committed:
        raise DivergenceError(0, "person", committed, found)
