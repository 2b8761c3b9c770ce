"""The JSON Schema of a game is valid and matches everything that its games send."""

import json
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from games.api.schemas import document_of
from railbird_engine import AnyRules, Seat
from railbird_engine.kernel.playout import Playout
from railbird_engine.kernel.reference_pages import games
from railbird_engine.rules import registry

RULES = {slug: rules for (slug, _), rules in sorted(registry().items())}


def validator(document: dict[str, Any], part: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.Draft202012Validator(
        {**document["properties"][part], "$defs": document["$defs"]}
    )


def said(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_the_schema_is_valid_in_its_dialect(rules: AnyRules) -> None:
    jsonschema_rs.meta.validate(document_of(rules))


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_all_commands_events_and_views_match_the_schema(rules: AnyRules) -> None:
    document = document_of(rules)
    options, command, event, view = (
        validator(document, part) for part in ("options", "command", "event", "view")
    )
    for played in games(rules):
        options.validate(said(played.options))
        replayed = Playout(rules, played.seats, played.options, played.key)
        for number, commit in enumerate(played.commits):
            if commit.seat is not None:
                command.validate(said(commit.command))
                replayed.act(commit.seat, commit.command)
            elif number:
                replayed.tick()
            for happened in commit.events:
                event.validate(said(happened))
            if number % 10 == 0:
                for viewer in (None, *map(Seat, range(played.seats))):
                    view.validate(said(rules.view(replayed.state, viewer)))
