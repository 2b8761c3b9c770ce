"""Collect cosignatures of the newest checkpoint from the configured witnesses, and what they add to
the dice of starting games.

Each witness is asked in its own thread, so one that is dead or slow holds up no other. What it
answers is verified before it is stored. The sealer never waits for a witness; only starts wait for
those that their terms name.
"""

import base64
import hashlib
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread
from typing import Final

import structlog
from django.conf import settings
from django.db import close_old_connections

from games.lobbies.periodic import advance_starts
from games.log import signing, start_witnesses, tiles, troubles
from games.log.witness_requests import NotCosignedError, ask
from games.models import LogCosignature
from kit import background, installation
from railbird_engine.audit import merkle
from railbird_engine.audit.cosignatures import Witness
from railbird_engine.audit.notes import NoteError, UntrustedError, checkpoint_of

log = structlog.get_logger(__name__)

EVERY_S: Final = 2.0
LOOKS: Final = 10
"""How often a start is looked for in that time that waits for a witness."""
ATTEMPTS: Final = 5
"""How often a checkpoint is sent while other processes have later sizes cosigned in between."""
CONFLICT: Final = 409
NOT_FOUND: Final = 404
NO_PROOF: Final = 422
SIZE_LENGTH_MAX: Final = 20
SIZE_TYPE: Final = "text/x.tlog.size"


class DisagreesError(NotCosignedError):
    """A witness says that it cosigned another log, which may be a lie."""


class OvertakenError(NotCosignedError):
    """A witness cosigned a later checkpoint of the log meanwhile, which another process sent."""


class ForkProvedError(NotCosignedError):
    """A witness has a checkpoint that a key of this log signed, and the log does not continue."""


class Cosigner:
    """Asks a witness. It remembers the size that the witness cosigned last."""

    def __init__(self, witness: Witness, address: str) -> None:
        self._witness, self._address = witness, address
        self._size = 0

    def collect(self) -> bool:
        """Have the newest checkpoint cosigned if it is not yet; return whether the witness did."""
        sealed = tiles.newest()
        if sealed is None:
            return False
        size, witness = sealed.checkpoint.size, self._witness
        if LogCosignature.objects.filter(size=size, witness=witness.text).exists():
            return False
        try:
            try:
                line = self._cosigned(sealed)
            except (DisagreesError, OvertakenError):
                check_continued(self._address)
                raise
            troubles.clear(witness.text)
            LogCosignature.objects.bulk_create(
                [LogCosignature(size=size, witness=witness.text, line=line)],
                ignore_conflicts=True,
            )
        except ForkProvedError as error:
            _note_fork(witness, error)
            return False
        except OvertakenError:
            return False
        except NotCosignedError as error:
            log.warning("not_cosigned", witness=witness.name, error=str(error))
            return False
        self._size = size
        return True

    def _cosigned(self, sealed: tiles.Sealed) -> str:
        """Return the line of a valid cosignature. Raises NotCosignedError."""
        address = f"{self._address}/add-checkpoint"
        for _ in range(ATTEMPTS):
            status, content_type, text = ask(address, _request(self._size, sealed))
            if status != CONFLICT or content_type != SIZE_TYPE:
                break
            self._size = _size_in(text, sealed.checkpoint.size)
        if status in {CONFLICT, NO_PROOF}:
            raise DisagreesError(f"it answered {status}: {text[:200]}")
        if status != 200:
            raise NotCosignedError(f"it answered {status}: {text[:200]}")
        for line in text.splitlines(keepends=True):
            try:
                if self._witness.time_in(sealed.note + line) is not None:
                    return line
            except NoteError as error:
                raise NotCosignedError(str(error)) from error
        raise NotCosignedError("its answer contains no cosignature of its own")


def _size_in(text: str, size: int) -> int:
    """Return the size that a witness cosigned last. Raises NotCosignedError if it is above
    `size`, that of the sent checkpoint."""
    if len(text) > SIZE_LENGTH_MAX or not (text.endswith("\n") and text[:-1].isdecimal()):
        raise NotCosignedError("its last size is no number")
    if (last := int(text)) <= size:
        return last
    newest = tiles.newest()
    if newest is not None and last <= newest.checkpoint.size:
        raise OvertakenError(f"it has cosigned {last} entries already")
    raise DisagreesError(f"it has cosigned {last} entries, more than there are")


def _request(old: int, sealed: tiles.Sealed) -> bytes:
    size = sealed.checkpoint.size
    old = min(old, size)  # the database may have gone back since
    proof = merkle.consistency_proof(tiles.node_at(size), old, size)
    lines = [f"old {old}", *(base64.b64encode(hash_).decode() for hash_ in proof)]
    return ("\n".join(lines) + "\n\n" + sealed.note).encode()


def check_continued(address: str) -> None:
    """Compare the log with the last checkpoint of this log that a witness cosigned.

    Raises ForkProvedError if the log does not continue it, NotCosignedError if the witness shows
    none.
    """
    origin = hashlib.sha256(settings.LOG_ORIGIN.encode()).hexdigest()
    status, _, note = ask(f"{address}/{origin}/checkpoint")
    if status == NOT_FOUND:
        return
    used = tiles.verifiers()
    if not (used or settings.LOG_KEY_FILE.exists()):
        return
    signers = signing.signers(settings.LOG_KEY_FILE, used, settings.LOG_ORIGIN)
    try:
        seen = checkpoint_of(note, [signer.verifier for signer in signers])
    except (NoteError, UntrustedError) as error:
        raise NotCosignedError(f"it shows no checkpoint of this log: {error}") from error
    newest = tiles.newest()
    size = 0 if newest is None else newest.checkpoint.size
    if size < seen.size or tiles.root_at(seen.size, size) != seen.root:
        raise ForkProvedError(
            f"the log does not continue the checkpoint of {seen.size} entries which it signed "
            f"before, and which {address} cosigned: run {installation.NAME} log_restore"
        )


def check_witnesses() -> None:
    """Ask every witness that answers whether the log continues what it cosigned last, and note if
    it does not. A server that starts signs nothing before. Raises signing.UnsignedError."""
    configured = [witness.text for witness, _ in settings.WITNESSES]
    troubles.clear_forks_of_others(configured)
    if configured:
        with ThreadPoolExecutor(len(configured)) as threads:
            list(threads.map(lambda each: _check(*each), settings.WITNESSES))


def _check(witness: Witness, address: str) -> None:
    try:
        check_continued(address)
        troubles.clear(witness.text)
    except ForkProvedError as error:
        _note_fork(witness, error)
    except NotCosignedError as error:
        log.warning("witness_not_asked", witness=witness.name, error=str(error))
    finally:
        close_old_connections()


def _note_fork(witness: Witness, error: ForkProvedError) -> None:
    log.critical("log_forked", witness=witness.name, error=str(error))
    troubles.note(witness.text, str(error), is_fork=True)


def run(stopping: Event) -> None:
    """Ask every witness in a thread of its own until told to stop."""
    threads = [
        Thread(target=_run_one, args=[stopping, each], daemon=True) for each in settings.WITNESSES
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _run_one(stopping: Event, witness: tuple[Witness, str]) -> None:
    """Ask a witness every two seconds, and at once when a start waits for it and it answers."""
    cosigner = Cosigner(*witness)

    def collect() -> None:
        close_old_connections()
        try:
            is_awaited = start_witnesses.waits_for(witness[0])
            cosigner.collect()
            if found := start_witnesses.collect(*witness):
                advance_starts()
            if is_awaited and not found:
                stopping.wait(EVERY_S)
                return
            for _ in range(LOOKS):
                if stopping.wait(EVERY_S / LOOKS) or start_witnesses.waits_for(witness[0]):
                    return
        finally:
            close_old_connections()

    background.until(stopping, f"cosigner of {witness[0].name}", collect)
