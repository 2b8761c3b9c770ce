"""The sign-in, consent and password pages and the OAuth endpoints for apps, without scripts."""

import time
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.core.exceptions import SuspiciousOperation
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.cache import add_never_cache_headers
from oauth2_provider.exceptions import OAuthToolkitError
from oauth2_provider.forms import AllowForm
from oauth2_provider.models import Application, RefreshToken
from oauth2_provider.views import AuthorizationView, RevokeTokenView, TokenView
from oauthlib.oauth2.rfc6749.errors import InvalidScopeError

from accounts import people, recovery, tokens
from accounts.models import User
from accounts.oauth import clients
from accounts.oauth.proved import PROVED_AT
from accounts.oauth.words import words_for
from kit import rate_limits
from kit.problems import Problem

SIGNED_IN_S = 3600
REFUSALS = {
    "wrong_password": "Wrong password.",
    "recovery_changed": "Password, address or second factor changed less than 72 hours ago.",
    "wrong_code": "The code is wrong, or was used already.",
}
"""The reasons on the pages for staff, by the code of the problem."""
POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"


class Page:
    """Base of all pages: rate-limited, not cached, not framed, forms only to this server."""

    throttle_scope: str
    throttled_methods: ClassVar = frozenset({"POST"})
    policy: ClassVar[str] = POLICY

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if any(
            "\x00" in text
            for sent in (request.GET, request.POST)
            for _, texts in sent.lists()
            for text in texts
        ):
            raise SuspiciousOperation("a NUL character")
        try:
            if request.method in self.throttled_methods:
                rate_limits.spend(
                    rate_limits.Spent(
                        self.throttle_scope, rate_limits.source(rate_limits.address_of(request))
                    )
                )
            response: HttpResponseBase = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]  # of the view
            elsewhere = self.form_target()
        except Problem as problem:
            retry_after = str(problem.data.get("retry_after", 60))
            response, elsewhere = self.later(request, retry_after), ""
            response.headers["Retry-After"] = retry_after
        except ValueError as error:  # raised by oauthlib for an invalid query string
            raise SuspiciousOperation(str(error)) from error
        add_never_cache_headers(response)
        response.headers["Content-Security-Policy"] = (
            f"{self.policy}; form-action 'self'{elsewhere}"
        )
        return response

    def form_target(self) -> str:
        """Return a further source for the `form-action` policy, with a leading space, or ""."""
        return ""

    def later(self, request: HttpRequest, retry_after: str) -> HttpResponse:
        """Render the page for Problem `too_many_requests`."""
        return render(request, "oauth/later.html", {"retry_after": retry_after}, status=429)


class ForApps(Page):
    """Base of the endpoints that programs call: errors are JSON, not pages."""

    def later(self, request: HttpRequest, retry_after: str) -> HttpResponse:
        """Return the error that RFC 6749 defines for it."""
        return JsonResponse({"error": "temporarily_unavailable"}, status=429)


def as_source(uri: str) -> str:
    """Return the source of a URI for a Content-Security-Policy, with a leading space.

    Policies cannot name an IPv6 address, so there it is the scheme alone.
    """
    target = urlsplit(uri)
    return (
        f" {target.scheme}:"
        if "[" in target.netloc
        else f" {target.scheme}://{target.netloc}"
        if target.netloc
        else ""
    )


class SignInForm(AuthenticationForm):
    """The username, the password and a code of the second factor, with length limits.

    Usernames ignore case.
    """

    factor = forms.CharField(max_length=32, required=False)
    needs_factor = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"] = forms.CharField(max_length=150)
        password = self.fields["password"]
        assert isinstance(password, forms.CharField)
        password.max_length = 128

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        return name.lower()

    def clean(self) -> dict[str, Any]:
        """Sign in as the API does, so that both count the same wrong passwords.

        Raises ValidationError, Problem `too_many_requests`.
        """
        assert self.request is not None
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        factor = self.cleaned_data.get("factor", "").replace(" ", "")
        address = rate_limits.address_of(self.request)
        if name and password:
            try:
                user = people.sign_in(name, password, factor, address=address)
            except Problem as problem:
                self.needs_factor = problem.code in {"factor_required", "wrong_code"}
                if not self.needs_factor and problem.code not in {"wrong_credentials", "suspended"}:
                    raise
                raise self.get_invalid_login_error() from None
            self.confirm_login_allowed(user)
            self.user_cache = user
        return self.cleaned_data


class StaffSignInForm(SignInForm):
    """The sign-in form for staff. Other users get the same error as for a wrong password."""

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        assert isinstance(user, User)
        if not user.is_staff:
            raise self.get_invalid_login_error()


class SignIn(Page, LoginView):
    """The sign-in page. Its session is for these pages only; the API needs an access token."""

    template_name = "oauth/sign_in.html"
    authentication_form = SignInForm
    throttle_scope = "sign_in"

    def form_target(self) -> str:
        """Return the app's redirect URI if the user comes from a known app.

        Without a question to ask, the server redirects to the app, and `form-action` covers
        redirects.
        """
        query = QueryDict(urlsplit(self.get_redirect_url()).query)
        client_id, uri = query.get("client_id", ""), query.get("redirect_uri", "")
        return as_source(uri) if clients.has_redirect_uri(client_id, uri) else ""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the name of the OpenID Connect provider, if there is one."""
        provider = settings.OIDC_NAME if settings.OIDC_ISSUER else ""
        return {**super().get_context_data(**kwargs), "provider": provider}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        if form.cleaned_data["factor"]:
            self.request.session[PROVED_AT] = time.time()
        self.request.session.set_expiry(SIGNED_IN_S)
        return response


class StaffSignIn(SignIn):
    """The sign-in page for the admin, in place of Django's, which does not limit guesses."""

    authentication_form = StaffSignInForm
    next_page = "admin:index"


class PasswordForm(PasswordChangeForm):
    """A form that changes the password as the API does: it counts guesses and ends all tokens."""

    def __init__(self, user: User, *args: Any, address: str, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self._address = address
        for field in self.fields.values():
            assert isinstance(field, forms.CharField)
            field.max_length = 128

    def clean_old_password(self) -> str:
        """Check the current password. Raises ValidationError, Problem `too_many_requests`."""
        password: str = self.cleaned_data["old_password"]
        try:
            recovery.prove_password(self.user, password, self._address)
            recovery.check_unchanged(self.user)
        except Problem as problem:
            if problem.code not in REFUSALS:
                raise
            raise forms.ValidationError(REFUSALS[problem.code]) from None
        return password

    def save(self, commit: bool = True) -> User:
        people.renew_password(self.user, self.cleaned_data["new_password1"])
        self.user.refresh_from_db()
        return self.user


class ChangePassword(Page, PasswordChangeView):
    """The admin's password page, in place of Django's, which does not end access tokens."""

    template_name = "oauth/password.html"
    form_class = PasswordForm
    throttle_scope = "sign_in"
    success_url = reverse_lazy("admin:index")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "address": rate_limits.address_of(self.request)}


class ConsentForm(AllowForm):  # type: ignore[misc]  # the toolkit has no types
    """The hidden fields of the consent page, checked again when the browser returns them."""

    nonce = forms.CharField(required=False, max_length=255, widget=forms.HiddenInput())

    def clean_client_id(self) -> str:
        client_id: str = self.cleaned_data["client_id"]
        if not Application.objects.filter(client_id=client_id).exists():
            raise forms.ValidationError("Unknown app.")
        return client_id


class Consent(Page, AuthorizationView):  # type: ignore[misc]  # the toolkit has no types
    """The consent page. It asks every time, because anybody can pose as a public client."""

    template_name = "oauth/consent.html"
    form_class = ConsentForm
    throttle_scope = "oauth"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        query = request.GET.copy()
        query["approval_prompt"] = "force"
        request.GET = query  # type: ignore[assignment]  # a copy may be written
        return super().get(request, *args, **kwargs)  # type: ignore[no-any-return]

    def validate_authorization_request(
        self, request: HttpRequest
    ) -> tuple[list[str], dict[str, Any]]:
        """Return the requested scopes that this user can grant. Raises OAuthToolkitError."""
        scopes, credentials = super().validate_authorization_request(request)
        return self._grantable(scopes, credentials), credentials

    def create_authorization_response(
        self, request: HttpRequest, scopes: str, credentials: dict[str, Any], allow: bool
    ) -> tuple[str, dict[str, str], str, int]:
        """Grant the scopes or report the refusal to the app. Raises OAuthToolkitError."""
        granted = self._grantable(scopes.split(), credentials)
        answer: tuple[str, dict[str, str], str, int] = super().create_authorization_response(
            request, " ".join(granted), credentials, allow
        )
        return answer

    def _grantable(self, scopes: list[str], credentials: dict[str, Any]) -> list[str]:
        if self.request.user.is_anonymous:
            return scopes
        grantable = [scope for scope in scopes if scope in tokens.grantable_by(self.request.user)]
        if not grantable:
            error = InvalidScopeError(state=credentials.get("state"))
            raise OAuthToolkitError(error=error, redirect_uri=credentials["redirect_uri"])
        return grantable

    def get_context_data(self, **given: Any) -> dict[str, Any]:
        """Describe the scopes and the app in the language of the page."""
        words = words_for(self.request)
        found: dict[str, Any] = super().get_context_data(**given)
        if app := found.get("application"):
            found["question"] = words["may"].format(name=app.name)
        found["scopes_descriptions"] = [
            words[f"scope_{scope}"] for scope in found.get("scopes", ())
        ]
        return found

    def form_target(self) -> str:
        return as_source(self.oauth2_data.get("redirect_uri") or "")


class Tokens(ForApps, TokenView):  # type: ignore[misc]  # the toolkit has no types
    """The token endpoint: exchange a code or a refresh token for tokens."""

    throttle_scope = "oauth"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Issue tokens. Unlike the toolkit's `post`, this offers no device codes.

        Refreshes of one user run one after the other, and never while their tokens end: the
        toolkit's checks and writes assume that nobody rotates or revokes a token in between. The
        user's ends of tokens lock the user, the app's only the token.
        """
        with transaction.atomic():
            digest = tokens.digest_of(request.POST.get("refresh_token", ""))
            spent = RefreshToken.objects.filter(token_checksum=digest)
            User.lock(id__in=spent.values("user"))
            list(spent.select_for_update(of=("self",)).values_list("id"))
            answer: HttpResponse = self.authorization_flow_token_response(request)
        return answer


class Revocation(ForApps, RevokeTokenView):  # type: ignore[misc]  # the toolkit has no types
    """The revocation endpoint: an app ends a token that it holds."""

    throttle_scope = "oauth"
