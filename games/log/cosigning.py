"""Collect cosignatures of the newest checkpoint from the configured witnesses.

Each witness is asked in its own thread, so one that is dead or slow holds up no other. What it
answers is verified before it is stored. Games and the sealer never wait for a witness.
"""

import base64
import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from threading import Event
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import structlog
from django.conf import settings
from django.db import close_old_connections

from games.log import signing, tiles, troubles
from games.models import LogCosignature
from kit import background
from railbird_engine.audit import merkle
from railbird_engine.audit.cosignatures import Witness
from railbird_engine.audit.notes import NoteError, UntrustedError, checkpoint_of

log = structlog.get_logger(__name__)

EVERY_S: Final = 2.0
TIMEOUT_S: Final = 5.0
ANSWER_MAX: Final = 4096
CONFLICT: Final = 409
NOT_FOUND: Final = 404
NO_PROOF: Final = 422
SIZE_TYPE: Final = "text/x.tlog.size"


class NotCosignedError(Exception):
    """A witness gave no valid cosignature; the message is one line."""


class DisagreesError(NotCosignedError):
    """A witness says that it cosigned another log, which may be a lie."""


class ForkProvedError(NotCosignedError):
    """A witness has a checkpoint that a key of this log signed, and the log does not continue."""


class Cosigner:
    """Asks witnesses. It remembers the size that each of them cosigned last."""

    def __init__(self, witnesses: Sequence[tuple[Witness, str]]) -> None:
        self._witnesses = witnesses
        self._sizes = {witness.text: 0 for witness, _ in witnesses}

    def collect(self) -> int:
        """Have the newest checkpoint cosigned by witnesses that have not done it yet; return how
        many did now."""
        sealed = tiles.newest()
        if sealed is None:
            return 0
        known = set(
            LogCosignature.objects.filter(size=sealed.checkpoint.size).values_list(
                "witness", flat=True
            )
        )
        asked = [each for each in self._witnesses if each[0].text not in known]
        if not asked:
            return 0
        with ThreadPoolExecutor(len(asked)) as threads:
            return sum(threads.map(lambda each: self._one(each[0], each[1], sealed), asked))

    def _one(self, witness: Witness, address: str, sealed: tiles.Sealed) -> bool:
        try:
            try:
                line = self._cosigned(witness, address, sealed)
            except DisagreesError:
                check_continued(address)
                raise
            troubles.clear(witness.text)
            LogCosignature.objects.bulk_create(
                [LogCosignature(size=sealed.checkpoint.size, witness=witness.text, line=line)],
                ignore_conflicts=True,
            )
        except ForkProvedError as error:
            _note_fork(witness, error)
            return False
        except NotCosignedError as error:
            log.warning("not_cosigned", witness=witness.name, error=str(error))
            return False
        finally:
            close_old_connections()
        self._sizes[witness.text] = sealed.checkpoint.size
        return True

    def _cosigned(self, witness: Witness, address: str, sealed: tiles.Sealed) -> str:
        """Return the line of a valid cosignature. Raises NotCosignedError."""
        size = self._sizes[witness.text]
        status, content_type, text = _submit(address, _request(size, sealed))
        if status == CONFLICT and content_type == SIZE_TYPE:
            if not (text.endswith("\n") and text[:-1].isdecimal()):
                raise NotCosignedError("its last size is no number")
            size = self._sizes[witness.text] = int(text)
            if size > sealed.checkpoint.size:
                raise DisagreesError(f"it has cosigned {size} entries, more than there are")
            status, _, text = _submit(address, _request(size, sealed))
        if status in {CONFLICT, NO_PROOF}:
            raise DisagreesError(f"it answered {status}: {text[:200]}")
        if status != 200:
            raise NotCosignedError(f"it answered {status}: {text[:200]}")
        for line in text.splitlines(keepends=True):
            try:
                if witness.time_in(sealed.note + line) is not None:
                    return line
            except NoteError as error:
                raise NotCosignedError(str(error)) from error
        raise NotCosignedError("its answer contains no cosignature of its own")


def _request(old: int, sealed: tiles.Sealed) -> bytes:
    size = sealed.checkpoint.size
    proof = merkle.consistency_proof(tiles.node_at(size), old, size)
    lines = [f"old {old}", *(base64.b64encode(hash_).decode() for hash_ in proof)]
    return ("\n".join(lines) + "\n\n" + sealed.note).encode()


def check_continued(address: str) -> None:
    """Compare the log with the last checkpoint of this log that a witness cosigned.

    Raises ForkProvedError if the log does not continue it, NotCosignedError if the witness shows
    none.
    """
    origin = hashlib.sha256(settings.LOG_ORIGIN.encode()).hexdigest()
    status, _, note = _ask(Request(f"{address}/{origin}/checkpoint"))  # noqa: S310 -- likewise
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
            f"before, and which {address} cosigned: run manage.py log_restore"
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


def _submit(address: str, body: bytes) -> tuple[int, str, str]:
    """Return status, content type and text of a witness's answer. Raises NotCosignedError."""
    return _ask(Request(f"{address}/add-checkpoint", data=body, method="POST"))  # noqa: S310 -- http, by the settings


def _ask(request: Request) -> tuple[int, str, str]:
    """Return status, content type and text of a witness's answer. Raises NotCosignedError."""
    try:
        try:
            with urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 -- likewise
                return answer.status, answer.headers.get_content_type(), _text(answer)
        except HTTPError as error:
            with error:
                return error.code, error.headers.get_content_type(), _text(error)
    except (OSError, HTTPException, ValueError) as error:
        raise NotCosignedError(f"no answer: {error}") from error


def _text(answer: Any) -> str:
    content: bytes = answer.read(ANSWER_MAX)
    return content.decode(errors="replace")


def run(stopping: Event) -> None:
    """Collect cosignatures every two seconds until told to stop."""
    if not settings.WITNESSES:
        return
    cosigner = Cosigner(settings.WITNESSES)

    def collect() -> None:
        close_old_connections()
        try:
            cosigner.collect()
        finally:
            close_old_connections()
        stopping.wait(EVERY_S)

    background.until(stopping, "cosigner", collect)
