"""Chance: numbered draws that anybody with the game's key can repeat."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, MutableSequence, Sequence
from struct import Struct
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta

from railbird_engine.kernel.mac import mac

T = TypeVar("T")

BOUND_MAX: Final = 2**53 - 1
_WORD: Final = 2**64
_message = Struct(">4sQI").pack
_first_word = Struct(">Q").unpack_from


class Draw(msgspec.Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """One numbered pick from `range(bound)`. A game numbers its draws from 0, without gaps."""

    number: Annotated[int, Meta(ge=0, lt=BOUND_MAX)]
    bound: Annotated[int, Meta(ge=1, le=BOUND_MAX)]
    value: Annotated[int, Meta(ge=0, lt=BOUND_MAX)]


def draw_value(key: bytes, number: int, bound: int) -> int:
    """Return draw `number` of the game with this key: HMAC-SHA256 with rejection, without bias.

    Attempt a hashes `"draw"`, the number as 8 bytes and a as 4 bytes (big-endian), and reads the
    first 8 bytes of the digest as an integer. An attempt at or above the largest multiple of
    `bound` below 2**64 is rejected and the next one is taken, so there is no modulo bias and a
    rejection does not shift the number of the next draw.
    """
    limit = _WORD - _WORD % bound
    attempt = 0
    while True:
        word: int = _first_word(mac(key, _message(b"draw", number, attempt)))[0]
        if word < limit:
            return word % bound
        attempt += 1


class Chance(ABC):
    """Numbered draws for one step. `draws` records them in order."""

    def __init__(self, first: int = 0) -> None:
        self.next_number = first
        self.draws: list[Draw] = []

    @abstractmethod
    def _value(self, number: int, bound: int) -> int: ...

    def below(self, bound: int) -> int:
        """Draw from `range(bound)`, `1 <= bound < 2**53`."""
        assert 1 <= bound <= BOUND_MAX, f"a draw needs 1 <= bound < 2**53, not {bound}"
        value = self._value(self.next_number, bound)
        self.draws.append(Draw(self.next_number, bound, value))
        self.next_number += 1
        return value

    def die(self, sides: int = 6) -> int:
        """Throw a die: 1 to `sides`."""
        return self.below(sides) + 1

    def pick(self, items: Sequence[T]) -> T:
        """Pick one of the items, each as likely; there must be at least one."""
        return items[self.below(len(items))]

    def take(self, items: MutableSequence[T]) -> T:
        """Pick an item and remove it, as from a deck that nobody has shuffled yet."""
        return items.pop(self.below(len(items)))


class SeededChance(Chance):
    """Draws from a key: the same key and number always give the same draw."""

    def __init__(self, key: bytes, first: int = 0) -> None:
        super().__init__(first)
        self._key = key

    def _value(self, number: int, bound: int) -> int:
        return draw_value(self._key, number, bound)


class ScriptedChance(Chance):
    """Draws that a test dictates: the next values, in order.

    A script that ends too soon, or a value out of bounds, raises AssertionError.
    """

    def __init__(self, values: Iterable[int], first: int = 0) -> None:
        super().__init__(first)
        self._values = iter(values)

    def _value(self, number: int, bound: int) -> int:
        value = next(self._values, None)
        assert value is not None, f"the script ends before draw {number} (below {bound})"
        assert 0 <= value < bound, f"draw {number} must be below {bound}, the script says {value}"
        return value
