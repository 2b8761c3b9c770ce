"""What a request costs: DRF's throttle, for every view unless it says otherwise.

Apart from `accounts.rest`, because DRF reads its settings while it loads its views.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.tokens import Caller
from kit import rate_limits

if TYPE_CHECKING:
    from rest_framework.views import APIView


class Limits(BaseThrottle):
    """Takes what a request costs from the person who answers for it, its token, and its address
    where the view has a budget of its own for them, which `throttle_scope` names. Addresses as such
    are counted before any view (`gameserver.http.limits`)."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Raises Problem `too_many_requests`."""
        spent = []
        try:
            for budget in self._budgets(request, view):
                spent.append(budget)
                rate_limits.spend(budget)
        finally:
            view.headers |= rate_limits.headers(spent)
        return True

    @staticmethod
    def _budgets(request: Request, view: "APIView") -> Iterator[rate_limits.Spent]:
        if isinstance(request.auth, Caller):
            yield rate_limits.Spent("user", str(request.auth.user.answerable))
            yield rate_limits.Spent("token", request.auth.token)
        scope: str | None = getattr(view, "throttle_scope", None)
        if scope is not None:
            yield rate_limits.Spent(scope, rate_limits.source(rate_limits.address_of(request)))
