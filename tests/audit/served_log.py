"""The files of a whole log, and the monitor that reads them."""

from collections.abc import Callable, Sequence
from functools import cache

from railbird_engine.audit import merkle
from railbird_engine.audit.log import Entry
from railbird_engine.audit.notes import Checkpoint, signed
from tests.audit.honest import SIGNER, Honest, Log, honest_game

Entries = list[Entry]
Pages = dict[str, bytes]
Said = Callable[..., tuple[int, str]]


@cache
def races() -> tuple[Honest, ...]:
    """A finished game and a voided one."""
    return honest_game("ready_set_bet", 1), honest_game("ready_set_bet", 3, voided_after=60)


def entries() -> Entries:
    """Both games start, both have entries in the middle, one ends, the other is voided."""
    return list(Log(races()).entries)


def pages(log: Sequence[bytes]) -> Pages:
    """The static files of a log of these entries."""
    edge, found = merkle.Edge(), {}
    for entry in log:
        for tile in edge.append(merkle.leaf_hash(entry)):
            found[merkle.tile_path(tile.level, tile.number)] = b"".join(tile.hashes)
    for level in range(merkle.LEVELS_MAX):
        number, width = divmod(len(log) >> merkle.HEIGHT * level, merkle.WIDTH)
        if width:
            found[merkle.tile_path(level, number, width)] = b"".join(edge.partial(level))
    for start in range(0, len(log), merkle.WIDTH):
        below = log[start : start + merkle.WIDTH]
        framed = b"".join(len(entry).to_bytes(2, "big") + entry for entry in below)
        found[merkle.tile_path("entries", start // merkle.WIDTH, len(below))] = framed
    checkpoint = Checkpoint(SIGNER.name, len(log), edge.root())
    return found | {"checkpoint": signed(checkpoint.text, [SIGNER]).encode()}
