"""The budget of an address: counted before anybody is asked who they are, on every face."""

from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from accounts import limits
from accounts.problems import Problem
from gameserver.errors import page

PROBES: Final = "/api/v1/health/"
"""Who asks whether this process lives is always answered."""


class AddressLimit(MiddlewareMixin):
    """Refuses an address that asks for too much, and tells every client how much is left."""

    def process_request(self, request: HttpRequest) -> HttpResponseBase | None:
        """Raises nothing: what is refused is answered here."""
        if not request.path.startswith(PROBES):
            try:
                limits.spend(_budget(request))
            except Problem as problem:
                return page(problem)
        return None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """A view that drew on a narrower budget has told of it already."""
        if not request.path.startswith(PROBES) and "RateLimit" not in response:
            for name, value in limits.headers([_budget(request)]).items():
                response[name] = value
        return response


def _budget(request: HttpRequest) -> limits.Spent:
    return limits.Spent("address", limits.source(request.META.get("REMOTE_ADDR", "")))
