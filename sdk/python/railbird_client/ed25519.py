"""Ed25519 signatures (RFC 8032) with integers, without another package: some 10 ms to verify one,
and 1 ms to make one."""

from functools import cache
from hashlib import sha512
from typing import Final

P: Final = 2**255 - 19
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
D: Final = -121665 * pow(121666, -1, P) % P
ROOT: Final = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
NEUTRAL: Final[Point] = (0, 1, 1, 0)


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether this is a signature of the message. Keys and points of small order, and forms that
    are not canonical, are refused."""
    if len(key) != 32 or len(signature) != 64:
        return False
    public, nonce = _point(key), _point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if public is None or nonce is None or scalar >= ORDER:
        return False
    if any(_is_same(_times(8, point), NEUTRAL) for point in (public, nonce)):
        return False
    challenge = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return _is_same(_times(scalar, BASE), _sum(nonce, _times(challenge, public)))


def public_key(secret: bytes) -> bytes:
    """Return the public half of a key."""
    return _encoded(_of_base(_halves(secret)[0]))


def sign(secret: bytes, message: bytes) -> bytes:
    """Return the signature of a message."""
    scalar, prefix = _halves(secret)
    nonce = int.from_bytes(sha512(prefix + message).digest(), "little") % ORDER
    point, public = _encoded(_of_base(nonce)), _encoded(_of_base(scalar))
    challenge = int.from_bytes(sha512(point + public + message).digest(), "little") % ORDER
    return point + ((nonce + challenge * scalar) % ORDER).to_bytes(32, "little")


def _halves(secret: bytes) -> tuple[int, bytes]:
    """Return the number that stands for a private key, and what its nonces are made of."""
    digest = sha512(secret).digest()
    number = int.from_bytes(digest[:32], "little")
    return number & ((1 << 254) - 8) | (1 << 254), digest[32:]


def _of_base(scalar: int) -> Point:
    found = NEUTRAL
    for place, power in enumerate(_powers()):
        if scalar >> place & 1:
            found = _sum(found, power)
    return found


@cache
def _powers() -> list[Point]:
    """Return the base point times each power of two."""
    powers = [BASE]
    while len(powers) < 255:
        powers.append(_sum(powers[-1], powers[-1]))
    return powers


def _encoded(point: Point) -> bytes:
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _sum(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(scalar: int, point: Point) -> Point:
    found = NEUTRAL
    while scalar:
        if scalar & 1:
            found = _sum(found, point)
        point, scalar = _sum(point, point), scalar >> 1
    return found


def _is_same(one: Point, other: Point) -> bool:
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (
        one[1] * other[2] - other[1] * one[2]
    ) % P == 0


def _point(data: bytes) -> Point | None:
    """Decode a point, or return None."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


_base = _point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
assert _base is not None
BASE: Final = _base
