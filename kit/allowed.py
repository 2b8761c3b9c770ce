"""The words and fields that a type allows at a place of a value, which refusals name."""

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec.inspect import (
    BoolType,
    CollectionType,
    DictType,
    EnumType,
    LiteralType,
    NoneType,
    StructType,
    Type,
    UnionType,
    type_info,
)

_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]|\[\.\.\.\]")
"""A step of a path: to a field, to an element, or to some value of an object."""


def allowed_at(into: Any, value: Any, path: str, *, fields: bool) -> Collection[Any]:
    """Return the words that the type `into` of a value allows at a path, such as `.bets[0].side`;
    none if it allows others too. With `fields`, return the names of the fields of the object
    there."""
    kind: Type | None = _type_of(into)
    for name, index in _STEP.findall(path):
        structs = _structs_in(kind)
        if name and name in {each.tag_field for each in structs}:
            return [each.tag for each in structs]
        kind, value = _step(_chosen(kind, value), value, name, index)
    if not fields:
        return _words_of(kind)
    found = _chosen(kind, value)
    return [field.encode_name for field in found.fields] if isinstance(found, StructType) else ()


def words_in(into: type[msgspec.Struct]) -> Mapping[str, Collection[Any]]:
    """Return the words of each field of a struct that allows no others."""
    found = {name: _words_of(kind) for name, kind in types_of_fields(into).items()}
    return {name: words for name, words in found.items() if words}


def types_of_fields(into: type[msgspec.Struct]) -> Mapping[str, Type]:
    """Return the types of the fields of a struct."""
    info = _type_of(into)
    assert isinstance(info, StructType)
    return {field.encode_name: field.type for field in info.fields}


@cache
def _type_of(into: Any) -> Type:
    return type_info(into)


def _step(kind: Type | None, value: Any, name: str, index: str) -> tuple[Type | None, Any]:
    """Return the type and the value of a field, of an element, or of some value of an object."""
    match kind:
        case StructType(fields=fields) if name:
            found = {field.encode_name: field.type for field in fields}
            return found.get(name), value.get(name) if isinstance(value, dict) else None
        case CollectionType(item_type=item) if index:
            return item, value[int(index)] if isinstance(value, list) else None
        case DictType(value_type=item):
            return item, None
    return None, None


def _chosen(kind: Type | None, value: Any) -> Type | None:
    """Return the member of a union that a value belongs to, by its tag if there are several."""
    members = _members(kind)
    if len(members) > 1:
        tags = value if isinstance(value, dict) else {}
        structs = _structs_in(kind)
        members = [each for each in structs if tags.get(each.tag_field) == each.tag]
    return members[0] if members else None


def _members(kind: Type | None) -> list[Type]:
    """Return the types of a union, or the type itself, without None."""
    kinds = kind.types if isinstance(kind, UnionType) else (kind,)
    return [each for each in kinds if each is not None and not isinstance(each, NoneType)]


def _structs_in(kind: Type | None) -> list[StructType]:
    return [each for each in _members(kind) if isinstance(each, StructType)]


def _words_of(kind: Type | None) -> Collection[Any]:
    """Return the words of a type that allows no others."""
    match _members(kind):
        case [LiteralType(values=values)]:
            return values
        case [EnumType(cls=members)]:
            return [member.value for member in members]
        case [BoolType()]:
            return ("true", "false")
    return ()
