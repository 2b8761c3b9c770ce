"""Which games there are."""

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.rest import operation
from games.api import answers
from games.api.schemas import document_of
from games.registry import catalogue, newest_rules


class RulesList(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @operation("list_rules")
    def get(self, request: Request) -> list[answers.Rules]:
        """The games that can be played here, by slug."""
        return [answers.Rules.of(rules) for rules in catalogue().values()]


class RulesDetail(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @operation("get_rules", "unknown_game")
    def get(self, request: Request, slug: str) -> answers.RulesInFull:
        """One game, with the JSON Schema of its options, commands, events and views."""
        rules = newest_rules(slug)
        summary = answers.Rules.of(rules)
        return answers.RulesInFull(
            slug=summary.slug,
            title=summary.title,
            seats=summary.seats,
            unit=summary.unit,
            version=summary.version,
            json_schema=document_of(rules),
        )
