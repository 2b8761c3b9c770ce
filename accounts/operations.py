"""Admission: whether a caller may run an operation now. Every transport of the API calls it."""

from typing import Protocol

from accounts.tokens import Caller, Origin, Scope, require
from kit import rate_limits
from kit.operations import Operation
from kit.problems import Problem


class Headers(Protocol):
    """The headers of a response."""

    def __setitem__(self, name: str, value: str, /) -> None: ...


def admit(
    asker: Caller | Origin | None, operation: Operation, headers: Headers | None = None
) -> None:
    """Count a call of this operation, and check that the caller may make it.

    An open operation is called with an Origin, any other with a Caller. `headers` receives what is
    left of the rate limits. Raises Problem `unauthenticated`, `too_many_requests`,
    `scope_missing`."""
    if not (operation.is_open or isinstance(asker, Caller)):
        raise Problem("unauthenticated")
    spent: list[rate_limits.Spent] = []
    try:
        for budget in _budgets(asker, operation):
            spent.append(budget)
            rate_limits.spend(budget)
    finally:
        if headers is not None:
            for name, value in rate_limits.headers(spent).items():
                headers[name] = value
    if operation.scope is not None:
        require(asker if isinstance(asker, Caller) else None, Scope(operation.scope))


def _budgets(asker: Caller | Origin | None, operation: Operation) -> list[rate_limits.Spent]:
    """Return the uses to count: of the user, of the token, and of the operation, by address.

    Every address is also counted before any view (`gameserver.http.limits`).
    """
    found: list[rate_limits.Spent] = []
    if operation.is_unlimited:
        return found
    if isinstance(asker, Caller):
        found.append(rate_limits.Spent("user", str(asker.user.answerable)))
        found.append(rate_limits.Spent("token", asker.token))
    if operation.policy is not None:
        origin = asker.origin if isinstance(asker, Caller) else asker or Origin()
        found.append(rate_limits.Spent(operation.policy, rate_limits.source(origin.address)))
    return found
