"""The games, one folder each.

A folder whose `rules.py` holds a `Rules` subclass is found and served; nothing else names it.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from games.engine import AnyRules, Rules


def load_rules(module_name: str) -> list[AnyRules]:
    """Return one instance of each concrete `Rules` class that a module defines itself."""
    module = importlib.import_module(module_name)
    return [
        value()
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Rules) and value.__module__ == module_name
    ]


@cache
def registry() -> Mapping[tuple[str, int], AnyRules]:
    """Return all rules by slug and version, superseded versions included."""
    found: dict[tuple[str, int], AnyRules] = {}
    for folder in pkgutil.iter_modules(__path__):
        for module in pkgutil.iter_modules([f"{__path__[0]}/{folder.name}"]):
            if module.name == "rules" or module.name.startswith("rules_v"):
                for rules in load_rules(f"{__name__}.{folder.name}.{module.name}"):
                    found[rules.slug, rules.version] = rules
    return MappingProxyType(found)


def example_game() -> AnyRules:
    """Return the game for demonstrations and examples: the newest rules with `demo_options`."""
    return max(
        (rules for rules in registry().values() if rules.demo_options is not None),
        key=lambda rules: (rules.slug, rules.version),
    )
