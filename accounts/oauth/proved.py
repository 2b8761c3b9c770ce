"""When the session of a member of the staff proved the second factor.

Without views: forms of the admin ask for it, which workers load too.
"""

import time
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from accounts import second_factor
from accounts.models import User
from kit import rate_limits

PROVED_AT: Final = "second_factor_at"
"""When the user of a session proved the second factor, in seconds since 1970."""


def is_recent(request: HttpRequest) -> bool:
    """Whether the session has proved the second factor recently, or needs none."""
    age_s = time.time() - request.session.get(PROVED_AT, 0)
    return not settings.STAFF_SECOND_FACTOR or age_s < second_factor.RECENT.total_seconds()


def prove(request: HttpRequest, code: str) -> None:
    """Prove the second factor for this session. Raises what `accounts.second_factor` raises."""
    assert isinstance(request.user, User)
    second_factor.prove(request.user, code, address=rate_limits.address_of(request))
    request.session[PROVED_AT] = time.time()
