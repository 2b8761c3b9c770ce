"""Check the options and the number of players that a host chooses."""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.lobbies.attempts import terms_of
from games.models import Lobby
from games.store.registry import all_rules, offered_rules
from kit.validation import malformed
from railbird_engine import AnyRules, Options, Rules, RuleViolation
from railbird_engine.kernel import chain


def check_options(slug: str, options: Mapping[str, Any]) -> tuple[AnyRules, Options]:
    """Return the rules that a new lobby of a game gets, and these options, checked.

    Raises RuleViolation, Problem `malformed`, `unknown_game`.
    """
    rules = offered_rules(slug)
    try:
        checked = msgspec.convert(options, rules.options_type, strict=True)
    except msgspec.ValidationError as error:
        raise malformed(error, "$.options", rules.options_type, options) from error
    fitting_seats(rules, checked)
    return rules, checked


def fitting_seats(rules: AnyRules, options: Options) -> list[int]:
    """Return the numbers of players that these options allow, fewest first.

    Raises RuleViolation if there are none.
    """
    fitting, refusal = [], None
    for seats in rules.seats:
        try:
            rules.setup(seats, options)
            fitting.append(seats)
        except RuleViolation as violation:
            refusal = refusal or violation
    if not fitting and refusal is not None:
        raise refusal
    return fitting


def teams_of(lobby: Lobby) -> list[list[int]] | None:
    """Return the teams that the taken seats would form if the game began now.

    None for games without teams, while the number of seats does not fit, and for damaged terms: one
    lobby must not end a list of many. The caller prefetches the seats.
    """
    try:
        terms = terms_of(lobby)
    except chain.MALFORMED:
        return None
    rules = all_rules().get((terms.rules, terms.rules_version))
    if rules is None or type(rules).teams is Rules.teams:
        return None
    numbers = sorted(seat.number for seat in lobby.seats.all())
    if len(numbers) not in rules.seats:
        return None
    try:
        options = msgspec.convert(lobby.options, rules.options_type, strict=True)
        teams = rules.teams(rules.setup(len(numbers), options)) or ()
    except (RuleViolation, msgspec.ValidationError):
        return None
    return [[numbers[seat] for seat in team] for team in teams]
