"""Structs as the objects that are answered."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
import strawberry
from msgspec import inspect as info
from strawberry.annotation import StrawberryAnnotation
from strawberry.types.base import StrawberryList
from strawberry.types.lazy_type import LazyType
from strawberry.types.union import StrawberryUnion

from games.api.graphql.scalars import JSON
from games.api.graphql.structs import (
    PLAIN,
    Enums,
    Names,
    Shape,
    Struct,
    camel,
    elements_of,
    part_of_any_game,
    pascal,
    text_of,
    without_null,
)


class Entry(NamedTuple):
    """One entry of a map: GraphQL has no maps."""

    key: Any
    value: Any


class UnionOfStructs(StrawberryUnion):
    """A union whose members are told by their struct. Strawberry would ask one type after the
    other, and there are many."""

    def __init__(
        self, name: str, members: Mapping[Struct, Any], description: str | None = None
    ) -> None:
        kinds = dict.fromkeys(members.values())
        super().__init__(name, tuple(StrawberryAnnotation(kind) for kind in kinds), description)
        self._names = {
            struct: kind.__strawberry_definition__.name for struct, kind in members.items()
        }

    def get_type_resolver(self, type_map: Any) -> Any:
        """How GraphQL learns what a value is."""
        return lambda value, _info, _union: self._names[type(value)]


class Later(LazyType[Any, Any]):
    """A type that is looked up when the schema is put together."""

    def __init__(self, find: Callable[[], Any]) -> None:
        super().__init__("", "")
        vars(self)["find"] = find

    def resolve_type(self) -> Any:
        """The type."""
        return vars(self)["find"]()


class Outputs:
    """The objects of a schema. `same` names the structs that are the same thing in full as another,
    and one object with it."""

    def __init__(self, names: Names, enums: Enums, same: Mapping[Struct, Struct]) -> None:
        self._names = names
        self._enums = enums
        self._same = same
        self.more: dict[Struct, dict[str, Any]] = {}
        """The fields of an object that its struct does not have, by the struct; to be known before
        the object is made."""
        self._objects: dict[Struct, Any] = {}
        self._making: set[Struct] = set()
        self.of_any_game: dict[str, Shape] = {}
        """What stands for the options, commands, events and views of any game."""

    def shape(self, kind: info.Type, struct: Struct, field: str) -> Shape:
        """The shape of a field's type."""
        match kind:
            case info.Metadata():
                part = part_of_any_game(kind)
                if part is not None:
                    return self.of_any_game[part]
                return self._enums.of_listed(kind, struct, field) or self.shape(
                    kind.type, struct, field
                )
            case info.LiteralType():
                return self._enums.of_literal(kind, struct, field)
            case info.StructType() if kind.cls not in self._making:
                return Shape(self.object_of(kind.cls))
            case info.UnionType():
                return self._union(kind, struct, field)
            case info.DictType():
                return self._map(kind, struct, field)
        if type(kind) in PLAIN:
            return Shape(PLAIN[type(kind)])
        element = elements_of(kind)
        if element is not None:
            each = self.shape(element, struct, field)
            return Shape(
                StrawberryList(each.kind),
                each.convert and (lambda values: [each.into(value) for value in values]),
            )
        return Shape(JSON, msgspec.to_builtins)

    def object_of(self, struct: Struct) -> Any:
        """The object that a struct becomes."""
        struct = self._same.get(struct, struct)
        if struct not in self._objects:
            self._making.add(struct)
            self._objects[struct] = self._object(struct)
            self._making.discard(struct)
        return self._objects[struct]

    def later(self, struct: Struct) -> Any:
        """The object that a struct becomes, for fields of objects that it refers to itself."""
        return Later(lambda: self.object_of(struct))

    def union_of(
        self, name: str, structs: Mapping[str, Struct], description: str | None = None
    ) -> UnionOfStructs:
        """The union of several structs' objects."""
        return UnionOfStructs(
            name, {struct: self.object_of(struct) for struct in structs.values()}, description
        )

    def _object(self, struct: Struct) -> Any:
        described = info.type_info(struct)
        assert isinstance(described, info.StructType)
        name = self._names.of(struct)
        body: dict[str, Any] = {}
        if described.tag is not None:
            body["type"] = _constant(str(described.tag))
        for field in described.fields:
            body[field.name] = _field(
                field.name, field.encode_name, self.shape(field.type, struct, field.name)
            )
        body |= self.more.get(struct, {})
        return strawberry.type(type(name, (), body), name=name, description=text_of(struct))

    def _union(self, kind: info.UnionType, struct: Struct, field: str) -> Shape:
        members, nullable = without_null(kind)
        if len(members) == 1:
            shape = self.shape(members[0], struct, field)
            return shape.or_null() if nullable else shape
        structs = {
            member.cls.__name__: member.cls
            for member in members
            if isinstance(member, info.StructType)
        }
        if len(structs) < len(members):
            return Shape(JSON, msgspec.to_builtins).or_null()
        shape = Shape(self.union_of(self._names.of(struct) + pascal(field), structs))
        return shape.or_null() if nullable else shape

    def _map(self, kind: info.DictType, struct: Struct, field: str) -> Shape:
        key = self.shape(kind.key_type, struct, f"{field}_key")
        value = self.shape(kind.value_type, struct, f"{field}_value")
        if value.kind is JSON:
            return Shape(JSON, msgspec.to_builtins)
        name = f"{self._names.of(struct)}{pascal(field)}Entry"
        body = {"key": _field("key", "key", key), "value": _field("value", "value", value)}
        entry = strawberry.type(type(name, (), body), name=name, description="One entry of a map.")
        return Shape(
            StrawberryList(entry),
            lambda map_: [Entry(key.into(k), value.into(v)) for k, v in map_.items()],
        )


def _field(name: str, travels_as: str, shape: Shape) -> Any:
    if shape.convert is None:
        return strawberry.field(name=camel(travels_as), graphql_type=shape.kind)

    def converted(root: Any) -> Any:
        return shape.into(getattr(root, name))

    return strawberry.field(converted, name=camel(travels_as), graphql_type=shape.kind)


def _constant(text: str) -> Any:
    def constant() -> str:
        return text

    return strawberry.field(constant)
