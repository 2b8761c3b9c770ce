"""How much one document may ask for: its size before it is validated; then its depth, its aliases,
and its cost, which pages multiply."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from graphql import (
    ASTValidationRule,
    DocumentNode,
    ExecutionResult,
    FieldNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    NamedTypeNode,
    OperationDefinitionNode,
    SchemaMetaFieldDef,
    SelectionSetNode,
    TypeMetaFieldDef,
    ValidationContext,
    VariableNode,
    get_named_type,
    validate,
)
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from games.api.graphql.introspection import Introspection, standard
from games.api.sockets.feed import CHANGES_MAX, LOBBIES_PER_FRAME
from games.reads.filters import PAGE, PAGE_MAX
from kit.problems import Problem

DEPTH_MAX: Final = 15
ALIASES_MAX: Final = 50
TOKENS_MAX: Final = 4_000
COST_MAX: Final = 10_000

PAGED: Final[Mapping[str, tuple[int, int]]] = {"first": (PAGE, PAGE_MAX), "limit": (100, 500)}
"""The arguments that say how many rows there will be at most: what holds without them, and the most
that is taken."""

TOLD_AT_ONCE: Final[Mapping[tuple[str, str], int]] = {
    ("Lobbies", "lobbies"): LOBBIES_PER_FRAME,
    ("LobbyChanges", "lobbies"): CHANGES_MAX,
}
"""The lists of what is followed: nobody says how many rows they have, but there is a bound."""

DEFINITIONS_MAX: Final = 50
REPEATS_MAX: Final = 20_000
"""How many pairs of fields of one name a document may have: validation compares them."""

ERRORS_MAX: Final = 5
"""How many faults of a document are reported: each takes time to word."""

META: Final = {"__schema": SchemaMetaFieldDef, "__type": TypeMetaFieldDef}


class Size(NamedTuple):
    """How large a selection is. An object costs 1, a page as much as its rows; plain values are
    free, except in introspection."""

    depth: int
    aliases: int
    cost: int


NOTHING: Final = Size(0, 0, 0)


class Measure:
    """Measures selections of one document, whose variables are known."""

    def __init__(self, context: ValidationContext, variables: Mapping[str, Any]) -> None:
        self._context = context
        self._variables = variables
        self._fragments: dict[str, Size] = {}

    def of(self, selections: SelectionSetNode | None, parent: GraphQLNamedType | None) -> Size:
        """The size of what is selected of an object. A fragment is measured once, and counts
        wherever it is spread."""
        depth = aliases = cost = 0
        for selection in selections.selections if selections is not None else ():
            match selection:
                case FragmentSpreadNode():
                    size = self._of_fragment(selection.name.value)
                case InlineFragmentNode():
                    condition = selection.type_condition
                    size = self.of(
                        selection.selection_set, self._type(condition) if condition else parent
                    )
                case FieldNode():
                    size = self._of_field(selection, parent)
                case _:
                    size = NOTHING
            depth, aliases, cost = max(depth, size.depth), aliases + size.aliases, cost + size.cost
        return Size(depth, aliases, cost)

    def _of_field(self, field: FieldNode, parent: GraphQLNamedType | None) -> Size:
        name = field.name.value
        known = META.get(name) or getattr(parent, "fields", {}).get(name)
        is_meta = parent is not None and parent.name.startswith("__")
        inside = self.of(field.selection_set, get_named_type(known.type) if known else None)
        aliases = inside.aliases + (field.alias is not None)
        if field.selection_set is None:
            return Size(1, aliases, int(is_meta))
        rows = TOLD_AT_ONCE.get((parent.name, name)) if parent else None
        if rows is None and is_meta:
            rows = _listed(self._context.schema).get(name, 1)
        if rows is None:
            rows = self._rows(field, known.args) if known else 1
        return Size(inside.depth + 1, aliases, 1 + rows * inside.cost)

    def _rows(self, field: FieldNode, arguments: Mapping[str, Any]) -> int:
        """How many rows a page has at most; 1 for what is no page."""
        name = next((name for name in PAGED if name in arguments), None)
        if name is None:
            return 1
        usual, most = PAGED[name]
        asked = next(
            (argument.value for argument in field.arguments or () if argument.name.value == name),
            None,
        )
        value = self._variables.get(asked.name.value) if isinstance(asked, VariableNode) else asked
        if isinstance(value, IntValueNode):
            value = int(value.value[:9])
        return min(max(value, 0), most) if isinstance(value, int) else usual

    def _of_fragment(self, name: str) -> Size:
        if name not in self._fragments:
            self._fragments[name] = (
                NOTHING  # One that leads back to itself is refused by another rule.
            )
            fragment = self._context.get_fragment(name)
            if fragment is not None:
                self._fragments[name] = self.of(
                    fragment.selection_set, self._type(fragment.type_condition)
                )
        return self._fragments[name]

    def _type(self, name: NamedTypeNode) -> GraphQLNamedType | None:
        return self._context.schema.get_type(name.name.value)


def limits_for(variables: Mapping[str, Any]) -> type[ASTValidationRule]:
    """The rule that refuses what is too large, for a document with these variables."""

    class Limits(ASTValidationRule):
        """Refuses documents that are too deep, too full of aliases, or too costly."""

        def enter_operation_definition(self, node: OperationDefinitionNode, *_: Any) -> None:
            """Measure an operation."""
            assert isinstance(self.context, ValidationContext)
            root = self.context.schema.get_root_type(node.operation)
            usual = {
                each.variable.name.value: each.default_value
                for each in node.variable_definitions or ()
            }
            size = Measure(self.context, {**usual, **variables}).of(node.selection_set, root)
            for code, found, most in (
                ("query_too_deep", size.depth, DEPTH_MAX),
                ("too_many_aliases", size.aliases, ALIASES_MAX),
                ("query_too_costly", size.cost, COST_MAX),
            ):
                if found > most:
                    self.report_error(
                        GraphQLError(
                            code, node, original_error=Problem(code, found=found, most=most)
                        )
                    )

    return Limits


@cache
def _listed(schema: GraphQLSchema) -> Mapping[str, int]:
    """How long the lists of introspection are at most."""
    types = schema.type_map.values()
    return {
        "types": len(types),
        "directives": len(schema.directives),
        "possibleTypes": len(types),
        "args": 20,
        **{
            name: max(len(getattr(each, attribute, None) or ()) for each in types)
            for name, attribute in (("fields", "fields"), ("inputFields", "fields"))
        },
        "enumValues": max(len(getattr(each, "values", None) or ()) for each in types),
    }


def check_size(document: DocumentNode) -> None:
    """Refuse what would take long to validate. Raises Problem `too_many_repeats`."""
    found = len(document.definitions)
    if found > DEFINITIONS_MAX:
        raise Problem("too_many_repeats", found=found, most=DEFINITIONS_MAX)
    names: Counter[str] = Counter()
    waiting: list[SelectionSetNode | None] = [
        getattr(definition, "selection_set", None) for definition in document.definitions
    ]
    while waiting:
        selections = waiting.pop()
        for selection in selections.selections if selections is not None else ():
            waiting.append(getattr(selection, "selection_set", None))
            named = getattr(selection, "alias", None) or getattr(selection, "name", None)
            names[named.value if named is not None else "..."] += 1
    repeats = sum(count * (count - 1) // 2 for count in names.values())
    if repeats > REPEATS_MAX:
        raise Problem("too_many_repeats", found=repeats, most=REPEATS_MAX)


class Limited(SchemaExtension):
    """Limits for every document of a schema."""

    def on_operation(self) -> Iterator[None]:
        """Limit the document before it is read."""
        self.execution_context.parse_options["max_tokens"] = TOKENS_MAX
        yield

    def on_validate(self) -> Iterator[None]:
        """Check the size of the document, then validate it: a few faults are enough."""
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
        """Answer standard introspection from the one result of the schema."""
        context = self.execution_context
        assert context.graphql_document is not None
        asked = standard(context.graphql_document)
        if asked is not None:
            data = await asyncio.to_thread(introspection_of(context.schema._schema).answer, asked)
            context.result = ExecutionResult(data=data, errors=None)
        yield


introspection_of = cache(Introspection)
