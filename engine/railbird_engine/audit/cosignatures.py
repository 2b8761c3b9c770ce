"""Timestamped cosignatures of checkpoints by witnesses (C2SP tlog-cosignature, Ed25519)."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.notes import (
    SIGNATURE_LENGTH,
    Checkpoint,
    NoteError,
    PrivateKey,
    Verifier,
    signatures_in,
)

COSIGNATURE: Final = b"\x04"
TIME_LENGTH: Final = 8
TIME_MAX: Final = 2**53 - 1


def signed_text(time_s: int, text: str) -> bytes:
    """Return what a witness signs: the text of a checkpoint, and when."""
    return f"cosignature/v1\ntime {time_s}\n{text}".encode()


def answer_text(origin: str, opened: bytes, revealed: bytes, entropy: str) -> str:
    """Return what a witness signs with the bytes that it adds to the dice of a game, given the
    hashes of the log entries that opened it and that list all reveals."""
    return (
        f"Railbird witness answer 1\norigin {origin}\nopened {opened.hex()}\n"
        f"revealed {revealed.hex()}\nentropy {entropy}\n"
    )


class Witness(Verifier):
    """The public key of a witness, with its name."""

    kind = COSIGNATURE

    def time_in(self, note: str) -> int | None:
        """Return the latest time at which this witness cosigned a note, if it did.

        Raises NoteError, also for a wrong cosignature of its own.
        """
        text, signatures = signatures_in(note)
        found = None
        for name, signature in signatures:
            if (name, signature[:4]) != (self.name, self.key_id):
                continue
            time_s = int.from_bytes(signature[4 : 4 + TIME_LENGTH], "big")
            is_whole = len(signature) == 4 + TIME_LENGTH + SIGNATURE_LENGTH and time_s <= TIME_MAX
            if not is_whole or not self.has_signed(
                signed_text(time_s, text), signature[4 + TIME_LENGTH :]
            ):
                raise NoteError(f"the cosignature by {self.name} is invalid")
            found = max(found or 0, time_s)
        return found


class Cosigner(PrivateKey[Witness]):
    """The private key of a witness, with its name."""

    public = Witness

    def cosign(self, text: str, time_s: int) -> str:
        """Return the line of a cosignature of the text of a checkpoint."""
        signature = self._key.sign(signed_text(time_s, text))
        return self.verifier.line(time_s.to_bytes(TIME_LENGTH, "big") + signature)

    def answer(self, origin: str, opened: bytes, revealed: bytes, entropy: str) -> str:
        """Return the signature in hex of `answer_text`."""
        return self._key.sign(answer_text(origin, opened, revealed, entropy).encode()).hex()


class Demand(NamedTuple):
    """The requirements for a checkpoint beyond the signature of its log.

    They are the name of the log, if given, and cosignatures by `quorum` of these witnesses.
    """

    origin: str | None = None
    witnesses: Sequence[Witness] = ()
    quorum: int = 0

    def check(self, note: str, checkpoint: Checkpoint) -> Mapping[str, int]:
        """Return the time of each cosignature, by the name of its witness. Raises
        DivergenceError."""
        if self.origin not in {None, checkpoint.origin}:
            raise DivergenceError(None, "origin", self.origin, checkpoint.origin)
        times, wrong = {}, []
        for witness in self.witnesses:
            try:
                time_s = witness.time_in(note)
            except NoteError as error:
                wrong.append(str(error))
                continue
            if time_s is not None:
                times[witness.text] = time_s
        if len(times) < self.quorum:
            found = "; ".join([f"{len(times)}", *wrong])
            expected = f"{self.quorum} of {len(self.witnesses)} cosignatures"
            raise DivergenceError(None, "witnesses", expected, found)
        return times


NO_DEMAND: Final = Demand()
