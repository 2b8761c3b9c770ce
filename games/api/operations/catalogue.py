"""The catalogue of games."""

from accounts.tokens import Origin
from games.api import types
from games.api.schemas import document_of
from games.store.registry import book_of, offered, offered_rules
from kit.operations import operation


@operation("list_rules", is_open=True, is_cached=True)
def list_rules(origin: Origin) -> list[types.Rules]:
    """List the games that can be played here."""
    return [types.Rules.of(rules) for rules in offered().values()]


@operation("get_rules", "unknown_game", is_open=True, is_cached=True)
def get_rules(origin: Origin, slug: str) -> types.RulesInFull:
    """Get one game with the JSON Schema of its options, commands, events, views and book."""
    rules = offered_rules(slug)
    summary = types.Rules.of(rules)
    return types.RulesInFull(
        slug=summary.slug,
        title=summary.title,
        seats=summary.seats,
        unit=summary.unit,
        version=summary.version,
        paces=summary.paces,
        summary=summary.summary,
        minutes=summary.minutes,
        weight=summary.weight,
        json_schema=document_of(rules),
    )


@operation("get_book", "unknown_game", is_open=True, is_cached=True)
def get_book(origin: Origin, slug: str) -> types.AnyBook:
    """Get the book of a game: cards, boards, names, and sentences for its events in English and
    French."""
    return book_of(offered_rules(slug))
