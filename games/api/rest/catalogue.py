"""Which games there are."""

from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.rest import operation
from games.api import types
from games.api.schemas import document_of
from games.store.registry import catalogue, newest_rules


@method_decorator(conditional_page, name="dispatch")
class Printed(APIView):
    """What is the same for everybody until the server is another: it bears an ETag, and is sent
    once to whoever shows it."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    conditional = True


class RulesList(Printed):
    @operation("list_rules", scope=None)
    def get(self, request: Request) -> list[types.Rules]:
        """List the games that can be played here."""
        return [types.Rules.of(rules) for rules in catalogue().values()]


class RulesDetail(Printed):
    @operation("get_rules", "unknown_game", scope=None)
    def get(self, request: Request, slug: str) -> types.RulesInFull:
        """Get one game with the JSON Schema of its options, commands, events, views and book."""
        rules = newest_rules(slug)
        summary = types.Rules.of(rules)
        return types.RulesInFull(
            slug=summary.slug,
            title=summary.title,
            seats=summary.seats,
            unit=summary.unit,
            version=summary.version,
            json_schema=document_of(rules),
        )


class Book(Printed):
    @operation("get_book", "unknown_game", scope=None)
    def get(self, request: Request, slug: str) -> types.AnyBook:
        """Get the book of a game: cards, boards, names, and sentences for its events in English and
        French."""
        return newest_rules(slug).book()
