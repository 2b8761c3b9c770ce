"""Which rules this deployment serves: the catalogue, and what settings add to it (the load game of the benchmark)."""

from collections.abc import Mapping
from functools import cache

from django.conf import settings

from accounts.problems import Problem
from games.rules import AnyRules, load_rules, registry


@cache
def all_rules() -> Mapping[tuple[str, int], AnyRules]:
    """Rules by slug and version."""
    extra = [rules for module in settings.EXTRA_RULES for rules in load_rules(module)]
    return {**registry(), **{(rules.slug, rules.version): rules for rules in extra}}


@cache
def catalogue() -> Mapping[str, AnyRules]:
    """The rules that new lobbies use, by slug: of each game the newest version."""
    return {slug: rules for (slug, _), rules in sorted(all_rules().items())}


def rules_of(slug: str, version: int) -> AnyRules:
    """Raises Problem `rules_missing` when this deployment has them no more."""
    try:
        return all_rules()[slug, version]
    except KeyError:
        raise Problem("rules_missing", slug=slug, version=version) from None


def newest_rules(slug: str) -> AnyRules:
    """Raises Problem `unknown_game`."""
    try:
        return catalogue()[slug]
    except KeyError:
        raise Problem("unknown_game", slug=slug, known=sorted(catalogue())) from None
