"""The Merkle tree: published vectors, the definition of RFC 6962 word by word, and tiles."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from railbird_engine.audit import merkle
from railbird_engine.audit.merkle import Edge, Tile

# The eight leaves of Certificate Transparency's reference tests, the roots of the trees over the
# first n of them, and proofs.
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUDED_5_OF_8 = [
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
]
CONSISTENT_6_TO_8 = [
    "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
]
CONSISTENT_2_TO_5 = [
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
]


def node_over(entries: Sequence[bytes]) -> merkle.Node:
    hashes = [merkle.leaf_hash(entry) for entry in entries]

    def node(level: int, index: int) -> bytes:
        return merkle.root_of(hashes[index << level : (index + 1) << level])

    return node


def defined_root(entries: Sequence[bytes]) -> bytes:
    """MTH as defined in section 2.1."""
    if len(entries) <= 1:
        return merkle.leaf_hash(entries[0]) if entries else merkle.EMPTY_ROOT
    split = 1
    while split * 2 < len(entries):
        split *= 2
    return merkle.node_hash(defined_root(entries[:split]), defined_root(entries[split:]))


def hexes(hashes: Sequence[bytes]) -> list[str]:
    return [hash_.hex() for hash_ in hashes]


@pytest.mark.parametrize("size", range(9))
def test_the_published_roots(size: int) -> None:
    edge = Edge()
    for entry in LEAVES[:size]:
        assert not list(edge.append(merkle.leaf_hash(entry)))
    assert edge.root().hex() == ROOTS[size]


def test_the_published_proofs() -> None:
    node = node_over(LEAVES)
    assert hexes(merkle.inclusion_proof(node, 5, 8)) == INCLUDED_5_OF_8
    assert hexes(merkle.consistency_proof(node, 6, 8)) == CONSISTENT_6_TO_8
    assert hexes(merkle.consistency_proof(node, 2, 5)) == CONSISTENT_2_TO_5


def test_exactly_the_correct_proofs_of_small_trees_are_valid() -> None:
    entries = [bytes([number]) for number in range(40)]
    node = node_over(entries)
    roots = [defined_root(entries[:size]) for size in range(41)]
    for size in range(1, 41):
        for index in range(size):
            path = merkle.inclusion_proof(node, index, size)
            leaf = merkle.leaf_hash(entries[index])
            assert merkle.root_from_inclusion(leaf, index, size, path) == roots[size]
            assert (
                merkle.root_from_inclusion(leaf, (index + 1) % size, size, path) != roots[size]
                or size == 1
            )
            assert (
                merkle.root_from_inclusion(merkle.leaf_hash(b"another"), index, size, path)
                != roots[size]
            )
            assert merkle.root_from_inclusion(leaf, index, size, [*path, leaf]) is None
            assert not path or merkle.root_from_inclusion(leaf, index, size, path[:-1]) is None
        for old in range(size + 1):
            path = merkle.consistency_proof(node, old, size)
            assert merkle.is_consistent(old, roots[old], size, roots[size], path)
            assert not merkle.is_consistent(
                old, merkle.leaf_hash(b"another"), size, roots[size], path
            )
            assert not merkle.is_consistent(
                old, roots[old], size, roots[size], [*path, roots[size]]
            )
            assert old in {0, size} or not merkle.is_consistent(
                old, roots[old], size, roots[size], path[:-1]
            )
            assert old in {0, size} or not merkle.is_consistent(
                old, roots[old], size, roots[size - 1], path
            )


@pytest.fixture(scope="module")
def large() -> tuple[dict[tuple[int, int], Tile], list[bytes]]:
    """The full tiles of a tree of 70,000 leaves, which has three levels, and its leaf hashes."""
    edge = Edge()
    tiles: dict[tuple[int, int], Tile] = {}
    hashes: list[bytes] = []
    for number in range(70_000):
        hashes.append(merkle.leaf_hash(number.to_bytes(4, "big")))
        tiles.update(((tile.level, tile.number), tile) for tile in edge.append(hashes[-1]))
    assert edge.size == 70_000
    assert edge.root() == merkle.root_of(hashes)
    return tiles, hashes


def test_the_tiles_of_a_large_tree_are_those_that_the_specification_counts(
    large: tuple[dict[tuple[int, int], Tile], list[bytes]],
) -> None:
    tiles, _ = large
    assert [sum(level == wanted for level, _ in tiles) for wanted in range(3)] == [273, 1, 0]
    assert [
        merkle.width_of(0, 273, 70_000),
        merkle.width_of(1, 1, 70_000),
        merkle.width_of(2, 0, 70_000),
    ] == [112, 17, 1]
    assert merkle.width_of(1, 0, 256) == 1
    assert merkle.width_of(0, 1, 256) == merkle.width_of(2, 0, 256) == 0


def test_every_proof_can_be_built_from_tiles(
    large: tuple[dict[tuple[int, int], Tile], list[bytes]],
) -> None:
    tiles, hashes = large
    whole = len(hashes)

    def tile(level: int, number: int) -> Sequence[bytes]:
        if (level, number) in tiles:
            return tiles[level, number].hashes
        width = merkle.width_of(level, number, whole)
        if level == 0:
            return hashes[number * 256 :]
        return [
            merkle.root_of(tiles[level - 1, number * 256 + place].hashes) for place in range(width)
        ]

    node = merkle.node_in(tile)
    sizes = [1, 255, 256, 257, 65_535, 65_536, 65_537, 69_999, 70_000]
    roots = {size: merkle.root_of(hashes[:size]) for size in sizes}
    for size in sizes:
        for index in {0, size // 3, size // 2, size - 1}:
            path = merkle.inclusion_proof(node, index, size)
            assert merkle.root_from_inclusion(hashes[index], index, size, path) == roots[size]
    for old, size in pairwise(sizes):
        path = merkle.consistency_proof(node, old, size)
        assert merkle.is_consistent(old, roots[old], size, roots[size], path)


def test_a_reloaded_edge_continues_the_tree_correctly() -> None:
    hashes = [merkle.leaf_hash(bytes([number % 256, number // 256])) for number in range(600)]
    again = Edge([hashes[512:], [merkle.root_of(hashes[:256]), merkle.root_of(hashes[256:512])]])
    assert again.size == 600
    assert again.root() == merkle.root_of(hashes)


@pytest.mark.parametrize(
    ("level", "number", "width", "path"),
    [
        (0, 0, 256, "tile/0/000"),
        (1, 1234067, 256, "tile/1/x001/x234/067"),
        ("entries", 1000, 17, "tile/entries/x001/000.p/17"),
    ],
)
def test_tile_paths(level: int | str, number: int, width: int, path: str) -> None:
    assert merkle.tile_path(level, number, width) == path
