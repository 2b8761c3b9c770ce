"""A draft shares no mutable part with its state."""

from typing import Annotated

import msgspec
import pytest
from msgspec import Meta

from railbird_engine import AnyRules
from railbird_engine.kernel.drafts import copier_of
from railbird_engine.rules import registry


class Fixed(msgspec.Struct, frozen=True):
    words: tuple[str, ...]


class Shelf(msgspec.Struct, frozen=True):
    books: list[int]


class Hall(msgspec.Struct):
    side: Shelf | list[int] | None
    named: Annotated[dict[str, int], Meta(description="by name")]
    rows: list[list[int]]
    pairs: tuple[int, list[int]]
    shelf: Shelf
    fixed: Fixed


def a_hall(side: Shelf | list[int] | None) -> Hall:
    return Hall(side, {"a": 1}, [[2], [3]], (4, [5]), Shelf([6]), Fixed(("w",)))


@pytest.mark.parametrize("side", [None, [1], Shelf([1])])
def test_changes_of_a_draft_do_not_reach_the_state(side: Shelf | list[int] | None) -> None:
    copier = copier_of(Hall)
    assert copier
    hall = a_hall(side)
    draft = copier(hall)
    assert draft == hall == a_hall(side)
    draft.named["a"] = 0
    draft.rows[0].append(0)
    draft.pairs[1].append(0)
    draft.shelf.books.append(0)
    match draft.side:
        case list():
            draft.side.append(0)
        case Shelf():
            draft.side.books.append(0)
    draft.rows.append([])
    assert hall == a_hall(side)


def test_immutable_parts_are_shared() -> None:
    copier = copier_of(Hall)
    assert copier
    hall = a_hall(None)
    draft = copier(hall)
    assert draft.fixed is hall.fixed
    assert copier_of(Fixed) is None
    assert copier_of(tuple[Fixed, ...] | None) is None


def test_a_type_that_is_not_allowed_in_a_state_is_rejected() -> None:
    with pytest.raises(TypeError, match="not allowed in a state"):
        copier_of(set[int])


@pytest.mark.parametrize("rules", registry().values(), ids=lambda rules: rules.slug)
def test_every_game_has_drafts(rules: AnyRules) -> None:
    assert copier_of(rules.state_type)
