"""The Merkle tree of RFC 6962 (section 2.1) in tiles of C2SP tlog-tiles: hashes and proofs."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Self

EMPTY_ROOT: Final = hashlib.sha256(b"").digest()
HEIGHT: Final = 8
WIDTH: Final = 1 << HEIGHT
HASH_LENGTH: Final = 32
LEVELS_MAX: Final = 64
SIZE_MAX: Final = 2**53 - 1

Node = Callable[[int, int], bytes]
"""The hash of the perfect subtree over leaves `index << level` to `(index + 1) << level`."""


class Tile(NamedTuple):
    """A row of adjacent hashes: `number` counts the tiles of a level from the left."""

    level: int
    number: int
    hashes: tuple[bytes, ...]


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of an entry."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two adjacent subtrees."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def _split(leaves: int) -> int:
    """Return the largest power of two below the number of leaves, which is two or more."""
    return 1 << (leaves - 1).bit_length() - 1


def root_of(hashes: Sequence[bytes]) -> bytes:
    """Return the root over hashes of subtrees of equal size; only the last may be smaller."""
    if not hashes:
        return EMPTY_ROOT
    if len(hashes) == 1:
        return hashes[0]
    split = _split(len(hashes))
    return node_hash(root_of(hashes[:split]), root_of(hashes[split:]))


# Proofs


def range_hash(node: Node, start: int, end: int) -> bytes:
    """Return the hash of the leaves from `start` to `end`, a range that occurs in some tree."""
    size = end - start
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return node(level, start >> level)
    middle = start + _split(size)
    return node_hash(range_hash(node, start, middle), range_hash(node, middle, end))


def inclusion_proof(node: Node, index: int, size: int) -> list[bytes]:
    """Return the proof that leaf `index` is in the tree of `size` leaves.

    It goes from the neighbour of the leaf up to a child of the root.
    """
    assert 0 <= index < size
    path, start, end = [], 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(range_hash(node, middle, end))
            end = middle
        else:
            path.append(range_hash(node, start, middle))
            start = middle
    return path[::-1]


def consistency_proof(node: Node, old: int, size: int) -> list[bytes]:
    """Return the proof that the tree of `size` leaves begins with the tree of `old` leaves.

    It is empty for an empty or equal tree.
    """
    assert 0 <= old <= size
    if old in {0, size}:
        return []
    path, start, end, is_old_tree = [], 0, size, True
    while old != end:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(range_hash(node, middle, end))
            end = middle
        else:
            path.append(range_hash(node, start, middle))
            start, is_old_tree = middle, False
    if not is_old_tree:
        path.append(range_hash(node, start, end))
    return path[::-1]


def root_from_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that follows from a leaf hash, its index and its proof.

    None if the proof has the wrong length.
    """
    if not 0 <= index < size:
        return None
    place, last, root = index, size - 1, leaf
    for neighbour in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            root = node_hash(neighbour, root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = node_hash(root, neighbour)
        place, last = place >> 1, last >> 1
    return root if last == 0 else None


def is_consistent(old: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]) -> bool:
    """Whether the tree of `size` leaves begins with that of `old` leaves, by this proof."""
    if not 0 <= old <= size:
        return False
    if old in {0, size}:
        return not path and old_root == (EMPTY_ROOT if old == 0 else root)
    hashes = list(path)
    if old & (old - 1) == 0:
        hashes.insert(0, old_root)
    if not hashes:
        return False
    place, last = old - 1, size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old_seen = seen = hashes[0]
    for neighbour in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old_seen, seen = node_hash(neighbour, old_seen), node_hash(neighbour, seen)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            seen = node_hash(seen, neighbour)
        place, last = place >> 1, last >> 1
    return last == 0 and old_seen == old_root and seen == root


# Tiles


class Edge:
    """The right edge of a growing tree: the partial tile of each level. Appending needs no more."""

    def __init__(self, partial: Sequence[Sequence[bytes]] = ()) -> None:
        self._partial = [list(hashes) for hashes in partial]

    @classmethod
    def stored(cls, size: int, tile: Callable[[int, int, int], Sequence[bytes]]) -> Self:
        """Return the edge of a tree of this size. `tile(level, number, width)` reads its tiles."""
        partial, level = [], 0
        while size >> HEIGHT * level:
            number, width = divmod(size >> HEIGHT * level, WIDTH)
            partial.append(tile(level, number, width) if width else [])
            level += 1
        return cls(partial)

    @property
    def size(self) -> int:
        """The number of leaves."""
        return sum(len(hashes) << HEIGHT * level for level, hashes in enumerate(self._partial))

    def append(self, leaf: bytes) -> Iterator[Tile]:
        """Append the hash of an entry, and yield the tiles that are full now, lowest first."""
        hash_, number = leaf, self.size
        for level in range(LEVELS_MAX):
            if level == len(self._partial):
                self._partial.append([])
            hashes = self._partial[level]
            hashes.append(hash_)
            number >>= HEIGHT
            if len(hashes) < WIDTH:
                return
            self._partial[level] = []
            yield Tile(level, number, tuple(hashes))
            hash_ = root_of(hashes)

    def extend(self, entries: Iterable[bytes]) -> None:
        """Append entries, for the root alone: the tiles that they fill are dropped."""
        for entry in entries:
            for _ in self.append(leaf_hash(entry)):
                pass

    def partial(self, level: int) -> Sequence[bytes]:
        """Return the hashes of the partial tile of this level."""
        return self._partial[level]

    def root(self) -> bytes:
        """Return the root of the tree."""
        root: bytes | None = None
        for hashes in self._partial:
            if hashes:
                root = root_of([*hashes, root] if root is not None else hashes)
        return EMPTY_ROOT if root is None else root


def width_of(level: int, number: int, size: int) -> int:
    """Return the number of hashes of a tile in a tree of `size` leaves: up to 256, or 0."""
    return max(0, min(WIDTH, (size >> HEIGHT * level) - number * WIDTH))


def node_in(tile: Callable[[int, int], Sequence[bytes]]) -> Node:
    """Return a reader of subtrees from tiles `tile(level, number)`, which must be wide enough."""

    def node(level: int, index: int) -> bytes:
        tile_level, inside = divmod(level, HEIGHT)
        first = index << inside
        number, offset = divmod(first, WIDTH)
        return root_of(tile(tile_level, number)[offset : offset + (1 << inside)])

    return node


def tile_path(level: int | str, number: int, width: int = WIDTH) -> str:
    """Return the path of a tile below the log's prefix, such as `tile/1/x001/234.p/5`.

    `entries` instead of a level gives the path of its entries.
    """
    groups = [f"{number % 1000:03}"]
    while number >= 1000:
        number //= 1000
        groups.insert(0, f"x{number % 1000:03}")
    partial = "" if width == WIDTH else f".p/{width}"
    return f"tile/{level}/{'/'.join(groups)}{partial}"
