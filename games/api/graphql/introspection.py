"""The introspection query of GraphiQL and the code generators, answered from one stored result.

The stored result has all that these tools ask for. `limits` measures other introspection.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from graphql import (
    GraphQLField,
    GraphQLObjectType,
    GraphQLSchema,
    SchemaMetaFieldDef,
    get_named_type,
    introspection_from_schema,
)
from graphql.execution.values import get_variable_values
from graphql.language import ast

VARIANTS_MAX: Final = 4
"""The most queries whose answers are kept. Making one from the stored result takes 0.1 s."""

ROOT: Final = GraphQLObjectType("Query", {"__schema": GraphQLField(SchemaMetaFieldDef.type)})
"""The type of the stored result."""


class Part(NamedTuple):
    """A field of the answer."""

    deprecated: bool
    """Whether the deprecated values of the field are asked for."""

    inside: tuple[ast.SelectionSetNode, ...]
    """The selections of its values, to be merged."""


class _OtherQueryError(Exception):
    """The stored result does not answer this query."""


def is_introspection(document: ast.DocumentNode) -> bool:
    """Return whether a document asks for the schema, and for nothing else."""
    match [it for it in document.definitions if isinstance(it, ast.OperationDefinitionNode)]:
        case [ast.OperationDefinitionNode(selection_set=ast.SelectionSetNode(selections=(only,)))]:
            return isinstance(only, ast.FieldNode) and only.name.value == "__schema"
    return False


def stored_answer(
    schema: GraphQLSchema, query: str, document: ast.DocumentNode, variables: Mapping[str, Any]
) -> Any:
    """Return the data of a valid query that `is_introspection`, or None if it must be executed.

    `document` is the parsed query. The first call takes a second: call it in a thread.
    """
    for it in document.definitions:
        if isinstance(it, ast.OperationDefinitionNode):
            values = get_variable_values(schema, it.variable_definitions or (), dict(variables), 1)
            if isinstance(values, list):
                return None  # execution reports the invalid variables
            flags = {name: it for name, it in values.coerced.items() if isinstance(it, bool)}
            return _answer(schema, _Asked(query, frozenset(flags.items()), document))
    return None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query with its flags. The document is that of the query, so it is not compared."""

    query: str
    flags: frozenset[tuple[str, bool]]
    document: ast.DocumentNode = field(compare=False)


@lru_cache(VARIANTS_MAX)
def _answer(schema: GraphQLSchema, asked: _Asked) -> Any:
    reader = _Reader(asked.document, dict(asked.flags))
    try:
        return reader.select(_everything(schema), ROOT, (reader.root,))
    except _OtherQueryError:
        return None


@cache
def _everything(schema: GraphQLSchema) -> Any:
    return introspection_from_schema(schema, experimental_directive_deprecation=False)


class _Reader:
    """Selects from the stored result. As each value of it is selected at most once, it limits the
    answer. A query with aliases or other directives is not answered from it."""

    def __init__(self, document: ast.DocumentNode, flags: Mapping[str, bool]) -> None:
        self._flags = flags
        self._fragments: dict[str, ast.SelectionSetNode] = {}
        for it in document.definitions:
            if isinstance(it, ast.FragmentDefinitionNode):
                self._fragments[it.name.value] = it.selection_set
            elif isinstance(it, ast.OperationDefinitionNode):
                self.root = it.selection_set
        self._known: dict[tuple[int, ...], dict[str, Part]] = {}

    def select(self, value: Any, kind: Any, selections: tuple[ast.SelectionSetNode, ...]) -> Any:
        """Return what is selected of a stored value of a type. Raises _OtherQueryError if some of
        it is not stored."""
        if isinstance(value, list):
            return [self.select(item, kind, selections) for item in value]
        if value is None or not selections:
            return value
        found = {}
        for name, (deprecated, inside) in self._parts(selections).items():
            if name == "__typename":
                found[name] = kind.name
                continue
            if name not in value:
                raise _OtherQueryError
            part = value[name]
            if isinstance(part, list) and not deprecated:
                part = [it for it in part if not (isinstance(it, dict) and it.get("isDeprecated"))]
            found[name] = self.select(part, get_named_type(kind.fields[name].type), inside)
        return found

    def _parts(self, selections: tuple[ast.SelectionSetNode, ...]) -> dict[str, Part]:
        """Return the fields of selections. Equal fields have equal arguments: that is validated."""
        key = tuple(map(id, selections))
        if (parts := self._known.get(key)) is None:
            parts = self._known[key] = {}
            spread: set[str] = set()
            for field in chain.from_iterable(self._fields(it, spread) for it in selections):
                if field.alias:
                    raise _OtherQueryError
                deprecated = any(self._flag(it.value) for it in field.arguments or ())
                earlier = parts.get(field.name.value, Part(deprecated, ())).inside
                inside = (field.selection_set,) if field.selection_set else ()
                parts[field.name.value] = Part(deprecated, (*earlier, *inside))
        return parts

    def _fields(
        self, selections: ast.SelectionSetNode, spread: set[str]
    ) -> Iterator[ast.FieldNode]:
        """Yield the fields of a selection and of the fragments in it, each fragment once."""
        for selection in selections.selections:
            if not self._is_included(selection):
                continue
            match selection:
                case ast.FieldNode():
                    yield selection
                case ast.FragmentSpreadNode(name=name) if name.value not in spread:
                    spread.add(name.value)
                    yield from self._fields(self._fragments[name.value], spread)
                case ast.InlineFragmentNode(selection_set=inside):
                    yield from self._fields(inside, spread)

    def _is_included(self, selection: ast.SelectionNode) -> bool:
        wanted = {"include": True, "skip": False}
        for directive in selection.directives or ():
            if directive.name.value not in wanted:
                raise _OtherQueryError
            (condition,) = directive.arguments or ()
            if self._flag(condition.value) is not wanted[directive.name.value]:
                return False
        return True

    def _flag(self, value: ast.ValueNode) -> bool:
        match value:
            case ast.BooleanValueNode(value=flag):
                return flag
            case ast.VariableNode(name=name) if name.value in self._flags:
                return self._flags[name.value]
        raise _OtherQueryError
