"""The options, commands, events and views of any game: unions of all of theirs, and inputs that
name the game."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import inspect as info
from strawberry.types.base import StrawberryOptional

from games.api.graphql.inputs import Inputs
from games.api.graphql.outputs import Outputs
from games.api.graphql.structs import Shape, Struct, members_of, pascal, tagged
from games.api.schemas import PARTS, types_of
from games.store.registry import all_rules, catalogue

SAID: Final = {
    "options": "What the host of a game chose.",
    "command": "What a seat asks for, in any game.",
    "event": "What happened in any game, as one may read it.",
    "view": "What a seat, or a spectator, sees of any game.",
    "book": "What any game prints and says.",
}


def describe_games(outputs: Outputs, inputs: Inputs) -> None:
    """Tell both what the values of games look like."""
    for part in PARTS:
        structs = {f"{struct.__module__}.{struct.__name__}": struct for struct in _structs(part)}
        union = outputs.union_of(f"Game{pascal(part)}", structs, SAID[part])
        outputs.of_any_game[part] = Shape(StrawberryOptional(union) if part == "options" else union)
    options = {
        slug: inputs.input_of(rules.options_type)
        for slug, rules in catalogue().items()
        if rules.options_type.__struct_fields__
    }
    commands = {
        slug: inputs.tagged(
            f"{pascal(slug)}CommandInput",
            tagged(members_of(info.type_info(rules.command_type))) or {},
        )
        for slug, rules in catalogue().items()
    }
    inputs.of_any_game["options"] = inputs.one_of(
        "GameOptionsInput", options, "The options of one game, by its name."
    )
    inputs.of_any_game["command"] = inputs.one_of(
        "GameCommandInput", commands, "A command of one game, by its name."
    )


def _structs(part: str) -> Iterator[Struct]:
    """The structs of a part in all rules, the newest first: superseded ones still have games."""
    for _, rules in sorted(all_rules().items(), key=lambda item: (item[0][0], -item[0][1])):
        for member in members_of(info.type_info(types_of(rules)[part])):
            assert isinstance(member, info.StructType), f"the {part} of {rules.slug} is no struct"
            yield member.cls


def options_of(slug: str, options: Any) -> msgspec.Struct | None:
    """Stored options as the newest rules of the game read them; None when they cannot any more."""
    rules = catalogue().get(slug)
    try:
        return None if rules is None else msgspec.convert(options, rules.options_type)
    except msgspec.ValidationError:
        return None
