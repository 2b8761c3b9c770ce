"""Strawberry types of msgspec structs: objects, inputs, enums and unions.

Requests, responses and the parts of games are declared as structs; `Types` derives their GraphQL
types. The types of a game begin with its name, such as `AscotBid`.
"""

import enum
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final, Literal, NamedTuple, NewType, get_args, get_origin
from uuid import UUID

import msgspec
import strawberry
from graphql import GraphQLTypeResolver, IntValueNode, ValueNode
from msgspec import inspect as info
from strawberry import UNSET
from strawberry.annotation import StrawberryAnnotation
from strawberry.scalars import JSON
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.types.concrete_type import TypeMap
from strawberry.schema_directives import OneOf
from strawberry.types import get_object_definition
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.base import StrawberryList, StrawberryOptional
from strawberry.types.field import StrawberryField
from strawberry.types.fields.resolver import StrawberryResolver
from strawberry.types.union import StrawberryUnion

from games.api.schemas import PARTS, types_of
from games.store.registry import all_rules, catalogue
from kit.operations import Operation
from kit.validation import NUMBER_MAX
from railbird_engine import AnyRules

Struct = type[msgspec.Struct]

Integer = NewType("Integer", int)
"""An integer that JSON can hold; the Int of GraphQL ends at 2^31."""

NAME: Final = r"(?!true$|false$|null$)[A-Za-z][A-Za-z0-9_]*"
"""The words that GraphQL can have as the values of an enum."""

PLAIN: Final[Mapping[type[info.Type], Any]] = {
    info.IntType: Integer,
    info.BoolType: bool,
    info.FloatType: float,
    info.StrType: str,
    info.UUIDType: UUID,
    info.DateTimeType: datetime,
}


@strawberry.enum(description="The value of a command that has no fields.")
class Yes(enum.Enum):
    """GraphQL has no inputs without fields."""

    YES = "yes"


class Chosen(NamedTuple):
    """The options or the command of one game."""

    slug: str
    value: Any


# Scalars


def whole(value: Any) -> int:
    """Return an integer; `1.0`, `"1"` and `true` are none. Raises TypeError, ValueError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("Expected an integer.")
    if not -NUMBER_MAX <= value <= NUMBER_MAX:
        raise ValueError(f"Expected an integer between -{NUMBER_MAX} and {NUMBER_MAX}.")
    return value


def _whole_literal(node: ValueNode, _variables: Any = None) -> int:
    if not isinstance(node, IntValueNode):
        raise TypeError("Expected an integer.")
    return whole(int(node.value[:18]))  # reading more digits would take time


CONFIG: Final = StrawberryConfig(
    scalar_map={
        JSON: strawberry.scalar(
            name="JSON",
            description="Any JSON value.",
            serialize=msgspec.to_builtins,
            parse_value=lambda value: value,
        ),
        Integer: strawberry.scalar(
            name="Integer",
            description="An integer between -(2^53 - 1) and 2^53 - 1.",
            serialize=whole,
            parse_value=whole,
            parse_literal=_whole_literal,
        ),
    }
)


# Names


def pascal(words: str) -> str:
    """`place_bet` -> `PlaceBet`."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", words))


@cache
def prefix_of(struct: Struct) -> str:
    """Return what the name of a struct's type begins with, empty for types of all games."""
    for (slug, _), rules in all_rules().items():
        if struct.__module__.startswith(f"{type(rules).__module__.rpartition('.')[0]}."):
            return pascal(slug)
    return ""


def text_of(struct: Struct) -> str | None:
    """Return the docstring of a struct, without those of its bases."""
    text = vars(struct).get("__doc__")
    return inspect.cleandoc(text) if text else None


def structs_of(rules: AnyRules, part: str) -> list[Struct]:
    """Return the structs of a part of a game."""
    kind = info.type_info(types_of(rules)[part])
    members = kind.types if isinstance(kind, info.UnionType) else [kind]
    return [member.cls for member in members if isinstance(member, info.StructType)]


def _alias_of(words: set[str], struct: Struct) -> str | None:
    """Return the name of a `Literal` in the module of the struct that uses it."""
    for alias, value in vars(sys.modules[struct.__module__]).items():
        if get_origin(value) is Literal and {*get_args(value)} == words and alias[0] != "_":
            return alias
    return None


# Building blocks


def optional(kind: Any) -> Any:
    """Return the nullable type."""
    return kind if isinstance(kind, StrawberryOptional) else StrawberryOptional(kind)


def field(  # noqa: PLR0913  (a declaration names each property)
    name: str,
    kind: Any,
    resolve: Callable[..., Any] | None = None,
    *,
    arguments: Mapping[str, Any] | None = None,
    operation: Operation | None = None,
    text: str | None = None,
    is_subscription: bool = False,
) -> StrawberryField:
    """Return a field with the text of its operation. Without `resolve` it is an attribute."""
    deprecated = operation.deprecated if operation else None
    made = StrawberryField(
        python_name=name,
        type_annotation=StrawberryAnnotation(kind),
        default=UNSET,
        description=text or (operation.text if operation else None),
        deprecation_reason=deprecated.reason if deprecated else None,
        base_resolver=None if resolve is None else StrawberryResolver(resolve),
        is_subscription=is_subscription,
    )
    made.arguments = [
        StrawberryArgument(key, None, StrawberryAnnotation(each))
        for key, each in (arguments or {}).items()
    ]
    return made


def define(
    name: str,
    text: str | None,
    fields: list[StrawberryField],
    build: Callable[[dict[str, Any]], Any] | None = None,
    directives: Sequence[object] = (),
) -> Any:
    """Return an object, or an input if `build` makes a value of the fields that were sent."""
    body = {} if build is None else {"__new__": lambda _, **given: build(given)}
    is_input = build is not None
    made: Any = strawberry.type(
        type(name, (), body), name=name, description=text, is_input=is_input, directives=directives
    )
    get_object_definition(made, strict=True).fields = fields
    return made


def one_of(name: str, text: str | None, kinds: Mapping[str, Any], build: Any) -> Any:
    """Return an input of which exactly one field is sent."""
    fields = [field(key, optional(kind)) for key, kind in kinds.items()]
    return define(name, text, fields, build, [OneOf()])


class Union(StrawberryUnion):
    """A union whose object is found by the name of the value's type, however many it has."""

    def __init__(
        self,
        name: str,
        kinds: tuple[StrawberryAnnotation, ...],
        text: str | None,
        name_of: Callable[[Any], str],
    ) -> None:
        super().__init__(name, kinds, text)
        self._name_of = name_of

    def get_type_resolver(self, _types: TypeMap) -> GraphQLTypeResolver:
        """Return a function that names the object of a value."""
        return lambda root, _info, _union: self._name_of(root)


class At(NamedTuple):
    """The field whose type is derived. Fields of requests become inputs."""

    struct: Struct
    field: str
    is_input: bool = False


class Types:
    """The types of one schema."""

    def __init__(
        self,
        names: Mapping[Struct, str],
        same: Mapping[Struct, Struct],
        more: Mapping[Struct, Callable[["Types"], Sequence[StrawberryField]]],
    ) -> None:
        self._names = {**names}
        self._same = same
        """Structs that share the object of another."""
        self._more = more
        """Fields that an object has in addition to its struct."""
        self._objects: dict[Struct, Any] = {}
        self._inputs: dict[Struct, Any] = {}
        self._enums: dict[tuple[str, frozenset[str]], Any] = {}
        self.parts = dict(self._parts_of_games())

    def of(self, kind: info.Type, at: At) -> Any:
        """Return the GraphQL type of a msgspec type."""
        match kind:
            case info.Metadata(type=inner, extra_json_schema=schema):
                schema = schema or {}
                if "$ref" in schema:
                    return self.parts[schema["$ref"].rpartition("/")[2], at.is_input]
                return self._enum(schema["enum"], at) if "enum" in schema else self.of(inner, at)
            case info.LiteralType(values=values) if all(isinstance(each, str) for each in values):
                return self._enum(values, at)
            case info.LiteralType(values=values):
                return str if any(isinstance(each, str) for each in values) else Integer
            case info.StructType(cls=struct):
                return self.input(struct) if at.is_input else self.object(struct)
            case info.UnionType(types=kinds):
                members = [each for each in kinds if not isinstance(each, info.NoneType)]
                found = self._union(members, at)
                return found if len(members) == len(kinds) else optional(found)
            case info.DictType() if not at.is_input:
                return self._map(kind, at)
            case info.ListType() | info.VarTupleType() | info.SetType() | info.FrozenSetType():
                return StrawberryList(self.of(kind.item_type, at))
            case info.TupleType(item_types=(first, *others)) if all(it == first for it in others):
                return StrawberryList(self.of(first, at))
        return PLAIN.get(type(kind), JSON)

    def object(self, struct: Struct) -> Any:
        """Return the object of a struct. It may contain itself."""
        struct = self._same.get(struct, struct)
        if struct not in self._objects:
            fields: list[StrawberryField] = []
            made = define(self.name_of(struct), text_of(struct), fields)
            definition = get_object_definition(made, strict=True)
            definition.is_type_of = lambda root, _: self._shown(root) is struct
            self._objects[struct] = made
            is_tagged = struct.__struct_config__.tag is not None
            found = {"type": field("type", str, _tag)} if is_tagged else {}
            for part in _fields_of(struct):
                kind = self.of(part.type, At(struct, part.name))
                found[part.name] = field(part.encode_name, kind, _reader(part, kind))
            more = self._more[struct](self) if struct in self._more else ()
            fields += (found | {each.python_name: each for each in more}).values()
        return self._objects[struct]

    def input(self, struct: Struct) -> Any:
        """Return the input of a struct."""
        if struct not in self._inputs:
            fields = [field(name, kind) for name, kind in self.arguments(struct).items()]
            is_array = struct.__struct_config__.array_like
            build = (lambda given: [*given.values()]) if is_array else dict
            name = f"{self.name_of(struct)}Input"
            self._inputs[struct] = define(name, text_of(struct), fields, build)
        return self._inputs[struct]

    def arguments(self, struct: Struct | None) -> dict[str, Any]:
        """Return the types of a struct's fields, nullable where they have a default."""
        if struct is None:
            return {}
        kinds = {}
        for part in _fields_of(struct):
            kind = self.of(part.type, At(struct, part.name, is_input=True))
            kinds[part.encode_name] = kind if part.required else optional(kind)
        return kinds

    def union(self, name: str, structs: Iterable[Struct], text: str | None = None) -> Any:
        """Return the union of the objects of several structs."""
        kinds = dict.fromkeys(self.object(each) for each in structs)
        annotations = tuple(StrawberryAnnotation(kind) for kind in kinds)
        return Union(name, annotations, text, lambda root: self._names[self._shown(root)])

    def name_of(self, struct: Struct) -> str:
        """Return the name of a struct's object. Two of one name differ by their modules."""
        if struct not in self._names:
            prefix, short = prefix_of(struct), struct.__name__
            name = short if short.startswith(prefix) else prefix + short
            if name in self._names.values():
                name = prefix + pascal(struct.__module__.rpartition(".")[2]) + short
            assert name not in self._names.values(), f"two types are called {name}"
            self._names[struct] = name
        return self._names[struct]

    def _shown(self, root: Any) -> Struct:
        return self._same.get(type(root), type(root))

    def _union(self, members: Sequence[info.Type], at: At) -> Any:
        if len(members) == 1:
            return self.of(members[0], at)
        structs = [each.cls for each in members if isinstance(each, info.StructType)]
        if len(structs) < len(members):
            return JSON
        name = self.name_of(at.struct) + pascal(at.field)
        return self._tagged(f"{name}Input", structs) if at.is_input else self.union(name, structs)

    def _tagged(self, name: str, structs: Sequence[Struct]) -> Any:
        """Return an input of which one field is set: the tag of a struct, with its contents."""
        config = structs[0].__struct_config__

        def build(given: dict[str, Any]) -> dict[str, Any]:
            ((tag, value),) = given.items()
            return {str(config.tag_field): tag, **({} if isinstance(value, Yes) else value)}

        kinds = {
            str(each.__struct_config__.tag): self.input(each) if each.__struct_fields__ else Yes
            for each in structs
        }
        return one_of(name, None, kinds, build)

    def _map(self, kind: info.DictType, at: At) -> Any:
        """Return a list of entries, as GraphQL has no maps."""
        value = self.of(kind.value_type, at._replace(field=f"{at.field}_value"))
        if value is JSON:
            return JSON
        key = self.of(kind.key_type, at._replace(field=f"{at.field}_key"))
        name = f"{self.name_of(at.struct)}{pascal(at.field)}Entry"
        fields = [
            field("key", key, lambda root: root[0]),
            field("value", value, lambda root: _entries(root[1])),
        ]
        return StrawberryList(define(name, "One entry of a map.", fields))

    def _enum(self, words: Sequence[Any], at: At) -> Any:
        """Return an enum with these words; the empty one stands for null."""
        wanted = [word for word in words if word]
        if not all(re.fullmatch(NAME, word) for word in wanted):
            return str
        prefix = prefix_of(at.struct)
        key = prefix, frozenset(wanted)
        if key not in self._enums:
            name = _alias_of({*wanted}, at.struct) or at.struct.__name__ + pascal(at.field)
            made: Any = enum.Enum(  # type: ignore[misc]  # made at run time
                name if name.startswith(prefix) else prefix + name, {word: word for word in wanted}
            )
            self._enums[key] = strawberry.enum(made)
        return self._enums[key] if all(words) else optional(self._enums[key])

    def _parts_of_games(self) -> Iterable[tuple[tuple[str, bool], Any]]:
        """Derive the options, commands, events, views and books of all games."""
        newest_first = sorted(all_rules().items(), key=lambda item: (item[0][0], -item[0][1]))
        for part in PARTS:
            structs = [each for _, rules in newest_first for each in structs_of(rules, part)]
            union = self.union(f"Game{pascal(part)}", structs, f"The {part} of any game.")
            yield (f"Game{pascal(part)}", False), optional(union) if part == "options" else union
        games = catalogue().items()
        options = {slug: structs_of(rules, "options")[0] for slug, rules in games}
        inputs = {slug: self.input(it) for slug, it in options.items() if it.__struct_fields__}
        commands = {
            slug: self._tagged(f"{pascal(slug)}CommandInput", structs_of(rules, "command"))
            for slug, rules in games
        }
        for part, kinds in (("Options", inputs), ("Command", commands)):
            text = f"The {part.lower()} of one game, under its name."
            made = one_of(f"Game{part}Input", text, kinds, lambda given: Chosen(*given.popitem()))
            yield (f"Game{part}", True), made


def _fields_of(struct: Struct) -> Sequence[info.Field]:
    described = info.type_info(struct)
    assert isinstance(described, info.StructType)
    return described.fields


def _tag(root: msgspec.Struct) -> str:
    return str(root.__struct_config__.tag)


def _reader(part: info.Field, kind: Any) -> Callable[[Any], Any] | None:
    """Return how to read a field of a struct, if not as the attribute of its name."""
    if isinstance(part.type, info.DictType) and kind is not JSON:
        return lambda root: _entries(getattr(root, part.name))
    if isinstance(part.type, info.Metadata) and isinstance(kind, StrawberryOptional):
        return lambda root: getattr(root, part.name) or None  # an enum with an empty word
    assert part.name == part.encode_name, f"{part.name} is read by another name"
    return None


def _entries(value: Any) -> Any:
    return list(value.items()) if isinstance(value, Mapping) else value
