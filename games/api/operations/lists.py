"""Lists of rows, declared once: REST serves them as pages, GraphQL as connections.

The declared function returns the rows that a caller may see. The declaration has their type and
the orders that a client may choose.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints
from uuid import UUID

import msgspec

from accounts.models import User
from accounts.tokens import Caller, Scope
from games.api import types
from games.archive.reading import opened
from games.reads.filters import BetChoice, TransferChoice
from games.reads.games import game_for
from games.reads.readable import readable
from kit.operations import Operation, operation
from kit.paging import Rows, page_of
from kit.replicas import replicated

Item = Callable[[Any, Any], Any]


@dataclass(frozen=True, kw_only=True)
class RowList(Operation):
    """A list of rows. `rows` takes the caller, or ids of games if `by` is set, and the query."""

    rows: Callable[..., Any]
    item: Item
    struct: type[msgspec.Struct]
    order: Mapping[str, str]
    """The orders that a client may choose: names and their columns."""
    by: str | None = None
    """The column with the game of a row, for lists in games."""
    page: Callable[[Any, Any], Rows] = page_of
    """Read one page of the rows by the query."""
    is_live: bool = False
    """Whether the rows always come from the primary."""


def row_list(  # noqa: PLR0913  (a declaration names each property)
    name: str,
    struct: type[msgspec.Struct],
    item: Item,
    *,
    order: Mapping[str, str],
    scope: Scope = Scope.READ,
    by: str | None = None,
    page: Callable[[Any, Any], Rows] = page_of,
    is_live: bool = False,
) -> Callable[[Callable[..., Any]], RowList]:
    """Declare a function that returns rows to be a list of the API. One that `is_live` never comes
    from a replica: clients follow what is in it, or asking for it is logged."""
    answer: Any = types.Page

    def declare(rows: Callable[..., Any]) -> RowList:
        def read(user: User, found: Any, query: Any) -> Any:
            paged = page(found, query)
            items = [shown for _, shown in readable(paged.rows, lambda row: item(row, user))]
            return types.Page(items=items, next=paged.next, as_of=paged.as_of)

        def of_caller(caller: Caller, query: Any) -> Any:
            with opened(query.only_game):
                return read(caller.user, rows(caller, query), query)

        def of_game(caller: Caller, game: UUID, query: Any) -> Any:
            visible = game_for(caller.user, game)
            with opened([visible.id]):
                return read(caller.user, rows([visible.id], query), query)

        run = of_caller if by is None else of_game
        query = get_type_hints(rows)["query"]
        # These may ask for one game, which may be archived.
        problems = ["archive_damaged"] if issubclass(query, BetChoice | TransferChoice) else []
        run.__doc__ = rows.__doc__
        run.__annotations__ |= {
            "query": query,
            "return": answer[struct],
        }
        declared = operation(name, *problems, scope=scope)(run if is_live else replicated(run))
        return RowList(
            **vars(declared),
            rows=rows,
            item=item,
            struct=struct,
            order=order,
            by=by,
            page=page,
            is_live=is_live,
        )

    return declare
