"""Links between the starts of a user, as a client takes them in."""

import pytest

from railbird_client.links import Links, hash_of
from railbird_client.models import PersonLink
from railbird_client.problems import Contradicted


def link(count: int, previous: str, salt: str = "11") -> PersonLink:
    game = "01a20426-5909-7515-b1c7-351c2db065ff"
    return PersonLink(game=game, opened="22" * 32, count=count, previous=previous, salt=salt * 32)


def following(before: PersonLink, **fields: str) -> PersonLink:
    return link(before.count + 1, hash_of(before), **fields)


def test_a_start_that_goes_back_is_refused_once() -> None:
    first = link(3, "00" * 32)
    second = following(first)
    third, other = following(second), following(first, salt="33")
    for wrong in (
        other,
        following(following(third)),
        following(second, salt="33"),
        link(4, "44" * 32),
        link(2, "00" * 32),
    ):
        links = Links()
        links.know([first, second, third, second])
        with pytest.raises(Contradicted):
            links.know([wrong])
        links.know([following(wrong)])
