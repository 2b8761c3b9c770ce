"""What a request costs: DRF's throttle, for every view unless it says otherwise.

Apart from `accounts.rest`, because DRF reads its settings while it loads its views.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts import limits
from accounts.tokens import Caller

if TYPE_CHECKING:
    from rest_framework.views import APIView


class Limits(BaseThrottle):
    """Takes what a request costs from the person who answers for it, its token, and its address
    where the view has a budget of its own for them, which `throttle_scope` names. Addresses as such
    are counted before any view (`gameserver.limits`)."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Raises Problem `too_many_requests`."""
        spent = []
        try:
            for budget in self._budgets(request, view):
                spent.append(budget)
                limits.spend(budget)
        finally:
            view.headers |= limits.headers(spent)
        return True

    @staticmethod
    def _budgets(request: Request, view: "APIView") -> Iterator[limits.Spent]:
        if isinstance(request.auth, Caller):
            yield limits.Spent("user", str(request.auth.user.answerable))
            yield limits.Spent("token", request.auth.token)
        scope: str | None = getattr(view, "throttle_scope", None)
        if scope is not None:
            yield limits.Spent(scope, limits.source(limits.address_of(request)))
