"""The rules that this deployment serves: of installed games, and of the modules of EXTRA_RULES."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from games.models import OfferedRules
from kit.problems import Problem
from railbird_engine import AnyRules, Book
from railbird_engine.kernel.chain import Terms
from railbird_engine.kernel.stepping import OtherEditionError, options_of
from railbird_engine.rules import BadGameError, load_rules, registry


@cache
def all_rules() -> Mapping[tuple[str, int], AnyRules]:
    """Return the rules by slug and version.

    Raises ImproperlyConfigured for a package that registers a game wrongly, and for a bad
    EXTRA_RULES.
    """
    try:
        installed = registry()
    except BadGameError as error:
        raise ImproperlyConfigured(f"{str(error)[0].upper()}{str(error)[1:]}.") from error
    slugs = {slug for slug, _ in installed}
    extra = [rules for module in settings.EXTRA_RULES for rules in _load_extra(module, slugs)]
    return {**installed, **{(rules.slug, rules.version): rules for rules in extra}}


def _load_extra(module: str, taken: Collection[str]) -> Sequence[AnyRules]:
    """Import the rules of a module that is not installed. Raises ImproperlyConfigured."""
    try:
        found = load_rules(module)
    except BadGameError as error:
        raise ImproperlyConfigured(f"EXTRA_RULES names {error}.") from error
    for slug in {rules.slug for rules in found}.intersection(taken):
        raise ImproperlyConfigured(
            f"EXTRA_RULES names {module}, whose slug {slug} belongs to an installed game:"
            f" choose another slug."
        )
    return found


@cache
def catalogue() -> Mapping[str, AnyRules]:
    """Return the newest rules of each game, by slug."""
    return {slug: rules for (slug, _), rules in sorted(all_rules().items())}


def titles_of(slug: str) -> Mapping[str, str] | None:
    """Return the titles of a game, in English and French; None for one that is not served."""
    rules = catalogue().get(slug)
    return None if rules is None else rules.title


def rules_of(slug: str, version: int) -> AnyRules:
    """Return rules by slug and version. Raises Problem `rules_missing`."""
    try:
        return all_rules()[slug, version]
    except KeyError:
        raise Problem("rules_missing", slug=slug, version=version) from None


def needed_by(terms: Terms) -> str:
    """Return the rules and edition that a game needs, as its head names them."""
    return _needed(terms.rules, terms.rules_version, terms.edition)


def _needed(slug: str, version: int, edition: str) -> str:
    return f"{slug} {version} {edition}".rstrip()


@cache
def served() -> list[str]:
    """Return the rules and editions that this build has, in order."""
    return sorted(
        _needed(slug, version, edition)
        for (slug, version), rules in all_rules().items()
        for edition in rules.editions
    )


def rules_for(opening: Terms) -> tuple[AnyRules, Any]:  # the options of any game
    """Return the rules and the options of a game.

    Raises Problem `rules_missing`, also for another edition.
    """
    rules = rules_of(opening.rules, opening.rules_version)
    try:
        return rules, options_of(rules, opening)
    except OtherEditionError as other:
        raise Problem(
            "rules_missing", slug=rules.slug, version=rules.version, edition=other.needed
        ) from other


def newest_rules(slug: str) -> AnyRules:
    """Return the newest rules of a game. Raises Problem `unknown_game`."""
    try:
        return catalogue()[slug]
    except KeyError:
        raise Problem("unknown_game", slug=slug, known=sorted(catalogue())) from None


def offered() -> Mapping[str, AnyRules]:
    """Return the rules that new lobbies get, by slug.

    A game without a row is offered in its newest version; a version that this build lacks is not.
    """
    versions = dict(OfferedRules.objects.values_list("slug", "version"))
    found = all_rules()
    return {
        slug: found[slug, version]
        for slug, newest in catalogue().items()
        if (slug, version := versions.get(slug, newest.version)) in found
    }


def offered_rules(slug: str) -> AnyRules:
    """Return the rules that new lobbies of a game get. Raises Problem `unknown_game`."""
    rules = offered()
    try:
        return rules[slug]
    except KeyError:
        raise Problem("unknown_game", slug=slug, known=sorted(rules)) from None


def offer_newest() -> None:
    """Offer the newest rules of this build to new lobbies of every game."""
    rows = [OfferedRules(slug=slug, version=rules.version) for slug, rules in catalogue().items()]
    OfferedRules.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["slug"], update_fields=["version"]
    )


@cache
def book_of(rules: AnyRules) -> Book:
    """Return the book of a game. A process makes each once: some take milliseconds."""
    return rules.book()
