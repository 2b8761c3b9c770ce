"""Commands, and texts of a server for them: those that it writes, and those of other commands."""

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, get_args

import msgspec
from msgspec import inspect

from railbird_client.games import ascot, carcassonne, quitte_ou_double, ready_set_bet, set_dice
from railbird_client.types import GameTypes
from railbird_engine.rules import registry

GAMES: Final[dict[str, GameTypes[Any, Any, Any]]] = {
    found.TYPES.slug: found.TYPES
    for found in (ascot, carcassonne, quitte_ou_double, ready_set_bet, set_dice)
}


class Case(NamedTuple):
    """A command that is sent, a text of the server, and whether the client signs that."""

    slug: str
    command: dict[str, Any]
    text: str
    signs: bool


def written(value: object) -> str:
    return msgspec.json.encode(value).decode()


def least(kind: inspect.Type) -> Any:
    """Return a value of a type, whose fields that have a default have it."""
    match kind:
        case inspect.Metadata():
            return least(kind.type)
        case inspect.StructType():
            return kind.cls(**{it.name: least(it.type) for it in kind.fields if it.required})
        case inspect.ListType() | inspect.VarTupleType():
            return [least(kind.item_type)] * 2
        case inspect.UnionType():
            return least(kind.types[0])
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.IntType():
            return 7
        case inspect.StrType():
            return "a"
        case inspect.BoolType():
            return False
    raise AssertionError(kind)


def sent(value: Any) -> Any:
    """Return a value as JSON without the fields that have their default, in another order."""
    if isinstance(value, list):
        return [sent(item) for item in value]
    if not isinstance(value, msgspec.Struct):
        return value
    needed = [field.name for field in msgspec.structs.fields(value) if field.required]
    found = {name: sent(getattr(value, name)) for name in reversed(needed)}
    tag = value.__struct_config__.tag
    return found if tag is None else {**found, "type": tag}


def changed(value: Any) -> Iterator[Any]:
    """Yield a JSON value with each of its parts changed, one at a time."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from ({**value, name: each} for each in changed(member))
            yield {key: each for key, each in value.items() if key != name}
        yield {**value, "another": 0}
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from ([*value[:place], each, *value[place + 1 :]] for each in changed(item))
        yield [*value, value[0] if value else 1]
    elif isinstance(value, bool) or value is None:
        yield from (not value, 0)
    else:
        yield from (value * 2 or 1, None)


def cases(slug: str) -> Iterator[Case]:
    rules = max((it for it in registry().values() if it.slug == slug), key=lambda it: it.version)
    for kind in get_args(rules.command_type):
        command = least(inspect.type_info(kind))
        text, given = written(command), sent(command)
        yield Case(slug, given, text, written(given) != text)
        for wrong in changed(json.loads(text)):
            yield Case(slug, given, written(wrong), signs=False)
        yield Case(slug, given, text.replace("{", '{"type":"x",', 1), signs=False)
        yield Case("another", given, text, written(given) != text and is_whole(given, text))


def is_whole(given: object, text: str) -> bool:
    """Whether a command was sent with all its fields."""
    return bool(given == json.loads(text))
