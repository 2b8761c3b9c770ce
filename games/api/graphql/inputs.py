"""Structs as the inputs that are taken, and back: what was sent becomes the JSON that the other
faces take.

Nothing is checked here but what GraphQL's own types say. The JSON goes through the same door as
theirs, which checks the rest."""

import enum
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import strawberry
from msgspec import inspect as info
from strawberry.types.base import StrawberryList, StrawberryOptional

from games.api.graphql.scalars import JSON
from games.api.graphql.structs import (
    PLAIN,
    Convert,
    Enums,
    Names,
    Shape,
    Struct,
    camel,
    elements_of,
    part_of_any_game,
    pascal,
    tagged,
    text_of,
    without_null,
)
from kit.problems import Problem


@strawberry.enum(description="There is nothing to add.")
class Yes(enum.Enum):
    """What says that one means a command that has no fields: GraphQL has no empty inputs."""

    YES = "yes"


TEXTS: Final[Mapping[type[info.Type], Convert]] = {
    info.UUIDType: str,
    info.DateTimeType: datetime.isoformat,
}
"""What JSON writes as texts."""


class Chosen(NamedTuple):
    """What was given of several that could have been."""

    key: str
    value: Any


class Inputs:
    """The inputs of a schema; their converters make JSON of them."""

    def __init__(self, names: Names, enums: Enums) -> None:
        self._names = names
        self._enums = enums
        self._inputs: dict[Struct, Shape] = {}
        self._making: set[Struct] = set()
        self.of_any_game: dict[str, Shape] = {}
        """What stands for the options and commands of any game."""

    def shape(self, kind: info.Type, struct: Struct, field: str) -> Shape:
        """The shape of a field's type."""
        match kind:
            case info.Metadata():
                part = part_of_any_game(kind)
                if part is not None:
                    return self.of_any_game[part]
                listed = self._enums.of_listed(kind, struct, field)
                return (
                    self.shape(kind.type, struct, field)
                    if listed is None
                    else Shape(listed.kind, _word)
                )
            case info.LiteralType():
                shape = self._enums.of_literal(kind, struct, field)
                return shape if shape.kind in PLAIN.values() else Shape(shape.kind, _word)
            case info.StructType() if kind.cls not in self._making and kind.fields:
                return self.input_of(kind.cls)
            case info.UnionType():
                return self._union(kind, struct, field)
            case info.DictType():
                return self._map(kind, struct, field)
        if type(kind) in PLAIN:
            return Shape(PLAIN[type(kind)], TEXTS.get(type(kind)))
        element = elements_of(kind)
        if element is not None:
            each = self.shape(element, struct, field)
            return Shape(
                StrawberryList(each.kind),
                each.convert and (lambda values: [each.into(value) for value in values]),
            )
        return Shape(JSON)

    def input_of(self, struct: Struct, without: Collection[str] = ()) -> Shape:
        """The input that a struct becomes, but for some of its fields."""
        if struct not in self._inputs:
            self._making.add(struct)
            self._inputs[struct] = self._input(struct, without)
            self._making.discard(struct)
        return self._inputs[struct]

    def one_of(
        self, name: str, shapes: Mapping[str, Shape], description: str | None = None
    ) -> Shape:
        """An input of which just one field is given: it becomes the field's name and what became of
        its value."""
        # Attributes get names of their own, for fields may be called what Python keeps for itself.
        attributes = {f"given_{key}": key for key in shapes}
        body = {
            attribute: _field(key, shapes[key], required=False)
            for attribute, key in attributes.items()
        }
        made = strawberry.input(
            type(name, (), body), name=name, description=description, one_of=True
        )

        def convert(value: Any) -> Chosen:
            ((key, given),) = (
                (key, given)
                for attribute, key in attributes.items()
                if (given := getattr(value, attribute)) is not strawberry.UNSET
            )
            return Chosen(key, shapes[key].into(given))

        return Shape(made, convert)

    def tagged(
        self, name: str, structs: Mapping[str, Struct], description: str | None = None
    ) -> Shape:
        """A tagged union as an input of which just one field is given, named by the tag."""
        shapes = {tag: self._contents(struct) for tag, struct in structs.items()}
        choice = self.one_of(name, shapes, description)
        tag_field = str(next(iter(structs.values())).__struct_config__.tag_field)
        return Shape(choice.kind, lambda value: _tagged(tag_field, choice.into(value)))

    def _contents(self, struct: Struct) -> Shape:
        return self.input_of(struct) if struct.__struct_fields__ else Shape(Yes, lambda _: {})

    def _input(self, struct: Struct, without: Collection[str]) -> Shape:
        described = info.type_info(struct)
        assert isinstance(described, info.StructType)
        name = f"{self._names.of(struct)}Input"
        fields = [field for field in described.fields if field.name not in without]
        shapes = {field.name: self.shape(field.type, struct, field.name) for field in fields}
        body = {
            field.name: _field(field.encode_name, shapes[field.name], required=field.required)
            for field in fields
        }
        made = strawberry.input(type(name, (), body), name=name, description=text_of(struct))

        def convert(value: Any) -> dict[str, Any] | list[Any]:
            given = {
                field.encode_name: shapes[field.name].into(part)
                for field in fields
                if (part := getattr(value, field.name)) is not strawberry.UNSET
            }
            return list(given.values()) if described.array_like else given

        return Shape(made, convert)

    def _union(self, kind: info.UnionType, struct: Struct, field: str) -> Shape:
        members, nullable = without_null(kind)
        structs = tagged(members)
        if len(members) == 1:
            shape = self.shape(members[0], struct, field)
        elif structs is not None:
            shape = self.tagged(f"{self._names.of(struct)}{pascal(field)}Input", structs)
        else:
            shape = Shape(JSON)
        return shape.or_null() if nullable else shape

    def _map(self, kind: info.DictType, struct: Struct, field: str) -> Shape:
        key = self.shape(kind.key_type, struct, f"{field}_key")
        value = self.shape(kind.value_type, struct, f"{field}_value")
        if value.kind is JSON:
            return Shape(JSON)
        name = f"{self._names.of(struct)}{pascal(field)}EntryInput"
        body = {
            "key": _field("key", key, required=True),
            "value": _field("value", value, required=True),
        }
        entry = strawberry.input(type(name, (), body), name=name, description="One entry of a map.")

        def convert(entries: Sequence[Any]) -> dict[Any, Any]:
            pairs = [(str(key.into(entry.key)), value.into(entry.value)) for entry in entries]
            if len(dict(pairs)) < len(pairs):
                raise Problem(
                    "malformed", path=f"$.{field}", reason="a key is given more than once"
                )
            return dict(pairs)

        return Shape(StrawberryList(entry), convert)


def _field(name: str, shape: Shape, *, required: bool) -> Any:
    if required and not isinstance(shape.kind, StrawberryOptional):
        return strawberry.field(name=camel(name), graphql_type=shape.kind)
    return strawberry.field(
        name=camel(name), graphql_type=shape.or_null().kind, default=strawberry.UNSET
    )


def _tagged(field: str, chosen: Chosen) -> dict[str, Any]:
    return {field: chosen.key, **chosen.value}


def _word(value: enum.Enum) -> Any:
    return value.value
