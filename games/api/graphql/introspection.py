"""Introspection as GraphiQL and the code generators send it: answered from one result, which is
made at first use.

`standard` recognises every query that asks for a part of what graphql-js asks for. Any other
introspection is carried out as usual, and measured (`limits`)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from graphql import (
    BooleanValueNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    introspection_from_schema,
)

DEPTH_MAX: Final = 20
PARTS_MAX: Final = 400
VARIANTS_MAX: Final = 4

_INPUT: Final = "name description type:Ref defaultValue isDeprecated deprecationReason"
SHAPES: Final[Mapping[str, Mapping[str, str]]] = {
    kind: {name: inside for name, _, inside in (part.partition(":") for part in parts.split())}
    for kind, parts in {
        "Query": "__schema:Schema",
        "Schema": "description queryType:Named mutationType:Named subscriptionType:Named "
        "types:Type directives:Directive",
        "Named": "name kind",
        "Type": "kind name description specifiedByURL isOneOf fields:Field inputFields:Input "
        "interfaces:Ref enumValues:Value possibleTypes:Ref",
        "Field": "name description args:Input type:Ref isDeprecated deprecationReason",
        "Input": _INPUT,
        "Value": "name description isDeprecated deprecationReason",
        "Ref": "kind name ofType:Ref",
        "Directive": "name description isRepeatable locations args:Input",
    }.items()
}
"""The fields that the standard query asks of each kind, and the kinds that these lead to."""


class Part(NamedTuple):
    """A field that is asked for, with what is asked of it; and whether deprecated things count."""

    name: str
    all: bool
    inside: "tuple[Part, ...]"


class _Other(Exception):
    """The document is no standard introspection."""


def standard(document: DocumentNode) -> tuple[Part, ...] | None:
    """What a document asks for, if it is one standard introspection query and nothing else."""
    fragments, operations = {}, []
    for definition in document.definitions:
        match definition:
            case FragmentDefinitionNode():
                fragments[definition.name.value] = definition.selection_set
            case OperationDefinitionNode():
                operations.append(definition)
    if len(operations) != 1 or operations[0].operation != OperationType.QUERY:
        return None
    try:
        return _Reader(fragments).parts(operations[0].selection_set, "Query", 0)
    except _Other:
        return None


class _Reader:
    def __init__(self, fragments: Mapping[str, SelectionSetNode]) -> None:
        self._fragments = fragments
        self._read = 0

    def parts(self, selections: SelectionSetNode, kind: str, depth: int) -> tuple[Part, ...]:
        found = tuple(self._part(field, kind, depth) for field in self._fields(selections, depth))
        if len({part.name for part in found}) < len(found):
            raise _Other
        return found

    def _fields(self, selections: SelectionSetNode, depth: int) -> Iterator[FieldNode]:
        for selection in selections.selections:
            self._read += 1
            if depth > DEPTH_MAX or self._read > PARTS_MAX or selection.directives:
                raise _Other
            match selection:
                case FieldNode():
                    yield selection
                case InlineFragmentNode():
                    yield from self._fields(selection.selection_set, depth + 1)
                case FragmentSpreadNode():
                    fragment = self._fragments.get(selection.name.value)
                    if fragment is None:
                        raise _Other
                    yield from self._fields(fragment, depth + 1)

    def _part(self, field: FieldNode, kind: str, depth: int) -> Part:
        name, asked = field.name.value, field.arguments or ()
        inside = SHAPES[kind].get(name)
        if inside is None or field.alias is not None or bool(inside) != bool(field.selection_set):
            raise _Other
        if any(
            argument.name.value != "includeDeprecated"
            or not isinstance(argument.value, BooleanValueNode)
            for argument in asked
        ):
            raise _Other
        every = any(getattr(argument.value, "value", False) for argument in asked)
        if field.selection_set is None:
            return Part(name, every, ())
        return Part(name, every, self.parts(field.selection_set, inside, depth + 1))


class Introspection:
    """The introspection of one schema."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self._schema = schema
        self._full: Any = None
        self.answer = lru_cache(VARIANTS_MAX)(self._answer)

    def _answer(self, parts: tuple[Part, ...]) -> Any:
        """The data of a standard query. Made in a thread: the first time takes a second."""
        if self._full is None:
            self._full = introspection_from_schema(
                self._schema, experimental_directive_deprecation=False
            )
        return _project(self._full, parts)


def _project(value: Any, parts: Sequence[Part]) -> Any:
    if isinstance(value, list):
        return [_project(item, parts) for item in value]
    if value is None or not parts:
        return value
    found = {}
    for name, every, inside in parts:
        field = value.get(name)
        if isinstance(field, list) and not every:
            field = [
                item for item in field if not (isinstance(item, dict) and item.get("isDeprecated"))
            ]
        found[name] = _project(field, inside)
    return found
