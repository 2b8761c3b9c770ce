"""The building blocks of responses: their bases, and values of any game."""

from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta


def _of_any_game(part: str) -> Meta:
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/Game{part}"})


AnyCommand = Annotated[Any, _of_any_game("Command")]
RawCommand = Annotated[msgspec.Raw, _of_any_game("Command")]
AnyView = Annotated[Any, _of_any_game("View")]
AnyBook = Annotated[Any, _of_any_game("Book")]
Signed = Annotated[int, Meta(ge=-(2**53 - 1), le=2**53 - 1)]
T = TypeVar("T")


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A response."""


class Page(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """One page of a list. `next` is the cursor of the following page; it is null on the last
    page. A page of bets may be short before the last. A page from a replica has everything that was
    committed before `as_of`, and perhaps more; without it the page is current."""

    items: list[T]
    next: str | None
    as_of: datetime | None = None
