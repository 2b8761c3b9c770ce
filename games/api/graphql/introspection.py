"""The introspection query of GraphiQL and the code generators, answered from one stored result.

`standard` recognizes every query for a part of what the fullest of these queries asks. Any other
introspection is executed, and measured by `limits`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from graphql import (
    GraphQLSchema,
    get_introspection_query,
    introspection_from_schema,
    parse,
)
from graphql.language import ast

SELECTIONS_MAX: Final = 400
VARIANTS_MAX: Final = 4
FULLEST: Final = dict.fromkeys(
    (
        *("descriptions", "specified_by_url", "directive_is_repeatable", "schema_description"),
        *("input_value_deprecation", "one_of"),
    ),
    True,
)
"""All options of the query."""

Known = Mapping[str, "Known"]


class Part(NamedTuple):
    """A field that is asked for, with deprecated values or without, and the fields in it."""

    name: str
    deprecated: bool
    inside: tuple["Part", ...]


class _Other(Exception):
    """The document is no standard introspection."""


def standard(document: ast.DocumentNode) -> tuple[Part, ...] | None:
    """Return what a standard introspection query asks for, or None for any other document."""
    try:
        return _Reader(document).read(_known())
    except _Other:
        return None


@lru_cache(VARIANTS_MAX)
def answer(schema: GraphQLSchema, parts: tuple[Part, ...]) -> Any:
    """Return the data of a standard query. The first call takes a second: call it in a thread."""
    return _project(_full(schema), parts)


@cache
def _full(schema: GraphQLSchema) -> Any:
    return introspection_from_schema(schema, experimental_directive_deprecation=False)


@cache
def _known() -> Known:
    """Return the fields of the fullest query."""
    return _tree(_Reader(parse(get_introspection_query(**FULLEST))).read(None))


def _tree(parts: tuple[Part, ...]) -> Known:
    return {part.name: _tree(part.inside) for part in parts}


class _Reader:
    """Reads a small document without aliases, directives and repetitions."""

    def __init__(self, document: ast.DocumentNode) -> None:
        self._fragments: dict[str, ast.SelectionSetNode] = {}
        self._queries: list[ast.SelectionSetNode] = []
        for it in document.definitions:
            match it:
                case ast.FragmentDefinitionNode(name=name):
                    self._fragments[name.value] = it.selection_set
                case ast.OperationDefinitionNode(operation=ast.OperationType.QUERY):
                    self._queries.append(it.selection_set)
                case _:
                    raise _Other
        self._left = SELECTIONS_MAX

    def read(self, known: Known | None) -> tuple[Part, ...]:
        """Return the parts of the only query, if all are known. Raises _Other."""
        if len(self._queries) != 1:
            raise _Other
        return self._parts(self._queries[0], known)

    def _parts(
        self, selections: ast.SelectionSetNode | None, known: Known | None
    ) -> tuple[Part, ...]:
        found: dict[str, Part] = {}
        for field in self._fields(selections):
            name = field.name.value
            asked = {it.name.value: it.value for it in field.arguments or ()}
            value = asked.pop("includeDeprecated", None)
            inside = known.get(name) if known is not None else None
            if asked or field.alias or name in found:
                raise _Other
            if not isinstance(value, ast.BooleanValueNode | None):
                raise _Other
            if known is not None and (inside is None or bool(inside) != bool(field.selection_set)):
                raise _Other
            parts = self._parts(field.selection_set, inside)
            found[name] = Part(name, value is not None and value.value, parts)
        return tuple(found.values())

    def _fields(self, selections: ast.SelectionSetNode | None) -> Iterator[ast.FieldNode]:
        for selection in selections.selections if selections else ():
            self._left -= 1
            if self._left < 0 or selection.directives:
                raise _Other
            match selection:
                case ast.FieldNode():
                    yield selection
                case ast.FragmentSpreadNode(name=name):
                    yield from self._fields(self._fragments.get(name.value))
                case ast.InlineFragmentNode(selection_set=inside):
                    yield from self._fields(inside)


def _project(value: Any, parts: Sequence[Part]) -> Any:
    if isinstance(value, list):
        return [_project(item, parts) for item in value]
    if value is None or not parts:
        return value
    found = {}
    for name, deprecated, inside in parts:
        field = value.get(name)
        if isinstance(field, list) and not deprecated:
            field = [it for it in field if not (isinstance(it, dict) and it.get("isDeprecated"))]
        found[name] = _project(field, inside)
    return found
