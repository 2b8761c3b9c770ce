"""The build of this server, as each game and the public log name it."""

from functools import cache

from django.conf import settings

from games.store.registry import all_rules
from railbird_engine import AnyRules
from railbird_engine.kernel.chain import Build
from railbird_engine.kernel.code import code_hash


def build_with(rules: AnyRules) -> Build:
    """Return the build as the genesis of a game names it."""
    return Build(settings.BUILD_VERSION, settings.BUILD_COMMIT, code_hash(rules))


@cache
def code_of_all() -> dict[str, str]:
    """Return the hash of the code of each game's rules, by slug."""
    return {slug: code_hash(rules) for (slug, _), rules in sorted(all_rules().items())}
