"""What Structs become in GraphQL, whichever way they travel: their names, their enums, and how
their types are taken apart.

A game's types begin with its name (`AscotBid`). Objects are made in `outputs`, inputs in `inputs`.
"""

import enum
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, cast, get_args, get_origin
from uuid import UUID

import msgspec
import strawberry
from msgspec import inspect as info
from strawberry.types.base import StrawberryOptional
from strawberry.utils.str_converters import to_camel_case

from games.api.graphql.scalars import Integer
from games.store.registry import all_rules

Struct = type[msgspec.Struct]
Convert = Callable[[Any], Any]

PLAIN: Final[Mapping[type[info.Type], Any]] = {
    info.IntType: Integer,
    info.BoolType: bool,
    info.FloatType: float,
    info.StrType: str,
    info.UUIDType: UUID,
    info.DateTimeType: datetime,
}


class Shape(NamedTuple):
    """The GraphQL type of a type, and what becomes of its values on the way; None: nothing does."""

    kind: Any
    convert: Convert | None = None

    def into(self, value: Any) -> Any:
        """What becomes of a value."""
        return value if self.convert is None or value is None else self.convert(value)

    def or_null(self) -> "Shape":
        """The same, or nothing at all."""
        return (
            self
            if isinstance(self.kind, StrawberryOptional)
            else Shape(StrawberryOptional(self.kind), self.convert)
        )


def pascal(words: str) -> str:
    """`place_bet` -> `PlaceBet`."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", words))


def camel(name: str) -> str:
    """`place_bet` -> `placeBet`, as GraphQL names fields."""
    return to_camel_case(name)


def text_of(kind: Any) -> str | None:
    """What a type's own docstring says."""
    text = kind.__dict__.get("__doc__")
    return inspect.cleandoc(text) if text else None


# Taking types apart


def elements_of(kind: info.Type) -> info.Type | None:
    """The type of a list's elements; None for what is no list, or one whose places differ in
    type."""
    match kind:
        case info.ListType() | info.VarTupleType() | info.SetType() | info.FrozenSetType():
            return kind.item_type
        case info.TupleType() if all(item == kind.item_types[0] for item in kind.item_types):
            return kind.item_types[0]
    return None


def without_null(kind: info.UnionType) -> tuple[list[info.Type], bool]:
    """The members of a union, and whether null is another."""
    members = [member for member in kind.types if not isinstance(member, info.NoneType)]
    return members, len(members) < len(kind.types)


def tagged(members: Sequence[info.Type]) -> dict[str, Struct] | None:
    """Tagged structs by their tags; None when something else is among them."""
    structs = {
        str(member.tag): member.cls
        for member in members
        if isinstance(member, info.StructType) and member.tag is not None
    }
    return structs if len(structs) == len(members) else None


def members_of(kind: info.Type) -> Sequence[info.Type]:
    """The members of a union; of anything else, itself."""
    return kind.types if isinstance(kind, info.UnionType) else [kind]


def part_of_any_game(kind: info.Type) -> str | None:
    """Whether a value is some part of some game, its options, a command, an event: which of
    them."""
    schema = (kind.extra_json_schema or {}) if isinstance(kind, info.Metadata) else {}
    found = re.fullmatch(r"#/components/schemas/Game([A-Z][a-z]+)", str(schema.get("$ref", "")))
    return found[1].lower() if found else None


# What they are called


@cache
def _packages() -> Mapping[str, str]:
    """The prefix of each game's types, by the package that they come from."""
    return {
        type(rules).__module__.rpartition(".")[0]: pascal(slug)
        for (slug, _), rules in all_rules().items()
    }


def prefix_of(struct: Struct) -> str:
    """What the names of a game's types begin with; nothing for those that all games share."""
    package = struct.__module__
    while package:
        if package in _packages():
            return _packages()[package]
        package = package.rpartition(".")[0]
    return ""


class Names:
    """One name for each type. Two that share theirs are told apart by where they come from."""

    def __init__(self, renamed: Mapping[Struct, str]) -> None:
        self._renamed = renamed
        self._taken: dict[str, Any] = {}

    def of(self, struct: Struct) -> str:
        """The name of a struct's type."""
        prefix = prefix_of(struct)
        short = self._renamed.get(struct, struct.__name__)
        name = short if short.startswith(prefix) else prefix + short
        if self._taken.setdefault(name, struct) is not struct:
            name = prefix + pascal(struct.__module__.rpartition(".")[2]) + short
            assert self._taken.setdefault(name, struct) is struct, f"two types are called {name}"
        return name


# Enums


class Enums:
    """Closed sets of words as enums whose values are the words themselves, the same on every face
    of the API."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, frozenset[str]], Any] = {}

    def of_literal(self, kind: info.LiteralType, struct: Struct, field: str) -> Shape:
        """A `Literal` of words, under the name that it was declared by, else that of its first
        field; others stay plain."""
        words = [value for value in kind.values if isinstance(value, str)]
        if len(words) < len(kind.values):
            return Shape(str if words else Integer)
        return self._of_words(words, struct, field)

    def of_listed(self, kind: info.Metadata, struct: Struct, field: str) -> Shape | None:
        """A text whose values the JSON Schema lists. The empty one stands for nothing."""
        listed = (kind.extra_json_schema or {}).get("enum")
        if listed is None:
            return None
        shape = self._of_words([word for word in listed if word], struct, field)
        return (
            shape
            if all(listed)
            else Shape(StrawberryOptional(shape.kind), lambda value: value or None)
        )

    def _of_words(self, words: Sequence[str], struct: Struct, field: str) -> Shape:
        if not all(
            re.fullmatch(r"[A-Za-z]\w*", word, re.ASCII) and word not in {"true", "false", "null"}
            for word in words
        ):
            return Shape(str)
        prefix = prefix_of(struct)
        key = prefix, frozenset(words)
        if key not in self._made:
            name = _alias_of(frozenset(words), struct, prefix) or struct.__name__ + pascal(field)
            name = name if name.startswith(prefix) else prefix + name
            self._made[key] = strawberry.enum(_enum(name, words))
        return Shape(self._made[key])


def _enum(name: str, words: Sequence[str]) -> type[enum.Enum]:
    made: Any = enum.Enum(name, {word: word for word in words})  # type: ignore[misc]  # made at run time
    return cast("type[enum.Enum]", made)


def _alias_of(words: frozenset[str], struct: Struct, prefix: str) -> str | None:
    """What this set of words is called where its type is declared: in the modules of the game, or
    in the struct's own."""
    own = struct.__module__
    folder = own.rpartition(".")[0] + "." if prefix else own
    for module in sorted(name for name in sys.modules if name.startswith(folder)):
        for alias, value in vars(sys.modules[module]).items():
            if not alias.startswith("_") and _words_of(value) == words:
                return alias
    return None


def _words_of(alias: Any) -> frozenset[str] | None:
    """The words that a `Literal` allows, or a text whose values the JSON Schema lists."""
    origin = get_origin(alias)
    if origin is Literal:
        return frozenset(get_args(alias))
    if origin is Annotated:
        listed = [
            meta.extra_json_schema for meta in get_args(alias)[1:] if isinstance(meta, msgspec.Meta)
        ]
        return next(
            (frozenset(schema["enum"]) - {""} for schema in listed if schema and "enum" in schema),
            None,
        )
    return None
