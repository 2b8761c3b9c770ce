"""The evidence that a player checks before a reveal: the log entry with all seats and commitments
of a start, and its proofs."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from games.lobbies.attempts import of_witnesses, promises_of, rows_of, terms_of
from games.log import tiles
from games.models import Lobby, LogEntry, Seat
from games.proofs.person_links import OpenLink, link_of
from kit.problems import Problem
from railbird_engine.audit import merkle
from railbird_engine.kernel import chain


class SealedCommitments(NamedTuple):
    """The entry, its place in the log, rows and salts, and its proofs against a checkpoint.

    `salt` opens the commitment to the user who asks, `link` that user's link.
    """

    entry: bytes
    place: int
    rows: Sequence[chain.Row]
    rows_salt: bytes
    promises: Sequence[str]
    salt: bytes
    link: OpenLink
    checkpoint: str
    keys: Sequence[str]
    path: Sequence[bytes]
    since: Sequence[bytes] | None


def commitments_of(lobby: Lobby, user: UUID, *, since: int | None) -> SealedCommitments:
    """Return the commitments of a start to a player of it, proved against the newest checkpoint,
    and that this continues the one of `since` entries.

    Raises Problem `attempt_over`, `not_sealed`, `malformed`; `not_found` for others than players.
    """
    seats = list(Seat.objects.filter(lobby=lobby).order_by("number"))
    own = next((seat for seat in seats if seat.user_id == user), None)
    if own is None:
        raise Problem("not_found", what="lobby")
    if lobby.status != Lobby.Status.STARTING:
        raise Problem("attempt_over")
    entries = LogEntry.objects.filter(name=lobby.log_name, kind=chain.Kind.COMMITTED)
    found = entries.values_list("index", "entry").first()
    sealed = tiles.newest()
    if found is None or sealed is None:
        raise Problem("not_sealed")
    index, entry = found
    size = sealed.checkpoint.size
    if since is not None and since > size:
        raise Problem("malformed", path="$.since", reason=f"the log has {size} entries")
    try:
        promises = promises_of(of_witnesses(lobby))
    except KeyError as missing:  # a start or its end removed the promises meanwhile
        raise Problem("attempt_over") from missing
    terms = terms_of(lobby)
    link = link_of(user, chain.entry_hash(chain.opened_entry(terms)))
    if link is None:
        raise Problem("attempt_over")
    node = tiles.node_at(size)
    return SealedCommitments(
        entry=bytes(entry),
        place=index,
        rows=rows_of(terms, seats),
        rows_salt=bytes(lobby.rows_salt),
        promises=promises,
        salt=bytes(own.salt or b""),
        link=link,
        checkpoint=sealed.note,
        keys=tiles.verifiers(),
        path=merkle.inclusion_proof(node, index, size),
        since=None if since is None else merkle.consistency_proof(node, since, size),
    )
