"""Audit: the checkpoint of the log, bundles and receipts, for auditors and all who may see the
game."""

from typing import Annotated, Final
from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from msgspec import Meta

from accounts.tokens import Caller, Origin, Scope
from games.api import types
from games.api.exports import Stream
from games.log import tiles
from games.proofs import bundles
from games.proofs.person_links import links_of
from games.reads.games import game_to_audit, own_seat
from kit.operations import operation
from kit.validation import Query
from railbird_engine.audit import bundle

BUNDLE: Final = "application/jsonl"
RECEIPT: Final = "application/json"
GAMES_MAX: Final = 100
ID: Final = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


class SinceSize(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The size of an earlier log. The answer will prove that the log extends it."""

    since: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


class OfGames(SinceSize, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Up to a hundred game ids, separated by commas; without any, the log alone."""

    games: Annotated[str, Meta(max_length=37 * GAMES_MAX, pattern=rf"^({ID}(,{ID})*)?$(?!\n)")] = ""


class AfterCount(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The count of the last start that you know."""

    after: Annotated[int, Meta(ge=0, lt=2**31)] = 0


def _file(content: Stream | bytes, media: str, name: str) -> HttpResponseBase:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    if isinstance(content, bytes):
        return HttpResponse(content, content_type=media, headers=headers)
    return StreamingHttpResponse(content, content_type=media, headers=headers)


@operation("get_checkpoint", "not_sealed", is_open=True)
def get_checkpoint(origin: Origin, query: SinceSize) -> types.Checkpoint:
    """Get the newest signed checkpoint of the public log and the keys that sign it.

    Keep a checkpoint now and then: proofs start from one.
    """
    return types.Checkpoint.of(bundles.Proofs(query.since))


@operation("list_witnesses", is_open=True)
def list_witnesses(origin: Origin) -> list[types.LogWitness]:
    """List the witnesses of the public log, and when each of them cosigned it last."""
    return [types.LogWitness.of(found) for found in tiles.witnessed()]


@operation(
    "get_bundles",
    "not_found",
    "archive_damaged",
    "game_not_ended",
    "not_sealed",
    "seed_key_missing",
    "history_damaged",
    "busy",
    scope=Scope.READ,
    media=(BUNDLE,),
)
def get_bundles(caller: Caller, query: OfGames) -> HttpResponseBase:
    """Download ended games as one file, which `railbird-audit verify` verifies offline."""
    chosen = dict.fromkeys(map(UUID, query.games.split(","))) if query.games else {}
    games = [game_to_audit(caller, game) for game in chosen]
    return _file(Stream(bundles.bundled(games, since=query.since)), BUNDLE, "games.bundle")


@operation(
    "get_bundle",
    "game_not_ended",
    "not_sealed",
    "seed_key_missing",
    "history_damaged",
    "busy",
    scope=Scope.READ,
    media=(BUNDLE,),
)
def get_bundle(caller: Caller, game: UUID, query: SinceSize) -> HttpResponseBase:
    """Download an ended game as a file, which `railbird-audit verify` verifies offline."""
    found = game_to_audit(caller, game)
    return _file(Stream(bundles.bundled([found], since=query.since)), BUNDLE, f"{game}.bundle")


@operation("get_seat_proof", scope=Scope.USER)
def get_seat_proof(caller: Caller, game: UUID) -> types.SeatProof:
    """Get the proof that the current user sat in a seat of a game.

    Give it to an auditor who has the game's bundle or a receipt: `railbird-audit verify
    --person` checks it. Nobody else gets it, and erasing the user destroys it.
    """
    seat, salt = own_seat(caller.user, game)
    return types.SeatProof(game=game, seat=seat, user=caller.user.id, salt=salt.hex())


@operation("list_links", scope=Scope.USER)
def list_links(caller: Caller, query: AfterCount) -> list[types.PersonLink]:
    """List what joins the starts of games that the current user took part in, up to a thousand.

    Give it to an auditor with the bundles of these games: `railbird-audit verify --links` shows
    that none between the first and the last is missing. Nobody else gets it, and erasing the user
    destroys it.
    """
    return [types.PersonLink.of(found) for found in links_of(caller.user.id, query.after)]


@operation(
    "get_receipt",
    "not_sealed",
    "seed_key_missing",
    "history_damaged",
    "receipt_too_long",
    scope=Scope.READ,
    media=(RECEIPT,),
)
def get_receipt(caller: Caller, game: UUID, number: int, query: SinceSize) -> HttpResponseBase:
    """Download a bet's receipt: its place in the public log.

    During the game a receipt holds hashes only; afterwards it holds all that decided the bet.
    """
    found = game_to_audit(caller, game)
    receipt = bundles.receipt(found, number, since=query.since)
    return _file(bundle.line(receipt), RECEIPT, f"{game}-{number}.receipt")
