"""Ask witnesses for what they add to the dice of games: a promise when a lobby opens, and the bytes
once the log that they cosigned has all reveals of a start."""

import hashlib
from typing import TypeVar

import msgspec
import structlog
from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from games.lobbies.attempts import terms_of
from games.log import tiles
from games.log.witness_requests import NotCosignedError, ask
from games.models import Lobby, LogCheckpoint, LogCosignature, LogEntry, WitnessedStart
from railbird_engine.audit import merkle
from railbird_engine.audit.cosignatures import Witness, answer_text
from railbird_engine.audit.dice import (
    PROMISES_MAX,
    STARTS_MAX,
    Answers,
    AnswersRequest,
    Given,
    Promises,
    PromisesRequest,
    Revealed,
)
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import MALFORMED, Kind

log = structlog.get_logger(__name__)

AnyAnswer = TypeVar("AnyAnswer", Promises, Answers)


def collect(witness: Witness, address: str) -> int:
    """Store what a witness promises and gives to lobbies that wait for it. Return to how many."""
    if witness not in settings.START_WITNESSES:
        return 0
    try:
        return _collect_promises(witness, address) + _collect_answers(witness, address)
    except NotCosignedError as error:
        log.warning("start_not_witnessed", witness=witness.name, error=str(error))
        return 0


def waits_for(witness: Witness) -> bool:
    """Whether a lobby waits for a witness that is named for its start."""
    return witness in settings.START_WITNESSES and (
        _unpromised(witness).exists() or _unanswered(witness).exists()
    )


def _unpromised(witness: Witness) -> QuerySet[WitnessedStart]:
    return WitnessedStart.objects.filter(witness=witness.text, promise__isnull=True)


def _unanswered(witness: Witness) -> QuerySet[Lobby]:
    """Return the lobbies whose reveals are in the log and wait for a witness, oldest first."""
    revealed = LogEntry.objects.filter(name=OuterRef("log_name"), kind=Kind.REVEALED)
    waiting = WitnessedStart.objects.filter(witness=witness.text, entropy__isnull=True)
    starting = Lobby.objects.filter(status=Lobby.Status.STARTING, starts_by__isnull=False)
    return (
        starting.filter(Exists(revealed), stage=Lobby.Stage.BEGINNING)
        .filter(log_name__in=waiting.values("name"))
        .order_by("starts_by")
    )


def _collect_promises(witness: Witness, address: str) -> int:
    rows = list(_unpromised(witness)[:PROMISES_MAX])
    if not rows:
        return 0
    lobbies = Lobby.objects.filter(log_name__in=[row.name for row in rows])
    opened = {
        lobby.log_name: chain.entry_hash(chain.opened_entry(terms_of(lobby))).hex()
        for lobby in lobbies
    }
    asked = PromisesRequest(settings.LOG_ORIGIN, list(opened.values()))
    found = _asked(f"{address}/promises", asked, Promises).promises
    if len(found) != len(opened):
        raise NotCosignedError(f"it promised {len(found)} times for {len(opened)} openings")
    for name, promise in zip(opened, found, strict=True):
        _unpromised(witness).filter(name=name).update(promise=bytes.fromhex(promise))
    return len(found)


def _collect_answers(witness: Witness, address: str) -> int:
    last = LogCosignature.objects.filter(witness=witness.text).order_by("-size").first()
    if last is None:
        return 0
    lobbies = {lobby.log_name: lobby for lobby in _unanswered(witness)[:STARTS_MAX]}
    entries = LogEntry.objects.filter(
        name__in=lobbies, kind=Kind.REVEALED, index__lt=last.size
    ).order_by("index")
    indexes = dict(entries.values_list("name", "index"))
    if not indexes:
        return 0
    node = tiles.node_at(last.size)
    starts = [
        Revealed(
            opened=chain.opened_entry(terms_of(lobbies[name])).hex(),
            committed=bytes(lobbies[name].committed).hex(),
            revealed=bytes(lobbies[name].revealed).hex(),
            index=index,
            path=[each.hex() for each in merkle.inclusion_proof(node, index, last.size)],
        )
        for name, index in indexes.items()
    ]
    note = LogCheckpoint.objects.get(size=last.size).note + last.line
    found = _asked(f"{address}/answers", AnswersRequest(note, starts), Answers).answers
    if len(found) != len(starts):
        raise NotCosignedError(f"it answered {len(found)} times for {len(starts)} starts")
    return sum(
        _keep(witness, lobbies[name], given) for name, given in zip(indexes, found, strict=True)
    )


def _keep(witness: Witness, lobby: Lobby, given: Given) -> bool:
    """Store the bytes of a witness if they are those that it promised, and signed."""
    row = WitnessedStart.objects.filter(name=lobby.log_name, witness=witness.text).first()
    if row is None:
        return False  # the attempt ended meanwhile
    try:
        entropy, signature = bytes.fromhex(given.entropy), bytes.fromhex(given.signature)
    except ValueError:
        entropy = signature = b""
    opened = chain.entry_hash(chain.opened_entry(terms_of(lobby)))
    revealed = chain.entry_hash(bytes(lobby.revealed))
    said = answer_text(settings.LOG_ORIGIN, opened, revealed, entropy.hex())
    if hashlib.sha256(entropy).digest() != bytes(row.promise or b"") or not witness.has_signed(
        said.encode(), signature
    ):
        log.warning(
            "start_not_witnessed",
            witness=witness.name,
            name=str(lobby.log_name),
            error=given.refused[:200] or "other bytes than it promised, or another signature",
        )
        return False
    rows = WitnessedStart.objects.filter(pk=row.pk)
    return bool(rows.update(entropy=entropy, signature=signature))


def _asked(address: str, asked: msgspec.Struct, kind: type[AnyAnswer]) -> AnyAnswer:
    """Return what a witness answers. Raises NotCosignedError."""
    status, _, text = ask(address, msgspec.json.encode(asked))
    if status != 200:
        raise NotCosignedError(f"it answered {status}: {text[:200]}")
    try:
        return msgspec.json.decode(text, type=kind)
    except MALFORMED as error:
        raise NotCosignedError(f"its answer cannot be read: {error}") from error
