"""Chance: numbered, repeatable and unbiased draws."""

import hmac
import random
from collections import Counter
from itertools import product

import pytest

from railbird_engine import Draw, ScriptedChance, SeededChance
from railbird_engine.kernel.chance import BOUND_MAX, draw_value


def test_a_draw_is_the_documented_hmac() -> None:
    key, number, bound = b"k" * 32, 7, 6
    message = b"draw" + (7).to_bytes(8, "big") + (0).to_bytes(4, "big")
    word = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
    assert draw_value(key, number, bound) == word % 6


def test_a_rejected_attempt_takes_the_next_one_and_does_not_shift_the_numbers() -> None:
    # With a bound just above half of 2**64 nearly every second attempt is rejected. Games do not
    # use such bounds.
    bound = 2**63 + 1
    values = [draw_value(b"key", number, bound) for number in range(200)]
    first = [
        int.from_bytes(
            hmac.digest(b"key", b"draw" + n.to_bytes(8, "big") + bytes(4), "sha256")[:8], "big"
        )
        for n in range(200)
    ]
    rejected = [n for n in range(200) if first[n] >= bound]
    assert 60 < len(rejected) < 140
    assert all(values[n] == first[n] for n in range(200) if n not in rejected)
    assert all(value < bound for value in values)


def test_draws_lie_below_their_bound_and_repeat() -> None:
    chance = random.Random(7)
    some = [chance.randint(1, BOUND_MAX) for _ in range(100)]
    numbers = (0, 2**40, *(chance.randrange(2**40) for _ in some))
    for bound, number in product((1, 2, 3, 6, BOUND_MAX - 1, BOUND_MAX, *some), numbers):
        key = chance.randbytes(chance.randint(1, 64))
        value = draw_value(key, number, bound)
        assert 0 <= value < bound
        assert value == draw_value(key, number, bound)


def test_faces_of_a_die_are_equally_likely() -> None:
    chance = SeededChance(b"faces")
    counts = Counter(chance.die() for _ in range(60_000))
    chi_square = sum((counts[face] - 10_000) ** 2 / 10_000 for face in range(1, 7))
    assert chi_square < 20.5, (
        "five degrees of freedom, one in a thousand; the key is fixed, so this does not flicker"
    )


def test_draws_are_numbered_without_a_gap_and_recorded() -> None:
    chance = SeededChance(b"key", first=5)
    chance.die()
    chance.pick("abcd")
    assert [(draw.number, draw.bound) for draw in chance.draws] == [(5, 6), (6, 4)]


def test_a_script_dictates_the_draws() -> None:
    chance = ScriptedChance([0, 5])
    assert (chance.die(), chance.die()) == (1, 6)
    assert chance.draws == [Draw(0, 6, 0), Draw(1, 6, 5)]


def test_a_script_that_ends_or_exceeds_a_bound_is_an_error() -> None:
    with pytest.raises(AssertionError, match="ends before draw 0"):
        ScriptedChance([]).die()
    with pytest.raises(AssertionError, match="must be below 6"):
        ScriptedChance([6]).die()


def test_taking_from_a_deck_leaves_the_rest() -> None:
    deck = list("abc")
    assert ScriptedChance([1]).take(deck) == "b"
    assert deck == ["a", "c"]
