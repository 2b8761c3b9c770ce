"""The games, one folder each; packages outside this one add more.

An installed package registers a game by an entry point of the group `railbird.games`. The entry
point has the slug as its name, and names a package with the module `rules` (and `rules_v1`,
`rules_v2` and so on for superseded versions), or a single module. The games of this folder are
registered in the same way, by the package `railbird-engine`.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType, ModuleType

from railbird_engine import AnyRules, Rules

GROUP = "railbird.games"
WALLET_UNIT = "coin"
"""The unit of wallets, escrow and payouts, which the ledger tells from the money of games."""
RULES_MODULE = re.compile(r"rules(_v\d+)?")


class BadGameError(ImportError):
    """A package registers a game wrongly. The text is one line that names the package."""


def load_rules(name: str) -> list[AnyRules]:
    """Return one instance of each concrete `Rules` class of a module, or of a package.

    A package holds them in the modules `rules`, `rules_v1`, `rules_v2` and so on. Raises
    BadGameError
    when the module cannot be imported, defines no rules, or counts in the unit of wallets.
    """
    try:
        found = [rules for module in _modules(name) for rules in _defined_by(module)]
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise BadGameError(f"{name}, which cannot be imported ({reason})") from error
    if not found:
        raise BadGameError(
            f"{name}, which defines no rules: name a package with a module `rules`,"
            f" or the module with the Rules class"
        )
    if any(rules.unit == WALLET_UNIT for rules in found):
        raise BadGameError(
            f"{name}, whose unit {WALLET_UNIT} is that of wallets: choose another unit"
        )
    return found


def _modules(name: str) -> Iterator[ModuleType]:
    module = importlib.import_module(name)
    if not hasattr(module, "__path__"):
        yield module
        return
    for inner in pkgutil.iter_modules(module.__path__):
        if RULES_MODULE.fullmatch(inner.name):
            yield importlib.import_module(f"{name}.{inner.name}")


def _defined_by(module: ModuleType) -> Iterator[AnyRules]:
    for value in vars(module).values():
        if (
            isinstance(value, type)
            and issubclass(value, Rules)
            and value.__module__ == module.__name__
        ):
            yield value()


@cache
def registry() -> Mapping[tuple[str, int], AnyRules]:
    """Return the rules of all installed games by slug and version, superseded versions included.

    Raises BadGameError when a package registers a game wrongly, or two packages register one slug.
    """
    return MappingProxyType(
        {(rules.slug, rules.version): rules for rules in load_games(entry_points(group=GROUP))}
    )


def load_games(registered: Iterable[EntryPoint]) -> Iterator[AnyRules]:
    """Yield the rules that entry points name. Raises BadGameError."""
    packages: dict[str, str] = {}
    for entry in sorted(registered, key=lambda entry: entry.name):
        package = entry.dist.name if entry.dist is not None else entry.value
        if entry.name in packages:
            raise BadGameError(
                f"the packages {packages[entry.name]} and {package} both register the game"
                f" {entry.name}: uninstall one of them"
            )
        packages[entry.name] = package
        try:
            found = load_rules(entry.module)
        except BadGameError as error:
            raise BadGameError(f"the package {package} registers the game {error}") from error
        for rules in found:
            if rules.slug != entry.name:
                raise BadGameError(
                    f"the package {package} registers the game {entry.name},"
                    f" but the slug of its rules is {rules.slug}: give both one name"
                )
            yield rules


def example_game() -> AnyRules:
    """Return the game for demonstrations and examples: the newest rules with `demo_options`."""
    return max(
        (rules for rules in registry().values() if rules.demo_options is not None),
        key=lambda rules: (rules.slug, rules.version),
    )
