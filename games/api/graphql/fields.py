"""Fields made at run time, as Strawberry wants them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import strawberry
from msgspec import inspect as info
from strawberry.annotation import StrawberryAnnotation
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.base import StrawberryOptional

from games.api.graphql.inputs import Inputs
from games.api.graphql.structs import Shape, Struct, camel
from kit.operations import Operation


class Argument(NamedTuple):
    """An argument of a field: its shape, and whether it may be left out."""

    shape: Shape
    required: bool = True
    description: str | None = None


def field(
    resolve: Callable[..., Any],
    kind: Any,
    *,
    arguments: Mapping[str, Argument] | None = None,
    description: str | None = None,
    declared: Operation | None = None,
    is_subscription: bool = False,
) -> Any:
    """A field of this kind, which goes when the operation that it stands for does. `resolve` takes
    what it names of `root` and `info`, and the arguments that were given."""
    taken = arguments or {}
    made = strawberry.field(
        resolve,
        graphql_type=kind,
        description=description,
        deprecation_reason=None
        if declared is None or declared.deprecated is None
        else declared.deprecated.reason,
        is_subscription=is_subscription,
    )
    made.arguments = [_argument(key, argument) for key, argument in taken.items()]
    return made


def _argument(name: str, argument: Argument) -> StrawberryArgument:
    optional = not argument.required or isinstance(argument.shape.kind, StrawberryOptional)
    kind = argument.shape.or_null().kind if optional else argument.shape.kind
    return StrawberryArgument(
        name, camel(name), StrawberryAnnotation(kind), description=argument.description
    )


def arguments_of(struct: Struct | None, inputs: Inputs) -> dict[str, Argument]:
    """The fields of what a request carries, as arguments."""
    if struct is None:
        return {}
    described = info.type_info(struct)
    assert isinstance(described, info.StructType)
    return {
        part.encode_name: Argument(
            inputs.shape(part.type, struct, part.name), required=part.required
        )
        for part in described.fields
    }


def given(arguments: Mapping[str, Argument], values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that were given, as the other faces take them."""
    found = {name: value for name, value in values.items() if value is not strawberry.UNSET}
    return {name: arguments[name].shape.into(value) for name, value in found.items()}
