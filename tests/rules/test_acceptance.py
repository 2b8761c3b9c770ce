"""All games declare what clients need: titles, books, editions and refusals."""

from collections.abc import Callable

import msgspec
import pytest

from bench.free_spots import FreeSpots
from railbird_engine import AnyRules, Book, Call, Text
from railbird_engine.kernel import acceptance
from railbird_engine.rules import registry

CHECKS = (
    acceptance.check_title,
    acceptance.check_book,
    acceptance.check_guide,
    acceptance.check_edition,
    acceptance.check_refusals,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "rules", registry().values(), ids=lambda rules: f"{rules.slug} {rules.version}"
)
def test_a_game_declares_what_clients_need(
    rules: AnyRules, check: Callable[[AnyRules], None]
) -> None:
    check(rules)


@pytest.mark.parametrize("rules", registry().values(), ids=lambda rules: str(rules.slug))
def test_texts_have_one_kind_of_apostrophe(rules: AnyRules) -> None:
    assert b"'" not in msgspec.json.encode([rules.book(), rules.options_guide])


class Talkative(FreeSpots):
    """Free spots with its two calls."""

    call = Call(key="placed", event="bet_placed", en="{seat} bets", fr="{seat} mise")

    def book(self) -> Book:
        settled = Call(key="settled", event="bet_settled", en="{seat} wins", fr="{seat} gagne")
        return Book(calls=(self.call, settled))


class Silent(FreeSpots):
    def book(self) -> Book:
        return Book(calls=(Talkative.call,))


class Nameless(Talkative):
    def book(self) -> Book:
        return Book(names={"spot": {"1": Text(en="first", fr="première")}})


class Forgetful(Talkative):
    call = msgspec.structs.replace(Talkative.call, fr="")


class Foreign(Talkative):
    call = msgspec.structs.replace(Talkative.call, event="rolled")


class Misspelt(Talkative):
    call = msgspec.structs.replace(Talkative.call, en="{saet} bets", fr="{saet} mise")


class Uneven(Talkative):
    call = msgspec.structs.replace(Talkative.call, fr="Une mise")


class Mistaken(Talkative):
    def book(self) -> Book:
        return Book(refusals={"rained_off": Text(en="It rained.", fr="Il a plu.")})


def test_a_good_book_passes() -> None:
    acceptance.check_book(Talkative())


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        (Forgetful(), "lacks a language"),
        (Foreign(), "placed speaks of rolled, which is no event"),
        (Misspelt(), "has no saet"),
        (Uneven(), "has other fields in French"),
        (Silent(), "no call tells bet_settled"),
        (Nameless(), "no name for outcome lost, outcome won"),
        (Mistaken(), "the refusals of the book differ in .*rained_off"),
    ],
)
def test_a_mistake_in_a_book_is_found(rules: AnyRules, found: str) -> None:
    with pytest.raises(AssertionError, match=found):
        acceptance.check_book(rules)


class Careless(FreeSpots):
    refusals = frozenset({"never_raised"})


def test_refusals_that_nothing_raises_are_found() -> None:
    with pytest.raises(AssertionError, match="nothing raises never_raised"):
        acceptance.check_refusals(Careless())
