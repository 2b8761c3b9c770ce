"""Limits of a document: its size before it is validated, then its depth, aliases and cost."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from graphql import (
    ExecutionResult,
    GraphQLField,
    GraphQLNamedType,
    GraphQLSchema,
    MaxIntrospectionDepthRule,
    SchemaMetaFieldDef,
    TypeMetaFieldDef,
    ValidationContext,
    get_argument_values,
    get_named_type,
    get_nullable_type,
    is_list_type,
    validate,
)
from graphql.execution.values import VariableValues, get_variable_values
from graphql.language import ast
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from games.api.graphql.introspection import is_introspection, stored_answer
from games.api.sockets.lobby_list import CHANGES_MAX, LOBBIES_PER_FRAME
from games.play.replay import VIEWS_MAX
from games.reads.filters import PAGE, PAGE_MAX
from kit.problems import Problem

DEPTH_MAX: Final = 15
ALIASES_MAX: Final = 50
TOKENS_MAX: Final = 4_000
COST_MAX: Final = 10_000

PAGED: Final[Mapping[str, tuple[int, int]]] = {"first": (PAGE, PAGE_MAX), "limit": (100, 500)}
"""The arguments that limit the rows of a list: their default, and the most that is accepted."""

ROWS: Final[Mapping[tuple[str, str], int]] = {
    ("Lobbies", "lobbies"): LOBBIES_PER_FRAME,
    ("LobbyChanges", "lobbies"): CHANGES_MAX,
    ("Views", "views"): VIEWS_MAX,
}
"""The most rows of lists without such an argument."""

DEFINITIONS_MAX: Final = 50
REPEATS_MAX: Final = 20_000
"""The most pairs of fields with one name, which validation compares."""

ERRORS_MAX: Final = 5
"""The most errors of a document that are reported, as each takes time."""

META: Final = {"__schema": SchemaMetaFieldDef, "__type": TypeMetaFieldDef}
META_ROWS: Final = 100
"""The rows that a list of introspection counts as; `types` and `possibleTypes` count in full."""


class Size(NamedTuple):
    """The size of a selection. An object costs 1, a page the cost of its rows. Plain values cost
    nothing, except in introspection."""

    depth: int
    aliases: int
    cost: int


class Measure:
    """Measures the selections of a valid document with the variables of one operation."""

    def __init__(
        self, schema: GraphQLSchema, document: ast.DocumentNode, variables: VariableValues
    ) -> None:
        self._types = schema.type_map
        self._variables = variables
        self._fragments = {
            it.name.value: it
            for it in document.definitions
            if isinstance(it, ast.FragmentDefinitionNode)
        }
        self._sizes: dict[str, Size] = {}

    def of(self, selections: ast.SelectionSetNode, parent: Any) -> Size:
        """Return the size of what is selected of a type. A fragment counts at each spread."""
        sizes = [self._selected(selection, parent) for selection in selections.selections]
        depths, aliases, costs = zip(*sizes, strict=True)
        return Size(max(depths), sum(aliases), sum(costs))

    def _selected(self, selection: ast.SelectionNode, parent: Any) -> Size:
        match selection:
            case ast.FragmentSpreadNode(name=ast.NameNode(value=name)):
                if name not in self._sizes:
                    fragment = self._fragments[name]
                    known = self._types[fragment.type_condition.name.value]
                    self._sizes[name] = self.of(fragment.selection_set, known)
                return self._sizes[name]
            case ast.InlineFragmentNode(type_condition=named, selection_set=inside):
                return self.of(inside, self._types[named.name.value] if named else parent)
        assert isinstance(selection, ast.FieldNode)
        return self._field(selection, parent)

    def _field(self, field: ast.FieldNode, parent: Any) -> Size:
        aliases = int(field.alias is not None)
        if field.selection_set is None:
            return Size(1, aliases, int(parent.name.startswith("__")))
        known = META.get(field.name.value) or parent.fields[field.name.value]
        inside = self.of(field.selection_set, get_named_type(known.type))
        cost = 1 + self._rows(field, known, parent) * inside.cost
        return Size(inside.depth + 1, aliases + inside.aliases, cost)

    def _rows(self, field: ast.FieldNode, known: GraphQLField, parent: GraphQLNamedType) -> int:
        """Return the most rows of a list; 1 for anything else."""
        name = field.name.value
        if parent.name.startswith("__") and is_list_type(get_nullable_type(known.type)):
            return len(self._types) if name in {"types", "possibleTypes"} else META_ROWS
        limit = next((name for name in PAGED if name in known.args), None)
        if limit is None:
            return ROWS.get((parent.name, name), 1)
        usual, most = PAGED[limit]
        rows = get_argument_values(known, field, self._variables).get(limit)
        return usual if rows is None else min(max(rows, 0), most)


def check_size(document: ast.DocumentNode) -> None:
    """Reject a document that would take long to validate. Raises Problem `too_many_repeats`."""
    found = len(document.definitions)
    if found > DEFINITIONS_MAX:
        raise Problem("too_many_repeats", found=found, most=DEFINITIONS_MAX)
    names: Counter[str] = Counter()
    waiting: list[Any] = [*document.definitions]
    while waiting:
        selections = getattr(waiting.pop(), "selection_set", None)
        for selection in selections.selections if selections else ():
            waiting.append(selection)
            named = getattr(selection, "alias", None) or getattr(selection, "name", None)
            names[named.value if named else "..."] += 1
    repeats = sum(count * (count - 1) // 2 for count in names.values())
    if repeats > REPEATS_MAX:
        raise Problem("too_many_repeats", found=repeats, most=REPEATS_MAX)


def check_cost(
    schema: GraphQLSchema, document: ast.DocumentNode, variables: Mapping[str, Any]
) -> None:
    """Reject operations that are too deep, too full of aliases, or too costly. Raises Problem."""
    for operation in document.definitions:
        if not isinstance(operation, ast.OperationDefinitionNode):
            continue
        declared = operation.variable_definitions or ()
        values = get_variable_values(schema, declared, dict(variables), 1)
        if isinstance(values, list):
            continue  # with invalid variables it is not executed
        root = schema.get_root_type(operation.operation)
        size = Measure(schema, document, values).of(operation.selection_set, root)
        for code, found, most in (
            ("query_too_deep", size.depth, DEPTH_MAX),
            ("too_many_aliases", size.aliases, ALIASES_MAX),
            ("query_too_costly", size.cost, COST_MAX),
        ):
            if found > most:
                raise Problem(code, found=found, most=most)


class OneOf(OneOfInputValidationRule):
    """strawberry's rule, for the variables that it knows: not those of a fragment, whose values are
    checked when they are read."""

    def __init__(self, context: ValidationContext) -> None:
        super().__init__(context)
        self.variable_definitions = {}

    def validate_one_of(self, node: ast.ObjectValueNode, type: GraphQLNamedType) -> None:  # noqa: A002
        """Check one object."""
        values = [field.value for field in node.fields]
        names = {value.name.value for value in values if isinstance(value, ast.VariableNode)}
        if names <= self.variable_definitions.keys():
            super().validate_one_of(node, type)


class Limits(SchemaExtension):
    """Limits every operation, and answers standard introspection from the stored result.

    An operation of a socket gets a context of its own.
    """

    stored: Any = None
    """The answer, if the operation is standard introspection."""

    def on_operation(self) -> Iterator[None]:
        """Limit the tokens of the document."""
        execution = self.execution_context
        execution.parse_options["max_tokens"] = TOKENS_MAX
        execution.context = execution.context and replace(execution.context)
        yield

    async def on_validate(self) -> AsyncIterator[None]:
        """Check the size of the document, validate it until it has a few errors, and measure it."""
        context = self.execution_context
        # The validation of strawberry has no limit of errors, and its schema no public name.
        document, schema = context.graphql_document, context.schema._schema
        assert document is not None
        check_size(document)
        rules = [*context.validation_rules]
        rules.remove(MaxIntrospectionDepthRule)  # the cost of introspection is limited
        # strawberry's own rules fail on documents that the others refuse.
        context.pre_execution_errors = (
            validate(schema, document, rules, ERRORS_MAX)
            or validate(schema, document, [MaybeNullValidationRule, OneOf], ERRORS_MAX)
            or None
        )
        context.validation_rules = ()
        if context.pre_execution_errors is None:
            if is_introspection(document):
                asked = context.query or "", document, context.variables or {}
                self.stored = await asyncio.to_thread(stored_answer, schema, *asked)
            if self.stored is None:
                check_cost(schema, document, context.variables or {})
        yield

    async def on_execute(self) -> AsyncIterator[None]:
        """Return the stored answer, if there is one."""
        if self.stored is not None:
            self.execution_context.result = ExecutionResult(data=self.stored, errors=None)
        yield
