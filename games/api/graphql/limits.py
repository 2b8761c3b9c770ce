"""Limits of a document: its size before it is validated, then its depth, aliases and cost."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Final, NamedTuple

from graphql import (
    ASTValidationRule,
    ExecutionResult,
    GraphQLError,
    GraphQLField,
    GraphQLNamedType,
    SchemaMetaFieldDef,
    TypeMetaFieldDef,
    ValidationContext,
    get_named_type,
    get_nullable_type,
    is_list_type,
    validate,
)
from graphql.language import ast
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from games.api.graphql.introspection import answer, standard
from games.api.sockets.feed import CHANGES_MAX, LOBBIES_PER_FRAME
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

    depth: int = 0
    aliases: int = 0
    cost: int = 0


class Measure:
    """Measures the selections of a document whose variables are known."""

    def __init__(self, context: ValidationContext, variables: Mapping[str, Any]) -> None:
        self._context = context
        self._variables = variables
        self._fragments: dict[str, Size] = {}

    def of(self, selections: ast.SelectionSetNode | None, parent: GraphQLNamedType | None) -> Size:
        """Return the size of what is selected of a type. A fragment counts at each spread."""
        sizes = [self._selected(it, parent) for it in (selections.selections if selections else ())]
        return Size(
            max((size.depth for size in sizes), default=0),
            sum(size.aliases for size in sizes),
            sum(size.cost for size in sizes),
        )

    def _selected(self, selection: ast.SelectionNode, parent: GraphQLNamedType | None) -> Size:
        match selection:
            case ast.FragmentSpreadNode(name=name):
                return self._spread(name.value)
            case ast.InlineFragmentNode(type_condition=named, selection_set=selections):
                return self.of(selections, self._type(named) if named else parent)
            case ast.FieldNode():
                return self._of_field(selection, parent)
        return Size()

    def _of_field(self, field: ast.FieldNode, parent: GraphQLNamedType | None) -> Size:
        name = field.name.value
        known = META.get(name) or getattr(parent, "fields", {}).get(name)
        is_meta = parent is not None and parent.name.startswith("__")
        inside = self.of(field.selection_set, get_named_type(known.type) if known else None)
        aliases = inside.aliases + (field.alias is not None)
        if field.selection_set is None:
            return Size(1, aliases, int(is_meta))
        rows = self._rows(field, parent, known) if parent and known else 1
        return Size(inside.depth + 1, aliases, 1 + rows * inside.cost)

    def _rows(self, field: ast.FieldNode, parent: GraphQLNamedType, known: GraphQLField) -> int:
        """Return the most rows of a list; 1 for anything else."""
        name = field.name.value
        if (parent.name, name) in ROWS:
            return ROWS[parent.name, name]
        if parent.name.startswith("__") and is_list_type(get_nullable_type(known.type)):
            in_full = name in {"types", "possibleTypes"}
            return len(self._context.schema.type_map) if in_full else META_ROWS
        limit = next((name for name in PAGED if name in known.args), None)
        if limit is None:
            return 1
        usual, most = PAGED[limit]
        value: Any = next(
            (it.value for it in field.arguments or () if it.name.value == limit), None
        )
        if isinstance(value, ast.VariableNode):
            value = self._variables.get(value.name.value)
        if isinstance(value, ast.IntValueNode):
            value = int(value.value[:9])
        return min(max(value, 0), most) if isinstance(value, int) else usual

    def _spread(self, name: str) -> Size:
        if name not in self._fragments:
            self._fragments[name] = Size()  # another rule refuses a fragment in itself
            fragment = self._context.get_fragment(name)
            if fragment is not None:
                known = self._type(fragment.type_condition)
                self._fragments[name] = self.of(fragment.selection_set, known)
        return self._fragments[name]

    def _type(self, name: ast.NamedTypeNode) -> GraphQLNamedType | None:
        return self._context.schema.get_type(name.name.value)


def limits_for(variables: Mapping[str, Any]) -> type[ASTValidationRule]:
    """Return the validation rule for a document with these variables."""

    class SizeRule(ASTValidationRule):
        """Rejects operations that are too deep, too full of aliases, or too costly."""

        def enter_operation_definition(self, node: ast.OperationDefinitionNode, *_: Any) -> None:
            """Measure an operation."""
            assert isinstance(self.context, ValidationContext)
            declared = node.variable_definitions or ()
            defaults = {it.variable.name.value: it.default_value for it in declared}
            root = self.context.schema.get_root_type(node.operation)
            size = Measure(self.context, {**defaults, **variables}).of(node.selection_set, root)
            for code, found, most in (
                ("query_too_deep", size.depth, DEPTH_MAX),
                ("too_many_aliases", size.aliases, ALIASES_MAX),
                ("query_too_costly", size.cost, COST_MAX),
            ):
                if found > most:
                    problem = Problem(code, found=found, most=most)
                    self.report_error(GraphQLError(code, node, original_error=problem))

    return SizeRule


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


class Limits(SchemaExtension):
    """Limits every document of a schema, and answers standard introspection."""

    def on_operation(self) -> Iterator[None]:
        """Limit the tokens of the document."""
        self.execution_context.parse_options["max_tokens"] = TOKENS_MAX
        yield

    def on_validate(self) -> Iterator[None]:
        """Check the size of the document, then validate it until it has a few errors."""
        context = self.execution_context
        document, schema = context.graphql_document, context.schema._schema
        assert document is not None
        check_size(document)
        rules = [*context.validation_rules, MaybeNullValidationRule, OneOfInputValidationRule]
        if standard(document) is None:
            rules.append(limits_for(context.variables or {}))
        context.pre_execution_errors = validate(schema, document, rules, ERRORS_MAX) or None
        context.validation_rules = ()
        yield

    async def on_execute(self) -> AsyncIterator[None]:
        """Answer standard introspection from the stored result."""
        context = self.execution_context
        assert context.graphql_document is not None
        asked = standard(context.graphql_document)
        if asked is not None:
            data = await asyncio.to_thread(answer, context.schema._schema, asked)
            context.result = ExecutionResult(data=data, errors=None)
        yield
