"""Strict decoding of JSON and query strings, the same for every part of the API.

Types describe the values. This module also rejects what types cannot express: excessive depth,
numbers that JSON parsers read differently, NUL characters, duplicate keys.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta

from kit.allowed import allowed_at, types_of_fields
from kit.problems import Problem

DEPTH_MAX: Final = 20
NUMBER_MAX: Final = 2**53 - 1
"""The largest integer that JSON, JavaScript and PostgreSQL all represent exactly."""

Count = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Moment = Annotated[datetime, Meta(tz=True)]
_BLANK: Final = r"\x20\u00a0\u1680\u2000-\u200a\u200c\u200d\u202f\u205f\u3000\ufe00-\ufe0f"
"""Spaces, and characters that only join or shape neighbouring letters and emoji."""

# As \u009f, because Ruby reads \x9f as a byte: clients in any language have these patterns.
_HIDDEN: Final = (
    r"\x00-\x1f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb"
)
"""Control characters, line breaks, bidi overrides and invisible characters."""

_MARKS: Final = (
    r"\u0300-\u034e\u0350-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f"
    r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
"""Marks that stand above or below the letter before them; many cover the lines around."""

ONE_LINE: Final = (
    rf"^([{_BLANK}]*[^{_HIDDEN}{_BLANK}{_MARKS}][{_MARKS}]{{0,3}}"
    rf"([^{_HIDDEN}{_MARKS}][{_MARKS}]{{0,3}})*)?$(?!\n)"
)
"""Empty, or text that begins with a visible character and has at most three marks on a letter. In
Python `$` matches before a last line break too."""

_ONE_LINE_IN_WORDS: Final = (
    "one line of visible text, without invisible characters, characters that reverse the direction"
    " of writing, or more than three marks on a letter"
)

OneLine = Annotated[str, Meta(pattern=ONE_LINE)]
"""A text for display. The field that uses it limits its length."""

T = TypeVar("T")


class _Input(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Datetimes are converted to UTC."""

    def __post_init__(self) -> None:
        for name, value in msgspec.structs.asdict(self).items():
            if isinstance(value, datetime):
                msgspec.structs.force_setattr(self, name, in_utc(value))


class Body(_Input, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base class of JSON request bodies."""


class Query(_Input, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base class of query strings."""


AnyQuery = TypeVar("AnyQuery", bound=Query)


def in_utc(moment: datetime) -> datetime:
    """Convert to UTC. Raises ValueError beyond the range of the calendar.

    PostgreSQL does not accept every offset that Python does.
    """
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("beyond the calendar") from None


def decode(text: bytes, into: type[T], *, path: str = "$") -> T:
    """Decode JSON text that stands at `path` of the request into this type.

    Integers are strict: `1.0`, `"1"` and `true` are rejected. Raises Problem `malformed` with the
    path of the invalid value.
    """
    plain = check(text, path=path)
    try:
        return msgspec.json.decode(text, type=into)
    except msgspec.MsgspecError as error:
        raise malformed(error, path, into, plain) from error


def check(text: bytes, *, path: str = "$") -> Any:
    """Parse JSON text into plain types, strictly.

    Rejects invalid JSON, excessive depth, numbers beyond 2^53 - 1, NUL and duplicate keys. Raises
    Problem `malformed`.
    """
    try:
        plain = msgspec.json.decode(text)
        members = _refuse_oddities(plain, path, DEPTH_MAX)
        if _repeats_keys(text, members):
            raise Problem("malformed", path=path, reason=REPEATED_KEY)
    except RecursionError:
        raise Problem("malformed", path=path, reason=f"nested more than {DEPTH_MAX} deep") from None
    except UnicodeDecodeError:
        raise Problem("malformed", path=path, reason="not UTF-8") from None
    except msgspec.MsgspecError as error:
        raise malformed(error, path) from error
    return plain


def load(text: str | bytes) -> Any:
    """Parse JSON text whose values are checked later. Duplicate keys are rejected here.

    Raises Problem `malformed`.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except RecursionError:
        reason = "nested too deep"
    except ValueError as error:
        reason = f"not JSON: {error}"
    raise Problem("malformed", path="$", reason=reason)


def check_frame(text: bytes) -> None:
    """Reject an object with duplicate keys. Nested objects are checked where they are decoded.

    Raises Problem `malformed`, MsgspecError.
    """
    members = _read_members.decode(text)
    values = list(map(bytes, members.values()))
    # Each key has a colon, so most texts show without a search that no key is repeated.
    if text.count(b":") - b"".join(values).count(b":") == len(members):
        return
    nested = sum(_count_keys(value) for value in values if value[0] in b"{[")
    if _count_keys(text) - nested != len(members):
        raise Problem("malformed", path="$", reason=REPEATED_KEY)


def convert(value: Any, into: type[T]) -> T:
    """Convert decoded JSON into this type. Raises Problem `malformed`, as `decode`."""
    _refuse_oddities(value, "$", DEPTH_MAX)
    try:
        return msgspec.convert(value, into, strict=True, str_keys=True)
    except msgspec.ValidationError as error:
        raise malformed(error, into=into, value=value) from error


def read_query(texts: Mapping[str, str], into: type[AnyQuery]) -> AnyQuery:
    """Convert the texts of a query string into this type. Raises Problem `malformed`."""
    plain: dict[str, Any] = dict(texts)
    _refuse_oddities(plain, "$", DEPTH_MAX)
    for name, kind in _plain_fields(into).items():
        text = texts.get(name, "")
        if kind is int and re.fullmatch(r"0|-?[1-9][0-9]{0,18}", text, re.ASCII):
            plain[name] = int(text)
        elif kind is bool and text in {"true", "false"}:
            plain[name] = text == "true"
    try:
        return msgspec.convert(plain, into, strict=True)
    except msgspec.ValidationError as error:
        problem = malformed(error, into=into, value=plain)
        if _LOST_PLUS.search(texts.get(str(problem.data["path"])[2:], "")):
            reason = problem.data["reason"]
            problem.data["reason"] = f"{reason}: in an address + is a space, write %2B"
        raise problem from error


_LOST_PLUS: Final = re.compile(r"T[0-9:.]+ \d\d:\d\d$")
"""The end of a time whose offset was sent as it is written."""


def malformed(
    error: msgspec.MsgspecError, path: str = "$", into: Any = None, value: Any = None
) -> Problem:
    """Turn an msgspec error about the value at `path` into a Problem.

    Where the type `into` of this value allows only a few words or fields, the reason names them.
    """
    reason, _, where = str(error).partition(" - at ")
    found = re.search(r"`\$(.*)`", where)
    place = found[1] if found else ""
    if reason == f"Expected `str` matching regex {ONE_LINE!r}":
        reason = f"Expected {_ONE_LINE_IN_WORDS}"
    fields = reason.startswith("Object contains unknown field")
    is_key = where.startswith("`key`")
    if not is_key and into is not None and (names := allowed_at(into, value, place, fields=fields)):
        reason = f"{reason}, allowed: {', '.join(map(str, names))}"
    return Problem("malformed", path=path + place, reason=reason)


REPEATED_KEY: Final = "an object holds the same key twice"
_read_members: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"(\s*:)?', re.DOTALL)
"""A JSON string literal; one followed by a colon is the key of an object."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Problem("malformed", path="$", reason=REPEATED_KEY)
    return members


def _repeats_keys(text: bytes, members: int) -> bool:
    """Return whether objects with so many members in all have more keys than that."""
    # Each key has a colon, see `check_frame`.
    return text.count(b":") != members and _count_keys(text) != members


def _count_keys(text: bytes) -> int:
    return sum(1 for found in _STRING.finditer(text) if found[1])


def _refuse_oddities(value: Any, path: str, depth: int) -> int:
    """Return the number of object members.

    Raises Problem `malformed` for nesting beyond `depth`, a NUL character or a number out of range.
    """
    reason = ""
    members = 0
    match value:
        case str() if "\x00" in value:
            reason = "a NUL character"
        case int() | float() if not -NUMBER_MAX <= value <= NUMBER_MAX:
            reason = f"a number beyond {NUMBER_MAX}"
        case list() | dict() if depth == 0:
            reason = f"nested more than {DEPTH_MAX} deep"
        case list():
            for index, item in enumerate(value):
                members += _refuse_oddities(item, f"{path}[{index}]", depth - 1)
        case dict():
            members += len(value)
            for key, item in value.items():
                if "\x00" in key:
                    reason = "a NUL character"
                members += _refuse_oddities(item, f"{path}.{key}", depth - 1)
    if reason:
        raise Problem("malformed", path=path, reason=reason)
    return members


@cache
def _plain_fields(into: type[Query]) -> Mapping[str, type]:
    """Return the fields of type int or bool, which arrive as text."""
    kinds: dict[type, type] = {msgspec.inspect.IntType: int, msgspec.inspect.BoolType: bool}
    return {
        name: kinds[type(kind)]
        for name, declared in types_of_fields(into).items()
        for kind in getattr(declared, "types", (declared,))
        if type(kind) in kinds
    }
