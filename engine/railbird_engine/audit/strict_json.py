"""Limits on the JSON of audit files, beyond types, which all verifiers share.

No two parsers may read different values from the same text.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import msgspec

DEPTH_MAX: Final = 64
COMMAS_MAX: Final = 2**18
NUMBER_MAX: Final = 2**53 - 1
"""The largest integer that JSON, JavaScript and PostgreSQL all represent exactly."""

_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_BRACKET: Final = re.compile(rb"[\[\]{}]")
_PART: Final = 2**16


def check(text: bytes) -> None:
    """Reject JSON that parsers could read differently. Raises msgspec.MsgspecError.

    Rejects text that is not UTF-8 JSON, more than 64 levels, more than 2^18 commas outside strings,
    an object with a duplicate name, and numbers that are not plain integers within 2^53 - 1 of
    zero.
    """
    bare = _STRING.sub(b"", text)
    if bare.count(b",") > COMMAS_MAX:
        raise msgspec.ValidationError(f"more than {COMMAS_MAX} commas")
    depth = 0
    for start in range(0, len(bare), _PART):  # so that a deep line costs no more than its start
        for bracket in _BRACKET.findall(bare, start, start + _PART):
            depth += 1 if bracket in b"[{" else -1
            if depth > DEPTH_MAX:
                raise msgspec.ValidationError(f"nested more than {DEPTH_MAX} deep")
    # The first parser rejects byte order marks and lone surrogates, the second one the rest.
    msgspec.json.decode(text)
    try:
        json.loads(
            text.decode(),
            object_pairs_hook=_no_name_twice,
            parse_int=_integer,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
        )
    except (ValueError, RecursionError) as error:
        raise msgspec.ValidationError(str(error)) from error


def _no_name_twice(pairs: Sequence[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("an object has the same name twice")


def _integer(digits: str) -> None:
    if len(digits) > len(str(-NUMBER_MAX)) or abs(int(digits)) > NUMBER_MAX:
        _refuse_number(digits)


def _refuse_number(digits: str) -> NoReturn:
    raise ValueError(f"a number that is not a plain integer within 2^53 - 1 of zero: {digits[:40]}")
