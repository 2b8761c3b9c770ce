"""The page of the second factor, and the guard that leads staff there before the admin."""

import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.decorators import user_passes_test
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.deprecation import MiddlewareMixin
from django.views import View

from accounts import recovery, second_factor
from accounts.models import RecoveryChange, User
from accounts.oauth.pages import POLICY, REFUSALS, Page
from accounts.oauth.proved import PROVED_AT, prove
from kit import rate_limits
from kit.problems import Problem

OPEN: Final = ("/admin/login/", "/admin/logout/", "/admin/second-factor/")

View_ = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


class Guard(MiddlewareMixin):
    """Lead staff to the second factor before any page of the admin."""

    def process_view(
        self, request: HttpRequest, _view: View_, _arguments: Any, _named: Any
    ) -> HttpResponse | None:
        """Redirect a session without the factor."""
        if (
            settings.STAFF_SECOND_FACTOR
            and request.path_info.startswith("/admin/")
            and request.path_info not in OPEN
            and request.user.is_authenticated
            and PROVED_AT not in request.session
        ):
            return HttpResponseRedirect(reverse("second-factor"))
        return None


def _is_staff(user: Any) -> bool:
    return isinstance(user, User) and user.is_active and user.is_staff


@method_decorator(
    user_passes_test(_is_staff, login_url=reverse_lazy("admin:login")), name="dispatch"
)
class SecondFactor(Page, View):
    """Ask for a code, or show the secret to a member of staff who has no second factor yet."""

    throttle_scope = "sign_in"
    policy = f"{POLICY}; script-src 'self'"
    """One script draws the QR code."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the form, with a new secret for those who need one."""
        assert isinstance(request.user, User)
        if not second_factor.is_enrolled(request.user):
            second_factor.new_secret(request.user)
        return self._form(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Prove the factor and go to the admin; at first, show recovery codes."""
        assert isinstance(request.user, User)
        code = request.POST.get("code", "").replace(" ", "")[:16]
        try:
            if second_factor.is_enrolled(request.user):
                prove(request, code)
                return HttpResponseRedirect(reverse("admin:index"))
            address = rate_limits.address_of(request)
            recovery.prove_password(request.user, request.POST.get("password", "")[:128], address)
            with recovery.change(request.user, RecoveryChange.Kind.FACTOR):
                codes = second_factor.enroll(request.user, code)
        except Problem as problem:
            if problem.code not in REFUSALS:
                raise
            return self._form(request, REFUSALS[problem.code])
        request.session[PROVED_AT] = time.time()
        return render(request, "oauth/second_factor.html", {"codes": codes})

    @staticmethod
    def _form(request: HttpRequest, refusal: str = "") -> HttpResponse:
        assert isinstance(request.user, User)
        context: dict[str, object] = {"refusal": refusal}
        if not second_factor.is_enrolled(request.user):
            secret = second_factor.secret_of(request.user)
            context |= {"secret": secret, "uri": second_factor.uri_of(request.user, secret)}
        return render(request, "oauth/second_factor.html", context)
