"""Checks of what a game declares: its book, its refusals and its edition.

`railbird_engine.kernel.conformance` checks how it plays. A failure raises AssertionError.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_type_hints

import msgspec

from railbird_engine.kernel.contract import ENGINE_REFUSALS, AnyRules, Options, union_members
from railbird_engine.kernel.events import BetVoided


def check_title(rules: AnyRules) -> None:
    """Check that the slug is snake_case and that the title exists in English and French."""
    assert re.fullmatch("[a-z][a-z0-9_]{0,31}", rules.slug), f"{rules.slug} is not a slug"
    assert all(rules.title.get(language) for language in ("en", "fr")), "a title lacks a language"


def check_book(rules: AnyRules) -> None:
    """Check that the book survives its codec, and that every text exists in both languages.

    A guide must be short. A call must name an event of the game, and fields that the event has. A
    book that explains refusals explains all of them, one with calls has one for each event, and one
    with names has a name for each value that events, commands, the view and the book may show.
    """
    book = rules.book()
    assert msgspec.json.decode(msgspec.json.encode(book), type=type(book)) == book
    keys = [call.key for call in book.calls]
    assert len(keys) == len(set(keys)), "two calls have the same key"
    names = (text for named in book.names.values() for text in named.values())
    for text in (*book.calls, *names, *book.refusals.values()):
        assert text.en and text.fr, f"{text} lacks a language"
    unexplained = rules.refusals ^ book.refusals.keys()
    assert not book.refusals or not unexplained, (
        f"the refusals of the book differ in {', '.join(sorted(unexplained))}"
    )
    members: tuple[Any, ...] = (*union_members(rules.event_type), BetVoided)
    events = {event.__struct_config__.tag: event for event in members}
    nameless = {
        f"{field} {value}"
        for field, value in _values_shown(rules)
        if value not in book.names.get(field, {})
    }
    assert not book.names or not nameless, f"no name for {', '.join(sorted(nameless))}"
    for call in book.calls:
        assert call.event in events, f"{call.key} speaks of {call.event}, which is no event"
        event = events[call.event]
        assert _braces(call.en) == _braces(call.fr), f"{call.key} has other fields in French"
        for path in _braces(call.en):
            found = _type_at(event, path)
            is_text = not isinstance(found, msgspec.inspect.StructType) or _is_text(found)
            assert is_text, f"{path} of {call.key} has no text"
        for field, values in call.where.items():
            assert values, f"{call.key} allows no value of {field}"
            _type_at(event, field)
    silent = {str(event.__struct_config__.tag) for event in union_members(rules.event_type)}
    silent -= {call.event for call in book.calls}
    assert not book.calls or not silent, f"no call tells {', '.join(sorted(silent))}"
    if book.guide:
        check_guide(rules)


CARDS: Final = 5
CARD_MAX, CARD_WORDS_MAX = 200, 150
"""The length of a card in characters, and of all cards together in words: read in a minute."""
RULES_WORDS: Final = range(200, 1500)
TERM_MAX: Final = 200
SUMMARY_MAX: Final = 160


def check_guide(rules: AnyRules) -> None:
    """Check that the book teaches the game, in texts that are short enough to be read."""
    guide = rules.book().guide
    assert guide, "the book has no guide"
    assert len(guide.cards) == CARDS, f"a guide has {CARDS} cards"
    assert 0 < guide.minutes <= 600, "the minutes are no usual length"
    passages = (*guide.cards, *guide.rules, *guide.terms.values())
    for language in ("en", "fr"):
        assert all(getattr(text, language) for one in passages for text in (one.title, one.text)), (
            f"a passage is empty in {language}"
        )
        for text, most in (
            *((one, SUMMARY_MAX) for one in (guide.summary, guide.liked_by)),
            *((card.text, CARD_MAX) for card in guide.cards),
            *((term.text, TERM_MAX) for term in guide.terms.values()),
        ):
            written = getattr(text, language)
            assert 0 < len(written) <= most, f"{written} has more than {most} characters"
        words = [
            sum(len(getattr(one.text, language).split()) for one in part)
            for part in (guide.cards, guide.rules)
        ]
        assert words[0] <= CARD_WORDS_MAX, f"the cards have more than {CARD_WORDS_MAX} words"
        assert words[1] in RULES_WORDS, f"the rules have {words[1]} words in {language}"


def _values_shown(rules: AnyRules) -> Iterator[tuple[str, str]]:
    """Yield the fields with closed sets of texts, and each of their values.

    Options are the host's, who has their description.
    """
    view = get_type_hints(type(rules).view)["return"]
    for shown in (rules.event_type, rules.command_type, view, type(rules.book())):
        yield from _texts_of(msgspec.inspect.type_info(shown), "", ())


def _texts_of(info: Any, field: str, seen: tuple[type, ...]) -> Iterator[tuple[str, str]]:
    """Yield the values of literals, with the innermost field that holds them."""
    if isinstance(info, msgspec.inspect.LiteralType):
        yield from ((field, value) for value in info.values if isinstance(value, str))
    if isinstance(info, msgspec.inspect.StructType):
        if info.cls in seen or issubclass(info.cls, Options):
            return
        for inner in info.fields:
            yield from _texts_of(inner.type, inner.encode_name, (*seen, info.cls))
    for name in ("types", "item_types"):
        for part in getattr(info, name, None) or ():
            yield from _texts_of(part, field, seen)
    for name in ("item_type", "value_type"):
        if (part := getattr(info, name, None)) is not None:
            yield from _texts_of(part, field, seen)


def check_edition(rules: AnyRules) -> None:
    """Check that the edition of the default options is known before a game, and stays the same."""
    options = rules.options_type()
    edition = rules.edition(options)
    assert re.fullmatch("([0-9a-f]{64})?", edition), f"{edition} is no edition"
    assert rules.edition(options) == edition == type(rules)().edition(options)


def check_refusals(rules: AnyRules) -> None:
    """Check that the game lists exactly the codes that its package raises."""
    folder = Path(str(sys.modules[type(rules).__module__].__file__)).parent
    raised = {code for path in folder.glob("*.py") for code in refusals_in(path)}
    unlisted, unused = raised - ENGINE_REFUSALS - rules.refusals, rules.refusals - raised
    assert not unlisted, f"`refusals` lacks {', '.join(sorted(unlisted))}"
    assert not unused - ENGINE_REFUSALS, f"nothing raises {', '.join(sorted(unused))}"


def _is_text(struct: msgspec.inspect.StructType) -> bool:
    """Whether a struct has the words of a text, and possibly more."""
    return {"en", "fr"} <= {field.encode_name for field in struct.fields}


def _braces(sentence: str) -> set[str]:
    return set(re.findall(r"{([^}]*)}", sentence))


def _type_at(event: type[msgspec.Struct], path: str) -> Any:
    """Return msgspec's description of a field, or of a nested field."""
    described: Any = msgspec.inspect.type_info(event)
    for name in path.split("."):
        fields = {field.encode_name: field.type for field in described.fields}
        assert name in fields, f"{event.__name__} has no {name} in {path}"
        described = fields[name]
    return described


def refusals_in(path: Path) -> set[str]:
    """Return the codes with which a module rejects commands."""
    codes = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"require", "RuleViolation"}
        ):
            code = node.args[1 if node.func.id == "require" else 0]
            if isinstance(code, ast.Constant):
                codes.add(str(code.value))
    return codes
