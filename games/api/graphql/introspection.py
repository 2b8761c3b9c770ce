"""The introspection query of GraphiQL and the code generators, answered from one stored result.

The stored result has all that these tools ask for. `limits` measures other introspection.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Final

from graphql import GraphQLSchema, introspection_from_schema, parse
from graphql.language import ast

VARIANTS_MAX: Final = 4
"""The most queries whose answers are kept. Making one from the stored result takes 0.1 s."""


Part = tuple[bool, ast.SelectionSetNode | None]
"""Whether deprecated values of a field are asked for, and what is selected inside."""


class _OtherQueryError(Exception):
    """The stored result does not answer this query."""


def is_introspection(document: ast.DocumentNode) -> bool:
    """Return whether a document asks for the schema, and for nothing else."""
    match [it for it in document.definitions if isinstance(it, ast.OperationDefinitionNode)]:
        case [ast.OperationDefinitionNode(selection_set=ast.SelectionSetNode(selections=(only,)))]:
            return isinstance(only, ast.FieldNode) and only.name.value == "__schema"
    return False


@lru_cache(VARIANTS_MAX)
def stored_answer(schema: GraphQLSchema, query: str) -> Any:
    """Return the data of a valid query that `is_introspection`, or None if it must be executed.

    The first call takes a second: call it in a thread.
    """
    reader = _Reader(parse(query, no_location=True))
    try:
        return reader.select(_everything(schema), reader.root)
    except _OtherQueryError:
        return None


@cache
def _everything(schema: GraphQLSchema) -> Any:
    return introspection_from_schema(schema, experimental_directive_deprecation=False)


class _Reader:
    """Selects from the stored result. A query with aliases, directives, variables or repetitions
    is not answered from it."""

    def __init__(self, document: ast.DocumentNode) -> None:
        self._fragments: dict[str, ast.SelectionSetNode] = {}
        for it in document.definitions:
            if isinstance(it, ast.FragmentDefinitionNode):
                self._fragments[it.name.value] = it.selection_set
            elif isinstance(it, ast.OperationDefinitionNode):
                self.root = it.selection_set
        self._known: dict[int, dict[str, Part]] = {}

    def select(self, value: Any, selections: ast.SelectionSetNode | None) -> Any:
        """Return what is selected of a stored value. Raises _OtherQueryError if some of it is
        not stored."""
        if isinstance(value, list):
            return [self.select(item, selections) for item in value]
        if value is None or selections is None:
            return value
        found = {}
        for name, (deprecated, inside) in self._parts(selections).items():
            if name not in value:
                raise _OtherQueryError
            part = value[name]
            if isinstance(part, list) and not deprecated:
                part = [it for it in part if not (isinstance(it, dict) and it.get("isDeprecated"))]
            found[name] = self.select(part, inside)
        return found

    def _parts(self, selections: ast.SelectionSetNode) -> dict[str, Part]:
        if (parts := self._known.get(id(selections))) is None:
            parts = self._known[id(selections)] = {}
            for field in self._fields(selections):
                values = [it.value for it in field.arguments or ()]
                flags = [it.value for it in values if isinstance(it, ast.BooleanValueNode)]
                if field.alias or field.name.value in parts or len(flags) < len(values):
                    raise _OtherQueryError
                parts[field.name.value] = any(flags), field.selection_set
        return parts

    def _fields(self, selections: ast.SelectionSetNode) -> Iterator[ast.FieldNode]:
        """Yield the fields of a selection and of the fragments in it."""
        for selection in selections.selections:
            if selection.directives:
                raise _OtherQueryError
            match selection:
                case ast.FieldNode():
                    yield selection
                case ast.FragmentSpreadNode(name=name):
                    yield from self._fields(self._fragments[name.value])
                case ast.InlineFragmentNode(selection_set=inside):
                    yield from self._fields(inside)
