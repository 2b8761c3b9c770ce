"""Scalars that GraphQL lacks."""

from typing import Any, Final, NewType

import strawberry
from graphql import IntValueNode, ValueNode
from strawberry.scalars import JSON
from strawberry.schema.config import StrawberryConfig

from kit.validation import NUMBER_MAX

Integer = NewType("Integer", int)
"""Marks a field as a whole number of the size that JSON keeps; GraphQL's own Int ends at 2^31."""


def whole(value: Any) -> int:
    """The integer that was sent: not 1.0, not true, not "1". Raises TypeError, ValueError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("Expected an integer.")
    if not -NUMBER_MAX <= value <= NUMBER_MAX:
        raise ValueError(f"Expected an integer between -{NUMBER_MAX} and {NUMBER_MAX}.")
    return value


def _whole_literal(node: ValueNode, variables: Any = None) -> int:
    if not isinstance(node, IntValueNode):
        raise TypeError("Expected an integer.")
    # More digits than any such number has are not even read: that takes time.
    return whole(int(node.value[:18]))


CONFIG: Final = StrawberryConfig(
    scalar_map={
        Integer: strawberry.scalar(
            name="Integer",
            description="A whole number between -(2^53 - 1) and 2^53 - 1.",
            serialize=whole,
            parse_value=whole,
            parse_literal=_whole_literal,
        )
    }
)

__all__ = ["CONFIG", "JSON", "Integer"]
