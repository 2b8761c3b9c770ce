"""Proofs, and heads of the public log with their witnesses."""

from typing import Self
from uuid import UUID

from games.api.types.parts import Answer
from games.log.tiles import Witnessed
from games.proofs.bundles import Proofs
from games.proofs.person_links import OpenLink
from kit.validation import Count, Moment
from railbird_engine.audit import bundle


class SeatProof(Answer, frozen=True, kw_only=True):
    """A proof that a user sat in a seat of a game: the salt (hex) that opens the commitment in the
    game's genesis."""

    game: UUID
    seat: int
    user: UUID
    salt: str


class PersonLink(Answer, frozen=True, kw_only=True):
    """A start of a user, the `count`th with abandoned ones: `opened` is the hash of the log entry
    that opened it. With `salt` and `previous`, the link of the start before, it opens the link in
    the user's row; all bytes are in hex."""

    game: UUID
    opened: str
    count: Count
    previous: str
    salt: str

    @classmethod
    def of(cls, found: OpenLink) -> Self:
        return cls(
            game=found.game,
            opened=found.opened.hex(),
            count=found.number,
            previous=found.previous.hex(),
            salt=found.salt.hex(),
        )


class LogWitness(Answer, frozen=True, kw_only=True):
    """A witness of the public log, run by somebody else, and the last checkpoint that it cosigned:
    how many entries it has, when it was cosigned, and the note with the cosignature. All three are
    null before the first.

    Ask the witness itself for its `key` before you demand it of files.
    """

    name: str
    key: str
    size: Count | None
    cosigned_at: Moment | None
    note: str | None

    @classmethod
    def of(cls, found: Witnessed) -> Self:
        """Return a configured witness."""
        return cls(
            name=found.witness.name,
            key=found.witness.text,
            size=None if found.last is None else found.last.checkpoint.size,
            cosigned_at=found.cosigned_at,
            note=None if found.last is None else found.last.note,
        )


class LogSigner(Answer, frozen=True, kw_only=True):
    """An entry of the log, in hex, that names a key of acknowledgements or ends it; its proof."""

    entry: str
    index: Count
    path: list[str]

    @classmethod
    def of(cls, signer: bundle.Signer) -> Self:
        proof = signer.proof
        path = [each.hex() for each in proof.path]
        return cls(entry=signer.entry.hex(), index=proof.index, path=path)


class Checkpoint(Answer, frozen=True, kw_only=True):
    """A signed head of the public log: the note as signed, and its contents. `root` is hex; `keys`
    are public. `signers` name the keys of acknowledgements. `since_path` proves that the log
    continues that of `since` entries."""

    origin: str
    size: Count
    root: str
    note: str
    keys: list[str]
    signers: list[LogSigner]
    since_path: list[str] | None

    @classmethod
    def of(cls, proofs: Proofs) -> Self:
        head, signed = proofs.sealed.checkpoint, proofs.signed
        since = signed.since
        return cls(
            origin=head.origin,
            size=head.size,
            root=head.root.hex(),
            note=signed.checkpoint,
            keys=list(signed.keys),
            signers=[LogSigner.of(each) for each in proofs.signers()],
            since_path=None if since is None else [each.hex() for each in since.path],
        )
