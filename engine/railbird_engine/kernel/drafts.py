"""Private drafts of a state: mutable parts are copied, immutable parts are shared."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import inspect
from msgspec.structs import replace

Copier = Callable[[Any], Any]

_IMMUTABLE = (
    inspect.NoneType | inspect.BoolType | inspect.IntType | inspect.FloatType
    | inspect.StrType | inspect.BytesType
    | inspect.LiteralType | inspect.EnumType | inspect.UUIDType
    | inspect.DateTimeType | inspect.TimeDeltaType
)  # fmt: skip


def copier_of(declared: Any) -> Copier | None:  # any type expression
    """Return a function that copies values of this type deeply; None for immutable types.

    It trusts the declared types. Raises TypeError for a type that a state must not contain.
    """
    return _copier(inspect.type_info(declared))


def _copier(info: inspect.Type) -> Copier | None:
    match info:
        case inspect.StructType(cls=cls, fields=fields):
            return _struct_copier(cls, {field.name: _copier(field.type) for field in fields})
        case inspect.ListType(item_type=item):
            return list.copy if (each := _copier(item)) is None else _each(list, each)
        case inspect.VarTupleType(item_type=item):
            return None if (each := _copier(item)) is None else _each(tuple, each)
        case inspect.TupleType(item_types=items):
            places = [_copier(item) for item in items]
            return _tuple_copier(places) if any(places) else None
        case inspect.DictType(key_type=key, value_type=value):
            assert _copier(key) is None
            return _dict_copier(_copier(value))
        case inspect.UnionType(types=types):
            return _union_copier(
                {_plain_type(each): copier for each in types if (copier := _copier(each))}
            )
        case inspect.Metadata(type=inner):
            return _copier(inner)
        case _ if isinstance(info, _IMMUTABLE):
            return None
    raise TypeError(f"{info} is not allowed in a state")


def _struct_copier(cls: type[msgspec.Struct], fields: dict[str, Copier | None]) -> Copier | None:
    mutable = [(name, copier) for name, copier in fields.items() if copier]
    if cls.__struct_config__.frozen:
        if not mutable:
            return None
        return lambda value: replace(
            value, **{name: copier(getattr(value, name)) for name, copier in mutable}
        )
    # Every command copies its state, so the fields are written out instead of looked up by name.
    lines = [f"    draft.{name} = copy_{name}(draft.{name})" for name, _ in mutable]
    source = "\n".join(
        ["def copied(value):", "    draft = value.__copy__()", *lines, "    return draft"]
    )
    names: dict[str, Any] = {f"copy_{name}": copier for name, copier in mutable}
    exec(source, names)  # noqa: S102  (only names of fields, which are identifiers)
    copied: Copier = names["copied"]
    return copied


def _each(container: type[list[Any]] | type[tuple[Any, ...]], item: Copier) -> Copier:
    return lambda values: container([item(value) for value in values])


def _tuple_copier(places: list[Copier | None]) -> Copier:
    return lambda values: tuple(
        [place(value) if place else value for place, value in zip(places, values, strict=True)]
    )


def _dict_copier(value: Copier | None) -> Copier:
    return (
        dict.copy
        if value is None
        else lambda values: {key: value(inner) for key, inner in values.items()}
    )


def _union_copier(by_type: dict[type, Copier]) -> Copier | None:
    def copied(value: Any) -> Any:
        copier = by_type.get(type(value))
        return value if copier is None else copier(value)

    return copied if by_type else None


def _plain_type(info: inspect.Type) -> type:
    match info:
        case inspect.StructType(cls=cls):
            return cls
        case inspect.DictType():
            return dict
        case inspect.ListType():
            return list
    return tuple
