"""What a host may choose: options that the rules take, and how many they seat."""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.engine import Options, RuleViolation
from games.registry import newest_rules
from games.rules import AnyRules


def check_options(slug: str, options: Mapping[str, Any]) -> tuple[AnyRules, Options]:
    """The rules and the options as they will be played.

    Raises msgspec.ValidationError, RuleViolation, Problem `unknown_game`.
    """
    rules = newest_rules(slug)
    checked = msgspec.convert(options, rules.options_type, strict=True)
    fitting_seats(rules, checked)
    return rules, checked


def fitting_seats(rules: AnyRules, options: Options) -> list[int]:
    """The numbers of players that these options allow, fewest first. Raises RuleViolation when there are none."""
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
