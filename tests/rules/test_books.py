"""The books of all games: every promised text exists in both languages and contains no secret."""

import re
from typing import Any

import msgspec
import pytest

from games.engine import AnyRules, BetVoided, Call, Text
from games.engine.contract import union_members
from games.rules import registry

GAMES = pytest.mark.parametrize("rules", registry().values(), ids=lambda rules: rules.slug)
CALLS = pytest.mark.parametrize(
    ("rules", "call"),
    [
        pytest.param(rules, call, id=f"{slug}-{call.key}")
        for (slug, _), rules in registry().items()
        for call in rules.book().calls
    ],
)


def braces(sentence: str) -> set[str]:
    return set(re.findall(r"{([^}]*)}", sentence))


def type_at(event: type[msgspec.Struct], path: str) -> Any:
    """Return msgspec's description of a field, or of a nested field."""
    described: Any = msgspec.inspect.type_info(event)
    for name in path.split("."):
        fields = {field.encode_name: field.type for field in described.fields}
        assert name in fields, f"{event.__name__} has no {name} in {path}"
        described = fields[name]
    return described


@GAMES
def test_a_book_survives_its_codec_and_names_each_call_once(rules: AnyRules) -> None:
    book = rules.book()
    assert msgspec.json.decode(msgspec.json.encode(book), type=type(book)) == book
    keys = [call.key for call in book.calls]
    assert len(keys) == len(set(keys))
    texts: list[Text] = [
        *book.calls,
        *(text for names in book.names.values() for text in names.values()),
    ]
    assert all(text.en and text.fr for text in texts)


@CALLS
def test_a_text_refers_to_an_existing_event_and_its_fields(rules: AnyRules, call: Call) -> None:
    members: tuple[Any, ...] = (*union_members(rules.event_type), BetVoided)
    events = {event.__struct_config__.tag: event for event in members}
    event = events[call.event]
    assert braces(call.en) == braces(call.fr)
    for path in braces(call.en):
        found = type_at(event, path)
        assert not isinstance(found, msgspec.inspect.StructType) or found.cls is Text, (
            f"{path} has no text"
        )
    for field, values in call.where.items():
        assert values
        type_at(event, field)


@GAMES
def test_the_edition_of_a_game_is_known_before_its_start(rules: AnyRules) -> None:
    options = rules.options_type()
    edition = rules.edition(options)
    assert re.fullmatch("([0-9a-f]{64})?", edition)
    assert rules.edition(options) == edition == type(rules)().edition(options)
